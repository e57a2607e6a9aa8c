/** Writes a recording frame by frame, so the file stays readable however this process ends. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { type Frame, type FrameDraft, frameOf, Trace } from '../../web/mcp/index.ts'
import { EXTENSION, headOf } from '../../web/session-file/index.ts'
import type { RecordedServer, SessionEnd, SessionHead } from '../../web/session-file/index.ts'
import { redact } from '../../web/share/index.ts'
import { markOf } from '../../web/secrets/redaction.ts'
import { CannotRun } from './recording-file.ts'

/** File names to try. */
const MAX_NAMES = 10_000

/** Shorter secrets could also match ordinary words. */
const MIN_SECRET_LENGTH = 8

/** Holds no frames in memory: a recording may last for days. */
export class FrameFile extends Trace {
  /** The actual path; differs from the chosen one if that file exists. */
  readonly path: string
  readonly #file: number
  readonly #failed: (why: string) => void
  /** Secrets of the command line, JSON-escaped, and their replacements. */
  readonly #secrets: readonly (readonly [secret: string, mark: string])[]
  #count = 0
  #open = true

  /**
   * @param failed called once if writing fails; the traffic must continue anyway
   * @throws {CannotRun} the file can't be created
   */
  static async create(
    options: { readonly out: string; readonly overwrite: boolean },
    server: RecordedServer,
    failed: (why: string) => void,
  ): Promise<FrameFile> {
    const tool = { name: 'mcp-periscope', version: __VERSION__ }
    const draft = headOf({ begunAt: '', tool, servers: [server] })
    const { head, changes } = await redact(draft, spawnFrames(server))
    const distinct = changes.filter(({ value }) => value.length >= MIN_SECRET_LENGTH)
    const secrets = distinct.map(({ value, rule }) => [JSON.stringify(value).slice(1, -1), markOf(rule)] as const)
    return new FrameFile(options, head, [...insertedValues(server), ...secrets], failed)
  }

  private constructor(
    options: { readonly out: string; readonly overwrite: boolean },
    head: SessionHead,
    secrets: readonly (readonly [string, string])[],
    failed: (why: string) => void,
  ) {
    super()
    this.#failed = failed
    this.#secrets = secrets
    ;[this.path, this.#file] = openNew(options.out, options.overwrite)
    this.#write({ ...head, begunAt: new Date(this.begunAt).toISOString() })
  }

  override get length(): number {
    return this.#count
  }

  override append(draft: FrameDraft): Frame {
    const frame = frameOf(draft, this.#count++, this.elapsed)
    this.#write(frame)
    return frame
  }

  /** Writes the last line, which marks the recording as complete. */
  end(): void {
    if (!this.#open) return
    const end: SessionEnd = { kind: 'end', frames: this.#count }
    this.#write(end)
    this.#open = false
    closeSync(this.#file)
  }

  #masked(line: string): string {
    return this.#secrets.reduce((text, [secret, mark]) => text.replaceAll(secret, () => mark), line)
  }

  #write(line: object): void {
    if (!this.#open) return
    try {
      const bytes = Buffer.from(`${this.#masked(JSON.stringify(line))}\n`)
      for (let from = 0; from < bytes.length;) from += writeSync(this.#file, bytes, from)
    } catch (error) {
      this.#open = false
      this.#failed((error as Error).message)
    }
  }
}

/** The command as a frame, so that redaction finds secrets among its arguments. */
function spawnFrames({ link, target }: RecordedServer): Frame[] {
  if (target?.kind !== 'command') return []
  const { command, args } = target
  return [{ seq: 0, at: 0, link, kind: 'process', event: 'spawn', command, args, env: [] }]
}

/** The server may repeat what a reference in its arguments stood for: the file has the reference instead. */
function insertedValues({ target }: RecordedServer): (readonly [secret: string, reference: string])[] {
  const names = target?.kind === 'command' ? (target.references?.names ?? []) : []
  return names.flatMap((name) => {
    const value = process.env[name] ?? ''
    return value.length < MIN_SECRET_LENGTH ? [] : [[JSON.stringify(value).slice(1, -1), `\${env:${name}}`] as const]
  })
}

/** A client may start the same command several times at once, so each run gets its own file. */
function openNew(out: string, overwrite: boolean): [path: string, file: number] {
  const stem = out.endsWith(EXTENSION) ? out.slice(0, -EXTENSION.length) : out.replace(/\.[^./\\]+$/, '')
  const extension = out.slice(stem.length)
  for (let number = 1; number <= MAX_NAMES; number++) {
    const path = number === 1 ? out : `${stem}-${number}${extension}`
    try {
      return [path, openSync(path, overwrite ? 'w' : 'wx', 0o600)]
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      throw new CannotRun(`Can't write \`${path}\`: ${message}. Choose another path with --out.`)
    }
  }
  throw new CannotRun(`\`${out}\` and ${MAX_NAMES} similar names exist. Choose another path with --out.`)
}

/** Runs writes one after another, in the order they were added. */
export class WriteQueue {
  #last: Promise<void> | undefined

  /** Runs at once if the queue is empty. Errors are ignored: a failing recording must not stop the traffic. */
  run(write: () => void | Promise<void>): void {
    if (this.#last) {
      this.#follow(this.#last.then(write))
      return
    }
    try {
      const writing = write()
      if (writing) this.#follow(writing)
    } catch {
      // Ignored: a failing recording must not stop the traffic.
    }
  }

  async settled(): Promise<void> {
    while (this.#last) await this.#last
  }

  #follow(writing: Promise<void>): void {
    const done: Promise<void> = writing
      .catch(() => {})
      .then(() => {
        if (this.#last === done) this.#last = undefined
      })
    this.#last = done
  }
}
