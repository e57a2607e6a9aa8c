/**
 * Frames: what the Trace is made of.
 *
 * A frame is immutable plain JSON, so that a live session, an opened recording and a shared link are the same
 * thing to every view. Everything that came from or went to a peer is a frame; nothing else is.
 */
import type { Json, JsonObject } from '../json/index.ts'
import type { EraId, Revision } from './revision.ts'

/** Position of a frame in its Trace, from 0, without holes. */
export type Seq = number

/** Names one connection. Frames of several connections share one Trace. */
export type Link = string

export type { Json, JsonObject }

/** Header names as the runtime gives them (lower case for received ones) and values; secrets are already masked. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** A breach of the specification by the peer: a row of the checklist, and where it was seen. */
export interface Finding {
  /** A checklist id, for example `BP-07`. */
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD' | 'MAY'
  /** One line: what was found where something else was due. */
  readonly explanation: string
  /** JSON pointer (RFC 6901) into the message, where one applies. */
  readonly pointer?: string
}

/** `ADVICE` is about the safety of users: nothing in the specification asks for it, so it is no violation. */
export interface FindingOrAdvice extends Omit<Finding, 'keyword'> {
  readonly keyword: Finding['keyword'] | 'ADVICE'
}

export type MessageKind = 'request' | 'notification' | 'result' | 'error' | 'batch' | 'invalid'

/** One JSON-RPC message (or what stood in the place of one). */
export interface MessageDraft {
  readonly kind: 'message'
  readonly direction: 'sent' | 'received'
  readonly type: MessageKind
  /** The parsed value; absent when the text is no JSON (`raw` holds it) or was released to keep the byte budget. */
  readonly message?: Json
  /** The exact text, kept only where `JSON.stringify(message)` differs from it or where comparing would cost too much. */
  readonly raw?: string
  /** UTF-8 bytes of the text. */
  readonly size: number
  /** The HTTP request in whose body, or in the answer to which, it travelled. */
  readonly carrier?: Seq
  /** `id` and `event` of the stream event that held it. */
  readonly eventId?: string
  readonly eventName?: string
  readonly findings?: readonly Finding[]
  /** On sent requests: milliseconds without progress, and in all, after which we stop waiting. */
  readonly limits?: { readonly idle: number; readonly total: number }
  /** Sent by hand, wrong on purpose perhaps: no rule was applied to it. */
  readonly byHand?: true
  /** The request that this one carries on: the round before it (`input_required`), or the same call in a lost session. */
  readonly follows?: Seq
  /** The body went to keep the trace within its byte budget; this much of it is still known. */
  readonly released?: { readonly id?: string | number; readonly method?: string }
  /** Its body was left out of a file: lower-case hex of the SHA-256 of its text, as it would have stood there. */
  readonly omitted?: Omitted
}

export interface Omitted {
  readonly sha256: string
}

export type HttpDraft = { readonly kind: 'http' } & (
  | {
      readonly phase: 'request'
      readonly method: string
      readonly url: string
      readonly headers: HeaderList
      /** UTF-8 bytes of the body; its text is in the message frame that names this one as carrier. */
      readonly size: number
      /** Why it was sent, in protocol terms. */
      readonly purpose: 'message' | 'listen' | 'resume' | 'end-session' | 'authorization'
      /** The request that began the stream which this one carries on, where it does. */
      readonly origin?: Seq
      /** Text of a body that no message frame holds, its secrets masked. */
      readonly body?: string
      readonly omitted?: Omitted
      /** The step of a sign-in that it belongs to: its `auth` frame. */
      readonly step?: Seq
      /** It went through the local proxy, by itself. */
      readonly relayed?: true
      /** It comes again, after the server's answer to this one: with another token, or a nonce. */
      readonly again?: Seq
    }
  /**
   * No response headers came for 3 s while so many older requests of the page to its origin were open: over HTTP/1.1 a
   * browser allows six connections to a host, and this request waits for one.
   */
  | { readonly phase: 'queued'; readonly request: Seq; readonly open: number }
  | {
      readonly phase: 'response'
      readonly request: Seq
      readonly status: number
      readonly statusText: string
      /** What the page may see: a browser hides headers that CORS does not expose. */
      readonly headers: HeaderList
      /** Where a redirect led; the page never sees the steps between. */
      readonly redirectedTo?: string
      /** True when the answer crossed origins, so that headers not listed may exist but be hidden. */
      readonly crossOrigin?: true
    }
  /** The body ended as it should. `body` is there when no other frame holds its text. */
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
      /** Where it stood: nothing came, or the body broke off. */
      readonly stage: 'headers' | 'body'
      /** The runtime's own words; opaque in a browser. */
      readonly error: string
      /** Set when we ended it ourselves, with the reason. */
      readonly aborted?: string
      /** Bytes of the body that had arrived. */
      readonly size?: number
    }
)

export type StreamDraft = { readonly kind: 'stream'; readonly request: Seq } & (
  | { readonly event: 'open' }
  /** An event that held no message: a priming event, an unknown event name, or one we had already (`repeated`). */
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
  /** The stream broke before its answer; we wait `delay` ms, then ask for what follows `lastEventId`. */
  | {
      readonly event: 'resume'
      readonly lastEventId?: string
      readonly delay: number
      readonly attempt: number
      readonly why: string
    }
  /** Something may be missing here and cannot be had again. */
  | { readonly event: 'gap'; readonly why: string }
  | { readonly event: 'close'; readonly why: 'answered' | 'ended' | 'broken' | 'aborted' }
)

export type ProcessDraft = { readonly kind: 'process' } & (
  | {
      readonly event: 'spawn'
      readonly command: string
      readonly args: readonly string[]
      readonly cwd?: string
      /** Names only: values are secrets until proven otherwise. */
      readonly env: readonly string[]
      readonly pid?: number
    }
  | { readonly event: 'spawn-failed'; readonly command: string; readonly code: string; readonly explanation: string }
  | { readonly event: 'stdout-noise'; readonly text: string; readonly invalidUtf8?: true }
  | { readonly event: 'stderr'; readonly text: string }
  /** A step of the shutdown order was taken (stdin closed, SIGTERM, SIGKILL). */
  | { readonly event: 'ending'; readonly step: 'stdin-closed' | 'SIGTERM' | 'SIGKILL' }
  | {
      readonly event: 'exit'
      readonly code: number | null
      readonly signal: string | null
      readonly stderr?: readonly string[]
    }
  /**
   * Something was over a limit and was dropped; `size` in bytes. `requests`: it answered this one, or where nothing tells
   * which, one of these.
   */
  | {
      readonly event: 'lost'
      readonly what: string
      readonly size: number
      readonly requests?: readonly (string | number)[]
    }
)

/** One thing that was seen while the era and the revision were decided, in the order it was seen. */
export type Evidence =
  | { readonly saw: 'pinned'; readonly revision: Revision }
  /** An earlier connection to this server ended in this era. */
  | { readonly saw: 'remembered'; readonly era: EraId }
  /** That era did not hold any more. */
  | { readonly saw: 'forgotten'; readonly era: EraId; readonly why: string }
  /** `server/discover` was sent, and this is what came of it (VN-21, VN-24). */
  | { readonly saw: 'probe'; readonly revision: Revision; readonly outcome: ProbeOutcome; readonly facts?: ProbeFacts }
  | { readonly saw: 'offered'; readonly revision: Revision }
  /** `initialize` was refused with a list of what is supported instead. */
  | { readonly saw: 'refused'; readonly supported: readonly string[] }
  | { readonly saw: 'answered'; readonly revision: string }
  /** `notifications/initialized` was refused; what comes after it shows whether that matters. */
  | { readonly saw: 'initialized-refused'; readonly status: number }
  /** A new process was started, for the probe had ended the first one. */
  | { readonly saw: 'restarted' }
  /** The server speaks an older transport, or did not. */
  | { readonly saw: 'transport'; readonly transport: string; readonly status?: number; readonly failed?: string }

export type ProbeOutcome =
  /** A `DiscoverResult`, whose list of versions decides. */
  | 'answered'
  /** It came after the handshake had been begun. */
  | 'answered-late'
  /** A modern error code: the server is of the stateless era. */
  | 'modern-error'
  /** HTTP 404 with -32601: a stateless server that lacks the method (VN-25). */
  | 'no-such-method'
  /** Any other JSON-RPC error: the server is older. */
  | 'error'
  /** An HTTP status without a modern error. */
  | 'status'
  | 'silence'
  | 'process-exited'
  /** The browser refused to say why: a preflight that forbids the new headers looks like this (BR-05). */
  | 'opaque'
  /** An answer that is none. */
  | 'unusable'

export interface ProbeFacts {
  readonly code?: number
  readonly message?: string
  readonly status?: number
  readonly supported?: readonly string[]
  /** ms waited in silence. */
  readonly limit?: number
}

/** What the other side said of itself when the session opened. */
export interface Peer {
  readonly era: EraId
  readonly revision: Revision
  readonly info: JsonObject
  readonly capabilities: JsonObject
  readonly instructions?: string
  /** How era and revision were decided. */
  readonly evidence: readonly Evidence[]
  /** All revisions the server named, where it did (VN-04). */
  readonly supported?: readonly string[]
}

/** The steps of a connection, each with its own time limit. */
export type Phase =
  | 'starting-process'
  | 'probing'
  | 'waiting-for-endpoint'
  | 'waiting-for-headers'
  | 'waiting-for-answer'
  | 'sending-initialized'
  | 'ending-session'

/** Why we stopped waiting for an answer. */
export type GiveUp = 'timeout' | 'cancelled' | 'lost' | 'closed'

export type SessionDraft = { readonly kind: 'session' } & (
  | { readonly phase: 'opening'; readonly step: Phase; readonly limit: number }
  | { readonly phase: 'open'; readonly peer: Peer; readonly transport: string; readonly sessionId?: true }
  | {
      readonly phase: 'failed'
      readonly code: string
      readonly explanation: string
      readonly details?: JsonObject
      /** What had been seen of the server by then. */
      readonly evidence?: readonly Evidence[]
    }
  | { readonly phase: 'closed'; readonly why: string; readonly code?: string; readonly details?: JsonObject }
  /** An open session was found dead (HTTP 404, a new process) and a new one takes its place. */
  | { readonly phase: 'renewing'; readonly why: string }
  /** `subscriptions/listen` stands again after it was cut: what changed meanwhile is unknown (SUB-09). */
  | { readonly phase: 'listening-again'; readonly request: Seq; readonly why: string }
  | { readonly phase: 'gave-up'; readonly request: Seq; readonly why: GiveUp; readonly explanation: string }
  | { readonly phase: 'extended'; readonly request: Seq; readonly idle: number; readonly total: number }
  /** The oldest frames lost their bodies to keep the trace within its byte budget. */
  | { readonly phase: 'released'; readonly until: Seq; readonly size: number }
)

/** The steps of a sign-in in their order; `refresh`, `step-up` and `revocation` come when there are tokens already. */
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

/** Something a step looked at, and the rule that applies. */
export interface AuthCheck {
  /** A checklist id such as `AU-ASM-06`, or a section of an RFC. */
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD' | 'MAY'
  /** False: the rule is broken. Absent: a remark, neither good nor bad. */
  readonly ok?: boolean
  /** Which sentence says it; the catalogues hold the sentences. */
  readonly say: string
  readonly values?: JsonObject
}

/** Why a step could not go on. */
export interface AuthFault {
  readonly code: string
  /** The rule by which it stops, where one does. */
  readonly rule?: string
  /** In English, for whoever reads the file. */
  readonly explanation: string
  readonly facts?: JsonObject
}

/** What a sign-in does. Secrets are masked before they get here (AU-TOK-02, SEC-15). */
export type AuthDraft = { readonly kind: 'auth'; readonly flow: string; readonly findings?: readonly Finding[] } & (
  | {
      readonly event: 'flow'
      readonly grant: string
      /** Its rules apply. */
      readonly revision: Revision
      readonly why: 'asked' | 'unauthorized' | 'insufficient-scope'
      readonly steps: readonly AuthStep[]
    }
  | { readonly event: 'step'; readonly step: AuthStep }
  | {
      readonly event: 'done'
      readonly step: AuthStep
      /** The frame that began it. */
      readonly begun: Seq
      /** `forced`: it failed, and its user went on all the same. `undone`: its user went back. */
      readonly outcome: 'ok' | 'forced' | 'failed' | 'undone'
      readonly checks: readonly AuthCheck[]
      readonly fault?: AuthFault
      /** What is known from here on, that was not before. */
      readonly learned: JsonObject
    }
  /** A step stands still until its user decides. */
  | { readonly event: 'waiting'; readonly step: AuthStep; readonly begun: Seq; readonly fault: AuthFault }
  | { readonly event: 'end'; readonly outcome: 'authorized' | 'failed' | 'cancelled'; readonly fault?: AuthFault }
  /** What happens to credentials between sign-ins. */
  | {
      readonly event: 'credential'
      readonly what: 'used' | 'refused' | 'forgotten' | 'expired' | 'issuer-changed' | 'step-up' | 'gave-up'
      readonly details: JsonObject
    }
)

/** A frame before the Trace has given it its place and time. */
export type FrameDraft = (MessageDraft | HttpDraft | StreamDraft | ProcessDraft | SessionDraft | AuthDraft) & {
  readonly link: Link
}

/** `at`: milliseconds since the trace began, with fractions. */
export type Frame = FrameDraft & { readonly seq: Seq; readonly at: number }

export type FrameOf<Kind extends Frame['kind']> = Extract<Frame, { kind: Kind }>
export type MessageFrame = FrameOf<'message'>
