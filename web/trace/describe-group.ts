/** Describes an exchange as a row: like its request, with what its other frames add. */
import type { Frame, Seq, Trace } from '../mcp/index.ts'
import { describe } from './describe.ts'
import { clip, hasFailed, isExpected, pairOf, statusOf, type Surroundings } from './facts.ts'
import { findingsOf } from './found.ts'
import type { ExchangeGroup } from './groups.ts'
import type { RowModel, Said } from './row-model.ts'

export interface GroupModel extends RowModel {
  /** ms since the trace began; `to` is absent while the exchange goes on. */
  readonly from: number
  readonly to?: number
  /** How the bar of the waterfall is painted. */
  readonly bar: 'out' | 'in' | 'bad' | 'none'
}

/** Frames of a group whose findings are counted, and whose notes are shown: a call may have thousands of notifications. */
const JUDGED = 200

/** @returns `undefined` if the trace no longer has its frame */
export const describeGroup = (group: ExchangeGroup, trace: Trace, around: Surroundings): GroupModel | undefined => {
  const frame = trace.at(group.main)
  if (!frame) return undefined
  const model = {
    ...describe(frame, around),
    ...found(group, trace, around),
    ...noted(group, around),
    size: group.size || undefined,
  }
  const { size, ...rest } = model
  const faults = faultsIn(group, trace)
  const count: Said = { key: 'faultCount', values: [faults] }
  const marked = faults === 0 ? rest : { ...rest, details: [count, ...rest.details] }
  const row: RowModel = size === undefined ? marked : { ...marked, size }
  if (group.kind === 'connect') return connectModel(group, row, around)
  const status = statusOf(frame, around)
  const told = row.status && statusOfGroup(frame, row.status, around)
  const ended = row.running ? undefined : row.took === undefined ? group.lastAt : group.startedAt + row.took
  const failed = typeof status === 'number' ? hasFailed(frame, around) && status !== 401 : told?.tone === 'bad'
  return {
    ...row,
    ...(told ? { status: told } : {}),
    from: group.startedAt,
    ...(ended === undefined ? {} : { to: Math.max(ended, group.startedAt) }),
    bar: barOf(row, failed),
  }
}

const barOf = ({ sign }: RowModel, failed: boolean): GroupModel['bar'] =>
  failed ? 'bad' : sign === 'out' || sign === 'in' ? sign : 'none'

const found = (group: ExchangeGroup, trace: Trace, around: Surroundings): Pick<RowModel, 'findings'> => {
  const all = group.frames.slice(0, JUDGED).flatMap((seq) => {
    const frame = trace.at(seq)
    // The request repeats the findings of its response.
    if (!frame || pairOf(frame, around)?.request === seq) return []
    return findingsOf(frame, around.findings)
  })
  const keyword = (['MUST', 'SHOULD', 'MAY', 'ADVICE'] as const).find((each) => all.some((one) => one.keyword === each))
  return keyword === undefined ? {} : { findings: { keyword, count: all.length } }
}

/** How many faults were injected: what the row says isn't the server's doing alone. */
const faultsIn = ({ frames, main }: ExchangeGroup, trace: Trace): number =>
  frames.slice(0, JUDGED).filter((seq) => {
    const frame = trace.at(seq)
    return seq !== main && frame?.kind === 'fault' && frame.event === 'injected'
  }).length

/** The first note on one of its frames. */
const noted = ({ frames }: ExchangeGroup, { notes }: Surroundings): Pick<RowModel, 'note'> => {
  if (!notes || notes.size === 0) return {}
  const seq = frames.slice(0, JUDGED).find((each) => notes.has(each))
  return seq === undefined ? {} : { note: clip(notes.get(seq)!) }
}

/** The server asks for a sign-in, which follows: nothing is wrong yet. */
const SIGN_IN_NEEDED = { text: { key: 'signInNeeded' }, tone: 'warn' } as const

const statusOfGroup = (
  frame: Frame,
  status: NonNullable<RowModel['status']>,
  { runs }: Surroundings,
): NonNullable<RowModel['status']> => {
  const carrier = frame.kind === 'message' ? frame.carrier : frame.kind === 'http' ? frame.seq : undefined
  const run = runs.get(carrier ?? -1)
  if (run?.status === 401) return SIGN_IN_NEEDED
  return run && run.resumes.length > 0 && status.tone === 'ok' ? { text: { key: 'resumed' }, tone: 'warn' } : status
}

const connectModel = (group: ExchangeGroup, row: RowModel, { names }: Surroundings): GroupModel => {
  const { outcome, startedAt, endedAt } = group
  const { status: _, took: __, ...rest } = row
  return {
    ...rest,
    sign: 'none',
    what: { key: 'connectRow', values: [names(group.link)] },
    details: row.details.filter(
      (detail) => typeof detail === 'object' && 'key' in detail && detail.key === 'faultCount',
    ),
    tone: outcome === 'failed' ? 'bad' : 'quiet',
    status:
      outcome === 'open'
        ? { text: { key: 'connected' }, tone: 'ok' }
        : outcome === 'failed'
          ? { text: { key: 'connectFailed' }, tone: 'bad' }
          : { text: { key: 'connecting' }, tone: 'plain' },
    ...(endedAt === undefined ? {} : { took: endedAt - startedAt, to: endedAt }),
    running: outcome === undefined,
    from: startedAt,
    bar: outcome === 'failed' ? 'bad' : 'out',
  }
}

/** A frame within an open group. */
export const describeMember = (seq: Seq, trace: Trace, around: Surroundings): GroupModel | undefined => {
  const frame = trace.at(seq)
  if (!frame) return undefined
  const row = describe(frame, around)
  const status = statusOf(frame, around) === 401 ? SIGN_IN_NEEDED : row.status
  const to = row.running ? undefined : frame.at + (isStart(frame, around) ? (row.took ?? 0) : 0)
  return {
    ...row,
    ...(status ? { status } : {}),
    from: frame.at,
    ...(to === undefined ? {} : { to }),
    bar: isExpected(frame, around) ? 'none' : barOf(row, status?.tone === 'bad'),
  }
}

/** Whether the duration of a frame's row begins with it, rather than ends. */
const isStart = (frame: Frame, around: Surroundings): boolean =>
  frame.kind === 'message'
    ? pairOf(frame, around)?.request === frame.seq
    : frame.kind === 'http'
      ? frame.phase === 'request'
      : frame.kind === 'auth' && (frame.event === 'flow' || frame.event === 'step')
