/** Makes a kind from a kind of garbage: the session opens correctly, then every response is garbage. */
import { garbageKinds } from '../garbage-kinds.ts'
import { count, type Exchange, type Kind, type Place } from './wire.ts'

const OPENING = ['initialize', 'server/discover']

/** @returns `undefined` for unknown garbage or an unknown setting */
export const garbageKind = (settings: Iterable<readonly [string, string]>): Kind | undefined => {
  const {
    kind = 'all',
    then,
    as,
    era = 'both',
    key: _,
    ...rest
  } = Object.fromEntries(settings) as Record<string, string>
  const known = kind === 'all' || Object.hasOwn(garbageKinds, kind)
  if (!known || !['both', 'handshake', 'modern'].includes(era) || Object.keys(rest).length > 0) return
  return {
    says: `Garbage: ${kind}`,
    speaks: era as Kind['speaks'],
    on: {
      '*': (exchange) => {
        const { id, method, params } = exchange.message
        if (id === undefined || method === undefined || OPENING.includes(method)) return 'well'
        const pieces = garbageKinds[kind === 'all' ? next(exchange.place) : kind]!.make({ id, method, params })
        const alone = pieces.length === 1 && then === undefined && as !== 'sse'
        if (exchange.http && alone) return body(exchange, pieces[0]!)
        for (const piece of pieces) exchange.raw(piece)
        if (then === 'answer') return 'well'
        if (exchange.http) exchange.finish()
      },
    },
  }
}

const next = (place: Place): string => {
  const names = Object.keys(garbageKinds)
  return names[(count(place, 'garbage') - 1) % names.length]!
}

const body = ({ http }: Exchange, piece: string | Uint8Array): void =>
  void http?.response.writeHead(200, { 'Content-Type': 'application/json' }).end(piece)
