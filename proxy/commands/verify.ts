/**
 * `periscope verify`: resends the steps of a recording and compares the responses, both by
 * `web/replay/rerun.ts` and `web/replay/diff.ts`.
 * Exit code 0: all passed. 1: something differs. 2: it could not run.
 */
import { readFile } from 'node:fs/promises'
import { exchanges, foldAll, isObject, messageOf, utf8Length } from '../../web/mcp/index.ts'
import type { Frame, Json, JsonObject, Link, MessageFrame, Revision } from '../../web/mcp/index.ts'
import {
  DEFAULT_RULES,
  diffOf,
  jsonReport,
  junitReport,
  type Outcome,
  repeatable,
  rerun,
  rulesFrom,
  sarifReport,
  type Step,
  type StepReport,
  summaryOf,
  textReport,
  type Variables,
  type VerifyReport,
  type VolatileRule,
} from '../../web/replay/index.ts'
import { parsedUrl } from '../../web/mcp/url.ts'
import { visible } from '../../web/ui/index.ts'
import { type SessionHead, sessionText } from '../../web/session-file/index.ts'
import { CannotRun, describeDamage, readRecording, type Recording, writeAtomically } from './recording-file.ts'
import { nodeValidator } from './node-validator.ts'
import { redact } from '../../web/share/index.ts'
import type { Child } from '../stdio-child.ts'
import { explainFailure } from './connect-failure.ts'
import { type ConnectedServer, Connections, SpecRules } from './connections.ts'
import { destinationOf } from './destinations.ts'
import { loadTransport, type LoadedTransport } from '../transport-module.ts'
import type { VerifyOptions } from '../cli.ts'

/** Replaces recorded responses with current ones, where only the responses differ. */
interface UpdateResult {
  readonly head: SessionHead
  readonly frames: readonly Frame[]
  /** Steps whose response was replaced. */
  readonly replaced: readonly StepReport[]
}

/** Uses the last run of each step. A step without a response, recorded or current, stays: it needs a new recording. */
function updateResponses({ head, frames, steps }: Recording, reports: readonly StepReport[]): UpdateResult {
  const outcomes = new Map<string, Outcome>()
  const taken: StepReport[] = []
  for (const report of reports) {
    const { step, verdict, outcome } = report
    const answered = outcome && ('result' in outcome || 'error' in outcome) ? outcome : undefined
    if (verdict !== 'different' || !answered) continue
    outcomes.set(step.id, answered)
    taken.push(report)
  }
  if (isObject(head.more?.collection)) {
    const held = steps.map((step) => withOutcome(step, outcomes.get(step.id)))
    const collection = { ...head.more.collection, steps: held as unknown as Json }
    return { head: { ...head, more: { ...head.more, collection } }, frames, replaced: taken }
  }
  return { head, frames: replaceResponses(frames, steps, outcomes), replaced: taken }
}

function withOutcome(step: Step, outcome: Outcome | undefined): Step {
  return outcome ? { ...step, recorded: { ...outcome, took: Math.round(outcome.took) } } : step
}

/** The frames with the new responses in place. */
function replaceResponses(
  frames: readonly Frame[],
  steps: readonly Step[],
  outcomes: ReadonlyMap<string, Outcome>,
): readonly Frame[] {
  const { bySeq } = foldAll(exchanges, frames)
  const follower = new Map<number, number>()
  for (const frame of frames) {
    if (frame.kind === 'message' && frame.follows !== undefined) follower.set(frame.follows, frame.seq)
  }
  const changed = [...frames]
  for (const [id, outcome] of outcomes)
    if (id.startsWith(HANDSHAKE) && 'result' in outcome)
      replaceHandshake(changed, id.slice(HANDSHAKE.length), outcome.result)
  for (const { id, seq } of steps) {
    const outcome = outcomes.get(id)
    if (!outcome || seq === undefined) continue
    let last = seq
    for (let next = follower.get(last); next !== undefined && next > last; next = follower.get(next)) last = next
    const exchange = bySeq.get(last)
    const frame = exchange?.response === undefined ? undefined : changed[exchange.response]
    if (!exchange || frame?.kind !== 'message') continue
    changed[frame.seq] = replaceResponse(frame, exchange.id, outcome)
  }
  return changed
}

/** What the server said of itself, in its response and in what was learned from it. */
function replaceHandshake(
  frames: Frame[],
  link: Link,
  { protocolVersion, serverInfo, capabilities, instructions }: JsonObject,
): void {
  const { all } = foldAll(exchanges, frames)
  for (const [at, frame] of frames.entries()) {
    if (frame.link !== link || frame.kind !== 'session' || frame.phase !== 'open') continue
    const { instructions: _, ...peer } = frame.peer
    frames[at] = {
      ...frame,
      peer: {
        ...peer,
        revision: protocolVersion as Revision,
        info: serverInfo as JsonObject,
        capabilities: capabilities as JsonObject,
        ...(typeof instructions === 'string' ? { instructions } : {}),
      },
    }
  }
  for (const { method, link: of, response, id } of all) {
    const frame = response === undefined ? undefined : frames[response]
    if (of !== link || method !== 'initialize' || frame?.kind !== 'message' || !isObject(frame.message)) continue
    const result = {
      protocolVersion,
      capabilities,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    }
    frames[frame.seq] = replaceResponse(frame, id, { took: 0, result: result as JsonObject })
  }
}

function replaceResponse(frame: MessageFrame, id: string | number, outcome: Outcome): MessageFrame {
  const response = responseOf(id, outcome)
  const { raw: _, findings: __, ...rest } = frame
  const message = Array.isArray(frame.message)
    ? (frame.message as readonly Json[]).map((part) => (isObject(part) && part.id === id ? response : part))
    : response
  const type = Array.isArray(message) ? 'batch' : 'error' in outcome ? 'error' : 'result'
  return { ...rest, type, message, size: utf8Length(JSON.stringify(message)) }
}

function responseOf(id: string | number, outcome: Outcome): JsonObject {
  if ('error' in outcome) return { jsonrpc: '2.0', id, error: outcome.error as unknown as JsonObject }
  return { jsonrpc: '2.0', id, result: 'result' in outcome ? outcome.result : {} }
}

export interface Output {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** @returns the exit code; files, servers and user input never make it throw */
export async function verify(options: VerifyOptions, { out, err }: Output, signal?: AbortSignal): Promise<number> {
  const children = new Set<Child>()
  const kill = () => children.forEach((child) => child.kill())
  process.on('exit', kill)
  let connections: Connections | undefined
  const stop = () => void connections?.close()
  signal?.addEventListener('abort', stop)
  try {
    const recording = await readRecording(options.file, signal)
    const steps = selectSteps(recording, options)
    const rules = await rulesFor(recording, options.rules)
    const modules = await modulesOf(options.transports)
    const { trace } = (connections = new Connections(recording))
    for (const link of new Set(steps.map((step) => step.link))) {
      const destination = destinationOf(link, recording, { ...options, modules }, (child) => children.add(child))
      await connections.open(link, destination, signal).catch(async (error: unknown) => {
        throw new CannotRun(await explainFailure(error, destination, [...trace], link, recording.head))
      })
    }
    const report = await compare(recording, steps, rules, connections, options, signal)
    signal?.throwIfAborted()
    if (options.junit !== undefined) await writeAtomically(options.junit, [junitReport(report)])
    if (options.sarif !== undefined) await writeAtomically(options.sarif, [sarifReport(report)])
    out(options.json ? jsonReport(report) : textReport(report))
    const left = options.update
      ? await updateRecording(recording, report, { out: options.json ? err : out, err })
      : report
    // What is missing could have failed. The steps of a collection are in the head, so all of them are there.
    const inFrames = !isObject(recording.head.more?.collection)
    const lost = inFrames && recording.damage.some(({ code }) => code !== 'newer-version') && !options.partial
    if (lost) err('periscope verify: the recording is not whole, so this is no pass. Add --partial to accept it.\n')
    return summaryOf(left).ok && !lost ? 0 : 1
  } catch (error) {
    if (signal?.aborted) {
      err('periscope verify: interrupted before a result.\n')
      return 2
    }
    if (!(error instanceof CannotRun)) throw error
    err(`periscope verify: ${error.message}\n`)
    return 2
  } finally {
    signal?.removeEventListener('abort', stop)
    await connections?.close()
    await Promise.all(Array.from(children, (child) => child.end()))
    process.off('exit', kill)
  }
}

/** @throws {CannotRun} a module can't be loaded */
async function modulesOf(files: readonly string[]): Promise<readonly LoadedTransport[]> {
  try {
    return await Promise.all(files.map(loadTransport))
  } catch (error) {
    throw new CannotRun(messageOf(error))
  }
}

/** @throws {CannotRun} there are none, or they are of several servers and only one was given */
function selectSteps(recording: Recording, { link, target, headers }: VerifyOptions): readonly Step[] {
  const { steps, file } = recording
  const some = link === undefined ? steps : steps.filter((step) => step.link === link)
  const links = [...new Set(steps.map((step) => step.link))]
  if (some.length === 0) {
    throw new CannotRun(
      link === undefined
        ? `\`${file}\` has no steps: it contains no requests to a server.`
        : `\`${file}\` has no steps of connection ${link}. Its connections are ${links.join(', ') || 'none'}.`,
    )
  }
  if (link !== undefined || links.length === 1) return some
  const given = target ? 'one server was given' : '--header was given, which may hold a secret of one of them'
  if (target || (headers.length > 0 && originsOf(recording, links).size > 1)) {
    throw new CannotRun(
      `\`${file}\` has steps of ${links.length} connections, but ${given}. Choose a connection with --link:\n${listOf(recording, links)}`,
    )
  }
  return some
}

function originsOf({ head }: Recording, links: readonly Link[]): ReadonlySet<string> {
  const recorded = head.servers.filter((server) => links.includes(server.link))
  return new Set(
    recorded.flatMap(({ target }) => (target?.kind === 'url' ? (parsedUrl(target.url)?.origin ?? '') : [])),
  )
}

/** Requests shown of a connection. */
const MOST_SHOWN = 4

/** A line for each connection: its name, its kind, and what was called. */
function listOf({ head, steps }: Recording, links: readonly Link[]): string {
  const lines = links.map((link) => {
    const { name = '', target } = head.servers.find((server) => server.link === link) ?? {}
    const kind = target?.kind === 'url' ? 'HTTP' : target?.kind === 'command' ? 'stdio' : (target?.kind ?? '')
    const own = steps.filter((step) => step.link === link)
    // Every server has lists, so what is named says more.
    const titles = own.map(({ method, params }) => {
      const subject = params?.name ?? params?.uri
      return typeof subject === 'string' ? { rank: 0, text: `${method} ${subject}` } : { rank: 1, text: method }
    })
    const shown = [...new Set(titles.toSorted((one, other) => one.rank - other.rank).map(({ text }) => text))]
    const more = shown.length > MOST_SHOWN ? ', …' : ''
    const sent = `${own.length} ${own.length === 1 ? 'step' : 'steps'}: ${shown.slice(0, MOST_SHOWN).join(', ')}${more}`
    const parts = [link, name, kind, sent].filter((part) => part !== '')
    return `  --link ${parts.map((part) => visible(part, 200)).join('  ')}`
  })
  return lines.join('\n')
}

/** Names of several servers, to tell their steps apart; empty for one. */
function labelsOf({ head }: Recording, links: readonly Link[]): ReadonlyMap<Link, string> {
  if (links.length < 2) return new Map()
  const names = links.map((link) => head.servers.find((server) => server.link === link)?.name ?? link)
  return new Map(
    links.map((link, at) => {
      const name = names[at]!
      return [link, names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${link})`]
    }),
  )
}

/** The recording's rules, or the defaults, and the user's. If two have the same ID, the later one wins. */
async function rulesFor({ rules }: Recording, file: string | undefined): Promise<VolatileRule[]> {
  const all = new Map<string, VolatileRule>()
  for (const rule of rules ?? DEFAULT_RULES) all.set(rule.id, rule)
  if (file === undefined) return [...all.values()]
  let value: Json
  try {
    value = JSON.parse(await readFile(file, 'utf8')) as Json
  } catch (error) {
    throw new CannotRun(`Can't read the rules in \`${file}\`: ${messageOf(error)}.`)
  }
  const list = Array.isArray(value) ? value : (value as JsonObject | null)?.rules
  const own = rulesFrom(list)
  if (own.length === 0 || own.length !== (list as readonly Json[]).length) {
    throw new CannotRun(
      `\`${file}\` must contain an array of rules, such as [{ "id": "build", "where": "/**/build", "accept": "any" }].`,
    )
  }
  for (const rule of own) all.set(rule.id, rule)
  return [...all.values()]
}

async function compare(
  recording: Recording,
  steps: readonly Step[],
  rules: readonly VolatileRule[],
  connections: Connections,
  options: VerifyOptions,
  signal: AbortSignal | undefined,
): Promise<VerifyReport> {
  const [begun, begunAt] = [performance.now(), new Date().toISOString()]
  const lint = await SpecRules.over(connections.trace)
  const reports: StepReport[] = []
  const mayRepeat = options.calibrate
    ? (step: Step) => repeatable(recording.frames, connections.trace)(step)
    : undefined
  const running = rerun(steps, {
    session: (link) => connections.all.get(link)?.session,
    rules,
    variables: options.variables as Variables,
    script: (answers, link) => connections.script(answers, link),
    validate: schemaFault,
    musts: (link, from) => lint.musts(link, from),
    begunAt: Date.parse(recording.head.begunAt) || undefined,
    mayRepeat,
    signal,
  })
  for await (const report of running) reports.push(report)
  for (const server of connections.all.values()) {
    const changed = await handshakeReport(server, recording.frames, rules)
    if (changed) reports.unshift(changed)
  }
  const whole = recording.frames.length > 0 && recording.damaged === 0
  const labels = labelsOf(recording, [...connections.all.keys()])
  return {
    file: options.file,
    server: [...new Set(Array.from(connections.all.values(), ({ destination }) => destination.name))].join(', '),
    begunAt,
    took: performance.now() - begun,
    steps: reports,
    // A partial session can't tell which violations the rest of it had.
    broken: whole && (recording.head.part ?? 'session') === 'session' ? await lint.newMusts(recording.frames) : [],
    notes: [
      ...describeDamage(recording).map((line) => `the recording is damaged: ${line}`),
      ...Array.from(connections.all).flatMap(([link, server]) => {
        const label = labels.get(link)
        return peerNotes(server).map((note) => (label === undefined ? note : `${label}: ${note}`))
      }),
    ],
    ...(labels.size > 0 ? { label: ({ link }: Step) => labels.get(link) } : {}),
    tool: { name: 'Periscope', version: __VERSION__ },
    // Line 1 is the head.
    ...(whole ? { line: ({ seq }: Step) => (seq === undefined ? undefined : seq + 2) } : {}),
  }
}

/** The server's description isn't a step, but it helps to explain differences. */
function peerNotes({ peer, recorded }: ConnectedServer): string[] {
  const named = ({ name, version }: JsonObject) => [name, version].filter((part) => typeof part === 'string').join(' ')
  const now = `${named(peer.info) || 'The server'}, protocol version ${peer.revision}`
  const { peer: before } = recorded
  if (!before) return [now]
  const was = `${named(before.info) || 'The server'}, protocol version ${before.revision}`
  const same = (part: 'capabilities' | 'instructions') => JSON.stringify(peer[part]) === JSON.stringify(before[part])
  return [
    now === was ? now : `${now}; recorded: ${was}`,
    ...(same('capabilities') ? [] : ['its capabilities differ from the recording']),
    ...(same('instructions') ? [] : ['its instructions differ from the recording']),
  ]
}

/** The report's step that compares what the server says of itself. */
const HANDSHAKE = 'handshake '

/** What a server says of itself when it is connected; present if it differs from what it said in the recording. */
async function handshakeReport(
  { peer, recorded, session }: ConnectedServer,
  frames: readonly Frame[],
  rules: readonly VolatileRule[],
): Promise<StepReport | undefined> {
  const { peer: before } = recorded
  if (!before) return undefined
  const [was, is] = [describe(before), describe(peer)]
  const method = before.revision === '2026-07-28' ? 'server/discover' : 'initialize'
  const { differences, more } = await diffOf(was, is, { rules, method })
  // A client that doesn't know of a new capability is none the worse for it.
  const judged = differences.map((each) =>
    each.kind === 'added' && each.pointer.startsWith('/capabilities/')
      ? { ...each, accepted: 'new-capabilities' }
      : each,
  )
  const counting = judged.filter(({ accepted }) => accepted === undefined).length
  if (counting === 0) return undefined
  const asked = frames.find(
    (frame) =>
      frame.kind === 'message' &&
      frame.link === session.link &&
      frame.direction === 'sent' &&
      isObject(frame.message) &&
      frame.message.method === method,
  )
  const step: Step = {
    ...(asked ? { seq: asked.seq } : {}),
    id: HANDSHAKE + session.link,
    name: 'handshake',
    link: session.link,
    kind: 'request',
    method,
    recorded: { took: 0, result: was },
  }
  const outcome: Outcome = { took: 0, result: is }
  const diff = { differences: judged, counting, more }
  return { step, run: 1, verdict: 'different', passed: false, outcome, diff, expectations: [], extra: [], unasked: [] }
}

function describe({ info, capabilities, instructions, revision }: ConnectedServer['peer']): JsonObject {
  return {
    protocolVersion: revision,
    capabilities,
    serverInfo: info,
    ...(instructions === undefined ? {} : { instructions }),
  }
}

async function schemaFault(schema: JsonObject, value: Json): Promise<string | undefined> {
  const { state, problems, unchecked } = await nodeValidator.validate(schema, value)
  if (state === 'valid') return undefined
  if (unchecked) return unchecked.message
  const errors = problems.filter(({ severity }) => severity === 'error')
  return errors.map(({ pointer, message }) => `${pointer === '' ? '' : `${pointer}: `}${message}`).join('; ')
}

/** @returns the report of the remaining differences */
async function updateRecording(recording: Recording, report: VerifyReport, { out }: Output): Promise<VerifyReport> {
  const failed = report.steps.filter(({ passed }) => !passed)
  if (failed.length === 0) return report
  const lost = recording.damage.find(({ code }) => code !== 'truncated')
  if (lost) {
    throw new CannotRun(`\`${recording.file}\` is damaged, and rewriting it would lose more of it. Record it again.`)
  }
  const { head, frames, replaced } = updateResponses(recording, report.steps)
  // Redact the new responses only: the recording was redacted before.
  const clean = await redactNew(head, frames, recording)
  await writeAtomically(recording.file, sessionText(clean.head, clean.frames))
  const rest = failed.filter((each) => !replaced.includes(each) || each.expectations.some(({ met }) => !met))
  const remaining =
    rest.length === 0 ? '' : ` ${rest.length} still differ. Steps without a response need a new recording.`
  out(
    `Updated ${replaced.length} ${replaced.length === 1 ? 'response' : 'responses'} in ${recording.file}.${remaining}\n`,
  )
  return { ...report, steps: [...report.steps.filter(({ passed }) => passed), ...rest], broken: [] }
}

async function redactNew(
  head: Recording['head'],
  frames: readonly Frame[],
  recording: Recording,
): Promise<{ readonly head: Recording['head']; readonly frames: readonly Frame[] }> {
  const cleaned = await redact(head, frames)
  const changed = cleaned.frames.map((frame, at) =>
    frames[at] === recording.frames[at] ? recording.frames[at]! : frame,
  )
  return { head: frames === recording.frames ? cleaned.head : head, frames: changed }
}
