/** A small server with the given tools, either identical on every start or slightly changed. */
import { createServer } from 'node:http'
import { allowPages, bodyOf, listen, type Peer } from './listening.ts'

export interface ChangingTool {
  readonly declaration: { readonly name: string; readonly [member: string]: unknown }
  readonly run: (args: Readonly<Record<string, unknown>>) => object
}

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> }
}

/** @param name the server's name in `serverInfo` */
export const start = async (name: string, tools: readonly ChangingTool[]): Promise<Peer> => {
  const answer = ({ method, params }: Message): object => {
    if (method === 'initialize') {
      const serverInfo = { name, version: '1.0.0' }
      return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } }
    }
    if (method === 'tools/list') return { result: { tools: tools.map(({ declaration }) => declaration) } }
    const tool =
      method === 'tools/call' ? tools.find(({ declaration }) => declaration.name === params?.name) : undefined
    if (tool) return { result: tool.run(params?.arguments ?? {}) }
    return {
      error: method === 'tools/call' ? { code: -32602, message: 'No such tool' } : { code: -32601, message: 'No' },
    }
  }
  const server = createServer((request, response) => {
    if (allowPages(request, response)) return
    if (request.method !== 'POST') return void response.writeHead(405).end()
    bodyOf(request).then(
      (body) => {
        const message = JSON.parse(body) as Message
        if (message.id === undefined) return response.writeHead(202).end()
        response.setHeader('Content-Type', 'application/json')
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message) }))
      },
      () => response.writeHead(400).end(),
    )
  })
  return await listen(server)
}
