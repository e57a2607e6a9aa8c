/** A WebSocket in a few lines, made to be broken in one place. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { listen } from '../listening.ts'
import { responseTo, type Message } from './site.ts'
import type { Started } from './target.ts'

/**
 * @param onMessage what it does at each message
 * @param listener how it responds over HTTP
 */
export const webSocketSite = async (
  onMessage: (socket: WebSocket, text: string) => void,
  listener: RequestListener = (_, response) => response.writeHead(426).end(),
): Promise<Started> => {
  const server = createServer(listener)
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([name]) => name ?? false })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    sockets.handleUpgrade(request, socket, head, (open) => {
      open.on('error', () => {})
      open.on('message', (data) => onMessage(open, data.toString()))
    }),
  )
  const { url, close } = await listen(server, async () => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  })
  return { line: `${url.replace('http', 'ws')}/mcp`, close }
}

/** Responds as a correct server does. */
export const answering = (socket: WebSocket, text: string): void => {
  const message = JSON.parse(text) as Message
  if (message.id !== undefined && message.method !== undefined) socket.send(JSON.stringify(responseTo(message)))
}
