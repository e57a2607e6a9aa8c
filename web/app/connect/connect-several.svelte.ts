/** Connecting to what isn't typed: the sample, the entries of a configuration, what was named at launch, all of before a reload. */
import { browserStorage } from '../browser-storage.ts'
import type { Draft } from './draft.svelte.ts'
import { storedKeyOf } from '../remembered.ts'
import type { Server } from '../server/index.svelte.ts'
import type { Target } from './target.ts'
import { texts } from '../text/texts.svelte.ts'
import type { Workbench } from '../workbench.svelte.ts'

const LAUNCHED = 'periscope.launched'
const SESSION = browserStorage('session')

export const connectSample = (bench: Workbench): void => {
  const known = bench.servers.find((server) => server.target.kind === 'sample')
  if (!known) bench.connectNew({ target: { kind: 'sample' }, name: texts.t.sample })
  else {
    bench.goTo(known.link)
    if (known.status !== 'open' && known.status !== 'connecting') bench.reconnect(known)
  }
}

/** Servers of a configuration. Call it only when all of them were shown with what they run. The first is looked at. */
export const connectEntries = (bench: Workbench, drafts: readonly Draft[]): void => {
  const [first] = drafts.flatMap((draft) => (draft.target ? bench.connectNew({ target: draft.target, draft }) : []))
  if (first) bench.goTo(first.link)
}

/** Those that a reload, or their user, left without a connection, and that were shown with what they run. */
export const reconnectable = (bench: Workbench): readonly Server[] =>
  bench.servers.filter(({ status, target }) => status === 'idle' && target.kind !== 'sample')

/** Connects to those that lack no value. The first is looked at. */
export const reconnectAll = (bench: Workbench): void => {
  const ready = reconnectable(bench).filter((server) => isReady(bench, server))
  for (const server of ready) bench.reconnect(server)
  if (ready[0]) bench.goTo(ready[0].link)
}

/** Nothing is missing to connect to it. */
export const isReady = (bench: Workbench, { draft, missing, target }: Server): boolean =>
  draft.dropped.length === 0 && missing.length === 0 && (target.kind !== 'command' || bench.proxy.state === 'there')

/** What the user typed at launch is connected, now and after a reload; removed once, it stays removed. */
export const connectLaunched = (bench: Workbench, target: Target | undefined): void => {
  if (!target) return
  const key = storedKeyOf(target)
  const known = bench.servers.find((server) => server.launch && storedKeyOf(server.target) === key)
  if (known) return void known.connect(target)
  if (SESSION.getItem(LAUNCHED) === key) return
  SESSION.setItem(LAUNCHED, key)
  bench.connectNew({ target, launch: true })
}
