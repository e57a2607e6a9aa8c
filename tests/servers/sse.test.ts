/** The HTTP+SSE peers behave as described, observed with fetch only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { control } from './control.ts'
import { ask, initialize, initialized, post, type Raw } from './raw.ts'
import { start, type SsePeer } from './sse/index.ts'
import type { SseVariant } from './sse/variants.ts'

let peer: SsePeer
beforeAll(async () => void (peer = await start()))
afterAll(() => peer.close())

interface Event {
  readonly type: string
  readonly data: string
}

/** Parses a stream event by event. */
const openStream = async (url: string) => {
  const stop = new AbortController()
  const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal: stop.signal })
  const reader = response.body!.getReader()
  let raw = ''
  let rest = ''
  let end: 'ended' | 'broken' | undefined
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const at = rest.indexOf('\n\n')
      if (at !== -1) {
        const block = rest.slice(0, at)
        rest = rest.slice(at + 2)
        const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line)
        if (data.length > 0) return { type: /^event: (.*)$/m.exec(block)?.[1] ?? '', data: data.join('\n') }
        continue
      }
      if (end) return undefined
      try {
        const { done, value } = await reader.read()
        if (done) end = 'ended'
        const text = decoder.decode(value, { stream: !done })
        raw += text
        rest += text.replaceAll('\r\n', '\n').replace('\uFEFF', '')
      } catch {
        end = 'broken'
      }
    }
  }
  const message = async () => JSON.parse((await next())!.data) as Raw
  return { response, next, message, end: () => end, raw: () => raw, rest: () => rest, stop: () => stop.abort() }
}

const sseUrl = (variant: SseVariant, key = 'raw') => `${peer.url}/variant/${variant}/${key}/sse`

/** Opens the stream, reads the endpoint, and does the handshake. */
const begin = async (url: string) => {
  const stream = await openStream(url)
  let event = await stream.next()
  while (event?.type !== 'endpoint') event = await stream.next()
  const endpoint = new URL(event.data, url).href
  const sent = await post(endpoint, initialize())
  const result = sent.status === 202 ? (await stream.message()).result : ((await sent.json()) as Raw).result
  await post(endpoint, initialized)
  return { ...stream, endpoint, given: event.data, result }
}

const CALL: Raw = { id: 2, method: 'tools/call', params: { name: 't' } }
const ANSWER = { id: 2, result: { content: [{ text: 'Grüße, 世界 🎈' }] } }

describe('the SDK v1 over HTTP+SSE', () => {
  test('answers on the stream, and has no POST at its SSE URL', async () => {
    const url = `${peer.url}/sse`
    const { status, text } = await ask(url, initialize())
    expect([status, text]).toEqual([404, '<pre>Cannot POST /sse</pre>'])
    const stream = await begin(url)
    expect(stream.given).toMatch(/^\/messages\?sessionId=/)
    expect(stream.result).toMatchObject({ serverInfo: { name: 'cutting' } })
    await post(stream.endpoint, { id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'ü' } } })
    expect(await stream.message()).toMatchObject({ id: 2, result: { content: [{ text: 'ü' }] } })
    stream.stop()
  })
})

describe('HTTP+SSE by hand', () => {
  test.each<[SseVariant, RegExp]>([
    ['rooted', /^\/variant\/rooted\/raw\/messages\?session=/],
    ['relative', /^messages\?session=/],
    ['absolute', /^http:\/\/127\.0\.0\.1:\d+\/variant/],
    ['query', /&a=b%20c&redirect=%2Fx%3Fy%3D1&a=2$/],
    ['other-host', /^http:\/\/localhost:/],
    ['late-endpoint', /^\/variant/],
    ['two-endpoints', /^\/variant/],
    ['message-202-body', /^\/variant/],
    ['unnamed-events', /^\/variant/],
    ['crlf-bom', /^\/variant/],
    ['stream-first', /^\/variant/],
  ])('%s names %s and answers on the stream', async (variant, given) => {
    const stream = await begin(sseUrl(variant))
    expect(stream.given).toMatch(given)
    expect(stream.result).toMatchObject({ protocolVersion: '2024-11-05' })
    await post(stream.endpoint, CALL)
    let answer = await stream.next()
    if (variant === 'two-endpoints') {
      expect(answer).toMatchObject({ type: 'endpoint' })
      answer = await stream.next()
    }
    expect(answer?.type).toBe(variant === 'unnamed-events' ? '' : 'message')
    expect(JSON.parse(answer!.data)).toMatchObject(ANSWER)
    if (variant === 'crlf-bom') expect(stream.raw()).toMatch(/^\uFEFF: hello\r\n[^]*data: \{\r\ndata: /)
    stream.stop()
  })

  test('other-origin and script-url name what no client may use; the other origin counts what it gets', async () => {
    const stream = await openStream(sseUrl('other-origin'))
    const { data } = (await stream.next())!
    expect(new URL(data).origin).not.toBe(peer.url)
    expect(await control(sseUrl('other-origin'), 'stranger')).toEqual([])
    await post(data, initialize())
    expect(peer.stranger()).toHaveLength(1)
    stream.stop()
    const script = await openStream(sseUrl('script-url'))
    expect(await script.next()).toEqual({ type: 'endpoint', data: 'javascript:alert(1)' })
    script.stop()
    const empty = await openStream(sseUrl('empty-endpoint'))
    expect(await empty.next()).toEqual({ type: 'endpoint', data: '' })
    empty.stop()
  })

  test.each<[SseVariant, number, string]>([
    ['post-400', 400, 'Bad Request'],
    ['post-404', 404, 'Cannot POST'],
    ['post-405', 405, ''],
    ['rooted', 404, 'Cannot POST'],
  ])('%s refuses a POST to the SSE URL with %i, and is well otherwise', async (variant, status, words) => {
    const refused = await ask(sseUrl(variant, 'posted'), initialize())
    expect(refused.status).toBe(status)
    expect(refused.text).toContain(words)
    const stream = await begin(sseUrl(variant, 'posted'))
    expect(stream.result).toMatchObject({ protocolVersion: '2024-11-05' })
    stream.stop()
    const seen = await control<{ method: string }[]>(sseUrl(variant, 'posted'), 'seen')
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'POST'])
  })

  test('GET may give a page, 500, a stream without an endpoint; POSTs may give 400 or the answer', async () => {
    expect((await fetch(sseUrl('get-500'))).status).toBe(500)
    expect((await fetch(sseUrl('get-html'))).headers.get('content-type')).toBe('text/html')
    const wrong = await openStream(sseUrl('json-endpoint'))
    expect(await wrong.next()).toMatchObject({ type: 'message' })
    wrong.stop()
    const silent = await openStream(sseUrl('no-endpoint'))
    const nothing = await Promise.race([silent.next(), new Promise((resolve) => setTimeout(resolve, 100, 'nothing'))])
    expect(nothing).toBe('nothing')
    silent.stop()
    const refusing = await openStream(sseUrl('message-400'))
    const endpoint = new URL((await refusing.next())!.data, peer.url).href
    expect((await post(endpoint, initialize())).status).toBe(400)
    refusing.stop()
    for (const variant of ['message-200-json', 'message-both'] as const) {
      const stream = await begin(sseUrl(variant))
      if (variant === 'message-both') await stream.next()
      expect(await (await post(stream.endpoint, CALL)).json()).toMatchObject(ANSWER)
      if (variant === 'message-both') expect(await stream.message()).toMatchObject(ANSWER)
      stream.stop()
    }
  })

  test('cut breaks in the middle of the answer, ends ends before it, bad-json breaks off', async () => {
    const cut = await begin(sseUrl('cut'))
    // Read before it breaks: a broken stream loses what wasn't read.
    const next = cut.next()
    await post(cut.endpoint, CALL)
    expect([await next, cut.end()]).toEqual([undefined, 'broken'])
    expect(cut.rest()).toContain('"resul')
    const ends = await begin(sseUrl('ends'))
    await post(ends.endpoint, CALL)
    expect([await ends.next(), ends.end(), ends.rest()]).toEqual([undefined, 'ended', ''])
    const bad = await begin(sseUrl('bad-json'))
    await post(bad.endpoint, CALL)
    expect((await bad.next())?.data).toBe('{"jsonrpc":"2.0","id":')
    bad.stop()
  })

  test('asks-back waits for both answers', async () => {
    const stream = await begin(sseUrl('asks-back'))
    await post(stream.endpoint, CALL)
    for (const method of ['ping', 'roots/list']) {
      const question = await stream.message()
      expect(question).toMatchObject({ id: `s-${method}`, method })
      await post(stream.endpoint, { id: question.id, result: {} })
    }
    expect(await stream.message()).toMatchObject(ANSWER)
    stream.stop()
  })

  test('a name written wrong, or a session that is not there, is refused', async () => {
    expect((await fetch(`${peer.url}/variant/no-such/sse`)).status).toBe(404)
    expect((await post(`${peer.url}/variant/rooted/x/messages?session=none`, initialize())).status).toBe(404)
  })
})
