/** What a server must refuse, and what isn't known to be wrong. */
import { describe, expect, test } from 'vitest'
import type { JsonObject, Revision } from '../../mcp/index.ts'
import { cites, modern, Talk } from '../talk.case.ts'

const EVERY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

/** A conversation in any protocol version. */
class Speech {
  readonly talk: Talk
  readonly #modern: boolean

  constructor(revision: Revision) {
    this.#modern = revision === '2026-07-28'
    const offers = { tools: {}, prompts: {}, resources: {}, logging: {} }
    this.talk = this.#modern ? new Talk().discover(offers) : new Talk().shakeHands(revision, offers)
  }

  ask(method: string, params: JsonObject = {}): number {
    return this.talk.ask(method, this.#modern ? this.talk.envelope(params) : params)
  }

  answer(id: number, result: JsonObject): this {
    const listed = Object.hasOwn(result, 'tools') || Object.hasOwn(result, 'prompts')
    const hints: JsonObject = listed ? { ttlMs: 0, cacheScope: 'private' } : {}
    this.talk.answer(id, this.#modern ? modern({ ...result, ...hints }) : result)
    return this
  }

  list(member: 'tools' | 'prompts', names: readonly string[], next?: string, cursor?: string): this {
    const items = names.map((name) =>
      member === 'tools'
        ? { name, inputSchema: { type: 'object' } }
        : { name, arguments: [{ name: 'city', required: true }, { name: 'unit' }] },
    )
    const id = this.ask(`${member}/list`, cursor === undefined ? {} : { cursor })
    return this.answer(id, { [member]: items, ...(next === undefined ? {} : { nextCursor: next }) })
  }

  refused(method: string, params: JsonObject, code: number, message?: string): this {
    this.talk.refuse(this.ask(method, params), code, message)
    return this
  }

  answered(method: string, params: JsonObject, result: JsonObject): this {
    return this.answer(this.ask(method, params), result)
  }
}

const text = { content: [{ type: 'text', text: 'no such tool' }] }

describe.each(EVERY)('at %s', (revision) => {
  const rules = ({ talk }: Speech) => cites(talk)

  test('SF-TOOL-20: a call of a tool that the list lacks is refused with -32602, not answered', () => {
    const listed = () => new Speech(revision).list('tools', ['a', 'b'])
    const call = { name: 'c', arguments: {} }
    expect(rules(listed().refused('tools/call', call, -32602))).toEqual([])
    expect(rules(listed().refused('tools/call', call, -32601))).toEqual(['SF-TOOL-20 MUST'])
    expect(rules(listed().answered('tools/call', call, text))).toEqual(['SF-TOOL-20 MUST'])
    expect(rules(listed().answered('tools/call', call, { ...text, isError: true }))).toEqual(['SF-TOOL-20 MUST'])
    expect(rules(listed().answered('tools/call', { name: 'b' }, { ...text, isError: true }))).toEqual([])
  })

  test('SF-TOOL-20: without a list, the words of a result say that there is no such tool', () => {
    const says = (words: string) =>
      rules(new Speech(revision).answered('tools/call', { name: 'c', arguments: {} }, { content: [{ type: 'text', text: words }], isError: true }))
    expect(says('Unknown tool: c')).toEqual(['SF-TOOL-20 MUST'])
    expect(says('The tool hammer was not found in the shed')).toEqual([])
  }) // prettier-ignore

  test('SF-TOOL-20: without the whole list, nobody knows which tools there are', () => {
    const call = { name: 'c', arguments: {} }
    expect(rules(new Speech(revision).answered('tools/call', call, text))).toEqual([])
    expect(rules(new Speech(revision).list('tools', ['a'], '2').answered('tools/call', call, text))).toEqual([])
    const both = new Speech(revision).list('tools', ['a'], '2').list('tools', ['c'], undefined, '2')
    expect(rules(both.answered('tools/call', call, text))).toEqual([])
  })

  test('SF-PROMPT-05: a prompt that the list lacks, or without a required argument, is refused with -32602', () => {
    const listed = () => new Speech(revision).list('prompts', ['weather'])
    const messages = { messages: [] }
    const due = { name: 'weather', arguments: { city: 'Oslo' } }
    expect(rules(listed().answered('prompts/get', due, messages))).toEqual([])
    const wrong: JsonObject[] = [{ name: 'other' }, { name: 'weather' }, { name: 'weather', arguments: { unit: 'C' } }]
    for (const params of wrong) {
      expect(rules(listed().answered('prompts/get', params, messages))).toEqual(['SF-PROMPT-05 SHOULD'])
      expect(rules(listed().refused('prompts/get', params, -32603))).toEqual(['SF-PROMPT-05 SHOULD'])
      expect(rules(listed().refused('prompts/get', params, -32602))).toEqual([])
    }
  })

  test('SF-PAGE-06: a cursor that no page gave is refused with -32602', () => {
    const made = () => new Speech(revision).list('tools', ['a'], '2').list('tools', ['b'], undefined, '2')
    expect(rules(made().list('tools', ['a'], '2', 'made-up'))).toEqual(['SF-PAGE-06 SHOULD'])
    expect(rules(made().refused('tools/list', { cursor: 'made-up' }, -32603))).toEqual(['SF-PAGE-06 SHOULD'])
    expect(rules(made().refused('tools/list', { cursor: 'made-up' }, -32602))).toEqual([])
    // Given before, so it may still be valid.
    expect(rules(made().list('tools', ['b'], undefined, '2'))).toEqual([])
  })

  test('SF-TOOL-20, SF-PROMPT-05, SF-PAGE-06: a server that says so itself needs no list', () => {
    const said = (method: string, params: JsonObject, code: number, message: string) =>
      rules(new Speech(revision).list('tools', ['a'], '2').refused(method, params, code, message))
    const unlisted = { name: 'c', arguments: {} }
    expect(said('tools/call', unlisted, -32603, 'Unknown tool: c')).toEqual(['SF-TOOL-20 MUST'])
    expect(said('tools/call', unlisted, -32601, 'Tool "c" does not exist')).toEqual(['SF-TOOL-20 MUST'])
    expect(said('tools/call', unlisted, -32602, 'Unknown tool: c')).toEqual([])
    expect(said('tools/call', unlisted, -32603, 'The tool ran out of memory')).toEqual([])
    expect(said('prompts/get', { name: 'c' }, -32603, 'Prompt c not found')).toEqual(['SF-PROMPT-05 SHOULD'])
    expect(said('tools/list', { cursor: '2' }, -32600, 'Invalid cursor: expired')).toEqual(['SF-PAGE-06 SHOULD'])
    expect(said('tools/list', { cursor: '2' }, -32603, 'Cursor is no longer valid')).toEqual(['SF-PAGE-06 SHOULD'])
    expect(said('tools/list', { cursor: '2' }, -32603, 'The database is down')).toEqual([])
  })

  test('SF-TOOL-04: after a cursor of nobody, the same tools are no duplicates', () => {
    const names = Array.from({ length: 50 }, (_, at) => `tool${at}`)
    const walked = new Speech(revision).list('tools', names).list('tools', names, undefined, 'made-up')
    expect(rules(walked)).toEqual(['SF-PAGE-06 SHOULD'])
  })
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)(
  'SF-LOG-07: at %s a level that there is not is refused with -32602',
  (revision) => {
    const set = (level: string) => new Speech(revision).answered('logging/setLevel', { level }, {})
    expect(cites(set('warning').talk)).toEqual([])
    expect(cites(set('loud').talk)).toEqual(['SF-LOG-07 SHOULD'])
    const refused = (code: number) =>
      cites(new Speech(revision).refused('logging/setLevel', { level: 'loud' }, code).talk)
    expect([refused(-32602), refused(-32603)]).toEqual([[], ['SF-LOG-07 SHOULD']])
  },
)

describe('pings', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)(
    'UT-PING-01: at %s each is answered, promptly and with a result',
    (revision) => {
      const { talk } = new Speech(revision)
      talk.answer(talk.ask('ping'), {})
      expect(cites(talk)).toEqual([])
      talk.refuse(talk.ask('ping'), -32601)
      expect(cites(talk)).toEqual(['UT-PING-01 MUST'])
    },
  )

  test('UT-PING-01: silence is told once; a ping that its user cancels proves nothing', () => {
    const { talk } = new Speech('2025-11-25')
    const giveUp = (why: 'timeout' | 'cancelled') => {
      talk.ask('ping')
      const request = talk.trace.length - 1
      talk.add({ kind: 'session', phase: 'gave-up', request, why, explanation: 'no response' })
    }
    giveUp('cancelled')
    expect(cites(talk)).toEqual([])
    giveUp('timeout')
    giveUp('timeout')
    expect(cites(talk)).toEqual(['UT-PING-01 MUST'])
  })
})

test('VN-06: the id of an extension has a prefix and is well-formed, and its settings are an object', () => {
  const offered = (extensions: JsonObject) => {
    const talk = new Talk().discover()
    const result = { supportedVersions: ['2026-07-28'], capabilities: { extensions }, ttlMs: 0, cacheScope: 'private' }
    talk.answer(talk.ask('server/discover', talk.envelope({})), modern(result))
    return cites(talk)
  }
  expect(offered({ 'com.example/maps': {}, 'io.modelcontextprotocol/tasks': { list: true } })).toEqual([])
  expect(offered({ maps: {} })).toEqual(['VN-06 MUST'])
  expect(offered({ 'com..example/maps': {} })).toEqual(['VN-06 MUST'])
  expect(offered({ 'com.example/-maps': {} })).toEqual(['VN-06 MUST'])
  expect(offered({ 'com.example/maps': true })).toEqual(['VN-06 MUST'])
})

test('TASK-11: a task that has ended can’t be cancelled any more', () => {
  const talk = new Talk().shakeHands('2025-11-25')
  const task = { taskId: 'x', ttl: 1000, createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:01Z' }
  talk.answer(talk.ask('tasks/get', { taskId: 'x' }), { ...task, status: 'completed' })
  talk.answer(talk.ask('tasks/cancel', { taskId: 'x' }), { ...task, status: 'cancelled' })
  expect(cites(talk)).toEqual(['TASK-11 MUST'])
  talk.refuse(talk.ask('tasks/cancel', { taskId: 'x' }), -32602)
  expect(cites(talk)).toEqual(['TASK-11 MUST'])
  talk.refuse(talk.ask('tasks/cancel', { taskId: 'x' }), -32603)
  expect(cites(talk)).toEqual(['TASK-11 MUST', 'TASK-11 MUST'])
})
