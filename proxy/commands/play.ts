/** `periscope play`: acts as the recorded server, for any client. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { LIMITS } from '../limits.ts'
import { LineSplitter } from '../lines.ts'
import { firstLink, isStateless, playbackServer, type PlaybackServer, type Turns } from '../../web/replay/index.ts'
import { closeServer, hasLoopbackHost, isLoopbackOrigin, listenOnLoopback, refuse, untilAborted } from './loopback.ts'
import { CannotRun, describeDamage, readRecording, type Recording } from './recording-file.ts'
import type { PlayOptions } from '../cli.ts'
import { idKey, isObject, type Json, read, type RequestId, requestsIn } from '../../web/mcp/index.ts'

export interface PlayStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: (text: string) => void
  /** For messages to the user: stdout carries the protocol. */
  readonly err: (text: string) => void
}

/** Plays until its input ends or `signal` aborts. @returns the exit code: 0, or 2 if it could not start */
export async function play(options: PlayOptions, streams: PlayStreams, signal?: AbortSignal): Promise<number> {
  const { err } = streams
  try {
    const recording = await readRecording(options.file, signal)
    const link = linkOf(recording, options.link)
    for (const line of describeDamage(recording)) err(`periscope play: the recording is damaged: ${line}.\n`)
    const server = playbackServer(recording.frames, { link, delays: options.delays, nearest: options.nearest })
    if (options.port === undefined) await overStdio(server, streams, signal)
    else await overHttp(server, options.port, err, signal)
    return 0
  } catch (error) {
    if (signal?.aborted) return 0
    if (!(error instanceof CannotRun)) throw error
    err(`periscope play: ${error.message}\n`)
    return 2
  }
}

function linkOf({ frames, file }: Recording, wanted: string | undefined): string {
  const links = [...new Set(frames.map((frame) => frame.link))]
  const link = wanted ?? firstLink(frames)
  if (link === undefined) throw new CannotRun(`\`${file}\` contains no messages to play.`)
  if (links.includes(link)) return link
  throw new CannotRun(`\`${file}\` has no connection ${link}. It has ${links.join(', ')}.`)
}

function overStdio(
  server: PlaybackServer,
  { input, output }: PlayStreams,
  signal: AbortSignal | undefined,
): Promise<void> {
  const connection = server.connect((text) => output(`${text}\n`))
  const lines = new LineSplitter(LIMITS.line, {
    line: ({ text }) => {
      if (text.trim() !== '') connection.receive(text)
    },
    lost: () => {},
  })
  return new Promise((resolve) => {
    const over = () => {
      connection.close()
      resolve()
    }
    input.on('data', (chunk: Buffer) => lines.push(chunk))
    // Immediate responses to the last requests are still sent.
    input.once('end', () => {
      lines.end()
      setImmediate(over)
    })
    input.once('error', over)
    signal?.addEventListener('abort', over)
  })
}

async function overHttp(
  server: PlaybackServer,
  port: number,
  err: PlayStreams['err'],
  signal: AbortSignal | undefined,
): Promise<void> {
  const http = new PlaybackHttp(server)
  const address = await http.listen(port)
  err(`Playing the recording at ${address}\nPress Ctrl+C to stop.\n`)
  await untilAborted(signal)
  await http.close()
}

type Connection = ReturnType<PlaybackServer['connect']>

/** A session, or one stateless request, with its pending responses. */
interface PlaybackClient {
  readonly connection: Connection
  readonly pending: Map<string, PendingResponse>
}

const MAX_SESSIONS = 100

export class PlaybackHttp {
  readonly #server: PlaybackServer
  readonly #http = createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, (error as Error).message)
      else response.destroy()
    })
  })
  readonly #sessions = new Map<string, PlaybackClient>()
  /** Shared by all clients without a session. */
  readonly #turns: Turns = new Map()

  constructor(server: PlaybackServer) {
    this.#server = server
  }

  /** @returns the URL for clients @throws {NodeJS.ErrnoException} the port isn't available */
  async listen(port: number): Promise<string> {
    return `http://127.0.0.1:${await listenOnLoopback(this.#http, port)}/mcp`
  }

  async close(): Promise<void> {
    for (const { connection } of this.#sessions.values()) connection.close()
    this.#sessions.clear()
    await closeServer(this.#http)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin } = request.headers
    if (!hasLoopbackHost(request) || !isLoopbackOrigin(origin)) {
      return refuse(response, 403, 'Only this machine may use this URL')
    }
    if (origin !== undefined) {
      response.setHeader('Access-Control-Allow-Origin', origin)
      response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id')
      response.setHeader('Vary', 'Origin')
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE')
      response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*')
      return void response.writeHead(204).end()
    }
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined
    // TR-HTTP-26: 404 tells the client to initialize again.
    if (id !== undefined && !session) return refuse(response, 404, 'Unknown session')
    if (request.method === 'DELETE' && session) {
      session.connection.close()
      this.#sessions.delete(id as string)
      return void response.writeHead(204).end()
    }
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST, DELETE')
      return refuse(response, 405, 'A recording has no GET stream. Send requests with POST')
    }
    const text = await readBody(request)
    if (text === undefined) return refuse(response, 413, `The request exceeds ${LIMITS.stdin} bytes`)
    this.#message(text, session, response)
  }

  #message(text: string, session: PlaybackClient | undefined, response: ServerResponse): void {
    const { message } = read(text)
    const requests = requestsIn(message)
    const initializes = requests.some(({ method }) => method === 'initialize')
    let client = session
    if (!client && initializes && !isStateless(this.#server.script)) {
      if (this.#sessions.size >= MAX_SESSIONS) this.#dropOldest()
      const id = randomUUID()
      client = this.#client()
      this.#sessions.set(id, client)
      response.setHeader('Mcp-Session-Id', id)
    }
    // Version detection happens before there is a session.
    const sessionless =
      !client && (isStateless(this.#server.script) || requests.every(({ method }) => SESSIONLESS_METHODS.has(method)))
    if (!client && !sessionless) return refuse(response, 400, 'Bad Request: Mcp-Session-Id is missing')
    client ??= this.#client(this.#turns)
    if (requests.length === 0 && message !== undefined) {
      client.connection.receive(text)
      return void response.writeHead(202).end()
    }
    const pendingResponse = new PendingResponse(
      response,
      requests.map(({ id }) => id),
      isStateless(this.#server.script),
    )
    for (const { id } of requests) client.pending.set(idKey(id), pendingResponse)
    if (requests.length === 0) client.pending.set('', pendingResponse)
    const { connection, pending: waiting } = client
    response.once('close', () => {
      for (const [key, each] of waiting) if (each === pendingResponse) waiting.delete(key)
    })
    // In stateless versions, closing the stream is how a client cancels (2026-07-28).
    if (sessionless) response.once('close', () => connection.close())
    connection.receive(text)
  }

  #client(turns?: Turns): PlaybackClient {
    const waiting = new Map<string, PendingResponse>()
    const connection = this.#server.connect((text, about) => {
      waiting.get(about === undefined ? '' : idKey(about))?.send(text)
    }, turns)
    return { connection, pending: waiting }
  }

  #dropOldest(): void {
    const [id, client] = this.#sessions.entries().next().value!
    client.connection.close()
    this.#sessions.delete(id)
  }
}

const SESSIONLESS_METHODS: ReadonlySet<string> = new Set(['server/discover', 'initialize'])

/** The response to one POST: JSON if it is a single response, otherwise an event stream up to the last pending one. */
class PendingResponse {
  readonly #response: ServerResponse
  readonly #due: Set<string>
  readonly #stateless: boolean

  constructor(response: ServerResponse, due: readonly RequestId[], stateless: boolean) {
    this.#response = response
    this.#due = new Set(due.map(idKey))
    this.#stateless = stateless
  }

  send(text: string): void {
    const response = this.#response
    if (response.writableEnded) return
    const message = JSON.parse(text) as Json
    const isAnswer = isObject(message) && !('method' in message)
    if (isAnswer) this.#due.delete(idKey(message.id as RequestId))
    const last = this.#due.size === 0
    if (!response.headersSent && isAnswer && last) {
      response.writeHead(this.#statusOf(message), { 'Content-Type': 'application/json' })
      return void response.end(text)
    }
    if (!response.headersSent) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
    }
    // JSON escapes newlines, so one `data` line is enough.
    response.write(`event: message\ndata: ${text}\n\n`)
    if (last) response.end()
  }

  /** Stateless versions map errors to HTTP statuses (TR-HDR-09, VN-25). */
  #statusOf(message: Json): number {
    const error = isObject(message) && isObject(message.error) ? message.error : undefined
    if (!this.#stateless || !error) return 200
    if (error.code === -32601) return 404
    return typeof error.code === 'number' && error.code <= -32020 && error.code >= -32029 ? 400 : 200
  }
}

/** @returns `undefined` if the body exceeds the limit */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > LIMITS.stdin) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
