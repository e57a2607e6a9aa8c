/** Labels for settings and connections, in the current language. */
import type { Peer } from '../../mcp/index.ts'
import type { Connection } from '../server/index.ts'
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'
import { texts } from '../text/texts.svelte.ts'
import { transportWord } from '../labels.svelte.ts'

export const settingWord = (key: keyof Settings): string => {
  const { t } = texts
  return {
    revision: t.setRevision,
    transport: t.setTransport,
    foreignEndpoint: t.setTransport,
    relay: t.setRoad,
    insecureTls: t.setRoad,
    idle: t.setLimits,
    total: t.setLimits,
    pingEvery: t.setPing,
    reconnect: t.setReconnect,
  }[key]
}

/** The label beside a URL in the form: its transport and route. */
export const wayWord = ({ transport, relay }: Settings): string => {
  const { t } = texts
  return t.understoodUrl(transport === 'http-sse' ? 'HTTP+SSE' : 'Streamable HTTP', relay ? t.roadRelay : t.straight)
}

/** Short labels of the settings that change the protocol. */
export const settledWords = ({ revision, transport, relay }: Settings): string[] => {
  const words = [
    revision,
    transport && { 'http-sse': 'HTTP+SSE', 'streamable-http': 'Streamable HTTP' }[transport],
    relay && texts.t.roadRelay,
  ]
  return words.filter((word) => word !== undefined)
}

interface Connected {
  readonly connection: Connection
  readonly peer: Peer | undefined
  readonly target: Target
  /** The settings that the session was created with. */
  readonly used: Settings
}

/** Protocol version, transport and route of the open connection, in that order. */
export const connectionWords = (server: Connected): string[] => {
  const { t } = texts
  const { connection, peer, target, used } = server
  const words = [
    connection.renewing ? t.renewing : (peer?.revision ?? ''),
    (target.kind === 'url' && connection.transport) || transportWord(target),
  ]
  if (target.kind === 'url') words.push(used.relay ? t.roadRelay : t.roadDirect)
  return words.filter(Boolean)
}
