/**
 * The user's settings for one server's sampling requests: saved responses, a model endpoint, and the rule that responds
 * automatically. Headless, so that requests can be answered without a screen showing them. Saved responses and the
 * endpoint (without its key) survive a reload. The rule and keys end with the page, so that nothing is answered
 * unexpectedly and no key is stored.
 */
import {
  type Json,
  type JsonObject,
  type Link,
  Signal,
  type Trace,
  getOrInsert,
  isObject,
  setBounded,
} from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { Kept, ServerView } from '../feature.ts'
import type { EndpointError } from './endpoint-format.ts'
import type { Endpoint, EndpointKind } from './endpoint.ts'

export type Route = 'page' | 'relay'

export interface EndpointChoice {
  readonly kind: EndpointKind
  readonly base: string
  readonly model: string
  readonly route: Route
}

export interface Rule {
  /** The most responses per minute; further requests go to the user. */
  readonly perMinute: number
  readonly by: { readonly kind: 'saved'; readonly name: string } | { readonly kind: 'endpoint' }
}

/** Why the rule left a request to the user. */
export type HoldReason =
  | { readonly code: 'rate'; readonly perMinute: number }
  | { readonly code: 'breach' }
  | { readonly code: 'rounds'; readonly rounds: number }
  | { readonly code: 'no-saved'; readonly name: string }
  | { readonly code: 'misfit' }
  | { readonly code: 'over-limit' }
  | { readonly code: 'endpoint-unset' }
  | { readonly code: 'failed'; readonly error: EndpointError }

/** How the rule responded to a request, or why it didn't. */
export type AutoResult =
  | { readonly by: 'saved'; readonly name: string }
  | { readonly by: 'endpoint'; readonly model: string }
  | { readonly by: 'nobody'; readonly why: HoldReason }

const ENDPOINT = 'sampling.endpoint'
/** Requests whose result is stored. */
const MAX_AUTO_RESULTS = 200

const NO_ENDPOINT: EndpointChoice = { kind: 'openai', base: '', model: '', route: 'page' }

/** API keys by origin, so that no other origin ever receives one. They end with the page. */
class Keys {
  readonly #byOrigin = new Map<string, string>()

  of(base: string): string {
    const origin = originOf(base)
    return (origin && this.#byOrigin.get(origin)) ?? ''
  }

  set(base: string, key: string): void {
    const origin = originOf(base)
    if (origin === undefined) return
    if (key === '') this.#byOrigin.delete(origin)
    else this.#byOrigin.set(origin, key)
  }
}

const originOf = (base: string): string | undefined => {
  const url = parsedUrl(base)
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

/** The settings of one server, as components read them with `live()`. */
export interface LiveSettings {
  readonly current: SamplingSettings
}

export class SamplingSettings {
  readonly #kept: Kept | undefined
  readonly #keys: Keys
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  readonly #autoResults = new Map<string, AutoResult>()
  #rule: Rule | undefined
  #saved: readonly SavedAnswer[]
  #choice: EndpointChoice
  /** Times of the rule's responses, in ms (`performance.now()`). */
  #answered: readonly number[] = []

  constructor(kept: Kept | undefined, keys: Keys = new Keys()) {
    this.#kept = kept
    this.#keys = keys
    this.#saved = readSaved(kept)
    this.#choice = readChoice(kept)
  }

  /** For `live()`: always the same object, read again after each change. */
  get current(): this {
    return this
  }

  /** Absent: off, which is the default. */
  get rule(): Rule | undefined {
    return this.#rule
  }
  set rule(rule: Rule | undefined) {
    this.#rule = rule
    this.#changed()
  }

  /** Whether a rule is on, with notification of changes. */
  get ruled(): { readonly current: boolean; subscribe(listener: () => void): () => void } {
    const isRuled = () => this.#rule !== undefined
    return {
      get current() {
        return isRuled()
      },
      subscribe: (listener) => this.subscribe(listener),
    }
  }

  get saved(): readonly SavedAnswer[] {
    return this.#saved
  }

  save(answer: SavedAnswer): SaveProblem | undefined {
    const next = withSaved(this.#saved, answer)
    if ('problem' in next) return next.problem
    this.#saved = next.saved
    writeSaved(this.#kept, this.#saved)
    this.#changed()
    return undefined
  }

  forget(name: string): void {
    this.#saved = this.#saved.filter((one) => one.name !== name)
    writeSaved(this.#kept, this.#saved)
    // The rule would have no response to send.
    if (this.#rule?.by.kind === 'saved' && this.#rule.by.name === name) this.#rule = undefined
    this.#changed()
  }

  get choice(): EndpointChoice {
    return this.#choice
  }
  set choice(choice: EndpointChoice) {
    this.#choice = choice
    this.#kept?.set(ENDPOINT, keepable(choice))
    this.#changed()
  }

  get key(): string {
    return this.#keys.of(this.#choice.base)
  }
  set key(key: string) {
    this.#keys.set(this.#choice.base, key.trim())
    this.#changed()
  }

  get endpoint(): Endpoint {
    const { kind, base, model } = this.#choice
    return { kind, base: base.trim(), model: model.trim(), key: this.key }
  }

  autoResultOf(request: string): AutoResult | undefined {
    return this.#autoResults.get(request)
  }

  recordAutoResult(request: string, result: AutoResult): void {
    this.#autoResults.delete(request)
    setBounded(this.#autoResults, request, result, MAX_AUTO_RESULTS)
    this.#changed()
  }

  /** The number of the rule's responses in the minute before `now`. */
  answeredIn(now: number): number {
    return this.#answered.filter((at) => now - at < 60_000).length
  }

  /**
   * Uses up one of the rule's responses per minute.
   * @returns false if none is left
   */
  take(now: number): boolean {
    this.#answered = this.#answered.filter((at) => now - at < 60_000)
    if (!this.#rule || this.#answered.length >= this.#rule.perMinute) return false
    this.#answered = [...this.#answered, now]
    return true
  }

  #changed(): void {
    this.#changes.emit()
  }
}

/** A URL with a query or credentials may contain a secret, so it isn't stored. */
const keepable = ({ kind, base, model, route }: EndpointChoice): Json => {
  const url = parsedUrl(base)
  const plain = url && url.search === '' && url.username === '' && url.password === ''
  return { kind, base: plain ? base.slice(0, 500) : '', model: model.slice(0, 200), road: route }
}

const readChoice = (kept: Kept | undefined): EndpointChoice => {
  const found = kept?.get(ENDPOINT)
  if (!isObject(found)) return NO_ENDPOINT
  const { kind, base, model, road } = found
  return {
    kind: kind === 'anthropic' ? 'anthropic' : 'openai',
    base: typeof base === 'string' ? base : '',
    model: typeof model === 'string' ? model : '',
    route: road === 'relay' ? 'relay' : 'page',
  }
}

interface Page {
  readonly keys: Keys
  readonly links: Map<Link, SamplingSettings>
}

const pages = new WeakMap<Trace, Page>()

/** One SamplingSettings per server. */
export const settingsOf = ({ trace, link, kept }: Pick<ServerView, 'trace' | 'link' | 'kept'>): SamplingSettings => {
  const page = getOrInsert(pages, trace, () => ({ keys: new Keys(), links: new Map<Link, SamplingSettings>() }))
  return getOrInsert(page.links, link, () => new SamplingSettings(kept, page.keys))
}

/** A named response, stored per server: small, not secret, and validated when it is read back. */
export interface SavedAnswer {
  readonly name: string
  readonly result: JsonObject
}

/** Most saved responses, if the storage has room: a response with an image rarely fits. */
export const MOST_SAVED = 20
/** Characters of all saved responses as JSON. The storage of a server holds 20,000. */
export const SAVED_LENGTH = 12_000
const LONGEST_NAME = 60

const SAVED = 'sampling.saved'

export const readSaved = (kept: Kept | undefined): readonly SavedAnswer[] => {
  const found = kept?.get(SAVED)
  if (!Array.isArray(found)) return []
  const names = new Set<string>()
  return found.slice(0, MOST_SAVED).flatMap((item: unknown): SavedAnswer[] => {
    if (!isObject(item) || typeof item.name !== 'string' || !isObject(item.result) || names.has(item.name)) return []
    names.add(item.name)
    return [{ name: item.name.slice(0, LONGEST_NAME), result: item.result }]
  })
}

const writeSaved = (kept: Kept | undefined, saved: readonly SavedAnswer[]): void =>
  kept?.set(SAVED, saved as unknown as Json)

export type SaveProblem = 'no-name' | 'too-many' | 'too-long'

/** Replaces a response with the same name. */
export const withSaved = (
  saved: readonly SavedAnswer[],
  answer: SavedAnswer,
): { readonly saved: readonly SavedAnswer[] } | { readonly problem: SaveProblem } => {
  const name = answer.name.trim().slice(0, LONGEST_NAME)
  if (name === '') return { problem: 'no-name' }
  const next = [...saved.filter((one) => one.name !== name), { name, result: answer.result }]
  if (next.length > MOST_SAVED) return { problem: 'too-many' }
  if (JSON.stringify(next).length > SAVED_LENGTH) return { problem: 'too-long' }
  return { saved: next }
}

/** A name that isn't used yet. */
export const freeName = (saved: readonly SavedAnswer[], base: string): string => {
  const taken = new Set(saved.map(({ name }) => name))
  let number = 1
  while (taken.has(`${base} ${number}`)) number++
  return `${base} ${number}`
}
