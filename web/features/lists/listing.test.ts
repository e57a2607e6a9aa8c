import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { Projection, Session, StreamableHttpTransport, Trace, type JsonObject } from '../../mcp/index.ts'
import { listingFold, PAGES_MAX, type Listed } from './listing-fold.ts'
import { continueListing, fetchListing, followListing } from './list-pages.ts'

const THINGS: Listed<string> = {
  method: 'tools/list',
  member: 'tools',
  changed: 'notifications/tools/list_changed',
  itemOf: (raw, _, __, { names }) => {
    const name = (raw as { readonly name: string }).name
    names.add(name)
    return name
  },
  nameOf: (name) => name,
}
const thingsFold = listingFold(THINGS)

/** A server whose list has the given pages. */
const paged = (pages: readonly (readonly string[])[]) => {
  const asked: (string | undefined)[] = []
  const answer = (cursor: string | undefined): JsonObject => {
    asked.push(cursor)
    const at = cursor === undefined ? 0 : Number(cursor)
    const more: JsonObject = at + 1 < pages.length ? { nextCursor: String(at + 1) } : {}
    return { tools: (pages[at] ?? []).map((name) => ({ name, inputSchema: { type: 'object' } })), ...more }
  }
  return { asked, answer }
}

/** A minimal session: its requests are answered immediately. */
const asker = (answer: (cursor: string | undefined) => JsonObject) => {
  const trace = new Trace()
  const lists = new Projection(trace, thingsFold)
  const link = 'a'
  let id = 0
  const write = (direction: 'sent' | 'received', message: JsonObject) =>
    trace.append({ kind: 'message', direction, type: 'request', message, size: 1, link }).seq
  const call = (method: string, params?: JsonObject) => {
    const mine = ++id
    const seq = write('sent', { jsonrpc: '2.0', id: mine, method, ...(params ? { params } : {}) })
    const result = answer(params?.cursor as string | undefined)
    write('received', { jsonrpc: '2.0', id: mine, result })
    return { seq, result: Promise.resolve(result) }
  }
  return { asker: { trace, link, call }, trace, lists, list: () => lists.current.get(link)! }
}

test('SF-PAGE-05: however a server cuts its list into pages, the list is the same, and no size is expected', async () => {
  const anyPages = fc.array(fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 5 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(anyPages, async (pages) => {
      const server = paged(pages)
      const { asker: one, lists, list } = asker(server.answer)
      await fetchListing(one, THINGS, lists)
      expect(list().items).toEqual(pages.flat())
      expect(list().pages.map(({ count }) => count)).toEqual(
        pages.length === 0 ? [0] : pages.map((page) => page.length),
      )
      expect([list().state, list().stopped]).toEqual(['ready', undefined])
    }),
    { numRuns: 50 },
  )
})

test('SF-PAGE-07: after the limit of pages the walk rests until its user lets it go on, and then ends where the list ends', async () => {
  const pages = Array.from({ length: 2 * PAGES_MAX + 5 }, (_, at) => [`t${at}`])
  const server = paged(pages)
  const { asker: one, lists, list } = asker(server.answer)
  await fetchListing(one, THINGS, lists)
  expect([list().state, list().stopped, list().items.length]).toEqual(['ready', 'page-limit', PAGES_MAX])
  expect(server.asked).toHaveLength(PAGES_MAX)
  await continueListing(one, THINGS, list())
  expect([list().state, list().stopped, list().items.length]).toEqual(['ready', 'page-limit', 2 * PAGES_MAX])
  await continueListing(one, THINGS, list())
  expect([list().state, list().stopped, list().more]).toEqual(['ready', undefined, undefined])
  expect(list().items).toEqual(pages.flat())
  // Each page was requested once, and no cursor is left.
  expect(new Set(server.asked).size).toBe(server.asked.length)
  await continueListing(one, THINGS, list())
  expect(server.asked).toHaveLength(pages.length)
})

test('SF-PAGE-04: what a walk could go on with ends with its session', async () => {
  for (const phase of ['renewing', 'closed'] as const) {
    const server = paged(Array.from({ length: PAGES_MAX + 5 }, () => ['a']))
    const { asker: one, trace, lists, list } = asker(server.answer)
    await fetchListing(one, THINGS, lists)
    expect(list().more).toBe(String(PAGES_MAX))
    if (phase === 'renewing') trace.append({ kind: 'session', phase, link: 'a', why: 'HTTP 404' })
    else trace.append({ kind: 'session', phase, link: 'a', why: 'ended' })
    expect(list().more).toBeUndefined()
    await continueListing(one, THINGS, list())
    expect(server.asked).toHaveLength(PAGES_MAX)
  }
})

test('SF-PAGE-04: a session that ends between two pages takes the cursor along; the new one begins at the start', async () => {
  const url = `${inject('hostileUrl')}/h/paged/${crypto.randomUUID()}`
  const trace = new Trace()
  let id: string | undefined
  const transport = new StreamableHttpTransport({
    url,
    fetch: async (...asked) => {
      const response = await fetch(...asked)
      id ??= response.headers.get('mcp-session-id') ?? undefined
      return response
    },
  })
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace, link: 'a', transport, clientInfo, remembered: 'handshake' })
  await session.open()
  const first = await session.request('tools/list')
  expect(first.nextCursor).toBeTypeOf('string')
  // The server drops the session, as if it had been restarted.
  await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id! } })

  const lists = new Projection(trace, thingsFold)
  await expect(session.request('tools/list', { cursor: first.nextCursor! })).rejects.toThrow(/list from the start/)
  const renewed = [...trace].findIndex((frame) => frame.kind === 'session' && frame.phase === 'renewing')
  expect(renewed).toBeGreaterThan(0)
  followListing(session, THINGS, lists)
  await expect.poll(() => lists.current.get('a')?.state).toBe('ready')
  const asked = [...trace].slice(renewed).flatMap((frame) => {
    if (frame.kind !== 'message' || frame.direction !== 'sent') return []
    const { method, params } = frame.message as JsonObject
    return method === 'tools/list' ? [(params as JsonObject | undefined)?.cursor] : []
  })
  expect(asked[0]).toBeUndefined()
  expect(lists.current.get('a')!.items).toHaveLength(9)
  await session.close()
})

test('SF-PAGE-04: a page that is asked for while a new session is being opened is not asked for in it', async () => {
  const url = `${inject('hostileUrl')}/h/session-404-once/${crypto.randomUUID()}`
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url })
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace, link: 'a', transport, clientInfo, remembered: 'handshake' })
  await session.open()
  const page = new Promise<JsonObject>((resolve, reject) => {
    trace.subscribe((frame) => {
      if (frame.kind !== 'session' || frame.phase !== 'renewing') return
      queueMicrotask(() => void session.request('tools/list', { cursor: 'of the old one' }).then(resolve, reject))
    })
  })
  const outcome = expect(page).rejects.toThrow(/list from the start/)
  await session.request('tools/call', { name: 't', arguments: {} })
  await outcome
  expect(JSON.stringify([...trace].filter(({ kind }) => kind === 'message'))).not.toContain('of the old one')
  await session.close()
})
