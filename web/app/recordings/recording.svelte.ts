/* eslint-disable svelte/prefer-svelte-reactivity -- no Map, Set, Date or URL here is read by the screen as it changes */
/**
 * An opened recording: the same views as live, over a complete set of frames. Nothing here connects, spawns or calls.
 */
import type { ServerRequests, ServerView } from '../../features/feature.ts'
import {
  exchanges,
  livenessFold,
  type Fold,
  type Link,
  type Peer,
  type Projection,
  type Liveness,
  type Seq,
  type Trace,
} from '../../mcp/index.ts'
import type { Bookmark, OpenedSession, RecordedServer, SessionHead } from '../../session-file/index.ts'
import { live } from '../../ui/index.svelte.ts'
import { IDLE, type Connection, shownStateOf, type ShownState, type ShownServer } from '../server/index.ts'
import { numbered, ownNameOf, shownName } from '../server/index.svelte.ts'
import { firstPlace, type FirstPlace } from './first-place.ts'
import { formLinkOf } from './form-link.ts'
import { recordedRequests } from '../connected-features.ts'
import { Moment, viewFolds } from './recording-moment.ts'
import type { Route } from '../route.ts'
import { texts } from './text/texts.svelte.ts'
import { withBookmark, type Sessions } from '../sessions/index.svelte.ts'

/** Where a recording came from. `kept`: it is stored under this id, and the user's bookmarks are stored with it. */
export type Origin =
  | { readonly kind: 'file' | 'text' | 'link' | 'launch'; readonly name: string }
  | { readonly kind: 'kept'; readonly name: string; readonly id: string }

/** The parts of the window that a recording uses. */
export interface RecordingHost {
  readonly route: Route
  readonly sessions: Pick<Sessions, 'change' | 'refresh'>
  readonly recordings: {
    /** Open servers, live and recorded: targets for sending the recorded requests, or for comparisons. */
    readonly compared: readonly ShownServer[]
  }
  readonly servers: {
    /** Fills in the connect form from a link. @returns whether there was something to fill in */
    takeLink(fragment: string): Promise<boolean>
  }
  go(route: Route): void
  featureOf(server: ShownServer): string
  reveal(seq: Seq): void
  share(exchange: Seq): void
  tell(message: string): void
  report(error: unknown): void
}

/** ms that the slider must rest before an earlier moment is computed. */
const REST = 120
/** Up to this many frames are folded immediately, without waiting for a rest. */
const FEW = 2_000

export class Recording {
  /** Its id in the URL. */
  readonly key: string
  readonly opened: OpenedSession
  readonly origin: Origin
  readonly host: RecordingHost
  /** The complete recording. The trace dock shows this one at every moment. */
  readonly whole: Moment
  readonly links: readonly Link[]
  readonly #folds: readonly Fold<unknown>[]
  #moment = $state.raw<Moment>()!
  #servers = $state.raw<readonly RecordingServer[]>([])
  /** Number of frames up to the moment shown. */
  #wanted = $state(0)
  #settling = $state(false)
  #bookmarks = $state.raw<readonly Bookmark[]>([])
  selected = $state.raw<Seq>()

  private constructor(
    key: string,
    opened: OpenedSession,
    origin: Origin,
    host: RecordingHost,
    folds: readonly Fold<unknown>[],
  ) {
    this.key = key
    this.opened = opened
    this.origin = origin
    this.host = host
    this.#folds = folds
    this.#bookmarks = opened.head.bookmarks ?? []
    this.#wanted = opened.frames.length
    this.whole = new Moment(Date.parse(opened.head.begunAt), opened.frames, folds)
    this.links = linksOf(opened)
    this.#show(this.whole)
  }

  /** Folds it in slices, so that no recording freezes the page. */
  static async of(
    key: string,
    opened: OpenedSession,
    origin: Origin,
    host: RecordingHost,
    progress?: (part: number) => void,
  ): Promise<Recording> {
    const recording = new Recording(key, opened, origin, host, await viewFolds())
    const all = opened.frames.length
    await recording.whole.grow(
      () => all,
      (length) => progress?.(length / all),
    )
    return recording
  }

  get name(): string {
    return this.opened.head.name ?? this.origin.name
  }

  get frames(): number {
    return this.opened.frames.length
  }

  /** The servers at the moment shown. */
  get servers(): readonly RecordingServer[] {
    return this.#servers
  }

  /** The last frame of the moment shown; -1 if there is none. */
  get asOf(): Seq {
    return this.#wanted - 1
  }

  get atEnd(): boolean {
    return this.#wanted >= this.frames
  }

  /** The views don't show the moment yet. */
  get settling(): boolean {
    return this.#settling
  }

  /** Shows the state after this frame. */
  moveTo(seq: Seq): void {
    this.#wanted = Math.min(this.frames, Math.max(1, Math.round(seq) + 1))
    if (!this.#settling) void this.#settle()
  }

  get bookmarks(): readonly Bookmark[] {
    return this.#bookmarks
  }

  /** The head for a file of it. */
  get head(): SessionHead {
    const bookmarks = this.#bookmarks
    return { ...this.opened.head, ...(bookmarks.length > 0 ? { bookmarks } : {}) }
  }

  /** Adds a bookmark or changes its text; `undefined` removes it. */
  bookmark(seq: Seq, text: string | undefined): void {
    this.#bookmarks = withBookmark(this.#bookmarks, seq, text)
    const { origin } = this
    if (origin.kind === 'kept') void this.host.sessions.change(origin.id, { bookmarks: this.#bookmarks })
  }

  /**
   * The name of the connection. Other tools have no such name, so the server's own name is used first. Connections with
   * the same name are numbered.
   */
  readonly nameOf = (link: Link): string => {
    const ours = this.opened.head.tool.name === 'mcp-periscope'
    const taken = new Set<string>()
    for (const server of this.#servers) {
      const given = server.recorded?.name
      const base = (ours ? given || server.ownName : server.ownName || given) || server.link
      const name = numbered(shownName(base), taken)
      if (server.link === link) return name
      taken.add(name)
    }
    return link
  }

  /** What its sender was looking at, otherwise the part it was made to show; absent if it contains no call. */
  get first(): FirstPlace | undefined {
    const { view } = this.opened.head
    if (view && this.links.includes(view.link)) {
      const { seq, ...place } = view
      return seq !== undefined && seq < this.frames ? { ...place, frame: seq } : place
    }
    return firstPlace(this.opened.head, this.whole.state(exchanges).current)
  }

  /** Where it opens if the URL names no place in it. */
  get firstRoute(): Route {
    const { first } = this
    // The first server that was ever connected, otherwise the first server.
    const worth = this.#servers.findIndex(({ link, peer }) => (first ? link === first.link : peer))
    const whose = { recording: this.key, server: String(Math.max(0, worth)) }
    if (!first || worth < 0) return { ...whose, place: '', feature: 'overview' }
    return { ...whose, feature: first.feature, place: first.place }
  }

  #show(moment: Moment): void {
    this.#moment = moment
    const recorded = new Map(this.opened.head.servers.map((server) => [server.link, server]))
    const requests = recordedRequests(moment, () => this.#servers)
    this.#servers = this.links.map(
      (link, at) => new RecordingServer(this, moment, link, at, recorded.get(link), requests),
    )
  }

  /** Follows `#wanted` until the views are ready. */
  async #settle(): Promise<void> {
    this.#settling = true
    try {
      while (this.#moment.length !== this.#wanted) {
        if (this.atEnd) this.#show(this.whole)
        else if (this.#moment !== this.whole && this.#moment.length < this.#wanted)
          await this.#moment.grow(() => this.#wanted)
        else await this.#goBack()
      }
    } finally {
      this.#settling = false
    }
  }

  async #goBack(): Promise<void> {
    const wanted = this.#wanted
    if (wanted > FEW) await new Promise((resolve) => setTimeout(resolve, REST))
    if (wanted !== this.#wanted) return
    const moment = new Moment(Date.parse(this.opened.head.begunAt), this.opened.frames, this.#folds)
    // If the user moved further back meanwhile, this moment is obsolete.
    await moment.grow(() => (this.#wanted < wanted || this.atEnd ? 0 : this.#wanted))
    if (moment.length > 0 && moment.length <= this.#wanted && !this.atEnd) this.#show(moment)
  }
}

/** One server of a recording, at a moment. It has no session, so panels show its data but offer no actions. */
export class RecordingServer implements ShownServer {
  readonly link: Link
  readonly slot: string
  /** Its index in the recording, which identifies it in the URL. */
  readonly at: number
  readonly recording: Recording
  readonly session = undefined
  readonly isRecording = true
  readonly recorded: RecordedServer | undefined
  readonly pendingRequests: ServerRequests
  readonly #moment: Moment
  readonly #connections: { readonly current: Map<Link, Connection> }
  readonly #liveness: { readonly current: Map<Link, Liveness> }

  constructor(
    recording: Recording,
    moment: Moment,
    link: Link,
    at: number,
    recorded: RecordedServer | undefined,
    pendingRequests: ServerRequests,
  ) {
    this.recording = recording
    this.pendingRequests = pendingRequests
    this.#moment = moment
    this.link = link
    this.at = at
    this.slot = `${recording.key}-${at}`
    this.recorded = recorded
    this.#connections = live(moment.connections)
    this.#liveness = live(moment.state(livenessFold))
  }

  get trace(): Trace {
    return this.#moment.trace
  }

  get connection(): Connection {
    return this.#connections.current.get(this.link) ?? IDLE
  }

  get shownState(): ShownState {
    const { connection } = this
    return shownStateOf(connection.state, connection, this.#liveness.current.get(this.link)?.trouble)
  }

  get peer(): Peer | undefined {
    return this.connection.peer
  }

  get transport(): string | undefined {
    return this.connection.transport ?? this.recorded?.transport
  }

  get name(): string {
    return this.recording.nameOf(this.link)
  }

  /** The server's own name. */
  get ownName(): string | undefined {
    return ownNameOf(this.connection.peer)
  }

  get place(): string {
    return this.#isShown ? this.recording.host.route.place : ''
  }

  get #isShown(): boolean {
    const { key, host } = this.recording
    return host.route.recording === key && Number(host.route.server ?? 0) === this.at
  }

  get connectInstead(): (() => void) | undefined {
    const { host } = this.recording
    const link = this.recorded && formLinkOf(this.recorded)
    if (!link) return undefined
    const take = async () => {
      if (await host.servers.takeLink(await link())) host.go({ place: '' })
      else host.tell(texts.t.notTaken)
    }
    return () => void take().catch((error: unknown) => host.report(error))
  }

  /** Includes itself, because a live server may have the same link. */
  get others(): readonly ServerView[] {
    return [this, ...this.recording.host.recordings.compared]
  }

  state<State>(fold: Fold<State>): Projection<State> {
    return this.#moment.state(fold)
  }

  reveal(seq: Seq): void {
    this.recording.host.reveal(seq)
  }

  share(seq: Seq): void {
    this.recording.host.share(seq)
  }

  go(place: string): void {
    if (this.#isShown) this.visit(this.recording.host.featureOf(this), place)
  }

  visit(feature: string, place: string): void {
    const { key, host } = this.recording
    host.go({ recording: key, server: String(this.at), feature, place })
  }
}

/** Maximum number of links shown, because a file may contain any number. */
const MOST_LINKS = 50

/** The links in the head come first, in its order. Returns at least one, so that there is something to show. */
const linksOf = ({ head, frames }: OpenedSession): readonly Link[] => {
  const links = new Set<Link>()
  for (const { link } of head.servers) if (links.size < MOST_LINKS) links.add(link)
  const spoken = new Set<Link>()
  for (const { link } of frames) {
    spoken.add(link)
    if (links.size < MOST_LINKS) links.add(link)
  }
  // A server that was never connected in this session has nothing to show.
  const shown = [...links].filter((link) => spoken.has(link))
  return shown.length > 0 ? shown : [head.servers[0]?.link ?? 's1']
}
