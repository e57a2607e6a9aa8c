/** Possible outcomes of `subscriptions/listen`. */
import { listenWell, notifyAll } from './well-kept.ts'
import {
  complete,
  count,
  subscription,
  type Exchange,
  type Handler,
  type Json,
  type JsonObject,
  type Kind,
  type Kinds,
} from './wire.ts'

/** ms for the client to read what was sent: a broken stream loses its unread data. */
const READING_TIME = 20

const toolsChanged = (id: Json): object => ({
  method: 'notifications/tools/list_changed',
  params: { _meta: subscription(id) },
})

const wantsOf = ({ message }: Exchange): JsonObject => (message.params?.['notifications'] ?? {}) as JsonObject

const kind = (says: string, handler: Handler, more: Partial<Kind> = {}): Kind => ({
  says,
  speaks: 'modern',
  on: { 'subscriptions/listen': handler },
  ...more,
})

const after = (then: (exchange: Exchange, id: Json) => void | Promise<void>): Handler => {
  return async (exchange) => {
    const id = listenWell(exchange)
    if (await exchange.pause(READING_TIME)) await then(exchange, id)
  }
}

export const listens = {
  'listen-no-ack': kind('No acknowledgement, but a notification (SUB-02)', ({ message, say }) =>
    say(toolsChanged(message.id ?? null)),
  ),
  'listen-silent': kind('Takes the request, and never says a word', ({ http }) => {
    http?.response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
  }),
  'listen-subset': kind('Grants toolsListChanged alone', (exchange) => {
    listenWell(exchange, wantsOf(exchange)['toolsListChanged'] === true ? { toolsListChanged: true } : {})
  }),
  'listen-more': kind('Acknowledges more than was asked for', (exchange) => {
    const wants = { ...wantsOf(exchange), toolsListChanged: true, promptsListChanged: true, 'x-more': true }
    listenWell(exchange, wants)
  }),
  'listen-unasked': kind(
    'Tells of all lists and of mem://other, asked for or not (SUB-04)',
    after((exchange, id) => {
      const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
      notifyAll(exchange, id, { ...all, resourceSubscriptions: ['mem://other'] })
    }),
  ),
  'listen-wrong-id': kind(
    'Notifications for another subscription, for the id as the other type, and for none (SUB-05, META-17)',
    after(({ say }, id) => {
      say(toolsChanged('another'))
      say(toolsChanged(typeof id === 'number' ? String(id) : 7))
      say({ method: 'notifications/tools/list_changed' })
    }),
  ),
  'listen-graceful': kind(
    'One notification, then the final result with the subscription in it',
    after(async ({ say, answer, pause }, id) => {
      say(toolsChanged(id))
      await pause(READING_TIME)
      answer(complete({ _meta: subscription(id) }))
    }),
  ),
  'listen-drops': kind(
    'One notification, then the connection breaks, or the process ends',
    after(async ({ say, die, pause }, id) => {
      say(toolsChanged(id))
      await pause(READING_TIME)
      die()
    }),
  ),
  'listen-drops-twice': kind(
    'The first two connections break after their acknowledgement, the third stays',
    (exchange) => {
      if (count(exchange.place, 'listens') > 2) return 'well'
      return after(({ die }) => die())(exchange)
    },
    { only: 'http' },
  ),
  'listen-ends': kind(
    'The stream ends, whole, without a result',
    after(({ finish }) => finish()),
    { only: 'http' },
  ),
  'listen-cancelled': kind(
    'notifications/cancelled for the request ends it, and no result comes',
    after(({ say, finish }, id) => {
      say({ method: 'notifications/cancelled', params: { requestId: id, reason: 'shutting down' } })
      finish()
    }),
  ),
  'listen-progress': kind(
    'Progress and log messages on the stream (SUB-10)',
    after(({ say }, id) => {
      const _meta = subscription(id)
      say({ method: 'notifications/progress', params: { progressToken: 1, progress: 1, _meta } })
      say({ method: 'notifications/message', params: { level: 'info', data: 'on the wrong stream', _meta } })
    }),
  ),
  'listen-refused': kind('-32601', ({ refuse }) => refuse(-32601, 'Method not found', { status: 404 })),
  'listen-limit': kind('-32603, as there are too many', ({ refuse }) => refuse(-32603, 'Subscription limit reached')),
  'listen-flood': kind(
    '1,000 notifications at once',
    after(({ say }, id) => {
      for (let n = 0; n < 1000; n++) say(toolsChanged(id))
    }),
  ),
  'listen-ack-twice': kind(
    'The acknowledgement comes two times, the second with nothing granted',
    after(({ say }, id) =>
      say({
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: {}, _meta: subscription(id) },
      }),
    ),
  ),
} as const satisfies Kinds
