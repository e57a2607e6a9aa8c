/**
 * Redacts a session before it leaves, in two passes: the first learns the secrets by names and patterns, the second
 * removes them wherever they occur, in any encoding. Each change is listed and can be reverted.
 */
import { pacer } from '../mcp/index.ts'
import type { Frame, FrameOf, HeaderList, Json, Link, MessageFrame } from '../mcp/index.ts'
import { respelled, stringify, type Value, readJson } from '../json/index.ts'
import {
  cleanedText,
  DEFAULT_REDACTIONS,
  Findings,
  Known,
  PlainTexts,
  Rules,
  type Pass,
  type Place,
  type RedactionRule,
} from '../secrets/redaction.ts'
import { JoinedTexts, type Local } from './joined-texts.ts'
import { localPaths } from './local-paths.ts'
import { cleaned, header, listed, text, typedHeader, words } from './redact-json.ts'
import type { RecordedServer, RecordedTarget, SessionHead } from '../session-file/index.ts'

export interface RedactOptions {
  /** Default `DEFAULT_REDACTIONS`. */
  readonly rules?: readonly RedactionRule[]
  /** `key`s of the places where the value found is kept. */
  readonly kept?: ReadonlySet<string>
  /** Values that aren't secrets, wherever they occur. */
  readonly harmless?: ReadonlySet<string>
  /** Frames that aren't shared: secrets in them are also redacted in the shared frames. */
  readonly learnFrom?: Iterable<Frame>
  readonly signal?: AbortSignal
  /** Called now and then, with the number of frames processed; each frame counts once per pass. */
  readonly onprogress?: (done: number, total: number) => void
}

export interface Redacted {
  /** It doesn't list the removals yet: `removed` depends on the part that is shared. */
  readonly head: SessionHead
  readonly frames: readonly Frame[]
  readonly changes: readonly Place[]
  /** Values that look like secrets but were kept. */
  readonly suspects: readonly Place[]
}

const NOTHING: ReadonlySet<string> = new Set()

/** @throws {SyntaxError} a rule's pattern isn't a valid regular expression; or the abort reason of `signal` */
export const redact = async (
  head: SessionHead,
  frames: readonly Frame[],
  options: RedactOptions = {},
): Promise<Redacted> => {
  const { rules = DEFAULT_REDACTIONS, kept = NOTHING, harmless = NOTHING, signal, onprogress } = options
  const learned = [...(options.learnFrom ?? [])]
  const ready = Rules.of(rules)
  const known = new Known()
  const pause = pacer()
  let done = 0
  const afterFrame = async (): Promise<void> => {
    done++
    const paused = pause()
    if (!paused) return
    onprogress?.(done, learned.length + 2 * frames.length)
    await paused
    signal?.throwIfAborted()
  }
  const plain = new PlainTexts()
  const learningPass: Pass = { rules: ready, known, findings: new Findings(NOTHING, NOTHING), learning: true, plain }
  for (const { id, value } of ready.values) known.learn(value, id, true)
  if (ready.paths !== undefined) for (const path of localPaths(head, frames)) known.learn(path, ready.paths, true)
  cleanHead(head, learningPass)
  const typed = typedHeaders(head)
  let locals: Local | undefined
  // The frames come last: their lines are the ones that are redacted.
  for (const source of [learned, frames]) {
    const joined = new JoinedTexts(learningPass)
    for (const frame of source) {
      joined.add(frame)
      cleanFrame(frame, learningPass, typed)
      joined.whole(frame)
      await afterFrame()
    }
    joined.end()
    locals = joined.local
  }
  const findings = new Findings(kept, harmless)
  const redactPass: Pass = { rules: ready, known, findings, learning: false, plain }
  const cleanedHead = cleanHead(head, redactPass)
  const clean: Frame[] = []
  for (const frame of frames) {
    findings.seq = frame.seq
    const local = locals?.get(frame.seq)
    clean.push(cleanFrame(frame, local ? { ...redactPass, local } : redactPass, typed))
    await afterFrame()
  }
  return { head: cleanedHead, frames: clean, changes: findings.changes, suspects: findings.suspects }
}

/** True if a value of the type can contain any text, and not only one of a fixed list. */
type AnyText<T> = T extends string ? (string extends T ? true : never) : T extends object ? true : never

type TextMembers<F> = F extends unknown
  ? { [K in keyof F]-?: [AnyText<NonNullable<F[K]>>] extends [never] ? never : K }[keyof F]
  : never

/**
 * Who wrote the text in each member of a frame. Every member that can contain any text must be listed: a new one that was
 * forgotten would leave unredacted. `cleanFrame` has a separate rule for those marked `apart`.
 */
const WRITTEN_BY: {
  readonly [K in Frame['kind']]: Readonly<Record<Exclude<TextMembers<FrameOf<K>>, 'link'>, 'others' | 'us' | 'apart'>>
} = {
  message: {
    eventId: 'others',
    eventName: 'others',
    findings: 'others',
    cleared: 'others',
    released: 'others',
    message: 'apart',
    raw: 'apart',
    limits: 'us',
    omitted: 'us',
  },
  http: {
    method: 'others',
    url: 'others',
    body: 'others',
    redirectedTo: 'others',
    statusText: 'others',
    error: 'others',
    aborted: 'others',
    headers: 'apart',
    omitted: 'us',
    timings: 'us',
    proxy: 'others',
  },
  stream: {
    id: 'others',
    name: 'others',
    data: 'others',
    text: 'others',
    lastEventId: 'others',
    stray: 'others',
    why: 'apart',
    omitted: 'us',
  },
  process: {
    command: 'others',
    cwd: 'others',
    env: 'others',
    inherited: 'others',
    code: 'others',
    explanation: 'others',
    text: 'others',
    stderr: 'others',
    what: 'others',
    requests: 'others',
    args: 'apart',
    signal: 'us',
  },
  transport: {
    transport: 'others',
    url: 'others',
    subprotocol: 'others',
    explanation: 'others',
    what: 'others',
    reason: 'others',
    why: 'others',
    requests: 'others',
    code: 'us',
  },
  session: {
    peer: 'others',
    transport: 'others',
    explanation: 'others',
    details: 'others',
    evidence: 'others',
    tool: 'others',
    files: 'others',
    why: 'apart',
    code: 'us',
    policy: 'us',
  },
  fault: {
    faults: 'others',
    removed: 'others',
    original: 'others',
  },
  auth: {
    checks: 'others',
    fault: 'others',
    learned: 'others',
    details: 'others',
    findings: 'others',
    flow: 'us',
    grant: 'us',
    steps: 'us',
  },
}

const byOthers = (kind: Frame['kind']): readonly string[] =>
  Object.entries(WRITTEN_BY[kind]).flatMap(([name, by]) => (by === 'others' ? [name] : []))

const WRITTEN: Readonly<Record<Frame['kind'], readonly string[]>> = {
  message: byOthers('message'),
  http: byOthers('http'),
  stream: byOthers('stream'),
  process: byOthers('process'),
  transport: byOthers('transport'),
  session: byOthers('session'),
  auth: byOthers('auth'),
  fault: byOthers('fault'),
}

/** The header names that the user set, per connection, in lower case. */
const typedHeaders = ({ servers }: SessionHead): ReadonlyMap<Link, ReadonlySet<string>> =>
  new Map(
    servers.map(({ link, target }) => [
      link,
      new Set(target?.kind === 'url' ? target.headers.map((name) => name.toLowerCase()) : []),
    ]),
  )

const cleanFrame = (frame: Frame, pass: Pass, typed: ReturnType<typeof typedHeaders>): Frame => {
  const fields = frame as unknown as Readonly<Record<string, Value | undefined>>
  let copy: Record<string, Value | undefined> | undefined
  const put = (name: string, value: Value): void => {
    if (value !== fields[name]) (copy ??= { ...fields })[name] = value
  }
  const { findings } = pass
  for (const name of WRITTEN[frame.kind]) {
    const value = fields[name]
    if (value === undefined || typeof value === 'number') continue
    findings.at(name, () => put(name, cleaned(value, pass)))
  }
  if ('headers' in frame) {
    const own = frame.kind === 'http' && frame.phase === 'request' ? typed.get(frame.link) : undefined
    const clean = (pair: HeaderList[number]) =>
      own?.has(pair[0].toLowerCase()) ? typedHeader(pair, pass) : header(pair, pass)
    findings.at('headers', () => put('headers', listed(frame.headers, clean, pass)))
  }
  if ('args' in frame) {
    const program = 'command' in frame ? frame.command : ''
    findings.at('args', () => put('args', words(frame.args, pass, { depth: 0 }, true, program)))
  }
  // In other frames, `why` is one of our own words.
  if (
    'why' in frame &&
    (frame.kind === 'session' || (frame.kind === 'stream' && frame.event !== 'close')) &&
    !('explanation' in frame)
  ) {
    findings.at('why', () => put('why', text(frame.why, pass)))
  }
  const rest = copy ? (copy as unknown as Frame) : frame
  return rest.kind === 'message' ? cleanMessage(rest, pass) : rest
}

/** Keeps the value and its exact text consistent. */
const cleanMessage = (frame: MessageFrame, pass: Pass): Frame => {
  const { findings } = pass
  const { message, raw } = frame
  const value = message === undefined ? undefined : findings.at('message', () => cleaned(message, pass))
  if (raw === undefined) return value === message ? frame : { ...frame, message: value as Json }
  if (message === undefined) {
    const clean = findings.at('raw', () => text(raw, pass))
    return clean === raw ? frame : { ...frame, raw: clean }
  }
  let read: ReturnType<typeof readJson> | undefined
  try {
    read = readJson(raw)
  } catch {
    // Too deep, too long or truncated for the reader, so only the value is used.
  }
  if (!read) return value === message ? frame : { ...frame, message: value as Json, raw: JSON.stringify(value) }
  if (value === message) {
    // A duplicate member exists only in the text.
    const twice = read.repeated.length > 0 && findings.at('raw', () => cleanedText(raw, pass, () => undefined)) !== raw
    return twice ? { ...frame, raw: stringify(read.value) } : frame
  }
  const was = findings.quiet
  findings.quiet = true
  const written = findings.at('message', () => cleaned(read.value, pass))
  findings.quiet = was
  const whole = read.repeated.length > 0 ? undefined : respelled(raw, read.value, written)
  return { ...frame, message: value as Json, raw: whole ?? stringify(written) }
}

/** The parts of the head that contain user text. */
const cleanHead = (head: SessionHead, pass: Pass): SessionHead => {
  const { name, notes, bookmarks, servers, view, more, ...rest } = head
  const written = { name, notes, bookmarks, view, more }
  const entries = Object.entries(written).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [[key, pass.findings.at(key, () => cleaned(value as unknown as Value, pass))] as const]
  })
  const cleanedServers = pass.findings.at('servers', () => listed(servers, (one) => cleanServer(one, pass), pass))
  return { ...rest, ...Object.fromEntries(entries), servers: cleanedServers }
}

/** Its target lists the names of headers or variables. Two of them aren't a name and its value, as they are elsewhere. */
const cleanServer = (server: RecordedServer, pass: Pass): RecordedServer => {
  const { target } = server
  const key = target?.kind === 'url' ? 'headers' : target?.kind === 'command' ? 'env' : undefined
  if (key === undefined) return cleaned(server as unknown as Value, pass) as unknown as RecordedServer
  const names = (target as unknown as Readonly<Record<string, readonly string[]>>)[key]!
  const { findings } = pass
  const kept = findings.at('target', () => findings.at(key, () => listed(names, (name) => text(name, pass), pass)))
  const rest = cleaned({ ...server, target: { ...target, [key]: [] } } as unknown as Value, pass)
  const clean = rest as unknown as RecordedServer
  return { ...clean, target: { ...clean.target, [key]: kept } as RecordedTarget }
}
