/** Cuts a response with events while it is written, below the server that writes it: that one notices nothing. */
import type { ServerResponse } from 'node:http'

export interface Knife {
  /** Whole events that pass before the cut, 1 or more: with none that passes, no resume would come any further. */
  readonly events: number
  /** `inside`: half of the next event's bytes pass too. `between`: the last whole event is the end. */
  readonly where: 'inside' | 'between'
}

/**
 * ms for the client to read what was sent: a stream that breaks takes along what waits in it unread. The answer to a POST
 * has to leave an event id behind, or nothing can be resumed, and a page that is busy with its screen may be late; what a
 * resumed stream loses is sent again.
 */
const readingTime = ({ req }: ServerResponse): number => (req.method === 'POST' ? 600 : 20)

/**
 * @param knife asked before each event, so that it can be changed on the way; `undefined` cuts nothing
 * @param onCut told once, when the last byte has gone out
 */
export const cut = (response: ServerResponse, knife: () => Knife | undefined, onCut: () => void): void => {
  const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
  let passed = 0
  let rest = ''

  const end = () => {
    response.write = () => true
    response.end = () => response
    const cutNow = setTimeout(() => {
      onCut()
      response.destroy()
    }, readingTime(response))
    response.once('close', () => clearTimeout(cutNow))
  }

  response.write = ((chunk: Uint8Array | string, ...others: unknown[]): boolean => {
    if (!isStream(response)) return write(chunk, ...others)
    // One character per byte: nothing is decoded, so nothing changes on its way through.
    rest += Buffer.from(chunk as string).toString('latin1')
    for (;;) {
      const length = rest.indexOf('\n\n') + 2
      if (length < 2) return true
      const block = rest.slice(0, length)
      rest = rest.slice(length)
      // A comment is no event; an empty `data` makes one.
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
