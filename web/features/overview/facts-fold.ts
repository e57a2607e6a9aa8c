/** What the overview shows of a connection beyond what the peer said: which frames it rests on, and its process. */
import { isObject, type Fold, type Frame, type Link, type RequestId, type Seq } from '../../mcp/index.ts'
import { NO_PROCESS, stepProcess, type ProcessFacts } from './process.ts'

export interface Handshake {
  readonly request: Seq
  readonly id: RequestId
  /** ms since the trace began. */
  readonly sentAt: number
  readonly answer?: { readonly seq: Seq; /** ms after the request. */ readonly took: number }
}

export interface Facts {
  readonly initialize?: Handshake
  readonly opened?: { readonly seq: Seq; readonly at: number; readonly transport: string }
  readonly process: ProcessFacts
}

export const NO_FACTS: Facts = { process: NO_PROCESS }

/** A link's Facts are replaced, never changed, so that a reader may compare by identity. */
export const factsFold: Fold<Map<Link, Facts>> = {
  initial: () => new Map(),
  step(state, frame) {
    const before = state.get(frame.link) ?? NO_FACTS
    const after = stepFacts(before, frame)
    if (after === before) return false
    state.set(frame.link, after)
  },
}

const stepFacts = (facts: Facts, frame: Frame): Facts => {
  switch (frame.kind) {
    case 'process': {
      const process = stepProcess(frame.event === 'spawn' && facts.process.exit ? NO_PROCESS : facts.process, frame)
      return process === facts.process ? facts : { ...facts, process }
    }
    case 'session':
      if (frame.phase !== 'open') return facts
      return { ...facts, opened: { seq: frame.seq, at: frame.at, transport: frame.transport } }
    case 'message': {
      const { message } = frame
      if (!isObject(message)) return facts
      if (frame.direction === 'sent' && message.method === 'initialize') {
        return { ...facts, initialize: { request: frame.seq, id: message.id as RequestId, sentAt: frame.at } }
      }
      const { initialize } = facts
      if (!initialize || initialize.answer || frame.direction !== 'received') return facts
      if ('method' in message || message.id !== initialize.id) return facts
      return { ...facts, initialize: { ...initialize, answer: { seq: frame.seq, took: frame.at - initialize.sentAt } } }
    }
    default:
      return facts
  }
}
