/** The content of a trace row, before it is translated. */
import type { Seq } from '../mcp/index.ts'
import type { Keyword } from './found.ts'
import type en from './text/en.ts'

type Texts = typeof en

/** A text of the catalogue, by key, with its values. */
export type Said = {
  [Key in keyof Texts]: Texts[Key] extends (...values: infer Values) => string
    ? { readonly key: Key; readonly values: Values }
    : { readonly key: Key; readonly values?: undefined }
}[keyof Texts]

export type Sign = 'out' | 'in' | 'resume' | 'none'
export type RowTone = 'plain' | 'quiet' | 'warn' | 'bad'
export type StatusTone = 'ok' | 'warn' | 'bad' | 'plain'

/** Why something failed, in the English of the kernel or the proxy: `reasons/` translates it. */
export interface Because {
  readonly reason: string
}

/** Strings are texts from the wire, shown unchanged; all of them are shortened (`clip`). */
export interface RowModel {
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
  readonly sign: Sign
  readonly what: Said | string
  readonly details: readonly (Said | Because | string)[]
  readonly status?: { readonly text: Said | string; readonly tone: StatusTone }
  /** ms, once it is known. */
  readonly took?: number
  /** Still running, since `at`. */
  readonly running: boolean
  /** Bytes. */
  readonly size?: number
  readonly tone: RowTone
  /** The user's note. */
  readonly note?: string
  /** The strongest keyword among its findings, and their number. Advice is weaker than any keyword. */
  readonly findings?: { readonly keyword: Keyword; readonly count: number }
}

/** What the kind of a frame adds to its row. */
export interface Body {
  readonly what: Said | string
  readonly details?: readonly (Said | Because | string)[]
  readonly sign?: Sign
  readonly tone?: RowTone
}
