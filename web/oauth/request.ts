/**
 * The requests of a sign-in: bounded in time and size, each with its frames, its secrets masked, and each judged by
 * itself: where a server lacks CORS headers for one of them, that one alone goes through the local proxy.
 */
import { messageOf, readText, utf8Length, type FrameDraft, type Link, type Seq, type Trace } from '../mcp/index.ts'
import { fault, type Fault } from './fault.ts'
import type { Secrets } from './redact.ts'
import { httpUrl } from './url.ts'

export interface RequestDraft {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

export interface Answer {
  readonly answered: true
  /** The frame of the request. */
  readonly seq: Seq
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly relayed: boolean
}

export interface Unanswered {
  readonly answered: false
  readonly seq: Seq
  readonly fault: Fault
}

export interface WireOptions {
  readonly trace: Trace
  readonly link: Link
  readonly secrets: Secrets
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch | undefined
  /** Through the local proxy, where there is one: taken where a page is not let read an answer. */
  readonly relay?: () => typeof fetch | undefined
  /** ms for a whole answer, and its bytes. */
  readonly limits?: Partial<WireLimits> | undefined
}

interface WireLimits {
  readonly time: number
  readonly size: number
}

const LIMITS: WireLimits = { time: 30_000, size: 1024 * 1024 }

/** A document that leads on more often leads nowhere. */
const MOST_REDIRECTS = 5

export class Wire {
  readonly #options: WireOptions
  readonly #limits: WireLimits
  /** Addresses whose answers the page may not read. */
  readonly #relayed = new Set<string>()
  /** Addresses whose answers it may. */
  readonly #readable = new Set<string>()

  constructor(options: WireOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
  }

  get #relay(): typeof fetch | undefined {
    return this.#options.relay?.()
  }

  /** From now on requests to this address go through the relay. */
  relayFor(url: string): void {
    this.#relayed.add(placeOf(url))
  }

  /** Never throws but for the signal's reason. @param step the frame of the step it is for */
  async send(
    draft: RequestDraft,
    step: Seq | undefined,
    signal: AbortSignal,
    note: { readonly once?: true; readonly follow?: true } = {},
  ): Promise<Answer | Unanswered> {
    if (!httpUrl(draft.url)) {
      const seq = this.#append({ ...this.#head(draft, step, false), headers: [] })
      const why = 'No http or https address'
      this.#append({ kind: 'http', phase: 'failed', request: seq, stage: 'headers', error: why })
      return { answered: false, seq, fault: fault('unsafe-url', why, 'AU-FLOW-12', { url: draft.url.slice(0, 500) }) }
    }
    if (note.once) await this.#lookBefore(draft, step, signal)
    const relay = this.#relay !== undefined && this.#relayed.has(placeOf(draft.url))
    const first = await this.#exchange(draft, step, signal, relay, note.follow === true)
    if (first.answered || relay || !this.#relay || first.fault.code !== 'unreadable') return first
    // What was sent once, and may have arrived, is not sent again behind its user's back.
    if (note.once && isSimple(draft)) return first
    const second = await this.#exchange(draft, step, signal, true, note.follow === true)
    if (second.answered) this.relayFor(draft.url)
    return second
  }

  /**
   * A browser sends a form without asking, and hides the answer afterwards: a code sent that way is used up for nothing.
   * So, where there is another way, a request that can do nothing shows first whether answers can be read.
   */
  async #lookBefore(draft: RequestDraft, step: Seq | undefined, signal: AbortSignal): Promise<void> {
    const place = placeOf(draft.url)
    const known = this.#relayed.has(place) || this.#readable.has(place)
    if (known || !this.#relay || !isSimple(draft) || draft.body === undefined) return
    const form = new URLSearchParams(draft.body)
    const harmless = new URLSearchParams()
    for (const name of ['grant_type', 'client_id']) if (form.has(name)) harmless.set(name, form.get(name)!)
    const look = { ...draft, body: harmless.toString() }
    const seen = await this.#exchange(look, step, signal, false, false)
    if (!seen.answered && seen.fault.code === 'unreadable') this.relayFor(draft.url)
  }

  async #exchange(
    draft: RequestDraft,
    step: Seq | undefined,
    signal: AbortSignal,
    relayed: boolean,
    follow: boolean,
  ): Promise<Answer | Unanswered> {
    let asked = draft
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#once(asked, step, signal, relayed, follow)
      if (!answer.answered || !follow || !relayed || ![301, 302, 303, 307, 308].includes(answer.status)) return answer
      // The relay does not follow; a page does so by itself.
      const location = answer.headers.get('location')
      const next = location !== null && URL.canParse(location, asked.url) ? new URL(location, asked.url) : undefined
      if (!next || !httpUrl(next.href) || redirects >= MOST_REDIRECTS) return answer
      asked = { ...asked, url: next.href }
    }
  }

  async #once(
    draft: RequestDraft,
    step: Seq | undefined,
    signal: AbortSignal,
    relayed: boolean,
    follow: boolean,
  ): Promise<Answer | Unanswered> {
    const { secrets, fetch: direct = fetch } = this.#options
    const head = new Headers(draft.headers.map(([name, value]): [string, string] => [name, value]))
    const seq = this.#append({ ...this.#head(draft, step, relayed), headers: secrets.headers(head) })
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), this.#limits.time)
    const either = AbortSignal.any([signal, limit.signal])
    let stage: 'headers' | 'body' = 'headers'
    try {
      const fetchWith = relayed ? this.#relay! : direct
      const response = await fetchWith(draft.url, {
        method: draft.method,
        headers: head,
        signal: either,
        cache: 'no-store',
        credentials: 'omit',
        // Whoever answers a code or a secret with "ask over there" does not get it sent there.
        redirect: follow ? 'follow' : 'manual',
        ...(draft.body === undefined ? {} : { body: draft.body }),
      })
      this.#append({
        kind: 'http',
        phase: 'response',
        request: seq,
        status: response.status,
        statusText: response.statusText,
        headers: secrets.headers(response.headers),
        ...(response.type === 'cors' ? { crossOrigin: true } : {}),
        ...(response.redirected ? { redirectedTo: secrets.url(response.url) } : {}),
      })
      if (response.type === 'opaqueredirect') return this.#redirected(seq)
      stage = 'body'
      const text = await readText(response.body, this.#limits.size)
      const kept = secrets.text(text, response.headers.get('content-type') ?? undefined)
      const size = utf8Length(text)
      this.#append({ kind: 'http', phase: 'end', request: seq, size, ...(kept === '' ? {} : { body: kept }) })
      if (!relayed) this.#readable.add(placeOf(draft.url))
      const { status, headers } = response
      return { answered: true, seq, url: response.url || draft.url, status, headers, text, relayed }
    } catch (error) {
      const timedOut = limit.signal.aborted
      const gone = signal.aborted
      this.#append({
        kind: 'http',
        phase: 'failed',
        request: seq,
        stage,
        error: messageOf(error),
        ...(gone ? { aborted: 'stopped' } : timedOut ? { aborted: `no whole answer in ${this.#limits.time} ms` } : {}),
      })
      if (gone) throw signal.reason
      return { answered: false, seq, fault: this.#faultOf(error, draft.url, stage, relayed, timedOut) }
    } finally {
      clearTimeout(timer)
    }
  }

  #redirected(seq: Seq): Unanswered {
    this.#append({ kind: 'http', phase: 'end', request: seq, size: 0 })
    const why = 'The answer is a redirect, which a page can neither follow nor see here'
    return { answered: false, seq, fault: fault('redirected', why) }
  }

  #faultOf(error: unknown, url: string, stage: 'headers' | 'body', relayed: boolean, timedOut: boolean): Fault {
    const facts = { url: this.#options.secrets.url(url), error: messageOf(error), relayed }
    if (timedOut) {
      const limit = this.#limits.time
      return fault('timeout', `No whole answer from ${facts.url} within ${limit / 1000} s`, undefined, {
        ...facts,
        limit,
      })
    }
    if (isTooLarge(error)) {
      const limit = this.#limits.size
      return fault('too-large', `The answer from ${facts.url} is over ${limit} bytes`, undefined, { ...facts, limit })
    }
    if (relayed || stage === 'body')
      return fault('unreachable', `No answer could be had from ${facts.url}: ${facts.error}`, undefined, facts)
    return fault('unreadable', `The page got no answer that it may read from ${facts.url}`, undefined, facts)
  }

  #head(draft: RequestDraft, step: Seq | undefined, relayed: boolean): Omit<RequestFrame, 'headers'> {
    const { secrets } = this.#options
    return {
      kind: 'http',
      phase: 'request',
      method: draft.method,
      url: secrets.url(draft.url),
      size: draft.body === undefined ? 0 : utf8Length(draft.body),
      purpose: 'authorization',
      ...(draft.body === undefined ? {} : { body: secrets.text(draft.body, contentTypeOf(draft)) }),
      ...(step === undefined ? {} : { step }),
      ...(relayed ? { relayed: true } : {}),
    }
  }

  #append(draft: DraftWithoutLink): Seq {
    const { trace, link } = this.#options
    return trace.append({ ...draft, link }).seq
  }
}

type DraftWithoutLink = FrameDraft extends infer Draft
  ? Draft extends FrameDraft
    ? Omit<Draft, 'link'>
    : never
  : never

type RequestFrame = Extract<DraftWithoutLink, { kind: 'http'; phase: 'request' }>

const placeOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

const contentTypeOf = ({ headers }: RequestDraft): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]

/** Sent by a browser without a preflight: whether the answer may be read shows when it is too late. */
const isSimple = (draft: RequestDraft): boolean =>
  draft.headers.every(
    ([name, value]) =>
      name.toLowerCase() === 'accept' ||
      (name.toLowerCase() === 'content-type' && /^application\/x-www-form-urlencoded/i.test(value)),
  )

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'details' in error && (error.details as { limit?: unknown }).limit !== undefined

/** A JSON object, or why it is none. */
export const jsonObjectOf = (answer: Answer): { readonly json: Readonly<Record<string, never>> } | Fault => {
  const facts = { url: answer.url, status: answer.status, contentType: answer.headers.get('content-type') ?? '' }
  let value: unknown
  try {
    value = JSON.parse(answer.text)
  } catch {
    const what = /^\s*</.test(answer.text) ? 'HTML or XML' : answer.text.trim() === '' ? 'empty' : 'no JSON'
    return fault('not-json', `The answer from ${answer.url} is ${what}, not JSON`, undefined, { ...facts, what })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault('not-an-object', `The JSON from ${answer.url} is no object`, undefined, facts)
  }
  return { json: value as Readonly<Record<string, never>> }
}
