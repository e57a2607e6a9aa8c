/**
 * The stateless lifecycle: no handshake and no session. Each request carries its protocol version, the client's
 * identity and its capabilities.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
import { ProtocolError, TransportError } from '../errors.ts'
import type { Evidence, Json, JsonObject, Peer } from '../frame.ts'
import { ErrorCode, isObject } from '../jsonrpc.ts'
import { eraOf, isRevision, type Revision, REVISIONS } from '../revision.ts'
import {
  type CallIntent,
  type Encoded,
  type Era,
  type Hello,
  type Outcome,
  peerOf,
  type Port,
  type Wants,
} from './era.ts'
import { META, TASKS_EXTENSION } from '../meta-keys.ts'
import { standardHeaders } from './standard-headers.ts'
import { headerPlan, type HeaderPlan, paramHeaders } from './param-headers.ts'

/** MRTR-01: the methods whose result may request input. */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read'])
/** Tools whose annotations are remembered; beyond this, the oldest are dropped. */
const TOOLS_KEPT = 10_000
/** Pages of tools to read in order to correct a call whose headers were refused. */
const MOST_PAGES = 100

interface StatelessOptions extends Hello {
  /** Whether requests have headers at all (TR-STDIO-15). */
  readonly withHeaders: boolean
  /** ms that `server/discover` may take. */
  readonly patience: number
}

export class StatelessEra implements Era {
  readonly id = 'stateless'
  readonly answersRequests = false
  readonly closingCancels = true
  readonly #options: StatelessOptions
  readonly #plans = new Map<string, HeaderPlan>()

  constructor(options: StatelessOptions) {
    this.#options = options
  }

  /**
   * Sends `server/discover` (VN-20). The versions in its result decide, not the success.
   * @throws {TransportError} `unsupported-revision`; @throws {ProtocolError} the server's error
   */
  async open(port: Port, evidence: Evidence[]): Promise<Peer> {
    let result: JsonObject
    try {
      result = await port.call('server/discover', {}, { idle: this.#options.patience })
    } catch (error) {
      if (isNoSuchMethod(error)) return this.#undiscovered(evidence, error)
      throw error
    }
    return this.accept(result, evidence)
  }

  /**
   * Reads a `DiscoverResult` (VN-04).
   * @throws {TransportError} `unsupported-revision` if it doesn't include our version; `bad-handshake` if it isn't a
   * valid result
   */
  accept(result: JsonObject, evidence: Evidence[], outcome: 'answered' | 'answered-late' = 'answered'): Peer {
    const { offer, pinned } = this.#options
    const supported = textsOf(result.supportedVersions)
    if (supported === undefined && !pinned) {
      evidence.push({ saw: 'probe', revision: offer, outcome: 'unusable' })
      throw new TransportError('bad-handshake', 'The response to server/discover has no supportedVersions', {})
    }
    evidence.push({ saw: 'probe', revision: offer, outcome, ...(supported ? { facts: { supported } } : {}) })
    if (supported && !supported.includes(offer)) throw unsupported(offer, supported)
    return { ...peerOf(offer, result, [...evidence]), ...(supported ? { supported } : {}) }
  }

  /** VN-05, VN-25: a stateless server that doesn't declare its capabilities. Everything may still be requested. */
  #undiscovered(evidence: Evidence[], { code, message, status }: ProtocolError): Peer {
    const facts = { code, message: message.slice(0, 300), ...(status === undefined ? {} : { status }) }
    evidence.push({ saw: 'probe', revision: this.#options.offer, outcome: 'no-such-method', facts })
    return peerOf(this.#options.offer, {}, [...evidence])
  }

  /**
   * META-10 … META-12: every request carries all of it. The caller's own values win: an inspector must be able to send
   * them.
   */
  encode({ id, method, params, progress }: CallIntent): Encoded {
    const { offer, clientInfo, capabilities, traceContext } = this.#options
    const written = isObject(params?._meta) ? params._meta : {}
    const meta: JsonObject = {
      [META.version]: offer,
      [META.clientInfo]: clientInfo,
      [META.capabilities]: capabilities(offer),
      ...(progress ? { progressToken: id } : {}),
      ...(traceContext ? { traceparent: newTraceparent() } : {}),
      ...written,
    }
    const message: JsonObject = { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }
    if (!this.#options.withHeaders) return { message }
    const plan = method === 'tools/call' ? this.#planOf(params) : undefined
    const mirrored = plan ? paramHeaders(plan, params?.arguments) : {}
    return { message, headers: { ...standardHeaders(message), ...mirrored } }
  }

  /** TR-HDR-11: no headers are required for notifications; sending the same ones is harmless. */
  note(method: string, params: JsonObject | undefined): Encoded {
    const message: JsonObject = { jsonrpc: '2.0', method, ...(params ? { params } : {}) }
    if (!this.#options.withHeaders) return { message }
    return { message, headers: { 'mcp-protocol-version': this.#options.offer, ...standardHeaders(message) } }
  }

  decode(method: string, result: Json): Outcome {
    if (!isObject(result)) return { kind: 'invalid', issues: ['result is not an object'] }
    if (method === 'tools/list') this.#remember(result)
    const { resultType } = result
    // BP-41: older servers omit it.
    if (resultType === undefined || resultType === 'complete') return { kind: 'complete', result }
    if (resultType === 'task' && method === 'tools/call' && this.#declares(TASKS_EXTENSION))
      return { kind: 'complete', result }
    // TEXT-12: the extension's own examples have `task` here.
    if (resultType === 'task' && method.startsWith('tasks/')) return { kind: 'complete', result }
    if (resultType !== 'input_required') {
      return {
        kind: 'invalid',
        issues: [`resultType ${JSON.stringify(resultType).slice(0, 60)} is none of this method`],
      }
    }
    if (!MAY_ASK.has(method)) return { kind: 'invalid', issues: [`${method} may not ask for input (MRTR-01)`] }
    const { inputRequests, requestState } = result
    if (inputRequests === undefined && requestState === undefined) {
      return { kind: 'invalid', issues: ['input_required without inputRequests and requestState (MRTR-08)'] }
    }
    if (inputRequests !== undefined && !isObject(inputRequests)) {
      return { kind: 'invalid', issues: ['inputRequests is not an object'] }
    }
    return {
      kind: 'asked',
      questions: inputRequests ?? {},
      ...(requestState === undefined ? {} : { state: requestState }),
    }
  }

  wants({ capabilities }: Peer): Wants | undefined {
    const wants: Record<string, Json> = {}
    for (const [name, flag] of LISTS) {
      const capability = capabilities[name]
      if (isObject(capability) && capability.listChanged === true) wants[flag] = true
    }
    return Object.keys(wants).length > 0 ? wants : undefined
  }

  /** TR-XH-08: the headers were based on an outdated tool list; read it again and retry. */
  async recover(port: Port, call: CallIntent, error: unknown): Promise<boolean> {
    if (!(error instanceof ProtocolError) || error.code !== ErrorCode.HeaderMismatch || call.method !== 'tools/call') {
      return false
    }
    const before = this.#annotations(call)
    try {
      let cursor: Json | undefined
      for (let page = 0; page < MOST_PAGES; page++) {
        const result = await port.call('tools/list', cursor === undefined ? {} : { cursor })
        const next = result.nextCursor
        if (typeof next !== 'string' || next === cursor) break
        cursor = next
      }
    } catch {
      return false
    }
    return this.#annotations(call) !== before
  }

  #annotations({ params }: CallIntent): string {
    return JSON.stringify(this.#planOf(params)?.headers ?? [])
  }

  #planOf(params: JsonObject | undefined): HeaderPlan | undefined {
    return typeof params?.name === 'string' ? this.#plans.get(params.name) : undefined
  }

  #declares(extension: string): boolean {
    const { extensions } = this.#options.capabilities(this.#options.offer)
    return isObject(extensions) && extension in extensions
  }

  #remember({ tools }: JsonObject): void {
    if (!this.#options.withHeaders || !Array.isArray(tools)) return
    for (const tool of tools as readonly Json[]) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue
      this.#plans.delete(tool.name)
      this.#plans.set(tool.name, headerPlan(tool.inputSchema))
      if (this.#plans.size > TOOLS_KEPT) this.#plans.delete(this.#plans.keys().next().value!)
    }
  }
}

const LISTS = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
] as const

const isNoSuchMethod = (error: unknown): error is ProtocolError =>
  error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound && error.status === 404

export const unsupported = (offer: Revision, supported: readonly string[]): TransportError =>
  new TransportError(
    'unsupported-revision',
    `The server supports ${supported.join(', ') || 'no revision'}, but Periscope offered ${offer}`,
    { offered: offer, supported: [...supported] },
  )

/** The strings of an array, at most 100 of 100 characters; `undefined` if it isn't an array. */
export const textsOf = (list: Json | undefined): string[] | undefined =>
  Array.isArray(list)
    ? list
        .filter((text) => typeof text === 'string')
        .slice(0, 100)
        .map((text: string) => text.slice(0, 100))
    : undefined

/** The newest protocol version without a handshake: requested unless a version is pinned. */
export const NEWEST_STATELESS: Revision = REVISIONS.filter((revision) => eraOf(revision) === 'stateless').at(-1)!

/** The versions of a lifecycle among those a server named, newest first. */
export const spokenAmong = (supported: readonly string[], era: 'handshake' | 'stateless'): Revision[] =>
  supported
    .filter(isRevision)
    .filter((revision) => eraOf(revision) === era)
    .sort()
    .reverse()

/**
 * A new W3C Trace Context, so that the request can be found in the server's own traces (META-15):
 * `version-traceid-parentid-flags`, sampled.
 *
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export const newTraceparent = (): string => `00-${hex(16)}-${hex(8)}-01`

/** Random bytes as lower-case hexadecimal. All zeros would be invalid, so the last digit is never 0. */
const hex = (bytes: number): string => {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  random[bytes - 1]! |= 1
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
