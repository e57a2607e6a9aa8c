/** `subscriptions/listen`: acknowledged first, then only the requested notifications, each with its subscription ID. */
import { isRequestId, type Json, type JsonObject, META, type Seq } from '../../mcp/index.ts'
import { objectAt, type TrackedRequest, type Observed, type LinkView } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, show, step, type Say } from '../rule.ts'

const RULES = [
  'META-17', 'SF-LOG-04', 'SF-PROMPT-07', 'SF-RES-09', 'SF-RES-13', 'SF-TOOL-21', 'SUB-02', 'SUB-03', 'SUB-04', 'SUB-05', 'SUB-07', 'SUB-08', 'SUB-10',
] as const // prettier-ignore
type Id = (typeof RULES)[number]

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

/** The member of the filter that requests each notification (SUB-01). */
const WANTED: Readonly<Record<string, string>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
  'notifications/resources/updated': 'resourceSubscriptions',
  'notifications/tasks': 'taskIds',
}

/** The rows of notifications that came although nothing was ever subscribed. */
const UNASKED: Readonly<Record<string, Id>> = {
  'notifications/tools/list_changed': 'SF-TOOL-21',
  'notifications/prompts/list_changed': 'SF-PROMPT-07',
  'notifications/resources/list_changed': 'SF-RES-13',
}

interface Known {
  /** The acknowledgement of each listen request, by its seq. */
  readonly acknowledged: Recent<Seq, Seq>
  /** The newest request that has a response. */
  answeredUpTo: Seq
}

export const subscriptions = group(RULES, (view) => {
  const known: Known = { acknowledged: new Recent(1_000), answeredUpTo: -1 }
  return {
    message(heard, say) {
      if (!view.isModern) return
      if (heard.kind === 'answer') {
        known.answeredUpTo = Math.max(known.answeredUpTo, heard.asked?.seq ?? -1)
        if (heard.method === 'subscriptions/listen') closed(heard, known.acknowledged.get(heard.asked!.seq), say)
      } else if (heard.kind === 'notification') told(heard, view, known, say)
    },
    stream(frame, carrier, say) {
      const [asked] = carrier.asked
      if (frame.event !== 'close' || frame.why !== 'ended' || !view.isModern) return
      if (asked?.method !== 'subscriptions/listen' || asked.state !== 'pending') return
      say('SUB-08', 'The server ended the subscription without a result', { related: asked.seq })
    },
  }
})

const told = (heard: Observed, view: LinkView, known: Known, say: Say<Id>): void => {
  const { method, meta, at, carrier } = heard
  const posted = carrier?.asked[0]
  const listen = posted?.method === 'subscriptions/listen' ? posted : undefined
  const pointer = step(`${at}/params/_meta`, META.subscription)
  const id = meta[META.subscription]
  if (method === 'notifications/progress' || method === 'notifications/message') {
    if (listen || id !== undefined) {
      const rule = method === 'notifications/message' ? 'SF-LOG-04' : 'SUB-10'
      say(rule, `${show(method)} came on a subscription`, { pointer: `${at}/method`, related: listen?.seq })
    }
    return
  }
  if (id === undefined) {
    // A cancellation that ends a subscription names its request (UT-CANC-02).
    if (method === 'notifications/cancelled') return
    // On a shared channel, only the method shows which subscription a notification belongs to (TR-STDIO-12).
    const changes = method === ACKNOWLEDGED || Object.hasOwn(WANTED, method!)
    if (!listen && !carrier && changes && !view.listened && method !== ACKNOWLEDGED) {
      const rule = Object.hasOwn(UNASKED, method!) ? UNASKED[method!]! : 'SUB-04'
      say(rule, `${show(method)}, but the client never sent subscriptions/listen`, { pointer: `${at}/method` })
    } else if (listen || (!carrier && changes)) {
      say('META-17', `${show(method)} doesn't name its subscription`, { pointer, related: listen?.seq })
    }
    if (!listen) return
  }
  const asked = listen ?? view.sent.byId(id)
  if (id !== undefined && (asked?.id !== id || asked.method !== 'subscriptions/listen')) {
    if (asked || !view.sent.forgot) {
      const due = listen ? show(listen.id) : 'that of a subscriptions/listen request'
      say('SUB-05', `subscriptionId must be ${due}; found ${show(id)}${isRequestId(id) ? `, a ${typeof id}` : ''}`, {
        pointer,
        related: asked?.seq,
      })
    }
    if (!listen) return
  }
  if (asked) heardOn(asked, heard, known, say)
}

/** Members and entries of an acknowledgement checked. */
const MOST_GRANTED = 1_000

/** SUB-03: a subset of what was requested; of a list, some of its entries. */
const granted = (filter: JsonObject, given: JsonObject, above: string, related: Seq, say: Say<Id>): void => {
  for (const key of Object.keys(given).slice(0, 100)) {
    const pointer = step(above, key)
    const value = given[key]
    if (!isAsked(filter, key)) {
      // Nothing is granted by `false` or an empty list.
      if (value === false || (Array.isArray(value) && value.length === 0)) continue
      say('SUB-03', `${show(key)} is granted but wasn't requested`, { pointer, related })
      continue
    }
    const wanted = filter[key]
    if (!Array.isArray(value) || !Array.isArray(wanted)) continue
    const known = new Set(wanted as readonly Json[])
    const odd = (value as readonly Json[]).slice(0, MOST_GRANTED).findIndex((each) => !known.has(each))
    if (odd < 0) continue
    const what = `${show(value[odd])} is granted but wasn't requested`
    say('SUB-03', what, { pointer: step(pointer, odd), related })
  }
}

const heardOn = (asked: TrackedRequest, heard: Observed, { acknowledged, answeredUpTo }: Known, say: Say<Id>): void => {
  const { filter = {}, seq: related } = asked
  const { method = '', params, at, frame } = heard
  if (method === ACKNOWLEDGED) {
    acknowledged.set(related, frame.seq)
    granted(filter, objectAt(params, 'notifications') ?? {}, `${at}/params/notifications`, related, say)
    return
  }
  // A cancellation and what was on its way may cross; after another response they have.
  if (asked.cancelledBy !== undefined && asked.cancelledBy < answeredUpTo) {
    say('SUB-07', `${show(method)} came on a subscription that the client ended`, { pointer: `${at}/method`, related })
  }
  if (!acknowledged.has(related)) {
    acknowledged.set(related, frame.seq)
    say('SUB-02', `${show(method)} came before the subscription was acknowledged`, { pointer: `${at}/method`, related })
  }
  const wanted = Object.hasOwn(WANTED, method) ? WANTED[method]! : undefined
  if (wanted === undefined || !isAsked(filter, wanted)) {
    say('SUB-04', `${show(method)} wasn't requested`, { pointer: `${at}/method`, related })
  } else if (method === 'notifications/tasks' && !isNamed(params.taskId, filter.taskIds)) {
    const what = `An update of the task ${show(params.taskId)}, which the subscription doesn't name`
    say('SUB-04', what, { pointer: `${at}/params/taskId`, related })
  } else if (method === 'notifications/resources/updated' && !isWithin(params.uri, filter.resourceSubscriptions)) {
    const what = `An update of ${show(params.uri)}, which the subscription doesn't name`
    say('SF-RES-09', what, { pointer: `${at}/params/uri`, related })
  }
}

/** SF-RES-08: an update may name a part of a subscribed resource. Without a URI, the shape is wrong. */
const isWithin = (uri: Json | undefined, subscribed: Json | undefined): boolean => {
  if (typeof uri !== 'string' || !Array.isArray(subscribed)) return true
  return (subscribed as readonly Json[]).some(
    (each) =>
      typeof each === 'string' &&
      uri.startsWith(each) &&
      (/[/#?:]$/.test(each) || /^([/#?:]|$)/.test(uri.slice(each.length))),
  )
}

const isNamed = (task: Json | undefined, named: Json | undefined): boolean =>
  typeof task !== 'string' || !Array.isArray(named) || (named as readonly Json[]).includes(task)

const isAsked = (filter: JsonObject, key: string): boolean => {
  const value = Object.hasOwn(filter, key) ? filter[key] : undefined
  return Array.isArray(value) ? value.length > 0 : value === true
}

/** The final response of a subscription (SUB-08). */
const closed = ({ result, meta, asked, at }: Observed, acknowledged: Seq | undefined, say: Say<Id>): void => {
  if (!result) return
  const related = asked!.seq
  if (acknowledged === undefined) say('SUB-02', 'The subscription ended before it was acknowledged', { related })
  const id = meta[META.subscription]
  if (id === asked!.id) return
  const pointer = step(`${at}/result/_meta`, META.subscription)
  say('SUB-08', `The result that ends a subscription must name it: ${show(asked!.id)}; found ${show(id)}`, {
    pointer,
    related,
  })
}
