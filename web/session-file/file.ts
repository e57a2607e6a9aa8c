/**
 * The session file: a Trace as JSON Lines. The first line is the head, each further line a frame, and the last line
 * shows that nothing is missing. README.md describes it for other tools, `public/session.schema.json` for validators.
 */
import type { Frame, JsonObject, Link, Seq } from '../mcp/index.ts'

export const FORMAT = 'periscope-session'
/** Increased when readers of the previous version would misread a file; additions don't increase it. */
export const VERSION = 1
export const EXTENSION = '.periscope.jsonl'

/** The server of a connection. Contains no secrets. */
export interface RecordedServer {
  readonly link: Link
  readonly name: string
  /** The transport's own name. */
  readonly transport?: string
  /**
   * To connect to it again: names of headers and environment variables are included; of their values, only those that
   * consist of references.
   */
  readonly target?: RecordedTarget
}

/** `${env:NAME}` stands for a variable in the environment of whoever connects to the server. */
export interface RecordedReferences {
  /** The variables. Other text in the arguments may look like a reference, but is literal. */
  readonly names: readonly string[]
  /** Values of headers or variables that consist of references, by name. */
  readonly values: Readonly<Record<string, string>>
}

export type RecordedTarget =
  | {
      readonly kind: 'url'
      readonly url: string
      readonly headers: readonly string[]
      readonly references?: RecordedReferences
    }
  | {
      readonly kind: 'command'
      readonly command: string
      readonly args: readonly string[]
      readonly cwd?: string
      readonly env: readonly string[]
      readonly references?: RecordedReferences
    }
  /** A custom transport: `ws:`, `wss:`, `unix:`, `npipe:`, or the name of a module's transport. */
  | { readonly kind: 'custom'; readonly url: string }
  | { readonly kind: 'sample' }

/** A bookmarked frame. */
export interface Bookmark {
  readonly seq: Seq
  /** The note on it, as plain text; may be empty. */
  readonly text: string
}

/** UTF-16 units of a note; readers ignore the rest. */
export const LONGEST_NOTE = 2_000

/** Where the person who shared a session was: it opens there. */
export interface SharedView {
  readonly link: Link
  /** The id of a tab. */
  readonly feature: string
  /** The tab's own part, such as the name of a tool. */
  readonly place: string
  /** The selected frame. */
  readonly seq?: Seq
}

/** Something that was removed before export: readers see the location and the rule, but not the content. */
export interface Removal {
  readonly seq?: Seq
  /** JSON pointer into the frame, or into the head if `seq` is absent. */
  readonly pointer: string
  /** The rule that removed it, such as `name:password`. */
  readonly rule: string
}

/** The part of a session in the file. `steps`: requests without their outcome. */
export type Part = 'session' | 'exchange' | 'steps'

export interface SessionHead {
  readonly format: typeof FORMAT
  readonly version: number
  /** ISO 8601, UTC: when the trace began; `at` of each frame is relative to it, in ms. */
  readonly begunAt: string
  readonly tool: { readonly name: string; readonly version: string }
  readonly servers: readonly RecordedServer[]
  /** Default: `session`. */
  readonly part?: Part
  readonly name?: string
  readonly notes?: string
  readonly bookmarks?: readonly Bookmark[]
  /** Absent: a reader decides where it opens. */
  readonly view?: SharedView
  readonly removed?: readonly Removal[]
  /** Bodies above this many UTF-8 bytes were omitted; their size and SHA-256 are included. */
  readonly omittedAbove?: number
  /** Additions of other tools or later versions; preserved unchanged. */
  readonly more?: JsonObject
}

/** The last line, with the number of frames before it. More lines may follow in the file. */
export interface SessionEnd {
  readonly kind: 'end'
  readonly frames: number
}

/** Ways in which a file is damaged. */
export type Damage =
  /** The file ends in mid-line, or without its last line. */
  | { readonly code: 'truncated'; readonly line: number }
  /** A line that isn't JSON, or isn't a frame. */
  | { readonly code: 'not-json' | 'no-frame' | 'too-long'; readonly line: number; readonly why: string }
  /** A link isn't what it was when it was made, so the content may not be either. */
  | { readonly code: 'checksum' }
  /** Frames are missing; references to them are invalid. */
  | { readonly code: 'holes'; readonly missing: number }
  /** A reader of this version may not understand everything. */
  | { readonly code: 'newer-version'; readonly version: number }
  /** The rest was not read. */
  | { readonly code: 'too-many-frames' | 'too-large'; readonly limit: number }

export interface OpenedSession {
  readonly head: SessionHead
  /** `seq` counts from 0, without gaps. */
  readonly frames: readonly Frame[]
  readonly damage: readonly Damage[]
  /** The total number of problems, including those not listed. */
  readonly damaged: number
}

/** The file isn't a session file, or is empty. `code` is for catalogues. */
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
