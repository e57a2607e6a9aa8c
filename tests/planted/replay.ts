/** Turns a written conversation into the trace that the recorder would have written, with times. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpRecorder } from '../../proxy/commands/http-recorder.ts'
import { MessageRecorder } from '../../proxy/commands/message-recorder.ts'
import { RecordedExchange } from '../../proxy/commands/recorded-exchange.ts'
import { type Frame, type Json, Trace } from '../../web/mcp/index.ts'
import { readSession } from '../../web/session-file/index.ts'

export interface Conversation {
  /** Unique within its set. */
  readonly id: string
  readonly version: string
  readonly transport: 'stdio' | 'http' | 'http+sse'
  /** The only violation; `null` if there is none. */
  readonly planted: Planted | null
  readonly events: readonly Event[]
}

export interface Planted {
  readonly requirement: string
  readonly level: 'error' | 'warning'
  /** Other requirements that name the same fault. */
  readonly also: readonly string[]
  readonly where: string
}

interface Event {
  readonly from: 'client' | 'server'
  /** A message over stdio; as text if it is none. */
  readonly line?: Json
  readonly stderr?: string
  readonly exit?: number
  readonly request?: Request
  readonly response?: Response
  readonly sse?: ServerSentEvent
  /** The body of this response ends. */
  readonly end?: { readonly n: number }
}

interface Request {
  readonly n: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
}

interface Response {
  readonly n: number
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  /** Its events follow. */
  readonly stream?: true
}

interface ServerSentEvent {
  readonly n: number
  readonly id?: string
  readonly event?: string
  readonly retry?: number
  readonly data?: Json
  readonly comment?: string
}

const ORIGIN = 'https://mcp.example.com'
/** ms between two frames. Messages cross on a pipe; over HTTP, streams are left open. */
const PACE = { stdio: 100, http: 1_000, 'http+sse': 1_000 }

/** @returns the frames of each session; one that is renewed has a trace of its own */
export const replay = async (conversation: Conversation): Promise<readonly (readonly Frame[])[]> => {
  const traces = conversation.transport === 'stdio' ? [await overStdio(conversation)] : await overHttp(conversation)
  return traces.map((frames) => frames.map((frame, index) => ({ ...frame, at: index * PACE[conversation.transport] })))
}

const overStdio = async ({ events }: Conversation): Promise<readonly Frame[]> => {
  const trace = new Trace()
  const recorder = new MessageRecorder(trace, 's1', 'stdio')
  recorder.tap.append({ kind: 'process', event: 'spawn', command: 'server', args: [], cwd: '/', env: [], pid: 1 })
  for (const { from, line, stderr, exit } of events) {
    if (line !== undefined) {
      if (from === 'client') recorder.sent(textOf(line))
      else await recorder.line(textOf(line), false)
    }
    if (stderr !== undefined) recorder.tap.append({ kind: 'process', event: 'stderr', text: stderr })
    if (exit !== undefined)
      recorder.tap.append({ kind: 'process', event: 'exit', code: exit, signal: null, stderr: [] })
  }
  recorder.closed('ended')
  return [...trace] as readonly Frame[]
}

const overHttp = async ({ events }: Conversation): Promise<readonly (readonly Frame[])[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-planted-'))
  try {
    const path = events.find(({ request }) => request)!.request!.path
    const options = { out: join(folder, 'session'), overwrite: false }
    const recorder = await HttpRecorder.create(options, new URL(ORIGIN + path), () => {})
    const open = new Map<number, RecordedExchange>()
    for (const event of events) {
      hear(event, recorder, open)
      await recorder.queue.settled()
    }
    for (const exchange of open.values()) exchange.failed(new Error('closed'), 'The client closed the request')
    await recorder.close()
    const texts = readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
    return await Promise.all(texts.map(async (text) => (await readSession(text)).frames))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const hear = (
  { from, request, response, sse, end }: Event,
  recorder: HttpRecorder,
  open: Map<number, RecordedExchange>,
): void => {
  if (request) {
    const { n, method, path, headers, body } = request
    const exchange = new RecordedExchange(recorder, { method, path, headers: Object.entries(headers) })
    if (body !== undefined) exchange.requestChunk(Buffer.from(textOf(body)))
    exchange.requestEnded()
    open.set(n, exchange)
  } else if (response) {
    const { n, status, headers = {}, body, stream } = response
    const exchange = open.get(n)!
    exchange.responseStarted({ status, statusText: '', headers: Object.entries(headers) })
    if (stream) return
    if (body !== undefined) exchange.responseChunk(Buffer.from(textOf(body)))
    exchange.responseEnded()
    open.delete(n)
  } else if (sse) {
    open.get(sse.n)?.responseChunk(Buffer.from(eventText(sse)))
  } else if (end) {
    if (from === 'client') open.get(end.n)?.failed(new Error('closed'), 'The client closed the request')
    else open.get(end.n)?.responseEnded()
    open.delete(end.n)
  }
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const eventText = ({ id, event, retry, data, comment }: ServerSentEvent): string => {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(data === undefined
      ? []
      : textOf(data)
          .split('\n')
          .map((line) => `data: ${line}`)),
  ]
  return `${lines.join('\n')}\n\n`
}
