import { describe, expect, test } from 'vitest'
import { loadRecent, saveRecent, type Recent } from '../remembered.ts'
import {
  changedTests,
  changesOf,
  copyOf,
  dataText,
  importLocal,
  type Known,
  LARGEST_FILE,
  newRecordings,
  readDataFile,
  type DataFile,
  withFreeIds,
} from './data-file.ts'

const recent = (name: string, more: Partial<Recent> = {}): Recent => ({
  name,
  target: { kind: 'url', url: `http://${name}.test/mcp`, headers: [['X-Team', '']] },
  dropped: ['X-Team'],
  settings: {},
  at: 1,
  ...more,
})

const disk = (held: Record<string, string> = {}) => {
  const all = new Map(Object.entries(held))
  return {
    all,
    keys: () => [...all.keys()],
    getItem: (key: string) => all.get(key) ?? null,
    setItem: (key: string, value: string) => void all.set(key, value),
    removeItem: (key: string) => void all.delete(key),
  }
}

const known = (more: Partial<Known> = {}): Known => ({ values: [], tests: [], recordings: [], ...more })

const AT = new Date(0)
const SECRET = 'tok-5d1f9a'
const stored = () => {
  const from = disk({
    'periscope.theme': 'dark',
    'periscope.credentials.2.typed.http://a.test/mcp': `aes-gcm.${SECRET}`,
    'periscope.oauth.returned.x': SECRET,
    'another.page': SECRET,
  })
  saveRecent(from, [recent('a', { group: 'dev', colour: 'red' }), recent('b')])
  return from
}
const fileOf = (text: string): DataFile => {
  const file = readDataFile(text)
  if (typeof file === 'string') throw new Error(file)
  return file
}
const ALL = new Set(['servers', 'environments', 'settings', 'tools', 'filters', 'credentials'] as const)

describe('the file with stored data', () => {
  test('contains no credential, and remembered values only if the user chose so', () => {
    const from = stored()
    const text = dataText(from, from.keys(), {}, AT)
    expect(text).not.toContain(SECRET)
    expect(Object.keys(fileOf(text).local)).toEqual(['periscope.recent', 'periscope.theme'])
    const values = [{ server: 'http://a.test/mcp', pairs: [['X-Team', SECRET]] as const }]
    expect(fileOf(dataText(from, from.keys(), { values }, AT)).values).toEqual(values)
  })

  test('restores on another device what it was made of', () => {
    const from = stored()
    const to = disk()
    importLocal(fileOf(dataText(from, from.keys(), {}, AT)), ALL, to)
    expect(loadRecent(to)).toEqual(loadRecent(from))
    expect(to.getItem('periscope.theme')).toBe('dark')
  })

  test('says what it would change, and changes only the kinds that were chosen', () => {
    const from = stored()
    const file = fileOf(dataText(from, from.keys(), { values: [{ server: 's', pairs: [['n', 'v']] }] }, AT))
    const to = disk({ 'periscope.theme': 'light' })
    saveRecent(to, [recent('b', { name: 'old name' }), recent('c')])
    expect(changesOf(file, to, known({ values: ['s'] }))).toEqual([
      { id: 'servers', added: 1, replaced: 1 },
      { id: 'credentials', added: 0, replaced: 1 },
      { id: 'settings', added: 0, replaced: 1 },
    ])
    importLocal(file, new Set(['servers']), to)
    expect(loadRecent(to).map(({ name }) => name)).toEqual(['b', 'c', 'a'])
    expect(to.getItem('periscope.theme')).toBe('light')
    importLocal(file, ALL, to)
    expect(changesOf({ ...file, values: [] }, to, known()).map(({ id }) => id)).toEqual(['servers'])
  })

  test('an import trusts no certificate, because the user has not seen it here', () => {
    const from = disk()
    const settings = { relay: true, certificates: [`a.test ${Array(32).fill('0A').join(':')}`] as const }
    saveRecent(from, [recent('a', { settings })])
    const to = disk()
    importLocal(fileOf(dataText(from, from.keys(), {}, AT)), ALL, to)
    expect(loadRecent(to).map((one) => one.settings)).toEqual([{ relay: true }])
  })

  test('an import writes no name that an export doesn’t contain, and no secret of a hand-written file', () => {
    const to = disk()
    const target = { kind: 'url', url: `http://a.test/mcp?api_key=${SECRET}`, headers: [['Authorization', SECRET]] }
    const environment = { id: 'e', name: 'dev', variables: [{ name: 'token', value: SECRET, secret: true }] }
    const local = {
      'periscope.recent': JSON.stringify([{ ...recent('a'), target }]),
      'periscope.environments': JSON.stringify([environment]),
      'periscope.credentials.2.typed.x': SECRET,
      'periscope.token': SECRET,
      'another.page': SECRET,
      'periscope.theme': 7,
    }
    const file = fileOf(JSON.stringify({ format: 'periscope-data', version: 1, local }))
    importLocal(file, ALL, to)
    expect(to.keys()).toEqual(['periscope.recent', 'periscope.environments'])
    expect(JSON.stringify([...to.all])).not.toContain(SECRET)
    expect(loadRecent(to)[0]!.dropped).toEqual(expect.arrayContaining(['Authorization', 'api_key']))
  })

  test('contains tests and recordings if they are included, and an import adds only those that aren’t stored so', () => {
    const from = disk()
    const step = { id: 'a', link: 's1', method: 'tools/call', kind: 'request', params: { name: 'echo' } } as const
    const tests = ['t1', 't2', 't3'].map((id) => ({ id, name: id, changed: 5, steps: [step] }))
    const recordings = ['r1', 'r2'].map((id) => ({ id, text: `{"format":"periscope-session"}\n` }))
    const file = fileOf(dataText(from, from.keys(), { tests, recordings }, AT))
    expect(file).toEqual({ local: {}, values: [], tests, recordings })
    const stored = known({
      tests: [
        { ...tests[0]!, changed: 9 },
        { ...tests[1]!, name: 'mine' },
      ],
      recordings: ['r2'],
    })
    expect(changesOf(file, disk(), stored)).toEqual([
      { id: 'recordings', added: 1, replaced: 0 },
      { id: 'tests', added: 1, replaced: 1 },
    ])
    expect(changedTests(file, stored).map(({ id }) => id)).toEqual(['t2', 't3'])
    expect(newRecordings(file, stored).map(({ id }) => id)).toEqual(['r1'])
  })

  test('a recording that was stored as a copy, because its page is open, isn’t imported again', () => {
    const long = 'x'.repeat(64)
    const recordings = ['r1', 'r2', long].map((id) => ({ id, text: '{}' }))
    const stored = known({ recordings: [copyOf('r1'), copyOf(long)] })
    expect(newRecordings({ recordings }, stored).map(({ id }) => id)).toEqual(['r2'])
    const copies = recordings.map(({ id, text }) => ({ id: copyOf(id), text }))
    const file = fileOf(JSON.stringify({ format: 'periscope-data', version: 1, recordings: copies }))
    expect(file.recordings).toEqual(copies)
  })

  test('recordings of open pages whose long IDs end differently are stored as different copies', () => {
    const recordings = ['1', '2'].map((end) => ({ id: 'x'.repeat(63) + end, text: end }))
    const stored = withFreeIds(recordings, () => true)
    expect(new Set(stored.map(({ id }) => id)).size).toBe(2)
    // Only the first of them is stored already.
    expect(newRecordings({ recordings }, known({ recordings: [stored[0]!.id] }))).toEqual([recordings[1]])
    const file = fileOf(JSON.stringify({ format: 'periscope-data', version: 1, recordings: stored }))
    expect(file.recordings).toEqual(stored)
  })

  test('a recording of an open page and its copy in the same file are both stored', () => {
    const recordings = ['r1', copyOf('r1'), 'r2', 'r3'].map((id) => ({ id, text: id }))
    const stored = withFreeIds(recordings, (id) => id === 'r1' || id === 'r2')
    expect(stored.map(({ text }) => text)).toEqual(['r1', 'copy-r1', 'r2', 'r3'])
    expect(new Set(stored.map(({ id }) => id)).size).toBe(4)
    expect(stored.slice(1).map(({ id }) => id)).toEqual(['copy-r1', 'copy-r2', 'r3'])
    expect(stored[0]!.id).not.toBe('r1')
  })

  test('tests and recordings of a hand-written file are read as far as they are valid, each once', () => {
    const local = { 'periscope.theme': 'dark' }
    const tests = [7, { id: '../x', steps: [] }, { id: 'a', steps: [{ method: 3 }, { id: 's', method: 'ping' }] }, { id: 'a', name: 'last' }] // prettier-ignore
    const recordings = [null, { id: 'a' }, { id: '', text: '' }, { id: 'a', text: 'x' }, { id: 'a', text: 'y' }, { id: 'b', text: {} }] // prettier-ignore
    const file = fileOf(JSON.stringify({ format: 'periscope-data', version: 1, local, tests, recordings }))
    expect(file.tests).toEqual([{ id: 'a', name: 'last', changed: 0, steps: [] }])
    expect(file.recordings).toEqual([{ id: 'a', text: 'y' }])
  })

  test.each([
    ['not-data', `{"format":"periscope-data","version":1,"tests":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['empty', '{"format":"periscope-data","version":1,"tests":{},"recordings":"all"}'],
    ['not-data', '{not json'],
    ['not-data', '[]'],
    ['not-data', '{"format":"periscope-session","version":1}'],
    ['not-data', '{"format":"periscope-data","version":"1"}'],
    ['newer', '{"format":"periscope-data","version":2,"local":{}}'],
    ['empty', '{"format":"periscope-data","version":1,"local":[],"values":[{"server":1}]}'],
    ['too-large', ' '.repeat(LARGEST_FILE + 1)],
  ])('%s is said of a file that can’t be imported', (fault, text) => {
    expect(readDataFile(text)).toBe(fault)
  })
})
