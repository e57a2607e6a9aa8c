/**
 * A 2025-11-25 server that offers schemas as tools, written without an SDK, so that it can keep the exact text it
 * receives.
 */
import { createServer } from 'node:http'
import { listen } from '../servers/listening.ts'

export interface SchemaPeer {
  readonly url: string
  /** Bodies of `tools/call`, unparsed. */
  readonly bodies: readonly string[]
  close(): Promise<void>
}

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Methods': 'POST, GET, DELETE',
}

export const startSchemaPeer = async (
  /** `text`: the schema as JSON text, if it is too deep to build from an object. */
  tools: readonly { readonly name: string; readonly schema?: unknown; readonly text?: string }[],
): Promise<SchemaPeer> => {
  const bodies: string[] = []
  const listed = tools.map(
    ({ name, schema, text }) => `{"name":${JSON.stringify(name)},"inputSchema":${text ?? JSON.stringify(schema)}}`,
  )
  /** JSON text. */
  const answer = (method: string, params: { protocolVersion?: string } | undefined): string | undefined => {
    if (method === 'initialize') {
      return JSON.stringify({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'schemas', version: String(params?.protocolVersion ?? '0') },
      })
    }
    if (method === 'tools/list') return `{"tools":[${listed.join(',')}]}`
    if (method === 'tools/call') return `{"content":[{"type":"text","text":"call ${bodies.length}"}]}`
    return method === 'ping' ? '{}' : undefined
  }
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 405, CORS).end()
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const message = JSON.parse(body) as { id?: number; method: string; params?: { protocolVersion?: string } }
      if (message.id === undefined) {
        response.writeHead(202, CORS).end()
        return
      }
      if (message.method === 'tools/call') bodies.push(body)
      const result = answer(message.method, message.params)
      const reply = result === undefined ? '"error":{"code":-32601,"message":"Unknown method"}' : `"result":${result}`
      response
        .writeHead(200, { ...CORS, 'Content-Type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${reply}}`)
    })
  })
  const { url, close } = await listen(server)
  return { url: `${url}/mcp`, bodies, close }
}

/** The exact text of `arguments` in a body. Counts braces: outside of strings, each one in JSON text is structural. */
export const argumentsIn = (body: string): string | undefined => {
  const start = body.indexOf('"arguments":')
  if (start < 0) return undefined
  let depth = 0
  let quoted = false
  const from = start + '"arguments":'.length
  for (let at = from; at < body.length; at++) {
    const character = body[at]!
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return body.slice(from, at + 1)
  }
  return undefined
}
