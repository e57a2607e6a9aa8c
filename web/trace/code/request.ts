/** A request with what is needed to send it again, and what the SDKs make of it. */
import { isList, isRecord, NumberText, type Value, type ValueObject } from '../../json/index.ts'

export interface SentRequest {
  readonly message: ValueObject
  /** The HTTP request that carried it. */
  readonly http?: {
    readonly url: string
    readonly headers: readonly (readonly [string, string])[]
    /** The event stream of HTTP+SSE, which comes first; `url` is valid only as long as it is open. */
    readonly stream?: string
  }
  /** The process that it went to. Names of variables only: their values may be secrets. */
  readonly process?: {
    readonly command: string
    readonly args: readonly string[]
    readonly cwd?: string
    readonly env?: readonly string[] | Readonly<Record<string, string>>
  }
  /** The URL of the WebSocket that it went through. */
  readonly webSocket?: string
  /** The handshake of its connection; absent without one (2026-07-28). */
  readonly initialize?: ValueObject
}

/** Why a program can't do what the page did. */
export type CodeNote =
  /** The SDK doesn't know the protocol version that was used. */
  | 'version'
  /** Numbers that the language can't hold exactly. */
  | 'numbers'
  /** Half of a surrogate pair. */
  | 'strings'
  | 'tasks'
  /** The SDK has no function for the method. */
  | 'method'
  | 'transport'

export interface Code {
  readonly text: string
  readonly notes: readonly CodeNote[]
}

/** A program, or why there is none. */
export type CodeOrNot = Code | { readonly text?: undefined; readonly notes: readonly [CodeNote, ...CodeNote[]] }

/** Headers that the tool that sends the request sets itself. */
export const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'origin', 'user-agent', 'accept-encoding'])

/** Headers that an SDK sets itself. */
const PROTOCOL_HEADER = /^(?:accept|content-type|last-event-id|mcp-.*)$/i

/** The headers that a program gives to its SDK. */
export const ownHeaders = ({ http }: SentRequest): readonly (readonly [string, string])[] =>
  (http?.headers ?? []).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()) && !PROTOCOL_HEADER.test(name))

/** Arguments are repeated in headers, for which an SDK needs the tool's schema. */
export const needsTools = ({ http }: SentRequest): boolean =>
  http?.headers.some(([name]) => /^mcp-param-/i.test(name)) ?? false

/** The variables of the process, whose values are those of variables of the same name unless they are references. */
export const environmentOf = ({ process }: SentRequest): readonly (readonly [name: string, value: string])[] => {
  const env = process?.env ?? []
  return Array.isArray(env)
    ? (env as readonly string[]).map((name) => [name, `\${env:${name}}`] as const)
    : Object.entries(env as Readonly<Record<string, string>>)
}

export const methodOfRequest = ({ message }: SentRequest): string =>
  typeof message.method === 'string' ? message.method : ''

/** Whether the request has no handshake, as since 2026-07-28. */
export const isStateless = ({ message, initialize, http }: SentRequest): boolean => {
  if (initialize) return false
  const { params } = message
  const meta = isRecord(params) ? params._meta : undefined
  if (isRecord(meta) && typeof meta['io.modelcontextprotocol/protocolVersion'] === 'string') return true
  return http?.headers.some(([name, value]) => /^mcp-protocol-version$/i.test(name) && value >= '2026') ?? false
}

/** The parameters without what SDKs add themselves. */
export const paramsOf = ({ message }: SentRequest): ValueObject => {
  const { params } = message
  if (!isRecord(params)) return {}
  const { _meta: meta, ...rest } = params
  const kept = isRecord(meta)
    ? Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/'))
    : []
  return kept.length > 0 ? { ...rest, _meta: Object.fromEntries(kept) } : rest
}

/** It starts a task or asks for one. */
export const usesTasks = (sent: SentRequest): boolean =>
  methodOfRequest(sent).startsWith('tasks/') || paramsOf(sent).task !== undefined

/** Deeper values become JSON within the program: compilers limit how deep theirs may be. */
export const DEEPEST = 60

export const depthOf = (value: Value): number => {
  let depth = 0
  let level: readonly Value[] = [value]
  while (level.length > 0 && depth <= DEEPEST) {
    level = level.flatMap((each) => (isList(each) ? each : isRecord(each) ? Object.values(each) : []))
    depth++
  }
  return depth
}

/** Whether any scalar or key of the value satisfies the test. @param test also gets keys, as strings */
export const someScalar = (value: Value, test: (scalar: Value) => boolean): boolean => {
  const waiting: Value[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isList(next)) for (const each of next) waiting.push(each)
    else if (isRecord(next)) for (const [key, each] of Object.entries(next)) waiting.push(key, each)
    else if (test(next)) return true
  }
  return false
}

/** A number that a double can't hold as it was written, such as 2^53 + 1 or 1e400; -0 and 1.0 are only spellings. */
export const isInexact = (scalar: Value): boolean => {
  if (!(scalar instanceof NumberText)) return false
  const { number, text } = scalar
  if (!Number.isFinite(number)) return true
  if (/^-?\d+$/.test(text)) return BigInt(text) !== BigInt(number)
  // More digits than a double has.
  return (
    text
      .replace(/[eE].*$/, '')
      .replace(/^-?[0.]*|\./g, '')
      .replace(/0+$/, '').length > 17
  )
}
