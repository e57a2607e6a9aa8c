/**
 * The origin of an imported session: its format, and what was lost in the conversion. Stored in the head, as
 * `more.imported` for catalogues, and in words in `notes`.
 */
import { isObject, type Json } from '../../mcp/index.ts'
import type { SessionHead } from '../file.ts'

export const IMPORT_FORMATS = [
  'har',
  'mcporter',
  'mcp-recorder',
  'inspector-protocol',
  'inspector-network',
  'json-rpc',
] as const

export type ImportFormat = (typeof IMPORT_FORMATS)[number]

const LOSSES = {
  session: 'How the connection was opened and ended was made from the messages',
  'not-mcp': "Omitted entries that aren't MCP traffic",
  'no-body': 'Bodies that are not in the file',
  headers: 'HTTP exchanges without their headers',
  times: 'Messages whose time is not in the file; they follow each other at once',
  order: 'Messages of event streams whose time within the stream is a guess',
  direction: 'Messages whose direction was inferred from their content',
  'first-event': 'Responses with only their first event recorded',
  unreadable: 'Lines without a message',
  entries: 'Entries beyond the bound',
} as const

export type LossCode = keyof typeof LOSSES

export interface Imported {
  readonly format: ImportFormat
  /** The tool named in the file. */
  readonly tool?: string
  readonly losses: readonly { readonly code: LossCode; readonly count: number }[]
}

const NAMES: Readonly<Record<ImportFormat, string>> = {
  har: 'HAR 1.2',
  mcporter: 'an mcporter recording',
  'mcp-recorder': 'an mcp-recorder cassette',
  'inspector-protocol': "the MCP Inspector's list of messages",
  'inspector-network': "the MCP Inspector's list of requests",
  'json-rpc': 'a log of JSON-RPC messages',
}

/** In English, for readers of the file. */
export const importedNotes = ({ format, losses }: Imported): string =>
  [
    `Made from ${NAMES[format]}: a mapping, not a recording. What it could not hold:`,
    ...losses.map(({ code, count }) => `- ${LOSSES[code]}${code === 'session' ? '' : `: ${count}`}`),
  ].join('\n')

/** `undefined` if the session was recorded by Periscope. */
export const importedFrom = ({ more }: SessionHead): Imported | undefined => {
  const value = more?.imported
  if (!isObject(value)) return undefined
  const format = IMPORT_FORMATS.find((known) => known === value.format)
  if (format === undefined) return undefined
  const losses = (Array.isArray(value.losses) ? (value.losses as readonly Json[]) : []).flatMap((loss) => {
    if (!isObject(loss) || typeof loss.code !== 'string' || !Object.hasOwn(LOSSES, loss.code)) return []
    return [{ code: loss.code as LossCode, count: typeof loss.count === 'number' ? loss.count : 1 }]
  })
  return { format, ...(typeof value.tool === 'string' ? { tool: value.tool } : {}), losses }
}
