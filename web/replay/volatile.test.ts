/** What may differ between two runs of the same server, and what is a change. */
import { describe, expect, test } from 'vitest'
import type { Json } from '../mcp/index.ts'
import { diffOf } from './diff.ts'
import { DEFAULT_RULES } from './volatile.ts'

const clock = { was: Date.parse('2026-03-02T10:00:00Z'), is: Date.parse('2026-11-20T16:30:00Z') }
const counted = async (was: Json, is: Json, method = 'tools/call'): Promise<readonly string[]> => {
  const { differences } = await diffOf(was, is, { rules: DEFAULT_RULES, method, clock })
  return differences.filter(({ accepted }) => accepted === undefined).map(({ pointer }) => pointer)
}
const say = (text: string): Json => ({ content: [{ type: 'text', text }] })
const SPOT = '/content/0/text'

const sha = (digit: string) => digit.repeat(64)

describe('a change counts', () => {
  test.each([
    ['a limit in seconds', 'Waits for 30 seconds', 'Waits for 300 seconds'],
    ['a retry', 'Retry after 5 s', 'Retry after 50 s'],
    ['a port', 'Listening on 127.0.0.1:3000', 'Listening on 127.0.0.1:3001'],
    ['a low port of localhost', 'http://localhost:8080/mcp', 'http://localhost:9090/mcp'],
    ['a date of history', 'Founded on 1998-09-04', 'Founded on 1998-09-07'],
    ['a date to come', 'Due on 2027-01-15', 'Due on 2027-02-15'],
    ['a date of release', 'Released 2025-11-25', 'Released 2026-07-28'],
    ['a SHA-256', `sha256 ${sha('a')}`, `sha256 ${sha('b')}`],
    ['a SHA-1', 'commit da39a3ee5e6b4b0d3255bfef95601890afd80709', 'commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12'],
    ['an MD5', 'md5 d41d8cd98f00b204e9800998ecf8427e', 'md5 9e107d9d372bb6826bd81d3542a419d6'],
    ['a number', 'There are 3 files', 'There are 4 files'],
    ['a price', '19.99 EUR', '21.99 EUR'],
    ['a version', 'Version 1.2.3', 'Version 1.3.0'],
    ['a word', 'The light is on', 'The light is off'],
    ['a letter', 'Colour', 'Color'],
    ['a sign', 'Sure?', 'Sure!'],
    ['a line more', 'one\ntwo', 'one\ntwo\nthree'],
    ['a size', '12 kB', '13 kB'],
    ['a temperature', '21 °C', '23 °C'],
    ['a prefix of an ID', 'task_8f3a2b1c9d', 'job_8f3a2b1c9d'],
    ['a time of opening', 'Open from 1999-01-01T09:00:00Z', 'Open from 1999-01-01T10:00:00Z'],
    ['an address', '10.0.0.1', '10.0.0.2'],
    ['a path', '/usr/lib/a', '/usr/lib/b'],
    ['a unit', 'took 12 ms of 100 MB', 'took 12 ms of 200 MB'],
    ['a percentage', '50 %', '60 %'],
    ['an email', 'ada@example.com', 'bob@example.com'],
    ['a key', '{"a":1}', '{"b":1}'],
    ['a fraction', '0.5 of 1', '0.7 of 1'],
    ['an order', 'b, a', 'a, b'],
    ['a currency', '10 EUR', '10 USD'],
    ['a negation', 'It is allowed', 'It is not allowed'],
    ['a number of digits', 'pin of 4 digits', 'pin of 6 digits'],
    ['a number like a time', 'id 1712345678', 'id 1712345679'],
    ['a second ID', 'from 7c9e6679-7425-40de-944b-e07fc1f90ae7', 'from nobody'],
  ])('in a text: %s', async (_, was, is) => {
    expect(await counted(say(was), say(is))).toEqual([SPOT])
  })

  const structured = (value: Json): Json => ({ content: [], structuredContent: value })
  test.each<[string, Json, Json, string]>([
    ['an owner', { userId: 'u_8f3a2b1c9d' }, { userId: 'u_1c9d8f3a2b' }, '/userId'],
    ['an account by UUID', { account_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }, { account_id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427' }, '/account_id'], // prettier-ignore
    ['a number of an owner', { userId: 7 }, { userId: 8 }, '/userId'],
    ['a maximum like an epoch', { maximum: 1_500_000_000 }, { maximum: 1_600_000_000 }, '/maximum'],
    ['a birthday as an epoch', { bornAt: 978_400_000 }, { bornAt: 988_400_000 }, '/bornAt'],
    ['a checksum', { checksum: sha('a') }, { checksum: sha('b') }, '/checksum'],
    ['a port', { port: 3000 }, { port: 3001 }, '/port'],
    ['a switch', { enabled: true }, { enabled: false }, '/enabled'],
    ['a type', { id: 1 }, { id: '1' }, '/id'],
    ['nothing', { a: null }, { a: 0 }, '/a'],
    ['a member that is gone', { a: 1, b: 2 }, { a: 1 }, '/b'],
    ['a member that is new', { a: 1 }, { a: 1, b: 2 }, '/b'],
    ['a list that is shorter', { list: [1, 2] }, { list: [1] }, '/list/1'],
    ['an item of a list', { list: ['a', 'b'] }, { list: ['a', 'c'] }, '/list/1'],
    ['a timestamp of long ago', { timestamp: '2001-01-01T00:00:00Z' }, { timestamp: '2001-01-02T00:00:00Z' }, '/timestamp'], // prettier-ignore
    ['a time to live', { ttl: 60 }, { ttl: 600 }, '/ttl'],
    ['a name', { name: 'a' }, { name: 'b' }, '/name'],
  ])('in structured content: %s', async (_, was, is, pointer) => {
    expect(await counted(structured(was), structured(is))).toEqual([`/structuredContent${pointer}`])
  })

  const listed = (more: { [key: string]: Json }): Json => ({
    tools: [{ name: 'a', inputSchema: { type: 'object' }, ...more }],
  })
  test.each<[string, Json, Json, string]>([
    ['a description', listed({ description: 'Adds' }), listed({ description: 'Subtracts' }), '/tools/0/description'],
    ['a date in a description', listed({ description: 'Since 2026-03-02' }), listed({ description: 'Since 2026-11-20' }), '/tools/0/description'], // prettier-ignore
    ['an ID in a description', listed({ description: 'For 7c9e6679-7425-40de-944b-e07fc1f90ae7' }), listed({ description: 'For 1b4e28ba-2fa1-41d2-883f-0016d3cca427' }), '/tools/0/description'], // prettier-ignore
    ['an enum of dates', listed({ inputSchema: { enum: ['2026-03-02'] } }), listed({ inputSchema: { enum: ['2026-11-20'] } }), '/tools/0/inputSchema/enum/0'], // prettier-ignore
    ['a default', listed({ inputSchema: { default: 30 } }), listed({ inputSchema: { default: 300 } }), '/tools/0/inputSchema/default'], // prettier-ignore
    ['a maximum', listed({ inputSchema: { maximum: 1_700_000_000 } }), listed({ inputSchema: { maximum: 1_800_000_000 } }), '/tools/0/inputSchema/maximum'], // prettier-ignore
    ['a tool that is gone', listed({}), { tools: [] }, '/tools/0'],
    ['a hint', listed({ annotations: { readOnlyHint: true } }), listed({ annotations: { readOnlyHint: false } }), '/tools/0/annotations/readOnlyHint'], // prettier-ignore
    ['a missing cursor', { tools: [], nextCursor: 'a' }, { tools: [] }, '/nextCursor'],
    ['a new cursor', { tools: [] }, { tools: [], nextCursor: 'a' }, '/nextCursor'],
    ['an address', listed({ description: 'At http://localhost:40001' }), listed({ description: 'At http://localhost:40002' }), '/tools/0/description'], // prettier-ignore
    ['a duration', listed({ description: 'took 5 ms' }), listed({ description: 'took 6 ms' }), '/tools/0/description'],
  ])('in a list: %s', async (_, was, is, pointer) => {
    expect(await counted(was, is, 'tools/list')).toEqual([pointer])
  })

  test('a cursor of another value is the same list', async () => {
    expect(await counted({ tools: [], nextCursor: 'a' }, { tools: [], nextCursor: 'b' }, 'tools/list')).toEqual([])
  })
})

describe('what each run makes anew is the same', () => {
  test.each([
    ['milliseconds since the epoch', `It is ${clock.was} ms.`, `It is ${clock.is + 1234} ms.`],
    ['a time in a URL', '/query?end=2026-03-02T10%3A00%3A01Z', '/query?end=2026-11-20T16%3A30%3A01Z'],
    ['seconds since the epoch', `/query?start=${clock.was / 1000}.123`, `/query?start=${clock.is / 1000 + 60}.5`],
    ['a time of the run', 'It is 2026-03-02T10:00:01Z', 'It is 2026-11-20T16:30:01.5Z'],
    ['a time in another zone', 'Now: 2026-03-02 11:00:01', 'Now: 2026-11-20 17:30:04'],
    ['a day of the run', 'Today is 2026-03-02', 'Today is 2026-11-20'],
    ['a date in words', 'Mon Mar 02 2026 10:00:00 GMT+0000 (UTC)', 'Fri Nov 20 2026 16:30:00 GMT+0000 (UTC)'],
    ['a time of day', '[10:00:02] ready', '[16:30:05] ready'],
    ['a UUID', 'id 7c9e6679-7425-40de-944b-e07fc1f90ae7', 'id 1b4e28ba-2fa1-41d2-883f-0016d3cca427'],
    ['a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ'],
    ['an ID with a prefix', 'Started task_8f3a2b1c9d0e', 'Started task_0e9d1c2b3a8f'],
    ['a nanoid', 'key V1StGXR8_Z5jdHi6B-myT done', 'key J9xK2mPq_4Rt7LwZ-3nYv done'],
    ['a cuid', 'cjld2cjxh0000qzrmn831i7rn', 'ckopqwooh000001la8mbi2im9'],
    ['a span', 'span 00f067aa0ba902b7', 'span b7ad6b7169203331'],
    ['a process ID', 'worker (pid 1234) is up', 'worker (pid 98765) is up'],
    ['a counter', 'This is request #4', 'This is request #9'],
    ['a measured time', 'Completed in 12 ms', 'Completed in 340.5 ms'],
    ['a time in brackets', 'GET / (3 ms)', 'GET / (18 ms)'],
    ['how long ago', 'Changed 5 minutes ago', 'Changed 2 hours ago'],
    ['a chosen port', 'at http://127.0.0.1:40123/x', 'at http://127.0.0.1:51234/x'],
    ['a temporary folder', 'Wrote /tmp/a1b2/out.txt', 'Wrote /tmp/zz9/out.txt'],
    [
      'several of them',
      '2026-03-02T10:00:01Z task_8f3a2b1c9d took 5 ms',
      '2026-11-20T16:30:01Z task_1c9d8f3a2b took 9 ms',
    ],
  ])('%s', async (_, was, is) => {
    expect(await counted(say(was), say(is))).toEqual([])
  })

  test('an epoch of the run, in seconds or milliseconds', async () => {
    const at = (time: number): Json => ({ content: [], structuredContent: { time } })
    expect(await counted(at(clock.was), at(clock.is))).toEqual([])
    expect(await counted(at(clock.was / 1000), at(clock.is / 1000))).toEqual([])
  })
})

describe('what was redacted', () => {
  const mark = '‹removed: name:password›'
  test.each<[string, Json, Json]>([
    ['a value', mark, 'hunter2'],
    ['a number', mark, 4821],
    ['a part of a text', `user ada, password ${mark}, port 22`, 'user ada, password hunter2, port 22'],
    ['two parts', `${mark} and ${mark}`, 'one and two'],
    ['a mask', 'Bearer •••• (40 characters)', 'Bearer abcdef'],
    ['a member of JSON in a text', `{"user":"ada","token":"${mark}"}`, '{ "user": "ada",\n "token": "x" }'],
  ])('matches anything: %s', async (_, was, is) => {
    expect(await counted({ a: was }, { a: is })).toEqual([])
  })

  test.each<[string, Json, Json, string]>([
    ['the text around it', `user ada, password ${mark}`, 'user bob, password hunter2', '/a'],
    ['what follows it', `${mark} is it`, 'hunter2 was it', '/a'],
    ['another member of the JSON', `{"user":"ada","token":"${mark}"}`, '{"user":"bob","token":"x"}', '/a/user'],
  ])('and hides no change of %s', async (_, was, is, pointer) => {
    expect(await counted({ a: was }, { a: is })).toEqual([pointer])
  })

  test('and hides no member that is gone', async () => {
    expect(await counted({ a: mark }, {})).toEqual(['/a'])
  })
})
