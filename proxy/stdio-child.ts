/**
 * A stdio server: its process, its lines and its shutdown. Knows nothing about the protocol inside the lines.
 * Shutdown order: spec basic/lifecycle (LC-15) and basic/transports/stdio (TR-STDIO-08).
 */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import spawn from 'cross-spawn'
import { resolvedSpawn } from './env-references.ts'
import { childEnvironment, inheritedNames } from './environment.ts'
import type { Limits } from './limits.ts'
import type { ChildEvent, LinePeer } from './line-peer.ts'
import { LineSplitter, type Line, type LostLine } from './lines.ts'
import type { MemoryBudget, Share } from './memory-budget.ts'
import { ProcessTree } from './process-tree.ts'
import { usageOf } from './process-usage.ts'
import { size } from './refusal.ts'
import { checkDirectory, explainSpawn } from './spawn-failure.ts'
import type { ProcessUsage, SpawnRequest } from './wire.ts'

const WINDOWS = process.platform === 'win32'
/** A stack trace of Node has some 25 lines, and its first says the most. */
export const STDERR_TAIL = 50
export const STDERR_TAIL_LENGTH = 4096
/** Characters shown of an unfinished line. */
const UNFINISHED_LENGTH = 1000
/** ms after SIGKILL before giving up on a process, such as one stuck in the kernel. */
const KILL_TIMEOUT = 2_000

export class Child implements LinePeer {
  /** Resolves once the process runs. Rejects with a Refusal that explains why it doesn't. */
  readonly started: Promise<void>
  /** Resolves once the child and all its descendants are gone. Never rejects. */
  readonly gone: Promise<void>

  readonly #process: ChildProcess | undefined
  readonly #tree: ProcessTree
  readonly #deliver: (event: ChildEvent) => void
  readonly #limits: Limits
  readonly #memory: MemoryBudget | undefined
  readonly #stderrTail: string[] = []
  #state: 'running' | 'ending' | 'exited' = 'running'
  #killed = false
  #exit: { code: number | null; signal: string | null } | undefined
  #openPipes = 2
  /** The page lags behind. */
  #paused = false
  #memoryShort = false
  #share: Share | undefined
  #lastOutputAt = Date.now()
  #isGone = false
  #markGone: () => void = () => {}
  #partTimer: NodeJS.Timeout | undefined
  #unfinishedTimer: NodeJS.Timeout | undefined
  /** The current line of stdout was reported as unfinished. */
  #toldUnfinished = false
  readonly inherited: readonly string[]

  /**
   * Starts the command at once, without a shell (rule 2).
   * @param memory counts its unfinished lines
   * @throws {Refusal} 400 `missing-variable`, 422 `bad-cwd`
   */
  constructor(requested: SpawnRequest, limits: Limits, deliver: (event: ChildEvent) => void, memory?: MemoryBudget) {
    this.#limits = limits
    this.#deliver = deliver
    this.#memory = memory
    this.gone = new Promise((resolve) => {
      this.#markGone = () => {
        this.#isGone = true
        resolve()
      }
    })
    const request = resolvedSpawn(requested)
    const cwd = request.cwd ?? process.cwd()
    checkDirectory(cwd)
    this.#tree = new ProcessTree()
    const attempt = { command: request.command, args: request.args, cwd, env: childEnvironment(request) }
    this.inherited = inheritedNames(request, attempt.env)
    let child: ChildProcess
    try {
      // `detached` makes it the leader of its own group and session, so Ctrl+C reaches only us and we end it in order.
      child = spawn(request.command, [...request.args], {
        cwd,
        env: { ...attempt.env, ...this.#tree.environment },
        stdio: 'pipe',
        detached: !WINDOWS,
        windowsHide: true,
      })
    } catch (error) {
      this.#state = 'exited'
      this.#markGone()
      this.started = Promise.reject(explainSpawn(attempt, error as NodeJS.ErrnoException))
      return
    }
    this.#process = child
    if (child.pid !== undefined) this.#tree.start(child.pid)
    this.started = new Promise((resolve, reject) => {
      child.once('spawn', () => {
        this.#read()
        resolve()
      })
      child.on('error', (error: NodeJS.ErrnoException) => {
        if (child.pid === undefined) {
          this.#state = 'exited'
          this.#markGone()
          reject(explainSpawn(attempt, error))
        } else if (WINDOWS && error.code === 'ENOENT') {
          // How cross-spawn reports that cmd.exe didn't find the command; no `exit` follows.
          this.#keepStderr(explainSpawn(attempt, error).message)
          this.#exited(1, null)
        }
      })
    })
    child.once('exit', (code, signal) => this.#exited(code, signal))
    // `write` reports the EPIPE of a closed stdin. Each pending write adds a `close` listener, so lift the limit.
    child.stdin?.on('error', () => {})
    child.stdin?.setMaxListeners(0)
  }

  /** 0 if it didn't start. */
  get pid(): number {
    return this.#process?.pid ?? 0
  }

  /** CPU time and memory of the child and its descendants. Never rejects. */
  async usage(): Promise<ProcessUsage> {
    return usageOf(this.pid === 0 ? [] : await this.#tree.members())
  }

  /** `exited`: its `exit` event was delivered. */
  get state(): 'running' | 'ending' | 'exited' {
    return this.#state
  }

  /**
   * Writes to stdin and waits until the pipe has accepted the bytes: for a slow child, until it reads them.
   * @returns false if the child no longer reads
   */
  async write(bytes: Uint8Array): Promise<boolean> {
    const stdin = this.#process?.stdin
    if (!stdin?.writable || this.#exit) return false
    return new Promise((resolve) => {
      const closed = () => resolve(false)
      stdin.once('close', closed)
      stdin.write(bytes, (error) => {
        stdin.off('close', closed)
        resolve(!error)
      })
    })
  }

  /** Bytes written but not yet accepted by the pipe. */
  get unread(): number {
    return this.#process?.stdin?.writableLength ?? 0
  }

  /** Starts the shutdown, once. Resolves when nothing of the child is left. */
  end(): Promise<void> {
    if (this.#state === 'running') {
      this.#state = 'ending'
      void this.#shutDown()
    }
    return this.gone
  }

  /** Sends SIGKILL to the whole tree. */
  kill(): void {
    if (this.#isGone || this.pid === 0) return
    if (!this.#killed) {
      this.#killed = true
      this.#deliver({ type: 'ending', step: 'SIGKILL' })
    }
    if (this.#state === 'running') this.#state = 'ending'
    this.#tree.kill()
  }

  /** Stops reading output, so that the pipe fills and the child waits (rule 9). */
  pause(): void {
    this.#paused = true
    this.#applyBackpressure()
  }

  resume(): void {
    this.#paused = false
    this.#applyBackpressure()
  }

  #applyBackpressure(): void {
    const { stdout, stderr } = this.#process ?? {}
    const flowing = !this.#paused && !this.#memoryShort
    if (flowing) this.#lastOutputAt = Date.now()
    for (const stream of [stdout, stderr]) {
      if (flowing) stream?.resume()
      else stream?.pause()
    }
  }

  #read(): void {
    const { stdout, stderr } = this.#process!
    const lines = (type: 'line' | 'stderr'): LineSplitter =>
      new LineSplitter(this.#limits.line, {
        line: (line: Line) => {
          if (type === 'stderr') this.#keepStderr(line.head(STDERR_TAIL_LENGTH))
          else this.#toldUnfinished = false
          this.#deliver({ type, line })
        },
        lost: (line: LostLine) => {
          if (type === 'line') this.#toldUnfinished = false
          const stream = type === 'line' ? 'stdout' : 'stderr'
          const why = line.early ? ', unfinished when memory ran short' : ` over ${size(this.#limits.line)}`
          const what = `A line of ${stream}${why}`
          const [head, tail] = [line.head.toString(), line.tail.toString()]
          this.#deliver({ type: 'lost', stream, what, size: line.size, head, tail })
        },
      })
    const output = lines('line')
    const errors = lines('stderr')
    this.#share = this.#memory?.share({
      unfinished: true,
      blocked: () => this.#paused,
      pause: (paused) => {
        this.#memoryShort = paused && !this.#isGone
        this.#applyBackpressure()
      },
      drop: () => {
        output.drop()
        errors.drop()
        count()
      },
    })
    const count = (): void => this.#share?.set(output.held + errors.held)
    this.#listen(stdout!, output, () => {
      count()
      clearTimeout(this.#unfinishedTimer)
      if (output.held === 0 || this.#toldUnfinished) return
      this.#unfinishedTimer = setTimeout(() => {
        this.#toldUnfinished = true
        this.#deliver({ type: 'unfinished', size: output.held, text: output.peek(UNFINISHED_LENGTH) })
      }, this.#limits.stdoutPart)
    })
    this.#listen(stderr!, errors, () => {
      count()
      clearTimeout(this.#partTimer)
      if (errors.pending) this.#partTimer = setTimeout(() => errors.flushPart(), this.#limits.stderrPart)
    })
  }

  #listen(stream: Readable, lines: LineSplitter, afterChunk?: () => void): void {
    stream.on('data', (chunk: Buffer) => {
      this.#lastOutputAt = Date.now()
      lines.push(chunk)
      afterChunk?.()
    })
    stream.on('error', () => {})
    stream.once('close', () => {
      clearTimeout(this.#partTimer)
      clearTimeout(this.#unfinishedTimer)
      lines.end()
      this.#openPipes--
      if (this.#openPipes === 0) this.#share?.close()
      this.#finish()
    })
    if (this.#paused || this.#memoryShort) stream.pause()
  }

  #keepStderr(text: string): void {
    if (this.#stderrTail.push(text) > STDERR_TAIL) this.#stderrTail.shift()
  }

  #exited(code: number | null, signal: string | null): void {
    if (this.#exit) return
    this.#exit = { code, signal }
    void this.#watchGroup()
    if (this.#state === 'running') {
      this.#state = 'ending'
      void this.#endDescendants()
    }
  }

  async #watchGroup(): Promise<void> {
    for (let wait = 10; !this.#isGone && (await this.#tree.alive()); wait = Math.min(wait * 2, 100)) await sleep(wait)
    this.#markGone()
    // The pipes hold little more, and their end completes an unfinished line.
    this.#memoryShort = false
    this.#applyBackpressure()
    this.#finish()
    // An undiscovered process may keep the pipes open indefinitely. Read on until they are silent.
    while (this.#state !== 'exited') {
      await sleep(Math.min(50, this.#limits.drain))
      if (this.#paused || this.#memoryShort || Date.now() - this.#lastOutputAt < this.#limits.drain) continue
      this.#process!.stdout!.destroy()
      this.#process!.stderr!.destroy()
    }
  }

  async #shutDown(): Promise<void> {
    this.#process!.stdin!.end()
    this.#deliver({ type: 'ending', step: 'stdin-closed' })
    if (!(await this.#goneWithin(this.#limits.stdinGrace))) await this.#signals()
  }

  /** The leader exited on its own. Its descendants are still ours (rule 3). */
  async #endDescendants(): Promise<void> {
    if (!(await this.#goneWithin(this.#limits.followGrace))) await this.#signals()
  }

  async #signals(): Promise<void> {
    if (!this.#killed) {
      this.#deliver({ type: 'ending', step: 'SIGTERM' })
      await this.#tree.signal('SIGTERM')
      if (await this.#goneWithin(this.#limits.termGrace)) return
    }
    this.kill()
    if (await this.#goneWithin(KILL_TIMEOUT)) return
    this.#markGone()
    this.#exited(null, 'SIGKILL')
    this.#finish()
  }

  async #goneWithin(limit: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limit)))
    await Promise.race([this.gone, late])
    clearTimeout(timer)
    return this.#isGone
  }

  #finish(): void {
    if (this.#state === 'exited' || !this.#exit || !this.#isGone || this.#openPipes > 0) return
    this.#state = 'exited'
    this.#process!.stdin!.destroy()
    this.#deliver({ type: 'exit', ...this.#exit, stderr: [...this.#stderrTail] })
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
