/** Event streams of Streamable HTTP: which messages may arrive on which stream, how streams end, and event IDs. */
import { isObject, type MessageFrame } from '../../mcp/index.ts'
import type { Carrier, LinkView, Observed } from '../link.ts'
import { group, type Say, show } from '../rule.ts'
import { isEventStream } from '../observe.ts'
import { Recent } from '../recent.ts'

const STREAM_RULES = [
  'SF-LOG-03',
  'TR-HTTP-07',
  'TR-HTTP-08',
  'TR-HTTP-14',
  'TR-HTTP-17',
  'TR-HTTP-18',
  'TR-HTTP-20',
  'TR-HTTP-21',
  'TR-HTTP-24',
] as const
type StreamRule = (typeof STREAM_RULES)[number]

/** Event IDs remembered to detect repeated ones. */
const MOST_IDS = 10_000

interface Event {
  readonly root: number
  readonly print: string
  readonly seq: number
}

export const streams = group(STREAM_RULES, (view) => {
  const seen = new Recent<string, Event>(MOST_IDS)

  /** TR-HTTP-20: an ID may only recur with its own event, when a stream is resumed. */
  const used = (id: string | undefined, carrier: Carrier, print: string, seq: number, say: Say<StreamRule>): void => {
    if (id === undefined || id === '' || view.oldSse) return
    const before = seen.get(id)
    if (!before) return seen.set(id, { root: carrier.root, print, seq })
    if (before.root === carrier.root && before.print === print) return
    const where = before.root === carrier.root ? 'another event of this stream' : 'an event of another stream'
    say('TR-HTTP-20', `The event id ${show(id)} was already used by ${where}`, { related: before.seq })
  }

  /** TR-HTTP-21, once per connection: servers without an event store never do it. */
  const first = (carrier: Carrier, primed: boolean, say: Say<StreamRule>): void => {
    if (carrier.events !== 1 || primed || carrier.purpose === 'resume' || view.oldSse) return
    const what =
      "The stream doesn't begin with an event that has an id and no data, so it can't be resumed from the start"
    say('TR-HTTP-21', what, { related: carrier.seq, once: true })
  }

  /** TR-HTTP-08: the stream of a POST ends after its last response. In 2026-07-28 this is TR-HTTP-07. */
  const trailing = ({ method, at }: Observed, carrier: Carrier, say: Say<StreamRule>): void => {
    const isOver = carrier.asked.length > 0 && carrier.asked.every(({ state }) => state === 'answered')
    if (!isOver || !answered.has(carrier.seq) || !isEventStream(carrier)) return
    const what = `${show(method)} came after the response that ends the stream`
    say('TR-HTTP-08', what, { pointer: `${at}/method`, related: carrier.asked[0]!.seq, once: true })
  }

  /** When the response of a request came, by its HTTP exchange. */
  const answered = new Recent<number, number>(MOST_ANSWERS)

  /** TR-HTTP-08: a stream that is still open long after its last response. */
  const lingering = (at: number, carrier: Carrier, say: Say<StreamRule>): void => {
    const last = answered.get(carrier.seq)
    if (last === undefined || !isEventStream(carrier) || carrier.asked.some(({ state }) => state === 'pending')) return
    // A subscription is answered when it ends.
    if (at - last < LINGER || carrier.asked.some(({ filter }) => filter !== undefined)) return
    const what = `The stream stayed open for ${Math.round((at - last) / 1000)} s after the response`
    say('TR-HTTP-08', what, { related: carrier.seq, once: true })
  }

  /** The last notification or request that came on a stream. */
  let latest: Observed | undefined
  /** TR-HTTP-18: the same message at once on a GET stream and another stream. Two calls may log the same. */
  const broadcast = (heard: Observed, carrier: Carrier, say: Say<StreamRule>): void => {
    const before = latest
    latest = heard.kind === 'notification' && heard.frame.size <= LARGEST_COMPARED ? heard : undefined
    if (!latest || before?.frame.size !== heard.frame.size || before.method !== heard.method) return
    if (before.carrier?.root === carrier.root || ![before.carrier?.rootMethod, carrier.rootMethod].includes('GET'))
      return
    if (before.carrier?.over === true) return
    if (JSON.stringify(before.message) !== JSON.stringify(heard.message)) return
    const what = `The same ${show(heard.method)} came on two streams; each message belongs on one`
    say('TR-HTTP-18', what, { related: before.frame.seq, once: true })
  }

  return {
    renewed() {
      seen.clear()
      latest = undefined
    },
    whole(frame, carrier, say) {
      if (!carrier || !isEventStream(carrier)) return
      first(carrier, false, say)
      used(frame.eventId, carrier, printOf(frame), frame.seq, say)
    },
    stream(frame, carrier, say) {
      if (frame.event === 'close' && frame.unfinished && frame.why === 'ended') {
        const what = 'The stream ended before the empty line that completes its last event, so that event is lost'
        say('TR-HTTP-14', what, { related: carrier.seq })
      }
      if (frame.event === 'close' && frame.stray !== undefined && !view.oldSse) {
        say('TR-HTTP-14', `${NO_FIELD}: ${show(frame.stray)}`, { related: carrier.seq })
      }
      if (frame.event === 'comment' && !view.oldSse) lingering(frame.at, carrier, say)
      if (frame.event !== 'data') return
      const { name, data } = frame
      if (!view.oldSse && name !== undefined && name !== 'message' && data !== undefined && IS_MESSAGE.test(data)) {
        const what = `A message came as an event named ${show(name)}, which parsers drop; expected "message"`
        say('TR-HTTP-14', what, { related: carrier.seq, once: true })
      }
      first(carrier, frame.id !== undefined && frame.data === undefined, say)
      // The transport recognized a repeated event.
      if (!frame.repeated) used(frame.id, carrier, `data ${frame.size}`, frame.seq, say)
    },
    http(frame, carrier, say) {
      // The client ended what the server left open.
      if (frame.phase === 'failed' && frame.aborted !== undefined && !view.oldSse) lingering(frame.at, carrier, say)
    },
    completed(frame, carrier, say) {
      lingering(frame.at, carrier, say)
      answered.delete(carrier.seq)
      unresumable(carrier, view, say)
    },
    message(heard, say) {
      const { carrier } = heard
      if (!carrier || view.oldSse) return
      if (!view.isModern && heard.kind !== 'answer') trailing(heard, carrier, say)
      if (!view.isModern && isEventStream(carrier)) broadcast(heard, carrier, say)
      if (heard.kind === 'answer' && carrier.purpose === 'message') answered.set(carrier.seq, heard.frame.at)
      if (view.isModern) return modern(heard, carrier, view, say)
      if (heard.kind !== 'answer' || heard.id === undefined || carrier.rootMethod !== 'GET') return
      const what = `The response to ${show(heard.id)} came on a GET stream; expected on the stream of its POST`
      say('TR-HTTP-17', what, { pointer: heard.at || undefined, related: heard.asked?.seq })
    },
  }
})

/** TR-HTTP-24: a stream that ended before the response, and can't be resumed because none of its events had an ID. */
const unresumable = (carrier: Carrier, view: LinkView, say: Say<StreamRule>): void => {
  const [waits] = carrier.asked.filter(({ state }) => state === 'pending')
  if (
    !waits ||
    carrier.method !== 'POST' ||
    carrier.asked.length > 1 ||
    carrier.withIds ||
    view.isModern ||
    view.oldSse
  )
    return
  if (!view.settled || !isEventStream(carrier) || carrier.response?.status !== 200) return
  const what = `The stream ended without the response to ${show(waits.method)}, and no event id allows resuming it`
  say('TR-HTTP-24', what, { related: waits.seq })
}

export const NO_FIELD = "A line doesn't begin with the name of a field, so parsers drop it"

/** The data of an event that is a message, whatever the event is called. */
const IS_MESSAGE = /^\s*\[?\s*\{\s*"jsonrpc"/

/** Responses whose streams may still be open. */
const MOST_ANSWERS = 1_000
/** UTF-8 bytes of a notification that is compared with the one before. */
const LARGEST_COMPARED = 100_000
/** ms after the last response in which a stream should have ended. */
const LINGER = 5_000

const printOf = ({ message, type, size }: MessageFrame): string => {
  const { id, method } = isObject(message) ? message : {}
  return `${type} ${size} ${show(id)} ${show(method)}`
}

/**
 * TR-HTTP-07, SF-LOG-03: messages on the response stream of a request must relate to that request, and precede its
 * response.
 */
const modern = (heard: Observed, carrier: Carrier, view: LinkView, say: Say<StreamRule>): void => {
  const asked = carrier.asked[0]
  if (!asked || asked.method === 'subscriptions/listen' || heard.kind === 'answer') return
  const { method, params, kind, at } = heard
  const related = asked.seq
  const pointer = `${at}/method`
  if (asked.state === 'answered' && carrier.asked.length === 1) {
    return say('TR-HTTP-07', `${show(method)} came after the response that ends the stream`, { pointer, related })
  }
  if (kind === 'request') {
    return say('TR-HTTP-07', `The request ${show(method)} came in the response to ${show(asked.method)}`, {
      pointer,
      related,
    })
  }
  if (method === 'notifications/message') {
    if (!asked.logs) say('SF-LOG-03', 'A log message for a request without a log level', { pointer, related })
    return
  }
  if (method === 'notifications/progress') {
    const other = view.sent.byToken(params.progressToken)
    if (!other || other === asked) return
    return say('TR-HTTP-07', 'Progress of a request other than the one of this stream', {
      pointer: `${at}/params/progressToken`,
      related: other.seq,
    })
  }
  if (method === 'notifications/cancelled') return
  say('TR-HTTP-07', `${show(method)} isn't related to the request of this stream`, { pointer, related })
}
