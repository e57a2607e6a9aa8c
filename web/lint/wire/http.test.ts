import { describe, expect, test } from 'vitest'
import { Trace } from '../../mcp/index.ts'
import type { JsonObject, Revision } from '../../mcp/index.ts'
import { cites, judged, listed, modern, Talk } from '../talk.case.ts'

const SESSIONS = ['2025-03-26', '2025-06-18', '2025-11-25'] as const satisfies readonly Revision[]
const initialized: JsonObject = { jsonrpc: '2.0', method: 'notifications/initialized' }
const note: JsonObject = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }
const answerTo = ({ id }: JsonObject, result: JsonObject = { tools: [] }): JsonObject => ({
  jsonrpc: '2.0',
  id: id!,
  result,
})

describe.each(SESSIONS)('what a server answers over HTTP in %s', (revision) => {
  test('TR-HTTP-04: a notification is answered with 202 and nothing', () => {
    const talk = new Talk().shakeHands(revision)
    const good = talk.post(initialized)
    good.head(202, '')
    good.end()
    const refused = talk.post(initialized)
    refused.head(400)
    refused.says({ jsonrpc: '2.0', error: { code: -32600, message: 'no' } })
    expect(cites(talk)).toEqual([])
    const ok = talk.post(initialized)
    ok.head(200, 'text/plain')
    ok.end(2, 'OK')
    expect(cites(talk)).toEqual(['TR-HTTP-04 MUST', 'TR-HTTP-04 MUST'])
  })

  test('TR-HTTP-04, BP-10: an answer to a notification is told as both', () => {
    const talk = new Talk().shakeHands(revision)
    const post = talk.post(initialized)
    post.head(200)
    post.says({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no' } })
    expect(cites(talk)).toEqual(['TR-HTTP-04 MUST', 'TR-HTTP-04 MUST', 'BP-10 MUST'])
  })

  test('TR-HTTP-05: a request is answered with JSON or a stream', () => {
    const talk = new Talk().shakeHands(revision)
    for (const type of ['application/json; charset=utf-8', 'Text/Event-Stream']) {
      const request = talk.request('tools/list')
      const post = talk.post(request)
      post.head(200, type)
      post.says(answerTo(request))
    }
    talk.post(talk.request('tools/list')).head(500, 'text/html')
    expect(cites(talk).filter((cite) => !cite.startsWith('TR-HTTP-21'))).toEqual([])
    for (const [status, type] of [
      [200, 'text/html'],
      [200, ''],
      [202, ''],
    ] as const) {
      talk.post(talk.request('tools/list')).head(status, type)
    }
    const empty = talk.post(talk.request('tools/list'))
    empty.head(200)
    empty.end(0)
    expect(cites(talk).filter((cite) => cite === 'TR-HTTP-05 MUST')).toHaveLength(4)
  })

  test('TR-HTTP-08: what follows the response on its stream is reported once', () => {
    const talk = new Talk().shakeHands(revision)
    const request = talk.request('tools/call', { name: 't', arguments: {} })
    const post = talk.post(request)
    post.head(200, 'text/event-stream')
    post.says(note, { eventId: 'a' })
    post.says(answerTo(request, { content: [] }), { eventId: 'b' })
    const trailing = () => cites(talk).filter((each) => each.startsWith('TR-HTTP-08'))
    expect(trailing()).toEqual([])
    post.says(note, { eventId: 'c' })
    post.says(note, { eventId: 'd' })
    expect(trailing()).toEqual(['TR-HTTP-08 SHOULD'])
  })

  test('TR-HTTP-16: GET is answered with a stream or 405', () => {
    const talk = new Talk().shakeHands(revision)
    const get = (status: number, type: string, more = {}) => talk.head(talk.http('GET', 'listen', more), status, type)
    get(200, 'text/event-stream')
    get(405, '')
    talk.head(talk.http('GET', 'listen'), 401, '', [['www-authenticate', 'Bearer resource_metadata="https://h/prm"']])
    get(404, '', { headers: [['mcp-session-id', 'abc']] })
    expect(cites(talk)).toEqual([])
    get(200, 'application/json')
    get(404, '')
    get(500, 'text/plain')
    expect(cites(talk)).toEqual(['TR-HTTP-16 MUST', 'TR-HTTP-16 MUST', 'TR-HTTP-16 MUST'])
  })

  test('TR-HTTP-16: GET before the handshake is the search for an older transport', () => {
    const talk = new Talk()
    talk.post(talk.request('initialize', { protocolVersion: revision })).head(404, 'text/plain')
    talk.head(talk.http('GET', 'listen'), 404, 'text/plain')
    expect(cites(talk)).toEqual([])
  })

  test('TR-HTTP-17: an answer on a GET stream is told, unless it carries on the stream of its POST', () => {
    const talk = new Talk().shakeHands(revision)
    const [one, two] = [talk.request('tools/list'), talk.request('tools/list')]
    const post = talk.post(one)
    post.head(200, 'text/event-stream')
    const resume = talk.http('GET', 'resume', { origin: post.seq })
    talk.head(resume, 200, 'text/event-stream')
    talk.received(answerTo(one), { carrier: resume })
    expect(cites(talk).filter((cite) => !cite.startsWith('TR-HTTP-21'))).toEqual([])
    talk.post(two).head(200, 'text/event-stream')
    const get = talk.http('GET', 'listen')
    talk.head(get, 200, 'text/event-stream')
    talk.received(answerTo(two), { carrier: get })
    expect(cites(talk)).toContain('TR-HTTP-17 MUST')
  })

  test('TR-HTTP-18: one message on two streams is told', () => {
    const talk = new Talk().shakeHands(revision)
    const streams = [0, 1].map(() => talk.http('GET', 'listen'))
    for (const get of streams) {
      talk.head(get, 200, 'text/event-stream')
      talk.received({ jsonrpc: '2.0', id: 'q', method: 'ping' }, { carrier: get })
    }
    expect(cites(talk)).toContain('TR-HTTP-18 MUST')
  })

  test('TR-HTTP-20: an event id that comes back with another event is told, one that is sent again is not', () => {
    const talk = new Talk().shakeHands(revision)
    const get = talk.http('GET', 'listen')
    talk.head(get, 200, 'text/event-stream')
    const first = talk.received(note, { carrier: get, eventId: 'e1' })
    const resumed = talk.http('GET', 'resume', { origin: get })
    talk.head(resumed, 200, 'text/event-stream')
    talk.received(note, { carrier: resumed, eventId: 'e1' })
    talk.add({ kind: 'stream', event: 'data', request: resumed, id: 'e1', size: 4, repeated: true })
    const about = (rule: string) => listed(judged(talk)).filter((found) => found.rule === rule)
    expect(about('TR-HTTP-20')).toEqual([])
    const other = talk.http('GET', 'listen')
    talk.head(other, 200, 'text/event-stream')
    talk.received(note, { carrier: other, eventId: 'e1' })
    expect(about('TR-HTTP-20')).toMatchObject([{ keyword: 'MUST', related: first }])
  })

  test('TR-HTTP-29: a session id of other characters than visible ASCII is told, as far as it is kept', () => {
    const talk = new Talk().shakeHands(revision)
    const head = (id: string) =>
      talk.post(talk.request('tools/list')).head(200, 'application/json', [['mcp-session-id', id]])
    head('0a1b2c3d… (36 characters)')
    head('!~'.repeat(6))
    expect(cites(talk)).toEqual([])
    head('a b a b a b')
    head('grün-grün-grün')
    // What the tap keeps of a long one.
    head('0a1b2c3dé… (36 characters)')
    expect(cites(talk)).toEqual(['TR-HTTP-29 MUST', 'TR-HTTP-29 MUST', 'TR-HTTP-29 MUST'])
  })
})

describe('what a server answers over HTTP', () => {
  test('TR-HTTP-21: a stream without a priming event is told once, in 2025-11-25 alone', () => {
    for (const [revision, found] of [
      ['2025-06-18', []],
      ['2025-11-25', ['TR-HTTP-21 SHOULD']],
    ] as const) {
      const talk = new Talk().shakeHands(revision)
      const primed = talk.http('GET', 'listen')
      talk.head(primed, 200, 'text/event-stream')
      talk.add({ kind: 'stream', event: 'data', request: primed, id: 'p', size: 0 })
      talk.received(note, { carrier: primed, eventId: 'n' })
      expect(cites(talk)).toEqual([])
      for (let round = 0; round < 3; round++) {
        const get = talk.http('GET', 'listen')
        talk.head(get, 200, 'text/event-stream')
        talk.received({ ...note, params: { level: 'info', data: round } }, { carrier: get })
      }
      expect(cites(talk)).toEqual(found)
    }
  })

  test('TR-HDR-03: a version that nobody speaks is to be refused', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.post(talk.request('tools/list'), [['MCP-Protocol-Version', '2025-11-25']]).head()
    talk.post(talk.request('tools/list'), [['MCP-Protocol-Version', '1999-01-01']]).head(400)
    expect(cites(talk)).toEqual([])
    talk.post(talk.request('tools/list'), [['MCP-Protocol-Version', '1999-01-01']]).head()
    expect(cites(talk)).toEqual(['TR-HDR-03 MUST'])
  })

  test('TR-HTTP-31, TR-HTTP-32: the stateless era has no session ids, and no GET or DELETE', () => {
    const talk = new Talk().discover()
    for (let round = 0; round < 2; round++) {
      talk.post(talk.request('tools/list', talk.envelope())).head(200, 'application/json', [['Mcp-Session-Id', 'x']])
    }
    talk.head(talk.http('DELETE', 'end-session'), 405, '')
    talk.head(talk.http('GET', 'listen'), 200, 'text/event-stream')
    expect(cites(talk)).toEqual(['TR-HTTP-31 MUST', 'TR-HTTP-32 SHOULD'])
  })

  test('TR-HTTP-08: a stream ends after the response, and one that stays open is told once', () => {
    let time = 0
    const talk = new Talk('s1', new Trace({ now: () => time })).shakeHands('2025-11-25')
    const ask = (wait: number) => {
      const request = talk.request('tools/call', { name: 'a' })
      const post = talk.post(request)
      post.head(200, 'text/event-stream')
      time += 60_000
      post.says(answerTo(request, { content: [] }))
      time += wait
      post.end()
    }
    const cited = () => cites(talk).filter((cite) => cite.startsWith('TR-HTTP-08'))
    ask(100)
    expect(cited()).toEqual([])
    ask(30_000)
    ask(30_000)
    expect(cited()).toEqual(['TR-HTTP-08 SHOULD'])
  })

  test('TR-HTTP-07: what comes in the answer to a request of 2026-07-28 is about it, and before its answer', () => {
    const talk = new Talk().discover()
    const other = talk.request('tools/call', talk.envelope({ name: 'o' }, {}, { progressToken: 'other' }))
    talk.post(other).head(200, 'text/event-stream')
    const request = talk.request('tools/call', talk.envelope({ name: 't' }, {}, { progressToken: 'mine' }))
    const post = talk.post(request)
    post.head(200, 'text/event-stream')
    const progress = (token: string): JsonObject => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, progress: 1 },
    })
    post.says(progress('mine'))
    expect(cites(talk)).toEqual([])
    post.says(progress('other'))
    post.says({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    post.says(answerTo(request, modern({ content: [] })))
    post.says({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' })
    expect(cites(talk)).toEqual(['TR-HTTP-07 MUST', 'TR-HTTP-07 MUST', 'TR-HTTP-07 MUST'])
  })

  test('SF-LOG-03: a log message for a request without a log level is reported', () => {
    const talk = new Talk().discover()
    const silent = talk.post(talk.request('tools/call', talk.envelope({ name: 't' })))
    silent.head(200, 'text/event-stream')
    const meta = { 'io.modelcontextprotocol/logLevel': 'info' }
    const loud = talk.post(talk.request('tools/call', talk.envelope({ name: 't' }, {}, meta)))
    loud.head(200, 'text/event-stream')
    loud.says(note)
    expect(cites(talk)).toEqual([])
    silent.says(note)
    expect(cites(talk)).toEqual(['SF-LOG-03 MUST'])
  })

  test('no rule of HTTP is held against 2024-11-05, which has none of it', () => {
    const talk = new Talk().shakeHands('2024-11-05')
    talk.post(initialized).head(200, 'text/plain')
    talk.head(talk.http('GET', 'listen'), 500, '')
    talk.post(talk.request('tools/list')).head(200, 'text/html')
    expect(cites(talk)).toEqual([])
  })

  test('VN-21: no rule of 2026-07-28 is held against an older server for its answer to the probe', () => {
    const talk = new Talk()
    const probe = () => talk.post(talk.request('server/discover', talk.envelope()))
    probe().head(200, 'text/html')
    const [one, two] = [probe(), probe()]
    one.head(200)
    one.says(answerTo({ id: one.id }, {}))
    two.head(200)
    two.says({ jsonrpc: '2.0', id: two.id, error: { code: -32601, message: 'no' } })
    expect(cites(talk)).toEqual([])
  })
})

describe('HTTP+SSE', () => {
  const endpoint = (talk: Talk, get: number, data: string) =>
    talk.add({ kind: 'stream', event: 'data', request: get, name: 'endpoint', data, size: data.length })
  const begin = () => {
    const talk = new Talk()
    const get = talk.http('GET', 'listen')
    talk.head(get, 200, 'text/event-stream')
    return { talk, get }
  }

  test('is judged by its own rules, whatever revision the two sides agree on', () => {
    const { talk, get } = begin()
    endpoint(talk, get, '/messages?id=1')
    talk.shakeHands('2025-11-25')
    talk.open('2025-11-25', {}, 'HTTP+SSE')
    const request = talk.request('tools/list')
    const post = talk.post(request)
    post.head(202, '')
    post.end(8, 'Accepted')
    talk.received(answerTo(request), { carrier: get })
    const posted = talk.post(initialized)
    posted.head(200, 'text/plain')
    posted.end(2, 'OK')
    expect(cites(talk)).toEqual([])
  })

  test('TR-SSE-01: the endpoint comes first, once, and is an address', () => {
    const late = begin()
    late.talk.received(note, { carrier: late.get })
    endpoint(late.talk, late.get, '/m')
    endpoint(late.talk, late.get, '/m')
    expect(cites(late.talk)).toEqual(['TR-SSE-01 MUST', 'TR-SSE-01 MUST'])
    for (const data of ['{"uri":"/m"}', '', ' ']) {
      const odd = begin()
      endpoint(odd.talk, odd.get, data)
      expect(listed(judged(odd.talk))).toMatchObject([{ rule: 'TR-SSE-01', revision: '2024-11-05' }])
    }
  })

  test('TR-SSE-01: each stream names its own endpoint', () => {
    const { talk, get } = begin()
    endpoint(talk, get, '/m?session=1')
    talk.add({ kind: 'stream', event: 'close', request: get, why: 'broken' })
    const again = talk.http('GET', 'listen')
    talk.head(again, 200, 'text/event-stream')
    endpoint(talk, again, '/m?session=2')
    expect(cites(talk)).toEqual([])
    endpoint(talk, again, '/m?session=3')
    expect(cites(talk)).toEqual(['TR-SSE-01 MUST'])
  })

  test('TR-SSE-02: a response in the body of the POST is found in recordings too', () => {
    const { talk, get } = begin()
    endpoint(talk, get, '/m')
    const request = talk.request('tools/list')
    const post = talk.post(request)
    post.head(200)
    post.end(40)
    talk.received(answerTo(request), { carrier: post.seq })
    expect(cites(talk)).toEqual(['TR-SSE-02 MUST'])
  })

  test('TR-SSE-01: an event of another name can only be meant as the endpoint', () => {
    const first = (name: string | undefined, data: string) => {
      const { talk, get } = begin()
      talk.add({ kind: 'stream', event: 'data', request: get, ...(name === undefined ? {} : { name }), data, size: data.length })
      return cites(talk)
    }
    expect(first('uri', '/messages')).toEqual(['TR-SSE-01 MUST'])
    expect(first('endpoint', '/messages')).toEqual([])
    expect(first('status', '{"jsonrpc":"2.0"}').filter((each) => each.startsWith('TR-SSE'))).toEqual([])
    const settled = new Talk().shakeHands('2025-06-18')
    const get = settled.http('GET', 'listen')
    settled.head(get, 200, 'text/event-stream')
    settled.add({ kind: 'stream', event: 'data', request: get, name: 'hello', data: 'x', size: 1 })
    expect(cites(settled)).toEqual([])
  }) // prettier-ignore

  test('TR-SSE-02: a line that no parser reads is reported', () => {
    const { talk, get } = begin()
    endpoint(talk, get, '/m')
    talk.add({ kind: 'stream', event: 'close', request: get, why: 'ended', stray: '{"jsonrpc":"2.0"}' })
    expect(cites(talk)).toEqual(['TR-SSE-02 MUST'])
  })

  test('TR-SSE-03: an endpoint on another origin is told', () => {
    const { talk, get } = begin()
    endpoint(talk, get, 'http://elsewhere/m')
    expect(cites(talk)).toEqual(['TR-SSE-03 MUST'])
  })

  test('TR-SSE-02: an answer in the body of the POST, or as an event of another name, is told', () => {
    const { talk, get } = begin()
    endpoint(talk, get, '/m')
    const post = talk.post(talk.request('tools/list'))
    post.head(200)
    post.end(40, '{"jsonrpc":"2.0","id":1,"result":{}}')
    talk.add({ kind: 'stream', event: 'data', request: get, name: 'reply', data: '{"jsonrpc":"2.0"}', size: 17 })
    expect(cites(talk)).toEqual(['TR-SSE-02 MUST', 'TR-SSE-02 MUST'])
  })
})

describe('stdout', () => {
  const noise = (talk: Talk, text: string, more = {}) =>
    talk.add({ kind: 'process', event: 'stdout-noise', text, ...more })

  test('TR-STDIO-05: noise is told in every revision, and before any is known', () => {
    for (const talk of [new Talk(), new Talk().shakeHands('2024-11-05'), new Talk().discover()]) {
      noise(talk, 'Server started')
      noise(talk, '[INFO] listening')
      expect(cites(talk)).toEqual(['TR-STDIO-05 MUST', 'TR-STDIO-05 MUST'])
    }
  })

  test('TR-STDIO-02: a message over several lines is told', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    noise(talk, '{')
    noise(talk, '{"jsonrpc":"2.0",')
    expect(cites(talk).filter((cite) => cite === 'TR-STDIO-02 MUST')).toHaveLength(2)
  })

  test('BP-14: noise that is no UTF-8 is told as that too', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    noise(talk, '\uFFFD', { invalidUtf8: true })
    expect(cites(talk)).toEqual(['TR-STDIO-05 MUST', 'BP-14 MUST'])
  })
})
