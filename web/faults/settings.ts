/** The faults that a user may choose for a connection, and the bounds of their numbers. They are never stored. */
import type { FaultKind, JsonObject } from '../mcp/index.ts'

/** What happens. */
export type Fault =
  /** A response, or a message on a transport without HTTP, arrives later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** An event stream, or a connection without HTTP, breaks after so many events or messages; any other body in its middle. */
  | { readonly kind: 'cut'; readonly after: number }
  /** A message arrives twice. */
  | { readonly kind: 'duplicate' }
  /** A message arrives after the next one. */
  | { readonly kind: 'reorder' }
  /** One character of a message is replaced, so that it isn't JSON any more. */
  | { readonly kind: 'corrupt' }
  /** A status instead of a response. The server doesn't get the request. */
  | { readonly kind: 'status'; readonly status: number }
  /** A body arrives with so many bytes per second. */
  | { readonly kind: 'slow-body'; readonly rate: number }
  /** Headers get lost on their way, as in a proxy that doesn't know them. */
  | { readonly kind: 'missing-headers'; readonly of: 'request' | 'response'; readonly names: readonly string[] }

/** When it happens: to every nth of what it concerns, or with a probability. */
export interface Occasion {
  /** From 1. */
  readonly every?: number
  /** Above 0, at most 1. */
  readonly chance?: number
  /** It concerns only this method: its requests, responses and notifications. Absent: everything. */
  readonly method?: string
}

export type FaultRule = Fault & Occasion

export interface FaultSettings {
  /** The same seed gives the same faults for the same traffic. */
  readonly seed: number
  readonly faults: readonly FaultRule[]
}

export const FAULT_KINDS: readonly FaultKind[] = [
  'delay',
  'cut',
  'duplicate',
  'reorder',
  'corrupt',
  'status',
  'slow-body',
  'missing-headers',
]

/** Faults of HTTP. Other transports have neither statuses nor headers. */
export const ONLY_HTTP: ReadonlySet<FaultKind> = new Set(['status', 'slow-body', 'missing-headers'])

/** Statuses that gateways, and servers that forgot a session or a token, respond with. */
export const STATUSES = [503, 500, 502, 504, 429, 404, 401] as const

/** Least and most of each number. */
export const FAULT_BOUNDS = {
  ms: [0, 600_000],
  after: [0, 100_000],
  rate: [1, 10_000_000],
  every: [1, 100_000],
  seed: [0, 2 ** 32 - 1],
} as const

/** What a new fault of a kind starts with. */
export const startOf = (kind: FaultKind): FaultRule => {
  switch (kind) {
    case 'delay':
      return { kind, ms: 2000, every: 1 }
    case 'cut':
      return { kind, after: 1, every: 1 }
    case 'status':
      return { kind, status: STATUSES[0], every: 2 }
    case 'slow-body':
      return { kind, rate: 100, every: 1 }
    case 'missing-headers':
      return { kind, of: 'response', names: ['mcp-session-id'], every: 1 }
    case 'duplicate':
    case 'reorder':
    case 'corrupt':
      return { kind, every: 3 }
  }
}

const within = (which: keyof typeof FAULT_BOUNDS, value: number | undefined, otherwise: number): number => {
  const [least, most] = FAULT_BOUNDS[which]
  return value === undefined || !Number.isFinite(value) ? otherwise : Math.min(Math.max(Math.round(value), least), most)
}

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** Header names in a text, in lower case. Others aren't names of headers. */
export const headerNamesIn = (text: string): string[] =>
  [...new Set(text.toLowerCase().split(/[\s,;]+/))].filter((name) => TOKEN.test(name)).slice(0, 50)

const boundFault = (rule: FaultRule): FaultRule | undefined => {
  const { every, chance, method } = rule
  const filter = method?.trim() ? { method: method.trim().slice(0, 200) } : {}
  const often =
    chance !== undefined && chance > 0 ? { chance: Math.min(chance, 1) } : { every: within('every', every, 1) }
  const occasion = { ...often, ...filter }
  switch (rule.kind) {
    case 'delay':
      return { kind: rule.kind, ms: within('ms', rule.ms, 0), ...occasion }
    case 'cut':
      return { kind: rule.kind, after: within('after', rule.after, 0), ...occasion }
    case 'slow-body':
      return { kind: rule.kind, rate: within('rate', rule.rate, 1), ...occasion }
    case 'status':
      return (STATUSES as readonly number[]).includes(rule.status)
        ? { kind: rule.kind, status: rule.status, ...occasion }
        : undefined
    case 'missing-headers': {
      const names = headerNamesIn(rule.names.join(' '))
      return names.length === 0 ? undefined : { kind: rule.kind, of: rule.of, names, ...occasion }
    }
    default:
      return { kind: rule.kind, ...occasion }
  }
}

/** With all numbers within their bounds, and without faults that could never happen. */
export const boundSettings = ({ seed, faults }: FaultSettings): FaultSettings => ({
  seed: within('seed', seed, 1),
  faults: faults.slice(0, 50).flatMap((rule) => boundFault(rule) ?? []),
})

/** For the frame that records them. */
export const faultsAsJson = ({ faults }: FaultSettings): readonly JsonObject[] =>
  faults as readonly unknown[] as JsonObject[]
