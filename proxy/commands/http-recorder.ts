/**
 * Records the HTTP traffic that a proxy forwards. Each session has its own file, because every client numbers its requests
 * from the start. Frames are written in the order of the traffic.
 */
import { headerIn, type HeaderList } from '../../web/mcp/index.ts'
import type { RecordedServer } from '../../web/session-file/index.ts'
import { FrameFile, WriteQueue } from './frame-file.ts'
import { MessageRecorder } from './message-recorder.ts'
import { CannotRun } from './recording-file.ts'

const LINK = 's1'
/** Open files. A further session closes the oldest one. */
const MAX_SESSIONS = 200
/** Event IDs per session; resuming a stream looks them up. */
const MAX_EVENTS = 10_000

export interface RequestHead {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: HeaderList
}

/** One session of one client, in its own file. */
export interface RecordedSession {
  readonly file: FrameFile
  readonly messages: MessageRecorder
  /** `initialize` was sent. */
  initialized: boolean
  /** HTTP+SSE: the stream has named the URL to POST to. */
  endpoint: boolean
  /** Event ID -> the request that opened its stream. */
  readonly events: Map<string, number>
}

type OutputOptions = { readonly out: string; readonly overwrite: boolean }

export class HttpRecorder {
  readonly queue = new WriteQueue()
  readonly #options: OutputOptions
  readonly #target: URL
  readonly #say: (text: string) => void
  /** The first one takes requests that belong to no session yet. */
  readonly #sessions: RecordedSession[] = []
  /** By `Mcp-Session-Id`, or by the path that an `endpoint` event named. */
  readonly #sessionsByKey = new Map<string, RecordedSession>()

  private constructor(options: OutputOptions, target: URL, say: (text: string) => void) {
    this.#options = options
    this.#target = target
    this.#say = say
  }

  /** @throws {CannotRun} the file can't be created */
  static async create(options: OutputOptions, target: URL, say: (text: string) => void): Promise<HttpRecorder> {
    const recorder = new HttpRecorder(options, target, say)
    const { file } = await recorder.#newSession()
    if (file.path !== options.out) say(`${options.out} exists, recording to ${file.path} instead`)
    return recorder
  }

  /** Of the first session. */
  get path(): string {
    return this.#sessions[0]!.file.path
  }

  /** @returns the server's URL for a request path */
  urlOf(path: string): string {
    return this.#target.origin + path
  }

  /** Whether requests to this path carry MCP. Others belong to a sign-in, for example. */
  isEndpoint(path: string): boolean {
    return this.#sessionsByKey.has(path) || path.split('?')[0] === this.#target.pathname
  }

  /** The session of a request; a new one if the request starts it. */
  async sessionFor(head: RequestHead, begins: boolean): Promise<RecordedSession> {
    const session = headerIn(head.headers, 'mcp-session-id')
    const known =
      (session === undefined ? undefined : this.#sessionsByKey.get(session)) ?? this.#sessionsByKey.get(head.path)
    if (known) return known
    const newest = this.#sessions.at(-1)!
    const listens = head.method === 'GET' && this.isEndpoint(head.path)
    if (!(begins && newest.initialized) && !(listens && newest.endpoint)) return newest
    try {
      return await this.#newSession()
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error
      this.#say(`another session is also recorded to ${newest.file.path}: ${error.message}`)
      return newest
    }
  }

  assign(name: string, session: RecordedSession): void {
    this.#sessionsByKey.set(name, session)
  }

  /** @returns the request that opened the stream of an event */
  streamOf({ events }: RecordedSession, eventId: string | undefined): number | undefined {
    return eventId === undefined ? undefined : events.get(eventId)
  }

  rememberEvent({ events }: RecordedSession, eventId: string, origin: number): void {
    events.set(eventId, origin)
    if (events.size > MAX_EVENTS) events.delete(events.keys().next().value!)
  }

  /** The client ended the session. */
  end(session: RecordedSession): void {
    session.messages.closed('ended')
    // The newest stays open for requests that belong to no session yet.
    if (this.#sessions.length > 1 && session !== this.#sessions.at(-1)) this.#drop(session)
  }

  async close(): Promise<void> {
    await this.queue.settled()
    for (const { messages: heard, file } of this.#sessions) {
      heard.closed('ended')
      file.end()
    }
  }

  async #newSession(): Promise<RecordedSession> {
    const server: RecordedServer = {
      link: LINK,
      name: this.#target.host,
      target: { kind: 'url', url: this.#target.href, headers: [] },
    }
    const failed = (why: string) => this.#say(`recording stopped: ${why}`)
    const file = await FrameFile.create(this.#options, server, failed)
    const messages = new MessageRecorder(file, LINK, 'Streamable HTTP')
    const session: RecordedSession = {
      file,
      messages: messages,
      initialized: false,
      endpoint: false,
      events: new Map(),
    }
    this.#sessions.push(session)
    if (this.#sessions.length > 1) this.#say(`recording another session to ${file.path}`)
    if (this.#sessions.length > MAX_SESSIONS) this.#drop(this.#sessions[0]!)
    return session
  }

  #drop(session: RecordedSession): void {
    session.messages.closed('ended')
    session.file.end()
    this.#sessions.splice(this.#sessions.indexOf(session), 1)
    for (const [name, each] of this.#sessionsByKey) if (each === session) this.#sessionsByKey.delete(name)
  }
}
