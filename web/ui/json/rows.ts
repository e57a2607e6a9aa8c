/**
 * The rows of a JSON tree, computed from the set of open nodes: a node costs nothing until it is opened, and a row is
 * found by its index without creating the rows before it. An array of 200,000 items opens in one step.
 */
import { isRecord, NumberText, Unfinished, type Value } from '../../json/index.ts'

export type RowKind =
  /** A scalar, or an empty object or array. */
  | 'leaf'
  | 'folded'
  | 'open'
  /** The closing bracket of an open node; not an item. */
  | 'close'

export interface Row {
  readonly kind: RowKind
  readonly value: Value
  /** Absent for the root. */
  readonly key: string | number | undefined
  readonly depth: number
  /** Position among its siblings, from 1, and their number. */
  readonly position: number
  readonly siblings: number
  /** Row index of the parent; -1 for the root. */
  readonly parent: number
  readonly path: readonly (string | number)[]
}

/** Maximum number of rows when a value is first shown; smaller values are fully open. */
const FIRST_ROWS = 150
/** Characters in the preview of a folded node. */
const PREVIEW = 48
/** Nodes opened in one slice of "open all": takes a few milliseconds. */
const SLICE = 1500

interface OpenChild {
  readonly index: number
  readonly start: number
  readonly branch: Branch
}

class Branch {
  readonly value: readonly Value[] | { readonly [key: string]: Value }
  readonly keys: readonly string[] | undefined
  readonly parent: Branch | undefined
  /** Index among the children of `parent`. */
  readonly index: number
  readonly open = new Map<number, Branch>()
  /** Number of rows, including both brackets. */
  size: number
  #order: OpenChild[] | undefined

  constructor(value: Branch['value'], parent: Branch | undefined, index: number) {
    this.value = value
    this.keys = Array.isArray(value) ? undefined : Object.keys(value)
    this.parent = parent
    this.index = index
    this.size = this.count + 2
  }

  get count(): number {
    return this.keys ? this.keys.length : (this.value as readonly Value[]).length
  }

  keyAt(index: number): string | number {
    return this.keys ? this.keys[index]! : index
  }

  /** -1 if not found. */
  indexOf(step: string | number): number {
    if (this.keys) return this.keys.indexOf(String(step))
    const index = typeof step === 'number' ? step : /^\d+$/.test(step) ? Number(step) : -1
    return index < this.count ? index : -1
  }

  valueAt(index: number): Value {
    return (this.value as { readonly [key: string | number]: Value })[this.keyAt(index)]!
  }

  get path(): (string | number)[] {
    if (!this.parent) return []
    return [...this.parent.path, this.parent.keyAt(this.index)]
  }

  grow(by: number): void {
    this.size += by
    this.#order = undefined
    this.parent?.grow(by)
  }

  set(index: number, branch: Branch | undefined): void {
    const before = this.open.get(index)
    if (branch) this.open.set(index, branch)
    else this.open.delete(index)
    this.grow((branch?.size ?? 1) - (before?.size ?? 1))
  }

  /** The open children in order, with the row at which each begins. */
  get #openOnes(): readonly OpenChild[] {
    let more = 0
    this.#order ??= [...this.open.keys()]
      .sort((a, b) => a - b)
      .map((index) => {
        const branch = this.open.get(index)!
        const start = 1 + index + more
        more += branch.size - 1
        return { index, start, branch }
      })
    return this.#order
  }

  /**
   * The last open child for which `before` holds. `before` must be monotonic: true up to some child, false after it.
   */
  #last(before: (child: OpenChild) => boolean): OpenChild | undefined {
    const children = this.#openOnes
    let low = 0
    let high = children.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (before(children[middle]!)) low = middle + 1
      else high = middle
    }
    return children[low - 1]
  }

  /** The last open child that begins at or before row `row` of this branch. */
  before(row: number): OpenChild | undefined {
    return this.#last(({ start }) => start <= row)
  }

  /** The row of child `index`, whether it is open or not. */
  placeOf(index: number): number {
    const open = this.#last((child) => child.index < index)
    return open ? open.start + open.branch.size + (index - open.index - 1) : 1 + index
  }

  /** The row at which the open child `index` begins. */
  startOf(index: number): number {
    return this.#last((child) => child.index <= index)!.start
  }
}

/** The position of a row: the branch and the child in it (`undefined` for the branch's own bracket). */
interface Place {
  readonly branch: Branch
  readonly child: number | undefined
  readonly closing: boolean
  /** Row index of the branch's opening bracket. */
  readonly start: number
}

const isBranch = (value: Value): value is Branch['value'] =>
  Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0

export class Tree {
  readonly #value: Value
  #root: Branch | undefined

  constructor(value: Value) {
    this.#value = value
    if (!isBranch(value)) return
    this.#root = new Branch(value, undefined, 0)
    this.#openLevels(this.#root)
  }

  /** Opens whole levels while there is room. */
  #openLevels(root: Branch): void {
    let level = [root]
    while (level.length > 0 && root.size <= FIRST_ROWS) {
      const next = level.flatMap((branch) =>
        Array.from({ length: branch.count }, (_, index) => index)
          .filter((index) => isBranch(branch.valueAt(index)))
          .map((index) => new Branch(branch.valueAt(index) as Branch['value'], branch, index)),
      )
      const more = next.reduce((sum, { size }) => sum + size - 1, 0)
      if (root.size + more > FIRST_ROWS) return
      for (const branch of next) branch.parent!.set(branch.index, branch)
      level = next
    }
  }

  /** Number of visible rows. */
  get length(): number {
    return this.#root ? this.#root.size : 1
  }

  at(row: number): Row {
    if (!this.#root) {
      return {
        kind: 'leaf',
        value: this.#value,
        key: undefined,
        depth: 0,
        position: 1,
        siblings: 1,
        parent: -1,
        path: [],
      }
    }
    const { branch, child, closing, start } = this.#place(row)
    if (child === undefined) {
      const { parent, index, path } = branch
      return {
        kind: closing ? 'close' : 'open',
        value: branch.value,
        key: parent?.keyAt(index),
        depth: path.length,
        position: index + 1,
        siblings: parent?.count ?? 1,
        parent: parent ? this.#startOf(parent) : -1,
        path,
      }
    }
    const value = branch.valueAt(child)
    const path = [...branch.path, branch.keyAt(child)]
    const kind = isBranch(value) ? 'folded' : 'leaf'
    return {
      kind,
      value,
      key: branch.keyAt(child),
      depth: path.length,
      position: child + 1,
      siblings: branch.count,
      parent: start,
      path,
    }
  }

  /** Opens all ancestors of a value. @returns its row; if the path doesn't exist, the row of the last step that does */
  reveal(path: readonly (string | number)[]): number {
    let branch = this.#root
    let row = 0
    for (const [at, step] of path.entries()) {
      if (!branch) break
      const index = branch.indexOf(step)
      if (index < 0) break
      row += branch.placeOf(index)
      if (at === path.length - 1) break
      let inner = branch.open.get(index)
      const value = branch.valueAt(index)
      if (!inner && isBranch(value)) branch.set(index, (inner = new Branch(value, branch, index)))
      branch = inner
    }
    return row
  }

  /** Opens or closes a node. Closing discards the open state of the nodes inside. */
  toggle(row: number): void {
    if (!this.#root) return
    const { branch, child } = this.#place(row)
    if (child !== undefined) {
      const value = branch.valueAt(child)
      if (isBranch(value)) branch.set(child, new Branch(value, branch, child))
    } else if (branch.parent) branch.parent.set(branch.index, undefined)
    else this.#fold(branch)
  }

  /** The root stays a branch; when folded it is one row. */
  #fold(root: Branch): void {
    root.open.clear()
    this.#root = new Branch(root.value, undefined, 0)
  }

  /** Closes all but the root. */
  closeAll(): void {
    if (this.#root) this.#fold(this.#root)
  }

  /** Opens everything, one slice per step, so that the page stays responsive. */
  *openAll(): Generator<void> {
    const queue = this.#root ? [this.#root] : []
    let opened = 0
    for (let at = 0; at < queue.length; at++) {
      const branch = queue[at]!
      for (let index = 0; index < branch.count; index++) {
        if (++opened % (SLICE * 8) === 0) yield
        const value = branch.valueAt(index)
        if (!isBranch(value)) continue
        let inner = branch.open.get(index)
        if (!inner) branch.set(index, (inner = new Branch(value, branch, index)))
        queue.push(inner)
        if (++opened % SLICE === 0) yield
      }
    }
  }

  #place(row: number): Place {
    let branch = this.#root!
    let start = 0
    for (;;) {
      const inside = row - start
      if (inside <= 0) return { branch, child: undefined, closing: false, start }
      if (inside >= branch.size - 1) return { branch, child: undefined, closing: true, start }
      const open = branch.before(inside)
      if (!open) return { branch, child: inside - 1, closing: false, start }
      const after = inside - open.start - open.branch.size
      if (after >= 0) return { branch, child: open.index + 1 + after, closing: false, start }
      start += open.start
      branch = open.branch
    }
  }

  #startOf(branch: Branch): number {
    const { parent, index } = branch
    if (!parent) return 0
    return this.#startOf(parent) + parent.startOf(index)
  }
}

/** Characters that are invisible or change the direction of the text. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** A string as JSON, with invisible characters escaped. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const isCut = (value: Value, longest: number): value is string =>
  typeof value === 'string' && value.length > longest

/** A value on one line: long strings are truncated, objects and arrays shown as brackets. */
export const lineOf = (value: Value, longest: number): string => {
  if (typeof value === 'string') return quoted(isCut(value, longest) ? value.slice(0, longest) : value)
  if (value instanceof NumberText || value instanceof Unfinished) return value.text
  if (Array.isArray(value)) return '[]'
  return typeof value === 'object' && value !== null ? '{}' : String(value)
}

/** The preview of a folded node. */
export const previewOf = (value: Value): string => {
  const parts: string[] = []
  let length = 0
  /** @returns whether there is room for more */
  const add = (inner: Value, name: string): boolean => {
    if (length > PREVIEW) {
      parts.push('…')
      return false
    }
    const line = isBranch(inner)
      ? Array.isArray(inner)
        ? '[…]'
        : '{…}'
      : lineOf(inner, 16) + (isCut(inner, 16) ? '…' : '')
    const part = name + line
    length += part.length + 2
    parts.push(part)
    return true
  }
  if (Array.isArray(value)) {
    // Not `for in`, which would list a million indexes first.
    for (const item of value as readonly Value[]) if (!add(item, '')) break
    return `[${parts.join(', ')}]`
  }
  const members = value as { readonly [key: string]: Value }
  for (const key in members) if (!add(members[key]!, `${quoted(key.slice(0, 40)).slice(1, -1)}: `)) break
  return `{ ${parts.join(', ')} }`
}

/** The colour class of a value. */
export const colourOf = (value: Value): 'str' | 'num' | 'lit' | 'bracket' => {
  if (typeof value === 'string') return 'str'
  if (typeof value === 'number' || value instanceof NumberText) return 'num'
  return value === null || typeof value === 'boolean' ? 'lit' : 'bracket'
}

/** RFC 9535: `$.content[0]['x y']`. */
export const jsonPath = (path: readonly (string | number)[]): string =>
  `$${path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`
      if (/^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*$/.test(step)) return `.${step}`
      return `['${JSON.stringify(step).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}']`
    })
    .join('')}`
