/** What sharing a session needs: the head of the live one, and the findings in the frames about to be shared. */
import { placeOfCall } from '../features/calls/index.ts'
import type { TabFeature } from '../features/feature.ts'
import { tabFeatures } from '../features/index.ts'
import { loadFeatureRules } from '../features/lint.ts'
import { loadLinter } from '../lint/lazy.ts'
import {
  eachInSteps,
  exchanges,
  Trace,
  type Exchange,
  type Exchanges,
  type FindingOrAdvice,
  type Frame,
  type Link,
  type Seq,
} from '../mcp/index.ts'
import { isReferences } from '../secrets/index.ts'
import type {
  HeadDraft,
  RecordedReferences,
  RecordedServer,
  RecordedTarget,
  SharedView,
} from '../session-file/index.ts'
import { withoutSecrets, type Target } from './connect/index.ts'
import type { FoldedTrace } from './folded-trace.ts'
import type { Connection, ShownServer } from './server/index.ts'

interface LiveServer {
  readonly link: Link
  readonly name: string
  readonly target: Target
  readonly transport: string | undefined
  /** The variables of the proxy's environment that its target refers to. */
  readonly proxyVariables?: readonly string[]
}

interface Bench {
  readonly trace: Trace
  readonly servers: { readonly all: readonly LiveServer[] }
  readonly connected: { connectionOf(link: Link): Connection | undefined }
}

/** The head of the live session: its time, its tool and its servers, without secrets. @param version the page's version */
export const liveHead = ({ trace, servers, connected }: Bench, version: string): HeadDraft => ({
  begunAt: new Date(trace.begunAt).toISOString(),
  tool: { name: 'mcp-periscope', version },
  // The trace has no frames of servers that were never connected.
  servers: servers.all.filter(({ link }) => connected.connectionOf(link) !== undefined).map(recorded),
})

const recorded = ({ link, name, target, transport, proxyVariables: variables = [] }: LiveServer): RecordedServer => ({
  link,
  name,
  ...(transport === undefined ? {} : { transport }),
  target: recordedTarget(target, variables),
})

/**
 * Keeps the names of headers and variables, of their values only references, and nothing in URLs and arguments that looks secret.
 */
const recordedTarget = (full: Target, names: readonly string[]): RecordedTarget => {
  const { target } = withoutSecrets(full)
  switch (target.kind) {
    case 'url':
      return {
        kind: 'url',
        url: target.url,
        headers: target.headers.map(([name]) => name),
        ...references(names, target.headers),
      }
    case 'command': {
      const { command, args, cwd, env } = target
      return {
        ...{ kind: 'command', command, args, env: Object.keys(env) },
        ...(cwd === undefined ? {} : { cwd }),
        ...references(names, Object.entries(env)),
      }
    }
    case 'custom':
      return { kind: 'custom', url: target.url }
    case 'sample':
      return { kind: 'sample' }
  }
}

const references = (
  names: readonly string[],
  pairs: readonly (readonly [name: string, value: string])[],
): { readonly references?: RecordedReferences } =>
  names.length === 0
    ? {}
    : { references: { names, values: Object.fromEntries(pairs.filter(([, value]) => isReferences(value))) } }

/** What the sharing dialog starts with. */
export interface Sharing {
  readonly frames: readonly Frame[]
  readonly head: HeadDraft
  /** A frame of the exchange that can be shared alone. */
  readonly selected: Seq | undefined
  readonly part: 'session' | 'exchange'
  /** Only this server's frames; absent: those of all servers. */
  readonly link?: Link | undefined
  /** Where the session opens, and where the exchange does, in the words of the page. */
  readonly opens: string
  readonly exchangeOpens: string
}

/** The parts of the window that tell what the user is looking at. */
interface SharedWindow extends Pick<FoldedTrace, 'trace' | 'state'> {
  readonly recording: { readonly whole: FoldedTrace; readonly head: HeadDraft } | undefined
  readonly head: HeadDraft
  readonly shown: ShownServer | undefined
  readonly route: { readonly place: string }
  readonly selectedFrame: Seq | undefined
  /** Number of frames when it was selected. */
  readonly selectedSince: number
  featureOf(server: ShownServer): string
}

/**
 * Of a live session, what the server on screen sent and got is chosen at first: the user may have forgotten the others.
 * It opens at the exchange on screen. An exchange alone has neither the list with its tool nor the same frame numbers, so
 * it is chosen only by who asks for it. A recording is shared as it came.
 * @param asked the user chose to share the exchange of the selected frame
 */
export const sharingOf = (bench: SharedWindow, titleOf: (feature: TabFeature) => string, asked: boolean): Sharing => {
  const { recording, shown: server, selectedFrame: selected } = bench
  const folded = recording?.whole ?? bench
  const { head } = recording ?? bench
  const frames = [...folded.trace]
  const part = asked ? 'exchange' : 'session'
  if (!server) return { frames, head, selected, part, opens: '', exchangeOpens: '' }
  const wordsOf = ({ feature: id, place }: Pick<SharedView, 'feature' | 'place'>): string => {
    const feature = tabFeatures.find((each) => each.id === id)
    return [feature ? titleOf(feature) : '', place].filter(Boolean).join(' › ')
  }
  const { view, exchange } = focusOf(
    folded.state(exchanges).current,
    { link: server.link, feature: bench.featureOf(server), place: bench.route.place },
    selected === undefined ? undefined : { frame: frames[selected], since: recording ? Infinity : bench.selectedSince },
  )
  return {
    frames,
    head: { ...head, view },
    selected: asked ? selected : exchange && (exchange.response ?? exchange.request),
    part,
    link: recording ? undefined : server.link,
    opens: wordsOf(view),
    exchangeOpens: exchange ? wordsOf(placeOfCall(exchange) ?? { feature: 'overview', place: '' }) : '',
  }
}

interface Focus {
  readonly view: SharedView
  /** What the user did or selected last. */
  readonly exchange: Exchange | undefined
}

/**
 * What the user is looking at: the selected frame, unless a call was made since; otherwise the result in the tab.
 * @param selected the frame, and the number of frames when it was selected
 */
export const focusOf = (
  found: Pick<Exchanges, 'all' | 'bySeq'>,
  at: Pick<SharedView, 'link' | 'feature' | 'place'>,
  selected?: { readonly frame: Frame | undefined; readonly since: number },
): Focus => {
  const calls = found.all.filter((each) => each.direction === 'sent' && each.link === at.link && placeOfCall(each))
  const last = calls.at(-1)
  const frame = selected && (!last || last.request < selected.since) ? selected.frame : undefined
  // Without an item in the URL, a tab shows the item it showed last.
  const result = calls.findLast((each) => {
    const { feature, place } = placeOfCall(each)!
    return feature === at.feature && (at.place === '' || (place === at.place && each.response !== undefined))
  })
  const chosen = frame && exchangeAt(found, frame)
  const seq = frame?.seq ?? (result && (result.response ?? result.request))
  const place = at.place || ((result && placeOfCall(result)?.place) ?? '')
  return {
    view: { ...at, place, ...(seq === undefined ? {} : { seq }) },
    exchange: chosen ?? result ?? last,
  }
}

/** The exchange of a message, or of the HTTP request that carried it. */
const exchangeAt = ({ all, bySeq }: Pick<Exchanges, 'all' | 'bySeq'>, frame: Frame): Exchange | undefined => {
  const carrier = ('request' in frame ? frame.request : undefined) ?? frame.seq
  return bySeq.get(frame.seq) ?? bySeq.get(carrier) ?? all.find((each) => each.carrier === carrier)
}

/**
 * Runs the rules over frames outside this window's trace, such as those about to be shared, in slices. Without a negotiated connection, no rules apply.
 */
export const judged = async (frames: readonly Frame[]): Promise<ReadonlyMap<Seq, readonly FindingOrAdvice[]>> => {
  if (!frames.some(isSettling)) return new Map()
  const trace = new Trace()
  await eachInSteps(frames, (frame) => void trace.restore(frame))
  const { lint } = await loadLinter()
  const found = await lint(trace, loadFeatureRules)
  await found.settled()
  found.close()
  return found.current.bySeq
}

const isSettling = (frame: Frame): boolean =>
  (frame.kind === 'session' && (frame.phase === 'open' || frame.phase === 'failed')) ||
  (frame.kind === 'auth' && frame.event === 'done')
