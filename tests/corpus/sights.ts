/** Details of a trace beside the outcome, shortened for the table. */
import { exchanges, foldAll, type Evidence, type Frame, type HeaderList } from '../../web/mcp/index.ts'
import type { HttpSight } from './judge.ts'
import { listOf } from './page-fetch.ts'

/** How the lifecycle and the protocol version were determined. */
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

/** The shutdown steps a process needed. */
export const endOf = (frames: readonly Frame[]): string => {
  const words: string[] = []
  for (const frame of frames) {
    if (frame.kind === 'process' && frame.event === 'ending') words.push(frame.step)
    if (frame.kind === 'process' && frame.event === 'exit') words.push(frame.signal ?? `exit ${frame.code}`)
    if (frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'end-session') {
      words.push(`DELETE ${statusOf(frames, frame) ?? 'unanswered'}`)
    }
  }
  return words.join(' → ')
}

/** Processes that were started, and those whose end was reported. */
export const processesOf = (frames: readonly Frame[]): { readonly pids: readonly number[]; readonly ended: number } => {
  const told = frames.filter((frame) => frame.kind === 'process')
  return {
    pids: told.flatMap((frame) => (frame.event === 'spawn' && frame.pid !== undefined ? [frame.pid] : [])),
    ended: told.filter((frame) => frame.event === 'exit').length,
  }
}

export const oddities = (frames: readonly Frame[]): string[] => {
  const noise = frames.filter((frame) => frame.kind === 'process' && frame.event === 'stdout-noise').length
  const findings = frames.flatMap((frame) => (frame.kind === 'message' ? (frame.findings ?? []) : []))
  const largest = Math.max(0, ...received(frames).map(({ size }) => size))
  const { all, orphans } = foldAll(exchanges, frames)
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

/**
 * Properties of the HTTP responses. Anything hidden from the page is missing from its frames.
 * @param exposed names of exposed headers; absent if they can't be determined, as in a real page
 */
export const httpSight = (frames: readonly Frame[], cors: boolean, exposed?: ReadonlySet<string>): HttpSight => {
  const opened = frames.find((frame) => frame.kind === 'session' && frame.phase === 'open')
  // HTTP+SSE has no session IDs, and the newest protocol version has neither session IDs nor a GET stream.
  if (opened?.kind !== 'session' || opened.phase !== 'open' || opened.transport !== 'Streamable HTTP') return { cors }
  if (opened.peer.era === 'stateless') return { cors }
  const heads = frames.flatMap((frame) => (frame.kind === 'http' && frame.phase === 'response' ? [frame] : []))
  const session = heads.some(({ headers }) => headers.some(([name]) => /^mcp-session-id$/i.test(name)))
  const foreign = heads.some(({ crossOrigin }) => crossOrigin)
  const exposes = exposed?.has('mcp-session-id') || (foreign ? session : heads.some(exposesSessionId))
  const listening = frames.find(
    (frame) => frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'listen',
  )
  const get = listening && statusOf(frames, listening)
  return {
    cors,
    session,
    // A page that sees no ID can't tell whether the header would be exposed.
    ...(foreign && !exposed && !session ? {} : { exposesSessionId: exposes }),
    ...(get === undefined ? {} : { get }),
    eventIds: frames.some((frame) => hasEventId(frame)),
  }
}

const exposesSessionId = ({ headers }: { readonly headers: HeaderList }): boolean =>
  headers.some(([name, value]) => /^access-control-expose-headers$/i.test(name) && listOf(value).has('mcp-session-id'))

const hasEventId = (frame: Frame): boolean =>
  (frame.kind === 'message' && frame.eventId !== undefined) ||
  (frame.kind === 'stream' && frame.event === 'data' && frame.id !== undefined)

const received = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.kind === 'message' && frame.direction === 'received' ? [frame] : []))

const statusOf = (frames: readonly Frame[], { seq }: Frame): number | undefined => {
  for (const frame of frames) {
    if (frame.kind === 'http' && frame.phase === 'response' && frame.request === seq) return frame.status
  }
  return undefined
}

const tally = (words: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => (count === 1 ? word : `${word} ×${count}`)).join(', ')
}
