/**
 * A correct server behind the usual ways to get CORS wrong: `/KIND/KEY`. The header lines that were
 * POSTed to `/control/KIND/KEY` take the place of its own, and then OPTIONS is answered with 204.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { bodyOf, listen, type Peer } from './listening.ts'

export const CORS_KINDS = [
  'none',
  'options-401',
  'options-404',
  'options-405',
  'options-500',
  'options-redirect',
  'only-on-options',
  'other-origin',
  'null-origin',
  'two-origins',
  'two-headers',
  'no-headers',
  'one-header-less',
  'not-on-options',
  'allowed',
  'moved',
] as const

export type CorsKind = (typeof CORS_KINDS)[number]

type Line = readonly [name: string, value: string]

const OPEN: readonly Line[] = [['Access-Control-Allow-Origin', '*']]
const METHODS: Line = ['Access-Control-Allow-Methods', 'GET, POST, DELETE']
const HEADERS: Line = [
  'Access-Control-Allow-Headers',
  'content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id',
]

/** The status and the CORS headers of a response to OPTIONS. */
const toOptions = (kind: CorsKind): readonly [status: number, lines: readonly Line[]] => {
  switch (kind) {
    case 'none':
    case 'moved':
      return [204, []]
    case 'options-401':
    case 'options-404':
    case 'options-405':
    case 'options-500':
      return [Number(kind.slice(-3)), [...OPEN, METHODS, HEADERS]]
    case 'options-redirect':
      return [307, [...OPEN, METHODS, HEADERS, ['Location', '/elsewhere']]]
    case 'only-on-options':
    case 'allowed':
      return [204, [...OPEN, METHODS, HEADERS]]
    case 'other-origin':
      return [204, [['Access-Control-Allow-Origin', 'https://app.example.com'], METHODS, HEADERS]]
    case 'null-origin':
      return [204, [['Access-Control-Allow-Origin', 'null'], METHODS, HEADERS]]
    case 'two-origins':
      return [204, [['Access-Control-Allow-Origin', '*, https://app.example.com'], METHODS, HEADERS]]
    case 'two-headers':
      return [204, [...OPEN, ...OPEN, METHODS, HEADERS]]
    case 'no-headers':
      return [204, [...OPEN, METHODS]]
    case 'one-header-less':
      return [204, [...OPEN, METHODS, [HEADERS[0], HEADERS[1].replace('mcp-protocol-version, ', '')]]]
    case 'not-on-options':
      return [204, [METHODS, HEADERS]]
  }
}

/** The CORS headers of every other response. */
const toOthers = (kind: CorsKind): readonly Line[] =>
  kind === 'none' || kind === 'moved' || kind === 'only-on-options'
    ? []
    : kind === 'not-on-options'
      ? OPEN
      : toOptions(kind)[1].filter(([name]) => /origin/i.test(name))

/** @param target the endpoint of a server without CORS headers, to which a key is added */
export const start = async (target: string): Promise<Peer> => {
  const lines = new Map<string, readonly Line[]>()
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, control, ...rest] = new URL(request.url ?? '', 'http://h').pathname.split('/')
    const body = await bodyOf(request)
    if (control === 'control') {
      lines.set(
        rest.join('/'),
        body.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      )
      return void response.writeHead(204).end()
    }
    const [kind, key] = [control as CorsKind, rest.join('/')]
    const own = lines.get(`${kind}/${key}`)
    const replaced = new Set(own?.map(([name]) => name.toLowerCase()))
    const corrected = (usual: readonly Line[]) => [
      ...usual.filter(([name]) => !replaced.has(name.toLowerCase())),
      ...(own ?? []),
    ]
    if (request.method === 'OPTIONS') {
      const [status, usual] = toOptions(kind)
      return void response.writeHead(own ? 204 : status, corrected(usual).flat()).end()
    }
    if (kind === 'moved') return void response.writeHead(307, { location: `/allowed/${key}` }).end()
    const headers = Object.entries(request.headers).filter(
      ([name]) => !/^(host|connection|origin|content-length)$/.test(name),
    )
    const answer = await fetch(`${target}/${key}`, {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(body === '' ? {} : { body }),
    })
    const kept = [...answer.headers].filter(([name]) => /^(content-type|mcp-session-id)$/.test(name))
    response.writeHead(answer.status, [...kept, ...corrected(toOthers(kind))].flat())
    response.flushHeaders()
    try {
      for await (const chunk of answer.body ?? []) response.write(chunk)
    } catch {
      // The other side ended.
    }
    response.end()
  }
  return await listen(
    createServer((request, response) => void serve(request, response).catch(() => response.destroy())),
  )
}
