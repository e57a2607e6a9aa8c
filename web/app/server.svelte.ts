/** One server of the rail: its target, its session, and its view for the panels. */
import {
  LoopbackTransport,
  messageOf,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  TransportError,
  type Exchanges,
  type Fold,
  type JsonObject,
  type Link,
  type Peer,
  type Projection,
  type Seq,
  type Trace,
  type Transport,
} from '../mcp/index.ts'
import type { ServerView } from '../features/feature.ts'
import { IDLE, type Connection, type ConnectionState } from './connection-fold.ts'
import { Draft } from './draft.svelte.ts'
import { nameOf, type Target } from './target.ts'
import type { Workbench } from './workbench.svelte.ts'

export interface ServerOptions {
  readonly link: Link
  readonly target: Target
  readonly draft?: Draft
  readonly name?: string
  readonly dropped?: readonly string[]
  readonly launch?: boolean
}

export class Server implements ServerView {
  readonly link: Link
  /** The command line at launch named it. */
  readonly launch: boolean
  readonly #bench: Workbench
  #target = $state.raw<Target>({ kind: 'sample' })
  #draft = $state.raw(new Draft())
  #session = $state.raw<Session>()
  /** The attempt under way, and the length of the trace when it began: what ended before belongs to an earlier one. */
  #attempt = $state.raw<{ readonly from: number }>()
  /** The earlier session's way out: a new one waits for it. */
  #settled: Promise<void> = Promise.resolve()
  #givenName: string

  constructor(bench: Workbench, { link, target, draft, name, dropped = [], launch = false }: ServerOptions) {
    this.#bench = bench
    this.link = link
    this.launch = launch
    this.#target = target
    this.#draft = draft ?? Draft.of(target, dropped)
    this.#givenName = name || nameOf(target)
  }

  get target(): Target {
    return this.#target
  }

  get draft(): Draft {
    return this.#draft
  }

  get trace(): Trace {
    return this.#bench.trace
  }

  get exchanges(): Projection<Exchanges> {
    return this.#bench.exchanges
  }

  get connection(): Connection {
    return this.#bench.connectionOf(this.link) ?? IDLE
  }

  get status(): ConnectionState {
    const { state, failure, closed } = this.connection
    if (state === 'open') return this.#session ? 'open' : 'closed'
    const ended = Math.max(failure?.seq ?? -1, closed?.seq ?? -1)
    // The first frame of an attempt comes a moment after the click.
    if (this.#attempt && ended < this.#attempt.from) return 'connecting'
    return state === 'connecting' && !this.#session ? 'closed' : state
  }

  /** The server's title or name, once it has told; else a short form of its target. */
  get name(): string {
    const { title, name } = this.connection.peer?.info ?? {}
    for (const text of [title, name])
      if (typeof text === 'string' && text.trim() !== '') return text.trim().slice(0, 80)
    return this.#givenName
  }

  get session(): Session | undefined {
    return this.status === 'open' ? this.#session : undefined
  }

  get peer(): Peer | undefined {
    return this.connection.peer
  }

  get place(): string {
    return this.#bench.placeOf(this.link)
  }

  state<State>(fold: Fold<State>): Projection<State> {
    return this.#bench.projectionOf(fold)
  }

  reveal(seq: Seq): void {
    this.#bench.reveal(seq)
  }

  go(place: string): void {
    this.#bench.goWithin(this.link, place)
  }

  /** Begins an attempt. Never throws: what happens is told by the Trace. */
  async connect(target: Target = this.#target): Promise<void> {
    this.#retarget(target)
    const attempt = (this.#attempt = { from: this.trace.length })
    await this.#end()
    let session: Session
    try {
      const transport = await this.#transport(target)
      // Stopped meanwhile, or begun anew by a second click.
      if (this.#attempt !== attempt) return
      session = new Session({
        trace: this.trace,
        link: this.link,
        transport,
        clientInfo: this.#bench.clientInfo,
        capabilities: (revision) => this.#bench.capabilities(revision),
      })
    } catch (error) {
      if (this.#attempt === attempt) this.#tellFailed(error)
      return
    }
    this.#session = session
    try {
      await session.open()
      this.#bench.opened(this)
    } catch {
      // The failed frame tells it; here is only the end of the attempt.
      if (this.#session === session) this.#session = undefined
    }
    if (this.#attempt === attempt) this.#attempt = undefined
  }

  /** Ends the session, or stops the attempt. Resolves once the other side is gone. */
  async disconnect(): Promise<void> {
    this.#attempt = undefined
    await this.#end()
  }

  async #end(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    if (session) {
      const before = this.#settled
      this.#settled = Promise.all([before, session.close()]).then(() => {})
    }
    await this.#settled
  }

  #retarget(target: Target): void {
    if (target === this.#target) return
    this.#target = target
    this.#givenName = nameOf(target)
  }

  async #transport(target: Target): Promise<Transport> {
    switch (target.kind) {
      case 'url':
        return new StreamableHttpTransport({ url: target.url, headers: target.headers })
      case 'command': {
        const bridge = this.#bench.bridge
        if (!bridge) throw new TransportError('no-proxy', 'This page has no local proxy to start a process')
        const { command, args, cwd, env } = target
        return new StdioBridgeTransport({ bridge, spawn: { command, args, env, ...(cwd ? { cwd } : {}) } })
      }
      case 'sample': {
        const { createSampleServer } = await import('../sample/server.ts')
        return new LoopbackTransport(createSampleServer(), 'in this page')
      }
    }
  }

  #tellFailed(error: unknown): void {
    const known = error instanceof TransportError
    const details: JsonObject = known ? error.details : {}
    const code = known ? error.code : 'internal'
    this.trace.append({
      kind: 'session',
      phase: 'failed',
      link: this.link,
      code,
      explanation: messageOf(error),
      details,
    })
  }
}
