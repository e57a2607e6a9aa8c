/**
 * Logs of JSON-RPC messages, one per line. Three kinds of line are read, also mixed:
 *
 * - mcporter (`mcporter record`): the message with an additional `_meta: { dir: 'send' | 'recv' | 'lifecycle', server,
 *   ts }`. https://github.com/openclaw/mcporter/blob/main/src/runtime/record-transport.ts
 * - a message inside a record: under `message`, `raw`, `payload` … of an object that may give its direction, time and
 *   server, as recording proxies write them (`{"direction":"c2s","ts":…,"raw":{…}}`).
 * - a message, bare or after a prefix (`2026-01-01T00:00:00.000Z [info] Message from client: {…}`, `--> {…}`).
 */
import { endOfContainer, LONG, jsonIn } from '../../json/index.ts'
import { isDeep, isObject, pacer, parseLong, shallow } from '../../mcp/index.ts'
import type { Json, JsonObject, Link } from '../../mcp/index.ts'
import { type Direction, Directions, isRpc, messageOfText, messageOfValue, textAt, timeOf } from './message.ts'
import type { ImportFormat } from './imported.ts'
import { Rebuilding } from './rebuilding.ts'

export interface Found {
  readonly message: Json
  /** The exact text, if the message is the whole line or a part of it. */
  readonly text?: string
  readonly direction?: Direction
  /** ms since the epoch. */
  readonly time?: number
  readonly server?: string
}

/** Other lines: the beginning or end of a transport, a line of a process. */
type Line = Found | { readonly stderr: string; readonly time?: number; readonly server?: string } | 'nothing' | 'none'

const MESSAGE_KEYS = [
  'message',
  'msg',
  'raw',
  'payload',
  'frame',
  'data',
  'body',
  'rpc',
  'request',
  'response',
  'content',
]
const TIME_KEYS = ['ts', 'timestamp', 'time', 'at', 'date', '@timestamp']
const DIRECTION_KEYS = ['dir', 'direction', 'from', 'sender', 'origin', 'source', 'type', 'event', 'kind']
const SERVER_KEYS = ['server', 'server_label', 'serverName', 'server_name', 'session_id', 'name']

/** Characters of the prefix of a message to search. */
const WORDS = 300
/** Total number of lines to read. */
const MOST_LINES = 500_000

const SENT =
  /^(?:send|sent|out|outgoing|outbound|client|c2s|c->s|to[-_ ]?server|client[-_ ]?to[-_ ]?server|request_sent|stdin|>|->|-->|→)$/i
const RECEIVED =
  /^(?:recv|receive|received|in|incoming|inbound|server|s2c|s->c|from[-_ ]?server|to[-_ ]?client|server[-_ ]?to[-_ ]?client|stdout|<|<-|<--|←)$/i
const SENT_WORDS = /from client|client (?:->|→|=>|to) server|-->|>>|→|\b(?:sen[dt]|sending|outgoing|outbound|stdin)\b/i
const RECEIVED_WORDS =
  /from server|server (?:->|→|=>|to) client|<--|<<|←|\b(?:recv|receiv(?:ed|ing)|incoming|inbound|stdout)\b/i

const wordOf = (text: string | undefined): Direction | undefined =>
  text === undefined ? undefined : SENT.test(text) ? 'sent' : RECEIVED.test(text) ? 'received' : undefined

/** Whether the lines are such a log, judged by the first lines that aren't empty. */
export const isLog = (text: string): boolean => {
  let looked = 0
  for (const line of linesOf(text)) {
    if (line.trim() === '') continue
    if (line.includes('jsonrpc') && line.length < 1024 * 1024 && typeof readLine(line) === 'object') return true
    if (line.length > LONG && line.slice(0, WORDS).includes('jsonrpc')) return true
    if (++looked >= 200) return false
  }
  return false
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    yield text.slice(from, text.charCodeAt(to - 1) === 0x0d ? to - 1 : to)
    from = to + 1
  }
}

export const sessionOfLines = async (text: string): Promise<Rebuilding> => {
  const format: ImportFormat = /"_meta"\s*:\s*\{\s*"dir"\s*:/.test(text.slice(0, 100_000)) ? 'mcporter' : 'json-rpc'
  const log = new Log(format)
  const pause = pacer()
  let number = 0
  for (const line of linesOf(text)) {
    number++
    await pause()
    if (log.session.full) break
    if (number > MOST_LINES) {
      log.session.harm({ code: 'too-large', limit: MOST_LINES })
      break
    }
    if (line.trim() === '') continue
    const read = line.length > LONG ? await readLong(line) : readLine(line)
    await log.take(read, number)
  }
  return log.session
}

/** The same from an array. */
export const sessionOfList = async (list: readonly Json[]): Promise<Rebuilding> => {
  const log = new Log('json-rpc')
  const pause = pacer()
  for (const [at, value] of list.entries()) {
    if (log.session.full) break
    await pause()
    await log.take(ofValue(value), at + 1)
  }
  return log.session
}

export const isList = (list: readonly Json[]): boolean =>
  list.slice(0, 200).some((value) => typeof ofValue(value) === 'object')

class Log {
  readonly session: Rebuilding
  readonly #directions = new Directions()
  #time: number | undefined

  constructor(format: ImportFormat) {
    this.session = new Rebuilding(format)
    if (format === 'mcporter') this.session.tool = 'mcporter'
  }

  async take(line: Line, number: number): Promise<void> {
    const { session } = this
    if (line === 'nothing') return
    if (line === 'none') {
      session.lost('unreadable')
      return session.harm({ code: 'not-json', line: number, why: 'the line has no JSON-RPC message' })
    }
    // A time before that of the previous line is ignored: lines are in order.
    if (line.time !== undefined && line.time >= (this.#time ?? line.time)) this.#time = line.time
    else if (line.time === undefined) session.lost('times')
    const time = this.#time ?? 0
    const link = this.#link(line.server)
    if ('stderr' in line) return void session.add({ kind: 'process', event: 'stderr', link, text: line.stderr }, time)
    const direction = this.#directions.of(line.message, link, line.direction)
    if (line.direction === undefined) session.lost('direction')
    const common = { link, direction }
    session.add(
      line.text === undefined ? messageOfValue(line.message, common) : await messageOfText(line.text, common),
      time,
    )
  }

  #link(server: string | undefined): Link {
    return this.session.link(server ?? '', { name: server === undefined || server === '' ? 'log' : server })
  }
}

const readLong = async (line: string): Promise<Line> => {
  if (!/^\s*[[{]/.test(line)) return readLine(line)
  try {
    const { value } = await parseLong(line)
    return ofValue(value, line)
  } catch {
    return readLine(line)
  }
}

const readLine = (line: string): Line => {
  const trimmed = line.trim()
  const whole = /^[[{]/.test(trimmed) ? parsed(trimmed) : undefined
  if (whole !== undefined) return ofValue(whole, trimmed)
  const from = trimmed.search(/[[{]\s*(?:\{\s*)?"(?:jsonrpc|id|method|result|error|params)"/)
  if (from < 0) return trimmed.includes('"jsonrpc"') ? 'none' : 'nothing'
  const to = endOfContainer(trimmed, from)
  const text = trimmed.slice(from, to)
  const message = parsed(text)
  if (message === undefined || !isRpc(message)) return 'none'
  const words = trimmed.slice(Math.max(0, from - WORDS), from)
  const direction = SENT_WORDS.test(words) ? 'sent' : RECEIVED_WORDS.test(words) ? 'received' : undefined
  const time = timeOf(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/.exec(words)?.[0])
  return { message, text, direction, time }
}

const parsed = (text: string): Json | undefined => {
  const value = jsonIn(text)
  return value !== undefined && isDeep(text) ? shallow(value) : value
}

const firstOf = <Item>(
  value: JsonObject,
  keys: readonly string[],
  read: (value: JsonObject, key: string) => Item | undefined,
) => {
  for (const key of keys) {
    const item = Object.hasOwn(value, key) ? read(value, key) : undefined
    if (item !== undefined) return item
  }
  return undefined
}

const ofValue = (value: Json, text?: string): Line => {
  if (Array.isArray(value)) return isRpc(value) ? { message: value, text } : 'none'
  if (!isObject(value)) return 'none'
  if (isRpc(value)) return marked(value, text)
  const direction = firstOf(value, DIRECTION_KEYS, (from, key) => wordOf(textAt(from, key)))
  const time = firstOf(value, TIME_KEYS, (from, key) => timeOf(from[key]))
  const server = firstOf(value, SERVER_KEYS, textAt)
  const about = { time, server }
  const found = firstOf(value, MESSAGE_KEYS, (from, key) => inside(from[key]))
  if (found) return { ...found, ...about, direction }
  const line = textAt(value, 'text')
  return value.direction === 'stderr' && line !== undefined ? { stderr: line, ...about } : 'nothing'
}

/** A record may contain its message as a value or as a string. */
const inside = (value: Json | undefined): Found | undefined => {
  if (value !== undefined && isRpc(value)) return { message: value }
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value) || value.length > LONG) return undefined
  const message = parsed(value)
  return message !== undefined && isRpc(message) ? { message, text: value } : undefined
}

/** A message with mcporter's additions. Any other `_meta` is left alone. */
const marked = (value: JsonObject, text: string | undefined): Line => {
  const { _meta, ...message } = value
  const dir = isObject(_meta) ? textAt(_meta, 'dir') : undefined
  if (!isObject(_meta) || dir === undefined || typeof _meta.ts !== 'string') {
    return { message: value, text }
  }
  if (dir === 'lifecycle') return 'nothing'
  const direction = wordOf(dir)
  const [time, server] = [timeOf(_meta.ts), textAt(_meta, 'server')]
  return { message, direction, time, server }
}
