import { inSteps } from './steps.ts'
import { Tree, type Row } from './rows.ts'
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
