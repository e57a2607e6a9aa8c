/* eslint-disable svelte/prefer-svelte-reactivity -- no Map, Set, Date or URL here is read by the screen as it changes */
/** An opened recording: the same views as live, over frames that are all there. Nothing here connects, spawns or calls. */
import type { ServerRequests, ServerView } from '../../features/feature.ts'
import {
  reachabilityFold,
  type Exchanges,
  type Fold,
  type Link,
  type Peer,
  type Projection,
  type Reachability,
  type Seq,
  type Trace,
} from '../../mcp/index.ts'
import type { Bookmark, OpenedSession, RecordedServer } from '../../session-file/index.ts'
import { live } from '../../ui/index.svelte.ts'
import { IDLE, type Connection, standingOf, type Standing, type Viewed } from '../server/index.ts'
import { numbered, ownNameOf, shownName } from '../server/index.svelte.ts'
import { firstPlace, type FirstPlace } from './first-place.ts'
import { recordedRequests } from '../questions.ts'
import { viewFolds } from './recording-folds.ts'
import { Moment } from './recording-moment.ts'
import type { Route } from '../route.ts'

/** Where a recording came from. `kept`: the store has it under this id, and takes what its user notes. */
export type Origin =
  | { readonly kind: 'file' | 'text' | 'link' | 'launch'; readonly name: string }
  | { readonly kind: 'kept'; readonly name: string; readonly id: string }

/** The window, as far as a recording acts on it. */
export interface Window {
  /** The part of the address that belongs to the panel of this server. */
  placeOf(server: RecordingServer): string
  go(server: RecordingServer, place: string): void
  visit(server: RecordingServer, feature: string, place: string): void
  reveal(seq: Seq): void
  /** Those that are open, live and recorded: its steps can be sent to them, or it is compared with them. */
  others(): readonly ServerView[]
  /** Stores the user's bookmarks, where the recording is stored. */
  noted(recording: Recording): void
}

/** ms that the slider rests before a moment in the past is made. */
const REST = 120
/** Frames that are folded again at once, without waiting for a rest. */
const FEW = 2_000

export class Recording {
  /** Names it in the address. */
  readonly key: string
  readonly opened: OpenedSession
  readonly origin: Origin
  /** All of it. The trace dock shows this one at any moment. */
  readonly whole: Moment
  readonly links: readonly Link[]
  readonly #window: Window
  readonly #folds: readonly Fold<unknown>[]
  #moment = $state.raw<Moment>()!
  #servers = $state.raw<readonly RecordingServer[]>([])
  /** How many frames are looked at. */
  #wanted = $state(0)
  #settling = $state(false)
  #bookmarks = $state.raw<readonly Bookmark[]>([])
  #name = $state<string>()
  selected = $state.raw<Seq>()

  private constructor(
    key: string,
    opened: OpenedSession,
    origin: Origin,
    window: Window,
    folds: readonly Fold<unknown>[],
  ) {
    this.key = key
    this.opened = opened
    this.origin = origin
    this.#window = window
    this.#folds = folds
    this.#bookmarks = opened.head.bookmarks ?? []
    this.#name = opened.head.name
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
    window: Window,
    progress?: (part: number) => void,
  ): Promise<Recording> {
    const recording = new Recording(key, opened, origin, window, await viewFolds())
    const all = opened.frames.length
    await recording.whole.grow(
      () => all,
      (length) => progress?.(length / all),
    )
    return recording
  }

  get name(): string {
    return this.#name ?? this.origin.name
  }

  get frames(): number {
    return this.opened.frames.length
  }

  /** The servers as they were at the moment that is looked at. */
  get servers(): readonly RecordingServer[] {
    return this.#servers
  }

  /** The last frame that is looked at; -1: none. */
  get asOf(): Seq {
    return this.#wanted - 1
  }

  get atEnd(): boolean {
    return this.#wanted >= this.frames
  }

  /** The views do not show the moment yet. */
  get settling(): boolean {
    return this.#settling
  }

  /** Shows it as it was after this frame. */
  moveTo(seq: Seq): void {
    this.#wanted = Math.min(this.frames, Math.max(1, Math.round(seq) + 1))
    if (!this.#settling) void this.#settle()
  }

  get bookmarks(): readonly Bookmark[] {
    return this.#bookmarks
  }

  /** Sets it, changes its text, or with `undefined` takes it away. */
  bookmark(seq: Seq, text: string | undefined): void {
    const others = this.#bookmarks.filter((bookmark) => bookmark.seq !== seq)
    const all = text === undefined ? others : [...others, { seq, text }]
    this.#bookmarks = all.sort((one, other) => one.seq - other.seq)
    this.#window.noted(this)
  }

  /**
   * What the connection was called. Other tools know no such name: there the server's own comes first. Of several with the
   * same name each further one has a number.
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

  /** What it was made to show; absent where it holds no call. */
  get first(): FirstPlace | undefined {
    return firstPlace(this.opened.head, this.whole.exchanges.current)
  }

  /** Where it opens when the address names no place in it. */
  get firstRoute(): Route {
    const { first } = this
    // The first server that was open once; else the first.
    const worth = this.#servers.findIndex(({ link, peer }) => (first ? link === first.link : peer))
    const whose = { recording: this.key, server: String(Math.max(0, worth)) }
    if (!first || worth < 0) return { ...whose, place: '', feature: 'overview' }
    return { ...whose, feature: first.feature, place: first.place }
  }

  get window(): Window {
    return this.#window
  }

  #show(moment: Moment): void {
    this.#moment = moment
    const recorded = new Map(this.opened.head.servers.map((server) => [server.link, server]))
    const questions = recordedRequests(moment, () => this.#servers)
    this.#servers = this.links.map(
      (link, at) => new RecordingServer(this, moment, link, at, recorded.get(link), questions),
    )
  }

  /** Follows `#wanted` until the views are there. */
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
    // The user went further back meanwhile: another moment is needed.
    await moment.grow(() => (this.#wanted < wanted || this.atEnd ? 0 : this.#wanted))
    if (moment.length > 0 && moment.length <= this.#wanted && !this.atEnd) this.#show(moment)
  }
}

/** One server of a recording, at a moment. It has no session: panels show what there was, and offer no action. */
export class RecordingServer implements Viewed {
  readonly link: Link
  readonly slot: string
  /** Its place in the recording, which names it in the address. */
  readonly at: number
  readonly recording: Recording
  readonly session = undefined
  readonly recorded: RecordedServer | undefined
  readonly pendingRequests: ServerRequests
  readonly #moment: Moment
  readonly #connections: { readonly current: Map<Link, Connection> }
  readonly #reachability: { readonly current: Map<Link, Reachability> }

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
    this.#reachability = live(moment.state(reachabilityFold))
  }

  get trace(): Trace {
    return this.#moment.trace
  }

  get exchanges(): Projection<Exchanges> {
    return this.#moment.exchanges
  }

  get connection(): Connection {
    return this.#connections.current.get(this.link) ?? IDLE
  }

  get standing(): Standing {
    const { connection } = this
    return standingOf(connection.state, connection, this.#reachability.current.get(this.link)?.trouble)
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

  /** What it calls itself. */
  get ownName(): string | undefined {
    return ownNameOf(this.connection.peer)
  }

  get place(): string {
    return this.recording.window.placeOf(this)
  }

  /** Itself among them: its link may be the name of a live one, too. */
  get others(): readonly ServerView[] {
    return [this, ...this.recording.window.others()]
  }

  state<State>(fold: Fold<State>): Projection<State> {
    return this.#moment.state(fold)
  }

  reveal(seq: Seq): void {
    this.recording.window.reveal(seq)
  }

  go(place: string): void {
    this.recording.window.go(this, place)
  }

  visit(feature: string, place: string): void {
    this.recording.window.visit(this, feature, place)
  }
}

/** Links that are shown: a file may hold any number of them, and of any kind. */
const MOST_LINKS = 50

/** Those of the head first, in its order. There is always one, so that there is something to look at. */
const linksOf = ({ head, frames }: OpenedSession): readonly Link[] => {
  const links = new Set<Link>()
  for (const { link } of head.servers) if (links.size < MOST_LINKS) links.add(link)
  const spoken = new Set<Link>()
  for (const { link } of frames) {
    spoken.add(link)
    if (links.size < MOST_LINKS) links.add(link)
  }
  // A server that was never connected to in this session has nothing to show.
  const shown = [...links].filter((link) => spoken.has(link))
  return shown.length > 0 ? shown : [head.servers[0]?.link ?? 's1']
}
