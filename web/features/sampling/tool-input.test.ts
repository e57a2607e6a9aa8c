/** Calls in a response are checked against the request's tools before they are sent (CF-SAMP-07). */
import { expect, test } from 'vitest'
import { validator } from '../../../tests/validator.ts'
import { Trace, type Json, type JsonObject, type Peer } from '../../mcp/index.ts'
import { emptyAnswer, inputProblemsOf } from './answer.ts'
import { autoAnswer } from './rules.ts'
import { settingsOf } from './sampling-settings.ts'

const params: JsonObject = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  maxTokens: 100,
  tools: [
    {
      name: 'get_weather',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
}

const calling = (...inputs: readonly JsonObject[]): JsonObject => ({
  ...emptyAnswer(),
  stopReason: 'toolUse',
  content: inputs.map((input, at) => ({ type: 'tool_use', id: `call_${at}`, name: 'get_weather', input })),
})

test('an input that violates the schema of its tool is told, with its place', async () => {
  expect(await inputProblemsOf(calling({ city: 'Bern' }), params, validator)).toEqual([])
  expect(await inputProblemsOf(calling({ city: 'Bern' }, { city: 7 }, {}), params, validator)).toMatchObject([
    { code: 'use-input', level: 'breach', pointer: '/content/1/input/city', found: 'get_weather' },
    { code: 'use-input', level: 'breach', found: 'get_weather', broken: { keyword: 'required' } },
  ])
})

test('a text, an unknown tool and a hostile schema are no problem of an input', async () => {
  expect(await inputProblemsOf(emptyAnswer(), params, validator)).toEqual([])
  const tools: Json = [
    { name: 'get_weather', inputSchema: { type: 'object', $ref: 'http://127.0.0.1:9/x' } },
    { name: 5 },
  ]
  expect(await inputProblemsOf(calling({}), { ...params, tools }, validator)).toEqual([])
  expect(await inputProblemsOf({ content: [null, 5, { type: 'tool_use' }] }, params, validator)).toEqual([])
})

test('a rule does not send such a call by itself: its user is asked', async () => {
  const server = { trace: new Trace(), link: 's1', peer: { revision: '2025-11-25' } as Peer }
  const settings = settingsOf(server)
  settings.save({ name: 'bad', result: calling({ city: 7 }) })
  settings.save({ name: 'good', result: calling({ city: 'Bern' }) })
  const ask = async (name: string) => {
    settings.rule = { perMinute: 3, by: { kind: 'saved', name } }
    return await autoAnswer(
      { id: name, params },
      server,
      new AbortController().signal,
      undefined,
      async () => validator,
    )
  }
  expect(await ask('bad')).toBeUndefined()
  expect(settings.autoResultOf('bad')).toEqual({ by: 'nobody', why: { code: 'misfit' } })
  expect(await ask('good')).toEqual(calling({ city: 'Bern' }))
})
