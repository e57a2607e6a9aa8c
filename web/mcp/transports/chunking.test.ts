import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isObject, Session, StreamableHttpTransport, Trace, type Frame, type Json } from '../index.ts'

type HttpFrame = Extract<Frame, { kind: 'http' }>

/** Real peers can't cut a response at given bytes on demand, so this server is a `fetch`. */
const cuttingFetch = (
  answerTo: (message: { id?: number; method?: string }) => string,
  cuts: readonly number[],
  slowly: boolean,
): typeof fetch => {
  return async (_, init) => {
    if (init?.method !== 'POST') return new Response(null, { status: 405 })
    const message = JSON.parse(init.body as string) as { id?: number; method?: string }
    if (message.id === undefined) return new Response(null, { status: 202 })
    const whole = new TextEncoder().encode(answerTo(message))
    const places = [...new Set(cuts.map((cut) => cut % whole.length))].sort((a, b) => a - b)
    let from = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const to = places.find((place) => place > from) ?? whole.length
        if (slowly) await new Promise((resolve) => setTimeout(resolve))
        controller.enqueue(whole.slice(from, to))
        from = to
        if (from === whole.length) controller.close()
      },
    })
    return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } })
  }
}

const sse = (id: string, message: Json): string => `id: ${id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`

const answerTo = ({ id, method }: { id?: number; method?: string }): string => {
  if (method === 'initialize') {
    return `id: 0\ndata: \n\n${sse('1', { jsonrpc: '2.0', id: id!, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'Ölfaß 🛢', version: '1' } } })}`
  }
  return [
    ': keep-alive\n\nretry: 1234\n\n',
    sse('2', {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: id!, progress: 1, message: '进行中' },
    }),
    'id: 3\ndata: {"broken": \n\n',
    sse('4', { jsonrpc: '2.0', id: id!, result: { content: [{ type: 'text', text: 'fertig ✔' }] } }),
  ].join('')
}

/** A frame without the values that differ between runs. */
const timeless = ({ at: _, ...frame }: Frame): unknown => frame

const framesOf = async (cuts: readonly number[], slowly = false): Promise<unknown[][]> => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({
    url: 'http://127.0.0.1:1/mcp',
    fetch: cuttingFetch(answerTo, cuts, slowly),
  })
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
  })
  await session.open()
  const result = await session.request('tools/call', { name: 'x' })
  expect(isObject(result) && result.content).toEqual([{ type: 'text', text: 'fertig ✔' }])
  // A response may be read shortly before its stream ends.
  while (!allEnded(trace)) await new Promise((resolve) => setTimeout(resolve))
  await session.close()
  // The GET stream is rejected in the background, at any point among the rest; and the next request may be sent while
  // the previous response is still ending. So each exchange is compared separately.
  const exchanges = new Map<number | undefined, unknown[]>()
  for (const frame of trace) {
    if (isListening(trace, frame.seq)) continue
    const exchange = exchangeOf(frame)
    exchanges.set(exchange, [...(exchanges.get(exchange) ?? []), withoutSeqs(timeless(frame))])
  }
  return [...exchanges.values()]
}

/** The HTTP request that a frame belongs to. */
const exchangeOf = (frame: Frame): number | undefined => {
  if (frame.kind === 'http') return frame.phase === 'request' ? frame.seq : frame.request
  if (frame.kind === 'stream') return frame.request
  return frame.kind === 'message' ? frame.carrier : undefined
}

const allEnded = (trace: Trace): boolean => {
  const posts = [...trace].filter((frame) => frame.kind === 'http' && !isListening(trace, frame.seq)) as HttpFrame[]
  const count = (phase: HttpFrame['phase']) => posts.filter((frame) => frame.phase === phase).length
  return count('end') === count('request')
}

const isListening = (trace: Trace, seq: number): boolean => {
  const frame = trace.at(seq)!
  if (frame.kind !== 'http') return false
  const request = frame.phase === 'request' ? frame : trace.at(frame.request)
  return request?.kind === 'http' && request.phase === 'request' && request.purpose === 'listen'
}

const withoutSeqs = (frame: unknown): unknown =>
  JSON.parse(
    JSON.stringify(frame, (key, value: unknown) => (['seq', 'request', 'carrier'].includes(key) ? undefined : value)),
  )

describe('a stream in pieces', () => {
  test('any chunking gives the same frames, split characters and split lines included', async () => {
    const expected = await framesOf([])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 2000 }), { maxLength: 30 }), fc.boolean(), async (cuts, slowly) => {
        expect(await framesOf(cuts, slowly)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
    const everyByte = Array.from({ length: 2000 }, (_, index) => index)
    expect(await framesOf(everyByte)).toEqual(expected)
  })
})
