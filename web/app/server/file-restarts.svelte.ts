/** Restarts the server on the command line when files of `--watch` change (rule 23 of the proxy). */
import type { FilesChanged, WatchedFiles, WatchRequest } from '../../../proxy/wire.ts'
import type { ProxyChannel } from '../../mcp/index.ts'
import type { ServerHost } from './server-host.ts'
import { texts } from './text/texts.svelte.ts'

/** ms after a start within which a change may be the server's own. */
const SOON = 10_000
/** Restarts in a row that each followed a change soon after a start: then the server probably writes the files itself. */
const MOST = 5
const NAMED = 20

interface FileRestartsOptions {
  readonly channel: Pick<ProxyChannel, 'use' | 'watchFiles' | 'send'>
  /** Resolves once the server is open again, or the attempt has failed. */
  readonly restart: (change: FilesChanged) => Promise<unknown>
  readonly onPause: (change: FilesChanged, restarts: number) => void
  /** In ms. */
  readonly now?: () => number
}

export class FileRestarts {
  readonly #options: FileRestartsOptions
  readonly #now: () => number
  #isPaused = $state(false)
  #watched = $state.raw<WatchedFiles>()
  #end: (() => void) | undefined
  #startedAt = 0
  /** Restarts in a row whose change came soon after a start. */
  #soon = 0
  #running = false
  /** Arrived while the server was restarting. */
  #next: FilesChanged | undefined

  constructor(options: FileRestartsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Changes no longer restart the server, until the user does. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** What the proxy watches; absent until it responds. */
  get watched(): WatchedFiles | undefined {
    return this.#watched
  }

  /** The server starts in this directory, which the globs are relative to. Never throws: a lost proxy is reported elsewhere. */
  async follow(directory: string | undefined): Promise<void> {
    const request: WatchRequest = directory === undefined ? {} : { directory }
    try {
      const response = await this.#options.channel.send('POST', 'api/watch', { body: JSON.stringify(request) })
      this.#watched = (await response.json()) as WatchedFiles
    } catch {
      this.#watched = undefined
    }
  }

  /** The user starts the server. Keeps the proxy's stream open, because a server that fails is restarted at the next change. */
  begin(): void {
    this.#isPaused = false
    this.#soon = 0
    this.#next = undefined
    this.#startedAt = this.#now()
    if (this.#end) return
    const { channel } = this.#options
    const ends = [channel.use(), channel.watchFiles((change) => this.#changed(change))]
    this.#end = () => ends.forEach((end) => end())
  }

  /** The user stops the server. */
  stop(): void {
    this.#end?.()
    this.#end = undefined
    this.#next = undefined
  }

  #changed(change: FilesChanged): void {
    if (this.#isPaused) return
    if (this.#running) this.#next = this.#next ? merged(this.#next, change) : change
    else void this.#restart(change)
  }

  async #restart(change: FilesChanged): Promise<void> {
    this.#soon = this.#now() - this.#startedAt < SOON ? this.#soon + 1 : 0
    if (this.#soon > MOST) {
      this.#isPaused = true
      return this.#options.onPause(change, MOST)
    }
    this.#running = true
    try {
      await this.#options.restart(change)
    } finally {
      this.#running = false
      this.#startedAt = this.#now()
    }
    const next = this.#next
    this.#next = undefined
    if (next && this.#end) await this.#restart(next)
  }
}

/** @returns `undefined` without a bridge */
export const fileRestartsOf = (
  server: { readonly name: string; restart(change: FilesChanged): Promise<void> },
  { proxy: { bridge }, tell }: Pick<ServerHost, 'proxy' | 'tell'>,
): FileRestarts | undefined =>
  bridge &&
  new FileRestarts({
    channel: bridge.channel,
    restart: (change) => server.restart(change),
    onPause: ({ files }, restarts) => tell(texts.t.restartsPaused(server.name, files[0] ?? '', restarts)),
  })

const merged = (one: FilesChanged, other: FilesChanged): FilesChanged => {
  const files = [...new Set([...one.files, ...other.files])]
  return { files: files.slice(0, NAMED), count: Math.max(files.length, one.count, other.count) }
}
