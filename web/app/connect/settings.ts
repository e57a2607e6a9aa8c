/**
 * The settings of a connection that the user chose. An absent one is Periscope's choice.
 *
 * Stored with the server, so what is read back is input: another version of the page, or a person, may have written it.
 */
import { isRevision, type Revision } from '../../mcp/index.ts'
import type { Target } from './target.ts'

/** Times are in ms. */
export interface Settings {
  /** The only revision to speak. Absent: the newest that both sides speak. */
  readonly revision?: Revision
  /** Absent: Streamable HTTP, and HTTP+SSE where a server is that old. */
  readonly transport?: 'streamable-http' | 'http-sse'
  /** TR-SSE-03: follow an endpoint event to another origin; credentials go there too. */
  readonly foreignEndpoint?: true
  /** Requests go through the local proxy. Absent: straight from the page. */
  readonly relay?: true
  /** Allow untrusted certificates. Through the relay only: a page can't. */
  readonly insecureTls?: true
  /** Of each request: without progress, and in all (UT-TIME-01, UT-TIME-04). */
  readonly idle?: number
  readonly total?: number
  /** UT-PING-02. 0: never. Absent: over HTTP while nothing else is sent, otherwise never. */
  readonly pingEvery?: number
  /** Connect again when the connection is lost. Absent: yes for addresses, no for processes. */
  readonly reconnect?: boolean
}

/** A change: `undefined` puts a setting back to what we choose. */
export type SettingsPatch = { readonly [Key in keyof Settings]?: Settings[Key] | undefined }

export type TargetKind = Target['kind']

/** ms: what the kernel takes where nothing is set. */
export const DEFAULT_IDLE = 60_000
export const DEFAULT_TOTAL = 600_000

/** ms without a message after which a server over HTTP is pinged, where nothing is set. */
export const IDLE_PING = 30_000

/** ms without a message after which it is pinged; 0: never. A process says itself when it ends. */
export const idlePing = ({ pingEvery }: Settings, kind: TargetKind): number =>
  pingEvery === undefined && kind === 'url' ? IDLE_PING : 0

/** ms: the least and the most that each time may be. */
export const BOUNDS = {
  idle: [1_000, 86_400_000],
  total: [1_000, 86_400_000],
  pingEvery: [1_000, 3_600_000],
} as const

const COMMON = ['revision', 'idle', 'total', 'pingEvery'] as const
const MEANT_FOR: Readonly<Record<TargetKind, readonly (keyof Settings)[]>> = {
  url: [...COMMON, 'transport', 'foreignEndpoint', 'relay', 'insecureTls', 'reconnect'],
  command: [...COMMON, 'reconnect'],
  sample: COMMON,
}

/** Those that an open connection takes up at once. */
const AT_ONCE: readonly (keyof Settings)[] = ['pingEvery', 'reconnect']

export const patched = (settings: Settings, patch: SettingsPatch): Settings =>
  Object.fromEntries(Object.entries({ ...settings, ...patch }).filter(([, value]) => value !== undefined))

/** Without what means nothing for such a target. */
export const meantFor = (settings: Settings, kind: TargetKind): Settings => {
  const meant = MEANT_FOR[kind]
  const { insecureTls, ...rest } = settings
  const all = settings.relay && insecureTls ? { ...rest, insecureTls } : rest
  return Object.fromEntries(Object.entries(all).filter(([key]) => meant.includes(key as keyof Settings)))
}

/** Which settings of `wanted` an open connection that was made with `used` does not follow yet. */
export const notTakenUp = (used: Settings, wanted: Settings, kind: TargetKind): (keyof Settings)[] => {
  const [now, next] = [meantFor(used, kind), meantFor(wanted, kind)]
  return MEANT_FOR[kind].filter((key) => !AT_ONCE.includes(key) && now[key] !== next[key])
}

export const reconnects = ({ reconnect }: Settings, kind: TargetKind): boolean =>
  kind === 'sample' ? false : (reconnect ?? kind === 'url')

/** Takes the valid settings of any value, and ignores the rest. */
export const readSettings = (value: unknown): Settings => {
  if (typeof value !== 'object' || value === null) return {}
  const { revision, transport, foreignEndpoint, relay, insecureTls, idle, total, pingEvery, reconnect } =
    value as Record<string, unknown>
  return patched(
    {},
    {
      revision: isRevision(revision) ? revision : undefined,
      transport: transport === 'streamable-http' || transport === 'http-sse' ? transport : undefined,
      foreignEndpoint: foreignEndpoint === true ? true : undefined,
      relay: relay === true ? true : undefined,
      insecureTls: insecureTls === true ? true : undefined,
      idle: timeWithin('idle', idle),
      total: timeWithin('total', total),
      pingEvery: timeWithin('pingEvery', pingEvery),
      reconnect: typeof reconnect === 'boolean' ? reconnect : undefined,
    },
  )
}

/** The time, where it is one within its bounds. Pings may be turned off with 0. */
export const timeWithin = (which: keyof typeof BOUNDS, ms: unknown): number | undefined => {
  const [least, most] = BOUNDS[which]
  if (which === 'pingEvery' && ms === 0) return 0
  return typeof ms === 'number' && ms >= least && ms <= most ? Math.round(ms) : undefined
}
