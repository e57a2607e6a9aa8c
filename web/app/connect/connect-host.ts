/** What the connect form needs of the window. */
import type { Proxy } from '../launch.ts'
import type { Recent } from '../remembered.ts'
import type { Connection, ConnectionState } from '../server/index.ts'
import type { Draft } from './draft.svelte.ts'
import type { Recents } from './recents.svelte.ts'
import type { Target } from './target.ts'

/** A server of the rail, as far as the form shows and changes it. */
export interface FormServer {
  readonly link: string
  readonly name: string
  readonly target: Target
  readonly draft: Draft
  readonly status: ConnectionState
  /** Placeholders that are to be filled in before it can be connected to. */
  readonly missing: readonly string[]
  /** The command line at launch named it. */
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
  /** Of the form that belongs to no server yet. */
  readonly draft: Draft
  readonly recents: Recents
  connectDraft(draft: Draft, target: Target, owner: FormServer | undefined): void
  connectNew(server: NewServer): FormServer
  reconnect(server: FormServer): void
  disconnect(server: FormServer): void
  /** Goes to a server, where it was looked at last. */
  goTo(link: string): void
  /** Puts a recent server into the form. */
  takeUp(recent: Recent): void
}
