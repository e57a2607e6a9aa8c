/** Message handling for both transports: the kind's handlers first, then the correct behaviour. */
import { answerWell } from './well-kept.ts'
import type { Exchange, Kind } from './wire.ts'

export const handle = (kind: Kind, exchange: Exchange): void | Promise<void> =>
  take(kind, exchange, ['*', exchange.message.method ?? ''])

/** Synchronous unless a handler waits, so that responses over stdio keep the order of the requests. */
const take = (kind: Kind, exchange: Exchange, [method, ...others]: readonly string[]): void | Promise<void> => {
  if (method === undefined) return answerWell(kind, exchange)
  const outcome = kind.on && Object.hasOwn(kind.on, method) ? kind.on[method]?.(exchange) : 'well'
  if (outcome instanceof Promise)
    return outcome.then((late) => (late === 'well' ? take(kind, exchange, others) : undefined))
  if (outcome === 'well') return take(kind, exchange, others)
}

/** Handles messages whose responses are sent together: collects what each would have sent, in order. */
export const collect = async (kind: Kind, exchanges: readonly Exchange[]): Promise<object[]> => {
  const said: object[] = []
  for (const exchange of exchanges) {
    const head = { jsonrpc: '2.0', id: exchange.message.id }
    await handle(kind, {
      ...exchange,
      say: (message) => void said.push({ jsonrpc: '2.0', ...message }),
      answer: (result) => void said.push({ ...head, result }),
      refuse: (code, message, { data } = {}) => void said.push({ ...head, error: { code, message, data } }),
      finish: () => {},
    })
  }
  return said
}

const progress = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'in a batch' } }

/** The arrays to send the responses in. */
export const batches = (kind: Kind, said: readonly object[]): object[][] => {
  if (said.length === 0) return []
  if (kind.batch !== 'parts') return [[progress, ...said]]
  const backwards = [...said].reverse()
  const parts: object[][] = []
  for (let at = 0; at < backwards.length; at += 2) parts.push(backwards.slice(at, at + 2))
  return parts
}
