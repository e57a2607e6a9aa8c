/**
 * Reads a `text/event-stream` body as it arrives.
 *
 * Parsing follows the WHATWG rules (TR-HTTP-14) and is eventsource-parser's; what is ours is the bytes, the pace
 * and the traps at the edges of chunks.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
import { createParser } from 'eventsource-parser'
import { pacer } from '../pace.ts'

export interface StreamEvent {
  readonly id?: string
  /** The `event` field; absent means `message`. */
  readonly name?: string
  readonly data: string
  readonly invalidUtf8: boolean
}

export interface StreamHandlers {
  /** A promise: what comes after it waits until it is settled. */
  event(event: StreamEvent): void | Promise<void>
  comment?(text: string): void
  /** Milliseconds, as the server wrote them. */
  retry?(delay: number): void
  /** An event larger than the bound was dropped; reading goes on with the next. */
  tooLarge?(limit: number): void
}

/** Longest event taken, in UTF-16 units: lines of 64 MB pass. */
const LONGEST_EVENT = 72 * 1024 * 1024

/** Text handed to the parser at once: a chunk may hold thousands of events, and each is work. */
const SLICE_LENGTH = 16 * 1024

/**
 * Reads to the end of the body, or until the signal says that nobody wants the rest.
 *
 * @returns bytes read; how it ended: `undefined` as it should, else what the runtime threw
 */
export const readEvents = async (
  body: ReadableStream<Uint8Array>,
  handlers: StreamHandlers,
  { limit = LONGEST_EVENT, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<{ size: number; broken?: unknown }> => {
  let invalidUtf8 = false
  /** What the parser found, in its order, and nobody has been told yet. */
  const found: (() => void | Promise<void>)[] = []
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ id, event, data }) => {
      const spoiled = invalidUtf8 && data.includes('\uFFFD')
      if (spoiled) invalidUtf8 = false
      const named = { ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { name: event }) }
      found.push(() => handlers.event({ data, invalidUtf8: spoiled, ...named }))
    },
    onComment: (text) => void found.push(() => handlers.comment?.(text)),
    onRetry: (delay) => void found.push(() => handlers.retry?.(delay)),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') found.push(() => handlers.tooLarge?.(limit))
    },
  })
  const decoder = new TextDecoder()
  const pause = pacer()
  let afterReturn = false

  const feed = async (text: string): Promise<void> => {
    // CR, LF and CRLF all end a line. The parser waits after a CR for the LF that may follow in the next chunk, and so
    // would hold back the last event of a server that writes CR alone. We complete the pair, and drop the LF if it comes.
    if (text === '') return
    if (afterReturn && text.startsWith('\n')) text = text.slice(1)
    afterReturn = text.endsWith('\r')
    if (afterReturn) text += '\n'
    for (let start = 0; start < text.length; start += SLICE_LENGTH) {
      try {
        parser.feed(text.slice(start, start + SLICE_LENGTH))
      } catch {
        // The parser stops at its bound; what follows is read from the next event on.
        parser.reset()
      }
      for (let tell = found.shift(); tell; tell = found.shift()) {
        const told = tell()
        if (told) await told
      }
      await pause()
    }
  }

  const reader = body.getReader()
  const leave = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', leave, { once: true })
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.byteLength
      const text = decoder.decode(value, { stream: true })
      // A U+FFFD that the server did not write itself stands for bytes that were no UTF-8.
      if (text.includes('\uFFFD') && !holdsReplacementCharacter(value)) invalidUtf8 = true
      await feed(text)
    }
    await feed(decoder.decode())
    return { size }
  } catch (broken) {
    return { size, broken }
  } finally {
    signal?.removeEventListener('abort', leave)
    reader.releaseLock()
  }
}

/** True when the bytes hold U+FFFD as the sender's own character: EF BF BD. */
const holdsReplacementCharacter = (bytes: Uint8Array): boolean => {
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) return true
  }
  return false
}
