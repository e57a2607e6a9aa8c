/** The frames of a session in which one payload comes at one place. */
import type { Frame, Json, JsonObject } from '../../web/mcp/index.ts'
import { Frames } from '../sessions/frames.ts'

export interface Planted {
  readonly id: string
  readonly kind: string
  readonly place: string
  readonly payload: Json
}

/** None of the pieces may leave. */
export interface PlantedSecret extends Planted {
  /** By a name, by the form of the secret, or by what a person wrote around it. */
  readonly class: 'named' | 'form' | 'human'
  readonly secret: string | readonly string[]
}

/** All of them must stay. */
export interface Innocent extends Planted {
  readonly keep: string | readonly string[]
}

const TOOL = { name: 'run', arguments: {} }
const URL = 'http://127.0.0.1/mcp'

const SPAWNED = { kind: 'process', event: 'spawn', command: 'node', cwd: '/srv/app', env: [], pid: 1 } as const

type Place = (frames: Frames, payload: never) => void

interface Pair {
  readonly name: string
  readonly value: string
}

const request = (frames: Frames, method: string, params?: JsonObject): void => {
  frames.message('sent', { jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) })
}

const error = (payload: Json): JsonObject => {
  if (typeof payload === 'string') return { code: -32000, message: payload }
  const { code, message } = payload as JsonObject
  if (code !== undefined && message !== undefined) return payload as JsonObject
  return { code: -32000, message: 'failed', data: payload }
}

const PLACES: Readonly<Record<string, Place>> = {
  'result-text': (frames, payload: string) => frames.call(1, TOOL, frames.say(payload)),
  'result-structured': (frames, structuredContent: Json) => frames.call(1, TOOL, { content: [], structuredContent }),
  arguments: (frames, payload: JsonObject) => frames.call(1, { name: 'run', arguments: payload }, frames.say('ok')),
  'error-data': (frames, payload: Json) => {
    request(frames, 'tools/call', TOOL)
    frames.message('received', { jsonrpc: '2.0', id: 1, error: error(payload) })
  },
  log: (frames, payload: Json) => {
    const whole = (payload as JsonObject)['level'] !== undefined && (payload as JsonObject)['data'] !== undefined
    const params = whole ? (payload as JsonObject) : { level: 'info', data: payload }
    frames.message('received', { jsonrpc: '2.0', method: 'notifications/message', params })
  },
  stderr: (frames, payload: string | readonly string[]) => {
    for (const text of [payload].flat()) frames.add({ kind: 'process', event: 'stderr', text })
  },
  'request-header': (frames, { name, value }: Pair) =>
    frames.call(1, TOOL, frames.say('ok'), undefined, [[name, value]]),
  'response-header': (frames, { name, value }: Pair) => {
    const sent = frames.add({ kind: 'http', phase: 'request', method: 'POST', url: URL, headers: [], size: 1, purpose: 'message' }) // prettier-ignore
    frames.add({
      kind: 'http',
      phase: 'response',
      request: sent,
      status: 200,
      statusText: 'OK',
      headers: [[name, value]],
    })
  },
  url: (frames, payload: string) => frames.call(1, TOOL, frames.say('ok'), payload),
  // Our own frames contain only the names of variables; recordings of other tools may also contain their values.
  env: (frames, { name, value }: Pair) =>
    frames.add({ ...SPAWNED, args: ['server.js'], env: { [name]: value } as never }),
  command: (frames, [command, ...args]: readonly [string, ...string[]]) => frames.add({ ...SPAWNED, command, args }),
  schema: (frames, payload: JsonObject) => {
    request(frames, 'tools/list')
    frames.message('received', { jsonrpc: '2.0', id: 1, result: { tools: [payload] } })
  },
  resource: (frames, text: string) => {
    request(frames, 'resources/read', { uri: 'file:///r' })
    const contents = [{ uri: 'file:///r', mimeType: 'text/plain', text }]
    frames.message('received', { jsonrpc: '2.0', id: 1, result: { contents } })
  },
}

export const framesOf = ({ place, payload }: Planted): readonly Frame[] => {
  const frames = new Frames()
  PLACES[place]!(frames, payload as never)
  return frames.all
}
