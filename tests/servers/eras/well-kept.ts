/** A correct server, with and without handshake, that has no state of its own: the baseline of all kinds. */
import {
  complete,
  HANDSHAKES,
  MODERN,
  subscription,
  text,
  versionOf,
  type Exchange,
  type Json,
  type JsonObject,
  type Kind,
} from './wire.ts'

const TOOLS: JsonObject[] = [
  { name: 't', description: 'Answers', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
  { name: 'seen', description: 'All that came so far, as JSON', inputSchema: { type: 'object' } },
  { name: 'change', description: 'Tells all who listen what they asked for', inputSchema: { type: 'object' } },
]

/** The results of every method except those of the session, with and without handshake. */
const results: Readonly<Record<string, (exchange: Exchange) => JsonObject | undefined>> = {
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': callTool,
  'resources/list': () => ({ resources: [{ uri: 'mem://r', name: 'r' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ message }) => ({ contents: [{ uri: message.params?.['uri'] ?? null, text: 'r' }] }),
  'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'p' } }] }),
}

const CACHED = ['tools/list', 'resources/list', 'resources/templates/list', 'resources/read', 'prompts/list']

function callTool(exchange: Exchange): JsonObject | undefined {
  const { place, message } = exchange
  switch (message.params?.['name']) {
    case 't':
      return text('Grüße, 世界 🎈')
    case 'seen':
      return text(JSON.stringify(place.seen))
    case 'change':
      place.changes++
      for (const listener of place.listeners) notifyAll(listener.exchange, listener.id, listener.wants)
      return text(String(place.listeners.size))
    default:
      return
  }
}

/** One notification of each subscribed type. */
export const notifyAll = ({ say }: Exchange, id: Json, wants: JsonObject): void => {
  const _meta = subscription(id)
  for (const list of ['tools', 'prompts', 'resources'])
    if (wants[`${list}ListChanged`] === true) say({ method: `notifications/${list}/list_changed`, params: { _meta } })
  for (const uri of (wants['resourceSubscriptions'] ?? []) as Json[])
    say({ method: 'notifications/resources/updated', params: { uri, _meta } })
}

const capabilities: JsonObject = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
}

export const discovered: JsonObject = { supportedVersions: [MODERN], capabilities, ttlMs: 1000, cacheScope: 'private' }

export const answerWell = (kind: Kind, exchange: Exchange): void => {
  const { message } = exchange
  // A notification, or a response to a server request.
  if (message.id === undefined || message.method === undefined) return takeNote(exchange)
  if (versionOf(message) === undefined) return answerHandshake(kind, exchange)
  answerModern(kind, exchange)
}

const takeNote = ({ message, place, finish }: Exchange): void => {
  if (message.method === 'notifications/cancelled')
    for (const listener of place.listeners)
      if (listener.id === message.params?.['requestId']) place.listeners.delete(listener)
  finish()
}

const answerModern = (kind: Kind, exchange: Exchange): void => {
  const { message, refuse, answer } = exchange
  if (kind.speaks === 'handshake') {
    // Worded like the official SDK v1: over HTTP it mentions a session, over stdio a method.
    if (exchange.http) return refuse(-32000, 'Bad Request: Server not initialized', { status: 400 })
    return refuse(-32601, 'Method not found')
  }
  const requested = versionOf(message) ?? null
  if (requested !== MODERN) return refuseVersion(exchange, [MODERN])
  if (message.method === 'server/discover') return answer(complete(discovered))
  if (message.method === 'subscriptions/listen') return void listenWell(exchange)
  const result = results[message.method ?? '']?.(exchange)
  if (result) {
    const cached: JsonObject = CACHED.includes(message.method ?? '') ? { ttlMs: 0, cacheScope: 'private' } : {}
    return answer(complete({ ...result, ...cached }))
  }
  if (message.method === 'tools/call') return refuse(-32602, 'Unknown tool')
  refuse(-32601, 'Method not found', { status: 404 })
}

export const refuseVersion = ({ message, refuse }: Exchange, supported: Json): void => {
  const requested = versionOf(message) ?? message.params?.['protocolVersion'] ?? null
  refuse(-32022, 'Unsupported protocol version', { data: { supported, requested }, status: 400 })
}

/** Acknowledges the subscription and leaves the stream open. */
export const listenWell = (exchange: Exchange, granted?: JsonObject): Json => {
  const { message, place, say, onGone } = exchange
  const wants = granted ?? ((message.params?.['notifications'] ?? {}) as JsonObject)
  const id = message.id ?? null
  const params = { notifications: wants, _meta: subscription(id) }
  say({ method: 'notifications/subscriptions/acknowledged', params })
  const listener = { id, wants, exchange }
  place.listeners.add(listener)
  onGone(() => place.listeners.delete(listener))
  return id
}

const answerHandshake = (kind: Kind, exchange: Exchange): void => {
  const { message, refuse, answer } = exchange
  if (kind.speaks === 'modern') return refuseVersion(exchange, [MODERN])
  if (message.method === 'initialize') return answer(initialized(kind, message.params?.['protocolVersion']))
  if (message.method === 'ping') return answer({})
  const result = results[message.method ?? '']?.(exchange)
  if (result) return answer(result)
  if (message.method === 'tools/call') return answer({ ...text('There is no such tool'), isError: true })
  refuse(-32601, 'Method not found')
}

export const initialized = (kind: Kind, offered: Json | undefined): JsonObject => ({
  protocolVersion: kind.revision ?? (HANDSHAKES.includes(offered as string) ? (offered as string) : HANDSHAKES.at(-1)!),
  capabilities,
  serverInfo: { name: 'eras', version: '1.0.0' },
  ...kind.initialize,
})
