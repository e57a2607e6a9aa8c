/**
 * The requests of a sign-in: limited in time and size, recorded as frames, with secrets masked. Each is routed
 * separately: if a server lacks CORS headers for one of them, only that one goes through the local proxy.
 */
import {
  headerIn,
  isDeep,
  messageOf,
  HttpRecorder,
  readText,
  Tap,
  shallow,
  utf8Length,
  type AuthCheck,
  type HeaderList,
  type Json,
  type Link,
  type Seq,
  type Trace,
} from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { fault, type Fault, httpUrl } from '../model/index.ts'
import type { KnownSecrets } from '../../secrets/capture.ts'
import type { RelayConsent, RelayReason } from './relay-consent.ts'

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
  /** The text with its secrets masked, which may be shown. */
  readonly shown: string
  readonly relayed: boolean
  /** The reason why it was allowed to be relayed. */
  readonly reason?: RelayReason
}

export interface Unanswered {
  readonly answered: false
  readonly seq: Seq
  readonly fault: Fault
  /** The head received before the failure, for callers that don't need the body. */
  readonly head?: Pick<Answer, 'status' | 'headers' | 'relayed'>
}

/** BR-01: records that the proxy sent a request that a browser can't, and why. */
export const noteRelayed = (answer: Answer | Unanswered, check: (check: AuthCheck) => void): void => {
  if (!answer.answered || answer.reason === undefined) return
  const { origin } = new URL(answer.url)
  check({ rule: 'BR-01', keyword: 'MAY', say: 'relayed', values: { origin, reason: answer.reason } })
}

export interface WireOptions {
  readonly trace: Trace
  readonly link: Link
  readonly secrets: KnownSecrets
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch | undefined
  /** The route through the local proxy, if there is one. Used if a page can't read a response and the user agrees. */
  readonly relay?: Relay
  readonly consent: RelayConsent
  /** ms for a complete response, and its maximum size in bytes. */
  readonly limits?: Partial<WireLimits> | undefined
}

/** @param publicOnly reject all addresses that aren't public */
export type Relay = (options: { readonly publicOnly: boolean }) => typeof fetch | undefined

interface Trip {
  /** The frame of the step that the request belongs to. */
  readonly step: Seq | undefined
  readonly signal: AbortSignal
  readonly relayed: boolean
  readonly follow: boolean
}

interface WireLimits {
  readonly time: number
  readonly size: number
}

const LIMITS: WireLimits = { time: 30_000, size: 1024 * 1024 }

/** Maximum number of redirects; more are treated as a failure. */
const MOST_REDIRECTS = 5

export class Wire {
  readonly #options: WireOptions
  readonly #recorder: HttpRecorder
  readonly #limits: WireLimits
  /** URLs whose responses the page can't read. */
  readonly #relayed = new Set<string>()
  /** URLs whose responses the page can read. */
  readonly #readable = new Set<string>()
  /** URLs that were probed, whatever the result. */
  readonly #probed = new Set<string>()
  /** Probes whose responses the page couldn't read. */
  readonly #unreadable = new Map<string, Unanswered>()

  constructor(options: WireOptions) {
    this.#options = options
    this.#recorder = new HttpRecorder(new Tap(options.trace, options.link), options.secrets)
    this.#limits = { ...LIMITS, ...options.limits }
  }

  /** The user has seen this URL and agrees to relay requests to its origin if a page can't send them. */
  agreeToRelay(url: string): void {
    this.#options.consent.agree(url)
    this.#relayed.add(placeOf(url))
  }

  /** The route through the proxy to this URL, if there is one. */
  #relayTo(url: string): typeof fetch | undefined {
    const { relay, consent } = this.#options
    return relay?.({ publicOnly: consent.isPublicOnly(url) })
  }

  /** Only throws the signal's reason. @param step the frame of the step it belongs to */
  async send(
    draft: RequestDraft,
    step: Seq | undefined,
    signal: AbortSignal,
    note: { readonly once?: true; readonly follow?: true } = {},
  ): Promise<Answer | Unanswered> {
    if (!httpUrl(draft.url)) {
      const seq = this.#requested(draft, step, false, [])
      const why = 'Not an http or https URL'
      this.#recorder.failed(seq, 'headers', why)
      return { answered: false, seq, fault: fault('unsafe-url', why, 'AU-FLOW-12', { url: draft.url.slice(0, 500) }) }
    }
    const place = placeOf(draft.url)
    const probe = note.once ? this.probeFor(draft) : undefined
    if (probe) await this.probe(probe, step, signal)
    const reason = this.#relayTo(draft.url) && this.#options.consent.reasonFor(draft.url)
    const unreadable = note.once ? this.#unreadable.get(place) : undefined
    if (unreadable && reason === undefined) {
      // A direct request would lose its response, and relaying wasn't agreed to. The URL may be readable next time.
      this.#unreadable.delete(place)
      this.#probed.delete(place)
      return unreadable
    }
    const relayed = reason !== undefined && (unreadable !== undefined || this.#relayed.has(place))
    const trip = { step, signal, relayed, follow: note.follow === true }
    const first = await this.#exchange(draft, trip)
    if (relayed && first.answered) return { ...first, reason }
    if (first.answered || relayed || reason === undefined || first.fault.code !== 'unreadable') return first
    // A one-time request that may have arrived must not be repeated without the user.
    if (note.once && isSimple(draft.headers)) return first
    const second = await this.#exchange(draft, { ...trip, relayed: true })
    if (!second.answered) return second
    this.#relayed.add(place)
    return { ...second, reason }
  }

  /**
   * A browser sends forms without a preflight and hides the response afterwards, which would waste a code. So if a
   * relay is available, a harmless request first finds out whether responses are readable.
   *
   * @returns the probe that `send` would send before the draft; `undefined` if none is needed
   */
  probeFor(draft: RequestDraft): RequestDraft | undefined {
    const place = placeOf(draft.url)
    const known = this.#relayed.has(place) || this.#readable.has(place) || this.#probed.has(place)
    if (known || draft.body === undefined || !httpUrl(draft.url) || !this.#relayTo(draft.url)) return undefined
    const form = new URLSearchParams(draft.body)
    const harmless = new URLSearchParams()
    for (const name of ['grant_type', 'client_id']) if (form.has(name)) harmless.set(name, form.get(name)!)
    // Only simple headers remain: no proof is used up, and the client isn't authenticated.
    return { ...draft, headers: draft.headers.filter((header) => isSimple([header])), body: harmless.toString() }
  }

  /** Sends a probe, which shows whether its URL is readable or needs the relay. */
  async probe(probe: RequestDraft, step: Seq | undefined, signal: AbortSignal): Promise<void> {
    this.#probed.add(placeOf(probe.url))
    const seen = await this.#exchange(probe, { step, signal, relayed: false, follow: false })
    if (!seen.answered && seen.fault.code === 'unreadable') this.#unreadable.set(placeOf(probe.url), seen)
  }

  async #exchange(draft: RequestDraft, trip: Trip): Promise<Answer | Unanswered> {
    let hop = draft
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#once(hop, trip)
      if (!answer.answered || !trip.relayed) return answer
      // The relay doesn't follow redirects, but a page does.
      const next = redirectOf(answer)
      if (next === undefined) return answer
      if (!trip.follow || redirects >= MOST_REDIRECTS || !sameHost(hop.url, next)) return this.#redirected(answer, next)
      hop = { ...hop, url: next }
    }
  }

  async #once(draft: RequestDraft, { step, signal, relayed, follow }: Trip): Promise<Answer | Unanswered> {
    const { secrets, fetch: direct = fetch } = this.#options
    const head = new Headers(draft.headers.map(([name, value]): [string, string] => [name, value]))
    const seq = this.#requested(draft, step, relayed, secrets.headers(head))
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), this.#limits.time)
    const either = AbortSignal.any([signal, limit.signal])
    let stage: 'headers' | 'body' = 'headers'
    let came: Unanswered['head']
    try {
      const fetchWith = relayed ? this.#relayTo(draft.url)! : direct
      const response = await fetchWith(draft.url, {
        method: draft.method,
        headers: head,
        signal: either,
        cache: 'no-store',
        credentials: 'omit',
        // A code or a secret must not be forwarded to the target of a redirect.
        redirect: follow ? 'follow' : 'manual',
        body: draft.body,
      })
      this.#recorder.response(seq, response)
      if (response.type === 'opaqueredirect') {
        this.#recorder.end(seq, 0)
        return this.#redirected({ seq })
      }
      const { status, headers } = response
      came = { status, headers, relayed }
      stage = 'body'
      const text = await readText(response.body, this.#limits.size)
      const kept = secrets.text(text, response.headers.get('content-type') ?? undefined)
      this.#recorder.end(seq, utf8Length(text), kept)
      if (!relayed) this.#readable.add(placeOf(draft.url))
      const url = response.url || draft.url
      // SEC-10: a redirect must not decide which host is trusted to say where codes are sent.
      if (!sameHost(draft.url, url)) return this.#redirected({ seq }, url)
      const answer: Answer = { answered: true, seq, url, status, headers, text, shown: kept, relayed }
      const next = follow || relayed ? undefined : redirectOf(answer)
      return next === undefined ? answer : this.#redirected(answer, next)
    } catch (error) {
      const timedOut = limit.signal.aborted
      const gone = signal.aborted
      const aborted = gone ? 'stopped' : timedOut ? `no complete response within ${this.#limits.time} ms` : undefined
      this.#recorder.failed(seq, stage, messageOf(error), { aborted })
      if (gone) throw signal.reason
      const why = this.#faultOf(error, draft.url, stage, relayed, timedOut)
      return { answered: false, seq, fault: why, head: came }
    } finally {
      clearTimeout(timer)
    }
  }

  /** @param to target of the redirect, which a page can't always see */
  #redirected(from: Pick<Answer, 'seq'> & Partial<Answer>, to?: string): Unanswered {
    const { seq, status, headers, relayed = false } = from
    const head = status === undefined || !headers ? {} : { head: { status, headers, relayed } }
    if (to === undefined) {
      const why = "The response is a redirect, which pages can't see or follow here"
      return { answered: false, seq, fault: fault('redirected', why, 'SEC-10'), ...head }
    }
    const location = this.#options.secrets.url(to).slice(0, 500)
    const facts = { location, ...(status === undefined ? {} : { status }) }
    return {
      answered: false,
      seq,
      fault: fault('redirected', `The response redirects to ${location}. Periscope doesn't follow it`, 'SEC-10', facts),
      ...head,
    }
  }

  #faultOf(error: unknown, url: string, stage: 'headers' | 'body', relayed: boolean, timedOut: boolean): Fault {
    const facts = { url: this.#options.secrets.url(url), error: messageOf(error), relayed }
    if (timedOut) {
      const limit = this.#limits.time
      const rule = stage === 'body' ? 'UT-TIME-04' : 'UT-TIME-01'
      return fault('timeout', `No complete response from ${facts.url} within ${limit / 1000} s`, rule, {
        ...facts,
        limit,
      })
    }
    if (isTooLarge(error)) {
      const limit = this.#limits.size
      return fault('too-large', `The response from ${facts.url} exceeds ${limit} bytes`, 'SEC-03', { ...facts, limit })
    }
    if (relayed && isNotPublic(error)) {
      const why = `${facts.url} isn't a public address, but a server on the internet named it`
      return fault('unsafe-url', why, 'AU-ASM-07', { ...facts, private: true })
    }
    if (relayed || stage === 'body')
      return fault('unreachable', `No response from ${facts.url}: ${facts.error}`, 'BR-06', facts)
    return fault(
      'unreadable',
      `The browser doesn't allow this page to read the response from ${facts.url}`,
      'BR-01',
      facts,
    )
  }

  #requested(draft: RequestDraft, step: Seq | undefined, relayed: boolean, headers: HeaderList): Seq {
    const { secrets } = this.#options
    return this.#recorder.request({
      method: draft.method,
      url: secrets.url(draft.url),
      size: draft.body === undefined ? 0 : utf8Length(draft.body),
      purpose: 'authorization',
      body: draft.body === undefined ? undefined : secrets.text(draft.body, headerIn(draft.headers, 'content-type')),
      step,
      relayed: relayed || undefined,
      headers,
    })
  }
}

const placeOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** A browser sends it without a preflight, so it is only known afterwards whether the response is readable. */
const isSimple = (headers: RequestDraft['headers']): boolean =>
  headers.every(
    ([name, value]) =>
      name.toLowerCase() === 'accept' ||
      (name.toLowerCase() === 'content-type' && /^application\/x-www-form-urlencoded/i.test(value)),
  )

/** The proxy found that a name resolves to an address that isn't public. */
const isNotPublic = (error: unknown): boolean =>
  error instanceof Error && 'details' in error && (error.details as { relayCode?: unknown }).relayCode === 'not-public'

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'details' in error && (error.details as { limit?: unknown }).limit !== undefined

/** The target of a redirect, if the response is one. */
const redirectOf = ({ status, headers, url }: Answer): string | undefined => {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
  return location === null ? undefined : parsedUrl(location, url)?.href
}

/** The same origin, or the same host with https instead of http. */
const sameHost = (from: string, to: string): boolean => {
  const [a, b] = [new URL(from), new URL(to)]
  return a.origin === b.origin || (a.hostname === b.hostname && a.protocol === 'http:' && b.protocol === 'https:')
}

/**
 * Parses a response as a JSON object, or returns a fault. Nesting is limited; the Trace has the complete text.
 * @param rule that requires an object
 */
export const jsonObjectOf = (
  answer: Answer,
  rule?: string,
): { readonly json: Readonly<Record<string, never>> } | Fault => {
  const facts = { url: answer.url, status: answer.status, contentType: answer.headers.get('content-type') ?? '' }
  // RFC 8259 section 8.1: parsers may ignore a byte order mark.
  const text = answer.text.replace(/^\uFEFF/, '')
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    const what = /^\s*</.test(text) ? 'HTML or XML' : text.trim() === '' ? 'empty' : 'malformed'
    return fault('not-json', `The response from ${answer.url} is ${what}, not JSON`, rule, { ...facts, what })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault('not-an-object', `The JSON from ${answer.url} isn't an object`, rule, facts)
  }
  return { json: (isDeep(text) ? shallow(value) : value) as Readonly<Record<string, never>> }
}
