/** Calls of several rounds, against servers on the official SDK v2 and servers of one kind each (tests/servers/eras). */
import { describe, expect, test } from 'vitest'
import { until } from '../../tests/patience.ts'
import { ProtocolError, type Answers, type Json, type JsonObject } from './index.ts'
import { kind, modern, textOf } from './stateless.case.ts'

describe('requests of several rounds', () => {
  const answers = (log: Json[] = []): Answers => ({
    'elicitation/create': (params): JsonObject => {
      log.push(params)
      if (params.mode === 'url') return { action: 'decline' }
      const { properties } = params.requestedSchema as unknown as { properties: Record<string, unknown> }
      return { action: 'accept', content: Object.fromEntries(Object.keys(properties).map((key) => [key, `a ${key}`])) }
    },
    'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'none' }),
    'roots/list': () => ({ roots: [{ uri: 'file:///here' }] }),
  })

  test('MRTR-02, MRTR-04: the official SDK asks twice, and gets what it asked for', async () => {
    const { session, sent } = await modern({ answers: answers() })
    const result = await session.request('tools/call', { name: 'ask-twice', arguments: {} })
    expect(textOf(result)).toBe('a name likes a colour')
    expect(textOf(await session.request('tools/call', { name: 'ask-model', arguments: {} }))).toContain('Paris')
    expect(textOf(await session.request('tools/call', { name: 'ask-roots', arguments: {} }))).toBe('file:///here')
    const rounds = sent('tools/call').slice(0, 3)
    expect(new Set(rounds.map(({ message }) => message.id)).size).toBe(3)
    expect(rounds.map(({ follows }) => follows)).toEqual([undefined, rounds[0]!.seq, rounds[1]!.seq])
    await session.close()
  })

  test.each([
    ['tools/call', { name: 't', arguments: { a: [1, { b: null }] } }],
    ['prompts/get', { name: 'p' }],
    ['resources/read', { uri: 'mem://x' }],
  ])('MRTR-04, MRTR-05, MRTR-06, MRTR-10: %s is sent again exactly, with a new id', async (method, params) => {
    // The server rejects a round with a wrong id, params, state or keys.
    for (const name of ['rounds', 'rounds-one-form', 'rounds-empty-state', 'rounds-many-keys']) {
      const { session } = await kind(name, { answers: answers() })
      await expect(session.request(method, params)).resolves.toBeTypeOf('object')
      await session.close()
    }
  })

  test('MRTR-06: parameters that were written by hand are sent again as they were written', async () => {
    const { session, trace } = await kind('rounds', { answers: answers() })
    const paramsText = '{ "name": "t", "arguments": {"n": 1.0} }'
    await session.call('tools/call', JSON.parse(paramsText) as JsonObject, { paramsText }).result
    const texts = [...trace].flatMap((frame) =>
      frame.kind === 'message' && frame.direction === 'sent' && frame.raw !== undefined ? [frame.raw] : [],
    )
    expect(texts).toHaveLength(4)
    for (const text of texts) expect(text).toContain('"name": "t", "arguments": {"n": 1.0} }')
    await session.close()
  })

  test('MRTR-03: a state alone is sent back after a pause', async () => {
    const { session, sent, trace } = await kind('state-only')
    await session.request('tools/call', { name: 't' })
    const rounds = sent('tools/call')
    expect(rounds).toHaveLength(3)
    const answered = [...trace].filter((frame) => frame.kind === 'message' && frame.direction === 'received')
    const pauseBefore = (round: number) =>
      rounds[round]!.at - answered.findLast(({ seq }) => seq < rounds[round]!.seq)!.at
    // The second pause is twice as long. A busy machine only lengthens both; a timer may be early by a fraction of 1 ms.
    expect(pauseBefore(1)).toBeGreaterThan(198)
    expect(pauseBefore(2)).toBeGreaterThan(398)
    expect(rounds[1]!.message.params).not.toHaveProperty('inputResponses')
    await session.close()
  })

  test('MRTR-11: a server that never has enough is left alone, and said so', async () => {
    const { session, sent } = await kind('endless-rounds', { answers: answers() })
    await expect(session.request('tools/call', { name: 't' })).rejects.toMatchObject({ code: 'unanswered' })
    expect(sent('tools/call')).toHaveLength(21)
    expect(session.state).toBe('open')
    await session.close()
  })

  test('MRTR-11: the call can be cancelled while a question waits for its answer', async () => {
    let asked: AbortSignal | undefined
    const waiting: Answers = { 'elicitation/create': (_, signal) => ((asked = signal), new Promise(() => {})) }
    const { session, sent } = await kind('rounds-one-form', { answers: waiting })
    const call = session.call('tools/call', { name: 't' })
    await until(() => asked !== undefined)
    call.cancel()
    await expect(call.result).rejects.toMatchObject({ code: 'cancelled' })
    await until(() => asked?.aborted === true)
    expect(sent('tools/call')).toHaveLength(1)
    expect(sent('notifications/cancelled')).toEqual([])
    await session.close()
  })

  test('MRTR-10: what nothing answers abandons the call, and says which question', async () => {
    for (const [name, told] of [
      ['rounds-one-form', 'elicitation/create'],
      ['input-required-unknown', 'request "'],
    ] as const) {
      const { session } = await kind(name)
      const failed = await session.request('tools/call', { name: 't' }).catch((error: unknown) => error)
      expect(failed).toMatchObject({ code: 'unanswered', message: expect.stringContaining(told) as string })
      await session.close()
    }
  })

  test('CF-SAMP-13: the Trace records that a call was abandoned, and its other input requests are withdrawn', async () => {
    let other: AbortSignal | undefined
    const { session, trace, sent } = await kind('input-required-undeclared', {
      answers: {
        'elicitation/create': (_, signal) => ((other = signal), new Promise(() => {})),
        'sampling/createMessage': () => Promise.reject(new ProtocolError(-1, 'Not this one')),
      },
    })
    await expect(session.request('tools/call', { name: 't' })).rejects.toMatchObject({ code: 'unanswered' })
    expect(other?.aborted).toBe(true)
    const [request] = sent('tools/call')
    expect([...trace].filter((frame) => frame.kind === 'session' && frame.phase === 'gave-up')).toMatchObject([
      { request: request!.seq, why: 'cancelled', explanation: expect.stringContaining('Not this one') as string },
    ])
    await session.close()
  })

  test.each(['input-required-empty', 'input-required-array'])('MRTR-08: %s is no answer to the call', async (name) => {
    const { session } = await kind(name, { answers: answers() })
    await expect(session.request('tools/call', { name: 't' })).rejects.toMatchObject({ code: 'invalid-result' })
    await session.close()
  })

  test('MRTR-07: parallel calls do not share their answers', async () => {
    const { session } = await modern({ answers: answers() })
    const texts = await Promise.all(
      Array.from({ length: 10 }, async () =>
        textOf(await session.request('tools/call', { name: 'ask-twice', arguments: {} })),
      ),
    )
    expect(new Set(texts)).toEqual(new Set(['a name likes a colour']))
    await session.close()
  })
})
