/** Sessions of the stateless protocol with the test servers. */
import { inject } from 'vitest'
import {
  Session,
  StreamableHttpTransport,
  Trace,
  type JsonObject,
  type MessageFrame,
  type SessionOptions,
  type Transport,
} from './index.ts'

export const CAPABILITIES = { elicitation: {}, roots: {}, sampling: {} }

export const begin = (transport: Transport, options: Partial<SessionOptions> = {}) => {
  const trace = new Trace()
  const clientInfo = { name: 'test', version: '0' }
  const capabilities = () => CAPABILITIES
  const session = new Session({ trace, link: 's1', transport, clientInfo, capabilities, autoListen: false, ...options })
  const sent = (method?: string) =>
    [...trace]
      .filter((frame): frame is MessageFrame => frame.kind === 'message' && frame.direction === 'sent')
      .map((frame) => ({ ...frame, message: frame.message as JsonObject & { params: JsonObject } }))
      .filter(({ message }) => method === undefined || message.method === method)
  const heads = () =>
    [...trace].flatMap((frame) =>
      frame.kind === 'http' && frame.phase === 'request' ? [Object.fromEntries(frame.headers)] : [],
    )
  return { trace, session, sent, heads }
}

const connected = async (url: string, options?: Partial<SessionOptions>) => {
  const pair = begin(new StreamableHttpTransport({ url }), options)
  await pair.session.open()
  return pair
}
export const modern = (options?: Partial<SessionOptions>) =>
  connected(`${inject('modernUrl')}/${crypto.randomUUID()}`, options)
export const kind = (name: string, options?: Partial<SessionOptions>) =>
  connected(`${inject('erasUrl')}/${name}/${crypto.randomUUID()}`, { pinned: '2026-07-28', ...options })

export const textOf = (result: JsonObject): string => (result.content as unknown as { text: string }[])[0]!.text
export const metaOf = (message: JsonObject) => (message.params as { _meta: JsonObject })._meta
