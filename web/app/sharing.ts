/** What sharing a session needs: the head of the live one, and the findings in the frames about to be shared. */
import { placeOfCall } from '../features/calls/index.ts'
import { loadFeatureRules } from '../features/lint.ts'
import { loadLinter } from '../lint/lazy.ts'
import {
  eachInSteps,
  Trace,
  type Exchanges,
  type FindingOrAdvice,
  type Frame,
  type Link,
  type Seq,
} from '../mcp/index.ts'
import { isReferences } from '../secrets/index.ts'
import type { HeadDraft, RecordedReferences, RecordedServer, RecordedTarget } from '../session-file/index.ts'
import { withoutSecrets, type Target } from './connect/index.ts'
import type { Connection } from './server/index.ts'

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

/** The frame of the result that a tab shows: the latest response to a call of its item. `undefined` before the first. */
export const resultAt = (
  { all }: Pick<Exchanges, 'all'>,
  { link, feature, place }: { readonly link: Link; readonly feature: string; readonly place: string },
): Seq | undefined =>
  all.findLast((exchange) => {
    if (exchange.direction !== 'sent' || exchange.link !== link || exchange.response === undefined) return false
    const shown = placeOfCall(exchange)
    return shown?.feature === feature && shown.place === place
  })?.response

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
