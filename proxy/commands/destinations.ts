/** Chooses the server for a recording's steps: the user's choice, or the recorded server if it can be trusted. */
import { Buffer } from 'node:buffer'
import {
  type Frame,
  type Link,
  LoopbackTransport,
  messageOf,
  requestsIn,
  StreamableHttpTransport,
  tellLostLine,
  type Transport,
  TransportError,
} from '../../web/mcp/index.ts'
import { createSampleServer } from '../../web/sample/index.ts'
import type { RecordedTarget } from '../../web/session-file/index.ts'
import { Child, type ChildEvent } from '../stdio-child.ts'
import { CannotRun, type Recording } from './recording-file.ts'
import type { VerifyOptions } from '../cli.ts'
import { LIMITS } from '../limits.ts'
import type { SpawnRequest } from '../wire.ts'

export interface Destination {
  /** For display. */
  readonly name: string
  /** Creates a new one each time. */
  readonly transport: () => Transport
}

type TargetOptions = Pick<VerifyOptions, 'target' | 'headers' | 'trustTarget'>

/** @throws {CannotRun} no server is known, or it needs secrets that the recording doesn't contain */
export function destinationOf(
  link: Link,
  recording: Recording,
  { target, headers, trustTarget }: TargetOptions,
  onSpawn: (child: Child) => void,
): Destination {
  if (target?.kind === 'url') return atUrl(target.url, headers)
  if (target) {
    const { command, args } = target
    // The user typed the command in a shell, so it inherits that environment like any other command.
    const name = [command, ...args].join(' ')
    return { name, transport: () => new ChildTransport({ command, args, inheritEnv: true }, onSpawn) }
  }
  const recorded = recording.head.servers.find((server) => server.link === link)?.target
  if (!recorded) {
    throw new CannotRun("The recording doesn't name its server. Add --server URL, or -- COMMAND ARGS…")
  }
  if (recorded.kind === 'sample') {
    return { name: 'the sample server', transport: () => new LoopbackTransport(createSampleServer()) }
  }
  if (recorded.kind === 'command') return recordedCommand(recorded, trustTarget, onSpawn)
  const secret = secretHeaders(recording.frames, link, recorded.headers)
  const missing = secret.filter((name) => !headers.some(([given]) => given.toLowerCase() === name.toLowerCase()))
  if (missing.length > 0) {
    const options = missing.map((name) => `--header '${name}: …'`).join(' ')
    throw new CannotRun(
      `${recorded.url} was recorded with ${missing.join(', ')}, but the file doesn't contain the values. Add ${options}`,
    )
  }
  return atUrl(recorded.url, headers)
}

function atUrl(url: string, headers: TargetOptions['headers']): Destination {
  return { name: url, transport: () => new StreamableHttpTransport({ url, headers }) }
}

/** A recording from someone else must not start programs without the user's consent. */
function recordedCommand(
  { command, args, cwd, env }: Extract<RecordedTarget, { kind: 'command' }>,
  trust: boolean,
  onSpawn: (child: Child) => void,
): Destination {
  const line = [command, ...args].join(' ')
  if (!trust) {
    throw new CannotRun(
      `The recording names the command \`${line}\`. To run it, add --trust-target, or write the command yourself: -- COMMAND ARGS…`,
    )
  }
  const missing = env.filter((name) => process.env[name] === undefined)
  if (missing.length > 0) {
    throw new CannotRun(
      `The command was recorded with ${missing.join(', ')} in its environment. Set the same variables and try again.`,
    )
  }
  const own = Object.fromEntries(env.map((name) => [name, process.env[name]!]))
  const spawn = { command, args, cwd, env: own }
  return { name: line, transport: () => new ChildTransport(spawn, onSpawn) }
}

/** Headers that the server needs: those the user had set, and those whose values were masked. */
function secretHeaders(frames: readonly Frame[], link: Link, given: readonly string[]): string[] {
  const names = new Map(given.map((name) => [name.toLowerCase(), name]))
  for (const frame of frames) {
    if (frame.link !== link || frame.kind !== 'http' || frame.phase !== 'request') continue
    for (const [name, value] of frame.headers) {
      if (value.includes('••••') && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
    }
  }
  return [...names.values()]
}

// The stdio transport without a page: the server is a child of this process. Frames are the same as through the proxy.

type Sink = Parameters<Transport['open']>[0]
type Outbound = Parameters<Transport['send']>[0]

/** ms to start the process and to get its first response: `npx` may have to download a package first. */
const START_LIMIT = 15_000
const RESPONSE_LIMIT = 90_000

export class ChildTransport implements Transport {
  readonly name = 'stdio'
  readonly restarts = true
  readonly #spawn: SpawnRequest
  /** Called with each child, so that signals can end it. */
  readonly #onSpawn: (child: Child) => void
  #sink!: Sink
  #child: Child | undefined
  #ending = false
  /** Events that arrived while a long line is parsed; absent when none is. */
  #waiting: (() => void)[] | undefined

  constructor(spawn: SpawnRequest, onSpawn: (child: Child) => void) {
    this.#spawn = spawn
    this.#onSpawn = onSpawn
  }

  async open(sink: Sink): Promise<void> {
    this.#sink = sink
    // End the process of a previous attempt first.
    const before = this.#child
    this.#child = undefined
    await before?.end()
    sink.step('starting-process', START_LIMIT)
    const { command, args, cwd, env } = this.#spawn
    try {
      const child: Child = new Child(this.#spawn, LIMITS, (event) => this.#inOrder(() => this.#receive(child, event)))
      this.#onSpawn(child)
      this.#child = child
      await child.started
      const names = Object.keys(env ?? {})
      const where = cwd === undefined ? {} : { cwd }
      sink.tap.append({ kind: 'process', event: 'spawn', command, args, ...where, env: names, pid: child.pid })
      if (this.#ending) await child.end()
    } catch (error) {
      const explanation = messageOf(error)
      sink.tap.append({ kind: 'process', event: 'spawn-failed', command, code: 'spawn-failed', explanation })
      throw new TransportError('spawn-failed', explanation, { command }, { cause: error })
    }
  }

  async send(outbound: Outbound): Promise<void> {
    const child = this.#child
    if (!child || this.#ending) throw new TransportError('process-exited', "The process isn't running")
    const { text } = this.#sink.tap.sent(outbound)
    if (requestsIn(outbound.message).length > 0) this.#sink.step('waiting-for-answer', RESPONSE_LIMIT)
    // TR-STDIO-02: a newline inside a message would split it in two.
    const line = outbound.byHand ? text : text.replaceAll('\n', ' ')
    if (!(await child.write(Buffer.from(`${line}\n`)))) {
      throw new TransportError('process-exited', 'The process no longer reads its stdin')
    }
  }

  async close(): Promise<void> {
    this.#ending = true
    await this.#child?.end()
  }

  /** Long lines are parsed asynchronously; later events wait. */
  #inOrder(happen: () => void | Promise<unknown>): void {
    if (this.#waiting) return void this.#waiting.push(() => this.#inOrder(happen))
    const reading = happen()
    if (!reading) return
    this.#waiting = []
    void reading.then(() => {
      const waiting = this.#waiting ?? []
      this.#waiting = undefined
      for (const next of waiting) next()
    })
  }

  #receive(child: Child, event: ChildEvent): void | Promise<unknown> {
    const { tap } = this.#sink
    switch (event.type) {
      case 'line': {
        const received = tap.line(event.line.text, event.line.invalidUtf8)
        if (received instanceof Promise) return received.then((late) => late && this.#sink.message(late))
        return received && this.#sink.message(received)
      }
      case 'stderr':
        return void tap.append({ kind: 'process', event: 'stderr', text: event.line.text })
      case 'ending':
        return void tap.append({ kind: 'process', event: 'ending', step: event.step })
      case 'lost':
        return tellLostLine(this.#sink, event)
      case 'exit': {
        const { code, signal, stderr } = event
        tap.append({ kind: 'process', event: 'exit', code, signal, stderr })
        if (child !== this.#child || this.#ending) return
        this.#child = undefined
        const how = signal === null ? `exit code ${code}` : `signal ${signal}`
        return this.#sink.closed(
          new TransportError('process-exited', `The process ended with ${how}`, { code, signal, stderr: [...stderr] }),
        )
      }
    }
  }
}
