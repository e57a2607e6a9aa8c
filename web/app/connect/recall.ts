/** Puts remembered values of headers and variables back into a form. Loaded only if something is remembered. */
import { isReferences } from '../../secrets/index.ts'
import type { Draft } from './draft.svelte.ts'
import { placeholdersIn } from './placeholders.ts'
import { isFor, lineOf } from './target.ts'

/** Fills in values where a header or a variable has none, or only a placeholder. */
export const recall = (draft: Draft, pairs: readonly (readonly [name: string, value: string])[]): void => {
  const { target } = draft
  if (target?.kind !== 'url' && target?.kind !== 'command') return
  const [own, rows] = target.kind === 'url' ? [target.headers, draft.headers] : [Object.entries(target.env), draft.env]
  const folded = (name: string) => (target.kind === 'url' ? name.toLowerCase() : name)
  const only = lineOf(target)
  const found = pairs.flatMap(([name, value]) => {
    const before = own.find(([one]) => folded(one) === folded(name))
    return before && isOpen(before[1]) ? [[before[0], value] as const] : []
  })
  for (const [name, value] of found) {
    const row = rows.find((one) => isFor(one, target) && folded(one.name.trim()) === folded(name))
    if (row) Object.assign(row, { value, only })
    else rows.push({ name, value, only })
  }
  const dropped = draft.dropped.filter((name) => !found.some(([one]) => one === name))
  // The rows were only shown to ask for what is missing.
  if (draft.dropped.length > 0 && dropped.length === 0) draft.more = false
  draft.dropped = dropped
  draft.remember = true
}

/** It is empty, or has placeholders that the user would have to fill in. */
const isOpen = (value: string): boolean =>
  value === '' ||
  (!isReferences(value) && placeholdersIn({ kind: 'command', command: '', args: [value], env: {} }).length > 0)
