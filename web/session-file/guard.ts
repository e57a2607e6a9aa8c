/**
 * Checks whether a value from a file is a frame that every view can read. A file is untrusted: everything that views
 * rely on is checked here, once; other members are preserved unchanged.
 */
import { isObject } from '../mcp/index.ts'
import type { Frame, Json, JsonObject } from '../mcp/index.ts'

type Guard = (value: Json | undefined) => boolean

const text: Guard = (value) => typeof value === 'string'
const matching =
  (pattern: RegExp): Guard =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const flag: Guard = (value) => value === true
const count: Guard = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0
const seq: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const any: Guard = (value) => value !== undefined
const object: Guard = (value) => isObject(value)
const optional =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || guard(value)
const oneOf = (...texts: readonly string[]): Guard => {
  const known = new Set<Json | undefined>(texts)
  return (value) => known.has(value)
}
const orNull =
  (guard: Guard): Guard =>
  (value) =>
    value === null || guard(value)
const list =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && (value as readonly Json[]).every(guard)
const shape =
  (fields: Readonly<Record<string, Guard>>): Guard =>
  (value) =>
    isObject(value) && faultIn(value, fields) === undefined

/** The first invalid field. */
const faultIn = (value: JsonObject, fields: Readonly<Record<string, Guard>>): string | undefined =>
  Object.keys(fields).find((name) => !fields[name]!(Object.hasOwn(value, name) ? value[name] : undefined))

const headers: Guard = list((entry) => Array.isArray(entry) && entry.length === 2 && entry.every(text))
const finding = shape({
  rule: text,
  keyword: oneOf('MUST', 'SHOULD', 'MAY'),
  explanation: text,
  pointer: optional(text),
})
const findings = optional(list(finding))
const evidence = list(shape({ saw: text }))
const peer = shape({
  era: oneOf('handshake', 'stateless'),
  revision: text,
  info: object,
  capabilities: object,
  instructions: optional(text),
  evidence,
  supported: optional(list(text)),
})
const limits = optional(shape({ idle: orNull(count), total: orNull(count) }))
const fault = shape({ code: text, rule: optional(text), explanation: text, facts: optional(object) })
const check = shape({
  rule: text,
  keyword: oneOf('MUST', 'SHOULD', 'MAY'),
  ok: optional((value) => typeof value === 'boolean'),
  say: text,
  values: optional(object),
})
const flow = { flow: text, findings }
/** For content omitted from the file. */
const omitted = optional(shape({ sha256: text }))

const requestId: Guard = (value) => typeof value === 'string' || Number.isSafeInteger(value)

type Fields = Readonly<Record<string, Guard>>

const MESSAGE: Fields = {
  direction: oneOf('sent', 'received'),
  type: oneOf('request', 'notification', 'result', 'error', 'batch', 'invalid'),
  message: optional(any),
  raw: optional(text),
  size: count,
  carrier: optional(seq),
  eventId: optional(text),
  eventName: optional(text),
  findings,
  limits,
  byHand: optional(flag),
  follows: optional(seq),
  cleared: optional(list(shape({ tool: optional(text), origin: text, policy: text, by: text }))),
  released: optional(object),
  omitted,
}

const HTTP: Readonly<Record<string, Fields>> = {
  request: {
    method: text,
    url: text,
    headers,
    size: count,
    purpose: oneOf('message', 'listen', 'resume', 'end-session', 'authorization', 'diagnosis'),
    origin: optional(seq),
    body: optional(text),
    omitted,
    step: optional(seq),
    mode: optional(oneOf('no-cors')),
    relayed: optional(flag),
    again: optional(seq),
  },
  response: {
    request: seq,
    status: count,
    statusText: text,
    headers,
    redirectedTo: optional(text),
    crossOrigin: optional(flag),
    timings: optional(
      shape({
        protocol: optional(matching(/^[\w./-]{1,20}$/)),
        dns: optional(count),
        connect: count,
        tunnel: optional(count),
        tls: optional(count),
        resumed: optional(flag),
        firstByte: count,
      }),
    ),
    proxy: optional(text),
  },
  queued: { request: seq, open: count },
  end: { request: seq, size: count, body: optional(text), cut: optional(flag), omitted },
  failed: {
    request: seq,
    stage: oneOf('headers', 'body'),
    error: text,
    aborted: optional(text),
    size: optional(count),
  },
}

const STREAM: Readonly<Record<string, Fields>> = {
  open: { request: seq },
  data: {
    request: seq,
    id: optional(text),
    name: optional(text),
    data: optional(text),
    size: count,
    repeated: optional(flag),
    omitted,
  },
  comment: { request: seq, text },
  retry: { request: seq, delay: count },
  resume: { request: seq, lastEventId: optional(text), delay: count, attempt: count, why: text },
  gap: { request: seq, why: text },
  close: {
    request: seq,
    why: oneOf('answered', 'ended', 'broken', 'aborted'),
    unfinished: optional(flag),
    stray: optional(text),
  },
}

const PROCESS: Readonly<Record<string, Fields>> = {
  spawn: { command: text, args: list(text), cwd: optional(text), env: list(text), pid: optional(count) },
  'spawn-failed': { command: text, code: text, explanation: text },
  'stdout-noise': { text, invalidUtf8: optional(flag) },
  'stdout-unfinished': { text, size: count },
  stderr: { text },
  ending: { step: oneOf('stdin-closed', 'SIGTERM', 'SIGKILL') },
  exit: {
    code: orNull((value) => Number.isSafeInteger(value)),
    signal: orNull(text),
    stderr: optional(list(text)),
  },
  lost: { what: text, size: count, requests: optional(list(requestId)) },
}

const TRANSPORT: Readonly<Record<string, Fields>> = {
  opening: { transport: text, url: text, subprotocol: optional(text) },
  opened: { subprotocol: optional(text) },
  refused: { code: text, explanation: text },
  unusable: { what: text, size: count },
  lost: { what: text, size: count, requests: optional(list(requestId)) },
  closing: {},
  closed: { code: optional(count), reason: optional(text), why: optional(text) },
}

const SESSION: Readonly<Record<string, Fields>> = {
  opening: { step: text, limit: orNull(count) },
  open: { peer, transport: text, sessionId: optional(flag) },
  failed: { code: text, explanation: text, details: optional(object), evidence: optional(evidence) },
  closed: { why: text, code: optional(text), details: optional(object) },
  renewing: { why: text },
  restarting: { files: optional(list(text)), count: optional(count) },
  'listening-again': { request: seq, why: text },
  'gave-up': { request: seq, why: oneOf('timeout', 'cancelled', 'lost', 'closed'), explanation: text },
  'held-back': {
    tool: optional(text),
    origin: text,
    policy: text,
    why: oneOf('declined', 'switched-off', 'withdrawn'),
  },
  extended: { request: seq, idle: orNull(count), total: orNull(count) },
  released: { until: seq, size: count },
}

const AUTH: Readonly<Record<string, Fields>> = {
  flow: {
    ...flow,
    grant: text,
    revision: text,
    why: oneOf('asked', 'unauthorized', 'insufficient-scope'),
    steps: list(text),
  },
  step: { ...flow, step: text },
  done: {
    ...flow,
    step: text,
    begun: seq,
    outcome: oneOf('ok', 'forced', 'failed', 'undone'),
    checks: list(check),
    fault: optional(fault),
    learned: object,
  },
  waiting: { ...flow, step: text, begun: seq, fault },
  end: { ...flow, outcome: oneOf('authorized', 'failed', 'cancelled'), fault: optional(fault) },
  credential: { ...flow, what: text, details: object },
}

const FAULT: Readonly<Record<string, Fields>> = {
  on: { seed: count, faults: list(object) },
  off: {},
  injected: {
    fault: text,
    request: optional(seq),
    ms: optional(count),
    after: optional(count),
    status: optional(count),
    rate: optional(count),
    removed: optional(headers),
    of: optional(oneOf('request', 'response')),
    original: optional(text),
    cut: optional(flag),
  },
}

/** By the field that distinguishes the variants of a kind. */
const KINDS: Readonly<
  Record<string, { readonly tag: string; readonly by: Readonly<Record<string, Fields>> } | undefined>
> = {
  http: { tag: 'phase', by: HTTP },
  stream: { tag: 'event', by: STREAM },
  process: { tag: 'event', by: PROCESS },
  transport: { tag: 'event', by: TRANSPORT },
  session: { tag: 'phase', by: SESSION },
  auth: { tag: 'event', by: AUTH },
  fault: { tag: 'event', by: FAULT },
}

/** Why it isn't a frame; `undefined` if it is one. Quotes at most 100 characters of the file. */
export const faultOf = (value: Json): string | undefined => {
  if (!isObject(value)) return "the line isn't a JSON object"
  const { kind } = value
  if (!seq(value.seq)) return 'the frame has no seq'
  if (!count(value.at)) return 'the frame has no time'
  if (!text(value.link)) return 'the frame has no link'
  if (kind === 'message') return named('message', faultIn(value, MESSAGE))
  const known = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!known) return `the frame has an unknown kind: ${shown(kind)}`
  const tag = value[known.tag]
  const fields = typeof tag === 'string' && Object.hasOwn(known.by, tag) ? known.by[tag] : undefined
  if (!fields) return `the ${kind as string} frame has an unknown ${known.tag}: ${shown(tag)}`
  return named(`${kind as string} ${tag as string}`, faultIn(value, fields))
}

/** Call it only if `faultOf` returns `undefined`. */
export const asFrame = (value: Json): Frame => value as unknown as Frame

const named = (what: string, field: string | undefined): string | undefined =>
  field === undefined ? undefined : `the ${what} frame has an invalid ${field}`

const shown = (value: Json | undefined): string => (JSON.stringify(value) ?? 'none').slice(0, 60)
