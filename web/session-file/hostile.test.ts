/**
 * Malicious files, in addition to the links of `link.test.ts` and the foreign formats of `formats/import.test.ts`: each
 * is opened or rejected with a reason, quickly, and its content is only ever treated as data.
 */
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { Frames } from '../../tests/sessions/frames.ts'
import type { Json } from '../mcp/index.ts'
import { faultOf } from './guard.ts'
import { readSession, type ReadOptions } from './read.ts'
import { SessionFileError, type OpenedSession } from './file.ts'
import { headOf, sessionText } from './write.ts'

const HEAD = '{"format":"periscope-session","version":1,"begunAt":"2026-01-01T00:00:00Z","tool":{"name":"x","version":"1"},"servers":[]}' // prettier-ignore
const comment = (seq: number) =>
  `{"kind":"stream","event":"comment","request":0,"text":"","link":"s1","at":0,"seq":${seq}}`
const message = (text: string) =>
  `{"kind":"message","direction":"received","type":"invalid","size":1,"at":0,"link":"s1","seq":0,"message":${text}}`
const many = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at))
const file = (...lines: string[]) => [HEAD, ...lines].join('\n')
const fileOf = (count: number, line: (at: number) => string) => file(many(count, line).join('\n'))

const soon = async (text: string, options?: ReadOptions): Promise<OpenedSession | SessionFileError> => {
  const opened = await expectWithin(2_000, () =>
    readSession(text, options).catch((error: unknown) => error as SessionFileError),
  )
  if (opened instanceof Error) expect(opened).toBeInstanceOf(SessionFileError)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  return opened
}

type Case = readonly [what: string, text: () => string, frames: number, damage: string]

describe('a hostile file is opened as far as it is good, and what is wrong is said', () => {
  test.each<Case>([
    ['a million frames', () => fileOf(300_000, comment), 150_000, 'too-many-frames'],
    ['in the wrong order', () => fileOf(100_000, (at) => comment(100_000 - at)), 100_000, 'holes'],
    ['all in one place', () => fileOf(200_000, () => comment(3)), 1, 'holes'],
    ['far apart', () => fileOf(100_000, (at) => comment(at * 90_000_000)), 100_000, 'holes'],
    ['millions of empty lines', () => file('\n'.repeat(3_000_000)), 0, 'truncated'],
    ['lines of nothing', () => file(' x\n'.repeat(500_000)), 0, 'too-large'],
    ['objects cut short', () => file('{"kind":\n'.repeat(300_000)), 0, 'too-large'],
    ['objects that are no frames', () => file('{"kind":"end "}\n'.repeat(300_000)), 0, 'too-large'],
    ['one line without end', () => file('x'.repeat(30_000_000)), 0, 'not-json'],
    ['deep', () => file(message(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)), 0, 'not-json'],
    ['deep and never closed', () => file(message('{"a":'.repeat(500_000))), 0, 'not-json'],
    ['wide', () => file(message(`[${'{},'.repeat(500_000)}{}]`)), 1, 'truncated'],
    ['of many keys', () => file(message(`{${many(200_000, (at) => `"k${at}":1`).join(',')}}`)), 1, 'truncated'],
    ['with a prototype for a frame', () => file(comment(0).replace('{', '{"__proto__":{"polluted":1},')), 1, 'truncated'], // prettier-ignore
    ['with a prototype that is the frame', () => file(`{"__proto__":${comment(0)}}`), 0, 'no-frame'],
    ['numbers beyond all', () => file(comment(0).replace('"at":0', '"at":1e999')), 0, 'no-frame'],
    ['half a file', () => fileOf(1000, comment).slice(0, 40_000), 459, 'truncated'],
    ['of the last version there may be', () => file(comment(0)).replace('"version":1', '"version":99'), 1, 'newer-version'], // prettier-ignore
  ])('%s', async (_, text, frames, damage) => {
    const opened = await soon(text(), { most: 150_000 })
    if (opened instanceof Error) throw opened
    expect(opened.frames).toHaveLength(frames)
    expect(opened.damage.map(({ code }) => code)).toContain(damage)
    expect(opened.frames.every(({ seq }, at) => seq === at)).toBe(true)
  })

  test.each([
    ['nothing', '', 'empty'],
    ['only empty lines', '\n'.repeat(100_000), 'empty'],
    ['a version of nobody’s', HEAD.replace('"version":1', '"version":100'), 'unknown-version'],
    ['a version that is none', HEAD.replace('"version":1', '"version":1e999'), 'unknown-version'],
    ['a head that only its prototype makes', `{"__proto__":${HEAD}}`, 'not-a-session'],
    ['a head that is deep', `{"a":${'['.repeat(300_000)}`, 'not-a-session'],
    ['a deflate bomb that was not unpacked', `\x1f\x8b\x08${'\0'.repeat(1_000_000)}`, 'not-a-session'],
  ])('refused: %s', async (_, text, code) => expect(await soon(text)).toMatchObject({ name: 'SessionFileError', code }))

  test('a head with anything in any place is a head, and bounded', async () => {
    const script = '<script>polluted()</script>'
    const servers = many(20_000, () => `{"link":"s1","name":${JSON.stringify(script.repeat(20))}}`).join(',')
    const head = `${HEAD.replace('"servers":[]', `"servers":[${servers},null,7,{"link":7},{"link":"s2","target":{"kind":"__proto__"}}]`).slice(0, -1)},"name":[],"notes":${JSON.stringify('n'.repeat(1_000_000))},"bookmarks":[{"seq":-1},{"seq":1e99},null,{"seq":0,"text":${JSON.stringify(script.repeat(1000))}},{"seq":1,"text":7}],"removed":{"length":9},"part":"constructor","view":{"link":"s1","feature":"../x","place":7}}` // prettier-ignore
    const opened = await soon(`${head}\n${comment(0)}`)
    if (opened instanceof Error) throw opened
    expect(opened.head).toMatchObject({ bookmarks: [{ seq: 0 }, { seq: 1, text: '' }] })
    expect(opened.head.bookmarks![0]!.text).toBe(script.repeat(1000).slice(0, 2000))
    expect(opened.head).not.toHaveProperty('view')
    expect(opened.head).not.toHaveProperty('part')
    expect(opened.head.servers.length).toBeLessThanOrEqual(10_000)
    expect(Math.max(...opened.head.servers.map(({ name }) => name.length))).toBeLessThanOrEqual(200)
    expect(opened.head.notes!.length).toBeLessThanOrEqual(100_000)
    expect(opened.frames).toHaveLength(1)
  })
})

test('scripts in every text, and what looks like a circle, are the same texts after reading', async () => {
  const script = '"><img src=x onerror=polluted()><script>polluted()</script>{{constructor}}${polluted()}\u2028\u202e\0'
  const frames = new Frames()
  const circle: Json = { $ref: '#', properties: { a: { $ref: '#/properties/a' } }, self: '[Circular]', toJSON: 'x' }
  frames.call(
    1,
    { name: script, arguments: { [script]: script, circle } },
    frames.say(script),
    `javascript:${script}`,
    [[script, script]],
  )
  frames.add({ kind: 'process', event: 'stderr', text: script })
  frames.add({ kind: 'session', phase: 'failed', code: script, explanation: script, evidence: [] } as never)
  const known = frames.all.filter((frame) => faultOf(frame as unknown as Json) === undefined)
  expect(known.length).toBe(frames.all.length)
  const text = [...sessionText(headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: script, version: script }, servers: [{ link: 's1', name: script }], name: script, notes: script }), known)].join('') // prettier-ignore
  const opened = await soon(text)
  if (opened instanceof Error) throw opened
  expect(opened).toMatchObject({ frames: known, damage: [], head: { name: script, notes: script } })
})
