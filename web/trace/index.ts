/** The trace view: rows, filter language, timeline, and the detail of a frame. */
import type { Frame, Link, Seq } from '../mcp/index.ts'
import type { MenuItem } from '../ui/index.svelte.ts'

/** What can be done with a frame that the trace doesn't know itself. */
export interface RowActions {
  /** Repeats a call. */
  readonly call: readonly MenuItem[]
  /** Shares or marks the frame. */
  readonly keep: readonly MenuItem[]
}

/** The user's notes on frames, and what can be done with them. */
export interface FrameNotes {
  readonly all: ReadonlyMap<Seq, string>
  /** UTF-16 units of a note. */
  readonly longest: number
  /** The frame whose note is being written. */
  readonly editing: Seq | undefined
  edit(seq: Seq | undefined): void
  /** @param text absent: removes the note */
  set(seq: Seq, text: string | undefined): void
}

/** The servers of the trace, as far as the window can go to them. */
export interface TraceScope {
  /** The shown one. */
  readonly here: Link | undefined
  go(link: Link): void
}

export type { SentRequest } from './code/request.ts'
export type { Sdk, SdkFeature } from './code/sdks.ts'
export type { FindingSource, RuleBook } from './found.ts'

/** Transforms frames that leave the page through the clipboard: removes secrets, and returns how many. */
export type Leaving = (
  frames: readonly Frame[],
) => Promise<{ readonly frames: readonly Frame[]; readonly removed: number }>
