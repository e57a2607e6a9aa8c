/** A server as a configuration names it: the same for all dialects. */
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'

export type ConfigProblem =
  'no-object' | 'no-target' | 'bad-command' | 'bad-args' | 'bad-url' | 'unknown-package' | 'needs-http'

/** Notes on a configuration entry to read before connecting. Their texts are in the catalogue. */
export type ConfigNote =
  /** It names the transport that came before Streamable HTTP. */
  | { readonly kind: 'legacy-sse' }
  /** These values are to be filled in by hand. */
  | { readonly kind: 'fill-in'; readonly names: readonly string[] }
  /** Keys that Periscope does not use. */
  | { readonly kind: 'ignored'; readonly names: readonly string[] }

export interface ConfiguredServer {
  readonly name: string
  readonly target?: Target
  /** What the entry says of how to connect. */
  readonly settings?: Settings
  readonly problem?: ConfigProblem
  readonly notes: readonly ConfigNote[]
}

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `sse`; `http`, `streamable-http`, `streamableHttp`: what clients write there. Anything else is left open. */
export const transportOf = (type: unknown): Settings => {
  if (type === 'sse') return { transport: 'http-sse' }
  return typeof type === 'string' && /^streamable-?http$/i.test(type) ? { transport: 'streamable-http' } : {}
}
