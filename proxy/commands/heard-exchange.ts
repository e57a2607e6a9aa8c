/** One HTTP exchange, heard while it passes: its frames are those of a live session. */
import { messageOf, read, requestsIn, utf8Length } from '../../web/mcp/index.ts'
import { maskHeaders, maskUrl } from '../../web/secrets/index.ts'
import type { FrameDraft, HeaderList, Seq } from '../../web/mcp/index.ts'
import { readEvents, type StreamEvent } from '../../web/mcp/transports/sse.ts'
import { parsedUrl } from '../../web/mcp/url.ts'
import { redact } from '../../web/share/index.ts'
import { headOf } from '../../web/session-file/index.ts'
import { LIMITS } from '../limits.ts'
import { decoderFor, type BodyDecoder } from './body-decoder.ts'
import { valueOf, type Hearing, type OverheardHttp, type RequestHead } from './overheard-http.ts'

export interface AnswerHead {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
}

type Purpose = Extract<FrameDraft, { kind: 'http'; phase: 'request' }>['purpose']

/** Longest answer that is kept, in bytes: messages of 64 MB pass. */
const LONGEST_BODY = 72 * 1024 * 1024
/** Of a body that is no message, characters kept. */
const KEPT = 1_000_000

export class HeardExchange {
  readonly #all: OverheardHttp
  readonly #head: RequestHead
  readonly #said = new Body(LIMITS.stdin)
  readonly #heard = new Body(LONGEST_BODY)
  #hearing!: Hearing
  #seq: Seq | undefined
  #purpose: Purpose = 'message'
  /** It began with `initialize`. */
  #begins = false
  #answer: AnswerHead | undefined
  #decoder: BodyDecoder | undefined
  #stream: Stream | undefined
  #over = false

  constructor(all: OverheardHttp, head: RequestHead) {
    this.#all = all
    this.#head = head
  }

  sent(chunk: Buffer): void {
    this.#said.push(chunk)
  }

  /** The request has been sent in full. */
  asked(): void {
    this.#all.order.run(() => this.#ask())
  }

  answered(head: AnswerHead): void {
    this.#all.order.run(() => this.#answered(head))
  }

  received(chunk: Buffer): void {
    this.#all.order.run(() => this.#received(chunk))
  }

  ended(): void {
    this.#all.order.run(() => this.#ended())
  }

  /** @param aborted where the client ended it: why */
  failed(fault: unknown, aborted?: string): void {
    this.#all.order.run(() => this.#failed(fault, aborted))
  }

  async #ask(): Promise<void> {
    if (this.#seq !== undefined) return
    const { method, path, headers } = this.#head
    const text = this.#said.text
    const isMessage = method === 'POST' && (this.#all.isEndpoint(path) || isRpc(text))
    const asked = isMessage && text !== undefined ? requestsIn(read(text).message) : []
    this.#begins = asked.some((each) => each.method === 'initialize')
    const probes = asked.some((each) => each.method === 'server/discover')
    this.#hearing = await this.#all.of(this.#head, this.#begins || probes)
    if (this.#begins) this.#hearing.begun = true
    this.#purpose = purposeOf(this.#head, isMessage || this.#all.isEndpoint(path))
    const { tap } = this.#hearing.heard
    const origin = this.#all.originOf(this.#hearing, valueOf(headers, 'last-event-id'))
    const body = isMessage || !text ? undefined : await withoutSecrets(text.slice(0, KEPT))
    this.#seq = tap.append({
      kind: 'http',
      phase: 'request',
      method,
      url: maskUrl(this.#all.addressOf(path)),
      headers: headersFor(headers),
      size: this.#said.size,
      purpose: this.#purpose,
      ...(origin === undefined ? {} : { origin }),
      ...(body === undefined ? {} : { body }),
    })
    if (text === undefined) {
      tap.append({ kind: 'process', event: 'lost', what: 'The body of a request', size: this.#said.size })
    } else if (isMessage) this.#hearing.heard.sent(text, this.#seq)
  }

  async #answered(head: AnswerHead): Promise<void> {
    // It may come before the request has been sent in full.
    await this.#ask()
    if (this.#over) return
    const { status, statusText, headers } = head
    this.#answer = head
    const { tap } = this.#hearing.heard
    const request = this.#seq!
    tap.append({ kind: 'http', phase: 'response', request, status, statusText, headers: headersFor(headers) })
    const session = this.#begins && isOk(status) ? valueOf(headers, 'mcp-session-id') : undefined
    if (session !== undefined) this.#all.know(session, this.#hearing)
    this.#decoder = decoderFor(valueOf(headers, 'content-encoding'))
    if (!isOk(status) || !/^\s*text\/event-stream\s*(?:;|$)/i.test(valueOf(headers, 'content-type') ?? '')) return
    tap.append({ kind: 'stream', event: 'open', request })
    this.#stream = new Stream({
      event: (event) => this.#event(event),
      comment: (text) => void tap.append({ kind: 'stream', event: 'comment', request, text: text.slice(0, 1000) }),
      retry: (delay) => void tap.append({ kind: 'stream', event: 'retry', request, delay }),
      tooLarge: (limit) => this.#gap(`an event over ${limit} characters was dropped`),
    })
  }

  async #received(chunk: Buffer): Promise<void> {
    if (this.#over) return
    if (this.#decoder) await this.#readAll(this.#decoder.push(chunk))
    else await this.#read(chunk)
  }

  async #readAll(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces) await this.#read(piece)
  }

  async #read(plain: Uint8Array): Promise<void> {
    if (this.#stream) await this.#stream.push(plain)
    else this.#heard.push(plain)
  }

  async #ended(): Promise<void> {
    if (this.#over || this.#seq === undefined) return
    this.#over = true
    if (this.#decoder) await this.#readAll(this.#decoder.end())
    const { heard } = this.#hearing
    const request = this.#seq
    if (this.#stream) {
      const size = await this.#stream.end()
      heard.tap.append({ kind: 'http', phase: 'end', request, size })
      heard.tap.append({ kind: 'stream', event: 'close', request, why: heard.waitsFor(request) ? 'ended' : 'answered' })
    } else await this.#whole(request)
    const { status } = this.#answer!
    // TR-HTTP-11: what a stateless server has not answered on the stream, it will never answer.
    if (heard.isStateless || !isOk(status)) heard.lost(request, `HTTP ${status} without an answer`)
    if (this.#purpose === 'end-session' && isOk(status)) this.#all.end(this.#hearing)
  }

  /** A body that is no stream: a message, or something else. */
  async #whole(request: Seq): Promise<void> {
    const { heard } = this.#hearing
    const { size } = this.#heard
    const text = this.#decoder?.failed ? undefined : this.#heard.text
    const isMessage = this.#purpose === 'message' && text !== undefined && /^\s*[[{\uFEFF]/.test(text)
    const kept = isMessage || !text ? undefined : await withoutSecrets(text.slice(0, KEPT))
    heard.tap.append({
      kind: 'http',
      phase: 'end',
      request,
      size,
      ...(kept === undefined ? {} : { body: kept }),
      ...(!isMessage && (text === undefined || text.length > KEPT) ? { cut: true } : {}),
    })
    if (isMessage) await heard.received(text, { carrier: request })
  }

  async #failed(fault: unknown, aborted: string | undefined): Promise<void> {
    await this.#ask()
    if (this.#over) return
    this.#over = true
    if (this.#decoder) await this.#readAll(this.#decoder.end())
    const { heard } = this.#hearing
    const request = this.#seq!
    const size = this.#stream ? await this.#stream.end() : this.#heard.size
    heard.tap.append({
      kind: 'http',
      phase: 'failed',
      request,
      stage: this.#answer ? 'body' : 'headers',
      error: messageOf(fault),
      ...(aborted === undefined ? {} : { aborted }),
      ...(this.#answer ? { size } : {}),
    })
    if (this.#stream) {
      const why = !heard.waitsFor(request) ? 'answered' : aborted === undefined ? 'broken' : 'aborted'
      heard.tap.append({ kind: 'stream', event: 'close', request, why })
    }
    if (aborted !== undefined && heard.isStateless) heard.lost(request, aborted, 'cancelled')
    else if (heard.isStateless || !this.#answer) heard.lost(request, messageOf(fault))
  }

  #event({ id, name, data, invalidUtf8 }: StreamEvent): void | Promise<void> {
    const { heard } = this.#hearing
    const request = this.#seq!
    if (id !== undefined && id !== '') {
      const { headers } = this.#head
      const origin = this.#all.originOf(this.#hearing, valueOf(headers, 'last-event-id')) ?? request
      this.#all.remember(this.#hearing, id, origin)
    }
    if (name === 'endpoint') this.#endpoint(data)
    if (data === '' || (name !== undefined && name !== 'message')) {
      const head = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) }
      const body = data === '' ? {} : { data }
      heard.tap.append({ kind: 'stream', event: 'data', request, ...head, ...body, size: utf8Length(data) })
      return
    }
    return heard.received(
      data,
      {
        carrier: request,
        invalidUtf8,
        ...(id === undefined ? {} : { eventId: id }),
        ...(name === undefined ? {} : { eventName: name }),
      },
      this.#hearing.endpoint ? 'HTTP+SSE' : undefined,
    )
  }

  /** TR-SSE-01: where this client POSTs from now on. An address elsewhere is one that nobody hears. */
  #endpoint(data: string): void {
    const base = this.#all.addressOf(this.#head.path)
    const named = parsedUrl(data, base)
    if (!named) return
    const { origin, pathname, search } = named
    this.#hearing.endpoint = true
    if (origin === new URL(base).origin) this.#all.know(pathname + search, this.#hearing)
    else this.#gap(`it names ${origin} to POST to, which does not pass through here`)
  }

  #gap(why: string): void {
    this.#hearing.heard.tap.append({ kind: 'stream', event: 'gap', request: this.#seq!, why })
  }
}

/** What passed, up to a bound. */
class Body {
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

  /** `undefined` where it was over the bound. */
  get text(): string | undefined {
    return this.size > this.#limit ? undefined : Buffer.concat(this.#pieces).toString('utf8')
  }
}

/** Events out of chunks: a chunk is taken when all in it has been told. */
class Stream {
  readonly #done: Promise<{ readonly size: number }>
  readonly #begun: Promise<void>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #wanted: () => void = () => {}

  constructor(handlers: Parameters<typeof readEvents>[1]) {
    this.#begun = new Promise((resolve) => (this.#wanted = resolve))
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        // The reader wants more, so it is through with what it had.
        pull: () => this.#wanted(),
      },
      { highWaterMark: 0 },
    )
    this.#done = readEvents(body, handlers)
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return
    await this.#begun
    const taken = new Promise<void>((resolve) => (this.#wanted = resolve))
    this.#controller.enqueue(chunk)
    await Promise.race([taken, this.#done])
  }

  /** @returns bytes read */
  async end(): Promise<number> {
    this.#controller.close()
    return (await this.#done).size
  }
}

/** Of the tokens and codes that a sign-in sends and gets, none is written down. */
async function withoutSecrets(text: string): Promise<string> {
  const frame = { seq: 0, at: 0, link: '', kind: 'http', phase: 'end', request: 0, size: 0, body: text } as const
  const { frames } = await redact(headOf({ begunAt: '', tool: { name: '', version: '' }, servers: [] }), [frame])
  const [clean] = frames
  return clean?.kind === 'http' && clean.phase === 'end' ? (clean.body ?? '') : ''
}

function purposeOf({ method, headers }: RequestHead, isMcp: boolean): Purpose {
  if (!isMcp) return 'authorization'
  if (method === 'DELETE') return 'end-session'
  if (method !== 'GET') return 'message'
  return valueOf(headers, 'last-event-id') === undefined ? 'listen' : 'resume'
}

const isRpc = (text: string | undefined): boolean =>
  text !== undefined && /^\s*[[{]/.test(text) && text.slice(0, 4096).includes('"jsonrpc"')

const isOk = (status: number): boolean => status >= 200 && status < 300

/** As a live session keeps them: names in lower case, secrets masked. */
const headersFor = (headers: HeaderList): HeaderList =>
  maskHeaders(headers.map(([name, value]) => [name.toLowerCase(), value] as const))
