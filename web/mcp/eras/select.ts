/**
 * Selects the lifecycle of a connection and opens it: the pinned one, the remembered one, or the result of a probe.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
import { messageOf, ProtocolError, TransportError } from '../errors.ts'
import type { Evidence, JsonObject, Peer } from '../frame.ts'
import { eraOf, type EraId, type Revision } from '../revision.ts'
import type { Era, Hello, Port } from './era.ts'
import { HandshakeEra, NEWEST_HANDSHAKE } from './handshake.ts'
import { judgeProbe } from './probe.ts'
import { NEWEST_STATELESS, spokenAmong, StatelessEra, unsupported } from './stateless.ts'

export interface RevisionChoice {
  /** The only protocol version to accept. */
  readonly pinned?: Revision
  /** The lifecycle of an earlier connection to this server (VN-26). */
  readonly remembered?: EraId
}

/** What opening requires of the connection. */
export interface Connector {
  readonly clientInfo: JsonObject
  readonly capabilities: (revision: Revision) => JsonObject
  readonly traceContext: boolean
  /** Messages travel over HTTP, with headers. */
  readonly http: boolean
  /** Reopening the transport starts without any state: a new process, or a new connection. */
  readonly process: boolean
  /** ms for a probe: over HTTP until it is abandoned, otherwise until the handshake is tried in parallel. */
  readonly patience: number
  /** The transport only supports handshakes (HTTP+SSE). */
  handshakeOnly(): boolean
  /** A port whose requests `era` encodes. */
  port(era: Era): Port
  /** Reconnects, with a new process. @throws {TransportError} */
  reopen(): Promise<void>
  /** TR-SSE-05: switches to the previous transport, if there is one. @throws {TransportError} */
  older(): Promise<{ readonly name: string; readonly undo: () => Promise<void> } | undefined>
}

export interface Opened {
  readonly era: Era
  readonly peer: Peer
}

/**
 * @param evidence observations are added here, so that they are known even after a failure
 * @throws {TransportError} | {ProtocolError} why nothing could be opened, from the last attempt
 */
export const connect = async (
  connector: Connector,
  { pinned, remembered }: RevisionChoice,
  evidence: Evidence[] = [],
): Promise<Opened> => {
  if (pinned !== undefined) {
    evidence.push({ saw: 'pinned', revision: pinned })
    return eraOf(pinned) === 'stateless'
      ? await openStateless(connector, pinned, true, evidence)
      : await shakeHands(connector, pinned, true, evidence)
  }
  if (connector.handshakeOnly()) return await shakeHands(connector, NEWEST_HANDSHAKE, false, evidence)
  if (remembered === 'handshake') {
    evidence.push({ saw: 'remembered', era: remembered })
    try {
      return await shakeHands(connector, NEWEST_HANDSHAKE, false, evidence)
    } catch (error) {
      // VN-26: the remembered lifecycle failed, so check it. A failure of a gateway doesn't count.
      const { next } = judgeProbe(error, connector.http)
      if (next === 'report' || (error instanceof TransportError && error.code === 'unreachable')) throw error
      evidence.push({ saw: 'forgotten', era: remembered, why: messageOf(error).slice(0, 300) })
      if (error instanceof TransportError && isEnd(error)) await connector.reopen()
    }
  }
  return await probe(connector, evidence)
}

/** The server lost the session: start another one with the same lifecycle. */
export const shakeHandsAgain = async (
  connector: Connector,
  { pinned }: RevisionChoice,
  evidence: Evidence[],
): Promise<Opened> => {
  const era = new HandshakeEra(hello(connector, pinned ?? NEWEST_HANDSHAKE, pinned !== undefined))
  return { era, peer: await era.open(connector.port(era), evidence) }
}

const hello = (connector: Connector, offer: Revision, pinned: boolean): Hello => ({
  clientInfo: connector.clientInfo,
  capabilities: connector.capabilities,
  traceContext: connector.traceContext,
  offer,
  pinned,
})

/**
 * Over stdio, the first message waits for the process to start, which may include a package download. So there,
 * `patience` only decides when the handshake is tried as well.
 */
const stateless = (connector: Connector, offer: Revision, pinned: boolean) =>
  new StatelessEra({
    ...hello(connector, offer, pinned),
    withHeaders: connector.http,
    patience: connector.http ? connector.patience : LATE,
  })

/** The user pinned this version: no detection, and a server without `server/discover` is opened anyway (VN-05). */
const openStateless = async (
  connector: Connector,
  offer: Revision,
  pinned: boolean,
  evidence: Evidence[],
): Promise<Opened> => {
  const era = stateless(connector, offer, pinned)
  try {
    return { era, peer: await era.open(connector.port(era), evidence) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { next, outcome, facts } = judgeProbe(error, connector.http)
    evidence.push({ saw: 'probe', revision: offer, outcome, facts })
    if (facts.supported && !facts.supported.includes(offer)) throw unsupported(offer, facts.supported)
    if (next === 'again') return { era, peer: await era.open(connector.port(era), evidence) }
    if (next === 'report') throw error
    return { era, peer: { era: 'stateless', revision: offer, info: {}, capabilities: {}, evidence: [...evidence] } }
  }
}

const probe = async (connector: Connector, evidence: Evidence[]): Promise<Opened> => {
  const offer = NEWEST_STATELESS
  // Over stdio, the handshake is tried in parallel after a moment, and the first response decides.
  const era = stateless(connector, offer, false)
  const probing = era.open(connector.port(era), [])
  const first = connector.http ? await settled(probing) : await settledWithin(probing, connector.patience)
  if (first === 'silence') {
    evidence.push({ saw: 'probe', revision: offer, outcome: 'silence', facts: { limit: connector.patience } })
    return await handshakeBeside(connector, era, probing, evidence)
  }
  if ('value' in first) return { era, peer: { ...first.value, evidence: [...evidence, ...first.value.evidence] } }
  return await afterRefusal(connector, first.error, evidence)
}

/** ms to wait for the response to the first message to a process. */
const LATE = 120_000

const afterRefusal = async (connector: Connector, error: unknown, evidence: Evidence[]): Promise<Opened> => {
  const offer = NEWEST_STATELESS
  if (error instanceof TransportError && error.code === 'unsupported-revision') {
    // A `DiscoverResult` that names no version of this lifecycle: the versions decide, not the success.
    const supported = (error.details.supported ?? []) as readonly string[]
    evidence.push({ saw: 'probe', revision: offer, outcome: 'answered', facts: { supported } })
    const older = spokenAmong(supported, 'handshake')[0]
    if (!older) throw error
    return await shakeHandsAfter(connector, older, evidence)
  }
  const { next, outcome, facts } = judgeProbe(error, connector.http)
  // A process that ended at its start has read no probe.
  if (outcome === 'process-exited' && next === 'report') throw error
  evidence.push({ saw: 'probe', revision: offer, outcome, facts })
  switch (next) {
    case 'report':
      throw error
    case 'again': {
      const supported = facts.supported ?? []
      if (!supported.includes(offer)) throw unsupported(offer, supported)
      // It refused a version that it lists. Try once more; if it refuses again, show its error.
      const era = stateless(connector, offer, false)
      return { era, peer: await era.open(connector.port(era), evidence) }
    }
    case 'restart':
      await connector.reopen()
      evidence.push({ saw: 'restarted' })
      return await shakeHands(connector, NEWEST_HANDSHAKE, false, evidence)
    case 'handshake': {
      const older = facts.supported ? spokenAmong(facts.supported, 'handshake')[0] : undefined
      return await shakeHandsAfter(connector, older ?? NEWEST_HANDSHAKE, evidence)
    }
  }
}

/** The process ended, or the connection was closed: another one may behave differently. */
const isEnd = ({ code }: TransportError): boolean => code === 'process-exited' || code === 'connection-closed'

/** The handshake after a probe: some processes refuse it after any other first message, so start a new one. */
const shakeHandsAfter = async (connector: Connector, offer: Revision, evidence: Evidence[]): Promise<Opened> => {
  try {
    return await shakeHands(connector, offer, false, evidence)
  } catch (error) {
    const ended = error instanceof TransportError && isEnd(error) && error.details.atStart !== true
    if (!connector.process || !(ended || error instanceof ProtocolError)) throw error
    await connector.reopen()
    evidence.push({ saw: 'restarted' })
    return await shakeHands(connector, offer, false, evidence)
  }
}

/**
 * VN-21: silence means older. If the probe's response still arrives before the handshake's, it counts: the process had
 * only been starting. Then the server may have accepted both, and servers of the official SDK treat the rest of such a
 * connection as one with a handshake, so a stateless one needs a new process.
 */
const handshakeBeside = async (
  connector: Connector,
  era: StatelessEra,
  probing: Promise<Peer>,
  evidence: Evidence[],
): Promise<Opened> => {
  // The probe may have killed the process slowly, or made it refuse everything after it.
  const handshake = settled(shakeHandsAfter(connector, NEWEST_HANDSHAKE, evidence))
  const refused = new Promise<never>(() => {})
  const late = probing.catch(() => refused)
  const first = await Promise.race([handshake, late.then((peer) => ({ peer }))])
  if ('error' in first) throw first.error
  if ('value' in first) return first.value
  const { peer } = first
  evidence.push({ saw: 'probe', outcome: 'answered-late', revision: peer.revision })
  const other = await Promise.race([handshake, after(connector.patience)])
  if (!other || 'error' in other) return { era, peer: { ...peer, evidence: [...evidence] } }
  await connector.reopen()
  evidence.push({ saw: 'restarted' })
  const again = stateless(connector, NEWEST_STATELESS, false)
  return { era: again, peer: await again.open(connector.port(again), evidence) }
}

/** `initialize`, falling back to the previous transport if refused (TR-SSE-05 … TR-SSE-08). */
const shakeHands = async (
  connector: Connector,
  offer: Revision,
  pinned: boolean,
  evidence: Evidence[],
): Promise<Opened> => {
  const era = new HandshakeEra(hello(connector, offer, pinned))
  try {
    return { era, peer: await era.open(connector.port(era), evidence) }
  } catch (error) {
    const status = oldTransport(error, pinned ? offer : undefined)
    if (status === undefined) throw error
    let older: Awaited<ReturnType<Connector['older']>>
    try {
      older = await connector.older()
    } catch {
      // The newer transport's error explains more: the older one didn't even connect.
    }
    if (!older) throw error
    evidence.push({ saw: 'transport', transport: older.name, status })
    try {
      return { era, peer: await era.open(connector.port(era), evidence) }
    } catch (failure) {
      await older.undo()
      throw failure
    }
  }
}

/**
 * The statuses that suggest HTTP+SSE: 400, 404 or 405 since 2025-11-25 (TR-SSE-07), any 4xx in the two versions before
 * (TR-SSE-06), but never one that requires a sign-in.
 */
const oldTransport = (error: unknown, pinned: Revision | undefined): number | undefined => {
  const status =
    error instanceof ProtocolError ? error.status : error instanceof TransportError ? error.details.status : undefined
  if (typeof status !== 'number') return undefined
  const any = pinned === '2025-03-26' || pinned === '2025-06-18'
  const hints = any
    ? status >= 400 && status < 500 && status !== 401 && status !== 403
    : [400, 404, 405].includes(status)
  return hints ? status : undefined
}

type Settled<Value> = { readonly value: Value } | { readonly error: unknown }

const settled = async <Value>(promise: Promise<Value>): Promise<Settled<Value>> =>
  await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

const after = async (ms: number): Promise<undefined> => await new Promise((resolve) => setTimeout(resolve, ms))

const settledWithin = async <Value>(promise: Promise<Value>, ms: number): Promise<Settled<Value> | 'silence'> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<'silence'>((resolve) => (timer = setTimeout(() => resolve('silence'), ms)))
  try {
    return await Promise.race([settled(promise), silence])
  } finally {
    clearTimeout(timer)
  }
}
