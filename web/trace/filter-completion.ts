/** Completes the term of a query at the cursor: names of keys, then their values. */
import type { Link } from '../mcp/index.ts'
import type { Surroundings } from './facts.ts'
import { KEYS, VALUES } from './filter.ts'

/** What the trace contains, for keys without a fixed set of values. */
export interface FilterFacts {
  readonly method: readonly string[]
  readonly server: readonly string[]
  readonly rule: readonly string[]
}

export interface FilterCompletion {
  /** The part of the query that an option replaces. */
  readonly from: number
  readonly to: number
  readonly options: readonly string[]
}

/** Options listed. */
const MOST = 30

/** @param caret UTF-16 index in the query. Options are in the order of the language, or of the trace */
export const completeFilter = (query: string, caret: number, facts: () => FilterFacts): FilterCompletion => {
  const before = query.slice(0, caret)
  const start = /(?:^|\s)(-?[^\s"]*)$/.exec(before)
  const none = { from: caret, to: caret, options: [] }
  // Inside quotes, any text may follow.
  if (!start || (before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1) return none
  const term = start[1]!.replace(/^-/, '')
  const from = caret - term.length
  const to = caret + (/^[^\s"]*/.exec(query.slice(caret))?.[0].length ?? 0)
  const colon = term.indexOf(':')
  if (colon < 0) {
    if (term === '') return none
    return { from, to, options: KEYS.filter((key) => key.startsWith(term.toLowerCase())).map((key) => `${key}:`) }
  }
  const key = term.slice(0, colon).toLowerCase()
  const typed = term.slice(term.lastIndexOf(',') + 1 || colon + 1).toLowerCase()
  const values = Object.hasOwn(VALUES, key)
    ? VALUES[key as keyof typeof VALUES]
    : key === 'method' || key === 'server' || key === 'rule'
      ? facts()[key]
      : []
  const found = values.filter((value) => value.toLowerCase().startsWith(typed) && value.toLowerCase() !== typed)
  const inner = values.filter((value) => !found.includes(value) && value.toLowerCase().indexOf(typed) > 0)
  // What contains a space or a quote must be quoted itself.
  const written = [...found, ...inner].slice(0, MOST).map((value) => (/[\s",]/.test(value) ? JSON.stringify(value) : value)) // prettier-ignore
  return { from: caret - typed.length, to, options: written }
}

/** Exchanges, and frames with findings, that are read for the values. */
const MOST_READ = 5000

export const filterFacts = ({ exchanges, names, findings }: Surroundings): FilterFacts => {
  const methods = new Set<string>()
  const links = new Set<Link>()
  for (const { method, link } of exchanges.all.slice(-MOST_READ)) {
    methods.add(method)
    links.add(link)
  }
  const rules = new Set<string>()
  let left = MOST_READ
  for (const found of findings?.current.bySeq.values() ?? []) {
    for (const { rule } of found) rules.add(rule)
    if (--left === 0) break
  }
  return { method: [...methods].toSorted(), server: [...links].map(names), rule: [...rules].toSorted() }
}
