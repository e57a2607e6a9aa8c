/**
 * `periscope record --out FILE --listen PORT URL`: stands in for a server over HTTP, on this machine. What a client sends
 * goes on as it came, header by header and byte by byte, and so does the answer; each is written down when it is on its way.
 * What belongs to one connection does not travel (RFC 9110 section 7.6.1), and `Host` is the server's own.
 */
import {
  Agent,
  createServer,
  request as requestPlain,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { LIMITS } from '../limits.ts'
import { explainRelay, type Stage } from '../relay-failure.ts'
import { HeardExchange } from './heard-exchange.ts'
import { closeServer, hasLoopbackHost, listenOnLoopback } from './loopback.ts'
import { OverheardHttp } from './overheard-http.ts'
import { CannotRun } from './recording-file.ts'
import type { RecordOptions } from '../cli.ts'

const HOP_BY_HOP = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|http2-settings|proxy-.*)$/
const CLIENT_ENDED = 'The client closed the request'
/** Where a name has several addresses: ms for each, before the next is tried. Node's 250 are too few for far servers. */
const SLOW_CONNECT = { autoSelectFamilyAttemptTimeout: 1_000 }

type HttpRecordOptions = RecordOptions & { readonly from: Extract<RecordOptions['from'], { kind: 'url' }> }

/** Records until it is stopped. @returns the exit code: 0, or 2 where it could not begin */
export async function recordHttp(
  options: HttpRecordOptions,
  err: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const say = (text: string) => err(`periscope record: ${text}\n`)
  try {
    const target = new URL(options.from.url)
    const heard = await OverheardHttp.into(options, target, say)
    const recorder = new RecordingProxy(target, heard)
    let port: number
    try {
      port = await recorder.listen(options.from.port)
    } catch (error) {
      await heard.close()
      const { code, message } = error as NodeJS.ErrnoException
      const why = code === 'EADDRINUSE' ? 'it is in use by another program' : message
      throw new CannotRun(
        `Can't listen on port ${options.from.port}: ${why}. Use another port, or 0 for any free port.`,
      )
    }
    err(`Recording ${target.origin} to ${heard.path}\n`)
    err(`Connect the client to http://127.0.0.1:${port}${target.pathname}${target.search}\nPress Ctrl+C to stop.\n`)
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve())
    })
    await recorder.close()
    await heard.close()
    return 0
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    say(error.message)
    return 2
  }
}

class RecordingProxy {
  readonly #target: URL
  readonly #heard: OverheardHttp
  readonly #server
  readonly #agents = { 'http:': new Agent(SLOW_CONNECT), 'https:': new SecureAgent(SLOW_CONNECT) }

  constructor(target: URL, heard: OverheardHttp) {
    this.#target = target
    this.#heard = heard
    // A stream may last for days, and so may a body.
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
    // The server behind cannot see any more by which name it was asked for (SEC-07).
    if (!hasLoopbackHost(request)) return refuse(response, 403, 'Only this machine may use this URL.')
    if (!path.startsWith('/') && path !== '*') return refuse(response, 400, 'The request path must begin with /.')
    const method = request.method ?? 'GET'
    const headers = pairs(request.rawHeaders)
    const exchange = new HeardExchange(this.#heard, { method, path, headers })
    const upstream = this.#forward(method, path, headers, request.headers.connection)
    upstream.maxHeadersCount = 0

    request.on('data', (chunk: Buffer) => {
      if (!upstream.destroyed && !upstream.write(chunk)) {
        request.pause()
        upstream.once('drain', () => request.resume())
      }
      exchange.sent(chunk)
    })
    request.once('end', () => {
      upstream.end()
      exchange.asked()
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

  #forward(method: string, path: string, headers: readonly Header[], connection: string | undefined): ClientRequest {
    const { protocol, hostname, port, host } = this.#target
    const secure = protocol === 'https:'
    const bare = forwardedHeaders(headers, connection).filter(([name]) => !/^(?:host|expect)$/i.test(name))
    const chunked = headers.some(([name]) => /^transfer-encoding$/i.test(name))
    const sent: Header[] = [
      ['Host', host],
      // Told `close`, a server that answers before it has read the whole body resets the connection and its answer with it.
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
      // As a flat list they go out in this order and case, and none is added.
      headers: sent.flat(),
      maxHeaderSize: LIMITS.relayAnswerHead,
    })
  }

  #respond(
    answer: IncomingMessage,
    response: ServerResponse,
    exchange: HeardExchange,
    failed: (fault: unknown, stage: Stage) => void,
  ): void {
    const headers = pairs(answer.rawHeaders)
    const status = answer.statusCode!
    const statusText = answer.statusMessage ?? ''
    response.sendDate = false
    response.writeHead(status, statusText, forwardedHeaders(headers, answer.headers.connection).flat())
    // A stream of events may say nothing for long; its head goes at once.
    response.flushHeaders()
    exchange.answered({ status, statusText, headers })
    answer.on('data', (chunk: Buffer) => {
      if (!response.destroyed && !response.write(chunk)) {
        answer.pause()
        response.once('drain', () => answer.resume())
      }
      exchange.received(chunk)
    })
    answer.once('end', () => {
      if (answer.rawTrailers.length > 0) response.addTrailers(pairs(answer.rawTrailers) as [string, string][])
      response.end()
      exchange.ended()
    })
    answer.once('error', (fault) => failed(fault, 'reading'))
  }
}

type Header = readonly [name: string, value: string]

/** Tells of the first thing that goes wrong, and how far it had come. */
function watch(upstream: ClientRequest, failed: (fault: unknown, stage: Stage) => void): void {
  let stage: Stage = 'connecting'
  const timer = setTimeout(
    () => upstream.destroy(Object.assign(new Error('The connection took too long'), { code: 'CONNECT_TIMEOUT' })),
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

function forwardedHeaders(headers: readonly Header[], connection = ''): Header[] {
  const named = new Set(connection.toLowerCase().split(/[\s,]+/))
  return headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !HOP_BY_HOP.test(lower) && !named.has(lower)
  })
}

function refuse(response: ServerResponse, status: number, why: string): void {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message: `Periscope: ${why}` } }
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(error))
}

function pairs(raw: readonly string[]): Header[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!] as const)
}
