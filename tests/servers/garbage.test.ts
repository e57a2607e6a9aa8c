/** The garbage is what it claims to be, and passes through fetch and pipes unchanged. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start, type ErasPeer } from './eras/index.ts'
import { garbageKinds } from './garbage-kinds.ts'
import { ask, initialize, modern, MODERN, NEWEST_HANDSHAKE, post, run } from './raw.ts'

let peer: ErasPeer
beforeAll(async () => void (peer = await start()))
afterAll(() => peer.close())

const ASKED = { id: 5, method: 'tools/list', params: {} }
const names = Object.keys(garbageKinds)
const bytesOf = (name: string) => garbageKinds[name]!.make(ASKED).map((piece) => Buffer.from(piece))

/** Kinds that a lenient client could read as a valid response to the request. */
const ANSWERS = [
  'duplicate-keys',
  'proto-keys',
  'line-separators',
  'lone-surrogate',
  'crlf-inside',
  'cr-inside',
  'deep-arrays',
  'deep-objects',
  'huge-number',
  'huge-string',
  'many-keys',
  'invalid-utf8',
  'overlong-utf8',
  'latin1-bytes',
  'id-exponent',
]

describe('the kinds of garbage', () => {
  test('are many, each says what it is, and each is the same every time', () => {
    expect(names.length).toBeGreaterThan(100)
    const whole = (name: string) =>
      Buffer.concat(bytesOf(name).flatMap((piece) => [piece, Buffer.from('\n')])).toString('latin1')
    const seen = new Map<string, string>()
    for (const name of names) {
      const text = whole(name)
      expect(text === whole(name), name).toBe(true)
      expect(seen.get(text), name).toBeUndefined()
      expect(garbageKinds[name]!.says, name).not.toBe('')
      seen.set(text, name)
    }
  })

  const checklist = join(import.meta.dirname, '../../../shared/spec-checklist.md')
  test.skipIf(!existsSync(checklist))('cite rows that are in the checklist', () => {
    const rows = new Set(
      [...readFileSync(checklist, 'utf8').matchAll(/^\| ([A-Z]+(?:-[A-Z]+)*-\d+) \|/gm)].map(([, id]) => id),
    )
    expect(rows.size).toBeGreaterThan(400)
    expect(names.filter((name) => !rows.has(garbageKinds[name]!.rule))).toEqual([])
  })

  test('are no true answer, but for those where that is the point', () => {
    const isAnswer = (name: string) => {
      const pieces = bytesOf(name)
      if (pieces.length !== 1) return false
      try {
        const { jsonrpc, result, error, method, id } = JSON.parse(pieces[0]!.toString()) as Record<string, unknown>
        const shaped = jsonrpc === '2.0' && typeof result === 'object' && result !== null && !Array.isArray(result)
        return shaped && (id === 5 || name === 'duplicate-keys') && error === undefined && method === undefined
      } catch {
        return false
      }
    }
    const others = names.filter((name) => isAnswer(name) && !ANSWERS.includes(name))
    // Valid as an envelope: the result is what's wrong.
    const wrong = /^(initialize-|discover-|task-|input-|no-result|result-|meta-|ttl-|list-|items-|content-|cursor-)/
    expect(others.filter((name) => !wrong.test(name))).toEqual([])
  })
})

describe('garbage over HTTP', () => {
  test('the session opens well, in the eras that are asked for', async () => {
    const open = async (era: string) => {
      const url = `${peer.url}/garbage/open?era=${era}&kind=words`
      const [discover, handshake] = [await ask(url, modern(1, 'server/discover')), await ask(url, initialize())]
      return [discover.last?.result?.['supportedVersions'], handshake.last?.result?.['protocolVersion']]
    }
    expect(await open('both')).toEqual([[MODERN], NEWEST_HANDSHAKE])
    expect(await open('modern')).toEqual([[MODERN], undefined])
    expect(await open('handshake')).toEqual([undefined, NEWEST_HANDSHAKE])
    for (const wrong of ['kind=no-such', 'era=old', 'kinds=words'])
      expect((await fetch(`${peer.url}/garbage?${wrong}`)).status).toBe(404)
  })

  test.each(names)('%s arrives as it is', async (name) => {
    const url = `${peer.url}/garbage/raw?kind=${name}`
    const wanted = bytesOf(name)
    const response = await post(url, ASKED)
    const body = Buffer.from(await response.arrayBuffer())
    if (wanted.length === 1) {
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(body.equals(wanted[0]!)).toBe(true)
    } else {
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      const events = body.toString('latin1').split('\n\n').slice(0, -1)
      expect(events).toEqual(wanted.map((piece) => `data: ${piece.toString('latin1')}`))
    }
  })

  test('the answer follows where it is asked for, and all go by in turn', async () => {
    const { messages } = await ask(`${peer.url}/garbage/then?kind=orphan-result&then=answer`, ASKED)
    expect(messages.map(({ id }) => id)).toEqual([424_242, 5])
    const { text } = await ask(`${peer.url}/garbage/sse?kind=crlf-inside&as=sse`, ASKED)
    expect(text).toMatch(/^data: [^\n]*\r\ndata: /)
    for (const name of names.slice(0, 5)) {
      const response = await post(`${peer.url}/garbage/all`, ASKED)
      expect(Buffer.from(await response.arrayBuffer()).equals(bytesOf(name)[0]!)).toBe(true)
    }
  })
})

describe('garbage over stdio', () => {
  test('every kind passes, each with the true answer behind it', async () => {
    const server = run('garbage-stdio.mjs', 'all', 'then=answer')
    server.send(initialize(0))
    expect((await server.until(({ id }) => id === 0)).result?.['protocolVersion']).toBe(NEWEST_HANDSHAKE)
    const before = server.bytes().length
    const wanted: Buffer[] = []
    for (const name of names) {
      for (const piece of garbageKinds[name]!.make(ASKED)) wanted.push(Buffer.from(piece), Buffer.from('\n'))
      server.send(ASKED)
      wanted.push(Buffer.from(answerLine), Buffer.from('\n'))
    }
    expect(await server.end()).toBe(0)
    expect(server.bytes().subarray(before).equals(Buffer.concat(wanted))).toBe(true)
  })

  test('a kind that is not there is refused with those that are', async () => {
    const server = run('garbage-stdio.mjs', 'no-such')
    expect(await server.ended).toBe(2)
    expect(server.stderr()).toContain('progress-flood')
  })
})

/** A correct server's response. */
const tools = [
  ['t', 'Answers', { type: 'object', properties: { a: { type: 'string' } } }],
  ['seen', 'All that came so far, as JSON', { type: 'object' }],
  ['change', 'Tells all who listen what they asked for', { type: 'object' }],
].map(([name, description, inputSchema]) => ({ name, description, inputSchema }))
const answerLine = JSON.stringify({ jsonrpc: '2.0', id: 5, result: { tools } })
