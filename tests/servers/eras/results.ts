/** Unusual results of 2026-07-28: their type, their caching, the input they request. */
import {
  complete,
  count,
  MODERN,
  progressTokenOf,
  subscription,
  text,
  type Exchange,
  type Handler,
  type Json,
  type JsonObject,
  type Kind,
  type Kinds,
} from './wire.ts'

const ask = (words: string, name: string): JsonObject => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: words,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  },
})
const askModel: JsonObject = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'The capital of France?' } }], maxTokens: 100 },
}
const askRoots: JsonObject = { method: 'roots/list' }
const askUrl: JsonObject = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Please sign in', url: 'https://example.com/sign-in' },
}

/** A round: its requests, and its request state. Without a state, the client must not send one. */
interface Round {
  readonly asks: JsonObject
  readonly state?: string
}

/** Unusual on purpose: opaque values must come back byte for byte (MRTR-04). */
const STATES = [' first "é\u2028\\u0041 ', `second==${'x'.repeat(2000)}\n`, ''] as const

const input = ({ asks, state }: Round): JsonObject => ({
  resultType: 'input_required',
  ...(Object.keys(asks).length === 0 ? {} : { inputRequests: asks }),
  ...(state === undefined ? {} : { requestState: state }),
})

/** Plays the rounds in order, and rejects a retry that isn't exactly right (MRTR-02, -04, -06). Then `t` responds. */
const play =
  (rounds: readonly Round[]): Handler =>
  ({ message, place, answer, refuse }) => {
    const { inputResponses, requestState, _meta, ...rest } = message.params ?? {}
    const step = place.counts.get('round') ?? 0
    const before = rounds[step - 1]
    const wrong = (words: string) => {
      place.counts.delete('round')
      refuse(-32602, words)
    }
    const id = JSON.stringify(message.id)
    // Later sessions may start at 1 again.
    if (!before) place.ids.clear()
    if (place.ids.has(id)) return wrong('The id was used before')
    place.ids.add(id)
    if (before) {
      const keys = Object.keys((inputResponses ?? {}) as JsonObject)
      if (!same(keys.sort(), Object.keys(before.asks).sort())) return wrong(`Answers to ${keys.join()} were not asked`)
      if (requestState !== before.state) return wrong('requestState is not the one that was given')
      if (!same(rest, place.first ?? null)) return wrong('The params are not those of the first round')
    } else {
      if (inputResponses !== undefined || requestState !== undefined) return wrong('Nothing was asked yet')
      place.first = rest
    }
    const round = rounds[step]
    if (round) {
      count(place, 'round')
      return answer(input(round))
    }
    place.counts.delete('round')
    const words = JSON.stringify({ inputResponses: inputResponses ?? null, arguments: rest['arguments'] ?? null })
    if (message.method === 'prompts/get')
      return answer(complete({ messages: [{ role: 'user', content: { type: 'text', text: words } }] }))
    if (message.method === 'resources/read')
      return answer(
        complete({ contents: [{ uri: rest['uri'] ?? null, text: words }], ttlMs: 1000, cacheScope: 'private' }),
      )
    answer(complete(text(words)))
  }

const same = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

const calls = (handler: Handler): { readonly [method: string]: Handler } => ({
  // The other tools keep working, because tests need `seen`.
  'tools/call': (exchange) => (exchange.message.params?.['name'] === 't' ? handler(exchange) : 'well'),
})

const rounds = (...all: Round[]): { readonly [method: string]: Handler } => ({
  ...calls(play(all)),
  'prompts/get': play(all),
  'resources/read': play(all),
})

const TOOL = { name: 't', inputSchema: { type: 'object' } }

/** The response to `tools/list` with other members. */
const list = (more: JsonObject, without: readonly string[] = []): { readonly [method: string]: Handler } => ({
  'tools/list': ({ answer }) => {
    const result = { ...complete({ tools: [TOOL] }), ttlMs: 1000, cacheScope: 'private', ...more }
    for (const key of without) delete (result as JsonObject)[key]
    answer(result)
  },
})

const kind = (says: string, on: { readonly [method: string]: Handler }, more: Partial<Kind> = {}): Kind => ({
  says,
  speaks: 'modern',
  on,
  ...more,
})

const lead = (...before: ((exchange: Exchange) => object)[]): Handler => {
  return (exchange) => {
    for (const make of before) exchange.say(make(exchange))
    return 'well'
  }
}

export const results = {
  'no-result-type': kind(
    'No resultType, nor _meta',
    calls(({ answer }) => answer(text('as ever'))),
  ),
  'unknown-result-type': kind(
    'resultType "deferred"',
    calls(({ answer }) => answer({ ...text('later'), resultType: 'deferred' })),
  ),
  'result-type-number': kind(
    'resultType 1',
    calls(({ answer }) => answer({ ...text('one'), resultType: 1 })),
  ),
  'task-undeclared': kind(
    'resultType "task", whether the client declared the extension or not',
    calls(({ answer }) =>
      answer({ resultType: 'task', taskId: 'x', status: 'working', createdAt: new Date(0).toISOString(), ttlMs: null }),
    ),
  ),

  rounds: kind(
    'Three rounds: a form with a state; a model and roots with another; a page without any. Retries must be exact',
    rounds(
      { asks: { name: ask('Who are you?', 'name') }, state: STATES[0] },
      { asks: { model: askModel, roots: askRoots }, state: STATES[1] },
      { asks: { visit: askUrl } },
    ),
  ),
  'rounds-one-form': kind('One round: a form, no state', rounds({ asks: { name: ask('Who are you?', 'name') } })),
  'rounds-empty-state': kind(
    'One round: a form, and a state that is the empty string',
    rounds({ asks: { name: ask('Who are you?', 'name') }, state: STATES[2] }),
  ),
  'rounds-many-keys': kind(
    'One round of four questions, the keys odd: __proto__, empty, 1, constructor',
    rounds({
      asks: JSON.parse(
        JSON.stringify({ own: ask('A', 'a'), '': ask('B', 'b'), 1: ask('C', 'c'), constructor: ask('D', 'd') }).replace(
          '"own"',
          '"__proto__"',
        ),
      ) as JsonObject,
    }),
  ),
  'state-only': kind(
    'A state alone, two times, to be sent back at once; then the answer',
    rounds({ asks: {}, state: STATES[0] }, { asks: {}, state: STATES[1] }),
  ),
  'endless-rounds': kind(
    'Asks again and again',
    calls(({ answer, place }) =>
      answer(input({ asks: { again: ask('Again?', 'again') }, state: String(count(place, 'asked')) })),
    ),
  ),
  'endless-state': kind(
    'A state alone, again and again',
    calls(({ answer, place }) => answer(input({ asks: {}, state: String(count(place, 'asked')) }))),
  ),
  'input-required-empty': kind(
    'input_required with neither inputRequests nor requestState (MRTR-08)',
    calls(({ answer }) => answer({ resultType: 'input_required' })),
  ),
  'input-required-undeclared': kind(
    'Asks the model and a page whatever the client declared (MRTR-09)',
    calls(({ answer }) => answer(input({ asks: { model: askModel, visit: askUrl } }))),
  ),
  'input-required-unknown': kind(
    'Asks by a method nobody knows, and with entries that are no requests',
    calls(({ answer }) =>
      answer(input({ asks: { odd: { method: 'com.example/ask' }, nothing: null, words: 'hello', none: {} } })),
    ),
  ),
  'input-required-array': kind(
    'inputRequests is an array, requestState a number',
    calls(({ answer }) => answer({ resultType: 'input_required', inputRequests: [askRoots], requestState: 7 })),
  ),
  'input-required-on-list': kind('input_required in answer to tools/list (MRTR-01)', {
    'tools/list': ({ answer }) => answer(input({ asks: { name: ask('Who are you?', 'name') } })),
  }),
  'input-required-on-discover': kind('input_required in answer to server/discover', {
    'server/discover': ({ answer }) => answer(input({ asks: { name: ask('Who are you?', 'name') } })),
  }),
  'input-required-cached': kind(
    'input_required with ttlMs and cacheScope (CACHE-10)',
    calls(({ answer }) => answer({ ...input({ asks: { roots: askRoots } }), ttlMs: 1000, cacheScope: 'public' })),
  ),

  'ttl-long': kind('tools/list is fresh for a minute', list({ ttlMs: 60_000 })),
  'ttl-negative': kind('ttlMs -1', list({ ttlMs: -1 })),
  'ttl-absent': kind('Neither ttlMs nor cacheScope', list({}, ['ttlMs', 'cacheScope'])),
  'ttl-text': kind('ttlMs "60000"', list({ ttlMs: '60000' })),
  'ttl-huge': kind('ttlMs 1e18, more than a date can hold', list({ ttlMs: 1e18 })),
  'cache-scope-odd': kind('cacheScope "shared"', list({ cacheScope: 'shared' })),
  'cache-scopes-differ': kind('Two pages of tools, one public and one private (CACHE-09)', {
    'tools/list': ({ message, answer }) => {
      const second = message.params?.['cursor'] === 'two'
      const scope = { ttlMs: 1000, cacheScope: second ? 'private' : 'public' }
      answer(complete({ tools: [TOOL], ...scope, ...(second ? {} : { nextCursor: 'two' }) }))
    },
  }),

  'server-request': kind(
    'Asks roots/list and ping by requests, before the answer (BP-12)',
    calls(
      lead(
        () => ({ id: 's1', method: 'roots/list' }),
        () => ({ id: 's2', method: 'ping' }),
      ),
    ),
  ),
  'change-outside-listen': kind(
    'tools/list_changed before the answer to tools/call, without a subscription',
    calls(
      lead(
        () => ({ method: 'notifications/tools/list_changed' }),
        () => ({ method: 'notifications/tools/list_changed', params: { _meta: subscription('nobody') } }),
      ),
    ),
  ),
  'progress-unasked': kind(
    'Progress and log messages before the answer, asked for or not',
    calls(
      lead(
        ({ message }) => ({
          method: 'notifications/progress',
          params: { progressToken: progressTokenOf(message), progress: 1 },
        }),
        () => ({ method: 'notifications/message', params: { level: 'info', data: 'unasked' } }),
      ),
    ),
  ),
  'resource-32002': kind('A resource that is not there gives -32002, as before 2026-07-28', {
    'resources/read': ({ message, refuse }) =>
      refuse(-32002, 'Resource not found', { data: { uri: message.params?.['uri'] ?? null } }),
  }),
  'error-42': kind('tools/call gives -32042 with elicitations, as of 2025-11-25', {
    'tools/call': ({ refuse }) =>
      refuse(-32042, 'Sign in', {
        data: { elicitations: [{ mode: 'url', elicitationId: 'e', url: 'https://example.com', message: 'Sign in' }] },
      }),
  }),
  'error-reserved': kind('tools/call gives -32050, which the specification reserves and does not define (BP-32)', {
    'tools/call': ({ refuse }) => refuse(-32050, 'Reserved'),
  }),
  'info-varies': kind('serverInfo is another in each result', {
    'tools/call': ({ answer, place }) =>
      answer({
        ...complete(text('who?')),
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: `n${count(place, 'info')}`, version: MODERN } },
      }),
  }),
} as const satisfies Kinds
