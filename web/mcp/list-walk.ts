/** Follows a list through its pages: which pages belong together. */
import type { Json } from '../json/index.ts'

export class ListWalk {
  #next: Json | undefined

  /**
   * @param asked the cursor of the request @param next that of the response
   * @returns `elsewhere`: the cursor isn't the one that the previous page gave, so the page belongs to another walk
   */
  step(asked: Json | undefined, next: Json | undefined): 'first' | 'next' | 'elsewhere' {
    if (asked === undefined) {
      this.#next = next
      return 'first'
    }
    if (asked !== this.#next) return 'elsewhere'
    this.#next = next
    return 'next'
  }
}
