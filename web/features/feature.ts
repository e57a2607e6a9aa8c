/**
 * The definition of a feature: a folder with the protocol part, fold, rules, panel and tests of one thing that a server
 * can offer or request. Declared up front, loaded late: only types are imported statically.
 */
import type { Component } from 'svelte'
import type { Environment, Resolved, Scope } from '../environments/index.ts'
import type { Value } from '../json/index.ts'
import type { Popup, SignIn } from '../oauth/index.ts'
import type {
  Answers,
  ClientCapability,
  ErrorObject,
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
import type { ToolSafety } from './tool-safety/index.ts'

/** The variables that `{{name}}` refers to in arguments. */
export interface VariableSource {
  readonly scope: Scope
  readonly environments: readonly Pick<Environment, 'id' | 'name'>[]
  /** @param id absent: none */
  activate(id: string | undefined): void
  /** Opens the dialog. */
  edit(): void
  /** Call it for what is sent: secret values in it are masked in the trace from now on. */
  forSending(value: Value): Resolved
}

/** Passed to panels: one server, live or recorded. Panels read the Trace and act through the session. */
export interface ServerView {
  readonly link: Link
  /**
   * Unique key of the server in this window, under which panels store UI state. For a live server, its link. Recordings
   * have links of their own, which may equal those of live servers, so they need another key.
   */
  readonly slot: string
  readonly name: string
  /** The server's reported name, which may not be unique; absent until it is known. */
  readonly ownName?: string | undefined
  readonly trace: Trace
  /** One projection per fold, shared by all callers. */
  state<State>(fold: Fold<State>): Projection<State>
  /** Absent while disconnected: panels then show what they have, without actions. */
  readonly session: Session | undefined
  /** Absent until the session is open. */
  readonly peer: Peer | undefined
  /** The transport's name for itself: `Streamable HTTP`, `stdio` … */
  readonly transport?: string | undefined
  /** Absent if nothing can be stored beyond the page. */
  readonly kept?: Kept
  /** For HTTP servers, after the first connection; absent for processes and recordings. */
  readonly signIn?: SignIn | undefined
  /** Opens a window to sign in with. Call it in the click, before the first `await`. */
  openSignInWindow?(): Popup
  /** The local proxy, for `relayFetch` to URLs that don't allow cross-origin requests; absent if there is none. */
  readonly relay?: RelayOptions | undefined
  /** The user set an `Authorization` header. */
  readonly authorizedByHand?: boolean
  /**
   * Client capabilities that the user didn't let this connection declare. Requests that need one are refused. Absent:
   * none, or a recording.
   */
  readonly withheld?: readonly ClientCapability[]
  /** Absent in recordings. */
  readonly variables?: VariableSource
  /** The gate before calls of tools; absent before the first connection, and in recordings. */
  readonly toolSafety?: ToolSafety | undefined
  /** The pending requests of all servers (none in a recording). Absent if this screen doesn't show them. */
  readonly pendingRequests?: ServerRequests
  /** Servers that can be compared or run steps; absent: those of `pendingRequests`. */
  readonly others?: readonly ServerView[]
  /** Opened from a file or a link: it shows what was sent, and nothing can be sent. */
  readonly isRecording?: true
  /**
   * Fills in the connect form with the server of a recording, without connecting. Absent if the server is live, and if
   * the recording names neither a URL nor a command.
   */
  readonly connectInstead?: (() => void) | undefined
  /** Ends its process and starts it again. Absent in recordings. */
  restart?(): Promise<void>
  /** Shows a frame in the trace dock. */
  reveal(seq: Seq): void
  /** Shows what would be shared of one exchange. @param seq any of its frames */
  share(seq: Seq): void
  /** The part of the URL that belongs to the panel, such as the name of the selected tool. */
  readonly place: string
  go(place: string): void
  /** Shows another feature of the same server, such as a linked resource: `visit('resources', uri)`. */
  visit(feature: string, place: string): void
}

/** The pending requests of all servers, implemented in `server-requests/`. */
export interface ServerRequests {
  /** Pending requests by id. Replaced by a new map on each change. */
  readonly current: ReadonlyMap<string, Waiting>
  subscribe(listener: () => void): () => void
  /** The methods that can be answered here. */
  readonly methods: readonly string[]
  /** How requests of a method are shown and answered; `undefined` if they aren't. */
  answering(method: string): Answering | undefined
  /** All servers, in any state. */
  readonly servers: readonly ServerView[]
  /** By the link of a request; `undefined` if the server was removed. */
  serverOf(link: Link): ServerView | undefined
  /**
   * While a recorded call is replayed, responds to the server's requests from the recording instead of asking the user.
   * @param answers `undefined`: the call has ended
   */
  script(link: Link, answers: Pick<ScriptedAnswers, 'answer'> | undefined): void
  /** Handlers for this server's session, and for the follower of its tasks. */
  answersFor(server: ServerView): Answers
  /**
   * Sends the response.
   * @returns false if the request is no longer pending: it was answered or withdrawn
   */
  answer(id: string, result: JsonObject): boolean
  /**
   * Rejects with a JSON-RPC error. In a round (MRTR-10) and in a task there is no error response: rejecting a round
   * ends the call, rejecting in a task has no effect.
   */
  refuse(id: string, error: ErrorObject): boolean
}

/** Small, non-secret values of one server, stored by name across reloads. */
export interface Kept {
  /** The stored value. Validate it: other code may have written it. */
  get(name: string): unknown
  set(name: string, value: Json): void
}

export interface PanelProps {
  readonly server: ServerView
  /** The features that are shown within this one: `TabFeature.at`. */
  readonly sections?: readonly TabFeature[]
  /** Its tab is selected, so the place of the server is one of its own. */
  readonly shown?: boolean
}

export interface PanelModule {
  readonly default: Component<PanelProps>
}

/** Props of the component that shows one server request. */
export interface ServerRequestProps {
  readonly server: ServerView
  readonly request: ServerRequest
  /**
   * Sends the result; absent if the request can't be answered any more (answered, withdrawn, a recording): everything
   * is then read-only.
   */
  readonly answer?: (result: JsonObject) => void
  /** Rejects with a JSON-RPC error, such as -1 for a sampling request that the user rejects (CF-SAMP). */
  readonly refuse?: (error: ErrorObject) => void
}

export interface ServerRequestModule {
  readonly default: Component<ServerRequestProps>
}

/** How a feature responds to one of the server's methods. */
export interface Answering {
  /** The component that shows the request: in the call that caused it, in the task, and in the Inbox. */
  readonly view: () => Promise<ServerRequestModule>
  /** A short summary of the request for lists; at most 200 characters are shown. */
  readonly gist: (params: JsonObject) => string
  /**
   * Responds automatically if the user has allowed it; `undefined` (or a promise of it): ask the user.
   * @throws {ProtocolError} to reject
   */
  readonly auto?: (
    request: ServerRequest,
    server: ServerView,
    signal: AbortSignal,
  ) => JsonObject | Promise<JsonObject | undefined> | undefined
  /**
   * The settings for automatic responses to this method. The Inbox shows them, so they can be turned off while no
   * request is pending.
   */
  readonly settings?: () => Promise<PanelModule>
  /** Whether this server currently gets automatic responses; shown next to the link to the settings. */
  readonly ruled?: (server: ServerView) => { readonly current: boolean; subscribe(listener: () => void): () => void }
}

/**
 * Everything that a feature declares to the rest of the page. Its methods are defined in the kernel's table
 * (`web/mcp/schema/methods.ts`).
 */
export interface Feature {
  readonly id: string
  /** The client capabilities to declare for a protocol version. */
  readonly declares?: (revision: string) => JsonObject
  /** By method: how the server's requests are shown and answered. */
  readonly answers?: Readonly<Record<string, Answering>>
  /**
   * The folds that the feature's panel reads. A recording runs them before it shows anything, so that views have their
   * data however long it is. Folds used only by the panel load with the panel instead of the connection.
   */
  readonly folds?: () => Promise<readonly Fold<unknown>[]>
  /** Called whenever a session opens, to request what the panel needs. */
  readonly opened?: (server: ServerView) => void
}

/**
 * A feature with a tab. Features without one answer server requests, which are shown in their call and in the Inbox.
 */
export interface TabFeature extends Feature {
  /** Also the tab's part of the URL: `#/s1/tools`. */
  readonly id: string
  /** Not in a catalogue, because the tabs are shown before the texts of their panels are loaded. */
  readonly title: Readonly<Record<Language, string>>
  /** The key that opens the tab after `g`. */
  readonly key: string
  readonly panel: () => Promise<PanelModule>
  /**
   * `panel`: a tab of the bottom panel, beside the trace. `inbox`: a section of the Inbox, whose place there is the
   * feature's id. Absent: a tab of its own in the top bar.
   */
  readonly at?: 'panel' | 'inbox'
  /** False: no tab at all, because the connection can't have the feature. Also called while there is no peer. */
  readonly existsFor?: (server: ServerView) => boolean
  /** The number shown on the tab, computed from the Trace; `undefined` shows none. */
  readonly badge?: (server: ServerView) => number | undefined
  /** What the number depends on besides the trace. */
  readonly follows?: (server: ServerView) => { readonly current: unknown; subscribe(listener: () => void): () => void }
  /** The number counts what is waiting for the user. */
  readonly urgent?: true
  /** False if the server doesn't offer the feature; the tab is then less prominent. */
  readonly offered?: (peer: Peer) => boolean
  /** Like `offered`, but depends on the connection. Also called while there is no peer. */
  readonly offeredFor?: (server: ServerView) => boolean
}
