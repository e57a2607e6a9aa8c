/**
 * Observed behaviour of published servers, stateless or with handshake: failing lists, unknown tools, rejected pings.
 */
import { answerWell } from './well-kept.ts'
import {
  capabilitiesOf,
  complete,
  text,
  versionOf,
  type Exchange,
  type Handler,
  type JsonObject,
  type Kind,
  type Kinds,
} from './wire.ts'

const TOOL = { name: 't', inputSchema: { type: 'object' } }

/** Adds the members a stateless result needs, if the request is stateless. */
const fitting = ({ message }: Exchange, result: JsonObject): JsonObject =>
  versionOf(message) === undefined ? result : complete({ ...result, ttlMs: 0, cacheScope: 'private' })

const error =
  (code: number): Handler =>
  ({ refuse }) =>
    refuse(code, 'No')

const result =
  (members: JsonObject): Handler =>
  (exchange) =>
    exchange.answer(fitting(exchange, members))

const kind = (says: string, on: { readonly [method: string]: Handler }, more: Partial<Kind> = {}): Kind => ({
  says,
  speaks: 'both',
  on,
  ...more,
})

const unknownTool = (says: string, then: Handler): Kind =>
  kind(`An unknown tool ${says}`, {
    'tools/call': (exchange) => (exchange.message.params?.['name'] === 't' ? 'well' : then(exchange)),
  })

/** Pages of `size` items; the second cursor is the empty string (SF-PAGE-03). */
const paged =
  (member: string, items: readonly JsonObject[], size: number): Handler =>
  (exchange) => {
    const { message, refuse, answer } = exchange
    const cursors = [undefined, '', ...Array.from({ length: items.length }, (_, n) => `page ${n + 2}/ü`)]
    const page = cursors.indexOf(message.params?.['cursor'] as string | undefined)
    if (page === -1 || page * size >= items.length) return refuse(-32602, 'Unknown cursor')
    const more = (page + 1) * size < items.length
    answer(
      fitting(exchange, {
        [member]: items.slice(page * size, (page + 1) * size),
        ...(more ? { nextCursor: cursors[page + 1]! } : {}),
      }),
    )
  }

const many = (n: number, make: (n: number) => JsonObject): JsonObject[] =>
  Array.from({ length: n }, (_, i) => make(i + 1))

/** A correct server's response with other capabilities, with and without handshake. */
const withCapabilities = (capabilities: JsonObject): { readonly [method: string]: Handler } => {
  const changed: Handler = (exchange) => {
    const answer = (members: JsonObject) => exchange.answer({ ...members, capabilities })
    answerWell({ says: '', speaks: 'both' }, { ...exchange, answer })
  }
  return { initialize: changed, 'server/discover': changed }
}

export const habits = {
  'lists-fail': kind('Advertises all, and fails three lists, each in its way; tools are well', {
    'resources/list': error(-32601),
    'resources/templates/list': error(-32000),
    'prompts/list': error(-32603),
  }),
  'tools-fail': kind('tools/list fails, and nothing else', { 'tools/list': error(-32603) }),
  'lists-wrong-shape': kind('resources/list has tools in it, prompts/list is {}', {
    'resources/list': result({ tools: [TOOL] }),
    'prompts/list': result({}),
  }),
  'lists-never': kind('prompts/list is never answered', { 'prompts/list': () => {} }),
  'lists-unadvertised': kind('Advertises nothing, and answers every list', withCapabilities({})),
  'lists-advertised-only': kind('Advertises tools alone, and refuses the rest with -32601', {
    ...withCapabilities({ tools: {} }),
    'resources/list': error(-32601),
    'resources/templates/list': error(-32601),
    'prompts/list': error(-32601),
  }),
  'lists-paged': kind('All four lists in pages; one cursor is the empty string; unknown ones give -32602', {
    'tools/list': paged(
      'tools',
      many(7, (n) => ({ name: `tool-${n}`, inputSchema: { type: 'object' } })),
      3,
    ),
    'resources/list': paged(
      'resources',
      many(5, (n) => ({ uri: `mem://${n}`, name: `r${n}` })),
      2,
    ),
    'resources/templates/list': paged(
      'resourceTemplates',
      many(3, (n) => ({ uriTemplate: `mem://${n}/{x}`, name: `t${n}` })),
      1,
    ),
    'prompts/list': paged(
      'prompts',
      many(4, (n) => ({ name: `p${n}` })),
      2,
    ),
  }),
  'tools-by-capability': kind('One more tool for a client that can elicit', {
    'tools/list': (exchange) => {
      const can = exchange.place.counts.has('elicitation') || 'elicitation' in capabilitiesOf(exchange.message)
      exchange.answer(fitting(exchange, { tools: can ? [TOOL, { ...TOOL, name: 'asks' }] : [TOOL] }))
    },
    initialize: ({ message, place }) => {
      const declared = (message.params?.['capabilities'] ?? {}) as JsonObject
      if ('elicitation' in declared) place.counts.set('elicitation', 1)
      return 'well'
    },
  }),
  'ping-refused': kind('ping gives -32601', { ping: error(-32601) }),
  'ping-never': kind('ping is never answered', { ping: () => {} }),
  'ids-of-text-ignored': kind('A request whose id is a string is never answered', {
    '*': ({ message }) => (typeof message.id === 'string' && message.method !== undefined ? undefined : 'well'),
  }),
  'unknown-tool-32601': unknownTool('gives -32601', error(-32601)),
  'unknown-tool-32602': unknownTool('gives -32602', error(-32602)),
  'unknown-tool-32603': unknownTool('gives -32603', error(-32603)),
  'unknown-tool-0': unknownTool('gives the code 0', error(0)),
  'unknown-tool-is-error': unknownTool('gives isError', (exchange) =>
    exchange.answer(fitting(exchange, { ...text('No such tool'), isError: true })),
  ),
  'unknown-tool-success': unknownTool('gives a success', (exchange) =>
    exchange.answer(fitting(exchange, text('Done'))),
  ),
  'unknown-tool-death': unknownTool('ends the process, or the connection', ({ die }) => die()),
  'list-changed-early': kind('All three lists changed, right after initialized', {
    'notifications/initialized': ({ say, http }) => {
      // HTTP has no place for these notifications: the response to a notification is empty.
      if (!http)
        for (const each of ['tools', 'prompts', 'resources']) say({ method: `notifications/${each}/list_changed` })
      return 'well'
    },
  }),
} as const satisfies Kinds
