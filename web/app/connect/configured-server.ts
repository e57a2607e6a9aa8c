/** A server of a configuration: what the form, its list and the settings need of it. */
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'

export type ConfigProblem =
  | 'no-object'
  | 'no-target'
  | 'bad-command'
  | 'bad-args'
  | 'bad-url'
  | 'unknown-package'
  | 'needs-http'
  | 'extension'
  /** A whole file or command line, one of several. */
  | 'unreadable'

/** Notes on a configuration entry to read before connecting. Their texts are in the catalogue. */
export type ConfigNote =
  /** It names the transport that preceded Streamable HTTP. */
  | { readonly kind: 'legacy-sse' }
  /** Its client doesn't use it. */
  | { readonly kind: 'disabled' }
  /** These values must be filled in by the user. */
  | { readonly kind: 'fill-in'; readonly names: readonly string[] }
  /** Keys that Periscope doesn't use. */
  | { readonly kind: 'ignored'; readonly names: readonly string[] }
  /** The folder of the project that it is for. */
  | { readonly kind: 'project'; readonly names: readonly string[] }

/** What a configuration declares of a value that it leaves to its user (VS Code's `inputs`). */
export interface ConfigInput {
  /** The placeholder, as in the entries: `${input:id}`. */
  readonly text: string
  readonly description?: string
  readonly default?: string
  /** The values to choose from. */
  readonly options?: readonly string[]
  /** Its value may be shown. */
  readonly isPublic?: true
}

export interface ConfiguredServer {
  readonly name: string
  readonly target?: Target
  /** The entry's settings for the connection. */
  readonly settings?: Settings
  readonly problem?: ConfigProblem
  readonly notes: readonly ConfigNote[]
  /** The inputs that the entry refers to. */
  readonly inputs?: readonly ConfigInput[]
}

/** The project that its configuration has it for. */
export const projectOf = ({ notes }: ConfiguredServer): string | undefined =>
  notes.find((note) => note.kind === 'project')?.names[0]
