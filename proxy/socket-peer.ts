/**
 * A server behind a Unix socket or a Windows named pipe: newline-delimited JSON, as over stdio, with the same limits. Its
 * process isn't ours, so it is never started or ended: ending means closing the socket (rule 21).
 */
import { Buffer } from 'node:buffer'
import { statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Limits } from './limits.ts'
import type { ChildEvent, LinePeer } from './line-peer.ts'
import { LineSplitter } from './lines.ts'
import type { MemoryBudget, Share } from './memory-budget.ts'
import { Refusal, size } from './refusal.ts'

/** Bytes, as `sockaddr_un` has room for. */
const LONGEST_PATH = process.platform === 'darwin' ? 103 : 107
/** Characters shown of an unfinished line. */
const UNFINISHED_LENGTH = 1000

export class SocketPeer implements LinePeer {
  readonly started: Promise<void>
  readonly gone: Promise<void>
  readonly #socket: Socket
  readonly #limits: Limits
  readonly #deliver: (event: ChildEvent) => void
  readonly #lines: LineSplitter
  readonly #share: Share | undefined
  #isOpen = false
  #isPaused = false
  #isMemoryShort = false
  #endTimer: NodeJS.Timeout | undefined
  #unfinishedTimer: NodeJS.Timeout | undefined
  /** The current line was reported as unfinished. */
  #toldUnfinished = false
  #why: string | undefined

  /**
   * Connects at once.
   * @param target `unix:/path` or `npipe:name`
   * @param memory counts its unfinished line
   * @throws {Refusal} 422 `no-sockets`: this system has none of that kind; `socket-path`: it is too long
   */
  constructor(target: string, limits: Limits, deliver: (event: ChildEvent) => void, memory?: MemoryBudget) {
    this.#limits = limits
    this.#deliver = deliver
    const path = pathOf(target)
    this.#lines = new LineSplitter(limits.line, {
      line: (line) => {
        this.#toldUnfinished = false
        deliver({ type: 'line', line })
      },
      lost: (line) => {
        this.#toldUnfinished = false
        const what = line.early
          ? 'An unfinished line from the socket (memory ran short)'
          : `A line longer than ${size(limits.line)} from the socket`
        const [head, tail] = [line.head.toString(), line.tail.toString()]
        deliver({ type: 'lost', stream: 'stdout', what, size: line.size, head, tail })
      },
    })
    this.#share = memory?.share({
      unfinished: true,
      blocked: () => this.#isPaused,
      pause: (paused) => {
        this.#isMemoryShort = paused
        this.#applyBackpressure()
      },
      drop: () => {
        this.#lines.drop()
        this.#count()
      },
    })
    const socket = (this.#socket = connect(path))
    this.started = new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(slow(path, limits.connect))
        socket.destroy()
      }, limits.connect)
      socket.once('connect', () => {
        clearTimeout(late)
        this.#isOpen = true
        resolve()
      })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(late)
        this.#why = `The connection broke: ${error.message}`
        reject(explain(path, error))
      })
    })
    this.gone = new Promise((resolve) => {
      socket.once('close', () => {
        this.#closed()
        resolve()
      })
    })
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    // Each pending write adds a listener.
    socket.setMaxListeners(0)
  }

  get unread(): number {
    return this.#socket.writableLength
  }

  async write(bytes: Uint8Array): Promise<boolean> {
    const socket = this.#socket
    if (!socket.writable) return false
    return new Promise((resolve) => {
      const closed = () => resolve(false)
      socket.once('close', closed)
      socket.write(bytes, (error) => {
        socket.off('close', closed)
        resolve(!error)
      })
    })
  }

  end(): Promise<void> {
    if (!this.#isOpen) this.#socket.destroy()
    else if (!this.#endTimer) {
      // What was written still arrives, and the server may send its last lines.
      this.#socket.end()
      this.resume()
      this.#endTimer = setTimeout(() => this.#socket.destroy(), this.#limits.stdinGrace)
    }
    return this.gone
  }

  kill(): void {
    this.#socket.destroy()
  }

  pause(): void {
    this.#isPaused = true
    this.#applyBackpressure()
  }

  resume(): void {
    this.#isPaused = false
    this.#applyBackpressure()
  }

  #applyBackpressure(): void {
    if (this.#isPaused || this.#isMemoryShort) this.#socket.pause()
    else this.#socket.resume()
  }

  #read(chunk: Buffer): void {
    this.#lines.push(chunk)
    this.#count()
    clearTimeout(this.#unfinishedTimer)
    if (this.#lines.held === 0 || this.#toldUnfinished) return
    this.#unfinishedTimer = setTimeout(() => {
      this.#toldUnfinished = true
      this.#deliver({ type: 'unfinished', size: this.#lines.held, text: this.#lines.peek(UNFINISHED_LENGTH) })
    }, this.#limits.stdoutPart)
  }

  #count(): void {
    this.#share?.set(this.#lines.held)
  }

  #closed(): void {
    clearTimeout(this.#endTimer)
    clearTimeout(this.#unfinishedTimer)
    this.#share?.close()
    // It never opened, so the refusal has said everything.
    if (!this.#isOpen) return
    this.#lines.end()
    this.#deliver({ type: 'closed', ...(this.#why === undefined ? {} : { why: this.#why }) })
  }
}

/**
 * What to open. A pipe may be given by its name or its whole path.
 * @throws {Refusal} as the constructor
 */
export function pathOf(target: string, isWindows = process.platform === 'win32'): string {
  const name = target.slice(target.indexOf(':') + 1)
  if (target.startsWith('unix:')) {
    if (!isWindows) return checkedPath(name)
    const message = "Unix sockets aren't available on Windows."
    throw new Refusal(422, { code: 'no-sockets', message, remedy: 'Use a named pipe: npipe:NAME' })
  }
  if (isWindows) return /^(?:\\\\|\/\/)[.?][\\/]pipe[\\/]/i.test(name) ? name : `\\\\.\\pipe\\${name}`
  const message = 'Named pipes exist only on Windows.'
  throw new Refusal(422, { code: 'no-sockets', message, remedy: 'Use a Unix socket: unix:/path/to.sock' })
}

/** The system would open a truncated path, which may be another socket. */
function checkedPath(path: string): string {
  const bytes = Buffer.byteLength(path)
  if (bytes <= LONGEST_PATH) return path
  throw new Refusal(422, {
    code: 'socket-path',
    message: `The path of the socket has ${bytes} bytes, and the limit is ${LONGEST_PATH}.`,
    remedy: 'Use a shorter path, for example a symbolic link in /tmp.',
  })
}

function slow(path: string, limit: number): Refusal {
  const message = `The socket ${path} didn't accept the connection within ${limit / 1000} s.`
  return new Refusal(422, { code: 'socket-timeout', message, remedy: 'Check the server. It may be busy or stopped.' })
}

function explain(path: string, error: NodeJS.ErrnoException): Refusal {
  const { code, message, remedy } = describe(path, error)
  return new Refusal(422, { code, message, remedy, ...(error.code === undefined ? {} : { system: error.code }) })
}

function describe(path: string, { code, message }: NodeJS.ErrnoException) {
  switch (code) {
    case 'ENOENT':
      return {
        code: 'socket-missing',
        message: `There is no socket at ${path}.`,
        remedy: 'Start the server that creates it, or check the path.',
      }
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'socket-permission',
        message: `This user isn't allowed to open the socket ${path}.`,
        remedy: 'Change the permissions of the socket and its folder, or run Periscope as a user who may open it.',
      }
    case 'ECONNREFUSED':
    case 'ENOTSOCK':
      return isSocket(path)
        ? {
            code: 'socket-refused',
            message: `Nothing is listening on the socket ${path}.`,
            remedy: 'Start the server. The file may be left from an earlier run.',
          }
        : {
            code: 'not-a-socket',
            message: `${path} isn't a socket.`,
            remedy: 'Enter the path of a socket. To run a program, enter its command.',
          }
    default:
      return {
        code: 'socket-failed',
        message: `The socket ${path} couldn't be opened: ${message}.`,
        remedy: 'Check the path, and whether the server is running.',
      }
  }
}

function isSocket(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isSocket() ?? false
}
