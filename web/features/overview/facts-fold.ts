/** Facts about a connection beyond those of the peer: the frames they come from, the process, and the number of items. */
import {
  isObject,
  linkFold,
  type Fold,
  type Frame,
  type Json,
  type JsonObject,
  META,
  type RequestId,
  type Seq,
} from '../../mcp/index.ts'
import { listingFold, type Listing, type Listings } from '../lists/index.ts'
import { NO_PROCESS, stepProcess, type ProcessFacts } from './process.ts'

export interface Handshake {
  readonly request: Seq
  readonly id: RequestId
  /** ms since the trace began. */
  readonly sentAt: number
  readonly answer?: { readonly seq: Seq; /** ms after the request. */ readonly took: number }
}

/** The last `server/discover`, and the parts of its response that the kernel doesn't use. */
export interface Discovery extends Handshake {
  /** Extensions that we declared in the request, with their settings. */
  readonly ours: JsonObject
  /** When the response arrived, in ms since the trace began. */
  readonly answeredAt?: number
  /** ms that the response may be cached, as sent by the server and not validated. */
  readonly ttl?: Json
  readonly cacheScope?: Json
}

export interface Facts {
  readonly initialize?: Handshake
  readonly discover?: Discovery
  /** The capabilities that we declared, from the last request that declared them for the whole session. */
  readonly client?: JsonObject
  readonly opened?: { readonly seq: Seq; readonly at: number; readonly transport: string }
  readonly process: ProcessFacts
}

export const NO_FACTS: Facts = { process: NO_PROCESS }

export const factsFold = linkFold(NO_FACTS, (facts, frame) => stepFacts(facts, frame))

const stepFacts = (facts: Facts, frame: Frame): Facts => {
  switch (frame.kind) {
    case 'process': {
      const process = stepProcess(facts.process, frame)
      return process === facts.process ? facts : { ...facts, process }
    }
    case 'session':
      if (frame.phase !== 'open') return facts
      return { ...facts, opened: { seq: frame.seq, at: frame.at, transport: frame.transport } }
    case 'message': {
      const { message } = frame
      if (!isObject(message)) return facts
      return frame.direction === 'sent' ? stepSent(facts, message, frame) : stepReceived(facts, message, frame)
    }
    default:
      return facts
  }
}

const stepSent = (facts: Facts, message: JsonObject, { seq, at }: Frame): Facts => {
  const begun = { request: seq, id: message.id as RequestId, sentAt: at }
  if (message.method === 'initialize') {
    return { ...facts, initialize: begun, client: objectOf(objectOf(message.params).capabilities) }
  }
  if (message.method !== 'server/discover') return facts
  const capabilities = objectOf(objectOf(objectOf(message.params)._meta)[META.capabilities])
  return { ...facts, client: capabilities, discover: { ...begun, ours: objectOf(capabilities.extensions) } }
}

const stepReceived = (facts: Facts, message: JsonObject, { seq, at }: Frame): Facts => {
  if ('method' in message) return facts
  const { initialize, discover } = facts
  if (initialize && !initialize.answer && message.id === initialize.id) {
    return { ...facts, initialize: { ...initialize, answer: { seq, took: at - initialize.sentAt } } }
  }
  if (!discover || discover.answer || message.id !== discover.id) return facts
  const { ttlMs, cacheScope } = objectOf(message.result)
  return {
    ...facts,
    discover: {
      ...discover,
      answer: { seq, took: at - discover.sentAt },
      answeredAt: at,
      ...(ttlMs === undefined ? {} : { ttl: ttlMs }),
      ...(cacheScope === undefined ? {} : { cacheScope }),
    },
  }
}

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export type Counted = 'tools' | 'resources' | 'templates' | 'prompts'

interface CountedList {
  readonly kind: Counted
  /** The tab that lists them. */
  readonly tab: string
  readonly fold: Fold<Listings<true>>
}

const counted = (kind: Counted, tab: string, method: string, member: string): CountedList => {
  const changed = `notifications/${tab}/list_changed`
  return {
    kind,
    tab,
    fold: listingFold<true>({ method, member, changed, itemOf: () => true, nameOf: () => undefined }),
  }
}

/** The lists whose items are counted from the Trace alone, in display order. */
export const COUNTED: readonly CountedList[] = [
  counted('tools', 'tools', 'tools/list', 'tools'),
  counted('resources', 'resources', 'resources/list', 'resources'),
  counted('templates', 'resources', 'resources/templates/list', 'resourceTemplates'),
  counted('prompts', 'prompts', 'prompts/list', 'prompts'),
]

/** `whole`: the complete list was received. `refused`: the server responded with an error, or not with a list. */
export interface Count {
  readonly kind: Counted
  readonly tab: string
  readonly count: number
  readonly state: 'unasked' | 'loading' | 'whole' | 'part' | 'refused'
}

export const countOf = (
  kind: Counted,
  tab: string,
  listing: Pick<Listing<true>, 'state' | 'items' | 'complete' | 'stopped' | 'begun'> | undefined,
): Count => {
  const count = listing?.items.length ?? 0
  const head = { kind, tab, count }
  if (!listing || listing.begun === undefined) return { ...head, state: 'unasked' }
  if (listing.state === 'error') return { ...head, state: count > 0 ? 'part' : 'refused' }
  if (!listing.complete) return { ...head, state: 'loading' }
  return { ...head, state: listing.stopped ? 'part' : 'whole' }
}
