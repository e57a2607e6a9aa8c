/** Node only: it needs an IndexedDB that is empty for each test. */
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, test } from 'vitest'
import type { Frame } from '../../mcp/index.ts'
import { headOf, readSession, sessionText } from '../../session-file/index.ts'
import { SessionStore } from '../../session-file/store.ts'
import { fitting, storeRecordings } from './recordings.ts'

beforeEach(() => void (globalThis.indexedDB = new IDBFactory()))

const head = headOf({
  begunAt: '2026-05-01T10:00:00.000Z',
  tool: { name: 'mcp-periscope', version: '1.0.0' },
  servers: [{ link: 's1', name: 'one', target: { kind: 'url', url: 'http://a.test/mcp', headers: ['X-Key'] } }],
  notes: 'slow',
})
const call = (seq: number): Frame => ({
  seq,
  at: seq,
  link: 's1',
  kind: 'message',
  direction: 'sent',
  type: 'request',
  size: 20,
  message: { jsonrpc: '2.0', id: seq, method: 'tools/call', params: { name: `t${seq}` } },
})
const fileOf = (frames: readonly Frame[]) => [...sessionText(head, frames)].join('')

test('a recording of a file is stored as it is, complete and searchable by what it calls', async () => {
  const store = await SessionStore.open()
  const frames = [call(0), call(1)]
  expect(await storeRecordings(store, [{ id: 'a', text: fileOf(frames) }], 1e6)).toEqual({ unreadable: 0, left: 0 })
  const [kept] = await store.list()
  expect(kept).toMatchObject({ id: 'a', frames: 2, closed: true, words: ['tools/call', 't0', 't1'] })
  expect(await readSession(store.read('a'))).toEqual({ head, frames, damage: [], damaged: 0 })
  store.close()
})

test('what isn’t a recording is left out and counted, invalid frames are dropped, and typed secrets are masked', async () => {
  const store = await SessionStore.open()
  const headers = [['X-Key', 'Zx81qLmN0pQrS7tUvW']]
  const request = { seq: 1, at: 1, link: 's1', kind: 'http', phase: 'request', method: 'POST', url: 'http://a.test/mcp', headers, size: 1, purpose: 'message' } // prettier-ignore
  const mixed = `${JSON.stringify(head)}\n${JSON.stringify(call(0))}\n{"kind":"evil"}\n[1\n${JSON.stringify(request)}\n`
  const hostile = ['', 'x', '[]', '{"format":"periscope-data"}', '{"format":"periscope-session","version":1e9}', `${'['.repeat(200_000)}`] // prettier-ignore
  const files = [...hostile, mixed].map((text, at) => ({ id: `r${at}`, text }))
  expect(await storeRecordings(store, files, 1e6)).toEqual({ unreadable: hostile.length, left: 0 })
  const list = await store.list()
  expect(list.map(({ id, frames }) => [id, frames])).toEqual([[`r${hostile.length}`, 2]])
  const texts: string[] = []
  for await (const piece of store.read(list[0]!.id)) texts.push(piece)
  expect(texts.join('')).not.toMatch(/evil|Zx81qLmN0pQrS7tUvW/)
  store.close()
})

test('recordings beyond the limit are left out, those before and after them are not', async () => {
  const store = await SessionStore.open()
  const [small, large] = [fileOf([call(0)]), fileOf(Array.from({ length: 50 }, (_, seq) => call(seq)))]
  const files = [small, large, small].map((text, at) => ({ id: `r${at}`, text }))
  expect(await storeRecordings(store, files, 2 * small.length)).toEqual({ unreadable: 0, left: 1 })
  expect((await store.list()).map(({ id }) => id).toSorted()).toEqual(['r0', 'r2'])
  store.close()
  const sizes = [5, 90, 4, 2].map((size, at) => ({ id: String(at), size }))
  expect(fitting(sizes, 10).map(({ id }) => id)).toEqual(['0', '2'])
})
