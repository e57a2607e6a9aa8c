/** What a trace shows beside the outcome, in few words for the table. */
import {
  exchanges,
  foldAll,
  type Evidence,
  type Frame,
  type FrameOf,
  type HeaderList,
  type Trace,
} from '../../web/mcp/index.ts'
import type { HttpSight } from './judge.ts'
import { listOf, type PageFetch } from './page-fetch.ts'

/** How era and revision were found. */
export const evidenceOf = (evidence: readonly Evidence[]): string =>
  evidence.flatMap((seen) => wordsOf(seen) ?? []).join(', ')

const wordsOf = (seen: Evidence): string | undefined => {
  switch (seen.saw) {
    case 'pinned':
      return 'pinned'
    case 'probe': {
      const { code, status, supported } = seen.facts ?? {}
      const facts = [status === undefined ? '' : `HTTP ${status}`, code ?? '', supported ? `names ${supported[0]}` : '']
      return ['probe:', seen.outcome, ...facts].filter((part) => part !== '').join(' ')
    }
    case 'restarted':
      return 'fresh process'
    case 'refused':
      return `refused, names ${seen.supported.join(' ')}`
    case 'transport':
      return `${seen.transport} after HTTP ${seen.status}`
    default:
      return undefined
  }
}

/** Steps of the shutdown that a process needed. */
export const endOf = (trace: Trace): string => {
  const words: string[] = []
  for (const frame of trace) {
    if (frame.kind === 'process' && frame.event === 'ending') words.push(frame.step)
    if (frame.kind === 'process' && frame.event === 'exit') words.push(frame.signal ?? `exit ${frame.code}`)
    if (frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'end-session') {
      words.push(`DELETE ${statusOf(trace, frame) ?? 'unanswered'}`)
    }
  }
  return words.join(' → ')
}

/** Processes that were started, and those whose end was told. */
export const processesOf = (trace: Trace): { readonly pids: readonly number[]; readonly ended: number } => {
  const frames = [...trace].filter((frame) => frame.kind === 'process')
  return {
    pids: frames.flatMap((frame) => (frame.event === 'spawn' && frame.pid !== undefined ? [frame.pid] : [])),
    ended: frames.filter((frame) => frame.event === 'exit').length,
  }
}

export const oddities = (trace: Trace): string[] => {
  const frames = [...trace]
  const noise = frames.filter((frame) => frame.kind === 'process' && frame.event === 'stdout-noise').length
  const findings = frames.flatMap((frame) => (frame.kind === 'message' ? (frame.findings ?? []) : []))
  const largest = Math.max(0, ...received(frames).map(({ size }) => size))
  const { all, orphans } = foldAll(exchanges, trace)
  const asked = all.filter(({ direction }) => direction === 'received').map(({ method }) => `asks ${method}`)
  const told = received(frames).flatMap(({ type, message }) =>
    type === 'notification' ? [String((message as { method?: unknown }).method)] : [],
  )
  return [
    ...(noise > 0 ? [`${noise} noise`] : []),
    ...(findings.length > 0 ? [`${findings.length} findings (${tally(findings.map(({ rule }) => rule))})`] : []),
    ...(asked.length > 0 ? [tally(asked)] : []),
    ...(told.length > 0 ? [tally(told.map((method) => method.replace('notifications/', '')))] : []),
    ...(orphans.size > 0 ? [`${orphans.size} orphans`] : []),
    ...(largest > 200_000 ? [`a message of ${Math.round(largest / 1000)} kB`] : []),
  ]
}

/** What answers over HTTP were like. What a page was not shown is not in the trace. */
export const httpSight = (
  trace: Trace,
  cors: boolean,
  { hidden, exposed }: Pick<PageFetch, 'hidden' | 'exposed'>,
): HttpSight => {
  const frames = [...trace]
  const opened = frames.find((frame) => frame.kind === 'session' && frame.phase === 'open')
  // HTTP+SSE has no session ids, and the newest revision neither these nor listening.
  if (opened?.kind !== 'session' || opened.phase !== 'open' || opened.transport !== 'Streamable HTTP') return { cors }
  if (opened.peer.era === 'stateless') return { cors }
  const heads = frames.flatMap((frame) => (frame.kind === 'http' && frame.phase === 'response' ? [frame] : []))
  const names = new Set(heads.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase())))
  const listening = frames.find(
    (frame): frame is Frame & FrameOf<'http'> =>
      frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'listen',
  )
  const get = listening && statusOf(trace, listening)
  return {
    cors,
    session: names.has('mcp-session-id') || hidden.has('mcp-session-id'),
    ...(get === undefined ? {} : { get }),
    exposesSessionId: exposed.has('mcp-session-id') || heads.some((head) => exposes(head, 'mcp-session-id')),
    eventIds: frames.some((frame) => hasEventId(frame)),
  }
}

const exposes = ({ headers }: { readonly headers: HeaderList }, wanted: string): boolean =>
  headers.some(([name, value]) => /^access-control-expose-headers$/i.test(name) && listOf(value).has(wanted))

const hasEventId = (frame: Frame): boolean =>
  (frame.kind === 'message' && frame.eventId !== undefined) ||
  (frame.kind === 'stream' && frame.event === 'data' && frame.id !== undefined)

const received = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.kind === 'message' && frame.direction === 'received' ? [frame] : []))

const statusOf = (trace: Trace, { seq }: Frame): number | undefined => {
  for (const frame of trace) {
    if (frame.kind === 'http' && frame.phase === 'response' && frame.request === seq) return frame.status
  }
  return undefined
}

const tally = (words: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => (count === 1 ? word : `${word} ×${count}`)).join(', ')
}
