/** Disturbs an event stream event by event. Bytes that no fault concerns stay as they are. */
import type { DisturbedRequest } from '../mcp/index.ts'
import { corrupted, cutError, LONGEST_HELD, originalOf } from './alter.ts'
import type { FaultChooser } from './chooser.ts'

type Bytes = Uint8Array<ArrayBuffer>

const [CR, LF] = [13, 10]

/** Splits bytes behind each empty line, which ends an event. Any of the three line ends counts, even mixed. */
class EventSplitter {
  #parts: Bytes[] = []
  /** The line so far is empty. */
  #blank = true
  #afterReturn = false

  /** @returns the events that are complete now, with their ends */
  split(bytes: Bytes): Bytes[] {
    const complete: Bytes[] = []
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
        this.#parts.push(bytes.slice(from, to))
        complete.push(this.rest())
        from = to
        if (to === at + 2) {
          at++
          this.#afterReturn = false
        }
      }
      this.#blank = true
    }
    if (from < bytes.length) this.#parts.push(bytes.slice(from))
    return complete
  }

  /** What has arrived since the last complete event. */
  rest(): Bytes {
    const whole = new Uint8Array(this.#parts.reduce((size, part) => size + part.length, 0))
    let at = 0
    for (const part of this.#parts) {
      whole.set(part, at)
      at += part.length
    }
    this.#parts = []
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
  /** Complete events that haven't been looked at. */
  readonly #waiting: Bytes[] = []
  /** What is passed on next, each once the one before was read. */
  readonly #due: (() => Bytes)[] = []
  #held: Bytes | undefined
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
      const event = this.#waiting.shift()
      if (event) {
        this.#disturb(event)
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
    const waited = this.#held && this.#faults.wait(LONGEST_HELD, overdue.signal).then(() => undefined)
    const more = await (waited ? Promise.race([reading, waited]) : reading)
    overdue.abort()
    if (more === undefined) this.#release()
    else this.#reading = undefined
    return more ?? true
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#reader.read()
    if (done) return false
    this.#waiting.push(...this.#splitter.split(value))
    return true
  }

  #release(): void {
    const held = this.#held
    this.#held = undefined
    if (held) this.#pass(held)
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
    if (this.#held) {
      this.#pass(next, () => {
        mark({ fault: 'reorder' })
        markBroken?.()
      })
      this.#release()
    } else if (faults.choose('reorder', methods)) {
      markBroken?.()
      this.#held = next
      return
    } else this.#pass(next, markBroken)
    if (faults.choose('duplicate', methods)) this.#pass(next, () => mark({ fault: 'duplicate' }))
  }
}
