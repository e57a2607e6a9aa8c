import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { API_KEY, type Seen } from '../../../tests/servers/models/index.ts'
import { relayFetch, type Json, type JsonObject } from '../../mcp/index.ts'
import * as schema from '../../mcp/schema/schema.ts'
import { problemsOf } from './answer.ts'
import { askModel, endpointProblem, isInTheClear, listModels, type Endpoint, type EndpointKind } from './endpoint.ts'
import { EndpointError } from './endpoint-format.ts'

let places = 0
const place = () => `t${++places}-${Math.random().toString(36).slice(2)}`

const at = (kind: EndpointKind, fault: string, where = place(), road = 'open'): Endpoint & { where: string } => ({
  kind,
  base: `${inject('modelsUrl')}/${road}/${fault}/${where}${kind === 'openai' ? '/v1' : ''}`,
  model: 'small-2',
  key: API_KEY,
  where,
})

const seen = async (where: string): Promise<readonly Seen[]> =>
  (await (await fetch(`${inject('modelsUrl')}/seen/${where}`)).json()) as Seen[]

const text = (text: string) => ({ type: 'text', text })
const params = (more: JsonObject = {}): JsonObject => ({
  messages: [{ role: 'user', content: text('Hello') }],
  maxTokens: 100,
  ...more,
})
const newest = (most: Json = 100) => ({ most, revision: '2025-11-25' })
const options = (more: object = {}) => ({ fetch, signal: new AbortController().signal, ...more })
const failure = async (promise: Promise<unknown>): Promise<EndpointError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof EndpointError)) throw new Error(`No EndpointError: ${String(error)}`)
  return error
}

const KINDS = ['openai', 'anthropic'] as const

const CITY = {
  name: 'weather/now',
  description: 'Weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
}
const PICTURE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
const loop: Json[] = [
  { role: 'user', content: text('How is the weather?') },
  {
    role: 'assistant',
    content: [text('I look.'), { type: 'tool_use', id: 'u1', name: 'weather/now', input: { city: 'Paris' } }],
  },
  { role: 'user', content: { type: 'tool_result', toolUseId: 'u1', content: [text('18 °C'), PICTURE] } },
]

for (const kind of KINDS) {
  test(`${kind}: a plain question gets an answer that fits every revision (CF-SAMP-06)`, async () => {
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const) {
      const { result } = await askModel(
        at(kind, 'none'),
        params({ systemPrompt: 'Be kind' }),
        { most: 100, revision },
        options(),
      )
      expect(result).toMatchObject({ role: 'assistant', content: { type: 'text' }, stopReason: 'endTurn' })
      expect(problemsOf(result, params(), revision, schema)).toEqual([])
    }
  })

  test(`${kind}: system prompt, temperature and stop sequences are sent; pictures, too (CF-SAMP-04)`, async () => {
    const endpoint = at(kind, 'none')
    const asked = params({
      messages: [{ role: 'user', content: [text('What is it?'), PICTURE] }],
      systemPrompt: 'Be brief',
      temperature: 0.5,
      stopSequences: ['END'],
    })
    await askModel(endpoint, asked, newest(), options())
    const [{ body }] = (await seen(endpoint.where)) as [Seen]
    expect(body).toMatchObject({ model: 'small-2', max_tokens: 100, temperature: 0.5 })
    const told = JSON.stringify(body)
    for (const part of ['Be brief', 'END', 'iVBORw0KGgo=', 'image/png']) expect(told).toContain(part)
  })

  test(`${kind}: never more tokens are asked for than the server permits, whatever was edited (CF-SAMP-03)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), async (most, wished) => {
        const endpoint = at(kind, 'none')
        const { notes } = await askModel(endpoint, params({ maxTokens: wished }), newest(most), options())
        const [{ body }] = (await seen(endpoint.where)) as [Seen]
        expect(body?.['max_tokens']).toBe(Math.min(most, wished))
        expect(notes.some(({ code }) => code === 'limit-lowered')).toBe(wished > most)
      }),
      { numRuns: 10 },
    )
  })

  test(`${kind}: an answer that was cut says so by its stop reason`, async () => {
    const { result } = await askModel(at(kind, 'none'), params({ maxTokens: 3 }), newest(3), options())
    expect(result.stopReason).toBe('maxTokens')
  })

  test(`${kind}: tools are offered under names that the endpoint permits, and calls come back under their own`, async () => {
    const { result, notes } = await askModel(at(kind, 'none'), params({ tools: [CITY] }), newest(), options())
    const blocks = [result.content].flat() as JsonObject[]
    expect(blocks.at(-1)).toMatchObject({ type: 'tool_use', name: 'weather/now', input: { city: 'Paris' } })
    expect(result.stopReason).toBe('toolUse')
    expect(notes).toContainEqual({ code: 'tool-renamed', found: 'weather/now → weather_now' })
    expect(problemsOf(result, params({ tools: [CITY] }), '2025-11-25', schema)).toEqual([])
  })

  test(`${kind}: a conversation with calls and results is told as the endpoint demands it, pictures included`, async () => {
    const endpoint = at(kind, 'none')
    const { result } = await askModel(endpoint, params({ messages: loop, tools: [CITY] }), newest(), options())
    expect(result.stopReason).not.toBe('toolUse')
    const [{ body }] = (await seen(endpoint.where)) as [Seen]
    expect(JSON.stringify(body)).toContain('iVBORw0KGgo=')
    expect(JSON.stringify(body)).toContain('18 °C')
  })

  test(`${kind}: toolChoice none and required are passed on (CF-SAMP-10)`, async () => {
    for (const [mode, sent] of [
      ['none', kind === 'openai' ? 'none' : { type: 'none' }],
      ['required', kind === 'openai' ? 'required' : { type: 'any' }],
      ['auto', kind === 'openai' ? 'auto' : { type: 'auto' }],
    ] as const) {
      const endpoint = at(kind, 'none')
      await askModel(endpoint, params({ tools: [CITY], toolChoice: { mode } }), newest(), options())
      expect((await seen(endpoint.where))[0]?.body?.['tool_choice']).toEqual(sent)
    }
  })

  test(`${kind}: before 2025-11-25 no tools are sent, and the answer is one block`, async () => {
    const endpoint = at(kind, 'none')
    const old = { most: 100, revision: '2025-06-18' }
    const { result, notes } = await askModel(endpoint, params({ tools: [CITY] }), old, options())
    expect(result.content).toMatchObject({ type: 'text' })
    expect(notes).toContainEqual({ code: 'tools-not-sent' })
    expect((await seen(endpoint.where))[0]?.body).not.toHaveProperty('tools')
  })

  test(`${kind}: each fault has a code of its own, and the facts that name it`, async () => {
    const ask = (fault: string) => failure(askModel(at(kind, fault), params(), newest(), options()))
    expect(await ask('key')).toMatchObject({ code: 'unauthorized', facts: { status: 401, said: 'invalid x-api-key' } })
    expect(await ask('busy')).toMatchObject({ code: 'too-many', facts: { status: 429, retryAfter: 7 } })
    expect(await ask('broken')).toMatchObject({ code: 'server', facts: { status: 500, said: 'Out of order' } })
    expect(await ask('page')).toMatchObject({ code: 'not-json', facts: { said: expect.stringContaining('A page') } })
    expect(await ask('shape')).toMatchObject({ code: 'shape' })
    expect(await ask('array')).toMatchObject({ code: 'not-an-object', facts: { said: '["up"]' } })
    expect(await ask('redirect')).toMatchObject({ code: 'redirected' })
    expect(
      await failure(askModel({ ...at(kind, 'none'), base: 'http://127.0.0.1:9' }, params(), newest(), options())),
    ).toMatchObject({
      code: 'unreachable',
    })
  })

  test(`${kind}: an answer without end is cut off, and one that never comes`, async () => {
    const short = { limits: { ms: 60_000, bytes: 200_000 } }
    expect(await failure(askModel(at(kind, 'endless'), params(), newest(), options(short)))).toMatchObject({
      code: 'too-long',
      facts: { limit: 200_000 },
    })
    const quick = { limits: { ms: 100, bytes: 200_000 } }
    expect(await failure(askModel(at(kind, 'silent'), params(), newest(), options(quick)))).toMatchObject({
      code: 'timeout',
      facts: { limit: 100 },
    })
  })

  test(`${kind}: asking can be cancelled`, async () => {
    const cancel = new AbortController()
    const asking = failure(askModel(at(kind, 'silent'), params(), newest(), options({ signal: cancel.signal })))
    cancel.abort()
    expect((await asking).code).toBe('cancelled')
  })

  test(`${kind}: the key is in a header alone, and in nothing that comes back`, async () => {
    const endpoint = at(kind, 'none')
    const answer = await askModel(endpoint, params(), newest(), options())
    const [{ headers, body, path }] = (await seen(endpoint.where)) as [Seen]
    expect(JSON.stringify(headers)).toContain(API_KEY)
    expect(JSON.stringify([answer, body, path])).not.toContain(API_KEY)
    const error = await failure(askModel(at(kind, 'echo'), params(), newest(), options()))
    expect(error.facts.said).toContain('•••')
    expect(JSON.stringify([error.message, error.facts])).not.toContain(API_KEY)
  })

  test(`${kind}: a redirect takes the key nowhere`, async () => {
    const endpoint = at(kind, 'redirect')
    await failure(askModel(endpoint, params(), newest(), options()))
    expect(await seen('led-astray')).toEqual([])
  })

  test(`${kind}: where no page is permitted, the relay reaches it`, async () => {
    const relay = relayFetch({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
    const endpoint = at(kind, 'none', place(), 'closed')
    const { result } = await askModel(endpoint, params(), newest(), options({ fetch: relay }))
    expect(result.role).toBe('assistant')
    const led = await failure(
      askModel(at(kind, 'redirect', place(), 'closed'), params(), newest(), options({ fetch: relay })),
    )
    expect(led.code).toBe('redirected')
    const gone = relayFetch({ base: 'http://127.0.0.1:9/', token: 'x' })
    const lost = await failure(askModel(endpoint, params(), newest(), options({ fetch: gone })))
    expect(lost).toMatchObject({ code: 'relay', facts: { remedy: expect.any(String) } })
  })

  test(`${kind}: its models are listed, sorted`, async () => {
    expect(await listModels(at(kind, 'none'), options())).toEqual(['large-1', 'small-2', 'tiny'])
    expect(await failure(listModels(at(kind, 'shape'), options()))).toMatchObject({ code: 'shape' })
  })

  test(`${kind}: what holds nothing to send is not sent`, async () => {
    const endpoint = at(kind, 'none')
    expect((await failure(askModel(endpoint, params({ messages: [] }), newest(), options()))).code).toBe(
      'nothing-to-send',
    )
    const unlimited = askModel(endpoint, { messages: params().messages! }, newest('many'), options())
    expect((await failure(unlimited)).code).toBe('no-limit')
    expect(await seen(endpoint.where)).toEqual([])
  })

  test(`${kind}: garbage in a conversation never makes asking throw anything but an EndpointError`, async () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
    await fc.assert(
      fc.asyncProperty(fc.array(json, { maxLength: 4 }), json, async (messages, tools) => {
        const asked = params({ messages, tools })
        await askModel(at(kind, 'none'), asked, newest(), options()).catch((error: unknown) => {
          if (!(error instanceof EndpointError)) throw error
        })
      }),
      { numRuns: 30 },
    )
  })
}

test('an endpoint that knows the limit by its newer name is asked again with it', async () => {
  const endpoint = at('openai', 'new-limit')
  await askModel(endpoint, params(), newest(), options())
  const bodies = (await seen(endpoint.where)).map(({ body }) => body)
  expect(bodies).toHaveLength(2)
  expect(bodies[1]).toMatchObject({ max_completion_tokens: 100 })
  expect(bodies[1]).not.toHaveProperty('max_tokens')
})

test('a call whose arguments are no JSON is no answer', async () => {
  const asking = askModel(at('openai', 'wrong-arguments'), params({ tools: [CITY] }), newest(), options())
  expect(await failure(asking)).toMatchObject({ code: 'bad-arguments' })
})

test('an answer over the limit is marked (CF-SAMP-03)', async () => {
  const { notes } = await askModel(at('openai', 'wordy'), params({ maxTokens: 5 }), newest(5), options())
  expect(notes.map(({ code }) => code)).toContain('over-limit')
})

test('Anthropic is told that a page calls, and thoughts stay out of the answer', async () => {
  const endpoint = at('anthropic', 'none')
  const { result, notes } = await askModel(endpoint, params({ tools: [CITY] }), newest(), options())
  expect((await seen(endpoint.where))[0]?.headers['anthropic-dangerous-direct-browser-access']).toBe('true')
  expect(JSON.stringify(result)).not.toContain('thinking')
  expect(notes).toContainEqual({ code: 'thoughts-left-out', found: 'assistant: thinking' })
})

test('an address may be given with or without the end of its path', async () => {
  const { base, ...rest } = at('openai', 'none')
  for (const ending of ['', '/', '/chat/completions', '/models']) {
    expect(await listModels({ ...rest, base: base + ending }, options())).toHaveLength(3)
  }
  const messages = at('anthropic', 'none')
  for (const ending of ['', '/', '/v1', '/v1/messages']) {
    expect(await listModels({ ...messages, base: messages.base + ending }, options())).toHaveLength(3)
  }
})

test('what stands in the way of asking is told before anything is sent', () => {
  const fine: Endpoint = { kind: 'openai', base: 'https://models.example/v1', model: 'm', key: 'k' }
  expect(endpointProblem(fine)).toBeUndefined()
  expect(endpointProblem({ ...fine, base: '' })).toBe('no-base')
  expect(endpointProblem({ ...fine, base: 'javascript:alert(1)' })).toBe('bad-base')
  expect(endpointProblem({ ...fine, base: 'https://me:secret@models.example' })).toBe('credentials')
  expect(endpointProblem({ ...fine, model: ' ' })).toBe('no-model')
  expect(endpointProblem({ ...fine, model: '' }, 'models')).toBeUndefined()
  expect(endpointProblem({ ...fine, key: 'a key\n' })).toBe('bad-key')
  expect(isInTheClear({ ...fine, base: 'http://models.example' })).toBe(true)
  for (const base of ['https://models.example', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1']) {
    expect(isInTheClear({ ...fine, base })).toBe(false)
  }
})
