/** Schemas designed to hang, flood or mislead. */
import { object, type SchemaCase } from './case.ts'

const nested = (depth: number): object => {
  let schema: object = { type: 'string' }
  for (let at = 0; at < depth; at++) schema = object({ in: schema })
  return schema
}

export const hostile: readonly SchemaCase[] = [
  {
    name: '10^5 properties',
    origin: 'hostile: a group too wide to draw',
    schema: object(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`p${at}`, { type: 'integer' }]))),
    keep: ['{}', '{"p99999":1.0,"p3":2}'],
    type: [{ from: '{"p3":1.0}', at: '/p99999', text: '5', gives: '{"p3":1.0,"p99999":5}' }],
    oracle: 'apart',
  },
  {
    name: '10^4 deep',
    origin: 'hostile: groups without end',
    schema: nested(10_000),
    keep: ['{}', '{"in":{"in":{"in":{}}}}'],
    type: [{ at: '/in'.repeat(25), text: '{"in":1.0}', gives: `${'{"in":'.repeat(26)}1.0${'}'.repeat(26)}` }],
    oracle: 'apart',
  },
  {
    name: 'a pattern that never ends',
    origin: 'hostile: (a+)+$',
    schema: object({ x: { type: 'string', pattern: '^(a+)+$' } }),
    keep: [`{"x":"${'a'.repeat(40)}"}`],
    type: [{ at: '/x', text: 'aaaa', gives: '{"x":"aaaa"}' }],
    oracle: 'apart',
  },
  {
    name: '10^5 choices',
    origin: 'hostile: a list too long for a list',
    schema: object({ x: { type: 'string', enum: Array.from({ length: 100_000 }, (_, at) => `choice ${at}`) } }),
    keep: ['{"x":"choice 99999"}'],
    keepAlso: ['{"x":"none"}'],
    oracle: 'apart',
  },
  {
    name: 'alternatives that double',
    origin: 'hostile: oneOf of oneOf of the same',
    schema: {
      $ref: '#/$defs/a',
      $defs: {
        a: { oneOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/b' }, { type: 'object' }] },
        b: { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }, { type: 'object' }] },
      },
    },
    keep: ['{}', '{"x":1.0}'],
    oracle: 'apart',
  },
  {
    name: 'allOf of itself',
    origin: 'hostile: a schema that requires itself',
    schema: object(
      { a: { $ref: '#/$defs/self' }, b: { type: 'string' } },
      {
        $defs: { self: { allOf: [{ $ref: '#/$defs/self' }, { $ref: '#/$defs/self' }] } },
      },
    ),
    keep: ['{"b":"x"}', '{"a":[1.0]}'],
    type: [{ at: '/b', text: 'x', gives: '{"b":"x"}' }],
    oracle: 'apart',
  },
  {
    name: 'required without end',
    origin: 'hostile: a group that requires itself',
    schema: object({ next: { $ref: '#' } }, { required: ['next'] }),
    keep: [],
    keepAlso: ['{}', '{"next":{"next":{}}}'],
    refuse: [{ value: '{}', at: ['/next'] }],
  },
  {
    name: 'no schema where one should be',
    origin: 'real servers: garbage in place of schemas',
    schema: object({ a: 5, b: null, c: { type: 'text' }, d: { type: 'string', pattern: '(' }, e: { enum: [] } }),
    keep: ['{"a":1.0,"b":[]}'],
    keepAlso: ['{"c":"x","d":"y","e":0}'],
    type: [{ at: '/d', text: 'x', gives: '{"d":"x"}' }],
    oracle: 'apart',
  },
  {
    name: 'names that every object has',
    origin: 'hostile: __proto__, constructor, toString',
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"toString":{}}}',
    ) as unknown,
    keep: ['{"__proto__":"x","constructor":1,"toString":null}', '{}'],
    type: [{ at: '/__proto__', text: 'y', gives: '{"__proto__":"y"}' }],
    oracle: 'apart',
  },
  {
    name: 'a default of a megabyte',
    origin: 'hostile: what is shown is cut',
    schema: object({ x: { type: 'array', default: Array.from({ length: 100_000 }, () => 'aaaaaaaaaa') } }),
    keep: ['{}', '{"x":[]}'],
    oracle: 'apart',
  },
]
