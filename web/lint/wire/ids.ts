/** Request IDs and responses: the right sender, one response each, under the same ID. */
import type { Observed, LinkView } from '../link.ts'
import { group, show, type Say } from '../rule.ts'

const RULES = ['BP-04', 'BP-05', 'BP-06', 'BP-10', 'BP-12', 'TR-HTTP-18'] as const
type Id = (typeof RULES)[number]

export const ids = group(RULES, (view) => ({
  message(heard, say) {
    if (heard.kind === 'request') asked(heard, view, say)
    else if (heard.kind === 'answer') answered(heard, view, say)
  },
  byHand({ id }, before, say) {
    if (!before) return
    const related = before.seq
    say('BP-04', `The client already used the id ${show(id)} for another request in this session`, { related })
    if (before.state === 'pending') {
      say('BP-05', `The client used the id ${show(id)} of a pending request`, { related })
    }
  },
}))

const asked = ({ id, method, at, before, frame, carrier }: Observed, view: LinkView, say: Say<Id>): void => {
  const pointer = `${at}/id`
  if (method!.startsWith('notifications/')) {
    say('BP-10', `${show(method)} is a notification but has the id ${show(id)}`, { pointer })
  }
  if (view.isModern)
    say('BP-12', `The server sent the request ${show(method)}; since 2026-07-28, servers can't send requests`)
  if (!before) return
  const related = before.seq
  const elsewhere = carrier && before.carrier && before.carrier.root !== carrier.root
  if (elsewhere && before.method === method && before.seq !== frame.seq) {
    say('TR-HTTP-18', `The request ${show(id)} already came on another stream`, { pointer, related })
  }
  say('BP-04', `The server already used the id ${show(id)} for another request in this session`, { pointer, related })
  if (before.state === 'pending') {
    say('BP-05', `The id ${show(id)} belongs to a pending request`, { pointer, related })
  }
}

const answered = ({ id, at, asked, answer, message, carrier }: Observed, view: LinkView, say: Say<Id>): void => {
  const pointer = `${at}/id`
  if (answer === 'second') {
    const related = asked!.answer
    say('BP-06', `The request ${show(id)} already has a response`, { pointer, related })
    if (carrier && asked!.carrier && asked!.carrier.root !== carrier.root) {
      say('TR-HTTP-18', `The response to ${show(id)} came on two streams`, { pointer, related })
    }
    return
  }
  if (answer !== 'unknown' || id === undefined) {
    // BP-08 allows an error without an ID. Over HTTP, the exchange shows which request it belongs to.
    if (answer === undefined && carrier && carrier.posted > 0 && carrier.asked.length === 0 && 'error' in message) {
      if (carrier.response && carrier.response.status < 300) {
        say('BP-10', 'The POST contains no request but got a response message', { related: carrier.seq })
      }
    }
    return
  }
  const like = view.sent.byLikeId(id)
  if (like) {
    const was = `its request has ${show(like.id)}, a ${typeof like.id}`
    return say('BP-06', `The response has the id ${show(id)}, a ${typeof id}; ${was}`, { pointer, related: like.seq })
  }
  if (!view.sent.forgot) say('BP-06', `No request with the id ${show(id)} was sent`, { pointer })
}
