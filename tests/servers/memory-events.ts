/** An event store for the official SDK, which makes its streams resumable. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** Events of one session in order, each with its stream; an event's ID is its index. */
export class MemoryEvents implements EventStore {
  readonly #events: { readonly stream: string; readonly message: JSONRPCMessage }[] = []

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#events.push({ stream, message })
    return String(this.#events.length - 1)
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events[Number(id)]?.stream
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.#events[Number(id)]?.stream ?? ''
    for (const [index, event] of this.#events.entries()) {
      // A priming event is stored as an empty object and must not be sent again.
      if (index > Number(id) && event.stream === stream && 'jsonrpc' in event.message)
        await send(String(index), event.message)
    }
    return stream
  }
}
