/** UI state by server and item: created on first use, it survives panels and reconnects, and ends with the page. */
export class Remembered<Value> {
  readonly #make: (server: string) => Value
  readonly #values = new Map<string, Value>()

  constructor(make: (server: string) => Value) {
    this.#make = make
  }

  /**
   * @param server its slot, or its link where all that is of the link is meant
   * @param thing of the server, such as a tool; absent: the whole of it
   */
  of(server: string, thing = ''): Value {
    const name = `${server} ${thing}`
    let value = this.#values.get(name)
    if (value === undefined) this.#values.set(name, (value = this.#make(server)))
    return value
  }
}
