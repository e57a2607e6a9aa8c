/**
 * How the sampling requests of one server are answered, as far as its user decided it beforehand: saved answers, a model
 * endpoint, and the rule that answers by itself. Headless, so that a question can be answered while no screen shows it.
 *
 * Saved answers and the endpoint without its key outlive a reload. The rule and the keys end with the page: nothing is
 * answered by surprise, and no key is stored.
 */
import { isObject, Signal } from '../../mcp/index.ts'
import type { Json, Link, Trace } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { Kept, ServerView } from '../feature.ts'
import type { EndpointError } from './endpoint-error.ts'
import type { Endpoint, EndpointKind } from './endpoint.ts'
import { readSaved, withSaved, writeSaved, type SavedAnswer, type SaveProblem } from './saved.ts'

export type Route = 'page' | 'relay'

export interface EndpointChoice {
  readonly kind: EndpointKind
  readonly base: string
  readonly model: string
  readonly route: Route
}

export interface Rule {
  /** Answers that it gives in a minute; further questions ask its user. */
  readonly perMinute: number
  readonly by: { readonly kind: 'saved'; readonly name: string } | { readonly kind: 'endpoint' }
}

/** Why the rule left a question to its user. */
export type Held =
  | { readonly code: 'rate'; readonly perMinute: number }
  | { readonly code: 'breach' }
  | { readonly code: 'rounds'; readonly rounds: number }
  | { readonly code: 'no-saved'; readonly name: string }
  | { readonly code: 'misfit' }
  | { readonly code: 'over-limit' }
  | { readonly code: 'endpoint-unset' }
  | { readonly code: 'failed'; readonly error: EndpointError }

/** How a question was answered without being asked for, or why it was not. */
export type Told =
  | { readonly by: 'saved'; readonly name: string }
  | { readonly by: 'endpoint'; readonly model: string }
  | { readonly by: 'nobody'; readonly why: Held }

const ENDPOINT = 'sampling.endpoint'
/** Questions that are remembered with what the rule made of them. */
const MOST_TOLD = 200

const NO_ENDPOINT: EndpointChoice = { kind: 'openai', base: '', model: '', route: 'page' }

/** Keys by the origin they were given for: another address never gets one. They live as long as the page. */
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

export class Standing {
  readonly #kept: Kept | undefined
  readonly #keys: Keys
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  readonly #told = new Map<string, Told>()
  #rule: Rule | undefined
  #saved: readonly SavedAnswer[]
  #choice: EndpointChoice
  /** Of the clock, in ms: when the rule answered. */
  #answered: readonly number[] = []

  constructor(kept: Kept | undefined, keys: Keys = new Keys()) {
    this.#kept = kept
    this.#keys = keys
    this.#saved = readSaved(kept)
    this.#choice = readChoice(kept)
  }

  /** For `live`: it is the same object, and read anew when it has changed. */
  get current(): this {
    return this
  }

  /** Absent: off, as it is until its user turns it on. */
  get rule(): Rule | undefined {
    return this.#rule
  }
  set rule(rule: Rule | undefined) {
    this.#rule = rule
    this.#changed()
  }

  /** Whether there is a rule, and whenever that changes. */
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
    // A rule that answers with it would answer nothing any more.
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

  toldOf(question: string): Told | undefined {
    return this.#told.get(question)
  }

  tell(question: string, told: Told): void {
    this.#told.delete(question)
    this.#told.set(question, told)
    const oldest = this.#told.size > MOST_TOLD ? this.#told.keys().next().value : undefined
    if (oldest !== undefined) this.#told.delete(oldest)
    this.#changed()
  }

  /** Answers of the rule within the minute before `now`. */
  answeredIn(now: number): number {
    return this.#answered.filter((at) => now - at < 60_000).length
  }

  /** Takes one of the answers that the rule may give in a minute; false: there is none left. */
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

/** An address with a query or credentials may hold a secret, and is not stored. */
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
  readonly links: Map<Link, Standing>
}

const pages = new WeakMap<Trace, Page>()

/** There is one for each server of a page, whoever asks first. */
export const standingOf = ({ trace, link, kept }: Pick<ServerView, 'trace' | 'link' | 'kept'>): Standing => {
  let page = pages.get(trace)
  if (!page) pages.set(trace, (page = { keys: new Keys(), links: new Map<Link, Standing>() }))
  let standing = page.links.get(link)
  if (!standing) page.links.set(link, (standing = new Standing(kept, page.keys)))
  return standing
}
