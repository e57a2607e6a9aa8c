/**
 * The contract between the page and the proxy: types only, so that both sides can import it.
 *
 * Every route requires the launch token in the header `Periscope-Token`, an exact `Host`, and the proxy's own `Origin` (or
 * none, as in same-origin GETs). Errors are `{ error: ProxyError }` with a 4xx or 5xx status. Only `/api/launch` needs no
 * token: it returns the token in exchange for the one-time code in the printed URL.
 *
 *     POST   /api/launch                                LaunchRequest -> Launched; 403 `code-used`, `code-expired`, `code-unknown`; 429
 *     GET    /api/hello                                 -> Hello
 *     GET    /api/recording                             -> the bytes of the file in `Hello.recording`; 404 without one
 *     GET    /api/config                                -> the bytes of the file in `Hello.config`; 404 without one
 *     GET    /api/clients                               -> ClientFiles: the configuration files of MCP clients on this machine
 *     GET    /api/pages/:page/events                    -> the page's stream of frames, resumable with Last-Event-ID
 *     POST   /api/pages/:page/children                  SpawnRequest or OpenRequest -> 201 Spawned, 422 { error }
 *     POST   /api/pages/:page/children/:child/stdin     one or more lines, each ending with \n -> 204, 404, 410, 413
 *     DELETE /api/pages/:page/children/:child           -> 202; the shutdown's steps arrive as events
 *     GET    /api/pages/:page/processes/:pid            -> ProcessUsage of the child with this pid; 404
 *     DELETE /api/pages/:page                           -> 202; ends all children of the page
 *     POST   /api/pages/:page/relay/:request            RelayRequest, \n, the raw body -> 202 once the body was read
 *     POST   /api/pages/:page/relay/:request/credit     bytes read since the last credit, in decimal digits -> 204
 *     DELETE /api/pages/:page/relay/:request            -> 202; aborts the request
 *     POST   /api/network                                NetworkRequest -> NetworkReport
 *
 * A child is a process or a connection to a socket. Its lines, limits and lifetime are the same; only its end differs: `exit`
 * for a process, `closed` for a socket, whose process isn't ours.
 *
 * Each load of the page chooses its own `:page` (a UUID; 1 to 64 letters, digits, `-` or `_`). Children belong to one page.
 * A page has one event stream: opening a second one ends the first. `Last-Event-ID` is the ID of the last event received;
 * without it, everything retained is sent from the start. The stream may be opened before or after the first spawn, and a
 * child's first events may arrive before the response to its spawn. If nothing reads the stream for 60 s, the page's
 * children end and its relayed requests are aborted. After DELETE, spawns get 410 until the page opens its stream again. A
 * stdin POST responds once the child's pipe has accepted the bytes. Wait for that before the next POST: it keeps the order,
 * and lets a slow child slow down its page.
 *
 * The stream is a sequence of frames, with all numbers big-endian:
 *
 *     type (1 byte, `FrameTypes`)   flags (1 byte, `FrameFlags`)   id (6 bytes)   subject (4 bytes)   length (4 bytes)   payload
 *
 * `subject` is the number of the child (`Spawned.child` is `c` and this number) or of the relayed request, or 0. The payload
 * of `line` and `stderr` is the line's bytes, neither escaped nor decoded; that of `data` is bytes of a body; all others are
 * JSON. `files` is a FilesChanged. A long event is split into consecutive frames: all but the last have the flag `more`, and
 * all but the first `continued`. A frame has at most 1 MB. IDs count frames, so a stream can resume in the middle of an
 * event: the part already received stays valid unless a `gap` frame follows. `idle` has no payload and the ID 0: it comes
 * first, and every 15 s on a quiet stream.
 *
 * The relay sends one HTTP request for the page, for servers without CORS headers. Pages can't set every header or read
 * every response (`Set-Cookie`, redirects, what CORS hides), so requests and responses don't travel as the page's own HTTP.
 * The request is one line of JSON before the raw body. The response arrives as frames on the page's event stream, because
 * browsers allow six connections per host and a listening stream would occupy one for as long as its server lives.
 * `:request` is a number that the page counts up from 1, and the `subject` of the frames: one `head` with a RelayHead, any
 * number of `data` with the body's bytes, and finally `end` with a RelayEnd, or `failed` with a ProxyError if the server
 * broke off, so a truncated response never looks complete. `failed` without a `head` gives the cause that a browser would
 * hide: `dns`, `refused`, `no-route`, `timeout`, `not-tls`, `tls`, `tls-closed`, `client-certificate`, `handshake-failure`,
 * `unrecognized-name`, `tls-version`, `http2`, `self-signed`, `certificate`, `certificate-changed`, `not-public`, `reset`,
 * `not-http`, `too-large`. Failures of a proxy of the user's network have codes of their own, which begin with
 * `forward-proxy-`.
 * A request that can't be relayed at all gets the status 400, 413 or 429 and no frames. The relay sends about 1 MB of a body
 * without `credit`, so an unread response blocks only itself. When the page leaves, its requests are aborted, except those
 * with `keepalive`.
 *
 * None of the POST's own headers are forwarded: not the page's Origin, Referer or Cookie, and not the token. The headers of
 * the RelayRequest are all forwarded, with order, case and duplicates, except hop-by-hop headers (RFC 9110 section 7.6.1:
 * `Connection` and those it names, `Keep-Alive`, `TE`, `Trailer`, `Transfer-Encoding`, `Upgrade`, `Proxy-*`;
 * `Content-Length`, `Expect`), `Host`, which comes from the URL, and `Periscope-*`. `RelayHead.sent` lists the headers
 * actually sent. Redirects are returned like any other response. Nothing is buffered: each side is read only as fast as the
 * other accepts it. Each request has its own connection, so it can't hit one that the server has just closed, and is never
 * sent twice. Only connecting to the server has a time limit. HTTP/1.1 is offered first. A server that refuses it in the TLS
 * handshake, and so gets nothing, is offered HTTP/2 on another connection: the names of headers are then in lower case, and
 * equal ones are joined.
 */

export interface NetworkRequest {
  /** The http or https URL of a server. */
  readonly url: string
}

/** How far a connection to a server gets below HTTP. The last step is the one that failed, if any. */
export interface NetworkReport {
  readonly steps: readonly NetworkStep[]
}

/**
 * `greeting`: the server spoke first, so it isn't an HTTP server. `proxy` comes first if the way leads through a proxy of
 * the user's network: `dns` and `tcp` are then those of the proxy, and `tunnel` is its consent to connect to the server.
 */
export type NetworkStepName = 'proxy' | 'dns' | 'tcp' | 'tunnel' | 'tls' | 'greeting'

export interface NetworkStep {
  readonly step: NetworkStepName
  readonly ms: number
  /** Why it failed: `TIMEOUT`, or a code of the system or of OpenSSL such as `ENOTFOUND`. */
  readonly error?: string
  /** Of `dns`: the addresses of the name. */
  readonly addresses?: readonly string[]
  /** Of `tcp`: the address that accepted the connection. */
  readonly remote?: string
  /** Of `tls`: such as `TLSv1.3`. */
  readonly protocol?: string
  /** Of `tls`: the server's certificate and those of its issuers, as far as it sent them. */
  readonly chain?: readonly NetworkCertificate[]
  /** Of `tls`: why the certificate isn't trusted, as a code of OpenSSL such as `CERT_HAS_EXPIRED`. */
  readonly untrusted?: string
  /** Of `greeting`: the first bytes, as Latin-1. Of `proxy`: as in `RelayHead.proxy`. */
  readonly text?: string
}

export interface NetworkCertificate {
  readonly subject: string
  readonly issuer: string
  /** ISO 8601. */
  readonly validFrom: string
  readonly validTo: string
  /** Such as `DNS:example.com`. */
  readonly names: readonly string[]
  /** SHA-256, in hex with colons. */
  readonly fingerprint256: string
}

export interface Hello {
  readonly name: 'periscope'
  readonly version: string
  readonly platform: string
  /** The base of relative commands and paths, unless a working directory is given. */
  readonly cwd: string
  /** What starts the proxy again, before its arguments: `npm start --` in a clone. Absent in development. */
  readonly own?: string | undefined
  /**
   * The globs of `--watch`: the page restarts the server on the command line when the stream reports `FilesChanged`. They are
   * relative to the server's working directory, which the page names with POST `api/watch` at each start.
   */
  readonly watch?: readonly string[]
  /** The names of the transports that modules on the command line have. */
  readonly transports?: readonly string[]
  /** The server on the command line. The user typed it, so the page connects without asking. */
  readonly launch?: { readonly url: string } | { readonly command: string; readonly args: readonly string[] }
  /**
   * The recording on the command line (`periscope open FILE`), which the page opens with GET `api/recording`. It may be any
   * file; the page checks its content. `size` is in bytes at launch; `name` is without folders.
   */
  readonly recording?: { readonly name: string; readonly size: number }
  /**
   * The configuration on the command line (`--config FILE`), which the page reads with GET `api/config` and puts into its form.
   * `server` is the one that `--server` names.
   */
  readonly config?: { readonly name: string; readonly size: number; readonly server?: string }
}

export type ClientId =
  | 'claude-desktop'
  | 'claude-code'
  | 'cursor'
  | 'vscode'
  | 'windsurf'
  | 'cline'
  | 'zed'
  | 'codex'
  | 'gemini-cli'
  | 'lm-studio'

/** A configuration file that exists. Its text may contain secrets, so the page shows none of it. */
export type ClientFile = { readonly client: ClientId; readonly path: string } & (
  | { readonly text: string; readonly error?: undefined }
  /** `code`: of the system, such as `EACCES`; `too-large`; `not-a-file`. */
  | { readonly error: { readonly code: string; readonly message: string }; readonly text?: undefined }
)

export interface ClientFiles {
  readonly files: readonly ClientFile[]
}

export interface LaunchRequest {
  /** The code after `#launch=` in the URL. Works once. */
  readonly code: string
}

export interface Launched {
  /** For `Periscope-Token`; valid until the proxy ends. */
  readonly token: string
}

export interface SpawnRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  /** Added to an allowlist of the proxy's own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Inherit the proxy's whole environment instead of the allowlist. */
  readonly inheritEnv?: boolean
  /**
   * Variables of the proxy's own environment. `${env:NAME}` of these is replaced by the value, in `args` and in the values of
   * `env` only; any other text stays as it is. A variable that isn't set is refused with `missing-variable`.
   */
  readonly references?: readonly string[]
}

/** Opens a connection instead of starting a process. */
export interface OpenRequest {
  /** `unix:/path/to.sock`, `npipe:NAME` for a named pipe on Windows, or `name:rest` for the transport of a module. */
  readonly target: string
}

export interface Spawned {
  readonly child: string
  /** Of a process. */
  readonly pid?: number
  /** The names of the variables that a process has from the proxy's environment. */
  readonly inherited?: readonly string[]
}

/** A child and the processes that it started. Empty if the system tells nothing, as on Windows. */
export interface ProcessUsage {
  readonly processes: readonly {
    readonly pid: number
    /** Of the program, as the system shortens it. */
    readonly name: string
    /** CPU time in s since the start. */
    readonly cpu: number
    /** Resident memory in bytes. */
    readonly memory: number
    /** Bytes it has read and written since the start; absent where the system doesn't count them for us. */
    readonly io?: number
  }[]
}

export interface ProxyError {
  /**
   * Stable: `not-found`, `not-executable`, `bad-cwd`, `bad-request`, `too-large`, `too-many`, `gone`,
   * `forbidden`, `spawn-failed`, `internal`; for a launch, `code-used`, `code-expired`, `code-unknown`; for references,
   * `missing-variable`, `bad-variable`; for sockets, `no-sockets`, `socket-missing`, `socket-permission`, `socket-refused`,
   * `socket-timeout`, `socket-path`, `socket-failed`, `not-a-socket`;
   * for modules, `no-transport`, `module-failed`, `module-timeout`, `module-invalid`; for the relay, those above, `loop`, `not-public`, and `cut` or `encoding` for a body.
   */
  readonly code: string
  /** In English: what happened and why. */
  readonly message: string
  /** In English: what to do. */
  readonly remedy?: string
  /** For a command that wasn't found: the directories searched. */
  readonly searched?: readonly string[]
  /** For a relayed request: the error code of the system or a library, such as `ECONNREFUSED`. */
  readonly system?: string
}

/** The events of a page's children, in order, after reassembling and decoding the frames. */
export type PageEvent =
  /** One line of stdout, without its newline. `invalidUtf8`: some bytes weren't UTF-8 and became U+FFFD. */
  | { readonly type: 'line'; readonly child: string; readonly text: string; readonly invalidUtf8?: true }
  | { readonly type: 'stderr'; readonly child: string; readonly text: string; readonly invalidUtf8?: true }
  /**
   * The current line of stdout has no newline and hasn't grown for 1.5 s. Sent once per line; the complete line still
   * arrives as `line`. `size`: bytes so far. `text`: the first 1000 characters.
   */
  | { readonly type: 'unfinished'; readonly child: string; readonly size: number; readonly text: string }
  /** A step of the shutdown. After an unexpected exit, it ends the processes that the child left running. */
  | { readonly type: 'ending'; readonly child: string; readonly step: 'stdin-closed' | 'SIGTERM' | 'SIGKILL' }
  /** The last event of a child: its output was read completely, and its process group is gone. */
  | {
      readonly type: 'exit'
      readonly child: string
      readonly code: number | null
      readonly signal: string | null
      /** The last lines of stderr, at most 20. */
      readonly stderr: readonly string[]
    }
  /** The last event of a socket: it is closed. `why`, in English: absent if the other side closed it in order. */
  | { readonly type: 'closed'; readonly child: string; readonly why?: string }
  /**
   * A line was dropped because it exceeded the limit, or didn't end while memory was short; the next one is read normally.
   * Or bytes were waiting for a child that closed its stdin.
   */
  | {
      readonly type: 'lost'
      readonly child: string
      readonly stream: 'stdin' | 'stdout' | 'stderr'
      /** In English: what was dropped, and the limit. */
      readonly what: string
      /** Bytes. */
      readonly size: number
      /** The first and last bytes of the line, decoded: at most 1 KB each, enough to find the ID it responds to. */
      readonly head: string
      readonly tail: string
    }
  /**
   * The frame to resume from is no longer retained; `lost` frames are missing. `reset`: the proxy doesn't know the ID (it was
   * restarted, or has forgotten the page), so all children known to the page are gone and frame numbers start again.
   */
  | { readonly type: 'gap'; readonly lost: number; readonly reset?: true }

/** The body of POST `api/watch`, which responds with `WatchedFiles`. The last request counts, of any page. */
export interface WatchRequest {
  /** The working directory of the server on the command line; absent for `Hello.cwd`. */
  readonly directory?: string
}

/** The files that `--watch` matches now. */
export interface WatchedFiles {
  /** Absolute. */
  readonly directory: string
  /** 0 if there are none, or if they can't be watched. */
  readonly count: number
  /** They can't be watched. The proxy's terminal says why. */
  readonly isUnwatched?: true
}

/** Files of `--watch` changed. Sent to each page that reads its stream or has children. */
export interface FilesChanged {
  /** At most 20 of them, relative to `WatchedFiles.directory` with `/`. */
  readonly files: readonly string[]
  readonly count: number
}

/** Frame types: the letters L, S, U, N, X, C, O, G, W, I, and for relayed responses H, D, E, F. */
export interface FrameTypes {
  readonly line: 0x4c
  readonly stderr: 0x53
  readonly unfinished: 0x55
  readonly ending: 0x4e
  readonly exit: 0x58
  readonly closed: 0x43
  readonly lost: 0x4f
  readonly gap: 0x47
  readonly files: 0x57
  readonly idle: 0x49
  readonly head: 0x48
  readonly data: 0x44
  readonly end: 0x45
  readonly failed: 0x46
}

/** Bits. */
export interface FrameFlags {
  /** The payload continues in the next frame, which has the same type and subject. */
  readonly more: 1
  /** The payload continues from the previous frame. */
  readonly continued: 2
  /** Some bytes of the line, not necessarily in this frame, aren't UTF-8. */
  readonly invalidUtf8: 4
}

/** The header with the launch token. Not `Authorization`, which belongs to the MCP server. */
export type TokenHeader = 'Periscope-Token'

/** In order, with duplicates. Each character of a value is one byte, as in ISO 8859-1. */
export type RelayHeaders = readonly (readonly [name: string, value: string])[]

/** The request to relay, as one line of UTF-8 JSON. The rest of the POST after its `\n` is the raw body. */
export interface RelayRequest {
  /** Any method except CONNECT, TRACE and TRACK. */
  readonly method: string
  /** Absolute, `http:` or `https:`, without a user or password. */
  readonly url: string
  /** `Accept-Encoding: identity` and a `User-Agent` are added if missing. */
  readonly headers: RelayHeaders
  /**
   * Of an https URL: the SHA-256 fingerprint of the only certificate to accept, as in `NetworkCertificate`. It need not be
   * trusted by this machine, and any other is refused with `certificate-changed`, even if this machine trusts it, before
   * anything is sent. Default: the certificates that this machine trusts.
   */
  readonly certificate?: string
  /**
   * Decode a compressed body (gzip, deflate, br), like a browser's `fetch`; `RelayHead.decoded` reports it. Headers stay
   * unchanged. With more than five codings, the body ends with `failed` and `encoding`. Default: false, the original bytes.
   */
  readonly decode?: boolean
  /**
   * Refuse addresses that aren't public (loopback, private, link-local, reserved) with `not-public`, including those that
   * the host name resolves to. For URLs that a server on the internet named. Default: false.
   */
  readonly publicOnly?: boolean
  /** Values that the proxy inserts. Default: none. */
  readonly references?: RelayReferences
  /** Send the whole request even if the page leaves or has left. The response is then discarded. Default: false. */
  readonly keepalive?: boolean
}

/**
 * `${env:NAME}` in the values of these headers is replaced from the proxy's own environment, and nowhere else. Other headers
 * may contain text of a server that only looks like a reference.
 */
export interface RelayReferences {
  /** The variables that the user saw in the form; other references stay as they are. */
  readonly names: readonly string[]
  /** Indices in `RelayRequest.headers`. */
  readonly headers: readonly number[]
  /** The origin that the user connected to. A request to another one is refused. */
  readonly origin: string
}

/** The response's head, including hop-by-hop headers. */
export interface RelayHead {
  readonly status: number
  /** Empty over HTTP/2, which has none. */
  readonly statusText: string
  /** `1.0`, `1.1` or `2.0`. */
  readonly httpVersion: string
  readonly headers: RelayHeaders
  /**
   * The headers sent to the server, with references instead of the variables' values. Over HTTP/2, `:authority` takes the
   * place of `Host` and isn't one of them.
   */
  readonly sent: RelayHeaders
  /** The address connected to, such as `127.0.0.1:3000`: a name may have several. Absent with `proxy`. */
  readonly remote?: string
  /** The proxy of the user's network that it went through, and its variable: `proxy.example:8080 (HTTPS_PROXY)`. */
  readonly proxy?: string
  /** The `data` frames contain the decoded body. */
  readonly decoded?: true
  readonly timings: RelayTimings
}

/**
 * How long the parts of a relayed request took, in ms with fractions. Every request has its own connection. One that the
 * server refused because of the protocol doesn't count.
 */
export interface RelayTimings {
  /** `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`. */
  readonly protocol?: string
  /** Absent if the URL has an IP address. */
  readonly dns?: number
  /** TCP, without what follows; with a proxy, TCP to it. */
  readonly connect: number
  /** Until the proxy opened the way to the server, with TLS to the proxy. Absent without a proxy. */
  readonly tunnel?: number
  /** Absent without TLS. */
  readonly tls?: number
  /** The TLS session of an earlier connection was resumed, which shortens `tls`. */
  readonly resumed?: true
  /** From the end of connecting to the head of the response, with the time to send the request. */
  readonly firstByte: number
}

export interface RelayEnd {
  readonly trailers?: RelayHeaders
}
