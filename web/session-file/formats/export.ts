/**
 * A session in the formats of other tools, each with some loss: only the session file is complete. The content is
 * written unchanged: the caller has already removed secrets (`redact`).
 */
import type { FindingOrAdvice, Frame, Link, Seq } from '../../mcp/index.ts'
import type { SessionHead } from '../file.ts'
import { harOf } from './har-out.ts'
import { fileNameOf, jsonOf } from '../write.ts'
import { reportOf } from './markdown-report.ts'
import { connectable, mcpServersOf, serverJsonOf, vscodeOf } from './server-configs.ts'

export const EXPORT_KINDS = ['json', 'har', 'markdown', 'mcpServers', 'vscode', 'server.json'] as const

export type ExportKind = (typeof EXPORT_KINDS)[number]

export interface Exported {
  /** Of the file. */
  readonly name: string
  readonly mime: string
  readonly text: string
}

export interface ExportOptions {
  /** For reports: findings of rules, in addition to those in the frames. */
  readonly findings?: ReadonlyMap<Seq, readonly FindingOrAdvice[]>
  /** For `server.json`, which describes one server. Default: the first that can be represented. */
  readonly link?: Link
}

/** The formats' own names, the same in every language. */
export const EXPORT_TITLES: Readonly<Record<ExportKind, string>> = {
  json: 'JSON',
  har: 'HAR 1.2',
  markdown: 'Markdown',
  mcpServers: 'mcpServers',
  vscode: 'VS Code servers',
  'server.json': 'server.json',
}

/** Whether this format can represent anything of a session. */
export const canExport = (kind: ExportKind, head: SessionHead, link?: Link): boolean => {
  if (kind === 'mcpServers' || kind === 'vscode') return connectable(head.servers)
  return kind !== 'server.json' || serverJson(head, link) !== undefined
}

/**
 * In slices, so that a page with 100,000 frames stays responsive.
 * @throws {RangeError} the format can't represent anything of the session (`canExport`)
 */
export const exportAs = async (
  kind: ExportKind,
  head: SessionHead,
  frames: readonly Frame[],
  { findings, link }: ExportOptions = {},
): Promise<Exported> => {
  switch (kind) {
    case 'json':
      return file(fileNameOf(head, '.json'), 'application/json', await jsonOf(head, frames))
    case 'har':
      return file(fileNameOf(head, '.har'), 'application/json', await harOf(head, frames))
    case 'markdown':
      return file(fileNameOf(head, '.md'), 'text/markdown', await reportOf(head, frames, findings ? { findings } : {}))
    case 'mcpServers':
      return file('mcp.json', 'application/json', [layout(mcpServersOf(some(head)))])
    case 'vscode':
      return file('mcp.json', 'application/json', [layout(vscodeOf(some(head)))])
    case 'server.json': {
      const written = serverJson(head, link)
      if (!written) throw new RangeError('No server in this session can be exported as server.json')
      return file('server.json', 'application/json', [layout(written)])
    }
  }
}

const some = ({ servers }: SessionHead) => {
  if (!connectable(servers)) throw new RangeError('No server in this session can be exported for other clients')
  return servers
}

const serverJson = ({ servers }: SessionHead, link?: Link): object | undefined => {
  for (const server of servers) {
    const written = link === undefined || server.link === link ? serverJsonOf(server) : undefined
    if (written) return written
  }
  return undefined
}

const layout = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const file = (name: string, mime: string, parts: readonly string[]): Exported => ({ name, mime, text: parts.join('') })
