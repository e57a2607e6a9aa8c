import { getOrInsert } from '../mcp/index.ts'

/**
 * UI state by server and item: created on first use. It survives switching panels and reconnecting, until the page
 * closes.
 */
export class Remembered<Value> {
  readonly #make: (server: string) => Value
  readonly #values = new Map<string, Value>()

  constructor(make: (server: string) => Value) {
    this.#make = make
  }

  /**
   * @param server its slot, or its link for state that belongs to the link
   * @param thing an item of the server, such as a tool; absent: the server as a whole
   */
  of(server: string, thing = ''): Value {
    return getOrInsert(this.#values, `${server} ${thing}`, () => this.#make(server))
  }
}
