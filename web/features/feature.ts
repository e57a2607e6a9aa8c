/**
 * What a feature is: a folder with the protocol part, the fold, the rules, the panel and the tests of one thing
 * a server can offer or ask for. Declared up front, loaded late: only types are imported statically.
 */
import type { Component } from 'svelte'
import type { Popup, SignIn } from '../oauth/index.ts'
import type {
  Answers,
  ErrorObject,
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
  Trace,
} from '../mcp/index.ts'
import type { ScriptedAnswers } from '../replay/index.ts'
import type { Language } from '../ui/index.svelte.ts'
import type { ServerRequest, Waiting } from './server-request.ts'

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
  /** The pending requests of all servers; none are pending in a recording. Absent where none are shown. */
  readonly pendingRequests?: ServerRequests
  /** Servers that steps can be sent to, or that can be compared; absent: those of `pendingRequests`. */
  readonly others?: readonly ServerView[]
  /** Shows a frame in the trace dock. */
  reveal(seq: Seq): void
  /** The part of the address that belongs to the panel, such as the selected tool's name. */
  readonly place: string
  go(place: string): void
  /** Shows another feature of the same server, such as a linked resource: `visit('resources', uri)`. */
  visit(feature: string, place: string): void
}

/** The pending requests of all servers; the room `server-requests/` implements it. */
export interface ServerRequests {
  /** Pending requests by their id. A new map after each change. */
  readonly current: ReadonlyMap<string, Waiting>
  subscribe(listener: () => void): () => void
  /** The methods that can be answered here. */
  readonly methods: readonly string[]
  /** How requests of a method are shown and answered; `undefined` if they aren't. */
  answering(method: string): Answering | undefined
  /** All servers, whatever their state. */
  readonly servers: readonly ServerView[]
  /** By the link of a request; `undefined` once the server was removed. */
  serverOf(link: Link): ServerView | undefined
  /**
   * While a recorded call is sent again, the server's requests are answered from the recording instead of by the user.
   * @param answers `undefined`: the call is over
   */
  script(link: Link, answers: Pick<ScriptedAnswers, 'answer'> | undefined): void
  /** Handlers for a session with this server, and for the follower of its tasks. */
  answersFor(server: ServerView): Answers
  /** Sends the response. @returns false if the request is no longer pending: it was answered or withdrawn */
  answer(id: string, result: JsonObject): boolean
  /** Refuses with a JSON-RPC error; in a round (MRTR-10) and in a task there is none: the call, or nothing, goes on. */
  refuse(id: string, error: ErrorObject): boolean
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

/** Props of the component that shows one server request. */
export interface ServerRequestProps {
  readonly server: ServerView
  readonly question: ServerRequest
  /**
   * Sends the result; absent if nothing can be sent any more (answered, withdrawn, a recording): everything is then shown
   * read-only.
   */
  readonly answer?: (result: JsonObject) => void
  /** Refuses with a JSON-RPC error, such as -1 for a sampling request its user rejects (CF-SAMP). */
  readonly refuse?: (error: ErrorObject) => void
}

export interface ServerRequestModule {
  readonly default: Component<ServerRequestProps>
}

/** How a feature answers one method of the server's. */
export interface Answering {
  /** Shows the request: in the call that caused it, in the task, and in the Inbox. */
  readonly view: () => Promise<ServerRequestModule>
  /** What is requested in a few words, for lists; at most 200 characters are shown. */
  readonly gist: (params: JsonObject) => string
  /**
   * Responds automatically, where the user has allowed it; `undefined`, at once or later: ask the user.
   * @throws {ProtocolError} to refuse
   */
  readonly auto?: (
    question: ServerRequest,
    server: ServerView,
    signal: AbortSignal,
  ) => JsonObject | Promise<JsonObject | undefined> | undefined
  /**
   * The settings for automatic responses to this method: shown in the Inbox, so that they can be seen and turned off while
   * no request is pending.
   */
  readonly settings?: () => Promise<PanelModule>
  /** Whether this server is answered automatically now: shown next to the way to the settings. */
  readonly ruled?: (server: ServerView) => { readonly current: boolean; subscribe(listener: () => void): () => void }
}

/** All that a feature tells the rest of the page. What its methods are, the kernel's table says (`web/mcp/schema/methods.ts`). */
export interface Feature {
  readonly id: string
  /** Client capabilities to declare, for a protocol version. */
  readonly declares?: (revision: string) => JsonObject
  /** How the server's requests of a method are shown and answered. */
  readonly answers?: Readonly<Record<string, Answering>>
  /**
   * The folds of its folder that its panel reads: a recording makes them before it shows anything, so that a view finds them
   * however long it is. Those that only the panel needs are loaded with it, and not with the connection.
   */
  readonly folds?: () => Promise<readonly Fold<unknown>[]>
  /** Called when a session opens (again), to fetch what the panel needs. */
  readonly opened?: (server: ServerView) => void
}

/** A feature with a tab. Those without one answer server requests, which are shown in their call and in the Inbox. */
export interface TabFeature extends Feature {
  /** Also the name of its route: `#/s1/tools`. */
  readonly id: string
  /** Here and not in a catalogue: the tabs are there before the texts of their panels are loaded. */
  readonly title: Readonly<Record<Language, string>>
  /** The key that opens it after `g`. */
  readonly key: string
  readonly panel: () => Promise<PanelModule>
  /** Number beside its tab, computed from the Trace; `undefined` shows none. */
  readonly badge?: (server: ServerView) => number | undefined
  /** The number counts what is waiting for the user. */
  readonly urgent?: true
  /** False where the server does not offer it: the tab then stands back. */
  readonly offered?: (peer: Peer) => boolean
  /** Like `offered`, but depends on the connection; also called before there is a peer. */
  readonly offeredFor?: (server: ServerView) => boolean
}
