/** Transports that modules of the user have (`--transport FILE`): loaded at the start, and kept from harming the rest. */
import { Buffer } from 'node:buffer'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Limits } from './limits.ts'
import type { ChildEvent, LinePeer } from './line-peer.ts'
import { Line } from './lines.ts'
import { Refusal, size } from './refusal.ts'

/** What a module receives when it opens a connection. */
export interface TransportContext {
  /** Passes on one message of the server. Resolves once there is room for the next. */
  onLine(line: string): Promise<void>
  /** The connection ended. @param why absent if it ended in order */
  onClose(why?: unknown): void
  /** Aborted when the page ends the connection. */
  readonly signal: AbortSignal
}

export interface TransportConnection {
  /** Sends one message, without a newline. May return a promise. */
  send(line: string): unknown
  /** Closes the connection. May return a promise. */
  close(): unknown
}

/** The default export of a module. */
export interface TransportModule {
  /** Targets are `name:rest`. */
  readonly name: string
  /** @param target what follows `name:` */
  open(target: string, context: TransportContext): TransportConnection | Promise<TransportConnection>
}

/** A module with the name of its file, for error messages. */
export interface LoadedTransport extends TransportModule {
  readonly file: string
}

/** ms for a module to be imported. */
const IMPORT_LIMIT = 10_000
const EDGE = 1024
/** Names with a meaning of their own in the form. */
const TAKEN =
  /^(?:https?|wss?|unix|npipe|file|data|blob|about|javascript|mailto|stdio|cursor|vscode.*|lmstudio|localhost)$/

/**
 * Imports a module.
 * @throws {Error} with a sentence that names the file
 */
export async function loadTransport(path: string): Promise<LoadedTransport> {
  const file = basename(path)
  let found: { readonly default?: Partial<TransportModule> }
  try {
    found = await within(
      IMPORT_LIMIT,
      import(/* @vite-ignore */ pathToFileURL(resolve(path)).href) as Promise<typeof found>,
    )
  } catch (error) {
    throw new Error(`The transport module ${file} can't be imported: ${messageOf(error)}.`, { cause: error })
  }
  const { default: own } = found
  if (typeof own?.name !== 'string' || typeof own.open !== 'function') {
    throw new Error(`The transport module ${file} must have a default export with \`name\` and \`open\`.`)
  }
  if (!/^[a-z][a-z\d-]{1,30}$/.test(own.name) || TAKEN.test(own.name)) {
    throw new Error(
      `The transport module ${file} can't have the name "${own.name.slice(0, 40)}". Use 2 to 31 lower-case letters, digits or hyphens that don't name another scheme.`,
    )
  }
  return { name: own.name, file, open: (target, context) => own.open!(target, context) }
}

/** A connection of a module's transport. Whatever the module does, it only ends this connection (rule 22). */
export class ModulePeer implements LinePeer {
  readonly started: Promise<void>
  readonly gone: Promise<void>
  readonly #module: LoadedTransport
  readonly #limits: Limits
  readonly #deliver: (event: ChildEvent) => void
  readonly #ending = new AbortController()
  #connection: TransportConnection | undefined
  #isOver = false
  /** `close` was called. */
  #isClosing = false
  #markGone: () => void = () => {}
  #isPaused = false
  /** Called once the page has caught up. */
  #waiting: (() => void)[] = []
  /** Bytes passed on while the page lags behind. */
  #flood = 0
  #unread = 0
  #sent: Promise<unknown> = Promise.resolve()

  /** Opens at once. @param target what follows the name */
  constructor(module: LoadedTransport, target: string, limits: Limits, deliver: (event: ChildEvent) => void) {
    this.#module = module
    this.#limits = limits
    this.#deliver = deliver
    this.gone = new Promise((resolve) => (this.#markGone = resolve))
    this.started = this.#open(target)
  }

  get unread(): number {
    return this.#unread
  }

  async write(bytes: Uint8Array): Promise<boolean> {
    if (this.#isOver) return false
    this.#unread += bytes.length
    const lines = Buffer.from(bytes).toString().split('\n').filter(Boolean)
    const sending = this.#sent.then(async () => {
      for (const line of lines) {
        if (this.#isOver) return false
        await this.#connection?.send(line)
      }
      return !this.#isOver
    })
    this.#sent = sending.catch(() => {})
    try {
      return await sending
    } catch (error) {
      this.#over(`The transport ${this.#module.name} failed to send: ${messageOf(error)}`)
      return false
    } finally {
      this.#unread -= bytes.length
    }
  }

  async end(): Promise<void> {
    if (this.#isClosing) return this.gone
    this.#isClosing = true
    // Still opening: there is nothing to close in order.
    if (!this.#connection) this.#ending.abort()
    try {
      await within(this.#limits.stdinGrace, Promise.resolve(this.#connection?.close()))
      this.#over()
    } catch (error) {
      this.#over(`The transport ${this.#module.name} failed to close: ${messageOf(error)}`)
    }
  }

  kill(): void {
    this.#over()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#flood = 0
    for (const go of this.#waiting.splice(0)) go()
  }

  async #open(target: string): Promise<void> {
    const { name, file } = this.#module
    const refuse = (code: string, message: string) => {
      this.#isOver = true
      this.#ending.abort()
      this.#markGone()
      return new Refusal(422, { code, message, remedy: `The fault is in the module ${file}. Check its code.` })
    }
    let connection: TransportConnection
    try {
      const context = {
        onLine: (line: string) => this.#line(line),
        onClose: (why?: unknown) =>
          this.#over(
            why === undefined || this.#isClosing ? undefined : `The transport ${name} ended: ${messageOf(why)}`,
          ),
        signal: this.#ending.signal,
      }
      connection = await within(this.#limits.connect, Promise.resolve(this.#module.open(target, context)))
    } catch (error) {
      throw error instanceof LateError
        ? refuse('module-timeout', `The transport ${name} didn't open within ${this.#limits.connect / 1000} s.`)
        : refuse('module-failed', `The transport ${name} failed to open: ${messageOf(error)}.`)
    }
    if (typeof connection?.send !== 'function' || typeof connection.close !== 'function') {
      throw refuse('module-invalid', `The transport ${name} returned no object with send and close.`)
    }
    this.#connection = connection
  }

  #line(line: unknown): Promise<void> {
    if (this.#isOver) return Promise.resolve()
    if (typeof line !== 'string') {
      this.#over(`The transport ${this.#module.name} passed on something that isn't a string`)
      return Promise.resolve()
    }
    const bytes = Buffer.from(line)
    if (bytes.length > this.#limits.line) {
      const [head, tail] = [bytes.subarray(0, EDGE).toString(), bytes.subarray(-EDGE).toString()]
      const what = `A line longer than ${size(this.#limits.line)} from the transport ${this.#module.name}`
      this.#deliver({ type: 'lost', stream: 'stdout', what, size: bytes.length, head, tail })
      return Promise.resolve()
    }
    // A module that doesn't wait could fill the memory.
    if (this.#isPaused && (this.#flood += bytes.length) > this.#limits.queue) {
      this.#over(`The transport ${this.#module.name} doesn't wait for onLine, and passed on more than the queue holds`)
      return Promise.resolve()
    }
    for (const part of line.split('\n')) this.#deliver({ type: 'line', line: new Line([Buffer.from(part)]) })
    // In a later task: a module that waits for nothing else would starve the rest of the proxy.
    return new Promise((resolve) => (this.#isPaused ? this.#waiting.push(resolve) : setImmediate(resolve)))
  }

  #over(why?: string): void {
    if (this.#isOver) return
    this.#isOver = true
    const connection = this.#connection
    for (const go of this.#waiting.splice(0)) go()
    this.#deliver({ type: 'closed', ...(why === undefined ? {} : { why }) })
    this.#markGone()
    this.#ending.abort()
    if (this.#isClosing) return
    this.#isClosing = true
    try {
      // A promise may reject later.
      void Promise.resolve(connection?.close()).catch(() => {})
    } catch {
      // It is over anyway.
    }
  }
}

class LateError extends Error {
  constructor(limit: number) {
    super(`it took longer than ${limit / 1000} s`)
  }
}

async function within<Result>(limit: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new LateError(limit)), limit)))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** At most 500 characters: a module may throw anything. */
function messageOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 500)
}
