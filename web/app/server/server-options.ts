/** What a server of the rail is made from. */
import type { EraId, Link } from '../../mcp/index.ts'
import type { Draft } from '../connect/index.svelte.ts'
import type { Settings, Target } from '../connect/index.ts'

export interface ServerOptions {
  readonly link: Link
  readonly target: Target
  readonly draft?: Draft
  /** Until the server has said its own, unless `given`. */
  readonly name?: string
  /** `name` without its number; absent: it has none. */
  readonly base?: string
  /** What its user or its configuration calls it. */
  readonly given?: string
  readonly dropped?: readonly string[]
  readonly launch?: boolean
  readonly settings?: Settings
  readonly era?: EraId
}
