/**
 * The session file: a Trace as JSON Lines. The first line is the head, each further one a frame, and the last says that
 * nothing is missing. README.md describes it for other tools, `public/session.schema.json` for validators.
 */
import type { Frame, JsonObject, Link, Seq } from '../mcp/index.ts'

export const FORMAT = 'periscope-session'
/** Raised when a reader of the version before would misread a file; what only adds does not raise it. */
export const VERSION = 1
export const EXTENSION = '.periscope.jsonl'

/** What a connection of the session led to. Nothing in it is secret. */
export interface RecordedServer {
  readonly link: Link
  readonly name: string
  /** As the transport calls itself. */
  readonly transport?: string
  /** To connect to it again: names of headers and environment variables stay, their values do not. */
  readonly target?: RecordedTarget
}

export type RecordedTarget =
  | { readonly kind: 'url'; readonly url: string; readonly headers: readonly string[] }
  | {
      readonly kind: 'command'
      readonly command: string
      readonly args: readonly string[]
      readonly cwd?: string
      readonly env: readonly string[]
    }
  | { readonly kind: 'sample' }

export interface Bookmark {
  readonly seq: Seq
  readonly text: string
}

/** Something that was taken out before the file left: whoever opens it sees that, and why, not what. */
export interface Removal {
  readonly seq?: Seq
  /** JSON pointer into the frame, or into the head where `seq` is absent. */
  readonly pointer: string
  /** The rule that took it, such as `name:password`. */
  readonly rule: string
}

/** Which part of a session it is. `steps`: requests without what came of them. */
export type Part = 'session' | 'exchange' | 'steps'

export interface SessionHead {
  readonly format: typeof FORMAT
  readonly version: number
  /** ISO 8601, UTC: when the trace began; `at` of each frame counts from here, in ms. */
  readonly begunAt: string
  readonly tool: { readonly name: string; readonly version: string }
  readonly servers: readonly RecordedServer[]
  /** Default: `session`. */
  readonly part?: Part
  readonly name?: string
  readonly notes?: string
  readonly bookmarks?: readonly Bookmark[]
  readonly removed?: readonly Removal[]
  /** Bodies above this many UTF-8 bytes were left out; their size and SHA-256 stay. */
  readonly omittedAbove?: number
  /** What other tools or later versions add; kept as it came. */
  readonly more?: JsonObject
}

/** The last line: so many frames came before it. A file may go on after it. */
export interface SessionEnd {
  readonly kind: 'end'
  readonly frames: number
}

/** Why something is not as it was written. */
export type Damage =
  /** The file ends in the middle, or without its last line. */
  | { readonly code: 'truncated'; readonly line: number }
  /** A line that is no JSON, or no frame. */
  | { readonly code: 'not-json' | 'no-frame' | 'too-long'; readonly line: number; readonly why: string }
  /** Frames are missing; those that spoke of them speak of nothing now. */
  | { readonly code: 'holes'; readonly missing: number }
  /** A reader of this version cannot know all of it. */
  | { readonly code: 'newer-version'; readonly version: number }
  /** The rest was not read. */
  | { readonly code: 'too-many-frames' | 'too-large'; readonly limit: number }

export interface OpenedSession {
  readonly head: SessionHead
  /** `seq` from 0 on, without holes. */
  readonly frames: readonly Frame[]
  readonly damage: readonly Damage[]
  /** All kinds of damage and more of each kind than are listed. */
  readonly damaged: number
}

/** A file that is none of ours, or says nothing. `code` is for catalogues. */
export class SessionFileError extends Error {
  readonly code: 'empty' | 'not-a-session' | 'unknown-version'
  readonly facts: JsonObject
  constructor(code: SessionFileError['code'], message: string, facts: JsonObject = {}) {
    super(message)
    this.name = 'SessionFileError'
    this.code = code
    this.facts = facts
  }
}
