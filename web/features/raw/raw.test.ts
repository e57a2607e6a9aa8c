import fc from 'fast-check'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import {
  exchanges,
  foldAll,
  httpExchanges,
  LoopbackTransport,
  Session,
  StreamableHttpTransport,
  Trace,
  type JsonObject,
  type Peer,
  type Transport,
} from '../../mcp/index.ts'
import * as schema from '../../mcp/schema/schema.ts'
import { createSampleServer } from '../../sample/server.ts'
import { classify, headersOf, isHeader, outgoing, rowsOf, templatesOf, templateText } from './compose.ts'
import { httpReplyTo, sentFold, textOf } from './sent-fold.ts'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

describe('what a text is', () => {
  test.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['{"jsonrpc":', 'not-json'],
    ['nonsense', 'not-json'],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","method":"ping"}', 'notification'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'result'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}', 'error'],
    ['[]', 'batch'],
    ['{}', 'invalid'],
    ['7', 'invalid'],
  ])('%j is %s', (text, kind) => {
    expect(classify(text, '2025-11-25').kind).toBe(kind)
  })

  test('text that is no JSON is told where', () => {
    expect(classify('{\n  "a": nope }', '2025-11-25').fault).toMatchObject({ line: 2, column: 8 })
  })

  test('any text is looked at without a fault', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom(...REVISIONS), (text, revision) => {
        classify(text, revision)
      }),
    )
  })

  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
  const ask = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const begin = '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
  test.each([
    ['BP-11', answer, '2026-07-28', ['answer']],
    ['BP-11', answer, '2025-11-25', []],
    ['BP-25', `[${ask}]`, '2025-11-25', ['batch']],
    ['BP-25', `[${ask}]`, '2025-03-26', []],
    ['BP-22', `[${begin}]`, '2025-03-26', ['initialize-in-batch']],
    ['BP-23', `[${ask},${answer}]`, '2025-03-26', ['mixed-batch']],
    ['BP-11, BP-25', `[${answer}]`, '2026-07-28', ['answer', 'batch']],
  ] as const)('%s: %s at %s asks before it is sent for %j', (_, text, revision, refusals) => {
    expect(classify(text, revision).refusals).toEqual(refusals)
  })

  test('on stdio laid-out JSON becomes one line that means the same; what is no JSON stays as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 2)
        const line = outgoing(text, classify(text, '2025-11-25'), true)
        expect(line).not.toMatch(/[\r\n]/)
        expect(JSON.parse(line)).toEqual(JSON.parse(text))
      }),
    )
    expect(outgoing('a\nb', classify('a\nb', '2025-11-25'), true)).toBe('a\nb')
    expect(outgoing('{\n}', classify('{\n}', '2025-11-25'), false)).toBe('{\n}')
  })
})

describe('templates', () => {
  test.each(REVISIONS)('every template of %s fits that revision, and none is of another', (revision) => {
    const extensions = ['io.modelcontextprotocol/tasks']
    const templates = templatesOf(schema, revision, extensions)
    expect(templates.length).toBeGreaterThan(12)
    for (const template of templates) {
      const { method, kind } = template
      const text = templateText(template, 'raw-1')
      const { message, kind: seen, refusals } = classify(text, revision)
      expect([method, seen, refusals]).toEqual([method, kind, []])
      expect(schema.verdict(message!, { revision, direction: 'sent', extensions })).toEqual([])
    }
    expect(templates.some(({ method }) => method === 'initialize')).toBe(revision !== '2026-07-28')
  })

  test('the filter takes words in any order, and a group without members has no heading', () => {
    const templates = templatesOf(schema, '2025-11-25', [])
    const methods = (filter: string) =>
      rowsOf(templates, filter).map((row) => (row.is === 'group' ? `# ${row.kind} ${row.count}` : row.template.method))
    expect(methods('list TOOLS')).toEqual(['# request 1', 'tools/list'])
    expect(methods('nothing like it')).toEqual([])
    expect(methods('')[0]).toMatch(/^# request/)
  })
})

test('TR-HDR-02, -06, -07, -08: headers repeat what the text says, written as a header may carry it', () => {
  const peer = { revision: '2026-07-28', capabilities: {} } as Peer
  const of = (message: JsonObject) => headersOf(schema, peer, message).map(({ name, value }) => [name, value])
  expect(of({ method: 'tools/call', params: { name: 'ü' } })).toEqual([
    ['MCP-Protocol-Version', '2026-07-28'],
    ['Mcp-Method', 'tools/call'],
    ['Mcp-Name', '=?base64?w7w=?='],
  ])
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  expect(of({ method: 'tools/list', params: { _meta } })).toEqual([
    ['MCP-Protocol-Version', '2099-01-01'],
    ['Mcp-Method', 'tools/list'],
  ])
  expect(isHeader({ name: 'a b', value: '' }) || isHeader({ name: 'a', value: 'x\ny' })).toBe(false)
})

describe('what was sent by hand', () => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))))

  const connect = async (transport: Transport) => {
    const trace = new Trace()
    const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '1' } })
    await session.open()
    ends.push(() => session.close())
    const book = () => foldAll(sentFold, trace).get('s1')!
    const last = () => book().sent.at(-1)!
    const reply = () => httpReplyTo(last(), foldAll(httpExchanges, trace), (seq) => trace.at(seq))
    return { trace, session, book, last, reply, exchange: () => foldAll(exchanges, trace).bySeq.get(last().seq) }
  }

  test('a request by hand is paired with its answer, over HTTP with its status, and can be had again as it was', async () => {
    const { trace, session, book, last, reply, exchange } = await connect(
      new StreamableHttpTransport({ url: inject('everythingUrl') }),
    )
    const text = '{ "jsonrpc": "2.0",\n "id": "raw-1", "method": "ping" }'
    await session.raw(text)
    await eventually(() => expect(reply().messages).toHaveLength(1))
    expect(last()).toMatchObject({ title: 'ping', type: 'request' })
    expect(reply().head).toMatchObject({ status: 200 })
    expect(exchange()).toMatchObject({ method: 'ping', status: 'ok' })
    expect(textOf(trace.at(last().seq))).toBe(text)
    expect(book()).toMatchObject({ count: 1, transport: 'Streamable HTTP' })
  })

  test('text that is no JSON goes out as it stands, and the server’s answer is shown beside it', async () => {
    const { trace, session, last, reply } = await connect(new StreamableHttpTransport({ url: inject('everythingUrl') }))
    await session.raw('{"jsonrpc":').catch(() => {})
    await eventually(() => expect(reply().head?.status).toBe(400))
    expect(last()).toMatchObject({ type: 'invalid', title: '{"jsonrpc":' })
    const first = trace.at(reply().messages[0]!)
    expect(first?.kind === 'message' && (first.message as JsonObject).error).toMatchObject({ code: -32700 })
  })

  test('without HTTP the answer is found by its id', async () => {
    const { session, last, reply, exchange } = await connect(
      new LoopbackTransport(createSampleServer(), 'in this page'),
    )
    await session.raw('{"jsonrpc":"2.0","id":"x","method":"ping"}')
    await eventually(() => expect(exchange()?.status).toBe('ok'))
    expect(last()).toMatchObject({ title: 'ping' })
    expect(reply()).toEqual({ messages: [] })
    expect(last().carrier).toBeUndefined()
  })

  test('only so many are remembered, each with what it is known by', () => {
    const trace = new Trace({ now: () => 0 })
    for (let at = 0; at < 510; at++) {
      trace.append({
        kind: 'message',
        direction: 'sent',
        type: 'invalid',
        raw: `x${at}\n`,
        size: 1,
        link: 's1',
        byHand: true,
        carrier: at,
      })
    }
    const book = foldAll(sentFold, trace).get('s1')!
    expect([book.count, book.sent.length, book.sent[0]!.title]).toEqual([510, 500, 'x10'])
  })
})
