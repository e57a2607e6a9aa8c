/**
 * `periscope record --out FILE -- COMMAND`: runs in place of a stdio server. Bytes pass unchanged in both directions, and so
 * do the end of stdin, signals and the exit code. Data is forwarded before it is recorded.
 */
import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import spawn from 'cross-spawn'
import { variablesIn, withVariables } from '../env-references.ts'
import { LIMITS } from '../limits.ts'
import { LineSplitter, type LostLine } from '../lines.ts'
import { ProcessTree } from '../process-tree.ts'
import { Refusal } from '../refusal.ts'
import { explainSpawn } from '../spawn-failure.ts'
import { STDERR_TAIL, STDERR_TAIL_LENGTH } from '../stdio-child.ts'
import { FrameFile, WriteQueue } from './frame-file.ts'
import { MessageRecorder } from './message-recorder.ts'
import type { RecordOptions } from '../cli.ts'

export interface RecordStreams {
  readonly input: Readable
  readonly output: Writable
  readonly errors: Writable
}

export interface ExitResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const WINDOWS = process.platform === 'win32'
/** ms between a signal and SIGKILL. Clients kill the recorder soon after, and then it can't kill the server any more. */
const GRACE = { SIGTERM: 1500, SIGHUP: 1500, SIGINT: 5000, SIGQUIT: 1500 } as const
/** ms of silence after which the output of an exited server counts as complete. */
const DRAIN = 500

type StdioRecordOptions = RecordOptions & { readonly from: Extract<RecordOptions['from'], { kind: 'command' }> }

/** @param signals subscribes a listener to signals @throws {CannotRun} the file can't be created */
export async function recordStdio(
  options: StdioRecordOptions,
  { input, output, errors }: RecordStreams,
  signals: (listener: (signal: keyof typeof GRACE) => void) => void,
): Promise<ExitResult> {
  const { command, args } = options.from
  const say = (text: string) => void errors.write(`periscope record: ${text}\n`)
  const cwd = process.cwd()
  const names = args.flatMap(variablesIn)
  let resolved: readonly string[]
  try {
    resolved = args.map((word) => withVariables(word, names))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(`the environment variable in ${args.filter((word) => variablesIn(word).length > 0).join(' ')} isn't set`)
    return { code: 2, signal: null }
  }
  const references = names.length > 0 ? { references: { names, values: {} } } : {}
  const target = { kind: 'command', command, args, cwd, env: [], ...references } as const
  const server = { link: 's1', name: serverName(options.from), transport: 'stdio', target }
  const file = await FrameFile.create(options, server, (why) => say(`recording stopped: ${why}`))
  if (file.path !== options.out) say(`${options.out} exists, recording to ${file.path} instead`)
  const messages = new MessageRecorder(file, 's1', 'stdio')
  const { tap } = messages

  const tree = new ProcessTree()
  const child: ChildProcess = spawn(command, [...resolved], {
    env: { ...process.env, ...tree.environment },
    stdio: 'pipe',
    detached: !WINDOWS,
    windowsHide: true,
  })
  if (child.pid !== undefined) tree.start(child.pid)
  const started = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    child.once('spawn', () => resolve(undefined))
    child.once('error', resolve)
  })
  if (started) {
    const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']))
    const { message, error } = explainSpawn({ command, args, cwd, env }, started)
    say(error.remedy === undefined ? message : `${message} ${error.remedy}`)
    tap.append({ kind: 'process', event: 'spawn-failed', command, code: error.code, explanation: message })
    file.end()
    return { code: started.code === 'EACCES' ? 126 : 127, signal: null }
  }
  tap.append({ kind: 'process', event: 'spawn', command, args, cwd, env: [], pid: child.pid ?? 0 })

  const queue = new WriteQueue()
  const stderrTail: string[] = []
  const lost =
    (stream: string) =>
    ({ size }: LostLine) =>
      queue.run(() => void tap.append({ kind: 'process', event: 'lost', what: `A line of ${stream}`, size }))
  const clientLines = new LineSplitter(LIMITS.line, {
    line: ({ text }) => text.trim() !== '' && queue.run(() => messages.sent(text)),
    lost: lost('stdin'),
  })
  const serverLines = new LineSplitter(LIMITS.line, {
    line: ({ text, invalidUtf8 }) => queue.run(() => messages.line(text, invalidUtf8)),
    lost: lost('stdout'),
  })
  const stderrLines = new LineSplitter(LIMITS.line, {
    line: ({ text }) => {
      if (stderrTail.push(text.slice(0, STDERR_TAIL_LENGTH)) > STDERR_TAIL) stderrTail.shift()
      queue.run(() => void tap.append({ kind: 'process', event: 'stderr', text }))
    },
    lost: lost('stderr'),
  })

  let endedBy: 'client' | 'signal' | undefined
  let lastOutputAt = Date.now()
  const clientGone = () => {
    endedBy ??= 'client'
    clientLines.end()
    child.stdin!.end()
    queue.run(() => void tap.append({ kind: 'process', event: 'ending', step: 'stdin-closed' }))
  }
  forward(input, child.stdin!, (chunk) => clientLines.push(chunk), clientGone)
  const readLines = (lines: LineSplitter) => (chunk: Buffer) => {
    lastOutputAt = Date.now()
    lines.push(chunk)
  }
  forward(child.stdout!, output, readLines(serverLines), () => serverLines.end())
  forward(child.stderr!, errors, readLines(stderrLines), () => stderrLines.end())
  // A client that no longer reads has gone, so it won't send anything either.
  output.once('error', clientGone)
  errors.on('error', () => {})
  child.stdin!.on('error', () => input.destroy())

  const kill = () => tree.kill()
  process.once('exit', kill)
  let killTimer: NodeJS.Timeout | undefined
  signals((signal) => {
    if (killTimer) return kill()
    endedBy ??= 'signal'
    void tree.signal(signal)
    if (signal === 'SIGTERM') queue.run(() => void tap.append({ kind: 'process', event: 'ending', step: 'SIGTERM' }))
    killTimer = setTimeout(kill, GRACE[signal])
  })

  const ended = await whenExited(child, () => lastOutputAt)
  clearTimeout(killTimer)
  await endDescendants(tree)
  process.off('exit', kill)
  for (const lines of [serverLines, stderrLines]) lines.end()
  await queue.settled()
  tap.append({ kind: 'process', event: 'exit', ...ended, stderr: stderrTail })
  const how = ended.signal === null ? `exit code ${ended.code}` : `signal ${ended.signal}`
  if (endedBy) messages.closed('ended')
  else messages.closed(`The process ended with ${how}`, 'process-exited')
  file.end()
  return ended
}

/** Forwards chunks with backpressure. `seen` runs after a chunk was forwarded. */
function forward(from: Readable, to: Writable, seen: (chunk: Buffer) => void, ended: () => void): void {
  let over = false
  to.once('close', () => (over = true))
  to.once('error', () => {
    over = true
    from.resume()
  })
  from.on('data', (chunk: Buffer) => {
    if (!over && !to.write(chunk)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
    seen(chunk)
  })
  from.once('end', ended)
  from.once('error', ended)
}

/** Resolves after the exit and the end of output. A surviving descendant may keep the pipes open, hence the time limit. */
function whenExited(child: ChildProcess, lastOutputAt: () => number): Promise<ExitResult> {
  return new Promise((resolve) => {
    let ended: ExitResult | undefined
    child.once('exit', (code, signal) => {
      ended = { code, signal }
      const watch = setInterval(() => {
        // Paused: its client hasn't read what came, and there may be more.
        if (child.stdout!.isPaused() || child.stderr!.isPaused()) return
        if (Date.now() - lastOutputAt() < DRAIN) return
        clearInterval(watch)
        resolve(ended!)
      }, 50)
      child.once('close', () => {
        clearInterval(watch)
        resolve(ended!)
      })
    })
  })
}

/** Ends what the server left running. Without the recorder, the client would signal the whole group. */
async function endDescendants(tree: ProcessTree): Promise<void> {
  for (let waited = 0; await tree.alive(); waited += 50) {
    if (waited === LIMITS.followGrace) await tree.signal('SIGTERM')
    if (waited >= LIMITS.followGrace + GRACE.SIGTERM) return tree.kill()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function serverName({ command, args }: StdioRecordOptions['from']): string {
  const operands = [command, ...args].filter((word) => !word.startsWith('-'))
  const bare = (word: string) => word.replace(/^.*[/\\]/, '')
  const runner = /^(?:node|npx|bunx?|deno|uvx?|python3?|docker)(?:\.\w+)?$/i.test(bare(command))
  return bare(runner ? (operands[1] ?? command) : command) || command
}
