/** What a server said of itself when a connection was opened, read from its answer. */
import { eraOf, isObject, isRevision, REVISIONS, type Json, type Peer, type Revision } from '../../mcp/index.ts'

/**
 * @param method what was answered
 * @param handshake the connection was opened by `initialize`, so that a probe before it opened nothing
 * @returns `undefined`: it opens nothing
 */
export const openingOf = (
  method: string | undefined,
  result: Json | undefined,
  handshake: boolean,
): Peer | undefined =>
  method === 'initialize' ? shaken(result) : method === 'server/discover' && !handshake ? discovered(result) : undefined

const shaken = (result: Json | undefined): Peer | undefined => {
  if (!isObject(result)) return undefined
  const named = typeof result.protocolVersion === 'string' ? result.protocolVersion : ''
  const revision = nearest(named)
  return {
    era: 'handshake',
    revision: eraOf(revision) === 'handshake' ? revision : '2025-11-25',
    info: isObject(result.serverInfo) ? result.serverInfo : {},
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    ...(typeof result.instructions === 'string' ? { instructions: result.instructions } : {}),
    evidence: [{ saw: 'answered', revision: named.slice(0, 100) }],
  }
}

const discovered = (result: Json | undefined): Peer | undefined => {
  if (!isObject(result) || !Array.isArray(result.supportedVersions)) return undefined
  const supported = (result.supportedVersions as readonly Json[]).filter((one) => typeof one === 'string').slice(0, 100)
  const revision = supported.filter(isRevision).sort().at(-1)
  if (revision === undefined || eraOf(revision) !== 'stateless') return undefined
  const meta = isObject(result._meta) ? result._meta['io.modelcontextprotocol/serverInfo'] : undefined
  const info = isObject(meta) ? meta : result.serverInfo
  return {
    era: 'stateless',
    revision,
    info: isObject(info) ? info : {},
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    ...(typeof result.instructions === 'string' ? { instructions: result.instructions } : {}),
    evidence: [{ saw: 'probe', revision, outcome: 'answered' }],
    supported,
  }
}

/** The newest that is no newer: revisions are dates, so their order is that of their texts. */
const nearest = (named: string): Revision =>
  isRevision(named) ? named : (REVISIONS.findLast((revision) => revision <= named) ?? REVISIONS[0])
