/** The process behind a connection, read from its frames. */
import type { ProcessOutput } from '../../doctor/index.ts'
import type { Frame, FrameOf } from '../../mcp/index.ts'

export interface ProcessFacts extends ProcessOutput {
  readonly spawn?: Extract<FrameOf<'process'>, { event: 'spawn' }>
  readonly exit?: Extract<FrameOf<'process'>, { event: 'exit' }>
  readonly spawnFailed?: Extract<FrameOf<'process'>, { event: 'spawn-failed' }>
  /** Number of lines on stdout that weren't messages. */
  readonly noise: number
  /** It is being ended, so what it had not finished counts as a line. */
  readonly ending?: true
  /** It sent a message while stdin was open. */
  readonly spoke?: true
  /** Processes of this server that ended before, the oldest first. */
  readonly past?: readonly PastProcess[]
  /** The last such line. */
  readonly lastNoise?: ProcessOutput['stdout'][number]
}

export interface PastProcess {
  readonly spawn: NonNullable<ProcessFacts['spawn']>
  readonly exit?: ProcessFacts['exit']
}

const PAST_KEPT = 20

/** Lines stored. A stack trace of Node has some 25, and its first says the most. */
const STDERR_KEPT = 50
const STDOUT_KEPT = 20

export const NO_PROCESS: ProcessFacts = { stderr: [], stdout: [], noise: 0 }

/** The facts after one more frame; the same object if nothing changed. */
export const stepProcess = (facts: ProcessFacts, frame: Frame): ProcessFacts => {
  // A message or a line ends what was unfinished before.
  if (frame.kind === 'message' && frame.direction === 'received') return spoken(facts, frame)
  if (frame.kind !== 'process') return facts
  switch (frame.event) {
    case 'spawn':
      // What comes before is of an earlier process, whose end may arrive after the next attempt has begun.
      return { ...NO_PROCESS, spawn: frame, ...pastOf(facts) }
    case 'spawn-failed':
      return { ...facts, spawnFailed: frame }
    case 'stderr':
      return { ...facts, stderr: [...facts.stderr, { seq: frame.seq, text: frame.text }].slice(-STDERR_KEPT) }
    case 'stdout-noise': {
      const line = { seq: frame.seq, text: frame.text }
      const stdout = [...facts.stdout, line].slice(0, STDOUT_KEPT)
      return { ...finished(facts), stdout, noise: facts.noise + 1, lastNoise: line }
    }
    case 'stdout-unfinished':
      return { ...facts, unfinished: frame }
    case 'ending':
      return { ...facts, ending: true }
    case 'exit':
      return { ...facts, exit: frame }
    default:
      return facts
  }
}

/** Characters of a message that are kept. */
const MESSAGE_KEPT = 300

const spoken = (facts: ProcessFacts, { seq, message }: FrameOf<'message'>): ProcessFacts => {
  if (!facts.spawn) return facts
  if (!facts.ending) return facts.unfinished || !facts.spoke ? { ...finished(facts), spoke: true } : facts
  if (facts.spoke || facts.late || facts.exit) return facts
  return { ...facts, late: { seq, text: (JSON.stringify(message) ?? '').slice(0, MESSAGE_KEPT) } }
}

const pastOf = ({ spawn, exit, past = [] }: ProcessFacts): Pick<ProcessFacts, 'past'> =>
  spawn ? { past: [...past, { spawn, ...(exit ? { exit } : {}) }].slice(-PAST_KEPT) } : {}

const finished = (facts: ProcessFacts): ProcessFacts => (facts.ending ? facts : { ...facts, unfinished: undefined })
