/**
 * Frames: the entries of the Trace.
 *
 * A frame is immutable plain JSON, so that a live session, an opened recording and a shared link look the same to every
 * view. Everything sent to or received from a peer is a frame, and only that.
 */
import type { Json, JsonObject } from '../json/index.ts'
import type { EraId, Revision } from './revision.ts'

/** Position of a frame in its Trace: from 0, without gaps. */
export type Seq = number

/** Names one connection. Frames of several connections share one Trace. */
export type Link = string

export type { Json, JsonObject }

/** Header names as the runtime reports them (lower case for received ones) and values; secrets are already masked. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** The first value of a header. @param wanted in lower case; names are case-insensitive (RFC 9110 section 5.1) */
export const headerIn = (headers: HeaderList, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

/** The peer's violation of the specification: a row of the checklist, and where it occurred. */
export interface Finding {
  /** A checklist ID, for example `BP-07`. */
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD' | 'MAY'
  /** One line: what was found, and what was expected. */
  readonly explanation: string
  /** JSON pointer (RFC 6901) into the message, if one applies. */
  readonly pointer?: string
}

/** `ADVICE` is about user safety: the specification doesn't require it, so it isn't a violation. */
export interface FindingOrAdvice extends Omit<Finding, 'keyword'> {
  readonly keyword: Finding['keyword'] | 'ADVICE'
}

export type MessageKind = 'request' | 'notification' | 'result' | 'error' | 'batch' | 'invalid'

/** What started a call of a tool: the tool's own form, a run of tests, the console, or the page itself. */
export type CallOrigin = 'form' | 'test' | 'console' | 'page'

/** How a call of a tool was allowed to leave. */
export interface Clearance {
  /** Absent if the text leaves open which tool it calls. */
  readonly tool?: string
  readonly origin: CallOrigin
  /** The policy of the connection at that moment. */
  readonly policy: string
  /**
   * `policy`: it doesn't ask for this tool. `approved`: the user had approved the tool's definition. `user`: the user was
   * asked. `run`: the user had approved the tool for a run of tests. `retry`: cleared before, and sent again.
   */
  readonly by: 'policy' | 'approved' | 'user' | 'run' | 'retry'
}

/** Why a call of a tool was not sent. */
export type HeldBack = 'declined' | 'switched-off' | 'withdrawn'

/** One JSON-RPC message, or the text in its place. */
export interface MessageDraft {
  readonly kind: 'message'
  readonly direction: 'sent' | 'received'
  readonly type: MessageKind
  /** The parsed value; absent if the text isn't JSON (see `raw`), or was released to stay within the byte limit. */
  readonly message?: Json
  /** The exact text, only if `JSON.stringify(message)` differs from it or comparing would be too slow. */
  readonly raw?: string
  /** UTF-8 bytes of the text. */
  readonly size: number
  /** The HTTP request whose body, or whose response, contained it. */
  readonly carrier?: Seq
  /** `id` and `event` of the stream event that contained it. */
  readonly eventId?: string
  readonly eventName?: string
  readonly findings?: readonly Finding[]
  /** For sent requests: ms without progress, and in total, before it times out. */
  readonly limits?: { readonly idle: number; readonly total: number }
  /** Written manually, so possibly wrong on purpose: no rule is applied to it. */
  readonly byHand?: true
  /** The request that this one continues: the previous round (`input_required`), or the same call in a lost session. */
  readonly follows?: Seq
  /** For sent calls of tools, one each in the order of the message. */
  readonly cleared?: readonly Clearance[]
  /** The body was released to keep the trace within its byte limit; these parts are retained. */
  readonly released?: { readonly id?: string | number; readonly method?: string }
  /** Its body was omitted from a file: lower-case hex of the SHA-256 of its text as it would appear there. */
  readonly omitted?: Omitted
}

export interface Omitted {
  readonly sha256: string
}

/** How long the parts of a request took, in ms. Absent: there was no such part. */
export interface HttpTimings {
  /** What the server spoke, such as `HTTP/1.1`. */
  readonly protocol?: string
  readonly dns?: number
  /** TCP, without TLS; with a proxy of the user's network, TCP to it. */
  readonly connect: number
  /** Until that proxy opened the way to the server. */
  readonly tunnel?: number
  readonly tls?: number
  /** An earlier TLS session was resumed. */
  readonly resumed?: true
  /** From the end of connecting to the head of the response. */
  readonly firstByte: number
}

export type HttpDraft = { readonly kind: 'http' } & (
  | {
      readonly phase: 'request'
      readonly method: string
      readonly url: string
      readonly headers: HeaderList
      /** UTF-8 bytes of the body; its text is in the message frame that has this one as its carrier. */
      readonly size: number
      /** Why it was sent, in protocol terms. `diagnosis`: to find out why a connection fails. */
      readonly purpose: 'message' | 'listen' | 'resume' | 'end-session' | 'authorization' | 'diagnosis'
      /** The request that started the stream which this one resumes. */
      readonly origin?: Seq
      /** Text of a body that isn't in any message frame, with secrets masked. */
      readonly body?: string
      readonly omitted?: Omitted
      /** The sign-in step that it belongs to: its `auth` frame. */
      readonly step?: Seq
      /** The response is hidden from the page, which only learns whether there is one. */
      readonly mode?: 'no-cors'
      /** It was automatically sent through the local proxy. */
      readonly relayed?: true
      /**
       * A retry: after the server's response to this one, with another token or a nonce; or through the local proxy,
       * after the browser refused this one.
       */
      readonly again?: Seq
    }
  /**
   * No response headers arrived for 3 s while this many older requests to the same origin were open. Over HTTP/1.1, a
   * browser allows six connections per host, so this request is waiting for one.
   */
  | { readonly phase: 'queued'; readonly request: Seq; readonly open: number }
  | {
      readonly phase: 'response'
      readonly request: Seq
      readonly status: number
      readonly statusText: string
      /** The visible headers: a browser hides those that CORS doesn't expose. */
      readonly headers: HeaderList
      /** The final URL after redirects; a page never sees the steps in between. */
      readonly redirectedTo?: string
      /** True for a cross-origin response: unlisted headers may exist but be hidden. */
      readonly crossOrigin?: true
      /** Measured by the local proxy. A browser doesn't report them to the page. */
      readonly timings?: HttpTimings
      /** The proxy of the user's network that it went through, and its variable: `proxy.example:8080 (HTTPS_PROXY)`. */
      readonly proxy?: string
    }
  /** The body ended normally. `body` is present if no other frame contains its text. */
  | {
      readonly phase: 'end'
      readonly request: Seq
      readonly size: number
      readonly body?: string
      readonly cut?: true
      readonly omitted?: Omitted
    }
  | {
      readonly phase: 'failed'
      readonly request: Seq
      /** How far it got: no response at all, or the body broke off. */
      readonly stage: 'headers' | 'body'
      /** The runtime's own message; opaque in a browser. */
      readonly error: string
      /** Set if we ended it ourselves: the reason. */
      readonly aborted?: string
      /** Bytes of the body that had arrived. */
      readonly size?: number
    }
)

export type StreamDraft = { readonly kind: 'stream'; readonly request: Seq } & (
  | { readonly event: 'open' }
  /** An event without a message: a priming event, an unknown event name, or a repeated event (`repeated`). */
  | {
      readonly event: 'data'
      readonly id?: string
      readonly name?: string
      readonly data?: string
      readonly size: number
      readonly repeated?: true
      readonly omitted?: Omitted
    }
  | { readonly event: 'comment'; readonly text: string }
  | { readonly event: 'retry'; readonly delay: number }
  /** The stream broke before its response. After `delay` ms, resume it from `lastEventId`. */
  | {
      readonly event: 'resume'
      readonly lastEventId?: string
      readonly delay: number
      readonly attempt: number
      readonly why: string
    }
  /** Something may be missing here and can't be recovered. */
  | { readonly event: 'gap'; readonly why: string }
  | {
      readonly event: 'close'
      readonly why: 'answered' | 'ended' | 'broken' | 'aborted'
      /** The last event had data but no empty line behind it, so it was discarded. */
      readonly unfinished?: true
      /** The first line that was discarded because it doesn't begin with the name of a field. */
      readonly stray?: string
    }
)

export type ProcessDraft = { readonly kind: 'process' } & (
  | {
      readonly event: 'spawn'
      readonly command: string
      readonly args: readonly string[]
      readonly cwd?: string
      /** Names only: values may be secrets. */
      readonly env: readonly string[]
      /** The names of those that come from the environment of the local proxy. */
      readonly inherited?: readonly string[]
      readonly pid?: number
    }
  | { readonly event: 'spawn-failed'; readonly command: string; readonly code: string; readonly explanation: string }
  | { readonly event: 'stdout-noise'; readonly text: string; readonly invalidUtf8?: true }
  /** A line of stdout without its newline, so not a message yet; `size` in bytes so far, `text` its beginning. */
  | { readonly event: 'stdout-unfinished'; readonly text: string; readonly size: number }
  | { readonly event: 'stderr'; readonly text: string }
  /** A step of the shutdown sequence (stdin closed, SIGTERM, SIGKILL). */
  | { readonly event: 'ending'; readonly step: 'stdin-closed' | 'SIGTERM' | 'SIGKILL' }
  | {
      readonly event: 'exit'
      readonly code: number | null
      readonly signal: string | null
      readonly stderr?: readonly string[]
    }
  /**
   * Something exceeded a limit and was dropped; `size` in bytes, or 0 if events were lost on the way, whose size nobody
   * knows. `requests`: the request it responded to or, if unknown, the candidates.
   */
  | {
      readonly event: 'lost'
      readonly what: string
      readonly size: number
      readonly requests?: readonly (string | number)[]
    }
)

/** A connection without HTTP and without a process of ours: a WebSocket, a socket, or a module's own transport. */
export type TransportDraft = { readonly kind: 'transport' } & (
  | {
      readonly event: 'opening'
      /** `Transport.name`. */
      readonly transport: string
      /** The URL of a WebSocket; otherwise the target as typed, such as `unix:/run/mcp.sock`. */
      readonly url: string
      /** The requested subprotocol of a WebSocket; absent if none is requested. */
      readonly subprotocol?: string
    }
  /** `subprotocol`: what the server of a WebSocket chose. */
  | { readonly event: 'opened'; readonly subprotocol?: string }
  | { readonly event: 'refused'; readonly code: string; readonly explanation: string }
  /** Something that can't be a message, such as a binary frame. */
  | { readonly event: 'unusable'; readonly what: string; readonly size: number }
  /** Something exceeded a limit and was dropped; see `ProcessDraft`. */
  | {
      readonly event: 'lost'
      readonly what: string
      readonly size: number
      readonly requests?: readonly (string | number)[]
    }
  /** We are closing it. */
  | { readonly event: 'closing' }
  | {
      readonly event: 'closed'
      /** RFC 6455, section 7.4: of a WebSocket. */
      readonly code?: number
      /** What the other side gave as the reason. */
      readonly reason?: string
      /** In English: why it ended, if it didn't end normally. */
      readonly why?: string
    }
)

/** One observation made while detecting the lifecycle and the protocol version, in order. */
export type Evidence =
  | { readonly saw: 'pinned'; readonly revision: Revision }
  /** An earlier connection to this server used this lifecycle. */
  | { readonly saw: 'remembered'; readonly era: EraId }
  /** The remembered lifecycle no longer applies. */
  | { readonly saw: 'forgotten'; readonly era: EraId; readonly why: string }
  /** The outcome of `server/discover` (VN-21, VN-24). */
  | { readonly saw: 'probe'; readonly revision: Revision; readonly outcome: ProbeOutcome; readonly facts?: ProbeFacts }
  | { readonly saw: 'offered'; readonly revision: Revision }
  /** `initialize` was refused with a list of supported versions. */
  | { readonly saw: 'refused'; readonly supported: readonly string[] }
  | { readonly saw: 'answered'; readonly revision: string }
  /** `notifications/initialized` was refused; the next messages show whether that matters. */
  | { readonly saw: 'initialized-refused'; readonly status: number }
  /** A new process or connection was started: after the probe, the first one had ended or couldn't be trusted further. */
  | { readonly saw: 'restarted' }
  /** The attempt with an older transport, and whether it worked. */
  | { readonly saw: 'transport'; readonly transport: string; readonly status?: number; readonly failed?: string }

export type ProbeOutcome =
  /** A `DiscoverResult`, whose list of versions decides. */
  | 'answered'
  /** The response arrived after the handshake had started. */
  | 'answered-late'
  /** A modern error code: the server is stateless. */
  | 'modern-error'
  /** HTTP 404 with -32601: a stateless server that lacks the method (VN-25). */
  | 'no-such-method'
  /** Any other JSON-RPC error: the server is older. */
  | 'error'
  /** An HTTP status without a modern error. */
  | 'status'
  | 'silence'
  | 'process-exited'
  /** The server closed the connection (a WebSocket or a socket). */
  | 'closed'
  /** The browser gave no reason: a preflight that forbids the new headers looks like this (BR-05). */
  | 'opaque'
  /** A response that isn't valid. */
  | 'unusable'

export interface ProbeFacts {
  readonly code?: number
  readonly message?: string
  readonly status?: number
  readonly supported?: readonly string[]
  /** ms waited without a response. */
  readonly limit?: number
}

/** What the other side declared about itself when the session opened. */
export interface Peer {
  readonly era: EraId
  readonly revision: Revision
  readonly info: JsonObject
  readonly capabilities: JsonObject
  readonly instructions?: string
  /** How the lifecycle and the protocol version were determined. */
  readonly evidence: readonly Evidence[]
  /** All protocol versions that the server named, if any (VN-04). */
  readonly supported?: readonly string[]
}

/** The faults that can be injected. */
export type FaultKind =
  | 'delay'
  | 'cut'
  | 'duplicate'
  | 'reorder'
  | 'corrupt'
  | 'status'
  | 'slow-body'
  | 'missing-headers'

/**
 * Faults that the user lets Periscope inject. Other frames show what the client got; these show why that isn't what the
 * server sent.
 */
export type FaultDraft = { readonly kind: 'fault' } &
  /** From here on. `faults`: as chosen. */
  (
    | { readonly event: 'on'; readonly seed: number; readonly faults: readonly JsonObject[] }
    | { readonly event: 'off' }
    | {
        readonly event: 'injected'
        readonly fault: FaultKind
        /**
         * The HTTP request with the disturbed response. Absent on other transports: the next message received on the
         * connection is the disturbed one, and if it is out of order, the one after it as well.
         */
        readonly request?: Seq
        /** Of a delay. */
        readonly ms?: number
        /** Events or messages that had arrived when the stream or the connection was cut. Absent: a body that is no event stream. */
        readonly after?: number
        /** The status that replaced the response. The server never got the request. */
        readonly status?: number
        /** Bytes per second of a slow body. */
        readonly rate?: number
        /** The headers that were removed. */
        readonly removed?: HeaderList
        readonly of?: 'request' | 'response'
        /** The text as it arrived, without the fault: at most its beginning (`cut`). */
        readonly original?: string
        readonly cut?: true
      }
  )

/** The steps of a connection, each with its own time limit. */
export type Phase =
  | 'starting-process'
  | 'opening-connection'
  | 'probing'
  | 'waiting-for-endpoint'
  | 'waiting-for-headers'
  | 'waiting-for-answer'
  | 'sending-initialized'
  | 'ending-session'

/** Why we stopped waiting for a response. */
export type GiveUp = 'timeout' | 'cancelled' | 'lost' | 'closed'

export type SessionDraft = { readonly kind: 'session' } & (
  | { readonly phase: 'opening'; readonly step: Phase; readonly limit: number }
  | { readonly phase: 'open'; readonly peer: Peer; readonly transport: string; readonly sessionId?: true }
  | {
      readonly phase: 'failed'
      readonly code: string
      readonly explanation: string
      readonly details?: JsonObject
      /** What was known of the server by then. */
      readonly evidence?: readonly Evidence[]
    }
  | { readonly phase: 'closed'; readonly why: string; readonly code?: string; readonly details?: JsonObject }
  /** An open session was lost (HTTP 404, a new process) and a new one replaces it. */
  | { readonly phase: 'renewing'; readonly why: string }
  /** The process is about to be replaced by a new one: by the user, or because `count` watched `files` changed. */
  | { readonly phase: 'restarting'; readonly files?: readonly string[]; readonly count?: number }
  /** `subscriptions/listen` is active again after an interruption: changes in between are unknown (SUB-09). */
  | { readonly phase: 'listening-again'; readonly request: Seq; readonly why: string }
  | { readonly phase: 'gave-up'; readonly request: Seq; readonly why: GiveUp; readonly explanation: string }
  | { readonly phase: 'extended'; readonly request: Seq; readonly idle: number; readonly total: number }
  /** A call of a tool was not sent, because its policy was not met. */
  | {
      readonly phase: 'held-back'
      readonly tool?: string
      readonly origin: CallOrigin
      readonly policy: string
      readonly why: HeldBack
    }
  /** The bodies of the oldest frames were released to keep the trace within its byte limit. */
  | { readonly phase: 'released'; readonly until: Seq; readonly size: number }
)

/** The steps of a sign-in, in order; `refresh`, `step-up` and `revocation` occur once there are tokens. */
export type AuthStep =
  | 'challenge'
  | 'resource-metadata'
  | 'authorization-server'
  | 'server-metadata'
  | 'registration'
  | 'preparation'
  | 'authorization'
  | 'callback'
  | 'assertion'
  | 'token'
  | 'use'
  | 'refresh'
  | 'revocation'

/** Something that a step checked, and the rule that applies. */
export interface AuthCheck {
  /** A checklist ID such as `AU-ASM-06`, or a section of an RFC. */
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD' | 'MAY'
  /** False: a violation of the rule. Absent: a neutral remark. */
  readonly ok?: boolean
  /** The key of the sentence in the text catalogues. */
  readonly say: string
  readonly values?: JsonObject
}

/** Why a step couldn't continue. */
export interface AuthFault {
  readonly code: string
  /** The rule that stops it, if any. */
  readonly rule?: string
  /** In English, for readers of the file. */
  readonly explanation: string
  readonly facts?: JsonObject
}

/** An event of a sign-in. Secrets are masked before this point (AU-TOK-02, SEC-15). */
export type AuthDraft = { readonly kind: 'auth'; readonly flow: string; readonly findings?: readonly Finding[] } & (
  | {
      readonly event: 'flow'
      readonly grant: string
      /** The protocol version whose rules apply. */
      readonly revision: Revision
      readonly why: 'asked' | 'unauthorized' | 'insufficient-scope'
      readonly steps: readonly AuthStep[]
    }
  | { readonly event: 'step'; readonly step: AuthStep }
  | {
      readonly event: 'done'
      readonly step: AuthStep
      /** The frame of its start. */
      readonly begun: Seq
      /** `forced`: it failed, but the user continued anyway. `undone`: the user went back. */
      readonly outcome: 'ok' | 'forced' | 'failed' | 'undone'
      readonly checks: readonly AuthCheck[]
      readonly fault?: AuthFault
      /** What this step added to the known values. */
      readonly learned: JsonObject
    }
  /** A step waits for the user's decision. */
  | { readonly event: 'waiting'; readonly step: AuthStep; readonly begun: Seq; readonly fault: AuthFault }
  | { readonly event: 'end'; readonly outcome: 'authorized' | 'failed' | 'cancelled'; readonly fault?: AuthFault }
  /** Changes to credentials between sign-ins. */
  | {
      readonly event: 'credential'
      readonly what: 'used' | 'refused' | 'forgotten' | 'expired' | 'issuer-changed' | 'step-up' | 'gave-up'
      readonly details: JsonObject
    }
)

/** A frame before the Trace has assigned its position and time. */
export type FrameDraft = (
  | MessageDraft
  | HttpDraft
  | StreamDraft
  | ProcessDraft
  | TransportDraft
  | SessionDraft
  | AuthDraft
  | FaultDraft
) & {
  readonly link: Link
}

/** `at`: ms since the trace began, with fractions. */
export type Frame = FrameDraft & { readonly seq: Seq; readonly at: number }

export type FrameOf<Kind extends Frame['kind']> = Extract<Frame, { kind: Kind }>
export type MessageFrame = FrameOf<'message'>
