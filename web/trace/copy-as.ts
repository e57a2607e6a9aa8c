/**
 * A recorded request as code that sends it again: a cURL line, `fetch`, the official SDKs. Texts from peers appear only as
 * quoted strings. What was masked or removed becomes a variable, because the code is meant to be shared.
 */
import type { Frame, FrameOf, Json, JsonObject, Seq, Trace } from '../mcp/index.ts'
import { objectOf, pairOf, type Surroundings } from './facts.ts'

/** A request with what is needed to send it again. */
export interface SentRequest {
  readonly message: JsonObject
  /** The HTTP request that carried it. */
  readonly http?: { readonly url: string; readonly headers: readonly (readonly [string, string])[] }
  /** The process that it went to. */
  readonly process?: { readonly command: string; readonly args: readonly string[] }
  /** The handshake of its connection; absent without one (2026-07-28). */
  readonly initialize?: JsonObject
}

/** The frames from which `sentRequest` reads: redact them before. Empty unless the frame is a request that was sent, or its response. */
export const framesOfRequest = (seq: Seq, trace: Trace, around: Pick<Surroundings, 'exchanges'>): readonly Frame[] => {
  const frame = trace.at(seq)
  const exchange = frame && pairOf(frame, around)
  const request = exchange && trace.at(exchange.request)
  if (!exchange || exchange.direction !== 'sent' || request?.kind !== 'message' || !isObject(request.message)) return []
  const { all } = around.exchanges
  let first: Frame | undefined
  // Backwards: a session may have been renewed.
  for (let at = all.length - 1; at >= 0 && !first; at--) {
    const each = all[at]!
    if (each.request <= exchange.request && each.link === exchange.link && each.method === 'initialize')
      first = trace.at(each.request)
  }
  let spawn: Frame | undefined
  for (let at = exchange.request; at >= 0 && !spawn && request.carrier === undefined; at--) {
    const each = trace.at(at)
    if (each?.kind === 'process' && each.event === 'spawn' && each.link === exchange.link) spawn = each
  }
  const carrier = request.carrier === undefined ? undefined : trace.at(request.carrier)
  return [request, carrier, first, spawn].filter((each) => each !== undefined)
}

/** @param frames as `framesOfRequest` returns them */
export const sentRequest = (frames: readonly Frame[]): SentRequest | undefined => {
  const [request] = frames
  if (request?.kind !== 'message') return undefined
  const carrier = frames.find((frame): frame is FrameOf<'http'> => frame.kind === 'http')
  const spawn = frames.find((frame): frame is FrameOf<'process'> => frame.kind === 'process')
  const first = frames.find((frame) => frame.kind === 'message' && objectOf(frame.message).method === 'initialize')
  return {
    message: objectOf(request.message),
    ...(carrier?.phase === 'request' ? { http: carrier } : {}),
    ...(spawn?.event === 'spawn' ? { process: spawn } : {}),
    ...(first?.kind === 'message' && first !== request ? { initialize: objectOf(first.message) } : {}),
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands for a secret, in captured frames and in redacted ones. */
const MASK = /•{3,}(?: \(\d+\+? characters\))?|‹removed: [^‹›]{1,200}›|… \(\d+ characters\)/
const variableOf = (name: string): string =>
  name
    .replace(/[^A-Za-z\d]+/g, '_')
    .replace(/^_|_$/g, '')
    .toUpperCase()

/** POSIX shells take everything between single quotes as it is. */
const shellWord = (text: string): string =>
  /^[\w@%+:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`

const SESSION = 'mcp-session-id'
/** Headers that the tool that sends the request sets itself. */
const OWN = new Set(['host', 'content-length', 'connection', 'origin', 'user-agent', 'accept-encoding'])

/** A header as the argument of `-H`; `$SESSION` is the session that the lines above opened. */
const headerWord = ([name, value]: readonly [string, string]): string => {
  if (name.toLowerCase() === SESSION) return `"${name}: $SESSION"`
  if (!MASK.test(value)) return shellWord(`${name}: ${value}`)
  const scheme = /^(?:Bearer|Basic|DPoP) /i.exec(value)?.[0] ?? ''
  return `"${name}: ${scheme}$${variableOf(name)}"`
}

/** @returns a shell script; `undefined` for a request that didn't go over HTTP */
export const curlOf = ({ message, http, initialize }: SentRequest): string | undefined => {
  if (!http) return undefined
  const headers = http.headers.filter(([name]) => !OWN.has(name.toLowerCase()))
  const post = (body: JsonObject, sent: typeof headers, options: string) =>
    [
      `curl -sS${options} ${shellWord(http.url)}`,
      ...sent.map((header) => `  -H ${headerWord(header)}`),
      `  -d ${shellWord(JSON.stringify(body))}`,
    ].join(' \\\n')
  if (!initialize || !headers.some(([name]) => name.toLowerCase() === SESSION))
    return `${post(message, headers, ' -N')}\n`
  const before = headers.filter(([name]) => !/^(?:mcp-session-id|mcp-protocol-version)$/i.test(name))
  return [
    `SESSION=$(${post(initialize, before, ' -o /dev/null -D -')} | tr -d '\\r' | sed -n 's/^[Mm]cp-[Ss]ession-[Ii]d: //p')`,
    post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers, ' -o /dev/null'),
    `${post(message, headers, ' -N')}\n`,
  ].join('\n')
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** @returns JavaScript; `undefined` for a request that didn't go over HTTP */
export const fetchOf = ({ message, http }: SentRequest): string | undefined => {
  if (!http) return undefined
  const headers = http.headers
    .filter(([name]) => !OWN.has(name.toLowerCase()))
    .map(([name, value]) => {
      const shown = MASK.test(value) ? `\${${variableOf(name)}}` : undefined
      const scheme = /^(?:Bearer|Basic|DPoP) /i.exec(value)?.[0] ?? ''
      return `    ${JSON.stringify(name)}: ${shown === undefined ? JSON.stringify(value) : `\`${scheme}${shown}\``},`
    })
  return `const response = await fetch(${JSON.stringify(http.url)}, {
  method: 'POST',
  headers: {
${headers.join('\n')}
  },
  body: JSON.stringify(${json(message).replaceAll('\n', '\n  ')}),
})
console.log(response.status, await response.text())
`
}

const paramsOf = ({ params }: JsonObject): JsonObject | undefined => {
  if (!isObject(params)) return undefined
  // The SDK adds its own.
  const { _meta: _, ...rest } = params
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** Code for the official TypeScript SDK, version 1. `undefined` if it isn't known where the request went. */
export const typescriptOf = (sent: SentRequest): string | undefined => {
  const { message, http, process } = sent
  const params = paramsOf(message)
  const [imported, made] = http
    ? ([
        "import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'",
        `new StreamableHTTPClientTransport(new URL(${JSON.stringify(http.url)}))`,
      ] as const)
    : process
      ? ([
          "import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'",
          `new StdioClientTransport(${json({ command: process.command, args: process.args })})`,
        ] as const)
      : []
  if (imported === undefined) return undefined
  const request = json({ method: message.method, ...(params ? { params } : {}) })
  return `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
${imported}
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'

const client = new Client({ name: 'example', version: '1.0.0' })
await client.connect(${made})
const result = await client.request(${request}, ResultSchema)
console.log(JSON.stringify(result, null, 2))
await client.close()
`
}

/** The methods for which the Python SDK has a function that takes the parameters in this order. */
const PYTHON: Readonly<Record<string, readonly [name: string, ...params: string[]]>> = {
  'tools/list': ['list_tools'],
  'tools/call': ['call_tool', 'name', 'arguments'],
  'resources/list': ['list_resources'],
  'resources/templates/list': ['list_resource_templates'],
  'resources/read': ['read_resource', 'uri'],
  'prompts/list': ['list_prompts'],
  'prompts/get': ['get_prompt', 'name', 'arguments'],
  ping: ['send_ping'],
}

/** A JSON value as a Python literal. */
const python = (value: Json | undefined): string => {
  if (value === undefined || value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(python).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${python(each)}`).join(', ')}}` // prettier-ignore
  return JSON.stringify(value)
}

/** Code for the official Python SDK. `undefined` if it has no function for the method. */
export const pythonOf = ({ message, http, process }: SentRequest): string | undefined => {
  const method =
    typeof message.method === 'string' && Object.hasOwn(PYTHON, message.method) ? PYTHON[message.method] : undefined
  if (!method || (!http && !process)) return undefined
  const [name, ...wanted] = method
  const params = paramsOf(message) ?? {}
  const given = wanted.filter((key) => params[key] !== undefined).map((key) => python(params[key]))
  const [imported, opened] = http
    ? ['from mcp.client.streamable_http import streamablehttp_client', `streamablehttp_client(${JSON.stringify(http.url)}) as (read, write, _)`] // prettier-ignore
    : [
        'from mcp import StdioServerParameters\nfrom mcp.client.stdio import stdio_client',
        `stdio_client(StdioServerParameters(command=${JSON.stringify(process!.command)}, args=${python([...process!.args])})) as (read, write)`,
      ]
  return `import asyncio

from mcp import ClientSession
${imported}


async def main():
    async with ${opened}:
        async with ClientSession(read, write) as session:
            await session.initialize()
            print(await session.${name}(${given.join(', ')}))


asyncio.run(main())
`
}
