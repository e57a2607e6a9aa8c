/** Records one HTTP exchange as it passes through, as the frames a live session would write. */
import { isUtf8 } from 'node:buffer'
import { headerIn, messageOf, read, requestsIn, utf8Length } from '../../web/mcp/index.ts'
import { maskHeaders, maskUrl } from '../../web/secrets/index.ts'
import type { FrameDraft, HeaderList, Seq } from '../../web/mcp/index.ts'
import { readEvents, type StreamEvent } from '../../web/mcp/transports/sse.ts'
import { parsedUrl } from '../../web/mcp/url.ts'
import { redact } from '../../web/share/index.ts'
import { headOf } from '../../web/session-file/index.ts'
import { LIMITS } from '../limits.ts'
import { decoderFor, type BodyDecoder } from './body-decoder.ts'
import { type RecordedSession, type HttpRecorder, type RequestHead } from './http-recorder.ts'

export interface ResponseHead {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
}

type Purpose = Extract<FrameDraft, { kind: 'http'; phase: 'request' }>['purpose']

/** Bytes of a response body: above the 64 MB that a message may have. */
const MAX_BODY = 72 * 1024 * 1024
/** Characters recorded of a body that isn't a message. */
const MAX_TEXT = 1_000_000

export class RecordedExchange {
  readonly #recorder: HttpRecorder
  readonly #head: RequestHead
  readonly #requestBody = new BodyBuffer(LIMITS.stdin)
  readonly #responseBody = new BodyBuffer(MAX_BODY)
  #session!: RecordedSession
  #seq: Seq | undefined
  #purpose: Purpose = 'message'
  /** The request contains `initialize`. */
  #initializes = false
  #response: ResponseHead | undefined
  #decoder: BodyDecoder | undefined
  #stream: EventReader | undefined
  #finished = false

  constructor(recorder: HttpRecorder, head: RequestHead) {
    this.#recorder = recorder
    this.#head = head
  }

  requestChunk(chunk: Buffer): void {
    this.#requestBody.push(chunk)
  }

  /** The request was sent completely. */
  requestEnded(): void {
    this.#recorder.queue.run(() => this.#recordRequest())
  }

  responseStarted(head: ResponseHead): void {
    this.#recorder.queue.run(() => this.#recordResponse(head))
  }

  responseChunk(chunk: Buffer): void {
    this.#recorder.queue.run(() => this.#readChunk(chunk))
  }

  responseEnded(): void {
    this.#recorder.queue.run(() => this.#recordEnd())
  }

  /** @param aborted why the client aborted; absent if the server failed */
  failed(fault: unknown, aborted?: string): void {
    this.#recorder.queue.run(() => this.#recordFailure(fault, aborted))
  }

  async #recordRequest(): Promise<void> {
    if (this.#seq !== undefined) return
    const { method, path, headers } = this.#head
    const text = this.#requestBody.text
    const isMessage = method === 'POST' && (this.#recorder.isEndpoint(path) || isRpc(text))
    const requests = isMessage && text !== undefined ? requestsIn(read(text).message) : []
    this.#initializes = requests.some((each) => each.method === 'initialize')
    const probes = requests.some((each) => each.method === 'server/discover')
    this.#session = await this.#recorder.sessionFor(this.#head, this.#initializes || probes)
    if (this.#initializes) this.#session.initialized = true
    this.#purpose = purposeOf(this.#head, isMessage || this.#recorder.isEndpoint(path))
    const { tap } = this.#session.messages
    const origin = this.#recorder.streamOf(this.#session, headerIn(headers, 'last-event-id'))
    const body = isMessage || !text ? undefined : await redactBody(text.slice(0, MAX_TEXT))
    this.#seq = tap.append({
      kind: 'http',
      phase: 'request',
      method,
      url: maskUrl(this.#recorder.urlOf(path)),
      headers: headersFor(headers),
      size: this.#requestBody.size,
      purpose: this.#purpose,
      origin,
      body,
    })
    if (text === undefined) {
      tap.append({ kind: 'process', event: 'lost', what: 'The body of a request', size: this.#requestBody.size })
    } else if (isMessage) this.#session.messages.sent(text, this.#seq)
  }

  async #recordResponse(head: ResponseHead): Promise<void> {
    // A server may respond before the request was sent completely.
    await this.#recordRequest()
    if (this.#finished) return
    const { status, statusText, headers } = head
    this.#response = head
    const { tap } = this.#session.messages
    const request = this.#seq!
    tap.append({ kind: 'http', phase: 'response', request, status, statusText, headers: headersFor(headers) })
    const session = this.#initializes && isOk(status) ? headerIn(headers, 'mcp-session-id') : undefined
    if (session !== undefined) this.#recorder.assign(session, this.#session)
    this.#decoder = decoderFor(headerIn(headers, 'content-encoding'))
    if (!isOk(status) || !/^\s*text\/event-stream\s*(?:;|$)/i.test(headerIn(headers, 'content-type') ?? '')) return
    tap.append({ kind: 'stream', event: 'open', request })
    this.#stream = new EventReader({
      event: (event) => this.#recordEvent(event),
      comment: (text) => void tap.append({ kind: 'stream', event: 'comment', request, text: text.slice(0, 1000) }),
      retry: (delay) => void tap.append({ kind: 'stream', event: 'retry', request, delay }),
      tooLarge: (limit) => this.#recordGap(`an event of more than ${limit} characters was dropped`),
    })
  }

  async #readChunk(chunk: Buffer): Promise<void> {
    if (this.#finished) return
    if (this.#decoder) await this.#readAll(this.#decoder.push(chunk))
    else await this.#read(chunk)
  }

  async #readAll(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces) await this.#read(piece)
  }

  async #read(plain: Uint8Array): Promise<void> {
    if (this.#stream) await this.#stream.push(plain)
    else this.#responseBody.push(plain)
  }

  async #recordEnd(): Promise<void> {
    if (this.#finished || this.#seq === undefined) return
    this.#finished = true
    if (this.#decoder) await this.#readAll(this.#decoder.end())
    const { messages } = this.#session
    const request = this.#seq
    if (this.#stream) {
      const size = await this.#stream.end()
      messages.tap.append({ kind: 'http', phase: 'end', request, size })
      messages.tap.append({
        kind: 'stream',
        event: 'close',
        request,
        why: messages.waitsFor(request) ? 'ended' : 'answered',
      })
    } else await this.#recordBody(request)
    const { status } = this.#response!
    // TR-HTTP-11: a stateless server responds on this stream or never.
    if (messages.isStateless || !isOk(status)) messages.lost(request, `HTTP ${status} without a response`)
    if (this.#purpose === 'end-session' && isOk(status)) this.#recorder.end(this.#session)
  }

  /** A body that isn't an event stream. */
  async #recordBody(request: Seq): Promise<void> {
    const { messages } = this.#session
    const { size } = this.#responseBody
    const text = this.#decoder?.failed ? undefined : this.#responseBody.text
    const isMessage = this.#purpose === 'message' && text !== undefined && /^\s*[[{\uFEFF]/.test(text)
    const kept = isMessage || !text ? undefined : await redactBody(text.slice(0, MAX_TEXT))
    messages.tap.append({
      kind: 'http',
      phase: 'end',
      request,
      size,
      body: kept,
      ...(!isMessage && (text === undefined || text.length > MAX_TEXT) ? { cut: true } : {}),
    })
    if (isMessage) await messages.received(text, { carrier: request, invalidUtf8: this.#responseBody.invalidUtf8 })
  }

  async #recordFailure(fault: unknown, aborted: string | undefined): Promise<void> {
    await this.#recordRequest()
    if (this.#finished) return
    this.#finished = true
    if (this.#decoder) await this.#readAll(this.#decoder.end())
    const { messages } = this.#session
    const request = this.#seq!
    const size = this.#stream ? await this.#stream.end() : this.#responseBody.size
    messages.tap.append({
      kind: 'http',
      phase: 'failed',
      request,
      stage: this.#response ? 'body' : 'headers',
      error: messageOf(fault),
      aborted,
      size: this.#response ? size : undefined,
    })
    if (this.#stream) {
      const why = !messages.waitsFor(request) ? 'answered' : aborted === undefined ? 'broken' : 'aborted'
      messages.tap.append({ kind: 'stream', event: 'close', request, why })
    }
    if (aborted !== undefined && messages.isStateless) messages.lost(request, aborted, 'cancelled')
    else if (messages.isStateless || !this.#response) messages.lost(request, messageOf(fault))
  }

  #recordEvent({ id, name, data, invalidUtf8 }: StreamEvent): void | Promise<void> {
    const { messages } = this.#session
    const request = this.#seq!
    if (id !== undefined && id !== '') {
      const { headers } = this.#head
      const origin = this.#recorder.streamOf(this.#session, headerIn(headers, 'last-event-id')) ?? request
      this.#recorder.rememberEvent(this.#session, id, origin)
    }
    if (name === 'endpoint') this.#recordEndpoint(data)
    if (data === '' || (name !== undefined && name !== 'message')) {
      const size = utf8Length(data)
      messages.tap.append({ kind: 'stream', event: 'data', request, id, name, data: data || undefined, size })
      return
    }
    return messages.received(
      data,
      { carrier: request, invalidUtf8, eventId: id, eventName: name },
      this.#session.endpoint ? 'HTTP+SSE' : undefined,
    )
  }

  /** TR-SSE-01: the client POSTs to this URL from now on. With another origin, the messages bypass the recorder. */
  #recordEndpoint(data: string): void {
    const base = this.#recorder.urlOf(this.#head.path)
    const named = parsedUrl(data, base)
    if (!named) return
    const { origin, pathname, search } = named
    this.#session.endpoint = true
    if (origin === new URL(base).origin) this.#recorder.assign(pathname + search, this.#session)
    else this.#recordGap(`the endpoint is at ${origin}, so messages to it aren't recorded`)
  }

  #recordGap(why: string): void {
    this.#session.messages.tap.append({ kind: 'stream', event: 'gap', request: this.#seq!, why })
  }
}

/** A body up to a size limit. */
class BodyBuffer {
  readonly #limit: number
  #pieces: Uint8Array[] = []
  size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(piece: Uint8Array): void {
    this.size += piece.length
    if (this.size > this.#limit) this.#pieces = []
    else this.#pieces.push(piece)
  }

  /** `undefined` above the limit. */
  get text(): string | undefined {
    return this.size > this.#limit ? undefined : Buffer.concat(this.#pieces).toString('utf8')
  }

  get invalidUtf8(): boolean {
    return !isUtf8(Buffer.concat(this.#pieces))
  }
}

/** Parses events from chunks. `push` resolves once all events of its chunk were handled. */
class EventReader {
  readonly #done: Promise<{ readonly size: number }>
  readonly #started: Promise<void>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #pulled: () => void = () => {}

  constructor(handlers: Parameters<typeof readEvents>[1]) {
    this.#started = new Promise((resolve) => (this.#pulled = resolve))
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        // The reader asks for more only after it has handled the previous chunk.
        pull: () => this.#pulled(),
      },
      { highWaterMark: 0 },
    )
    this.#done = readEvents(body, handlers)
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return
    await this.#started
    const taken = new Promise<void>((resolve) => (this.#pulled = resolve))
    this.#controller.enqueue(chunk)
    await Promise.race([taken, this.#done])
  }

  /** @returns bytes read */
  async end(): Promise<number> {
    this.#controller.close()
    return (await this.#done).size
  }
}

/** Removes the tokens and codes of a sign-in. */
async function redactBody(text: string): Promise<string> {
  const frame = { seq: 0, at: 0, link: '', kind: 'http', phase: 'end', request: 0, size: 0, body: text } as const
  const { frames } = await redact(headOf({ begunAt: '', tool: { name: '', version: '' }, servers: [] }), [frame])
  const [clean] = frames
  return clean?.kind === 'http' && clean.phase === 'end' ? (clean.body ?? '') : ''
}

function purposeOf({ method, headers }: RequestHead, isMcp: boolean): Purpose {
  if (!isMcp) return 'authorization'
  if (method === 'DELETE') return 'end-session'
  if (method !== 'GET') return 'message'
  return headerIn(headers, 'last-event-id') === undefined ? 'listen' : 'resume'
}

const isRpc = (text: string | undefined): boolean =>
  text !== undefined && /^\s*[[{]/.test(text) && text.slice(0, 4096).includes('"jsonrpc"')

const isOk = (status: number): boolean => status >= 200 && status < 300

/** As in a live session: names in lower case, secrets masked. */
const headersFor = (headers: HeaderList): HeaderList =>
  maskHeaders(headers.map(([name, value]) => [name.toLowerCase(), value] as const))
