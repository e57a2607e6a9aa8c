/**
 * Servers behind Unix sockets in one folder, newline-delimited as over stdio:
 *
 *     v1-<newest>.sock    the SDK v1; supports no protocol version after <newest>
 *     v2.sock             the SDK v2, which supports 2026-07-28 only
 *     http.sock           an HTTP server, as some programs have it on a socket
 *     cut.sock            responds to `initialize`, and cuts the connection during a call
 *     noisy.sock          writes lines that aren't messages, and one line that takes long to end
 *     file.sock           not a socket, but a file
 *
 * The folder itself is the peer's `url`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js'
import { serveStdio, StdioServerTransport as StdioV2 } from '@modelcontextprotocol/server/stdio'
import type { Peer } from '../listening.ts'
import { makeState } from '../versed/tools.ts'
import { connect, makeServer as makeV1 } from '../versed/v1.ts'
import { makeServer as makeV2 } from '../versed/v2.ts'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

const v1 = (newest: string) => (socket: Socket) =>
  void connect(makeV1(makeState()), new StdioV1(socket, socket), newest)

const v2 = (socket: Socket): void => {
  const state = makeState()
  const makeOne = () => {
    const server = makeV2(state, {
      toolsChanged: () => void server.sendToolListChanged(),
      resourceUpdated: (uri) => void server.sendResourceUpdated({ uri }),
    })
    return server
  }
  serveStdio(makeOne, { legacy: 'reject', transport: new StdioV2(socket, socket) })
}

interface Message {
  readonly id?: number | string
  readonly method?: string
}

/** @param onCall handles a call of a tool */
const simple = (onCall: (socket: Socket, message: Message) => void) => (socket: Socket) => {
  const say = (message: object) => socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  createInterface({ input: socket }).on('line', (line) => {
    const message = JSON.parse(line) as Message
    const { id, method } = message
    if (id === undefined) return
    if (method === 'tools/call') return onCall(socket, message)
    if (method === 'tools/list')
      return say({ id, result: { tools: [{ name: 'any', inputSchema: { type: 'object' } }] } })
    const serverInfo = { name: 'socket', version: '1' }
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
    return say(method === 'initialize' ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } })
  })
}

const noisy = simple((socket, { id }) => {
  const result = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } })
  socket.write(`not a message\n${result.slice(0, 20)}`)
  // Long after the proxy reports an unfinished line.
  setTimeout(() => socket.write(`${result.slice(20)}\n`), 4_000)
})

export const start = async (): Promise<Peer> => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-sockets-'))
  const open = new Set<Socket>()
  const servers: Server[] = []
  const listen = async (name: string, server: Server): Promise<void> => {
    servers.push(server)
    server.on('connection', (socket: Socket) => {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => open.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(join(folder, `${name}.sock`), resolve))
  }
  for (const newest of REVISIONS) await listen(`v1-${newest}`, createServer(v1(newest)))
  await listen('v2', createServer(v2))
  await listen(
    'http',
    createHttpServer((_, response) => void response.end('hello')),
  )
  await listen('cut', createServer(simple((socket) => socket.destroy())))
  await listen('noisy', createServer(noisy))
  writeFileSync(join(folder, 'file.sock'), '')
  return {
    url: folder,
    close: async () => {
      for (const socket of open) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
