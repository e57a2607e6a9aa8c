/** Cuts an SSE response while it is written, below the server that writes it, so that the server doesn't notice. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Knife {
  /** Complete events to let through before the cut, at least 1: otherwise a resumed stream would never progress. */
  readonly events: number
  /** `inside`: half of the next event's bytes pass as well. `between`: the last complete event ends the stream. */
  readonly where: 'inside' | 'between'
}

/**
 * How long a client gets to read what was sent, because a broken stream loses its unread data. The response to a POST has
 * to deliver an event ID, or nothing can be resumed. What a resumed stream loses is sent again, so its time is short;
 * but a client that asks twice for the same events was too busy to read them, and would stay so.
 */
export class ReadingTime {
  #resumed = 20
  readonly #asked = new Set<string>()

  /** @returns ms between the last byte and the cut */
  of({ method, headers }: IncomingMessage): number {
    if (method === 'POST') return 600
    const session = String(headers['mcp-session-id'])
    const position = `${session} ${String(headers['last-event-id'])}`
    if (this.#asked.has(position)) this.#resumed = Math.min(2 * this.#resumed, 600)
    this.#asked.add(position)
    return this.#resumed
  }
}

/**
 * @param time ms between the last byte and the cut
 * @param knife called before each event, so that it can change during the response; `undefined` cuts nothing
 * @param onCut called once, after the last byte was written
 */
export const cut = (
  response: ServerResponse,
  time: number,
  knife: () => Knife | undefined,
  onCut: () => void,
): void => {
  const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
  let passed = 0
  let rest = ''

  const end = () => {
    response.write = () => true
    response.end = () => response
    const cutNow = setTimeout(() => {
      onCut()
      response.destroy()
    }, time)
    response.once('close', () => clearTimeout(cutNow))
  }

  response.write = ((chunk: Uint8Array | string, ...others: unknown[]): boolean => {
    if (!isStream(response)) return write(chunk, ...others)
    // One character per byte: nothing is decoded, so nothing is altered.
    rest += Buffer.from(chunk as string).toString('latin1')
    for (;;) {
      const length = rest.indexOf('\n\n') + 2
      if (length < 2) return true
      const block = rest.slice(0, length)
      rest = rest.slice(length)
      // A comment isn't an event, but an empty `data` line makes one.
      const counts = /^data:/m.test(block)
      const { events, where } = knife() ?? { events: Infinity, where: 'between' }
      if (counts && passed >= events) {
        if (where === 'inside') write(Buffer.from(block.slice(0, Math.ceil(length / 2)), 'latin1'))
        end()
        return true
      }
      write(Buffer.from(block, 'latin1'))
      if (counts) passed++
      if (counts && where === 'between' && passed >= events) {
        end()
        return true
      }
    }
  }) as typeof response.write
}

export const isStream = (response: ServerResponse): boolean =>
  String(response.getHeader('content-type')).startsWith('text/event-stream')
