/** The trace view: rows, filter language, timeline, and the detail of a frame. */
export type { FindingSource } from './found.ts'
export type { Leaving } from './leaving.ts'
export type { RuleBook } from './rule-book.ts'
