/** Connects servers that weren't typed: the sample, configuration entries, those named at launch or from before a reload. */
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

/** Servers of a configuration. Call it only when all of them were shown with what they run. The first is looked at. */
export const connectEntries = (host: ConnectHost, drafts: readonly Draft[]): void => {
  const [first] = drafts.flatMap((draft) => (draft.target ? host.connectNew({ target: draft.target, draft }) : []))
  if (first) host.goTo(first.link)
}

/** Those that a reload, or their user, left without a connection, and that were shown with what they run. */
export const reconnectable = (host: ConnectHost): readonly FormServer[] =>
  host.all.filter(({ status, target }) => status === 'idle' && target.kind !== 'sample')

/** Connects to those that lack no value. The first is looked at. */
export const reconnectAll = (host: ConnectHost): void => {
  const ready = reconnectable(host).filter((server) => isReady(host, server))
  for (const server of ready) host.reconnect(server)
  if (ready[0]) host.goTo(ready[0].link)
}

/** Nothing is missing to connect to it. */
export const isReady = (host: ConnectHost, { draft, missing, target }: FormServer): boolean =>
  draft.dropped.length === 0 &&
  missing.length === 0 &&
  (target.kind !== 'command' || host.proxy.current.state === 'there')

/**
 * What the user typed at launch is connected, now and after a reload; removed once, it stays removed.
 * @param storedKeyOf the same for the same server, without secrets
 */
export const connectLaunched = (host: ConnectHost, target: Target, storedKeyOf: (target: Target) => string): void => {
  const key = storedKeyOf(target)
  const known = host.all.find((server) => server.launch && storedKeyOf(server.target) === key)
  if (known) return void known.connect(target)
  if (SESSION.getItem(LAUNCHED) === key) return
  SESSION.setItem(LAUNCHED, key)
  host.connectNew({ target, launch: true })
}
