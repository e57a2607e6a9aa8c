/**
 * Connects servers that weren't typed: the sample, configuration entries, servers named at launch
 * or open before a reload.
 */
import { browserStorage } from '../browser-storage.ts'
import type { ConnectHost, FormServer } from './connect-host.ts'
import type { Draft } from './draft.svelte.ts'
import type { Target } from './target.ts'
import { texts } from '../text/texts.svelte.ts'

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

/** Whether nothing is missing to connect: neither a value nor, for a command, the local proxy. */
export const isReady = (host: ConnectHost, { draft, missing, target }: FormServer): boolean =>
  draft.dropped.length === 0 &&
  missing.length === 0 &&
  (target.kind !== 'command' || host.proxy.current.state === 'there')

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
