/**
 * The parts of the window that the connect form needs, and how it connects servers that weren't typed: the sample,
 * configuration entries, servers named at launch or open before a reload.
 */
import { browserStorage } from '../../ui/index.ts'
import { tick } from 'svelte'
import type { Proxy } from '../proxy-link.svelte.ts'
import type { Recent } from '../remembered.ts'
import type { Connection, ConnectionState } from '../server/index.ts'
import { texts } from '../text/texts.svelte.ts'
import type { ConfigFile } from './connect-input.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { Draft } from './draft.svelte.ts'
import { loadFillIn } from './lazy.ts'
import { needsProxy, type Target } from './target.ts'

/** A server in the rail, limited to what the form shows and changes. */
export interface FormServer {
  readonly link: string
  readonly name: string
  readonly target: Target
  /** `keyOf` of its target without secrets, as of a recent server. Absent until the rules for secrets have loaded. */
  readonly key: string | undefined
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
  /** Where the local proxy starts processes, if there is one. */
  readonly directory: string | undefined
  /** The draft of the form that doesn't belong to a server yet. */
  readonly draft: Draft
  readonly recents: { readonly list: readonly Recent[] }
  connectDraft(draft: Draft, target: Target, owner: FormServer | undefined): void
  connectNew(server: NewServer): FormServer
  reconnect(server: FormServer): void
  disconnect(server: FormServer): void
  /** Goes to a server, at the place shown last. */
  goTo(link: string): void
  /** Puts a recent server into the form. Resolves once its remembered values are there. */
  takeUp(recent: Recent): Promise<void>
  /** Puts a configuration file into the form. Nothing is connected. */
  takeFile(file: ConfigFile): void
  /** The same for the files that the user chose. */
  takeFiles(files: readonly File[]): Promise<void>
  /** Puts a server into the form. Nothing is connected. */
  takeServer(server: Pick<ConfiguredServer, 'name' | 'target' | 'inputs'>): void
  /** Forgets a recent server, and the values that were remembered of it. */
  forget(recent: Recent): void
  /** Replaces the list of recent servers with the same servers, arranged by the user. */
  arrange(list: readonly Recent[]): void
  /** Puts remembered values into a form. */
  recall(draft: Draft): Promise<void>
  /** Off: what is stored is deleted at once. On: the values are stored when the form connects. */
  rememberValues(draft: Draft, on: boolean): void
}

const LAUNCHED = 'periscope.launched'
const SESSION = browserStorage('session')

export const connectSample = (host: ConnectHost): void => {
  const known = host.all.find((server) => server.target.kind === 'sample')
  if (!known) host.connectNew({ target: { kind: 'sample' }, name: texts.t.sample })
  else {
    host.goTo(known.link)
    if (known.status !== 'open' && known.status !== 'connecting') host.reconnect(known)
  }
}

/**
 * Connects the servers of a configuration and shows the first. Call it only after the user saw what all of them run.
 */
export const connectEntries = (host: ConnectHost, drafts: readonly Draft[]): void => {
  const [first] = drafts.flatMap((draft) => (draft.target ? host.connectNew({ target: draft.target, draft }) : []))
  if (first) host.goTo(first.link)
}

/** Servers that lost their connection by a reload or were disconnected by the user. The user has seen what they run. */
export const reconnectable = (host: ConnectHost): readonly FormServer[] =>
  host.all.filter(({ status, target }) => status === 'idle' && target.kind !== 'sample')

/** Connects those that lack no value, and shows the first. */
export const reconnectAll = (host: ConnectHost): void => {
  const ready = reconnectable(host).filter((server) => isReady(host, server))
  for (const server of ready) host.reconnect(server)
  if (ready[0]) host.goTo(ready[0].link)
}

/** Whether nothing is missing to connect: neither a value nor, where it is needed, the local proxy. */
export const isReady = (host: ConnectHost, { draft, missing, target }: FormServer): boolean =>
  draft.dropped.length === 0 && missing.length === 0 && (!needsProxy(target) || host.proxy.current.state === 'there')

/**
 * Connects the server that the user named at launch, now and after a reload; once removed, it stays removed.
 * @param storedKeyOf an identity of the server, without secrets
 */
export const connectLaunched = (host: ConnectHost, target: Target, storedKeyOf: (target: Target) => string): void => {
  const key = storedKeyOf(target)
  const known = host.all.find((server) => server.launch && storedKeyOf(server.target) === key)
  if (known) return void known.connect(target)
  if (SESSION.getItem(LAUNCHED) === key) return
  SESSION.setItem(LAUNCHED, key)
  host.connectNew({ target, launch: true })
}

/** Focuses the field of the first missing value once it is on screen. */
export const focusMissingWhenShown = async (): Promise<void> => {
  await loadFillIn()
  await tick()
  focusMissing()
}

/** Focuses the field of the first missing value, or the button that makes it unnecessary. @returns whether there is one on screen */
export const focusMissing = (within: ParentNode = document): boolean => {
  const field = within.querySelector<HTMLElement>(
    '[data-testid=fill-relay], [data-testid=fill-value][data-state=missing]',
  )
  field?.focus()
  return field !== null
}
