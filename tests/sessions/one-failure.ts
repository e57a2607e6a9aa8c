/** A long session in which one call failed: recorded with a real server, whose other calls are copies that succeed. */
import {
  isObject,
  Session,
  StreamableHttpTransport,
  Trace,
  type Frame,
  type JsonObject,
  type Seq,
} from '../../web/mcp/index.ts'
import { headOf, sessionText } from '../../web/session-file/write.ts'

interface OneFailure {
  /** The session file. */
  readonly file: string
  /** The request that failed, and its response. */
  readonly request: Seq
  readonly response: JsonObject
}

/** ms between two frames. */
const APART = 3

/**
 * @param url a server with a tool `t` that fails when it is called with `args`
 * @param length frames, at least; the failed call is after three fifths of them
 */
export const recordOneFailure = async (url: string, args: JsonObject, length: number): Promise<OneFailure> => {
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 's1',
    transport: new StreamableHttpTransport({ url }),
    clientInfo: { name: 'test', version: '1' },
  })
  await session.open()
  await session.request('tools/list')
  const begun = trace.length
  // The response arrives before its body ends.
  const ended = new Promise<void>((resolve) =>
    trace.subscribe(
      (frame) => void (frame.kind === 'http' && frame.phase === 'end' && frame.request >= begun && resolve()),
    ),
  )
  await session.request('tools/call', { name: 't', arguments: args }).catch(() => {})
  await ended
  const failed = [...trace].slice(begun)
  const before = [...trace].slice(0, begun)
  await session.close()

  const frames: Frame[] = [...before]
  const add = (one: readonly Frame[], id: number) => {
    const moved = frames.length - one[0]!.seq
    for (const frame of one) frames.push({ ...movedBy(frame, moved, id), seq: frames.length })
  }
  // Without the end of the request, which is what failed as well.
  const good = failed.filter(({ kind }) => kind !== 'session').map(succeeding)
  const failAt = Math.floor((length * 3) / 5)
  let id = 1000
  while (frames.length < failAt) add(good, id++)
  const place = frames.length
  add(failed, id++)
  const own = frames.slice(place, place + failed.length)
  while (frames.length < length) add(good, id++)

  const head = headOf({
    begunAt: new Date(0).toISOString(),
    tool: { name: 'mcp-periscope', version: '0.1.0' },
    servers: [{ link: 's1', name: 'One failure', target: { kind: 'url', url, headers: [] } }],
    removed: [],
  })
  const messages = own.filter((frame) => frame.kind === 'message')
  return {
    file: [
      ...sessionText(
        head,
        frames.map((frame, at) => ({ ...frame, at: at * APART })),
      ),
    ].join(''),
    request: messages[0]!.seq,
    response: messages[1]!.message as JsonObject,
  }
}

/** The same frame of a later call: it refers to other frames by their number. */
const movedBy = (frame: Frame, by: number, id: number): Frame => {
  const moved: Record<string, unknown> = { ...frame, seq: frame.seq + by }
  for (const key of ['carrier', 'request']) if (typeof moved[key] === 'number') moved[key] = moved[key] + by
  if (frame.kind === 'message' && isObject(frame.message)) {
    const { params } = frame.message
    const meta = isObject(params) && isObject(params._meta) ? { _meta: { ...params._meta, progressToken: id } } : {}
    moved['message'] = {
      ...frame.message,
      ...(frame.message.id === null ? {} : { id }),
      ...(isObject(params) ? { params: { ...params, ...meta } } : {}),
    }
  }
  return moved as unknown as Frame
}

const succeeding = (frame: Frame): Frame => {
  if (frame.kind === 'http' && frame.phase === 'response')
    return { ...frame, status: 200, statusText: 'OK', headers: [['content-type', 'application/json']] }
  if (frame.kind !== 'message' || frame.direction === 'sent' || !isObject(frame.message)) return frame
  const { error: _, id: __, ...rest } = frame.message
  return {
    ...frame,
    type: 'result',
    message: { ...rest, id: 0, result: { content: [{ type: 'text', text: 'fine' }] } },
  }
}
