/** Chooses the server for a recording's steps: the user's choice, or the recorded server if it can be trusted. */
import { Buffer } from 'node:buffer'
import {
  type Frame,
  type Link,
  LoopbackTransport,
  messageOf,
  ProcessRecorder,
  START_LIMIT,
  StreamableHttpTransport,
  type Transport,
  TransportError,
  WebSocketTransport,
} from '../../web/mcp/index.ts'
import { createSampleServer } from '../../web/sample/index.ts'
import type { RecordedTarget } from '../../web/session-file/index.ts'
import { withVariables } from '../env-references.ts'
import type { ChildEvent } from '../line-peer.ts'
import { Child } from '../stdio-child.ts'
import { visible } from '../../web/ui/index.ts'
import { CannotRun, type Recording } from './recording-file.ts'
import type { VerifyOptions } from '../cli.ts'
import { LIMITS } from '../limits.ts'
import { isSocketTarget } from '../socket-target.ts'
import type { LoadedTransport } from '../transport-module.ts'
import { lineTransport } from './line-transport.ts'
import type { SpawnRequest } from '../wire.ts'

export interface Destination {
  /** For display. */
  readonly name: string
  /** Of a process: its working directory. */
  readonly cwd?: string
  /** Of a process: the variables that may contain secrets. */
  readonly env?: Readonly<Record<string, string>>
  /** Creates a new one each time. */
  readonly transport: () => Transport
}

type TargetOptions = Pick<VerifyOptions, 'target' | 'headers' | 'trustTarget'> & {
  /** Transports of the user's own. */
  readonly modules: readonly LoadedTransport[]
}

/** @throws {CannotRun} no server is known, or it needs secrets that the recording doesn't contain */
export function destinationOf(
  link: Link,
  recording: Recording,
  { target, headers, trustTarget, modules }: TargetOptions,
  onSpawn: (child: Child) => void,
): Destination {
  if (target?.kind === 'url') return atUrl(target.url, headers)
  if (target?.kind === 'custom') return overCustom(target.url, modules)
  if (target) {
    const { command, args } = target
    // The user typed the command in a shell, so it inherits that environment like any other command.
    const name = [command, ...args].join(' ')
    const spawn = { command, args, inheritEnv: true }
    return { name, cwd: process.cwd(), env: setVariables(), transport: () => new ChildTransport(spawn, onSpawn) }
  }
  const recorded = recording.head.servers.find((server) => server.link === link)?.target
  if (!recorded) {
    throw new CannotRun("The recording doesn't name its server. Add --server URL, or -- COMMAND ARGS…")
  }
  if (recorded.kind === 'sample') {
    return { name: 'the sample server', transport: () => new LoopbackTransport(createSampleServer()) }
  }
  if (recorded.kind === 'custom') {
    // A file of someone else must not choose what is opened on this machine.
    if (!isWebSocket(recorded.url) && !trustTarget) {
      throw new CannotRun(
        `The recording names \`${visible(recorded.url, 200)}\`. To connect to it, add --trust-target, or write it yourself: --server URL`,
      )
    }
    return overCustom(recorded.url, modules)
  }
  if (recorded.kind === 'command') return recordedCommand(recorded, trustTarget, onSpawn)
  const secret = secretHeaders(recording.frames, link, recorded.headers)
  const referred = Object.entries(recorded.references?.values ?? {}).filter(([name]) => !has(headers, name))
  if (referred.length > 0 && !trustTarget) {
    const each = referred.map(([name, value]) => `${name}: ${value}`).join(', ')
    throw new CannotRun(
      `${recorded.url} was recorded with values of environment variables (${each}). To read them here and send them there, add --trust-target, or write the values yourself: --header '${referred[0]![0]}: …'`,
    )
  }
  const inserted = referred.map(([name, value]) => [name, fromEnvironment(value, recorded.references!.names)] as const)
  const given = [...headers, ...inserted]
  const missing = secret.filter((name) => !has(given, name))
  if (missing.length > 0) {
    const options = missing.map((name) => `--header '${name}: …'`).join(' ')
    throw new CannotRun(
      `${recorded.url} was recorded with ${missing.join(', ')}, but the file doesn't contain the values. Add ${options}`,
    )
  }
  return atUrl(recorded.url, given)
}

const has = (headers: TargetOptions['headers'], name: string): boolean =>
  headers.some(([given]) => given.toLowerCase() === name.toLowerCase())

/** @throws {CannotRun} a variable isn't set */
function fromEnvironment(text: string, names: readonly string[]): string {
  try {
    return withVariables(text, names)
  } catch (error) {
    throw new CannotRun(`The environment variable for ${text} isn't set. Set it and try again.`, { cause: error })
  }
}

function atUrl(url: string, headers: TargetOptions['headers']): Destination {
  return { name: url, transport: () => new StreamableHttpTransport({ url, headers }) }
}

const isWebSocket = (url: string): boolean => /^wss?:\/\//i.test(url)

/** @throws {CannotRun} nothing here has this transport */
function overCustom(url: string, modules: readonly LoadedTransport[]): Destination {
  if (isWebSocket(url)) {
    if (typeof globalThis.WebSocket !== 'function') {
      throw new CannotRun(
        `This version of Node has no WebSocket for ${url}. Use Node 22 or newer, or --server with another URL.`,
      )
    }
    return { name: url, transport: () => new WebSocketTransport({ url }) }
  }
  if (!isSocketTarget(url) && !modules.some(({ name }) => url.startsWith(`${name}:`))) {
    throw new CannotRun(`No transport is called \`${url.split(':', 1)[0]}\`. Add its module: --transport FILE`)
  }
  return { name: url, transport: () => lineTransport(url, modules) }
}

/** A recording from someone else must not start programs without the user's consent. */
function recordedCommand(
  { command, args, cwd, env, references }: Extract<RecordedTarget, { kind: 'command' }>,
  trust: boolean,
  onSpawn: (child: Child) => void,
): Destination {
  const line = [command, ...args].join(' ')
  if (!trust) {
    throw new CannotRun(
      `The recording names the command \`${line}\`. To run it, add --trust-target, or write the command yourself: -- COMMAND ARGS…`,
    )
  }
  const referred = references?.values ?? {}
  const plain = env.filter((name) => !Object.hasOwn(referred, name))
  const missing = [...plain, ...(references?.names ?? [])].filter((name) => process.env[name] === undefined)
  if (missing.length > 0) {
    throw new CannotRun(
      `The command was recorded with ${missing.join(', ')} in its environment. Set the same variables and try again.`,
    )
  }
  const own = Object.fromEntries(plain.map((name) => [name, process.env[name]!]))
  const spawn = { command, args, cwd, env: { ...own, ...referred }, references: references?.names }
  const read = Object.fromEntries((references?.names ?? []).map((name) => [name, process.env[name]!]))
  const secrets = { ...own, ...read }
  return { name: line, cwd: cwd ?? process.cwd(), env: secrets, transport: () => new ChildTransport(spawn, onSpawn) }
}

/** The environment of this process. */
const setVariables = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]))

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

export class ChildTransport implements Transport {
  readonly name = 'stdio'
  readonly restarts = true
  readonly #spawn: SpawnRequest
  /** Called with each child, so that signals can end it. */
  readonly #onSpawn: (child: Child) => void
  #sink!: Sink
  readonly #recorder = new ProcessRecorder(() => this.#sink)
  #child: Child | undefined
  #ending = false

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
    try {
      const child: Child = new Child(this.#spawn, LIMITS, (event) =>
        this.#recorder.inOrder(() => this.#receive(child, event)),
      )
      this.#onSpawn(child)
      this.#child = child
      await child.started
      this.#recorder.spawned(this.#spawn, child.pid)
      if (this.#ending) await child.end()
    } catch (error) {
      const explanation = messageOf(error)
      this.#recorder.spawnFailed(this.#spawn, 'spawn-failed', explanation)
      throw new TransportError('spawn-failed', explanation, { command: this.#spawn.command }, { cause: error })
    }
  }

  async send(outbound: Outbound): Promise<void> {
    const child = this.#child
    if (!child || this.#ending) throw new TransportError('process-exited', "The process isn't running")
    if (!(await child.write(Buffer.from(`${this.#recorder.sent(outbound)}\n`)))) {
      throw new TransportError('process-exited', 'The process no longer reads its stdin')
    }
  }

  async close(): Promise<void> {
    this.#ending = true
    await this.#child?.end()
  }

  #receive(child: Child, event: ChildEvent): void | Promise<unknown> {
    if ('line' in event) {
      const { text, invalidUtf8 } = event.line
      return this.#recorder.received({ type: event.type, text, ...(invalidUtf8 ? { invalidUtf8 } : {}) })
    }
    // Only sockets are closed.
    if (event.type === 'closed') return
    if (event.type !== 'exit') return this.#recorder.received(event)
    const error = this.#recorder.exited(event)
    if (child !== this.#child || this.#ending) return
    this.#child = undefined
    return this.#sink.closed(error)
  }
}
