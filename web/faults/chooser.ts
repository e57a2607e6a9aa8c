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

const decidersOf = (settings: FaultSettings | undefined): readonly Decider[] => {
  const { seed, faults } = settings ?? { seed: 0, faults: [] }
  return faults.map((rule, at) => new Decider(rule, (seed + Math.imul(at, 0x9e3779b9)) >>> 0))
}

/** All of them count, although only the first one that hits happens. */
const firstOf = (deciders: readonly Decider[]): (FaultRule & Pick<Decider, 'random'>) | undefined => {
  const [first] = deciders.filter((decider) => decider.decides())
  return first && { ...first.rule, random: first.random }
}

export class FaultChooser {
  #settings: FaultSettings | undefined
  #deciders: readonly Decider[] = []
  /** They count connections, so they stay when the next one begins. */
  #ofConnections: readonly Decider[] = []
  #needsMethods = false
  /** Ends the waits of faults that were chosen before. */
  #waits = new AbortController()
  readonly #pending = new Map<string, string>()
  readonly #wait: typeof wait
  /** ms, monotonic. */
  readonly now: () => number

  /** @param waiting and `now`: for tests, which have no time. Resolves when the signal aborts, at the latest */
  constructor(waiting: typeof wait = wait, now = () => performance.now()) {
    this.#wait = waiting
    this.now = now
  }

  /** From now on. Everything is counted anew, and what waits goes on at once. @param settings absent: no faults */
  set(settings: FaultSettings | undefined): void {
    this.#settings = settings
    this.#ofConnections = decidersOf(settings).filter(({ rule }) => rule.kind === 'cut')
    this.#restart()
  }

  /** A new connection begins: everything but the connections is counted anew, so that a run can be repeated. */
  begin(): void {
    this.#pending.clear()
    this.#restart()
  }

  #restart(): void {
    this.#deciders = decidersOf(this.#settings)
    this.#needsMethods = this.#deciders.some(({ rule }) => rule.method !== undefined)
    this.#waits.abort()
    this.#waits = new AbortController()
  }

  /** Resolves after `ms`, or at once when the signal aborts or other faults are set. */
  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    const { signal: ended } = this.#waits
    await this.#wait(ms, signal ? AbortSignal.any([signal, ended]) : ended)
  }

  /** Changes when other faults are set. */
  get run(): unknown {
    return this.#deciders
  }

  get isOn(): boolean {
    return this.#deciders.length > 0
  }

  /**
   * The fault of a kind that happens now to something with these methods, if any.
   * @param suits of the faults of this kind, those that are meant
   */
  choose<Kind extends FaultKind>(
    kind: Kind,
    methods: readonly string[],
    suits: (rule: Extract<FaultRule, { kind: Kind }>) => boolean = () => true,
  ): Chosen<Kind> | undefined {
    return firstOf(
      this.#deciders.filter(
        (decider) =>
          decider.rule.kind === kind &&
          decider.concerns(methods) &&
          suits(decider.rule as Extract<FaultRule, { kind: Kind }>),
      ),
    ) as unknown as Chosen<Kind> | undefined
  }

  /** Whether a whole connection is cut. Its fault may concern one method: then only messages of it are counted. */
  chooseForConnection(): Chosen<'cut'> | undefined {
    return firstOf(this.#ofConnections) as unknown as Chosen<'cut'> | undefined
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
