/** Node only: it needs an IndexedDB that is empty for each test and can be removed. */
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../tests/patience.ts'
import { Trace, type Frame, type Json } from '../mcp/index.ts'
import { readSession } from './read.ts'
import { SessionWriter, type WriterEvent, type WriterOptions } from './store-writer.ts'
import { SessionStore, type SessionProgress } from './store.ts'

const DAY = 86_400_000

let now = Date.parse('2026-05-01T10:00:00Z')
const open = () => SessionStore.open({ now: () => now })

const head = {
  begunAt: '2026-05-01T10:00:00.000Z',
  tool: { name: 'mcp-periscope', version: '1.0.0' },
  servers: [{ link: 's1', name: 'one' }],
}
const standing = (more: Partial<SessionProgress> = {}): SessionProgress => ({ head, words: [], ...more })

const say = (trace: Trace, message: Json) =>
  trace.append({ kind: 'message', direction: 'sent', type: 'request', message, size: 10, link: 's1' })

let ids = 0
const writing = (
  store: SessionStore,
  trace: Trace,
  more: Partial<Pick<WriterOptions, 'told' | 'unwritten' | 'makeRoom'>> & { budget?: number } = {},
) =>
  new SessionWriter({
    store,
    trace,
    head: () => head,
    budget: () => more.budget ?? 1e9,
    newId: () => `id-${++ids}`,
    every: 1_000,
    ...(more.told ? { told: more.told } : {}),
    ...(more.unwritten ? { unwritten: more.unwritten } : {}),
    ...(more.makeRoom ? { makeRoom: more.makeRoom } : {}),
  })

const opened = async (store: SessionStore, id: string) => await readSession(store.read(id))

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  now = Date.parse('2026-05-01T10:00:00Z')
})
afterEach(() => void vi.useRealTimers())

describe('a live session is kept', () => {
  test('as it was captured, frame for frame, and says that it was closed when its page was left', async () => {
    const store = await open()
    const trace = new Trace()
    const writer = writing(store, trace)
    for (let id = 0; id < 300; id++)
      say(trace, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: `t${id}` } })
    await writer.flush()
    say(trace, 'the last word')
    writer.leave()
    const [kept] = await eventually(async () => {
      const list = await store.list()
      expect(list[0]).toMatchObject({ closed: true, frames: 301 })
      return list
    })
    expect(kept!.words).toEqual(expect.arrayContaining(['tools/call', 't0', 't299']))
    const session = await opened(store, kept!.id)
    expect(session.frames).toEqual([...trace])
    expect(session.head).toMatchObject(head)
    expect(session.damage).toEqual([])
  })

  test('in batches: at most one a second, however many frames come', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const store = await open()
    const trace = new Trace()
    const written: WriterEvent[] = []
    writing(store, trace, { told: (event) => event.kind === 'written' && written.push(event) })
    for (let second = 0; second < 3; second++) {
      for (let n = 0; n < 50; n++) say(trace, n)
      await vi.advanceTimersByTimeAsync(900)
      expect(written).toHaveLength(second)
      await vi.advanceTimersByTimeAsync(100)
      vi.useRealTimers()
      await eventually(() => expect(written).toHaveLength(second + 1))
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    }
  })

  test('up to the last batch when its page crashes, and says that it was not closed', async () => {
    const store = await open()
    const trace = new Trace()
    const writer = writing(store, trace)
    say(trace, 1)
    say(trace, 2)
    await writer.flush()
    say(trace, 3)
    // The page is gone now: nothing was flushed or announced.
    const [kept] = await (await open()).list()
    expect(kept).not.toHaveProperty('closed')
    const session = await opened(store, kept!.id)
    expect(session.frames).toEqual([...trace].slice(0, 2))
    expect(session.damage.map(({ code }) => code)).toEqual(['truncated'])
  })

  test('without bodies that would block the page: what they were is still told', async () => {
    const store = await open()
    const trace = new Trace()
    const writer = writing(store, trace)
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'big', data: 'x'.repeat(5e6) } }
    trace.append({ kind: 'message', direction: 'sent', type: 'request', message, size: 5e6, link: 's1' })
    await writer.flush()
    const { frames, head: read } = await opened(store, writer.id!)
    expect(frames[0]).toMatchObject({ size: 5e6, released: { id: 7, method: 'tools/call' } })
    expect(frames[0]).not.toHaveProperty('message')
    expect(read.omittedAbove).toBe(4 * 1024 * 1024)
  })

  test('what its user writes about it stays while frames go on coming', async () => {
    const store = await open()
    const trace = new Trace()
    const writer = writing(store, trace)
    say(trace, 1)
    await writer.flush()
    await store.change(writer.id!, { name: 'The odd one', bookmarks: [{ seq: 0, text: 'here' }] })
    say(trace, 2)
    await writer.flush()
    expect((await store.get(writer.id!))?.head).toMatchObject({ name: 'The odd one', bookmarks: [{ seq: 0 }] })
    await store.change(writer.id!, { name: undefined })
    expect((await store.get(writer.id!))?.head).not.toHaveProperty('name')
  })
})

test('a page that is left before its first batch leaves all that there was', async () => {
  const store = await open()
  const trace = new Trace()
  const writer = writing(store, trace)
  say(trace, 1)
  writer.leave()
  await eventually(async () => expect(await store.list()).toHaveLength(1))
  const [kept] = await store.list()
  expect(kept).toMatchObject({ closed: true, frames: 1 })
  // It is back and continues.
  say(trace, 2)
  await writer.flush()
  const session = await opened(store, kept!.id)
  expect(session.frames).toEqual([...trace])
  expect(await store.list()).toHaveLength(1)
})

test('a bookmark set just before the page is left is kept, and can be taken away later', async () => {
  const store = await open()
  const trace = new Trace()
  const writer = writing(store, trace, { unwritten: () => [{ seq: 0, text: 'at the last moment' }] })
  say(trace, 1)
  await writer.flush()
  writer.leave()
  const id = writer.id!
  await eventually(async () => expect(await store.get(id)).toHaveProperty('closed', true))
  expect((await store.get(id))?.head.bookmarks).toEqual([{ seq: 0, text: 'at the last moment' }])
  await store.change(id, { name: 'Named since' })
  expect((await store.get(id))?.head).toMatchObject({ name: 'Named since', bookmarks: [{ seq: 0 }] })
  now += 1
  await store.change(id, { bookmarks: [] })
  expect((await store.get(id))?.head.bookmarks).toEqual([])
})

describe('room', () => {
  const keep = async (store: SessionStore, id: string, size: number, more: Partial<SessionProgress> = {}) => {
    await store.begin(id, now, standing())
    await store.append(id, 'x'.repeat(size), 1, standing(more))
    now += 60_000
  }

  test('the oldest go first, those whose page lives never, and only as many as need be', async () => {
    const store = await open()
    for (const id of ['a', 'b', 'c', 'd']) await keep(store, id, 100)
    expect(await store.trim(250, 14, new Set(['a']))).toEqual(['b', 'c'])
    expect((await store.list()).map(({ id }) => id)).toEqual(['d', 'a'])
    expect(await store.trim(250, 14, new Set())).toEqual([])
  })

  test('days count from when something came last', async () => {
    const store = await open()
    await keep(store, 'old', 1)
    now += 10 * DAY
    await keep(store, 'new', 1)
    now += 5 * DAY
    expect(await store.trim(1e9, 14, new Set())).toEqual(['old'])
  })

  test('a session that fills the budget by itself is kept as far as it fits, and says so', async () => {
    const store = await open()
    const trace = new Trace()
    const told: WriterEvent[] = []
    const writer = writing(store, trace, { budget: 1_000, told: (event) => told.push(event) })
    say(trace, 'fits')
    await writer.flush()
    say(trace, 'x'.repeat(2_000))
    await writer.flush()
    say(trace, 'after')
    await writer.flush()
    expect(told.at(-1)).toMatchObject({ kind: 'full' })
    const [kept] = await store.list()
    expect(kept).toMatchObject({ frames: 1, cut: true })
    expect(kept!.size).toBeLessThan(1_000)
  })
})

describe('two tabs', () => {
  test('write side by side and see each other', async () => {
    const [one, other] = await Promise.all([open(), open()])
    const [left, right] = [new Trace(), new Trace()]
    const [first, second] = [writing(one, left), writing(other, right)]
    for (let n = 0; n < 40; n++) {
      say(left, { left: n })
      say(right, { right: n })
      if (n % 7 === 0) await Promise.all([first.flush(), second.flush()])
    }
    await Promise.all([first.flush(), second.flush()])
    expect(await one.list()).toHaveLength(2)
    expect((await opened(other, first.id!)).frames).toEqual([...left])
    expect((await opened(one, second.id!)).frames).toEqual([...right])
  })

  test('what one clears stays cleared: the other begins anew with what comes next, and loses none of it', async () => {
    const [one, other] = await Promise.all([open(), open()])
    const trace = new Trace()
    const writer = writing(one, trace)
    say(trace, 'before')
    await writer.flush()
    const first = writer.id
    await other.clear()
    expect(await other.list()).toEqual([])
    const after: Frame[] = [say(trace, 'after'), say(trace, 'and more')]
    await writer.flush()
    expect(writer.id).not.toBe(first)
    const session = await opened(other, writer.id!)
    expect(session.frames.map((frame) => frame.kind === 'message' && frame.message)).toEqual(['after', 'and more'])
    expect(session.frames).toHaveLength(after.length)
    expect(session.damage.map(({ code }) => code)).toContain('holes')
  })
})

test('without IndexedDB nothing is kept, and why is said', async () => {
  // As in some private windows.
  Reflect.deleteProperty(globalThis, 'indexedDB')
  await expect(SessionStore.open()).rejects.toThrow(/IndexedDB isn't available/)
})

test('a store that fails stops the writer with a word, and harms nobody else', async () => {
  const store = await open()
  const trace = new Trace()
  const told: WriterEvent[] = []
  const writer = writing(store, trace, { told: (event) => told.push(event) })
  store.close()
  say(trace, 1)
  await writer.flush()
  expect(told).toMatchObject([{ kind: 'failed' }])
  say(trace, 2)
  await writer.flush()
  expect(trace.length).toBe(2)
  expect(told).toHaveLength(1)
})

describe('where the browser gives no more room', () => {
  /** As in Chromium: the write is aborted, and only its transaction has the reason. */
  const quota = () => new DOMException('', 'QuotaExceededError')

  /** A store that has room for this many sessions. */
  const tight = (store: SessionStore, most: number): SessionStore =>
    new Proxy(store, {
      get(target, name) {
        if (name !== 'append') {
          const value = Reflect.get(target, name) as unknown
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        }
        return async (...values: Parameters<SessionStore['append']>) => {
          if ((await target.list()).length > most) throw quota()
          return await target.append(...values)
        }
      },
    })

  const keep = async (store: SessionStore, text: string): Promise<string> => {
    const trace = new Trace()
    const writer = writing(store, trace)
    say(trace, text)
    await writer.stop()
    now += 1000
    return writer.id!
  }

  test('the oldest sessions go until what comes has room, and no frame of it is lost', async () => {
    const store = await open()
    const [first, second, third] = [await keep(store, 'a'), await keep(store, 'b'), await keep(store, 'c')]
    const trace = new Trace()
    const told: WriterEvent[] = []
    const makeRoom = async () => (await store.dropOldest(new Set())) !== undefined
    const writer = writing(tight(store, 2), trace, { makeRoom, told: (event) => told.push(event) })
    for (let n = 0; n < 20; n++) say(trace, { n })
    await writer.flush()
    expect((await store.list()).map(({ id }) => id)).toEqual([writer.id, third])
    expect([first, second]).not.toContain(writer.id)
    expect((await opened(store, writer.id!)).frames).toEqual([...trace])
    expect(told.map(({ kind }) => kind)).toEqual(['begun', 'written'])
  })

  test('sessions of pages that live stay, and where no other is left it is told why nothing more is stored', async () => {
    const store = await open()
    const living = await keep(store, 'open in another tab')
    const trace = new Trace()
    const told: WriterEvent[] = []
    const makeRoom = async () => (await store.dropOldest(new Set([living, writer.id!]))) !== undefined
    const writer: SessionWriter = writing(tight(store, 1), trace, { makeRoom, told: (event) => told.push(event) })
    say(trace, 'too much')
    await writer.flush()
    expect(told.at(-1)).toMatchObject({ kind: 'failed', quota: true })
    expect((await store.list()).map(({ id }) => id)).toContain(living)
  })
})
