/** The parts of the window that the connect form needs. */
import type { Proxy } from '../launch.ts'
import type { Recent } from '../remembered.ts'
import type { Connection, ConnectionState } from '../server/index.ts'
import type { Draft } from './draft.svelte.ts'
import type { Recents } from './recents.svelte.ts'
import type { Target } from './target.ts'

/** A server in the rail, limited to what the form shows and changes. */
export interface FormServer {
  readonly link: string
  readonly name: string
  readonly target: Target
  readonly draft: Draft
  readonly status: ConnectionState
  /** Placeholders that must be filled in before connecting. */
  readonly missing: readonly string[]
  /** The server was named on the command line at launch. */
  readonly launch: boolean
  readonly connection: Connection
  connect(target: Target): Promise<void>
}

export interface NewServer {
  readonly target: Target
  readonly draft?: Draft
  readonly name?: string
  readonly launch?: boolean
}

export interface ConnectHost {
  readonly all: readonly FormServer[]
  readonly proxy: { readonly current: Proxy }
  /** The draft of the form that doesn't belong to a server yet. */
  readonly draft: Draft
  readonly recents: Recents
  connectDraft(draft: Draft, target: Target, owner: FormServer | undefined): void
  connectNew(server: NewServer): FormServer
  reconnect(server: FormServer): void
  disconnect(server: FormServer): void
  /** Goes to a server, at the place shown last. */
  goTo(link: string): void
  /** Puts a recent server into the form. */
  takeUp(recent: Recent): void
}
