/**
 * The contract between the page and the proxy: types only, so that both sides may import it.
 *
 * Every route needs the launch token in the header `Periscope-Token`, an exact `Host`, and an `Origin` that is
 * the proxy's own (or none, as same-origin GETs have). Errors are `{ error: ProxyError }` with a 4xx or 5xx status.
 *
 *     GET    /api/hello                                 -> Hello
 *     GET    /api/pages/:page/events                    -> SSE, resumable with Last-Event-ID; each `data` is one PageEvent
 *     POST   /api/pages/:page/children                  SpawnRequest -> 201 Spawned, 422 { error }
 *     POST   /api/pages/:page/children/:child/stdin     one or more lines, each closed by \n -> 204, 404, 410, 413
 *     DELETE /api/pages/:page/children/:child           -> 202; the shutdown's steps arrive as events
 *     DELETE /api/pages/:page                           -> 202; ends all children of the page
 *
 * `:page` is made up by the page for each load (a UUID; 1 to 64 of letters, digits, `-`, `_`). Its children belong to it
 * alone. A page has one event stream: a second one replaces the first, which then simply ends. `Last-Event-ID` is the id of
 * the last event seen; without it everything held is sent from the start. The stream may be opened before or after the
 * first spawn, and a child's first events may arrive before the POST that spawned it has answered. Without a stream for
 * 60 s the page's children are ended. A stdin POST answers when the child's pipe has taken the bytes, so send the next
 * one after it: that keeps their order, and lets a child that reads slowly slow its page down.
 */

export interface Hello {
  readonly name: 'periscope'
  readonly version: string
  readonly platform: string
  /** Where relative commands and paths are resolved, unless a working directory is given. */
  readonly cwd: string
  /** Present when the command line named a server: typed by the user at launch, so the page connects to it. */
  readonly launch?: { readonly url: string } | { readonly command: string; readonly args: readonly string[] }
}

export interface SpawnRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  /** Added to a safe allow-list of the proxy's own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Hand on the proxy's whole environment instead of the allow-list. */
  readonly inheritEnv?: boolean
}

export interface Spawned {
  readonly child: string
  readonly pid: number
}

export interface ProxyError {
  /** Stable, for code: `not-found`, `not-executable`, `bad-cwd`, `bad-request`, `too-large`, `too-many`, `gone`, `forbidden`, `spawn-failed`, `internal`. */
  readonly code: string
  /** English, one sentence: the thing and the cause. */
  readonly message: string
  /** English, one sentence: what to do. */
  readonly remedy?: string
  /** For a command that was not found: the directories that were searched. */
  readonly searched?: readonly string[]
}

/** Everything a page hears of its children, in order, on its one event stream. */
export type PageEvent =
  /** One line of stdout, without its line end. `invalidUtf8`: some bytes were no UTF-8 and read U+FFFD now. */
  | { readonly type: 'line'; readonly child: string; readonly text: string; readonly invalidUtf8?: true }
  | { readonly type: 'stderr'; readonly child: string; readonly text: string; readonly invalidUtf8?: true }
  /** A step of the shutdown was taken. After an exit that nobody asked for, it ends what the child had left running. */
  | { readonly type: 'ending'; readonly child: string; readonly step: 'stdin-closed' | 'SIGTERM' | 'SIGKILL' }
  /** The last event of a child: its output was read to the end, and no process of its group is left. */
  | {
      readonly type: 'exit'
      readonly child: string
      readonly code: number | null
      readonly signal: string | null
      /** The last lines of stderr, at most 20. */
      readonly stderr: readonly string[]
    }
  /** Something was over a bound and was dropped: what, and how many bytes. The next line is read normally. */
  | { readonly type: 'lost'; readonly child: string; readonly what: string; readonly size: number }
  /**
   * The page asked to resume from an event that is no longer held; `lost` events are missing. `reset`: the proxy does
   * not know the id at all (it was restarted, or it has forgotten the page), so every child that the page knew is gone
   * and the events behind this one, if any, are numbered anew.
   */
  | { readonly type: 'gap'; readonly lost: number; readonly reset?: true }

/** Header that carries the launch token. Never `Authorization`: that one belongs to the MCP server. */
export type TokenHeader = 'Periscope-Token'
