/** A JSON tree on the screen: its open nodes as reactive state, and the keys that move in it. */
import { inSteps } from './find.ts'
import { type Row, Tree } from './rows.ts'
import type { Value } from '../../json/index.ts'

/** Makes a tree's open nodes reactive. The tree is mutable, so readers depend on a version counter. */
export class OpenTree {
  readonly tree: Tree
  /** "Open all" is running. */
  opening = $state(false)
  #version = $state(0)

  constructor(value: Value) {
    this.tree = new Tree(value)
  }

  get count(): number {
    return (void this.#version, this.tree.length)
  }

  /** `undefined` if the row doesn't exist. */
  at(row: number): Row | undefined {
    void this.#version
    return row >= 0 && row < this.tree.length ? this.tree.at(row) : undefined
  }

  rows(first: number, end: number): readonly Row[] {
    void this.#version
    return Array.from({ length: end - first }, (_, at) => this.tree.at(first + at))
  }

  change<Result>(run: (tree: Tree) => Result): Result {
    const result = run(this.tree)
    this.#version++
    return result
  }

  async openAll(): Promise<void> {
    this.opening = true
    await inSteps(this.tree.openAll(), () => this.opening)
    this.opening = false
    this.#version++
  }

  closeAll(): void {
    this.opening = false
    this.change((tree) => tree.closeAll())
  }
}

type Move = { readonly go: number } | 'toggle' | 'enter' | undefined

/** The last row that is an item; closing brackets aren't items. */
export const lastItem = (tree: Tree): number => {
  let row = tree.length - 1
  while (row > 0 && tree.at(row).kind === 'close') row--
  return row
}

/** The nearest item at or after `row` (or before it, going up), or the last or first item of the tree. */
const itemFrom = (tree: Tree, row: number, step: 1 | -1): number => {
  const last = lastItem(tree)
  let next = Math.max(0, Math.min(last, row))
  while (next > 0 && next < last && tree.at(next).kind === 'close') next += step
  return next
}

/**
 * The action of a key in a tree (ARIA Authoring Practices, tree view): move to a row, or open or close the active one.
 * @param active index of the active row; -1 for none @param page rows in view
 */
export const moveFor = (key: string, tree: Tree, active: number, page: number): Move => {
  const row = active >= 0 && active < tree.length ? tree.at(active) : undefined
  switch (key) {
    case 'ArrowDown':
      return { go: itemFrom(tree, active + 1, 1) }
    case 'ArrowUp':
      return { go: itemFrom(tree, active - 1, -1) }
    case 'PageDown':
      return { go: itemFrom(tree, active + page, 1) }
    case 'PageUp':
      return { go: itemFrom(tree, active - page, -1) }
    case 'Home':
      return { go: 0 }
    case 'End':
      return { go: lastItem(tree) }
    case 'ArrowRight':
      return row?.kind === 'folded' ? 'toggle' : row?.kind === 'open' ? { go: active + 1 } : undefined
    case 'ArrowLeft':
      if (row?.kind === 'open') return 'toggle'
      return row && row.parent >= 0 ? { go: row.parent } : undefined
    case 'Enter':
    case ' ':
      return row && 'enter'
    default:
      return undefined
  }
}
