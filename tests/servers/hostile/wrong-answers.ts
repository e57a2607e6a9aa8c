/** Invalid single-body responses to `tools/call`. */
import type { Behaviour } from './behaviours.ts'
import { beginEvents, event, json, result, type Fault } from './wire.ts'

export const wrongAnswers: Partial<Record<Behaviour, Fault>> = {
  'bad-json': (exchange) => json(exchange, '{"jsonrpc":"2.0","id":'),
  'wrong-id': (exchange) => json(exchange, result(exchange.message.id + 1000)),
  'null-id': (exchange) => json(exchange, { ...result(0), id: null }),
  'no-id': (exchange) => json(exchange, { jsonrpc: '2.0', result: result(0)['result']! }),
  'id-as-string': (exchange) => json(exchange, { ...result(0), id: String(exchange.message.id) }),
  'error-null': (exchange) => json(exchange, { ...result(exchange.message.id), error: null }),
  html: (exchange) => json(exchange, '<!doctype html><title>Welcome</title>', 200, 'text/html'),
  'html-404': (exchange) => json(exchange, '<h1>Not here</h1>', 404, 'text/html'),
  '500-text': (exchange) => json(exchange, 'stack overflow in line 7', 500, 'text/plain'),
  'error-id-null': (exchange) =>
    json(exchange, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Unreadable' } }, 400),
  'json-no-content-type': (exchange) => json(exchange, result(exchange.message.id), 200, ''),
  'batch-answer': (exchange) => json(exchange, [result(exchange.message.id)]),
  'both-result-and-error': (exchange) =>
    json(exchange, { ...result(exchange.message.id), error: { code: 1, message: 'and failed' } }),
  'named-status': (exchange) => {
    const {
      status = 400,
      type = 'text/plain',
      body = '',
      rpc,
    } = (exchange.message.params?.arguments ?? {}) as {
      status?: number
      type?: string
      body?: string
      rpc?: 'id' | 'null'
    }
    exchange.response.setHeader('Retry-After', '30')
    if (rpc === undefined) return json(exchange, body, status, type)
    const error = { code: -32000, message: body }
    json(exchange, { jsonrpc: '2.0', id: rpc === 'id' ? exchange.message.id : null, error }, status)
  },
  '202-for-request': ({ response }) => void response.writeHead(202).end(),
  'answer-twice': (exchange) => {
    const answer = event(result(exchange.message.id))
    beginEvents(exchange)
    exchange.response.end(answer + answer)
  },
  'sse-wrong-case-content-type': (exchange) => {
    beginEvents(exchange, 'Text/Event-Stream; charset=UTF-8')
    exchange.response.end(event(result(exchange.message.id)))
  },
}
