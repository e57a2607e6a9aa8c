/** Disturbs an event stream event by event. Bytes that no fault concerns stay as they are. */
import type { DisturbedRequest } from '../mcp/index.ts'
import { corrupted, cutError, heldFor, LONGEST_HELD, originalOf } from './alter.ts'
import type { FaultChooser } from './chooser.ts'

type Bytes = Uint8Array<ArrayBuffer>

const [CR, LF] = [13, 10]

/** Bytes of an event that is altered: collecting more would take too much memory. */
const LONGEST_EVENT = 16 * 1024 * 1024

/** An event with its end, or a part of one that is too long to be altered. */
interface Piece {
  readonly bytes: Bytes
  readonly isPart: boolean
}

/** Splits bytes behind each empty line, which ends an event. Any of the three line ends counts, even mixed. */
class EventSplitter {
  #parts: Bytes[] = []
  #size = 0
  /** The beginning of this event was passed on. */
  #isLong = false
  /** The line so far is empty. */
  #blank = true
  #afterReturn = false

  /** @returns the events that are complete now */
  split(bytes: Bytes): Piece[] {
    const complete: Piece[] = []
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      // The second half of a line end.
      const isSecond = byte === LF && this.#afterReturn
      this.#afterReturn = byte === CR
      if (isSecond) continue
      if (byte !== CR && byte !== LF) {
        this.#blank = false
        continue
      }
      if (this.#blank) {
        const to = byte === CR && bytes[at + 1] === LF ? at + 2 : at + 1
        this.#add(bytes.slice(from, to))
        const isPart = this.#isLong || this.#size > LONGEST_EVENT
        complete.push({ bytes: this.rest(), isPart })
        this.#isLong = false
        from = to
        if (to === at + 2) {
          at++
          this.#afterReturn = false
        }
      }
      this.#blank = true
    }
    if (from < bytes.length) this.#add(bytes.slice(from))
    if (this.#size > LONGEST_EVENT) {
      this.#isLong = true
      complete.push({ bytes: this.rest(), isPart: true })
    }
    return complete
  }

  #add(part: Bytes): void {
    this.#parts.push(part)
    this.#size += part.length
  }

  /** What has arrived since the last complete event. */
  rest(): Bytes {
    const whole = new Uint8Array(this.#size)
    let at = 0
    for (const part of this.#parts) {
      whole.set(part, at)
      at += part.length
    }
    this.#parts = []
    this.#size = 0
    return whole
  }
}

/** The lines of an event with data, and their place in its text. */
const DATA = /^data: ?(.*\S.*)$/gm

/** The message of an event; `undefined` for comments, and events without data. */
const dataOf = (text: string): string | undefined => {
  const lines = [...text.replace(/\r\n?/g, '\n').matchAll(DATA)].map(([, data]) => data!)
  return lines.length === 0 ? undefined : lines.join('\n')
}

const corruptedEvent = (text: string, random: () => number): string => {
  const found = /(^|[\r\n])data: ?([^\r\n]+)/.exec(text)
  if (!found) return text
  const data = found[2]!
  const from = found.index + found[0].length - data.length
  return `${text.slice(0, from)}${corrupted(data, random)}${text.slice(from + data.length)}`
}

/** @param methods those of the request; the GET stream has none */
export const disturbedEvents = (
  body: ReadableStream<Bytes>,
  request: DisturbedRequest,
  methods: readonly string[],
  faults: FaultChooser,
): ReadableStream<Bytes> => {
  const stream = new FaultyStream(body.getReader(), request, faults, faults.choose('cut', methods)?.after)
  return new ReadableStream<Bytes>(
    // Pulled only when everything before was read and recorded: so each mark is directly before what it is about.
    { pull: (controller) => stream.pull(controller), cancel: (reason) => stream.cancel(reason) },
    { highWaterMark: 0 },
  )
}

class FaultyStream {
  readonly #reader: ReadableStreamDefaultReader<Bytes>
  readonly #request: DisturbedRequest
  readonly #faults: FaultChooser
  readonly #run: unknown
  readonly #cutAfter: number | undefined
  readonly #splitter = new EventSplitter()
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** What hasn't been looked at begins at `next`: taking thousands from the front of an array would take seconds. */
  #waiting: readonly Piece[] = []
  #next = 0
  /** What is passed on next, each once the one before was read. */
  readonly #due: (() => Bytes)[] = []
  #held: { readonly event: Bytes; readonly since: number } | undefined
  #reading: Promise<boolean> | undefined
  #count = 0

  constructor(
    reader: ReadableStreamDefaultReader<Bytes>,
    request: DisturbedRequest,
    faults: FaultChooser,
    cutAfter: number | undefined,
  ) {
    this.#reader = reader
    this.#request = request
    this.#faults = faults
    this.#run = faults.run
    this.#cutAfter = cutAfter
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason)
  }

  async pull(controller: ReadableStreamDefaultController<Bytes>): Promise<void> {
    for (;;) {
      const due = this.#due.shift()
      if (due) return controller.enqueue(due())
      if (this.#isCut) {
        this.#request.mark({ fault: 'cut', after: this.#count })
        await this.#reader.cancel().catch(() => {})
        return controller.error(cutError())
      }
      const piece = this.#waiting[this.#next]
      if (piece) {
        this.#next++
        if (piece.isPart) {
          this.#release()
          this.#pass(piece.bytes)
        } else this.#disturb(piece.bytes)
        continue
      }
      if (await this.#more()) continue
      this.#release()
      const rest = this.#splitter.rest()
      if (rest.length > 0) this.#due.push(() => rest)
      if (this.#due.length === 0) return controller.close()
    }
  }

  /** Not if other faults were chosen meanwhile, or none. */
  get #isCut(): boolean {
    return this.#cutAfter !== undefined && this.#count >= this.#cutAfter && this.#run === this.#faults.run
  }

  /** Waits for more bytes, but no longer than a held event may wait. @returns false at the end */
  async #more(): Promise<boolean> {
    this.#reading ??= this.#read()
    const overdue = new AbortController()
    const reading = this.#reading
    const waited = this.#held && this.#faults.pause(LONGEST_HELD, overdue.signal).then(() => undefined)
    const more = await (waited ? Promise.race([reading, waited]) : reading)
    overdue.abort()
    if (more === undefined) this.#release()
    else this.#reading = undefined
    return more ?? true
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#reader.read()
    if (done) return false
    // Everything before was taken, because it is read only when nothing waits.
    this.#waiting = this.#splitter.split(value)
    this.#next = 0
    return true
  }

  /** Nothing overtook it, so it is only late. */
  #release(): void {
    const held = this.#held
    this.#held = undefined
    if (!held) return
    const ms = heldFor(held.since, this.#faults.now())
    this.#pass(held.event, ms === 0 ? undefined : () => this.#request.mark({ fault: 'delay', ms }))
  }

  /** @param before called when it is read, for the mark of what happened to it */
  #pass(event: Bytes, before?: () => void): void {
    this.#due.push(() => {
      before?.()
      return event
    })
  }

  #disturb(event: Bytes): void {
    const text = this.#decoder.decode(event)
    const data = dataOf(text)
    const faults = this.#faults
    if (data === undefined || !faults.isOn) {
      this.#release()
      return this.#pass(event)
    }
    const { mark, masked } = this.#request
    const methods = faults.methodsOf(data)
    this.#count++
    const broken = faults.choose('corrupt', methods)
    const next = broken ? new TextEncoder().encode(corruptedEvent(text, broken.random)) : event
    const markBroken = broken && (() => mark({ fault: 'corrupt', ...originalOf(masked(data)) }))
    const held = this.#held
    if (held) {
      this.#held = undefined
      this.#pass(next, () => {
        mark({ fault: 'reorder' })
        markBroken?.()
      })
      this.#pass(held.event)
    } else if (faults.choose('reorder', methods)) {
      markBroken?.()
      this.#held = { event: next, since: faults.now() }
      return
    } else this.#pass(next, markBroken)
    if (faults.choose('duplicate', methods)) this.#pass(next, () => mark({ fault: 'duplicate' }))
  }
}
