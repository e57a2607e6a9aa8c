/** Faults in the answer to `tools/call`, by name. Whatever else is asked is answered well. */
import { beginEvents, event, json, pause, result, write, type Exchange, type Fault, type Json } from './wire.ts'

const progress = (token: number, value: number): Json => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: token, progress: value },
})

/** One chunk per byte, so that every line end and every character is cut somewhere. */
const byteByByte = async ({ response }: Exchange, text: string): Promise<void> => {
  for (const byte of Buffer.from(text)) {
    response.write(Uint8Array.of(byte))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const flood = async (exchange: Exchange, count: number, make: (index: number) => Json): Promise<void> => {
  const { response, message } = exchange
  beginEvents(exchange)
  let burst = ''
  for (let index = 1; index <= count; index++) {
    burst += event(make(index))
    if (burst.length < 64_000 && index < count) continue
    if (!(await write(response, burst))) return
    burst = ''
  }
  response.end(event(result(message.id!)))
}

export const callFaults: Record<string, Fault> = {
  'bad-json': (exchange) => json(exchange, '{"jsonrpc":"2.0","id":'),
  'wrong-id': (exchange) => json(exchange, result(exchange.message.id! + 1000)),
  'id-as-string': (exchange) => json(exchange, { ...(result(0) as object), id: String(exchange.message.id) }),
  html: (exchange) => json(exchange, '<!doctype html><title>Welcome</title>', 200, 'text/html'),
  'html-404': (exchange) => json(exchange, '<h1>Not here</h1>', 404, 'text/html'),
  '500-text': (exchange) => json(exchange, 'stack overflow in line 7', 500, 'text/plain'),
  'error-id-null': (exchange) =>
    json(exchange, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Unreadable' } }, 400),
  'json-no-content-type': (exchange) => json(exchange, result(exchange.message.id!), 200, ''),
  'batch-answer': (exchange) => json(exchange, [result(exchange.message.id!)]),
  'both-result-and-error': (exchange) =>
    json(exchange, { ...(result(exchange.message.id!) as object), error: { code: 1, message: 'and failed' } }),
  '202-for-request': (exchange) => void exchange.response.writeHead(202).end(),

  'answer-twice': (exchange) => {
    beginEvents(exchange)
    exchange.response.end(event(result(exchange.message.id!)) + event(result(exchange.message.id!)))
  },
  'sse-wrong-case-content-type': (exchange) => {
    beginEvents(exchange, 'Text/Event-Stream; charset=UTF-8')
    exchange.response.end(event(result(exchange.message.id!)))
  },
  'one-byte-chunks': async (exchange) => {
    beginEvents(exchange)
    const answer = event(result(exchange.message.id!), undefined, '\r\n')
    await byteByByte(exchange, `\uFEFF: hello\r\r${event(progress(exchange.message.id!, 1), undefined, '\r')}${answer}`)
    exchange.response.end()
  },
  'split-utf8': async (exchange) => {
    beginEvents(exchange)
    const bytes = Buffer.from(event(result(exchange.message.id!, '🎈')))
    const inside = bytes.indexOf(Buffer.from('🎈')) + 2
    exchange.response.write(bytes.subarray(0, inside))
    await pause(20)
    exchange.response.end(bytes.subarray(inside))
  },
  'huge-line': async (exchange) => {
    beginEvents(exchange)
    await write(exchange.response, event(result(exchange.message.id!, 'é'.repeat(20_000_000))))
    exchange.response.end()
  },
  'no-headers': () => {},
  'no-first-event': (exchange) => beginEvents(exchange),
  'endless-stream': async (exchange) => {
    beginEvents(exchange)
    for (let batch = 0; batch < 1000; batch++) {
      const lines = Array.from({ length: 100 }, (_, index) =>
        event(progress(exchange.message.id!, batch * 100 + index)),
      )
      if (!(await write(exchange.response, lines.join('')))) return
      await pause(50)
    }
    exchange.response.end()
  },
  'cut-no-ids': async (exchange) => {
    beginEvents(exchange)
    exchange.response.write(event(progress(exchange.message.id!, 1)))
    await pause(10)
    exchange.response.destroy()
  },
  'progress-flood': (exchange) => flood(exchange, 10_000, (index) => progress(exchange.message.id!, index)),
  'progress-decreasing': async (exchange) => {
    beginEvents(exchange)
    for (const value of [3, 2, 1]) exchange.response.write(event(progress(exchange.message.id!, value)))
    exchange.response.end(event(result(exchange.message.id!)))
  },
  'burst-20000': (exchange) =>
    flood(exchange, 20_000, (index) => ({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: {
        level: 'info',
        logger: 'burst',
        data: { index, text: 'a line of ordinary length, as servers write them' },
      },
    })),
  'server-request-in-stream': async (exchange) => {
    beginEvents(exchange)
    for (const [index, method] of ['ping', 'roots/list', 'no/such/method'].entries()) {
      exchange.response.write(event({ jsonrpc: '2.0', id: `s${index}`, method }))
    }
    // The answers come on POSTs of their own; give them the time to.
    await pause(150)
    exchange.response.end(event(result(exchange.message.id!)))
  },
}

/** Faults that need the GET that resumes them: the answer waits there. */
export const resumableFaults: Record<
  string,
  { readonly post: Fault; readonly resumed: (exchange: Omit<Exchange, 'message'>, answer: Json) => void }
> = {
  'priming-empty': {
    post: async (exchange) => {
      beginEvents(exchange)
      exchange.response.write('id: p-1\ndata: \n\n')
      await pause(10)
      exchange.response.destroy()
    },
    resumed: ({ response }, answer) => void response.end(event(answer, 'p-2')),
  },
  'retry-short': {
    post: async (exchange) => {
      beginEvents(exchange)
      exchange.response.write('retry: 80\nid: r-1\ndata: \n\n')
      await pause(10)
      exchange.response.end()
    },
    resumed: ({ response }, answer) => void response.end(event(answer, 'r-2')),
  },
}
