/**
 * Decides the era of a connection, and opens it: what the user pinned, what was remembered, or what a probe shows.
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
  /** The only revision to accept. */
  readonly pinned?: Revision
  /** The era an earlier connection to this server ended in (VN-26). */
  readonly remembered?: EraId
}

/** What opening needs of the connection. */
export interface Connector {
  readonly clientInfo: JsonObject
  readonly capabilities: (revision: Revision) => JsonObject
  readonly traceContext: boolean
  /** Messages travel over HTTP, with headers. */
  readonly http: boolean
  /** There is a process, which can be started anew. */
  readonly process: boolean
  /** ms that a probe may take: over HTTP until it is given up, else until the handshake is tried beside it. */
  readonly patience: number
  /** The transport was made for handshakes alone (HTTP+SSE). */
  handshakeOnly(): boolean
  /** A port whose requests `era` writes. */
  port(era: Era): Port
  /** Connects anew, with a fresh process. @throws {TransportError} */
  reopen(): Promise<void>
  /** TR-SSE-05: goes over to the transport before this one, where there is one. @throws {TransportError} */
  older(): Promise<{ readonly name: string; readonly undo: () => Promise<void> } | undefined>
}

export interface Opened {
  readonly era: Era
  readonly peer: Peer
}

/**
 * @param evidence what is seen is added here, so that it is known after a failure too
 * @throws {TransportError} | {ProtocolError} the reason nothing could be opened, as the last thing tried saw it
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
      // VN-26: the assumption failed, so it is checked. What stands in front of the server is no such failure.
      const { next } = judgeProbe(error, connector.http)
      if (next === 'report' || (error instanceof TransportError && error.code === 'unreachable')) throw error
      evidence.push({ saw: 'forgotten', era: remembered, why: messageOf(error).slice(0, 300) })
      if (error instanceof TransportError && error.code === 'process-exited') await connector.reopen()
    }
  }
  return await probe(connector, evidence)
}

/** The server lost the session: the same era begins another one. */
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

const stateless = (connector: Connector, offer: Revision, pinned: boolean, patience = connector.patience) =>
  new StatelessEra({ ...hello(connector, offer, pinned), withHeaders: connector.http, patience })

/** The user wants this revision: nothing is guessed, and a server without `server/discover` is opened all the same (VN-05). */
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
  // Over stdio the first message waits for the process to start, which may take as long as fetching a package does:
  // after a moment the handshake is tried beside it, and whichever is answered first decides.
  const era = stateless(connector, offer, false, connector.http ? connector.patience : LATE)
  const probing = era.open(connector.port(era), [])
  const first = connector.http ? await settled(probing) : await settledWithin(probing, connector.patience)
  if (first === 'silence') {
    evidence.push({ saw: 'probe', revision: offer, outcome: 'silence', facts: { limit: connector.patience } })
    return await handshakeBeside(connector, era, probing, evidence)
  }
  if ('value' in first) return { era, peer: { ...first.value, evidence: [...evidence, ...first.value.evidence] } }
  return await afterRefusal(connector, first.error, evidence)
}

/** Longest wait for an answer to a probe that the handshake has overtaken, in ms. */
const LATE = 120_000

const afterRefusal = async (connector: Connector, error: unknown, evidence: Evidence[]): Promise<Opened> => {
  const offer = NEWEST_STATELESS
  if (error instanceof TransportError && error.code === 'unsupported-revision') {
    // A `DiscoverResult` that names no revision of this era: the versions decide, not that it was answered.
    const supported = (error.details.supported ?? []) as readonly string[]
    evidence.push({ saw: 'probe', revision: offer, outcome: 'answered', facts: { supported } })
    const older = spokenAmong(supported, 'handshake')[0]
    if (!older) throw error
    return await shakeHandsAfter(connector, older, evidence)
  }
  const { next, outcome, facts } = judgeProbe(error, connector.http)
  evidence.push({ saw: 'probe', revision: offer, outcome, facts })
  switch (next) {
    case 'report':
      throw error
    case 'again': {
      const supported = facts.supported ?? []
      if (!supported.includes(offer)) throw unsupported(offer, supported)
      // It refused what it lists: once more, and if it still refuses, its own words are shown.
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

/** The handshake after a probe: some processes refuse it once they have seen another first message. A fresh one has not. */
const shakeHandsAfter = async (connector: Connector, offer: Revision, evidence: Evidence[]): Promise<Opened> => {
  try {
    return await shakeHands(connector, offer, false, evidence)
  } catch (error) {
    const ended = error instanceof TransportError && error.code === 'process-exited'
    if (!connector.process || !(ended || error instanceof ProtocolError)) throw error
    await connector.reopen()
    evidence.push({ saw: 'restarted' })
    return await shakeHands(connector, offer, false, evidence)
  }
}

/** VN-21: silence means older. Should the probe be answered after all, before the handshake is, it counts. */
const handshakeBeside = async (
  connector: Connector,
  era: StatelessEra,
  probing: Promise<Peer>,
  evidence: Evidence[],
): Promise<Opened> => {
  const late = probing.then((peer) => ({
    era: era,
    peer: {
      ...peer,
      evidence: [...evidence, { saw: 'probe', outcome: 'answered-late', revision: peer.revision } as const],
    },
  }))
  const refused = late.then(
    () => new Promise<never>(() => {}),
    () => new Promise<never>(() => {}),
  )
  // The process may have died of the probe, slowly, or refuse whatever comes after it.
  const handshake = shakeHandsAfter(connector, NEWEST_HANDSHAKE, evidence)
  return await Promise.race([handshake, late.catch(() => refused)])
}

/** `initialize`, over the transport before this one where this one is refused (TR-SSE-05 … TR-SSE-08). */
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
      // What the newer transport said is the better explanation: the older one did not even connect.
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
 * The status that hints at HTTP+SSE: 400, 404 or 405 since 2025-11-25 (TR-SSE-07), any 4xx in the two revisions before
 * (TR-SSE-06); never one that asks for a sign-in.
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

const settledWithin = async <Value>(promise: Promise<Value>, ms: number): Promise<Settled<Value> | 'silence'> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<'silence'>((resolve) => (timer = setTimeout(() => resolve('silence'), ms)))
  try {
    return await Promise.race([settled(promise), silence])
  } finally {
    clearTimeout(timer)
  }
}
