/** A server entry of a configuration, in one format for all dialects. */
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'

export type ConfigProblem =
  'no-object' | 'no-target' | 'bad-command' | 'bad-args' | 'bad-url' | 'unknown-package' | 'needs-http'

/** Notes on a configuration entry to read before connecting. Their texts are in the catalogue. */
export type ConfigNote =
  /** It names the transport that preceded Streamable HTTP. */
  | { readonly kind: 'legacy-sse' }
  /** These values must be filled in by the user. */
  | { readonly kind: 'fill-in'; readonly names: readonly string[] }
  /** Keys that Periscope doesn't use. */
  | { readonly kind: 'ignored'; readonly names: readonly string[] }

export interface ConfiguredServer {
  readonly name: string
  readonly target?: Target
  /** The entry's settings for the connection. */
  readonly settings?: Settings
  readonly problem?: ConfigProblem
  readonly notes: readonly ConfigNote[]
}

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Clients write `sse`, or `http`, `streamable-http`, `streamableHttp`. For anything else, the transport isn't set. */
export const transportOf = (type: unknown): Settings => {
  if (type === 'sse') return { transport: 'http-sse' }
  return typeof type === 'string' && /^streamable-?http$/i.test(type) ? { transport: 'streamable-http' } : {}
}
