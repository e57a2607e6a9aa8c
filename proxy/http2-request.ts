/**
 * A request over HTTP/2 (RFC 9113) with what the relay uses of Node's `ClientRequest` and `IncomingMessage`. It has a
 * connection of its own, which is closed with it, as over HTTP/1.1.
 */
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { Readable, Writable, type Duplex } from 'node:stream'
import { errorWith } from './error-code.ts'
import { http2Headers, type Header } from './forwarded-headers.ts'

export interface Http2RequestOptions {
  readonly target: URL
  readonly method: string
  readonly path: string
  /** Those of HTTP/1.1, with the ones that tell whether there is a body. */
  readonly headers: readonly Header[]
  /** Bytes of the response's header fields, and of its trailers, counted as in RFC 9113 section 6.5.2. */
  readonly maxHeaderSize: number
  /** Makes a TLS connection on which `h2` was negotiated. */
  readonly connect: (done: (error: Error | null, socket: Duplex) => void) => void
}

/** Bytes of a response that a server may send before the page reads any. */
const WINDOW = 256 * 1024

/** Bytes of request headers, all of which passed the limits of the relay. Node's default of 64 KB is below them. */
const REQUEST_HEAD = 2 * 1024 * 1024

/** Bytes that a header field counts for beside its name and value (RFC 9113 section 6.5.2). */
const FIELD = 32

/** Bytes of a head without an end from which on it is watched, how often in ms, and how often in vain. */
const [LONG_HEAD, HEAD_INTERVAL, HEAD_PATIENCE] = [16 * 1024, 500, 3]

/** ms for the server to close its side of the connection. */
const CLOSING_LIMIT = 1_000

/** The error codes of RFC 9113 section 7, in order. */
const CODES = ['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED', 'FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'] // prettier-ignore

/** Begins the codes of errors that end a stream, followed by the name of RFC 9113. */
export const HTTP2_CODE = 'HTTP2_'

export class Http2Request extends Writable {
  readonly #options: Http2RequestOptions
  readonly #hasBody: boolean
  #session: ClientHttp2Session | undefined
  #socket: Duplex | undefined
  #stream: ClientHttp2Stream | undefined
  #response: Http2Response | undefined
  /** The server has ended the stream. */
  #isWhole = false
  /** The write or end that waits for the stream. */
  #waiting: ((stream: ClientHttp2Stream) => void) | undefined
  #fault: Error | undefined
  /** The code of a GOAWAY frame that ended the connection. */
  #goaway: number | undefined
  /** Until the head of the response has arrived. */
  #headWatch: NodeJS.Timeout | undefined

  constructor(options: Http2RequestOptions) {
    // Otherwise it would close once the body is sent, instead of once the response has arrived.
    super({ autoDestroy: false })
    this.#options = options
    this.#hasBody = options.headers.some(
      ([name, value]) => /^transfer-encoding$/i.test(name) || (/^content-length$/i.test(name) && Number(value) > 0),
    )
    options.connect((error, socket) => {
      if (!error && !this.destroyed) return this.#open(socket)
      socket.destroy()
      this.destroy(error ?? undefined)
    })
  }

  /** Calls back once the stream was idle for so long. */
  setTimeout(ms: number, idle: () => void): this {
    this.#stream?.setTimeout(ms, idle)
    return this
  }

  #open(socket: Duplex): void {
    const { target, method, path, headers, maxHeaderSize } = this.#options
    this.#socket = socket
    const session = connect(target.origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW, maxHeaderListSize: maxHeaderSize },
      // More than fit, so that the size is what is reported.
      maxHeaderListPairs: 8 * Math.ceil(maxHeaderSize / FIELD),
      maxSendHeaderBlockLength: REQUEST_HEAD,
    })
    this.#session = session
    session.on('error', (error: Error) => (this.#fault ??= error))
    session.once('goaway', (code: number) => (this.#goaway = code))
    session.once('close', () => this.#stream ?? this.#ended())
    // It comes even if the session was destroyed, whose methods throw.
    session.once('connect', () => session.destroyed || session.setLocalWindowSize(WINDOW))
    const fields = Object.fromEntries(http2Headers(headers))
    try {
      const stream = session.request(
        { ':method': method, ':authority': target.host, ':scheme': 'https', ':path': path, ...fields },
        { endStream: !this.#hasBody },
      )
      this.#follow(stream, maxHeaderSize)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #follow(stream: ClientHttp2Stream, maxHeaderSize: number): void {
    this.#stream = stream
    this.#watchHead()
    const isTooLarge = (raw: readonly string[]): boolean => {
      if (sizeOf(raw) <= maxHeaderSize) return false
      this.#fail(tooLarge())
      return true
    }
    const push = stream.push.bind(stream)
    // Node ends a stream that was reset as one that the server ended, but has marked it as closed by then.
    stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk === null && !stream.closed) this.#isWhole = true
      return push(chunk, encoding)
    }
    stream.once('response', (_: unknown, __: unknown, raw: string[]) => {
      clearInterval(this.#headWatch)
      if (this.destroyed || isTooLarge(raw)) return
      this.#response = new Http2Response(stream, raw)
      this.emit('response', this.#response)
    })
    stream.once('trailers', (_: unknown, __: unknown, raw: string[]) => {
      if (this.#response && !isTooLarge(raw)) this.#response.rawTrailers = raw
    })
    // If the server doesn't read the whole request, the stream ends before it closes, and after NO_ERROR never closes.
    stream.once('end', () => (this.#isWhole ? this.#response?.takeRest() : void stream.destroy()))
    stream.on('error', (error: Error) => (this.#fault ??= error))
    stream.once('close', () => this.#ended())
    this.#waiting?.(stream)
    this.#waiting = undefined
  }

  /**
   * At a header field longer than it decodes (64 KB), Node's HTTP/2 stops reading and reports nothing. It then gets no
   * response to PING either, unlike while a server is slow.
   */
  #watchHead(): void {
    const socket = this.#socket as Partial<Socket> | undefined
    let [before, pinged, waited] = [0, false, 0]
    this.#headWatch = setInterval(() => {
      const { bytesRead = 0 } = socket ?? {}
      if (bytesRead > before || bytesRead < LONG_HEAD) [before, waited] = [bytesRead, 0]
      else if (!pinged) {
        pinged = true
        try {
          this.#session?.ping(() => clearInterval(this.#headWatch))
        } catch {
          // The session has ended, which is reported elsewhere.
        }
      } else if (++waited === HEAD_PATIENCE) this.#fail(tooLarge())
    }, HEAD_INTERVAL)
    this.#headWatch.unref()
  }

  /** The stream or the connection has ended. */
  #ended(): void {
    if (this.destroyed) return
    if (this.#response && this.#isWhole) {
      this.#response.takeRest()
      return void this.destroy()
    }
    this.#fail(this.#named(this.#fault))
  }

  #fail(fault: Error): void {
    this.#response?.breakOff(fault)
    this.destroy(fault)
  }

  /** Node's HTTP/2 has no code for a head of too many frames, and no error for a stream that ends with NO_ERROR or CANCEL, and others are named by their message only. */
  #named(fault: (Error & { code?: unknown }) | undefined): Error {
    // It limits the frames of a head, whatever its size.
    if (fault?.code === 'ERR_HTTP2_ERROR' && /CONTINUATION/.test(fault.message)) return tooLarge()
    const isReset = !fault || fault.code === 'ERR_HTTP2_STREAM_ERROR' || fault.code === 'ERR_HTTP2_SESSION_ERROR'
    if (!isReset) return fault
    if (!fault && this.#socket?.destroyed) return errorWith('ECONNRESET', 'The connection was closed')
    const number = this.#goaway || (this.#stream?.rstCode ?? 0)
    const name = CODES[number] ?? String(number)
    return errorWith(HTTP2_CODE + name, name)
  }

  #whenOpen(act: (stream: ClientHttp2Stream) => void): void {
    if (this.#stream) act(this.#stream)
    else this.#waiting = act
  }

  // Why a stream takes no more is reported when it closes. Writing after a reset would lose what it still holds.
  override _write(chunk: Uint8Array, _: BufferEncoding, done: () => void): void {
    this.#whenOpen((stream) => (stream.closed ? done() : stream.write(chunk, () => done())))
  }

  override _final(done: () => void): void {
    this.#whenOpen((stream) => (this.#hasBody ? stream.end(() => done()) : done()))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#headWatch)
    // What has arrived can still be read.
    if (!this.#response?.isOver) this.#response?.destroy(error ?? errorWith('ECONNRESET', 'The request was ended'))
    if (this.#stream && !this.#stream.closed) this.#stream.close(constants.NGHTTP2_CANCEL)
    this.#close()
    done(error)
  }

  /** Closes the connection once RST_STREAM and GOAWAY are sent. */
  #close(): void {
    const socket = this.#socket
    if (!this.#session || !socket || socket.destroyed) return
    const timer = setTimeout(() => socket.destroy(), CLOSING_LIMIT)
    socket.once('close', () => clearTimeout(timer))
    this.#session.close()
  }
}

class Http2Response extends Readable {
  readonly httpVersion = '2.0'
  /** HTTP/2 has none (RFC 9113 section 8.3.2). */
  readonly statusMessage = ''
  readonly statusCode: number
  readonly rawHeaders: string[]
  readonly headers: { readonly 'content-encoding'?: string; readonly 'content-type'?: string }
  rawTrailers: string[] = []
  complete = false
  /** Why it broke off. Reported once everything before it was read. */
  #fault: Error | undefined
  readonly #stream: ClientHttp2Stream

  /** @param raw names and values, with `:status` */
  constructor(stream: ClientHttp2Stream, raw: readonly string[]) {
    super()
    this.#stream = stream
    this.rawHeaders = raw.flatMap((text, at) => (raw[at - (at % 2)]!.startsWith(':') ? [] : [text]))
    this.statusCode = Number(raw[raw.indexOf(':status') + 1])
    const valueOf = (wanted: string): string | undefined => {
      const values = this.rawHeaders.filter((_, at, all) => at % 2 === 1 && all[at - 1] === wanted)
      return values.length > 0 ? values.join(', ') : undefined
    }
    const [encoding, type] = [valueOf('content-encoding'), valueOf('content-type')]
    this.headers = { ...(encoding !== undefined && { 'content-encoding': encoding }), ...(type !== undefined && { 'content-type': type }) } // prettier-ignore
    // A failure before anyone reads is reported by the request.
    this.on('error', () => {})
    stream.on('data', (chunk: Uint8Array) => {
      if (!this.push(chunk)) stream.pause()
    })
  }

  /** Nothing more arrives. */
  get isOver(): boolean {
    return this.complete || this.#fault !== undefined
  }

  /** Takes what a stream that has closed still holds: a slow page hasn't read it, and the connection may be gone. */
  takeRest(): void {
    if (this.destroyed || this.isOver) return
    this.#drain()
    this.complete = true
    this.push(null)
  }

  /** Ends with an error, after what has arrived. */
  breakOff(fault: Error): void {
    if (this.destroyed || this.isOver) return
    this.#drain()
    this.#fault = fault
    if (this.readableLength === 0) this.destroy(fault)
  }

  #drain(): void {
    this.#stream.removeAllListeners('data')
    for (let chunk = this.#stream.read() as unknown; chunk; chunk = this.#stream.read() as unknown) this.push(chunk)
  }

  override read(size?: number): unknown {
    const chunk: unknown = super.read(size)
    if (chunk === null && this.#fault) this.destroy(this.#fault)
    return chunk
  }

  override _read(): void {
    if (!this.isOver) this.#stream.resume()
  }
}

const tooLarge = (): Error => errorWith('HPE_HEADER_OVERFLOW', 'The header fields are too large')

const sizeOf = (raw: readonly string[]): number =>
  raw.reduce((sum, text) => sum + text.length, 0) + (raw.length / 2) * FIELD
