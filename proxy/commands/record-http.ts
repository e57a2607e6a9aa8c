/**
 * `periscope record --out FILE --listen PORT URL`: a reverse proxy on this machine. Requests and responses pass unchanged,
 * except for hop-by-hop headers (RFC 9110 section 7.6.1) and `Host`. Data is forwarded before it is recorded.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { LIMITS } from '../limits.ts'
import { forwardedHeaders, pairs } from '../forwarded-headers.ts'
import { Upstream, type UpstreamResponse } from '../upstream.ts'
import { RecordedExchange } from './recorded-exchange.ts'
import { closeServer, hasLoopbackHost, listenOnLoopback, refuse, untilAborted } from './loopback.ts'
import { HttpRecorder } from './http-recorder.ts'
import { CannotRun } from './recording-file.ts'
import type { RecordOptions } from '../cli.ts'

const CLIENT_ENDED = 'The client closed the request'

type HttpRecordOptions = RecordOptions & { readonly from: Extract<RecordOptions['from'], { kind: 'url' }> }

/** Records until `signal` aborts. @returns the exit code: 0, or 2 if it could not start */
export async function recordHttp(
  options: HttpRecordOptions,
  err: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const say = (text: string) => err(`periscope record: ${text}\n`)
  try {
    const target = new URL(options.from.url)
    const recorder = await HttpRecorder.create(options, target, say)
    const proxy = new RecordingProxy(target, recorder)
    const port = await proxy.listen(options.from.port).catch(async (error: unknown) => {
      await recorder.close()
      throw error
    })
    err(`Recording ${target.origin} to ${recorder.path}\n`)
    err(`Connect the client to http://127.0.0.1:${port}${target.pathname}${target.search}\nPress Ctrl+C to stop.\n`)
    await untilAborted(signal)
    await proxy.close()
    await recorder.close()
    return 0
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    say(error.message)
    return 2
  }
}

class RecordingProxy {
  readonly #target: URL
  readonly #recorder: HttpRecorder
  readonly #server

  constructor(target: URL, recorder: HttpRecorder) {
    this.#target = target
    this.#recorder = recorder
    // Streams and bodies may take days.
    const limits = { requestTimeout: 0, maxHeaderSize: LIMITS.relayAnswerHead }
    this.#server = createServer(limits, (request, response) => this.#serve(request, response))
    this.#server.maxHeadersCount = 0
  }

  listen(port: number): Promise<number> {
    return listenOnLoopback(this.#server, port)
  }

  close(): Promise<void> {
    return closeServer(this.#server)
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? ''
    // The server can't check the original Host itself: it sees its own (SEC-07).
    if (!hasLoopbackHost(request)) return refuse(response, 403, 'Periscope: Only this machine may use this URL.')
    if (!path.startsWith('/') && path !== '*')
      return refuse(response, 400, 'Periscope: The request path must begin with /.')
    const method = request.method ?? 'GET'
    const headers = pairs(request.rawHeaders)
    const exchange = new RecordedExchange(this.#recorder, { method, path, headers })
    const connection = new Upstream(this.#target, LIMITS, { method, path, headers: this.#forwarded(headers).flat() })
    const { request: upstream } = connection

    request.on('data', (chunk: Buffer) => {
      if (!upstream.destroyed && !upstream.write(chunk)) {
        request.pause()
        upstream.once('drain', () => request.resume())
      }
      exchange.requestChunk(chunk)
    })
    // A body that waits for `drain` would never end, and with it the client's connection.
    upstream.once('close', () => request.resume())
    request.once('end', () => {
      upstream.end()
      exchange.requestEnded()
    })
    request.on('error', () => {})
    response.on('error', () => {})
    let clientEnded = false
    response.once('close', () => {
      if (response.writableFinished) return
      clientEnded = true
      exchange.failed(new Error(CLIENT_ENDED), CLIENT_ENDED)
      connection.destroy()
    })
    const failed = (fault: unknown) => {
      if (clientEnded) return
      exchange.failed(fault)
      if (response.headersSent) return void response.destroy()
      const { message, remedy } = connection.explain(fault)
      refuse(response, 502, `Periscope: ${message}${remedy === undefined ? '' : ` ${remedy}`}`)
    }
    upstream.once('error', failed)
    upstream.once('response', (answer: UpstreamResponse) => {
      const refusal = connection.refusalIn(answer)
      if (refusal) {
        failed(refusal)
        return connection.destroy()
      }
      answer.once('error', (fault) => {
        connection.stage = 'reading'
        failed(fault)
      })
      this.#respond(answer, response, exchange)
    })
  }

  #forwarded(headers: readonly Header[]): Header[] {
    const bare = forwardedHeaders(headers).filter(([name]) => !/^(?:host|expect)$/i.test(name))
    const chunked = headers.some(([name]) => /^transfer-encoding$/i.test(name))
    return [
      ['Host', this.#target.host],
      // With `close`, a server that responds before reading the whole body resets the connection and loses the response.
      ['Connection', 'keep-alive'],
      ...(chunked ? [['Transfer-Encoding', 'chunked'] as const] : []),
      ...bare,
    ]
  }

  #respond(answer: UpstreamResponse, response: ServerResponse, exchange: RecordedExchange): void {
    const headers = pairs(answer.rawHeaders)
    const status = answer.statusCode!
    const statusText = answer.statusMessage ?? ''
    response.sendDate = false
    response.writeHead(status, statusText, forwardedHeaders(headers).flat())
    // An event stream may stay silent for long, so the head can't wait for the first chunk.
    response.flushHeaders()
    exchange.responseStarted({ status, statusText, headers })
    answer.on('data', (chunk: Buffer) => {
      if (!response.destroyed && !response.write(chunk)) {
        answer.pause()
        response.once('drain', () => answer.resume())
      }
      exchange.responseChunk(chunk)
    })
    answer.once('end', () => {
      if (answer.rawTrailers.length > 0) response.addTrailers(pairs(answer.rawTrailers))
      response.end()
      exchange.responseEnded()
    })
  }
}

type Header = readonly [name: string, value: string]
