/**
 * Reads a `text/event-stream` body as it arrives.
 *
 * eventsource-parser implements the WHATWG parsing rules (TR-HTTP-14); this module adds decoding, pacing, and the edge
 * cases at chunk boundaries.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
import { createParser } from 'eventsource-parser'
import { pacer } from '../pace.ts'
import { Utf8Decoder } from './utf8-decoder.ts'

export interface StreamEvent {
  readonly id?: string
  /** The `event` field; absent means `message`. */
  readonly name?: string
  readonly data: string
  readonly invalidUtf8: boolean
}

export interface StreamHandlers {
  /** If it returns a promise, later events wait for it. */
  event(event: StreamEvent): void | Promise<void>
  comment?(text: string): void
  /** Milliseconds, as sent by the server. */
  retry?(delay: number): void
  /** An event that exceeded the limit was dropped; reading continues with the next one. */
  tooLarge?(limit: number): void
}

/** Longest event accepted, in UTF-16 units: lines of 64 MB pass. */
const LONGEST_EVENT = 72 * 1024 * 1024

/** Characters passed to the parser at once: a chunk may hold thousands of events, each of which takes time. */
const SLICE_LENGTH = 16 * 1024

/**
 * Reads to the end of the body, or until the signal aborts.
 *
 * @returns bytes read, and how it ended: `undefined` for a normal end, otherwise what the runtime threw; `unfinished`: the
 * last event had data but no empty line behind it, so it was discarded; `stray`: the first discarded line that doesn't
 * begin with the name of a field
 */
export const readEvents = async (
  body: ReadableStream<Uint8Array>,
  handlers: StreamHandlers,
  { limit = LONGEST_EVENT, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<{ size: number; broken?: unknown; unfinished?: true; stray?: string }> => {
  const decoder = new Utf8Decoder()
  let stray: string | undefined
  /** Parsed events that haven't been delivered yet, in order. */
  const found: (() => void | Promise<void>)[] = []
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ id, event, data }) => {
      const invalidUtf8 = decoder.invalid && data.includes('\uFFFD')
      if (invalidUtf8) decoder.invalid = false
      found.push(() => handlers.event({ id, name: event, data, invalidUtf8 }))
    },
    onComment: (text) => void found.push(() => handlers.comment?.(text)),
    onRetry: (delay) => void found.push(() => handlers.retry?.(delay)),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') found.push(() => handlers.tooLarge?.(limit))
      // Fields of other names are allowed, and ignored.
      else if (error.type === 'unknown-field' && !/^[\w-]+$/.test(error.field ?? ''))
        stray ??= error.line?.slice(0, 200)
    },
  })
  const pause = pacer()
  const last = new LastEvent()
  let afterReturn = false

  const feed = async (text: string): Promise<void> => {
    // CR, LF and CRLF all end a line. After a CR, the parser waits for an LF that may follow in the next chunk, so it
    // would hold back the last event of a server that only writes CR. We complete the pair, and drop the LF if it
    // arrives.
    if (text === '') return
    if (afterReturn && text.startsWith('\n')) text = text.slice(1)
    afterReturn = text.endsWith('\r')
    if (afterReturn) text += '\n'
    last.feed(text)
    for (let start = 0; start < text.length; start += SLICE_LENGTH) {
      try {
        parser.feed(text.slice(start, start + SLICE_LENGTH))
      } catch {
        // The parser stops at its limit; continue with the next event.
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
      await feed(decoder.decode(value))
    }
    await feed(decoder.end())
    const lost = stray === undefined ? {} : { stray }
    return last.hasData ? { size, unfinished: true, ...lost } : { size, ...lost }
  } catch (broken) {
    return { size, broken }
  } finally {
    signal?.removeEventListener('abort', leave)
    reader.releaseLock()
  }
}

/** Notices an event that the parser silently discards, because the stream ends before its empty line. */
class LastEvent {
  hasData = false
  /** The end of the text so far, in case an empty line or `data` is cut in two. */
  #tail = '\n'

  feed(text: string): void {
    const whole = this.#tail + (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)
    const blank = whole.lastIndexOf('\n\n')
    if (blank >= 0) this.hasData = whole.startsWith('data', blank + 2) || whole.includes('\ndata', blank + 2)
    else this.hasData ||= whole.includes('\ndata')
    this.#tail = whole.slice(-5)
  }
}
