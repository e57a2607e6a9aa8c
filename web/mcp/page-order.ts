/** Whether a page continues the list that was being read: its cursor is the one that the page before it gave (SF-PAGE-06). */
import type { Json } from '../json/index.ts'

export class PageOrder {
  #next: Json | undefined

  /**
   * @param asked the cursor of the request @param next that of the response
   * @returns `elsewhere`: the cursor isn't the one that the previous page gave, so the page belongs to another list
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
