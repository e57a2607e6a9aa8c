/**
 * The contract between the page and the proxy: types only, so that both sides may import it.
 *
 * Every route needs the launch token in the header `Periscope-Token`, an exact `Host`, and an `Origin` that is
 * the proxy's own (or none, as same-origin GETs have). Errors are `{ error: ProxyError }` with a 4xx or 5xx status.
 * `/api/launch` alone needs no token: it gives it for the one-time code of the URL that the proxy printed.
 *
 *     POST   /api/launch                                LaunchRequest -> Launched; 403 `code-used`, `code-expired`, `code-unknown`; 429
 *     GET    /api/hello                                 -> Hello
 *     GET    /api/recording                             -> the bytes of the file of `Hello.recording`; 404 where there is none
 *     GET    /api/pages/:page/events                    -> the page's stream of frames, resumable with Last-Event-ID
 *     POST   /api/pages/:page/children                  SpawnRequest -> 201 Spawned, 422 { error }
 *     POST   /api/pages/:page/children/:child/stdin     one or more lines, each closed by \n -> 204, 404, 410, 413
 *     DELETE /api/pages/:page/children/:child           -> 202; the shutdown's steps arrive as events
 *     DELETE /api/pages/:page                           -> 202; ends all children of the page
 *     POST   /api/pages/:page/relay/:request            RelayRequest, \n, the raw body -> 202 once the body is taken
 *     POST   /api/pages/:page/relay/:request/credit     bytes read since the last time, in decimal digits -> 204
 *     DELETE /api/pages/:page/relay/:request            -> 202; breaks the request off
 *
 * `:page` is made up by the page for each load (a UUID; 1 to 64 of letters, digits, `-`, `_`). Its children belong to it
 * alone. A page has one event stream: a second one replaces the first, which then simply ends. `Last-Event-ID` is the id of
 * the last event seen; without it everything held is sent from the start. The stream may be opened before or after the
 * first spawn, and a child's first events may arrive before the POST that spawned it has answered. Without a stream that is
 * read for 60 s the page's children are ended and its relayed requests are broken off. After DELETE a spawn gets 410, until
 * the page opens its stream again. A stdin POST answers when the child's pipe has taken the bytes, so send the next one
 * after it: that keeps their order, and lets a child that reads slowly slow its page down.
 *
 * The stream is a row of frames, all numbers big-endian:
 *
 *     type (1 byte, `FrameTypes`)   flags (1 byte, `FrameFlags`)   id (6 bytes)   subject (4 bytes)   length (4 bytes)   payload
 *
 * `subject` is the number of the child (`Spawned.child` is `c` and this number) or of the relayed request, or 0. The payload
 * of `line` and `stderr` is the line's bytes as the child wrote them, neither escaped nor decoded, that of `data` bytes of a
 * body; that of the others is JSON. An event with a long payload comes in several frames behind each other, all but the
 * last flagged `more` and all but the first `continued`; a frame has at most 1 MB. Ids count frames, so a stream that was
 * cut is resumed in the middle of an event: what came of it stays valid, unless a `gap` frame follows. `idle` has no
 * payload and the id 0: it comes first, and on a quiet stream every 15 s.
 *
 * The relay sends one HTTP request for the page, for servers that send no CORS headers. A page may not set every header
 * and is not shown every answer (`Set-Cookie`, redirects, what CORS hides), so neither travels as HTTP of the page's own:
 * what to send is one line of JSON in front of the raw body, and what came back are frames on the page's one stream, for a
 * browser allows six connections per host and a listening stream would hold one for as long as its server lives.
 * `:request` is a number that the page counts up from 1, and `subject` of the frames: one `head` with a RelayHead, any
 * number of `data` with the bytes of the body as they arrive, and as the last one `end` with a RelayEnd, or `failed` with a
 * ProxyError when the server broke off: a response never looks whole that is not. `failed` without a `head` says why there
 * is none, as a browser would not tell: `dns`, `refused`, `no-route`, `timeout`, `tls`, `self-signed`, `certificate`,
 * `reset`, `not-http`, `too-large`. What cannot be relayed at all is refused with a status of 400, 413 or 429 and has no
 * frames. About 1 MB of a body is on its way without the page having said by `credit` that it read what came before: a
 * response that is not read holds up itself and nothing else. When the page leaves, its requests are broken off, but one
 * with `keepalive` is sent.
 *
 * Nothing of the POST's own headers is handed on: not the page's Origin, Referer or Cookie, and not the token. Of those in
 * the RelayRequest all are, in order, in their case and as often as they stand there, except what belongs to one
 * connection (RFC 9110 section 7.6.1: `Connection` and what it names, `Keep-Alive`, `TE`, `Trailer`,
 * `Transfer-Encoding`, `Upgrade`, `Proxy-*`; `Content-Length`, `Expect`), `Host`, which is the URL's own, and
 * `Periscope-*`. `RelayHead.sent` tells what really went out. Redirects come back as any other answer. Nothing is
 * buffered: each side is read only as fast as the other takes it. Each request has its own connection, so none meets one that the
 * server has just given up, and none is ever sent twice. Only reaching the server has a limit in time.
 */

export interface Hello {
  readonly name: 'periscope'
  readonly version: string
  readonly platform: string
  /** Where relative commands and paths are resolved, unless a working directory is given. */
  readonly cwd: string
  /** Present when the command line named a server: typed by the user at launch, so the page connects to it. */
  readonly launch?: { readonly url: string } | { readonly command: string; readonly args: readonly string[] }
  /**
   * Present when the command line named a recording (`periscope open FILE`), so the page opens it: GET `api/recording`.
   * It may be any file: the page finds out what is in it. `size` in bytes, as it was at launch; `name` without folders.
   */
  readonly recording?: { readonly name: string; readonly size: number }
}

export interface LaunchRequest {
  /** What stood behind `#launch=` in the URL. Works once. */
  readonly code: string
}

export interface Launched {
  /** For `Periscope-Token`, until the proxy ends. */
  readonly token: string
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
  /**
   * Stable, for code: `not-found`, `not-executable`, `bad-cwd`, `bad-request`, `too-large`, `too-many`, `gone`,
   * `forbidden`, `spawn-failed`, `internal`; of a launch `code-used`, `code-expired`, `code-unknown`; of the relay those above, `loop`, `not-public`, and `cut` or `encoding` for a body.
   */
  readonly code: string
  /** English, one sentence: the thing and the cause. */
  readonly message: string
  /** English, one sentence: what to do. */
  readonly remedy?: string
  /** For a command that was not found: the directories that were searched. */
  readonly searched?: readonly string[]
  /** For a relayed request: the code by which the system or a library calls the cause, such as `ECONNREFUSED`. */
  readonly system?: string
}

/** What a page learns of its children, in order, once the frames of its stream are put together and decoded. */
export type PageEvent =
  /** One line of stdout, without its line end. `invalidUtf8`: some bytes were not UTF-8 and read U+FFFD now. */
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
  /**
   * A line was over the limit, or did not end while memory was short, and was dropped; the next one is read normally. Or
   * bytes waited for a child that closed its stdin.
   */
  | {
      readonly type: 'lost'
      readonly child: string
      readonly stream: 'stdin' | 'stdout' | 'stderr'
      /** English: what was dropped, and the limit. */
      readonly what: string
      /** Bytes. */
      readonly size: number
      /** The first and the last bytes of the line, decoded: at most 1 KB each, enough to tell what it answered. */
      readonly head: string
      readonly tail: string
    }
  /**
   * The page asked to resume from a frame that is no longer held; `lost` frames are missing. `reset`: the proxy does
   * not know the id at all (it was restarted, or it has forgotten the page), so every child that the page knew is gone
   * and the frames behind this one, if any, are numbered anew.
   */
  | { readonly type: 'gap'; readonly lost: number; readonly reset?: true }

/** The type of a frame on a page's stream: the letters L, S, N, X, O, G, I, and for relayed responses H, D, E, F. */
export interface FrameTypes {
  readonly line: 0x4c
  readonly stderr: 0x53
  readonly ending: 0x4e
  readonly exit: 0x58
  readonly lost: 0x4f
  readonly gap: 0x47
  readonly idle: 0x49
  readonly head: 0x48
  readonly data: 0x44
  readonly end: 0x45
  readonly failed: 0x46
}

/** Bits. */
export interface FrameFlags {
  /** The payload goes on in the next frame, which has the same type and subject. */
  readonly more: 1
  /** The payload goes on from the frame before. */
  readonly continued: 2
  /** Of a line: some of its bytes, not necessarily in this frame, are not UTF-8. */
  readonly invalidUtf8: 4
}

/** Header that carries the launch token. Never `Authorization`: that one belongs to the MCP server. */
export type TokenHeader = 'Periscope-Token'

/** In order, and as often as they occur. Each character of a value is one byte, as in ISO 8859-1. */
export type RelayHeaders = readonly (readonly [name: string, value: string])[]

/** What the relay is to send, as one line of UTF-8 JSON; behind its `\n` comes the raw body, up to the end of the POST. */
export interface RelayRequest {
  /** Any but CONNECT, TRACE and TRACK. */
  readonly method: string
  /** Absolute, `http:` or `https:`, without a user or password. */
  readonly url: string
  /** `Accept-Encoding: identity` and a `User-Agent` are added where there is none. */
  readonly headers: RelayHeaders
  /** Accept any certificate, for this request alone. Default: false. */
  readonly insecureTls?: boolean
  /**
   * Undo the Content-Encoding of a body that is compressed all the same (gzip, deflate, br), as a browser's `fetch`
   * does: `RelayHead.decoded` tells. Headers stay as they are. At most five codings, else the body ends with `failed` and
   * `encoding`. Default: false, the bytes as they came.
   */
  readonly decode?: boolean
  /**
   * Refuse every address that is not public (loopback, private, link-local, reserved), also one that the host's name turns
   * out to mean: `not-public`. For URLs that a server on the internet named. Default: false.
   */
  readonly publicOnly?: boolean
  /** Send it to its end even if the page leaves meanwhile, or has left; nobody reads the response then. Default: false. */
  readonly keepalive?: boolean
}

/** What a server answered, hop-by-hop headers included: nothing is left out. */
export interface RelayHead {
  readonly status: number
  readonly statusText: string
  /** Such as `1.1`. */
  readonly httpVersion: string
  readonly headers: RelayHeaders
  /** The headers that went to the server. */
  readonly sent: RelayHeaders
  /** The address that was reached, such as `127.0.0.1:3000`: a name may have several. */
  readonly remote?: string
  /** The `data` frames hold the body without its Content-Encoding. */
  readonly decoded?: true
}

export interface RelayEnd {
  readonly trailers?: RelayHeaders
}
