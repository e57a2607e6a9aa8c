/** Tools that each violate one rule for `x-mcp-header`, and some that only look as if they did (TR-XH-03 to -06). */
import { complete, text, type Json, type JsonObject, type Kinds } from './wire.ts'

const tool = (name: string, properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: 'object', properties, ...more },
})

const annotated = (header: Json, type: Json = 'string'): JsonObject => ({ type, 'x-mcp-header': header })

/** Usable over HTTP. */
export const GOOD_TOOLS: JsonObject[] = [
  tool('good-none', { a: { type: 'string' } }),
  tool('good-types', { s: annotated('S'), i: annotated('I', 'integer'), b: annotated('B', 'boolean') }),
  tool('good-nested', {
    one: { type: 'object', properties: { two: { type: 'object', properties: { s: annotated('Deep') } } } },
  }),
  tool('good-token', { s: annotated("!#$%&'*+-.^_`|~09aZ") }),
  // A property with this name, not the keyword.
  tool('good-named-so', { 'x-mcp-header': { type: 'string' } }),
]

/** Must be excluded over HTTP, each for the reason in its name. */
export const BAD_TOOLS: JsonObject[] = [
  tool('bad-empty', { s: annotated('') }),
  tool('bad-space', { s: annotated('a b') }),
  tool('bad-colon', { s: annotated('a:b') }),
  tool('bad-line-break', { s: annotated('a\r\nX-Evil: 1') }),
  tool('bad-not-ascii', { s: annotated('Grüße') }),
  tool('bad-not-text', { s: annotated(7) }),
  tool('bad-number', { n: annotated('N', 'number') }),
  tool('bad-array', { a: { ...annotated('A', 'array'), items: { type: 'string' } } }),
  tool('bad-object', { o: annotated('O', 'object') }),
  tool('bad-no-type', { s: { 'x-mcp-header': 'S' } }),
  tool('bad-type-list', { s: annotated('S', ['string', 'null']) }),
  tool('bad-twice', { a: annotated('Same'), b: annotated('same') }),
  tool('bad-items', { a: { type: 'array', items: annotated('S') } }),
  tool('bad-any-of', { a: { anyOf: [annotated('S')] } }),
  tool('bad-root-one-of', {}, { oneOf: [{ properties: { s: annotated('S') } }] }),
  tool('bad-if', {}, { if: { properties: { s: annotated('S') } } }),
  tool('bad-ref', { s: { $ref: '#/$defs/s' } }, { $defs: { s: annotated('S') } }),
  tool('bad-additional', {}, { additionalProperties: annotated('S') }),
]

export const annotations = {
  'odd-annotations': {
    says: 'Tools whose x-mcp-header breaks a rule each, and good ones; any call answers with the mcp-param-* headers',
    speaks: 'modern',
    on: {
      'tools/list': ({ answer }) =>
        answer(complete({ tools: [...GOOD_TOOLS, ...BAD_TOOLS], ttlMs: 1000, cacheScope: 'private' })),
      'tools/call': ({ http, message, answer }) => {
        if (message.params?.['name'] === 'seen') return 'well'
        const all = Object.entries(http?.request.headers ?? {})
        answer(
          complete(text(JSON.stringify(Object.fromEntries(all.filter(([name]) => name.startsWith('mcp-param-')))))),
        )
      },
    },
  },
} as const satisfies Kinds
