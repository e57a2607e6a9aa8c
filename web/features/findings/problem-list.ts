/** The problems of a server as the panel lists them: one per rule, most severe first. */
import type { Findings, Requirement, RuleFinding, RuleTally } from '../../lint/index.ts'
import { REVISIONS, type Frame, type Json, type Link, type Revision, type Seq } from '../../mcp/index.ts'
import { parsePointer } from '../../json/index.ts'

export interface Problem {
  readonly rule: string
  readonly keyword: RuleTally['keyword']
  readonly count: number
  /** The retained findings in the order of the trace; the first explains the problem. */
  readonly found: readonly RuleFinding[]
}

const WEIGHT = { MUST: 0, SHOULD: 1, MAY: 2, ADVICE: 3 } as const

/** @param link the server's connection */
export const problemsOf = ({ byRule, bySeq }: Findings, link: Link): readonly Problem[] => {
  const found = new Map<string, RuleFinding[]>()
  for (const list of bySeq.values())
    for (const one of list) {
      if (one.link !== link || one.by === 'client') continue
      const before = found.get(one.rule)
      if (before) before.push(one)
      else found.set(one.rule, [one])
    }
  return [...byRule.values()]
    .filter((tally) => tally.link === link)
    .map(({ rule, keyword, count }) => ({
      rule,
      keyword,
      count,
      found: (found.get(rule) ?? []).sort((one, other) => one.seq - other.seq),
    }))
    .sort((a, b) => WEIGHT[a.keyword] - WEIGHT[b.keyword] || b.count - a.count || (a.rule < b.rule ? -1 : 1))
}

/** The oldest protocol version that has the rule; `undefined` if all of them have it, or none does. */
export const sinceOf = (requirement: Requirement | undefined): Revision | undefined => {
  if (!requirement) return undefined
  const first = REVISIONS.toSorted().find((revision) => requirement.revisions[revision] !== undefined)
  return first === REVISIONS.toSorted()[0] ? undefined : first
}

/** Characters of an excerpt. */
const LONGEST = 600
/** Bytes of a message whose excerpt is written: a larger one would stop the page for a moment. */
const LARGEST = 256 * 1024

export interface Excerpt {
  readonly before: string
  /** The part at the pointer. */
  readonly marked: string
  readonly after: string
}

/** The value that a finding points at, within the object that contains it. `undefined` if the frame has no such part, or is large. */
export const excerptOf = (frame: Frame | undefined, pointer: string | undefined): Excerpt | undefined => {
  if (frame?.kind !== 'message' || frame.message === undefined || frame.size > LARGEST) return undefined
  const steps = pointer === undefined ? [] : parsePointer(pointer)
  let holder: Json = frame.message
  for (const step of steps.slice(0, -1)) {
    const next = member(holder, step)
    if (next === undefined) return undefined
    holder = next
  }
  const last = steps.at(-1)
  const value = last === undefined ? undefined : member(holder, last)
  const text = JSON.stringify(holder, null, 1).replaceAll(/\n\s*/g, ' ')
  if (last === undefined || value === undefined) return { before: cut(text), marked: '', after: '' }
  const part = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
  const key = Array.isArray(holder) ? '' : `${JSON.stringify(last)}: `
  const at = text.indexOf(key + part)
  if (at < 0) return { before: cut(text), marked: '', after: '' }
  const from = at + key.length
  return {
    before: text.slice(Math.max(0, from - LONGEST / 3), from),
    marked: cut(part),
    after: text.slice(from + part.length, from + part.length + LONGEST / 3),
  }
}

const member = (value: Json, step: string): Json | undefined => {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(step)]
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, Json>>)[step]
    : undefined
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** The frames to name, at most. */
export const placesOf = ({ found }: Problem, most = 8): readonly Seq[] =>
  [...new Set(found.map(({ seq }) => seq))].slice(0, most)
