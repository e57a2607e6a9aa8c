/** Unusual responses to `tools/list`, by name. A function of the cursor. */
import type { Behaviour } from './behaviours.ts'
import type { Json } from './wire.ts'

/** The members of a result, or an error. */
type ListAnswer = (cursor: string | undefined) => { [key: string]: Json }

const tool = (name: string, inputSchema: Json = { type: 'object' }): Json => ({ name, inputSchema })

const keywordNames: Json = {
  type: 'object',
  properties: {
    properties: { type: 'string' },
    type: { type: 'string' },
    items: { type: 'array' },
    required: { type: 'boolean' },
    default: { type: 'number', default: 5 },
    format: {},
  },
  required: ['type', 'default'],
}

const ODD_TOOLS: Json[] = [
  tool('twice'),
  tool('twice'),
  { name: 'no-schema' },
  tool('keyword-names', keywordNames),
  tool('empty-required', { type: 'object', properties: { a: {} }, required: [] }),
  tool('refs', {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { one: { $ref: '#/$defs/point' }, two: { $ref: '#/properties/one' }, node: { $ref: '#/$defs/node' } },
    $defs: {
      point: { type: 'object', properties: { x: { type: 'number' }, y: { type: ['number', 'null'] } } },
      node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } },
    },
  }),
  tool('arrays', {
    type: 'object',
    properties: { anything: { type: 'array' }, pairs: { type: 'array', prefixItems: [{ type: 'string' }, {}] } },
  }),
  tool('odd-enums', { type: 'object', properties: { level: { enum: [1, 2, null, 'high', false] } } }),
  tool('root-any-of', {
    type: 'object',
    anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }],
  }),
  { ...(tool('long-description') as object), description: 'A very long description. '.repeat(1400) },
  {
    ...(tool('extra-keys') as object),
    'x-vendor': { anything: [1] },
    annotations: { destructiveHint: true, title: 'Extra' },
  },
  null,
  { name: 7, inputSchema: {} },
]

export const listAnswers: Partial<Record<Behaviour, ListAnswer>> = {
  paged: (cursor): { [key: string]: Json } => {
    // SF-PAGE-03: an empty string is a valid cursor.
    const pages = new Map<string | undefined, [from: number, next?: string]>([
      [undefined, [0, '']],
      ['', [3, 'last']],
      ['last', [6]],
    ])
    const page = pages.get(cursor)
    if (!page) return { error: { code: -32602, message: `Unknown cursor ${cursor}` } }
    const [from, nextCursor] = page
    return {
      tools: [0, 1, 2].map((index) => tool(`tool-${from + index}`)),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    }
  },
  'endless-cursor': () => ({ tools: [tool('again')], nextCursor: 'the-same' }),
  'tools-list-error': () => ({ error: { code: -32603, message: 'The tool registry is on fire' } }),
  'many-tools': () => ({
    tools: Array.from({ length: 1083 }, (_, index) =>
      tool(`group${index % 12}_tool_${index}`, {
        type: 'object',
        properties: { a: { type: 'string' }, n: { type: 'integer' } },
      }),
    ),
  }),
  'odd-tools': () => ({ tools: ODD_TOOLS }),
}
