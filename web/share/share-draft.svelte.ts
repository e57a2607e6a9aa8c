/* eslint-disable svelte/prefer-svelte-reactivity -- sets are replaced whole, never changed */
/** What will be shared, given the user's choices: recomputed in slices after each choice, starting with the newest. */
import { exchanges, foldInSteps, messageOf, nextTask } from '../mcp/index.ts'
import type { Frame, Link, Seq } from '../mcp/index.ts'
import {
  linkOf,
  LONGEST_LINK,
  type ShareLink,
  type Part,
  headOf,
  sessionText,
  type HeadDraft,
} from '../session-file/index.ts'
import { language } from '../ui/index.svelte.ts'
import { exchangeOf, outgoing, type Outgoing } from './outgoing.ts'
import { PageRedaction, type WarmWorker } from './page-redaction.ts'
import type { Redacted } from './redact.ts'
import { DEFAULT_REDACTIONS, type Place, type RedactionRule } from '../secrets/redaction.ts'

/** Size of a file, in characters, that may fit into a link once compressed. */
const MAY_FIT = 100 * LONGEST_LINK

export interface Prepared extends Outgoing {
  readonly pieces: readonly Blob[]
  /** UTF-8 bytes. */
  readonly fileSize: number
  /** Absent: far too large. */
  readonly link?: ShareLink
}

interface SharedExchange {
  readonly method: string
  readonly subject: string | undefined
  /** Both of them. */
  readonly what: string
  /** When it was sent, to the second. */
  readonly time: string
}

export interface ShareSource {
  readonly frames: readonly Frame[]
  readonly head: HeadDraft
  readonly selected: Seq | undefined
  /** What is chosen at first. */
  readonly part?: Part
  readonly link?: Link | undefined
  readonly base: string
  readonly warm?: Promise<WarmWorker> | undefined
}

export class ShareDraft {
  readonly source: ShareSource
  /** The selected exchange; absent until it is found. */
  exchange = $state.raw<SharedExchange>()
  part = $state<Part>('session')
  /** Only this server's frames; absent: those of all servers. */
  link = $state<Link>()
  name = $state('')
  notes = $state('')
  /** Bytes; 0 includes all bodies. */
  omitAbove = $state(0)
  rules = $state.raw<readonly RedactionRule[]>(DEFAULT_REDACTIONS)
  #kept = $state.raw<ReadonlySet<string>>(new Set())
  #harmless = $state.raw<ReadonlySet<string>>(new Set())
  prepared = $state.raw<Prepared>()
  busy = $state(true)
  failure = $state<string>()
  /** From 0 to 1, while a redaction takes noticeably long. */
  progress = $state<number>()
  readonly #redaction: PageRedaction
  #redacted: Redacted | undefined
  #redacting: AbortController | undefined
  #run = 0

  constructor(source: ShareSource) {
    this.source = source
    this.#redaction = new PageRedaction(source.frames, [], source.warm)
    this.part = source.part ?? 'session'
    // With a single server, its frames are all frames, and none needs another number.
    if (source.head.servers.length > 1) this.link = source.link
    this.name = source.head.name ?? ''
    this.notes = source.head.notes ?? ''
    void exchangeAt(source).then((exchange) => (this.exchange = exchange))
  }

  /** The user's own rules. */
  get own(): readonly RedactionRule[] {
    return this.rules.slice(DEFAULT_REDACTIONS.length)
  }
  get putBackCount(): number {
    return this.#kept.size + this.#harmless.size
  }

  putBack({ key }: Place): void {
    this.#kept = new Set([...this.#kept, key])
    this.#redactAgain()
  }
  putBackEverywhere({ value }: Place): void {
    this.#harmless = new Set([...this.#harmless, value])
    this.#redactAgain()
  }
  removeAgain(): void {
    this.#kept = new Set()
    this.#harmless = new Set()
    this.#redactAgain()
  }
  remove({ value }: Place): void {
    this.add({ kind: 'value', value })
  }
  add(rule: OwnRule): void {
    const id = freeId(rule.kind, this.rules)
    this.rules = [...this.rules, { ...rule, id }]
    this.#redactAgain()
  }
  drop(id: string): void {
    this.rules = this.rules.filter((rule) => rule.id !== id)
    this.#redactAgain()
  }
  switch(id: string, on: boolean): void {
    this.rules = this.rules.map((rule) => (rule.id === id ? { ...rule, off: !on } : rule))
    this.#redactAgain()
  }

  #redactAgain(): void {
    this.#redacted = undefined
    void this.#begin()
  }

  /**
   * Call this whenever the part, the server, the name, the notes or the limit change; rule changes call it automatically. The
   * prepared output is outdated from now on, so it can't be shared.
   *
   * @param wait ms, because the user may still be typing
   * @returns a function that cancels it, for the next change
   */
  prepareAfter(wait: number): () => void {
    this.#run++
    this.busy = true
    const timer = setTimeout(() => void this.#begin(), wait)
    return () => clearTimeout(timer)
  }

  async #begin(): Promise<void> {
    const run = ++this.#run
    this.busy = true
    this.#redacting?.abort(new Error('The choices changed'))
    const controller = (this.#redacting = new AbortController())
    try {
      await nextTask()
      const prepared = await this.#prepare(controller.signal)
      if (run !== this.#run) return
      this.prepared = prepared
      this.failure = undefined
    } catch (error) {
      if (run !== this.#run) return
      this.failure = messageOf(error)
    }
    this.busy = false
    this.progress = undefined
  }

  stop(): void {
    this.#run++
    this.#redacting?.abort(new Error('The session is not shared any more'))
    this.#redaction.end()
  }

  async #prepare(signal: AbortSignal): Promise<Prepared> {
    const { head, selected, base } = this.source
    const { part, link: server, omitAbove } = this
    const [name, notes] = [this.name.trim(), this.notes.trim()]
    const { name: _, notes: __, ...rest } = head
    const own = { ...rest, ...(name ? { name } : {}), ...(notes ? { notes } : {}) }
    const onprogress = (done: number, total: number) => (this.progress = done / total)
    const options = { rules: this.rules, kept: this.#kept, harmless: this.#harmless, signal, onprogress }
    const before = this.#redacted
    // Name and notes may also contain a secret. The frames are processed again only if the rules have changed.
    const redacted =
      before && before.head.name === own.name && before.head.notes === own.notes
        ? before
        : await this.#redaction.redact(headOf(own), options)
    signal.throwIfAborted()
    this.#redacted = redacted
    const out = await outgoing(redacted, { part, seq: selected, link: server, omitAbove: omitAbove || undefined })
    signal.throwIfAborted()
    // One blob per piece: a single blob of everything would block the page.
    const pieces: Blob[] = []
    for (const piece of sessionText(out.head, out.frames)) {
      pieces.push(new Blob([piece]))
      await nextTask()
    }
    const fileSize = pieces.reduce((sum, { size }) => sum + size, 0)
    const link = fileSize <= MAY_FIT ? await linkOf(base, out) : undefined
    return { ...out, pieces, fileSize, link }
  }
}

export type OwnRule =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'name'; readonly names: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'pointer'; readonly pointer: string }

const freeId = (kind: string, rules: readonly RedactionRule[]): string => {
  const taken = new Set(rules.map(({ id }) => id))
  let id = `own:${kind}`
  for (let count = 2; taken.has(id); count++) id = `own:${kind}-${count}`
  return id
}

const exchangeAt = async ({ frames, head, selected }: ShareSource): Promise<SharedExchange | undefined> => {
  if (selected === undefined) return undefined
  const exchange = exchangeOf(frames, await foldInSteps(exchanges, frames), selected)
  if (!exchange) return undefined
  const { method, subject, startedAt } = exchange
  const time = new Intl.DateTimeFormat(language.current, { timeStyle: 'medium' })
  const at = new Date(Date.parse(head.begunAt) + startedAt)
  return {
    method,
    subject,
    what: [method, subject].filter(Boolean).join(' '),
    // A file may have any time, also one that no calendar has.
    time: Number.isNaN(at.getTime()) ? '' : time.format(at),
  }
}
