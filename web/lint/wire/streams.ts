/** Event streams of Streamable HTTP: what may arrive on which stream, and event IDs. */
import { isObject, type MessageFrame } from '../../mcp/index.ts'
import { isEventStream } from '../observe.ts'
import type { Carrier, Observed, LinkView } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, show, type Say } from '../rule.ts'

const RULES = ['SF-LOG-04', 'TR-HTTP-07', 'TR-HTTP-17', 'TR-HTTP-20', 'TR-HTTP-21'] as const
type Id = (typeof RULES)[number]

/** Event IDs remembered to detect repeated ones. */
const MOST_IDS = 10_000

interface Event {
  readonly root: number
  readonly print: string
  readonly seq: number
}

export const streams = group(RULES, (view) => {
  const seen = new Recent<string, Event>(MOST_IDS)

  /** TR-HTTP-20: an ID may only recur with its own event, when a stream is resumed. */
  const used = (id: string | undefined, carrier: Carrier, print: string, seq: number, say: Say<Id>): void => {
    if (id === undefined || id === '' || view.oldSse) return
    const before = seen.get(id)
    if (!before) return seen.set(id, { root: carrier.root, print, seq })
    if (before.root === carrier.root && before.print === print) return
    const where = before.root === carrier.root ? 'another event of this stream' : 'an event of another stream'
    say('TR-HTTP-20', `The event id ${show(id)} was already used by ${where}`, { related: before.seq })
  }

  /** TR-HTTP-21, once per connection: servers without an event store never do it. */
  const first = (carrier: Carrier, primed: boolean, say: Say<Id>): void => {
    if (carrier.events !== 1 || primed || carrier.purpose === 'resume' || view.oldSse) return
    const what =
      "The stream doesn't begin with an event that has an id and no data, so it can't be resumed from the start"
    say('TR-HTTP-21', what, { related: carrier.seq, once: true })
  }

  return {
    renewed: () => seen.clear(),
    whole(frame, carrier, say) {
      if (!carrier || !isEventStream(carrier)) return
      first(carrier, false, say)
      used(frame.eventId, carrier, printOf(frame), frame.seq, say)
    },
    stream(frame, carrier, say) {
      if (frame.event !== 'data') return
      first(carrier, frame.id !== undefined && frame.data === undefined, say)
      // The transport recognized a repeated event.
      if (!frame.repeated) used(frame.id, carrier, `data ${frame.size}`, frame.seq, say)
    },
    message(heard, say) {
      const { carrier } = heard
      if (!carrier || view.oldSse) return
      if (view.isModern) return modern(heard, carrier, view, say)
      if (heard.kind !== 'answer' || heard.id === undefined || carrier.rootMethod !== 'GET') return
      const what = `The response to ${show(heard.id)} came on a GET stream; expected on the stream of its POST`
      say('TR-HTTP-17', what, { pointer: heard.at || undefined, related: heard.asked?.seq })
    },
  }
})

const printOf = ({ message, type, size }: MessageFrame): string => {
  const { id, method } = isObject(message) ? message : {}
  return `${type} ${size} ${show(id)} ${show(method)}`
}

/**
 * TR-HTTP-07, SF-LOG-04: messages on the response stream of a request must relate to that request, and precede its
 * response.
 */
const modern = (heard: Observed, carrier: Carrier, view: LinkView, say: Say<Id>): void => {
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
    if (!asked.logs) say('SF-LOG-04', 'A log message for a request without a log level', { pointer, related })
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
