/**
 * The handshake lifecycle: `initialize`, its response, `notifications/initialized`, then everything else.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
import { ProtocolError, TransportError } from '../errors.ts'
import type { Evidence, Json, JsonObject, Peer } from '../frame.ts'
import { ErrorCode, isObject } from '../jsonrpc.ts'
import { eraOf, isRevision, REVISIONS, type Revision } from '../revision.ts'
import { type CallIntent, type Encoded, type Era, type Hello, type Outcome, peerOf, type Port } from './era.ts'

export class HandshakeEra implements Era {
  readonly id = 'handshake'
  readonly answersRequests = true
  readonly closingCancels = false
  readonly #hello: Hello

  constructor(hello: Hello) {
    this.#hello = hello
  }

  /**
   * LC-01 … LC-08: offers a protocol version, and accepts the server's choice if we support it.
   * @throws {TransportError} `unsupported-revision`, `bad-handshake`
   * @throws {ProtocolError} the server refused `initialize`
   */
  async open(port: Port, evidence: Evidence[]): Promise<Peer> {
    const { answer, offer } = await this.#initialize(port, this.#hello.offer, evidence)
    const revision = this.#accept(answer, offer, evidence)
    port.settled(revision)
    await this.#initialized(port, evidence)
    return peerOf(revision, answer, [...evidence])
  }

  /** LC-03. A server that rejects it with an HTTP status may still work, so the session continues. */
  async #initialized(port: Port, evidence: Evidence[]): Promise<void> {
    try {
      await port.notify('notifications/initialized')
    } catch (error) {
      const status = error instanceof TransportError && error.code === 'http-status' ? error.details.status : undefined
      if (typeof status !== 'number' || status < 500) throw error
      evidence.push({ saw: 'initialized-refused', status })
    }
  }

  async #initialize(
    port: Port,
    offer: Revision,
    evidence: Evidence[],
    again = false,
  ): Promise<{ answer: JsonObject; offer: Revision }> {
    const { capabilities, clientInfo, pinned } = this.#hello
    evidence.push({ saw: 'offered', revision: offer })
    try {
      const params = { protocolVersion: offer, capabilities: capabilities(offer), clientInfo }
      return { answer: await port.call('initialize', params), offer }
    } catch (error) {
      // LC-08: some servers name their versions in an error instead of a result.
      const supported = supportedIn(error)
      if (!supported) throw error
      evidence.push({ saw: 'refused', supported })
      const mutual = supported.filter(speaks).sort().at(-1)
      if (!mutual || mutual === offer || pinned || again) {
        throw new TransportError(
          'unsupported-revision',
          `The server supports ${supported.join(', ') || 'no revision'}, but Periscope offered ${offer}`,
          { offered: offer, supported: [...supported] },
          { cause: error },
        )
      }
      return await this.#initialize(port, mutual, evidence, true)
    }
  }

  #accept(answer: JsonObject, offer: Revision, evidence: Evidence[]): Revision {
    const named = answer.protocolVersion
    if (typeof named !== 'string') {
      throw new TransportError('bad-handshake', 'The response to initialize has no protocolVersion', { answer })
    }
    evidence.push({ saw: 'answered', revision: named.slice(0, 100) })
    if (!speaks(named) || (this.#hello.pinned && named !== offer)) {
      // LC-06: disconnect if the server's version is unknown, or isn't the pinned one.
      const what = `The server responded with protocol version ${named.slice(0, 100)}, but Periscope offered ${offer}`
      throw new TransportError('unsupported-revision', what, { offered: offer, answered: named.slice(0, 100) })
    }
    return named
  }

  encode({ id, method, params, progress }: CallIntent): Encoded {
    if (!progress) return { message: { jsonrpc: '2.0', id, method, ...(params ? { params } : {}) } }
    const meta = isObject(params?._meta) ? params._meta : {}
    // The caller's own token wins: an inspector must be able to send what its user wrote.
    return { message: { jsonrpc: '2.0', id, method, params: { ...params, _meta: { progressToken: id, ...meta } } } }
  }

  note(method: string, params: JsonObject | undefined): Encoded {
    return { message: { jsonrpc: '2.0', method, ...(params ? { params } : {}) } }
  }

  decode(_method: string, result: Json): Outcome {
    return isObject(result) ? { kind: 'complete', result } : { kind: 'invalid', issues: ['result is not an object'] }
  }

  /** Servers in this lifecycle send notifications unprompted. */
  wants(): undefined {}

  async recover(): Promise<boolean> {
    return false
  }
}

const speaks = (version: string): version is Revision => isRevision(version) && eraOf(version) === 'handshake'

const supportedIn = (error: unknown): string[] | undefined => {
  if (!(error instanceof ProtocolError) || error.code !== ErrorCode.InvalidParams) return undefined
  const supported = isObject(error.data) ? error.data.supported : undefined
  return Array.isArray(supported) ? supported.filter((version) => typeof version === 'string') : undefined
}

/** The newest protocol version with a handshake: offered unless a version is pinned (LC-02). */
export const NEWEST_HANDSHAKE: Revision = REVISIONS.filter((revision) => eraOf(revision) === 'handshake').at(-1)!
