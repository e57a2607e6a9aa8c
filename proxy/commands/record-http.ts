/**
 * `periscope record --out FILE --listen PORT URL`: a reverse proxy on this machine. Requests and responses pass unchanged,
 * except for hop-by-hop headers (RFC 9110 section 7.6.1) and `Host`. Data is forwarded before it is recorded.
 */
import { Agent, createServer, request as requestPlain } from 'node:http'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { LIMITS } from '../limits.ts'
import { explainRelay, type Stage } from '../relay-failure.ts'
import { forwardedHeaders, pairs } from '../forwarded-headers.ts'
import { RecordedExchange } from './recorded-exchange.ts'
import { closeServer, hasLoopbackHost, listenOnLoopback } from './loopback.ts'
import { HttpRecorder } from './http-recorder.ts'
import { CannotRun } from './recording-file.ts'
import type { RecordOptions } from '../cli.ts'

const CLIENT_ENDED = 'The client closed the request'
/** ms per address of a host name before trying the next one. Node's default of 250 ms is too short for distant servers. */
const SLOW_CONNECT = { autoSelectFamilyAttemptTimeout: 1_000 }

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
    let port: number
    try {
      port = await proxy.listen(options.from.port)
    } catch (error) {
      await recorder.close()
      const { code, message } = error as NodeJS.ErrnoException
      const why = code === 'EADDRINUSE' ? 'it is in use by another program' : message
      throw new CannotRun(
        `Can't listen on port ${options.from.port}: ${why}. Use another port, or 0 for any free port.`,
      )
    }
    err(`Recording ${target.origin} to ${recorder.path}\n`)
    err(`Connect the client to http://127.0.0.1:${port}${target.pathname}${target.search}\nPress Ctrl+C to stop.\n`)
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve())
    })
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
  readonly #agents = { 'http:': new Agent(SLOW_CONNECT), 'https:': new SecureAgent(SLOW_CONNECT) }

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
    if (!hasLoopbackHost(request)) return refuse(response, 403, 'Only this machine may use this URL.')
    if (!path.startsWith('/') && path !== '*') return refuse(response, 400, 'The request path must begin with /.')
    const method = request.method ?? 'GET'
    const headers = pairs(request.rawHeaders)
    const exchange = new RecordedExchange(this.#recorder, { method, path, headers })
    const upstream = this.#forward(method, path, headers)
    upstream.maxHeadersCount = 0

    request.on('data', (chunk: Buffer) => {
      if (!upstream.destroyed && !upstream.write(chunk)) {
        request.pause()
        upstream.once('drain', () => request.resume())
      }
      exchange.requestChunk(chunk)
    })
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
      upstream.destroy()
    })
    const failed = (fault: unknown, stage: Stage) => {
      if (clientEnded) return
      exchange.failed(fault)
      if (response.headersSent) return void response.destroy()
      const { message, remedy } = explainRelay(fault, this.#target, stage, LIMITS.connect / 1000)
      refuse(response, 502, remedy === undefined ? message : `${message} ${remedy}`)
    }
    watch(upstream, (fault, stage) => failed(fault, stage))
    upstream.once('response', (answer) => this.#respond(answer, response, exchange, failed))
  }

  #forward(method: string, path: string, headers: readonly Header[]): ClientRequest {
    const { protocol, hostname, port, host } = this.#target
    const secure = protocol === 'https:'
    const bare = forwardedHeaders(headers).filter(([name]) => !/^(?:host|expect)$/i.test(name))
    const chunked = headers.some(([name]) => /^transfer-encoding$/i.test(name))
    const sent: Header[] = [
      ['Host', host],
      // With `close`, a server that responds before reading the whole body resets the connection and loses the response.
      ['Connection', 'keep-alive'],
      ...(chunked ? [['Transfer-Encoding', 'chunked'] as const] : []),
      ...bare,
    ]
    return (secure ? requestSecure : requestPlain)({
      agent: this.#agents[secure ? 'https:' : 'http:'],
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port || (secure ? 443 : 80),
      method,
      path,
      // A flat array keeps order and case, and Node adds no headers.
      headers: sent.flat(),
      maxHeaderSize: LIMITS.relayAnswerHead,
    })
  }

  #respond(
    answer: IncomingMessage,
    response: ServerResponse,
    exchange: RecordedExchange,
    failed: (fault: unknown, stage: Stage) => void,
  ): void {
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
    answer.once('error', (fault) => failed(fault, 'reading'))
  }
}

type Header = readonly [name: string, value: string]

/** Reports the first failure and the stage it happened in. */
function watch(upstream: ClientRequest, failed: (fault: unknown, stage: Stage) => void): void {
  let stage: Stage = 'connecting'
  const timer = setTimeout(
    () => upstream.destroy(Object.assign(new Error('The connection timed out'), { code: 'CONNECT_TIMEOUT' })),
    LIMITS.connect,
  )
  const connected = () => {
    clearTimeout(timer)
    stage = 'waiting'
  }
  upstream.once('socket', (socket) => {
    const secure = 'encrypted' in socket
    if (secure) socket.once('connect', () => (stage = 'securing'))
    socket.once(secure ? 'secureConnect' : 'connect', connected)
  })
  upstream.once('upgrade', (_, socket) => {
    socket.destroy()
    upstream.destroy(Object.assign(new Error('the server switched protocols unexpectedly'), { code: 'HPE_UPGRADE' }))
  })
  upstream.once('error', (fault) => {
    clearTimeout(timer)
    failed(fault, stage)
  })
  upstream.on('error', () => {})
  upstream.once('close', () => clearTimeout(timer))
}

function refuse(response: ServerResponse, status: number, why: string): void {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message: `Periscope: ${why}` } }
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(error))
}
