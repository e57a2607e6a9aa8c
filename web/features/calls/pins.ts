/**
 * Pinned calls: a tool, prompt or resource with its arguments, by server, on this device. A pin is made of a call in the
 * trace, through the same redaction as everything that leaves the page: what is removed is left out and has to be
 * entered again. The name of a server is its URL or command line without secrets, as for recent servers.
 */
import { get } from '../../forms/index.ts'
import { isList, isRecord, readExactly, stringify, type Value } from '../../json/index.ts'
import { isObject, Signal, type Frame } from '../../mcp/index.ts'
import { holdsMark } from '../../secrets/index.ts'
import { browserStorage, storedJson, type Store } from '../../ui/index.ts'

export type PinKind = 'tool' | 'prompt' | 'resource'

export interface Pin {
  readonly server: string
  /** As shown when it was pinned. */
  readonly serverName: string
  readonly kind: PinKind
  /** The name of a tool or prompt, or the URI of a resource. */
  readonly name: string
  /** The arguments as JSON, with numbers as they were written. */
  readonly args: string
  /** Places of secrets that were left out: `/token`. */
  readonly dropped: readonly string[]
}

const NAME = 'periscope.pins'
const MOST = 200
/** Maximum characters of the arguments of one call, and of all pins together. */
const LONGEST = 50_000
const LARGEST = 1_000_000
const LONGEST_NAME = 2_000

const KINDS: Readonly<Record<string, readonly [kind: PinKind, name: 'name' | 'uri']>> = {
  'tools/call': ['tool', 'name'],
  'prompts/get': ['prompt', 'name'],
  'resources/read': ['resource', 'uri'],
}

/**
 * @param redacted the frame of the request, after redaction
 * @returns `undefined` if it is no such request, is too large, or its name was redacted
 */
export const pinOf = (redacted: Frame | undefined, server: Pick<Pin, 'server' | 'serverName'>): Pin | undefined => {
  if (redacted?.kind !== 'message' || !isObject(redacted.message)) return undefined
  const { method, params } = redacted.message
  if (typeof method !== 'string' || !Object.hasOwn(KINDS, method) || !isObject(params)) return undefined
  const [kind, key] = KINDS[method]!
  const name = params[key]
  if (typeof name !== 'string' || name.length > LONGEST_NAME || holdsMark(name)) return undefined
  const written =
    redacted.raw === undefined ? params.arguments : get(readExactly(redacted.raw), ['params', 'arguments'])
  const dropped: string[] = []
  const args = stringify(kept(written ?? {}, '', dropped) ?? {})
  return args.length > LONGEST ? undefined : { ...server, kind, name, args, dropped }
}

/** The value without strings from which something was removed. */
const kept = (value: Value, place: string, dropped: string[]): Value | undefined => {
  if (typeof value === 'string' && holdsMark(value)) {
    dropped.push(place)
    return undefined
  }
  if (isList(value)) return value.map((item, at) => kept(item, `${place}/${at}`, dropped) ?? null)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const rest = kept(member, `${place}/${name}`, dropped)
      return rest === undefined ? [] : [[name, rest]]
    }),
  )
}

/** The arguments of a pinned call, to fill in its form. */
export const argumentsOf = ({ args }: Pin): Value => {
  try {
    return readExactly(args)
  } catch {
    return {}
  }
}

export class Pins {
  readonly #store: Store
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe

  constructor(store: Store) {
    this.#store = store
  }

  /** Latest first. Read each time, because another tab may have changed them. */
  get all(): readonly Pin[] {
    const stored = storedJson(this.#store, NAME)
    return (Array.isArray(stored) ? stored : []).flatMap((value: unknown) => pinFrom(value)).slice(0, MOST)
  }

  has(pin: Pin): boolean {
    return this.all.some((other) => isSame(other, pin))
  }

  /** Pins a call; pinned again, it comes first. @returns whether the browser stored it */
  add(pin: Pin): boolean {
    const pins = [pin, ...this.all.filter((other) => !isSame(other, pin))].slice(0, MOST)
    let size = 0
    return this.#write(pins.filter((each) => (size += each.args.length + each.name.length) <= LARGEST))
  }

  remove(pin: Pin): void {
    this.#write(this.all.filter((other) => !isSame(other, pin)))
  }

  #write(pins: readonly Pin[]): boolean {
    const text = JSON.stringify(pins)
    if (pins.length === 0) this.#store.removeItem(NAME)
    else this.#store.setItem(NAME, text)
    this.#changes.emit()
    return pins.length === 0 || this.#store.getItem(NAME) === text
  }
}

const isSame = (one: Pin, other: Pin): boolean =>
  one.server === other.server && one.kind === other.kind && one.name === other.name && one.args === other.args

/** Validated, because other code may have written it. */
const pinFrom = (value: unknown): readonly Pin[] => {
  if (!isObject(value)) return []
  const { server, serverName, kind, name, args, dropped } = value
  const isKind = kind === 'tool' || kind === 'prompt' || kind === 'resource'
  if (!isKind || typeof server !== 'string' || typeof serverName !== 'string') return []
  if (typeof name !== 'string' || name.length > LONGEST_NAME) return []
  if (typeof args !== 'string' || args.length > LONGEST) return []
  const places = (Array.isArray(dropped) ? dropped : []).filter((place) => typeof place === 'string')
  return [{ server, serverName, kind, name, args, dropped: places }]
}

/** The pins of this browser. */
export const pagePins = new Pins(browserStorage('local'))
