/**
 * Reads the stream on which the local proxy sends everything to its page: frames with a type, an ID and a length
 * (`proxy/wire.ts`), assembled into events. A child's lines travel unescaped, so their size is unchanged.
 */
import type { FilesChanged, FrameFlags, FrameTypes, PageEvent } from '../../../proxy/wire.ts'

const FRAME: FrameTypes = {
  line: 0x4c,
  stderr: 0x53,
  unfinished: 0x55,
  ending: 0x4e,
  exit: 0x58,
  closed: 0x43,
  lost: 0x4f,
  gap: 0x47,
  files: 0x57,
  idle: 0x49,
  head: 0x48,
  data: 0x44,
  end: 0x45,
  failed: 0x46,
}
const FLAG: FrameFlags = { more: 1, continued: 2, invalidUtf8: 4 }

const HEAD = 16
/** Maximum bytes of a frame's payload; the proxy sends at most a quarter of it. */
const LARGEST_PAYLOAD = 1024 * 1024
/** Bytes of one line of a child, as in the proxy. */
const LONGEST_LINE = 64 * 1024 * 1024
/** Bytes of JSON from the proxy itself: the longest is the head of a response, with its headers twice. */
const LONGEST_JSON = 4 * 1024 * 1024
/** Characters retained of both ends of a dropped line. */
const END_KEPT = 1024

export interface Frame {
  readonly type: number
  readonly flags: number
  /** 0 for none. */
  readonly id: number
  readonly subject: number
  readonly payload: Uint8Array
}

/** The bytes don't come from our proxy. */
export class GarbledFrame extends Error {
  override readonly name = 'GarbledFrame'
}

/** Reads frames from chunks of any size. Copies each byte at most once. */
export class FrameReader {
  readonly #head = new Uint8Array(HEAD)
  #headFilled = 0
  #payload: Uint8Array | undefined
  #payloadFilled = 0

  get #view(): DataView {
    return new DataView(this.#head.buffer)
  }

  /** @throws {GarbledFrame} */
  *read(chunk: Uint8Array): Generator<Frame, void> {
    for (let at = 0; at < chunk.length;) {
      if (this.#headFilled < HEAD) {
        const taken = chunk.subarray(at, at + HEAD - this.#headFilled)
        this.#head.set(taken, this.#headFilled)
        this.#headFilled += taken.length
        at += taken.length
        if (this.#headFilled < HEAD) return
      }
      const length = this.#view.getUint32(12)
      if (length > LARGEST_PAYLOAD) throw new GarbledFrame(`A frame announces ${length} bytes`)
      if (!this.#payload && chunk.length - at >= length) {
        yield this.#frame(chunk.subarray(at, at + length))
        at += length
        continue
      }
      this.#payload ??= new Uint8Array(length)
      const taken = chunk.subarray(at, at + length - this.#payloadFilled)
      this.#payload.set(taken, this.#payloadFilled)
      this.#payloadFilled += taken.length
      at += taken.length
      if (this.#payloadFilled === length) yield this.#frame(this.#payload)
    }
    // A frame without a payload is complete with its head.
    if (this.#headFilled === HEAD && this.#view.getUint32(12) === 0) yield this.#frame(new Uint8Array(0))
  }

  #frame(payload: Uint8Array): Frame {
    const view = this.#view
    this.#headFilled = 0
    this.#payload = undefined
    this.#payloadFilled = 0
    return {
      type: view.getUint8(0),
      flags: view.getUint8(1),
      id: view.getUint16(2) * 2 ** 32 + view.getUint32(4),
      subject: view.getUint32(8),
      payload,
    }
  }
}

/** Events from the proxy, assembled. */
export type StreamEvent = PageEvent | RelayEvent | ({ readonly type: 'files' } & FilesChanged)

export type RelayEvent =
  | { readonly type: 'head' | 'end' | 'failed'; readonly request: number; readonly value: unknown }
  | { readonly type: 'data'; readonly request: number; readonly bytes: Uint8Array }

type Name = keyof FrameTypes
const NAMES = new Map(Object.entries(FRAME).map(([name, letter]) => [letter as number, name as Name]))

/** An event whose frames haven't all arrived. */
interface Begun {
  readonly type: number
  readonly subject: number
  readonly limit: number
  readonly decoder: TextDecoder
  texts: string[]
  size: number
  /** Set once it exceeds the limit: the latest end of the dropped content. */
  tail?: string
  head?: string
}

/** Assembles events from frames. */
export class EventAssembler {
  readonly #limit: number
  #begun: Begun | undefined

  /** @param limit bytes per line */
  constructor(limit = LONGEST_LINE) {
    this.#limit = limit
  }

  /**
   * @returns the event that this frame completes
   * @throws {GarbledFrame}
   */
  take({ type, flags, subject, payload }: Frame): StreamEvent | undefined {
    const name = NAMES.get(type)
    if (name === undefined) throw new GarbledFrame(`There is no frame of type ${type}`)
    if (name === 'idle') return undefined
    if (name === 'data') return { type: name, request: subject, bytes: payload }
    if (name === 'gap') this.#begun = undefined
    if (flags & FLAG.continued) {
      // Its beginning was lost in a gap, which was already reported.
      if (!this.#begun) return undefined
    } else if (this.#begun) throw new GarbledFrame('An event has no end')
    const isLine = name === 'line' || name === 'stderr'
    const begun = (this.#begun ??= {
      type,
      subject,
      limit: isLine ? this.#limit : LONGEST_JSON,
      // A byte order mark belongs to the sender's data, so keep it.
      decoder: new TextDecoder('utf-8', { ignoreBOM: true }),
      texts: [],
      size: 0,
    })
    if (begun.type !== type || begun.subject !== subject) throw new GarbledFrame('An event goes on as another')
    const more = (flags & FLAG.more) !== 0
    this.#add(begun, payload, more)
    if (more) return undefined
    this.#begun = undefined
    if (isLine) return lineOf(begun, name, (flags & FLAG.invalidUtf8) !== 0)
    if (begun.tail !== undefined) throw new GarbledFrame(`JSON over ${begun.limit} bytes`)
    return jsonEvent(name, subject, begun.texts.join(''))
  }

  /** The stream was interrupted, and its next frame doesn't continue the previous one. */
  reset(): void {
    this.#begun = undefined
  }

  #add(begun: Begun, payload: Uint8Array, more: boolean): void {
    begun.size += payload.length
    const text = begun.decoder.decode(payload, { stream: more })
    if (begun.tail === undefined) begun.texts.push(text)
    if (begun.size <= begun.limit) return
    begun.head ??= begun.texts.join('').slice(0, END_KEPT)
    begun.tail = ((begun.tail ?? begun.texts.slice(-2, -1).join('')) + text).slice(-END_KEPT)
    begun.texts = []
  }
}

const lineOf = (begun: Begun, name: 'line' | 'stderr', invalidUtf8: boolean): PageEvent => {
  const child = `c${begun.subject}`
  if (begun.tail === undefined) {
    const text = begun.texts.length === 1 ? begun.texts[0]! : begun.texts.join('')
    return { type: name, child, text, ...(invalidUtf8 ? { invalidUtf8 } : {}) }
  }
  const stream = name === 'line' ? 'stdout' : 'stderr'
  const what = `A line of ${stream} over ${begun.limit / 1024 / 1024} MB`
  return { type: 'lost', child, stream, what, size: begun.size, head: begun.head ?? '', tail: begun.tail }
}

const jsonEvent = (
  name: Exclude<Name, 'line' | 'stderr' | 'data' | 'idle'>,
  subject: number,
  text: string,
): StreamEvent => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new GarbledFrame('A frame is not JSON')
  }
  if (typeof value !== 'object' || value === null) throw new GarbledFrame('A frame is not a JSON object')
  if (name === 'head' || name === 'end' || name === 'failed') return { type: name, request: subject, value }
  if (name === 'files') return { ...(value as FilesChanged), type: name }
  return { ...value, type: name, ...(name === 'gap' ? {} : { child: `c${subject}` }) } as PageEvent
}
