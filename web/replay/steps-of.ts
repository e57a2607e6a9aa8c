/**
 * Extracts the steps of a recording: the user's requests, each once, however many rounds, retries and new sessions it
 * took. Automatic messages of the client (handshakes, pings, cancellations, task polling) aren't steps.
 */
import { exchanges, foldAll, isErrorObject, isObject, responseOf } from '../mcp/index.ts'
import type { Exchange, Exchanges, Frame, Json, JsonObject, MessageFrame, Seq } from '../mcp/index.ts'
import { hasSpelling, isRecord, stringify, type ValueObject, readJson } from '../json/index.ts'
import type { Outcome, RecordedAnswer, Step, Taking } from './steps.ts'

/** Requests and notifications that the client sends automatically. */
const BY_ITSELF: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'subscriptions/listen',
  'tasks/get',
  'tasks/result',
  'tasks/update',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
])

/** Members of `_meta` that differ per connection: those of the lifecycle and of tracing. */
const ERA_META = /^(?:progressToken$|io\.modelcontextprotocol\/(?!related-task)|trace(?:parent|state)$|baggage$)/

/** @param frames a whole trace or a part of it, in order and without gaps */
export const stepsOf = (frames: readonly Frame[]): Step[] => {
  const state = foldAll(exchanges, frames)
  const steps: Step[] = []
  const follower = followers(frames)
  const asked = questionsOf(state, frames)
  for (const frame of frames) {
    if (!isStep(frame)) continue
    const step = stepOf(frame, state, frames, follower, asked)
    if (step) steps.push(step)
  }
  return chained(steps)
}

/** Whether a step begins with this frame: the first message that the user sent for it. */
export const isStep = (frame: Frame): frame is MessageFrame => {
  if (frame.kind !== 'message' || frame.direction !== 'sent' || frame.follows !== undefined) return false
  if (frame.byHand) return frame.raw !== undefined || frame.message !== undefined
  const { message } = frame
  return isObject(message) && typeof message.method === 'string' && !BY_ITSELF.has(message.method)
}

/** The frame that continues another one: the next round, or the same call in a new session. */
const followers = (frames: readonly Frame[]): ReadonlyMap<Seq, MessageFrame> => {
  const next = new Map<Seq, MessageFrame>()
  for (const frame of frames)
    if (frame.kind === 'message' && frame.follows !== undefined) next.set(frame.follows, frame)
  return next
}

const stepOf = (
  frame: MessageFrame,
  state: Exchanges,
  frames: readonly Frame[],
  follower: ReadonlyMap<Seq, MessageFrame>,
  asked: ReadonlyMap<Seq, readonly RecordedAnswer[]>,
): Step | undefined => {
  const { seq, at, link, message } = frame
  const common = { id: String(seq), link, seq, at }
  if (frame.byHand) {
    const text = frame.raw ?? (message === undefined ? undefined : JSON.stringify(message))
    if (text === undefined) return undefined
    const method = isObject(message) && typeof message.method === 'string' ? message.method : ''
    return { ...common, kind: 'raw', method, text, ...outcomeFrom([frame], state, frames) }
  }
  if (!isObject(message) || typeof message.method !== 'string') return undefined
  const { method } = message
  const chain = [frame]
  for (let next = follower.get(seq); next && chain.length <= 100; next = follower.get(next.seq)) chain.push(next)
  const answers = [...rounds(chain, state, frames), ...chain.flatMap((each) => asked.get(each.seq) ?? [])]
  return {
    ...common,
    kind: frame.type === 'notification' ? 'notification' : 'request',
    method,
    ...paramsOf(frame, message),
    ...(frame.type === 'notification' ? {} : outcomeFrom(chain, state, frames)),
    ...(answers.length > 0 ? { answers } : {}),
  }
}

/** The parameters as the user entered them. */
const paramsOf = (frame: MessageFrame, message: JsonObject): Pick<Step, 'params' | 'paramsText'> => {
  if (!isObject(message.params)) return {}
  const params = ownParams(message.params)
  if (params === undefined) return {}
  const plain = params as JsonObject
  if (frame.raw === undefined) return { params: plain }
  try {
    const { value } = readJson(frame.raw)
    const spelled = isRecord(value) && isRecord(value.params) ? ownParams(value.params) : undefined
    return spelled && hasSpelling(spelled) ? { params: plain, paramsText: stringify(spelled) } : { params: plain }
  } catch {
    return { params: plain }
  }
}

const ownParams = (params: ValueObject): ValueObject | undefined => {
  const { _meta, ...own } = params
  const meta = isRecord(_meta) ? Object.entries(_meta).filter(([key]) => !ERA_META.test(key)) : []
  const whole = meta.length > 0 ? { ...own, _meta: Object.fromEntries(meta) } : own
  return Object.keys(whole).length > 0 ? whole : undefined
}

const outcomeFrom = (
  chain: readonly MessageFrame[],
  state: Exchanges,
  frames: readonly Frame[],
): { readonly recorded?: Outcome } => {
  const [first, last] = [state.bySeq.get(chain[0]!.seq), state.bySeq.get(chain.at(-1)!.seq)]
  if (!first || last?.endedAt === undefined) return {}
  const took = last.endedAt - first.startedAt
  const answer = last.response === undefined ? undefined : responseOf(last, (seq) => frames[seq])
  if (isObject(answer?.result)) return { recorded: { took, result: answer.result } }
  if (isErrorObject(answer?.error)) return { recorded: { took, error: answer.error } }
  const { status } = last
  if (status === 'cancelled' || status === 'timeout' || status === 'lost') return { recorded: { took, ended: status } }
  return {}
}

/** Input requests in results, with the responses in the next round (MRTR-10). */
const rounds = (chain: readonly MessageFrame[], state: Exchanges, frames: readonly Frame[]): RecordedAnswer[] =>
  chain.slice(1).flatMap((next, at) => {
    const before = state.bySeq.get(chain[at]!.seq)
    const result = before ? responseOf(before, (seq) => frames[seq])?.result : undefined
    const questions = isObject(result) && isObject(result.inputRequests) ? result.inputRequests : {}
    const params = isObject(next.message) && isObject(next.message.params) ? next.message.params : {}
    const responses = isObject(params.inputResponses) ? params.inputResponses : {}
    return Object.entries(questions).flatMap(([key, question]) => {
      if (!isObject(question) || typeof question.method !== 'string') return []
      const answer = Object.hasOwn(responses, key) ? responses[key] : undefined
      const asked = { key, method: question.method, params: isObject(question.params) ? question.params : {} }
      return [isObject(answer) ? { ...asked, result: answer } : asked]
    })
  })

/** Server requests, by the call they belong to. */
const questionsOf = (state: Exchanges, frames: readonly Frame[]): ReadonlyMap<Seq, readonly RecordedAnswer[]> => {
  const byCall = new Map<Seq, RecordedAnswer[]>()
  const sent = state.all.filter(({ direction, method }) => direction === 'sent' && !BY_ITSELF.has(method))
  for (const question of state.all) {
    if (question.direction !== 'received' || question.method === 'ping') continue
    const asking = frames[question.request]
    const call = callOf(question, asking, sent, frames)
    if (!call || asking?.kind !== 'message' || !isObject(asking.message)) continue
    const answer = responseOf(question, (seq) => frames[seq])
    const told = {
      method: question.method,
      params: isObject(asking.message.params) ? asking.message.params : {},
      ...(isObject(answer?.result) ? { result: answer.result } : {}),
      ...(isErrorObject(answer?.error) ? { error: answer.error } : {}),
    }
    const known = byCall.get(call.request)
    if (known) known.push(told)
    else byCall.set(call.request, [told])
  }
  return byCall
}

/** By its stream; otherwise the newest call that was open then. @param sent in order */
export const callOf = (
  question: Exchange,
  asking: Frame | undefined,
  sent: readonly Exchange[],
  frames: readonly Frame[],
): Exchange | undefined => {
  const carrier = asking?.kind === 'message' ? asking.carrier : undefined
  const open = sent.filter(
    ({ link, request, startedAt, endedAt }) =>
      link === question.link &&
      request < question.request &&
      startedAt <= question.startedAt &&
      (endedAt ?? Infinity) >= question.startedAt,
  )
  const carried = (call: Exchange) => {
    const frame = frames[call.request]
    return frame?.kind === 'message' && frame.carrier !== undefined && frame.carrier === carrier
  }
  return open.find(carried) ?? open.at(-1)
}

/** Cursors belong to the server: a cursor that came from a previous page is read from that page's new response. */
const chained = (steps: readonly Step[]): Step[] => {
  const given = new Map<string, number>()
  const chain = [...steps]
  const nameOf = (index: number) => `cursor-${chain[index]!.id}`
  steps.forEach((step, index) => {
    const key = (cursor: Json | undefined) => JSON.stringify([step.link, step.method, cursor])
    const cursor = step.params?.cursor
    const from = typeof cursor === 'string' ? given.get(key(cursor)) : undefined
    if (from !== undefined) {
      const taking: Taking = { name: nameOf(from), pointer: '/nextCursor' }
      chain[from] = { ...chain[from]!, take: [taking] }
      chain[index] = { ...step, params: { ...step.params, cursor: `{{${taking.name}}}` }, templated: true }
    }
    const { recorded } = step
    const next = recorded && 'result' in recorded ? recorded.result.nextCursor : undefined
    if (typeof next === 'string') given.set(key(next), index)
  })
  return chain
}
