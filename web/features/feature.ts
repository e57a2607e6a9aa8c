/**
 * What a feature is: a folder with the protocol part, the fold, the rules, the panel and the tests of one thing
 * a server can offer or ask for. Declared up front, loaded late: only types are imported statically.
 */
import type { Component } from 'svelte'
import type { Popup, SignIn } from '../oauth/index.ts'
import type {
  Exchanges,
  Fold,
  Json,
  JsonObject,
  Link,
  Peer,
  Projection,
  RelayOptions,
  Seq,
  Session,
  Span,
  Trace,
} from '../mcp/index.ts'
import type { Answering, QuestionDesk } from './questions/index.ts'

/** A method or notification of the protocol, and in which revisions it exists. */
export interface Method {
  readonly span: Span
  readonly from: 'client' | 'server' | 'both'
  /** The capability that must be declared by whoever answers, as a dotted path. */
  readonly capability?: string
  /** The parameter that `Mcp-Name` repeats (2026-07-28). */
  readonly nameParam?: string
}

/** What a panel is given: one server, live or recorded. It reads the Trace and acts through the session. */
export interface ServerView {
  readonly link: Link
  /**
   * Tells it from all others of the window, for what panels remember of their user: a recording has links of its own, which
   * may be those of live servers. Of a live one, its link.
   */
  readonly slot: string
  readonly name: string
  /** What the server calls itself, which others may call themselves as well; absent until it has. */
  readonly ownName?: string | undefined
  readonly trace: Trace
  readonly exchanges: Projection<Exchanges>
  /** One projection per fold, shared by all who ask. */
  state<State>(fold: Fold<State>): Projection<State>
  /** Absent while nothing is connected: a panel then shows what it has and offers no action. */
  readonly session: Session | undefined
  /** Absent until the session is open. */
  readonly peer: Peer | undefined
  /** What carries the messages, as the transport calls itself: `Streamable HTTP`, `stdio` … */
  readonly transport?: string | undefined
  /** Absent where nothing outlives the page. */
  readonly kept?: Kept
  /** Of servers over HTTP, once one was connected to; absent for processes and recordings. */
  readonly signIn?: SignIn | undefined
  /** A window to sign in with; call it in the click, before anything is awaited. */
  openSignInWindow?(): Popup
  /** The local proxy, for `relayFetch` to addresses that permit no page; absent without one. */
  readonly relay?: RelayOptions | undefined
  /** There is an `Authorization` header that its user gave. */
  readonly authorizedByHand?: boolean
  /** Where the questions of all servers wait for their user; in a recording nobody waits. Absent where none are shown. */
  readonly questions?: QuestionDesk
  /** Servers that steps can be sent to, or that can be compared; absent: those of `questions`. */
  readonly others?: readonly ServerView[]
  /** Shows a frame in the trace dock. */
  reveal(seq: Seq): void
  /** The part of the address that belongs to the panel, such as the selected tool's name. */
  readonly place: string
  go(place: string): void
  /** Shows another feature of the same server, such as a linked resource: `visit('resources', uri)`. */
  visit(feature: string, place: string): void
}

/** Small values that outlive a reload, by name; of one server, and never secret. */
export interface Kept {
  /** What was set, unless somebody else wrote there: read it without trust. */
  get(name: string): unknown
  set(name: string, value: Json): void
}

export interface PanelModule {
  readonly default: Component<{ server: ServerView }>
}

export interface Feature {
  /** Also the name of its route: `#/s1/tools`. */
  readonly id: string
  readonly title: () => string
  /** Path of its chapter below the specification's address, with `{revision}` to be filled in. */
  readonly spec: string
  readonly methods: Readonly<Record<string, Method>>
  /** Client capabilities to declare, for a revision. */
  readonly declare?: (revision: string) => JsonObject
  /** How the server's questions of a method are shown and answered. */
  readonly answers?: Readonly<Record<string, Answering>>
  /** The key that opens it after `g`. */
  readonly key?: string
  /** Number beside its tab, computed from the Trace; `undefined` shows none. */
  readonly count?: (server: ServerView) => number | undefined
  /** The number says how much waits for its user. */
  readonly urgent?: true
  /** False where the server does not offer it: the tab then stands back. */
  readonly offered?: (peer: Peer) => boolean
  /** As `offered`, for what depends on how a server is connected to; it is asked before there is a peer, too. */
  readonly offeredFor?: (server: ServerView) => boolean
  /** Called when a session opens (again), to fetch what the panel needs. */
  readonly opened?: (server: ServerView) => void
  /** Without one (and its key) it has no tab: it answers questions, and is seen where they are. */
  readonly panel?: () => Promise<PanelModule>
}

export type TabFeature = Feature & Required<Pick<Feature, 'key' | 'panel'>>
