/** A secret that its name tells at one place of a text, at the others: what a command repeats in its answer, a message in its remark. */
import type { Assigned } from './found-in-text.ts'

/** Longer texts repeat ordinary numbers, too. */
const LONGEST = 20_000
const MOST = 50
/** Characters of a value that is looked for in other lines, too. */
const DISTINCT = 6
const YEAR = /^(?:19|20)\d\d$/

/** @param found for sure, in this text */
export const repeatsOf = (text: string, found: readonly Assigned[]): readonly Assigned[] => {
  if (text.length > LONGEST || found.length > MOST) return []
  return found.flatMap(({ from, to, rule }) => {
    const value = text.slice(from, to)
    if (value.length < 4 || value.length > 200 || !/\p{Nd}/u.test(value) || YEAR.test(value)) return []
    const all: Assigned[] = []
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      const end = at + value.length
      if (at === from || isWithin(text, at, end)) continue
      if (value.length < DISTINCT && text.slice(Math.min(from, at), Math.max(to, end)).includes('\n')) continue
      all.push({ from: at, to: end, rule })
    }
    return all
  })
}

/** Part of a longer word or number. */
const isWithin = (text: string, from: number, to: number): boolean =>
  /[\p{L}\p{M}\p{N}_]$|\p{N}[.,:/-]$/u.test(text.slice(Math.max(0, from - 2), from)) ||
  /^(?:[\p{L}\p{M}\p{N}_]|[.,:/-]\p{N})/u.test(text.slice(to, to + 2))
