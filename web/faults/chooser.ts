/**
 * Decides which faults happen. What does them asks here: `exchange.ts` for HTTP, `line.ts` for all other transports.
 * The decisions depend only on the settings, the seed and the order of the traffic, so a run can be repeated.
 */
import { idKey, isRequestId, messagesIn, read, setBounded, wait } from '../mcp/index.ts'
import type { FaultKind } from '../mcp/index.ts'
import type { FaultRule, FaultSettings } from './settings.ts'

/** Requests whose methods are remembered for their responses. */
const MOST_PENDING = 1000
/** Characters of a message above which its method isn't read: parsing it would take longer than the fault. */
const LONGEST_READ = 1_000_000

/** mulberry32: a small generator whose whole state is one number. @returns from 0 up to, but not including, 1 */
const generator = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One fault, with its own count and its own random numbers: another fault beside it changes nothing about when it happens. */
class Decider {
  readonly rule: FaultRule
  readonly random: () => number
  #count = 0

  constructor(rule: FaultRule, seed: number) {
    this.rule = rule
    this.random = generator(seed)
  }

  concerns(methods: readonly string[]): boolean {
    return this.rule.method === undefined || methods.includes(this.rule.method)
  }

  decides(): boolean {
    this.#count++
    const { every = 1, chance } = this.rule
    return chance === undefined ? this.#count % every === 0 : this.random() < chance
  }
}

/** A fault that happens now, and numbers for what it leaves open. */
export type Chosen<Kind extends FaultKind = FaultKind> = Extract<FaultRule, { kind: Kind }> & {
  readonly random: () => number
}

export class FaultChooser {
  #deciders: readonly Decider[] = []
  #needsMethods = false
  readonly #pending = new Map<string, string>()
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>

  /** @param waiting for tests, which have no time */
  constructor(waiting: FaultChooser['wait'] = wait) {
    this.wait = waiting
  }

  /** From now on. Everything is counted anew. @param settings absent: no faults */
  set(settings: FaultSettings | undefined): void {
    const { seed, faults } = settings ?? { seed: 0, faults: [] }
    this.#deciders = faults.map((rule, at) => new Decider(rule, (seed + Math.imul(at, 0x9e3779b9)) >>> 0))
    this.#needsMethods = faults.some(({ method }) => method !== undefined)
  }

  /** Changes when other faults are set. */
  get run(): unknown {
    return this.#deciders
  }

  get isOn(): boolean {
    return this.#deciders.length > 0
  }

  /** The fault of a kind that happens now to something with these methods, if any. */
  choose<Kind extends FaultKind>(kind: Kind, methods: readonly string[]): Chosen<Kind> | undefined {
    for (const decider of this.#deciders) {
      if (decider.rule.kind !== kind || !decider.concerns(methods) || !decider.decides()) continue
      return { ...decider.rule, random: decider.random } as unknown as Chosen<Kind>
    }
    return undefined
  }

  /** Whether a whole connection is cut. Its fault may concern one method: then only messages of it are counted. */
  chooseForConnection(): Chosen<'cut'> | undefined {
    for (const decider of this.#deciders) {
      if (decider.rule.kind === 'cut' && decider.decides()) return { ...decider.rule, random: decider.random }
    }
    return undefined
  }

  /** Its requests leave: their responses belong to the same methods. @returns the methods */
  sent(text: string): readonly string[] {
    if (!this.#needsMethods || text.length > LONGEST_READ) return []
    return messagesIn(read(text).message).flatMap(({ id, method }) => {
      if (typeof method !== 'string') return []
      if (isRequestId(id)) setBounded(this.#pending, idKey(id), method, MOST_PENDING)
      return [method]
    })
  }

  /** The methods of what arrives; of a response, that of its request. */
  methodsOf(text: string): readonly string[] {
    if (!this.#needsMethods || text.length > LONGEST_READ) return []
    return messagesIn(read(text).message).flatMap(({ id, method }) => {
      if (typeof method === 'string') return [method]
      return isRequestId(id) ? (this.#pending.get(idKey(id)) ?? []) : []
    })
  }
}
