import { setBounded } from '../mcp/index.ts'

/**
 * UI state by server and item: created on first use. It survives switching panels and reconnecting, until the page
 * closes.
 */
export class Remembered<Value> {
  readonly #make: (server: string) => Value
  readonly #most: number
  readonly #values = new Map<string, Value>()

  /** @param most values stored; the oldest is dropped */
  constructor(make: (server: string) => Value, most = Infinity) {
    this.#make = make
    this.#most = most
  }

  /**
   * @param server its slot, or its link for state that belongs to the link
   * @param thing an item of the server, such as a tool; absent: the server as a whole
   */
  of(server: string, thing = ''): Value {
    const name = `${server} ${thing}`
    let value = this.#values.get(name)
    if (value === undefined) setBounded(this.#values, name, (value = this.#make(server)), this.#most)
    return value
  }
}
