/**
 * The message being composed: templates to start from, what kind of message a text is, and the headers that go with it.
 * Any text can be sent.
 */
import { headerValue, isObject, judge, messagesIn, META } from '../../mcp/index.ts'
import type { Json, JsonObject, MessageKind, Peer, Revision } from '../../mcp/index.ts'
import { JsonSyntaxError, readJson, jsonIn } from '../../json/index.ts'
import { filterByWords } from '../lists/index.ts'

/** The part of the message shapes that is used here. It loads with the panel. */
export type Schema = typeof import('../../mcp/schema/schema.ts')

export interface Template {
  readonly method: string
  readonly kind: 'request' | 'notification'
  readonly params: JsonObject
}

export type TemplateRow =
  | { readonly is: 'group'; readonly kind: Template['kind']; readonly count: number }
  | { readonly is: 'template'; readonly template: Template }

/** While disconnected, shows the messages of the latest handshake version. */
export const revisionOf = (peer: Peer | undefined): Revision => peer?.revision ?? '2025-11-25'

/** Extensions that the server declared; ours are all that the message shapes define. */
export const extensionsOf = (peer: Peer | undefined): readonly string[] =>
  isObject(peer?.capabilities.extensions) ? Object.keys(peer.capabilities.extensions) : []

export const templatesOf = (
  { templates, methodIn }: Pick<Schema, 'templates' | 'methodIn'>,
  revision: Revision,
  extensions: readonly string[],
): readonly Template[] =>
  Object.entries(templates(revision, extensions)).map(([method, params]) => ({
    method,
    kind: methodIn(method, revision, extensions)?.kind === 'notification' ? 'notification' : 'request',
    params,
  }))

/** Templates whose method contains all words of the filter; requests first. */
export const rowsOf = (templates: readonly Template[], filter: string): readonly TemplateRow[] => {
  const found = filterByWords(templates, filter, ({ method }) => method)
  return (['request', 'notification'] as const).flatMap((kind): TemplateRow[] => {
    const members = found.filter((template) => template.kind === kind)
    if (members.length === 0) return []
    return [
      { is: 'group', kind, count: members.length },
      ...members.map((template) => ({ is: 'template' as const, template })),
    ]
  })
}

/** A message to start from, formatted for reading. */
export const templateText = ({ method, kind, params }: Template, id: string): string => {
  const members = {
    ...(kind === 'request' ? { id } : {}),
    method,
    ...(Object.keys(params).length > 0 ? { params } : {}),
  }
  return JSON.stringify({ jsonrpc: '2.0', ...members }, null, 2)
}

/** Why a client of that version never sends this message: shown as a warning. */
export type Refusal =
  /** BP-11: a stateless client sends no responses. */
  | 'answer'
  /** BP-25: only 2025-03-26 has batches. */
  | 'batch'
  /** BP-22 */
  | 'initialize-in-batch'
  /** BP-23 */
  | 'mixed-batch'

export const RULE_OF: Readonly<Record<Refusal, string>> = {
  answer: 'BP-11',
  batch: 'BP-25',
  'initialize-in-batch': 'BP-22',
  'mixed-batch': 'BP-23',
}

/** What a text is, examined while it is being typed. */
export interface Classified {
  readonly kind: 'empty' | 'not-json' | 'too-long' | MessageKind
  readonly message?: Json
  /** The position of the JSON syntax error. */
  readonly fault?: JsonSyntaxError
  readonly refusals: readonly Refusal[]
}

/** Maximum number of characters examined on each keystroke. Longer text is sent unexamined. */
const EXAMINED = 1_000_000

export const classify = (text: string, revision: Revision): Classified => {
  if (text.trim() === '') return { kind: 'empty', refusals: [] }
  if (text.length > EXAMINED) return { kind: 'too-long', refusals: [] }
  const message = jsonIn(text)
  if (message === undefined) return { kind: 'not-json', refusals: [], ...faultIn(text) }
  return { kind: judge(message).type, message, refusals: refusalsOf(message, revision) }
}

const faultIn = (text: string): Pick<Classified, 'fault'> => {
  try {
    readJson(text)
    return {}
  } catch (error) {
    return error instanceof JsonSyntaxError ? { fault: error } : {}
  }
}

const refusalsOf = (message: Json, revision: Revision): readonly Refusal[] => {
  const parts = messagesIn(message)
  const answers = parts.filter((part) => !('method' in part) && ('result' in part || 'error' in part)).length
  const refusals: Refusal[] = []
  if (answers > 0 && revision >= '2026-07-28') refusals.push('answer')
  if (!Array.isArray(message)) return refusals
  if (revision !== '2025-03-26') return [...refusals, 'batch']
  if (parts.some(({ method }) => method === 'initialize')) refusals.push('initialize-in-batch')
  if (answers > 0 && answers < parts.length) refusals.push('mixed-batch')
  return refusals
}

/**
 * The text as it is sent. On stdio a message is one line (TR-STDIO-02): line breaks in formatted JSON become spaces,
 * which are equivalent. Text that isn't JSON is sent unchanged, as several lines.
 */
export const outgoing = (text: string, { message }: Classified, lines: boolean): string =>
  lines && message !== undefined ? text.replace(/[\r\n]+/g, ' ') : text

export interface Header {
  readonly name: string
  readonly value: string
}

/**
 * The headers that repeat values of the body in 2026-07-28 (TR-HDR-02, -06, -07).
 * @param schema absent until the message shapes are loaded: then without `Mcp-Name`
 */
export const headersOf = (
  schema: Pick<Schema, 'methodIn'> | undefined,
  peer: Peer | undefined,
  message: Json | undefined,
): readonly Header[] => {
  const { method, params: given } = isObject(message) ? message : {}
  const params = isObject(given) ? given : {}
  const meta = isObject(params._meta) ? params._meta : {}
  const revision = revisionOf(peer)
  const version = meta[META.version]
  const headers: Header[] = [
    { name: 'MCP-Protocol-Version', value: headerValue(typeof version === 'string' ? version : revision) },
  ]
  if (typeof method !== 'string') return headers
  headers.push({ name: 'Mcp-Method', value: headerValue(method) })
  const nameParam = schema?.methodIn(method, revision, extensionsOf(peer))?.nameParam
  const value = nameParam === undefined ? undefined : params[nameParam]
  if (typeof value === 'string') headers.push({ name: 'Mcp-Name', value: headerValue(value) })
  return headers
}

/** RFC 9110 sections 5.6.2 and 5.5: header names and values that `fetch` accepts. */
export const isHeader = ({ name, value }: Header): boolean =>
  /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
