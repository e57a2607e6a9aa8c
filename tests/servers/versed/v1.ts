/** The versed server on the official SDK v1, for the four protocol versions with a handshake. */
import { setTimeout as pause } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import { COUNTER, FORM, pageOf, QUESTION, resourcesOf, say, stepText, type VersedState } from './tools.ts'

export const makeServer = (state: VersedState): Server => {
  const server = new Server(
    { name: 'versed', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
  )
  const subscribed = new Set<string>()
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    try {
      return pageOf(params?.cursor, state)
    } catch (error) {
      throw new McpError(ErrorCode.InvalidParams, String(error))
    }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => resourcesOf(state).list)
  server.setRequestHandler(ReadResourceRequestSchema, () => resourcesOf(state).contents)
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => (subscribed.add(params.uri), {}))
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => (subscribed.delete(params.uri), {}))
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { _meta, requestId, sendNotification, signal }) => {
      const { text = '', n = 0, ms = 0 } = (params.arguments ?? {}) as { text?: string; n?: number; ms?: number }
      const asks = { relatedRequestId: requestId, timeout: 10_000 }
      switch (params.name) {
        case 'echo':
          return say(text)
        case 'fail':
          return { ...say('It did not work'), isError: true }
        case 'slow-count': {
          const progressToken = _meta?.progressToken
          for (let progress = 1; progress <= n; progress++) {
            await pause(ms, undefined, { signal })
            if (progressToken === undefined) continue
            const told = { progressToken, progress, total: n, message: stepText(progress) }
            await sendNotification({ method: 'notifications/progress', params: told })
          }
          return say(`counted to ${n}`)
        }
        case 'never':
        case 'late': {
          state.begun++
          await aborted(signal)
          state.cancelled++
          // The SDK itself correctly sends nothing in this case.
          const late: JSONRPCMessage = { jsonrpc: '2.0', id: requestId, result: say('too late') }
          if (params.name === 'late') await server.transport?.send(late, { relatedRequestId: requestId })
          return say('nobody hears this')
        }
        case 'waiting':
          return say(JSON.stringify([state.begun, state.cancelled]))
        case 'ask-model':
          return say(JSON.stringify((await server.createMessage(QUESTION, asks)).content))
        case 'ask-user':
          return say(JSON.stringify((await server.elicitInput(FORM, asks)).content ?? null))
        case 'ask-roots':
          return say((await server.listRoots(undefined, asks)).roots.map(({ uri }) => uri).join(' '))
        case 'ask-ping':
          await server.ping()
          return say('the client is there')
        case 'touch':
          state.counter++
          if (subscribed.has(COUNTER)) await server.sendResourceUpdated({ uri: COUNTER })
          return say(String(state.counter))
        case 'add-tool':
          state.extraTools++
          await server.sendToolListChanged()
          return say(String(state.extraTools))
        default:
          throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`)
      }
    },
  )
  return server
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Connects as a server that supports no protocol version after `newest`: the SDK accepts any offer it knows, so newer
 * offers are hidden from it.
 */
export const connect = async (server: Server, transport: Transport, newest: string): Promise<void> => {
  await server.connect(transport)
  const take = transport.onmessage
  transport.onmessage = (message, extra) => take?.(limited(message, newest), extra)
}

const limited = <Message extends JSONRPCMessage>(message: Message, newest: string): Message => {
  if (!('method' in message) || message.method !== 'initialize') return message
  const offered = (message.params as { protocolVersion?: string } | undefined)?.protocolVersion ?? ''
  return offered <= newest ? message : { ...message, params: { ...message.params, protocolVersion: newest } }
}
