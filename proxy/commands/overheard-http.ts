/**
 * HTTP between a client and a server, heard by a proxy in between: as frames, each session in a file of its own, for each
 * client counts its requests from the beginning. Everything is written down in the order in which it passed.
 */
import type { HeaderList } from '../../web/mcp/index.ts'
import type { RecordedServer } from '../../web/session-file/index.ts'
import { FrameFile } from './frame-file.ts'
import { WriteQueue } from './write-queue.ts'
import { MessageRecorder } from './message-recorder.ts'
import { CannotRun } from './recording-file.ts'

const LINK = 's1'
/** Sessions written at once; the one begun longest ago is ended for a further one. */
const MOST_SESSIONS = 200
/** Ids of events, by which a stream is found that is carried on. */
const EVENTS_KEPT = 10_000

export interface RequestHead {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: HeaderList
}

/** One session of one client, in a file of its own. */
export interface Hearing {
  readonly file: FrameFile
  readonly heard: MessageRecorder
  /** It has had its `initialize`. */
  begun: boolean
  /** The stream of HTTP+SSE, once it has named where to POST. */
  endpoint: boolean
  /** Event id -> the request that began its stream. */
  readonly events: Map<string, number>
}

type Wish = { readonly out: string; readonly overwrite: boolean }

export class OverheardHttp {
  readonly order = new WriteQueue()
  readonly #wish: Wish
  readonly #target: URL
  readonly #say: (text: string) => void
  /** The first is for whoever has no session yet. */
  readonly #hearings: Hearing[] = []
  /** By the session's id, or the path that an `endpoint` event named. */
  readonly #known = new Map<string, Hearing>()

  private constructor(wish: Wish, target: URL, say: (text: string) => void) {
    this.#wish = wish
    this.#target = target
    this.#say = say
  }

  /** @throws {CannotRun} the file cannot be made */
  static async into(wish: Wish, target: URL, say: (text: string) => void): Promise<OverheardHttp> {
    const heard = new OverheardHttp(wish, target, say)
    const { file } = await heard.#begin()
    if (file.path !== wish.out) say(`${wish.out} exists, so this is recorded in ${file.path}`)
    return heard
  }

  /** Of the first session. */
  get path(): string {
    return this.#hearings[0]!.file.path
  }

  /** @param path of a request @returns the address as it is known to everybody */
  addressOf(path: string): string {
    return this.#target.origin + path
  }

  /** Whether the protocol is spoken there; elsewhere are sign-ins and other things. */
  isEndpoint(path: string): boolean {
    return this.#known.has(path) || path.split('?')[0] === this.#target.pathname
  }

  /** Which session a request belongs to; a new one where it begins one. */
  async of(head: RequestHead, begins: boolean): Promise<Hearing> {
    const session = valueOf(head.headers, 'mcp-session-id')
    const known = (session === undefined ? undefined : this.#known.get(session)) ?? this.#known.get(head.path)
    if (known) return known
    const newest = this.#hearings.at(-1)!
    const listens = head.method === 'GET' && this.isEndpoint(head.path)
    if (!(begins && newest.begun) && !(listens && newest.endpoint)) return newest
    try {
      return await this.#begin()
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error
      this.#say(`a further session is recorded in ${newest.file.path}, too: ${error.message}`)
      return newest
    }
  }

  know(name: string, hearing: Hearing): void {
    this.#known.set(name, hearing)
  }

  /** @returns the request that began the stream of an event */
  originOf({ events }: Hearing, eventId: string | undefined): number | undefined {
    return eventId === undefined ? undefined : events.get(eventId)
  }

  remember({ events }: Hearing, eventId: string, origin: number): void {
    events.set(eventId, origin)
    if (events.size > EVENTS_KEPT) events.delete(events.keys().next().value!)
  }

  /** Its user has ended the session. */
  end(hearing: Hearing): void {
    hearing.heard.closed('ended')
    // The first stays open for whoever comes without a session.
    if (this.#hearings.length > 1 && hearing !== this.#hearings.at(-1)) this.#drop(hearing)
  }

  async close(): Promise<void> {
    await this.order.settled()
    for (const { heard, file } of this.#hearings) {
      heard.closed('ended')
      file.end()
    }
  }

  async #begin(): Promise<Hearing> {
    const server: RecordedServer = {
      link: LINK,
      name: this.#target.host,
      target: { kind: 'url', url: this.#target.href, headers: [] },
    }
    const failed = (why: string) => this.#say(`nothing more can be recorded, for ${why}`)
    const file = await FrameFile.create(this.#wish, server, failed)
    const heard = new MessageRecorder(file, LINK, 'Streamable HTTP')
    const hearing: Hearing = { file, heard, begun: false, endpoint: false, events: new Map() }
    this.#hearings.push(hearing)
    if (this.#hearings.length > 1) this.#say(`a further session is recorded in ${file.path}`)
    if (this.#hearings.length > MOST_SESSIONS) this.#drop(this.#hearings[0]!)
    return hearing
  }

  #drop(hearing: Hearing): void {
    hearing.heard.closed('ended')
    hearing.file.end()
    this.#hearings.splice(this.#hearings.indexOf(hearing), 1)
    for (const [name, each] of this.#known) if (each === hearing) this.#known.delete(name)
  }
}

export const valueOf = (headers: HeaderList, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
