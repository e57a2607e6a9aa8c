/**
 * The settings of a connection that the user chose. Periscope chooses the absent ones.
 *
 * They are stored with the server, so loaded settings are untrusted input: another version of the page or a
 * user may have written them.
 */
import { type ClientCapability, isRevision, type Revision, type TrustedCertificate } from '../../mcp/index.ts'
import type { Target } from './target.ts'

/** Times are in ms. */
export interface Settings {
  /** The only protocol version to use. Absent: the newest version both sides support. */
  readonly revision?: Revision
  /** Absent: Streamable HTTP, or HTTP+SSE if the server only supports that. */
  readonly transport?: 'streamable-http' | 'http-sse'
  /** TR-SSE-03: follow an endpoint event to another origin, and send credentials there as well. */
  readonly foreignEndpoint?: true
  /**
   * Whether requests go through the local proxy. Absent: directly from the page, and through the local proxy once the
   * browser refuses a request.
   */
  readonly relay?: boolean
  /** The certificates that the user saw and trusts, sorted. Only through the relay: a page can't choose. */
  readonly certificates?: readonly TrustedCertificate[]
  /** Limits of each request: without progress, and in total (UT-TIME-01, UT-TIME-04). */
  readonly idle?: number
  readonly total?: number
  /** UT-PING-02. 0: never. Absent: never for a process; otherwise while nothing else is sent. */
  readonly pingEvery?: number
  /** Reconnect when the connection is lost. Absent: yes, but no for processes. */
  readonly reconnect?: boolean
  /** Client capabilities that aren't declared to the server, sorted. */
  readonly withheld?: readonly ClientCapability[]
}

/** A change of settings: `undefined` resets one to its default. */
export type SettingsPatch = { readonly [Key in keyof Settings]?: Settings[Key] | undefined }

export type TargetKind = Target['kind']

/** The server runs on its own, so it may be there again when a connection to it is lost. */
export const isLasting = (kind: TargetKind): boolean => kind === 'url' || kind === 'custom'

/** Default limits, in ms. */
export const DEFAULT_IDLE = 60_000
export const DEFAULT_TOTAL = 600_000

/** Default ms without a message before a server is pinged, unless it is a process. */
export const IDLE_PING = 30_000

/**
 * ms without a message before the server is pinged; 0: never. A process doesn't need pings,
 * because its exit is noticed.
 */
export const idlePing = ({ pingEvery }: Settings, kind: TargetKind): number =>
  pingEvery === undefined && isLasting(kind) ? IDLE_PING : 0

/** Minimum and maximum of each time, in ms. */
export const BOUNDS = {
  idle: [1_000, 86_400_000],
  total: [1_000, 86_400_000],
  pingEvery: [1_000, 3_600_000],
} as const

const COMMON = ['revision', 'idle', 'total', 'pingEvery', 'withheld'] as const
const MEANT_FOR: Readonly<Record<TargetKind, readonly (keyof Settings)[]>> = {
  url: [...COMMON, 'transport', 'foreignEndpoint', 'relay', 'certificates', 'reconnect'],
  command: [...COMMON, 'reconnect'],
  custom: [...COMMON, 'reconnect'],
  sample: COMMON,
}

/** Settings that take effect on an open connection. */
const AT_ONCE: readonly (keyof Settings)[] = ['pingEvery', 'reconnect']

export const patched = (settings: Settings, patch: SettingsPatch): Settings =>
  Object.fromEntries(Object.entries({ ...settings, ...patch }).filter(([, value]) => value !== undefined))

/** Without the settings that don't apply to this kind of target. */
export const meantFor = (settings: Settings, kind: TargetKind): Settings => {
  const meant = MEANT_FOR[kind]
  return Object.fromEntries(Object.entries(settings).filter(([key]) => meant.includes(key as keyof Settings)))
}

/** The settings in `wanted` that an open connection created with `used` doesn't apply yet. */
export const notTakenUp = (used: Settings, wanted: Settings, kind: TargetKind): (keyof Settings)[] => {
  const [now, next] = [meantFor(used, kind), meantFor(wanted, kind)]
  return MEANT_FOR[kind].filter((key) => !AT_ONCE.includes(key) && String(now[key]) !== String(next[key]))
}

export const reconnects = ({ reconnect }: Settings, kind: TargetKind): boolean =>
  kind === 'sample' ? false : (reconnect ?? isLasting(kind))

/** Reads the valid settings from any value, and ignores the rest. */
export const readSettings = (value: unknown): Settings => {
  if (typeof value !== 'object' || value === null) return {}
  const { revision, transport, foreignEndpoint, relay, certificates, idle, total, pingEvery, reconnect, withheld } =
    value as Record<string, unknown>
  return patched(
    {},
    {
      revision: isRevision(revision) ? revision : undefined,
      transport: transport === 'streamable-http' || transport === 'http-sse' ? transport : undefined,
      foreignEndpoint: foreignEndpoint === true ? true : undefined,
      relay: typeof relay === 'boolean' ? relay : undefined,
      certificates: certificatesOf(certificates),
      idle: timeWithin('idle', idle),
      total: timeWithin('total', total),
      pingEvery: timeWithin('pingEvery', pingEvery),
      reconnect: typeof reconnect === 'boolean' ? reconnect : undefined,
      withheld: Array.isArray(withheld) ? withheldOf(withheld) : undefined,
    },
  )
}

const certificatesOf = (value: unknown): Settings['certificates'] => {
  const valid = Array.isArray(value) ? value.filter((one) => typeof one === 'string' && /^\S+ ([\dA-F]{2}:){31}[\dA-F]{2}$/.test(one)) : [] // prettier-ignore
  return valid.length > 0 ? (valid as TrustedCertificate[]) : undefined
}

/**
 * The paths that may be those of capabilities; `undefined` if there are none, so that the setting is absent. Their list
 * isn't here, because the first screen doesn't need it: a path that nothing declares withholds nothing.
 */
export const withheldOf = (paths: readonly unknown[]): Settings['withheld'] => {
  const withheld = paths.slice(0, 50).filter((path) => typeof path === 'string' && /^[\w./-]{1,100}$/.test(path))
  return withheld.length > 0 ? ([...new Set(withheld)].sort() as ClientCapability[]) : undefined
}

/** The time if it is within its bounds. 0 turns pings off. */
export const timeWithin = (which: keyof typeof BOUNDS, ms: unknown): number | undefined => {
  const [least, most] = BOUNDS[which]
  if (which === 'pingEvery' && ms === 0) return 0
  return typeof ms === 'number' && ms >= least && ms <= most ? Math.round(ms) : undefined
}
