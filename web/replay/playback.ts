/**
 * A recording that acts as the server did. It is limited to the recording, and says so: a call that isn't recorded is
 * refused with an explanation, never made up.
 */
import { ErrorCode, idKey, isObject, isRequestId, read, eraOf } from '../mcp/index.ts'
import type { Frame, Json, JsonObject, Link, LoopbackServer, RequestId } from '../mcp/index.ts'
import { fitsMarks, holdsMark } from '../secrets/index.ts'
import { LISTEN, paramsOf, progressToken, renamed, scriptOf } from './playback-script.ts'
import type { RecordedCall, Script, ScriptEvent } from './playback-script.ts'
import { taskIn } from './steps.ts'

export interface PlaybackOptions {
  /** The connection whose server is played. Default: the first one with a request. */
  readonly link?: Link
  /** Use the recorded delays. Default: no delays. */
  readonly delays?: boolean
  /**
   * Respond to a call with other arguments than any recorded one as to the most similar one, and say so in the result's
   * `_meta`. Default: refuse it.
   */
  readonly nearest?: boolean
}

/** How often each call was made: several recorded responses are returned in turn, and the last one from then on. */
export type Turns = Map<string, number>

export interface PlaybackServer extends LoopbackServer {
  readonly script: Script
  /**
   * @param reply `about`: the request that caused it, for transports that need it
   * @param turns of several connections that count as one
   */
  connect(
    reply: (text: string, about?: RequestId) => void,
    turns?: Turns,
  ): { receive(text: string): void; close(): void }
}

/** @param frames a whole trace, in order and without gaps */
export const playbackServer = (
  frames: readonly Frame[],
  { link, delays = false, nearest = false }: PlaybackOptions = {},
): PlaybackServer => {
  const script = scriptOf(frames, link)
  return {
    script,
    connect: (reply, turns = new Map()) => {
      const connection = new Playback(script, { delays, nearest }, turns, reply)
      return { receive: (text) => connection.receive(text), close: () => connection.close() }
    },
  }
}

class Playback {
  readonly #script: Script
  readonly #delays: boolean
  readonly #nearest: boolean
  readonly #turns: Turns
  readonly #reply: (text: string, about?: RequestId) => void
  /** Requests in progress. */
  readonly #running = new Map<string, AbortController>()
  /** Server requests without a response from the client, by ID. */
  readonly #asked = new Map<string, (response: JsonObject) => void>()
  /** The recorded ids of tasks that clients made of requests -> the ids that this client gave them. */
  readonly #tasks = new Map<string, string>()
  #questions = 0
  #closed = false

  constructor(
    script: Script,
    { delays, nearest }: { readonly delays: boolean; readonly nearest: boolean },
    turns: Turns,
    reply: (text: string, about?: RequestId) => void,
  ) {
    this.#script = script
    this.#delays = delays
    this.#nearest = nearest
    this.#turns = turns
    this.#reply = reply
  }

  receive(text: string): void {
    const { message } = read(text)
    if (message === undefined) return this.#refuse(null, ErrorCode.ParseError, 'This is no JSON')
    const parts = Array.isArray(message) ? (message as readonly Json[]) : [message]
    for (const part of parts) {
      if (isObject(part)) this.#part(part)
      else this.#refuse(null, ErrorCode.InvalidRequest, 'A message is an object')
    }
  }

  close(): void {
    this.#closed = true
    for (const controller of this.#running.values()) controller.abort()
    this.#running.clear()
  }

  #part(message: JsonObject): void {
    const { id, method, params } = message
    if (typeof method !== 'string') {
      // Whatever the response is, the recording continues in its own way.
      if (isRequestId(id)) this.#asked.get(idKey(id))?.(message)
      return
    }
    if (!isRequestId(id)) {
      const cancelled = method === 'notifications/cancelled' && isObject(params) ? params.requestId : undefined
      if (isRequestId(cancelled)) this.#running.get(idKey(cancelled))?.abort()
      return
    }
    const found = this.#callFor(method, message)
    if ('result' in found) return this.#post({ id, result: found.result }, id)
    if ('code' in found) return this.#refuse(id, found.code, found.message, found.data)
    const controller = new AbortController()
    this.#running.set(idKey(id), controller)
    const other = isSameCall(found.params, paramsOf(message)) ? undefined : found
    void this.#play(found, id, progressToken(message), controller.signal, other).finally(() => {
      if (this.#running.get(idKey(id)) === controller) this.#running.delete(idKey(id))
    })
  }

  async #play(
    call: RecordedCall,
    id: RequestId,
    token: RequestId | undefined,
    signal: AbortSignal,
    other: RecordedCall | undefined,
  ): Promise<void> {
    let reached = 0
    for (const event of call.events) {
      if (this.#delays) await pause(event.after - reached, signal)
      if (signal.aborted) return
      reached = event.after
      if (event.kind === 'answer') {
        const { result, error } = event.message
        const told = other && isObject(result) ? withOrigin(result, other) : result
        this.#post({ id, ...(error === undefined ? { result: told } : { error }) }, id)
        return
      }
      const message = renamed(event.message, call, { id, token })
      if (event.kind === 'question') {
        await this.#ask(event, id, signal)
        reached = event.answered ?? reached
        // An endless stream only sends its acknowledgement: its other messages were caused by other requests.
      } else if (message && (this.#delays || call.method !== LISTEN || message.method === ACKNOWLEDGED)) {
        this.#send(message, id)
      }
    }
    if (call.ending === 'lost') {
      this.#refuse(id, ErrorCode.InternalError, `The recording holds no answer to this ${call.method}: it was lost`)
    }
    // A request given up in the recording gets no response here either.
  }

  /** @returns once the client has responded, if it did in the recording */
  async #ask(
    { message, answered: at, task }: ScriptEvent & { readonly kind: 'question' },
    about: RequestId,
    signal: AbortSignal,
  ): Promise<void> {
    const id = `playback-${++this.#questions}`
    const answered = new Promise<void>((resolve) => {
      this.#asked.set(idKey(id), ({ result }) => {
        const own = taskIn(result)
        if (task !== undefined && own !== undefined) this.#tasks.set(task, own)
        resolve()
      })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const { params } = message
    const own = isObject(params) && typeof params.taskId === 'string' ? this.#tasks.get(params.taskId) : undefined
    this.#send(
      { ...message, ...(own === undefined ? {} : { params: { ...(params as JsonObject), taskId: own } }), id },
      about,
    )
    if (at !== undefined) await answered
    this.#asked.delete(idKey(id))
  }

  #callFor(method: string, message: JsonObject): RecordedCall | Refused | { readonly result: JsonObject } {
    if (method === 'ping') return { result: {} }
    const calls = this.#script.calls.filter((call) => call.method === method)
    const { revision } = this.#script
    if (method === 'initialize') return this.#handshake(calls, message)
    // A new client starts over.
    if (method === 'server/discover') this.#turns.clear()
    if (calls.length === 0) {
      const held = [...new Set(this.#script.calls.map((call) => call.method))].slice(0, 20)
      const what = `The recording holds no ${method.slice(0, 100)}`
      return { code: ErrorCode.MethodNotFound, message: revision ? `${what}; it holds ${held.join(', ')}` : what }
    }
    const params = paramsOf(message)
    const nearest = nearestOf(calls, params)
    if (!nearest) {
      const about = subjectOf(params) ?? params.cursor
      const what = about === undefined ? 'with these parameters' : `for ${JSON.stringify(about).slice(0, 200)}`
      return { code: ErrorCode.InvalidParams, message: `The recording holds no ${method} ${what}` }
    }
    if (!this.#nearest && !isSameCall(nearest.params, params)) {
      const about = subjectOf(params)
      const of = about === undefined ? '' : ` of ${JSON.stringify(about).slice(0, 200)}`
      const recorded = calls.filter((call) => canonical(subjectOf(call.params) ?? null) === canonical(about ?? null))
      return {
        code: ErrorCode.InvalidParams,
        message: `The recording holds no ${method}${of} with these arguments`,
        data: { recorded: recorded.slice(0, 5).map((call) => argumentsOf(call.params)) },
      }
    }
    const key = keyOf(nearest)
    const like = calls.filter((call) => keyOf(call) === key)
    const turn = this.#turns.get(key) ?? 0
    this.#turns.set(key, turn + 1)
    return like[Math.min(turn, like.length - 1)]!
  }

  /** LC-05: the response at the client's protocol version if there is one, otherwise the last recorded one. */
  #handshake(calls: readonly RecordedCall[], message: JsonObject): RecordedCall | Refused {
    const wanted = paramsOf(message).protocolVersion
    const answers = calls.filter(({ events }) =>
      events.some((each) => each.kind === 'answer' && 'result' in each.message),
    )
    const named = (call: RecordedCall) =>
      call.events.some(({ message: { result } }) => isObject(result) && result.protocolVersion === wanted)
    const call = answers.find(named) ?? answers.at(-1) ?? calls.at(-1)
    if (call) return call
    const supported = this.#script.revision ? [this.#script.revision] : []
    return {
      code: ErrorCode.UnsupportedProtocolVersion,
      message: `The recording holds no handshake; it is of revision ${supported[0] ?? 'unknown'}`,
      data: { supported, requested: typeof wanted === 'string' ? wanted : null },
    }
  }

  #refuse(id: RequestId | null, code: number, message: string, data?: Json): void {
    const error = { code, message, ...(data === undefined ? {} : { data }) }
    this.#post({ id, error }, id ?? undefined)
  }

  #post(message: { readonly [key: string]: Json | undefined }, about?: RequestId): void {
    this.#send({ jsonrpc: '2.0', ...message }, about)
  }

  #send(message: JsonObject, about?: RequestId): void {
    if (!this.#closed) this.#reply(JSON.stringify(message), about)
  }
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

interface Refused {
  readonly code: number
  readonly message: string
  readonly data?: Json
}

const keyOf = ({ method, params }: RecordedCall): string => `${method} ${canonical(params)}`

/** Equal for equal values, whatever the order of their members. */
const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).sort()
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`).join(',')}}`
}

const subjectOf = ({ name, uri, ref, taskId }: JsonObject): Json | undefined => name ?? uri ?? ref ?? taskId

/** What a call asks for, besides the name. */
const argumentsOf = ({ arguments: args, argument, context }: JsonObject): JsonObject => ({
  ...(args === undefined ? {} : { arguments: args }),
  ...(argument === undefined ? {} : { argument }),
  ...(context === undefined ? {} : { context }),
})

/** A redacted value matches any value. */
const isSameCall = (recorded: JsonObject, asked: JsonObject): boolean =>
  fits(argumentsOf({ arguments: {}, ...recorded }), argumentsOf({ arguments: {}, ...asked }))

const fits = (recorded: Json | undefined, asked: Json | undefined): boolean => {
  if (typeof recorded === 'string' && holdsMark(recorded))
    return fitsMarks(recorded, typeof asked === 'string' ? asked : JSON.stringify(asked ?? ''))
  if (isObject(recorded) && isObject(asked)) {
    const keys = Object.keys(recorded)
    return keys.length === Object.keys(asked).length && keys.every((key) => fits(recorded[key], asked[key]))
  }
  if (Array.isArray(recorded) && Array.isArray(asked)) {
    const [one, other] = [recorded as readonly Json[], asked as readonly Json[]]
    return one.length === other.length && one.every((each, at) => fits(each, other[at]))
  }
  return recorded === asked
}

/** META-02: a prefix of our own. */
const ORIGIN = 'mcp-periscope/recorded-call'

/** Says that a result belongs to another call. */
const withOrigin = (result: JsonObject, { params }: RecordedCall): JsonObject => ({
  ...result,
  _meta: { ...(isObject(result._meta) ? result._meta : {}), [ORIGIN]: argumentsOf(params) },
})

/** The same parameters; otherwise those about the same subject with the most in common. */
const nearestOf = (calls: readonly RecordedCall[], params: JsonObject): RecordedCall | undefined => {
  const wanted = canonical(params)
  const exact = calls.find((call) => canonical(call.params) === wanted)
  if (exact) return exact
  const about = (each: JsonObject) => canonical(subjectOf(each) ?? null) + canonical(each.cursor ?? null)
  const round = (each: JsonObject) => canonical(each.requestState ?? null) + String('inputResponses' in each)
  const like = calls.filter((call) => about(call.params) === about(params) && round(call.params) === round(params))
  let best: { readonly call: RecordedCall; readonly score: number } | undefined
  for (const call of like) {
    const score = likeness(call.params, params)
    if (!best || score > best.score) best = { call, score }
  }
  return best?.call
}

/** How many members are equal, counting those of `arguments` separately; members on one side only count against it. */
const likeness = (one: JsonObject, other: JsonObject): number => {
  let score = 0
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [mine, theirs] = [one[key], other[key]]
    if (key === 'arguments' && isObject(mine) && isObject(theirs)) score += likeness(mine, theirs)
    else if (mine === undefined || theirs === undefined) score -= 1
    else if (canonical(mine) === canonical(theirs)) score += 2
  }
  return score
}

/** Resolves after `ms`, or as soon as the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })

/** Whether a recording is stateless. */
export const isStateless = ({ revision }: Script): boolean => revision !== undefined && eraOf(revision) === 'stateless'
