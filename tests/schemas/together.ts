/** References, combined conditions, and conditions that depend on the value. */
import { object, type SchemaCase } from './case.ts'

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'
const node = object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } })

export const together: readonly SchemaCase[] = [
  {
    name: 'definitions',
    origin: 'inspector #445: $defs and definitions',
    schema: object(
      { a: { $ref: '#/$defs/size' }, b: { $ref: '#/definitions/Old' } },
      { $defs: { size: { type: 'integer', minimum: 1 } }, definitions: { Old: object({ x: { type: 'boolean' } }) } },
    ),
    keep: ['{"a":1,"b":{"x":true}}', '{"b":{}}'],
    refuse: [{ value: '{"a":0,"b":{"x":1}}', at: ['/a', '/b/x'] }],
    type: [{ at: '/a', text: '5', gives: '{"a":5}' }],
  },
  {
    name: 'a reference to another property',
    origin: 'inspector #2321: fields built from one schema',
    schema: {
      $schema: DRAFT_7,
      ...object({
        begin: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
        end: { $ref: '#/properties/begin', description: 'the last day' },
      }),
    },
    keep: ['{"begin":"2026-09-01","end":"2026-09-27"}'],
    refuse: [{ value: '{"end":"27.9."}', at: ['/end'] }],
    type: [{ at: '/end', text: '2026-09-27', gives: '{"end":"2026-09-27"}' }],
  },
  {
    name: 'anchors',
    origin: 'JSON-Schema-Test-Suite: $anchor',
    schema: object({ a: { $ref: '#count' } }, { $defs: { c: { $anchor: 'count', type: 'integer' } } }),
    keep: ['{"a":1}'],
    refuse: [{ value: '{"a":"1"}', at: ['/a'] }],
    type: [{ at: '/a', text: '1', gives: '{"a":1}' }],
  },
  {
    name: 'a schema in the schema',
    origin: 'JSON-Schema-Test-Suite: $id of an embedded schema',
    schema: {
      $id: 'https://schemas.example/tool',
      ...object(
        { item: { $ref: 'https://schemas.example/item' }, also: { $ref: 'item' } },
        { $defs: { any: { $id: 'https://schemas.example/item', ...object({ n: { type: 'integer' } }) } } },
      ),
    },
    keep: ['{"item":{"n":1},"also":{"n":2}}'],
    refuse: [{ value: '{"item":{"n":"x"}}', at: ['/item/n'] }],
    type: [{ at: '/also/n', text: '3', gives: '{"also":{"n":3}}' }],
  },
  {
    name: 'a tree',
    origin: 'JSON-Schema-Test-Suite: a recursive reference',
    schema: { $ref: '#/$defs/node', $defs: { node } },
    keep: ['{}', '{"name":"a","children":[{"name":"b","children":[{"children":[]}]}]}'],
    refuse: [{ value: '{"children":[{"children":[{"name":1}]}]}', at: ['/children/0/children/0/name'] }],
    type: [
      {
        from: '{"children":[{"children":[{"name":"x"}]}]}',
        at: '/children/0/children/0/name',
        text: 'y',
        gives: '{"children":[{"children":[{"name":"y"}]}]}',
      },
    ],
  },
  {
    name: 'a chain without end',
    origin: 'JSON-Schema-Test-Suite: $ref to the root',
    schema: object({ value: { type: 'integer' }, next: { $ref: '#' } }),
    keep: ['{"value":1,"next":{"value":2,"next":{}}}'],
    refuse: [{ value: '{"next":{"next":{"value":"x"}}}', at: ['/next/next/value'] }],
    type: [{ at: '/next/next/value', text: '1', gives: '{"next":{"next":{"value":1}}}' }],
  },
  {
    name: 'a filter of filters',
    origin: 'real servers: recursive anyOf',
    schema: object(
      { filter: { $ref: '#/$defs/filter' } },
      {
        $defs: {
          filter: {
            anyOf: [
              object({ field: { type: 'string' }, is: {} }, { required: ['field'], additionalProperties: false }),
              object(
                { and: { type: 'array', items: { $ref: '#/$defs/filter' } } },
                { required: ['and'], additionalProperties: false },
              ),
            ],
          },
        },
      },
    ),
    keep: ['{"filter":{"field":"a","is":1.0}}', '{"filter":{"and":[{"field":"a"},{"and":[]}]}}'],
    refuse: [{ value: '{"filter":{"and":[{"field":1}]}}', at: ['/filter/and/0/field'] }],
    type: [
      {
        from: '{"filter":{"and":[{"field":"a"}]}}',
        at: '/filter/and/0/field',
        text: 'b',
        gives: '{"filter":{"and":[{"field":"b"}]}}',
      },
    ],
  },
  {
    name: 'another document',
    origin: 'JS-05: a remote $ref is never fetched',
    schema: object({ far: { $ref: 'https://schemas.example/far.json' }, near: { type: 'string' } }),
    keep: ['{"near":"x"}', '{"far":{"any":1.0}}'],
    type: [
      { at: '/near', text: 'x', gives: '{"near":"x"}' },
      { at: '/far', text: '{"a":1}', gives: '{"far":{"a":1}}' },
    ],
    oracle: 'apart',
  },
  {
    name: 'references to nothing, and in a circle',
    origin: 'real servers: broken generators',
    schema: object(
      { none: { $ref: '#/$defs/none' }, round: { $ref: '#/$defs/a' }, fine: { type: 'integer' } },
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ),
    keep: ['{"fine":1}', '{"none":[1.0]}'],
    type: [{ at: '/fine', text: '2', gives: '{"fine":2}' }],
    oracle: 'apart',
  },
  {
    name: 'all of them at once',
    origin: 'inspector #496: allOf at the root',
    schema: {
      type: 'object',
      required: ['user'],
      allOf: [
        object({ user: { type: 'integer' }, title: { type: 'string', minLength: 1 } }, { required: ['title'] }),
        object({ done: { type: 'boolean' } }),
      ],
    },
    keep: ['{"user":1,"title":"x","done":true}'],
    refuse: [
      { value: '{"title":"","done":1}', at: ['/user', '/title', '/done'] },
      { value: '{"user":1}', at: ['/title'] },
    ],
    type: [{ at: '/title', text: 'x', gives: '{"title":"x"}' }],
  },
  {
    name: 'a reference with more beside it',
    origin: 'JSON-Schema-Test-Suite: $ref and its siblings',
    schema: object(
      { who: { $ref: '#/$defs/who', properties: { age: { minimum: 18 } }, required: ['age'] } },
      { $defs: { who: object({ age: { type: 'integer' }, name: { type: 'string' } }) } },
    ),
    keep: ['{"who":{"age":18,"name":"x"}}'],
    refuse: [
      { value: '{"who":{"age":1}}', at: ['/who/age'] },
      { value: '{"who":{}}', at: ['/who/age'] },
    ],
    type: [{ at: '/who/age', text: '20', gives: '{"who":{"age":20}}' }],
  },
  {
    name: 'two choices in allOf',
    origin: 'JSON-Schema-Test-Suite: allOf combined with anyOf and oneOf',
    schema: object({
      x: {
        allOf: [
          { anyOf: [object({ a: { type: 'string' } }, { required: ['a'] }), object({ b: { type: 'string' } })] },
          {
            oneOf: [object({ c: { const: 1 } }, { required: ['c'] }), object({ d: { const: 2 } }, { required: ['d'] })],
          },
        ],
      },
    }),
    keep: ['{"x":{"a":"x","c":1}}', '{"x":{"d":2}}'],
    refuse: [{ value: '{"x":{"b":5,"c":1,"a":7}}', at: ['/x'] }],
    type: [{ from: '{"x":{"a":"x","c":1}}', at: '/x/a', text: 'y', gives: '{"x":{"a":"y","c":1}}' }],
  },
  {
    name: 'if, then, else',
    origin: 'JSON Schema: fields that depend on a value',
    schema: object(
      { country: { enum: ['NO', 'US'] } },
      {
        if: { properties: { country: { const: 'US' } }, required: ['country'] },
        then: { properties: { state: { type: 'string' } }, required: ['state'] },
        else: { properties: { county: { type: 'integer' } } },
      },
    ),
    keep: ['{"country":"US","state":"x"}', '{"country":"NO","county":3}', '{}'],
    refuse: [
      { value: '{"country":"US"}', at: ['/state'] },
      { value: '{"country":"NO","county":"x"}', at: ['/county'] },
    ],
    type: [
      { from: '{"country":"US"}', at: '/state', text: 'TX', gives: '{"country":"US","state":"TX"}' },
      { from: '{"country":"NO"}', at: '/county', text: '3', gives: '{"country":"NO","county":3}' },
    ],
  },
  {
    name: 'a list of conditions',
    origin: 'generators: allOf of if and then',
    schema: object(
      { kind: { enum: ['a', 'b'] } },
      {
        required: ['kind'],
        allOf: ['a', 'b'].map((kind) => ({
          if: { properties: { kind: { const: kind } }, required: ['kind'] },
          then: { properties: { [`only_${kind}`]: { type: 'integer' } }, required: [`only_${kind}`] },
        })),
      },
    ),
    keep: ['{"kind":"a","only_a":1}', '{"kind":"b","only_b":2.0}'],
    refuse: [{ value: '{"kind":"b"}', at: ['/only_b'] }],
    type: [{ from: '{"kind":"b"}', at: '/only_b', text: '5', gives: '{"kind":"b","only_b":5}' }],
  },
  {
    name: 'keys that bring others along',
    origin: 'JSON Schema: dependentRequired, dependentSchemas',
    schema: object(
      { card: { type: 'string' }, address: { type: 'string' } },
      {
        dependentRequired: { card: ['address'] },
        dependentSchemas: { address: { properties: { zip: { type: 'integer' } }, required: ['zip'] } },
      },
    ),
    keep: ['{}', '{"card":"1","address":"x","zip":5}'],
    refuse: [
      { value: '{"card":"1"}', at: ['/address'] },
      { value: '{"address":"x"}', at: ['/zip'] },
    ],
    type: [{ from: '{"address":"x"}', at: '/zip', text: '5', gives: '{"address":"x","zip":5}' }],
  },
  {
    name: 'dependencies of draft 7',
    origin: 'JSON Schema draft 7: dependencies in both forms',
    schema: {
      $schema: DRAFT_7,
      ...object(
        { a: { type: 'string' }, b: { type: 'string' } },
        { dependencies: { a: ['b'], b: { properties: { c: { type: 'integer' } } } } },
      ),
    },
    keep: ['{"b":"x","c":1}', '{"a":"1","b":"2"}'],
    refuse: [
      { value: '{"a":"1"}', at: ['/b'] },
      { value: '{"b":"x","c":"y"}', at: ['/c'] },
    ],
    type: [{ from: '{"b":"x"}', at: '/c', text: '1', gives: '{"b":"x","c":1}' }],
  },
  {
    name: 'what is forbidden',
    origin: 'JSON Schema: not',
    schema: object({ name: { type: 'string', not: { enum: ['root', 'admin'] } } }, { not: { required: ['x', 'y'] } }),
    keep: ['{"name":"me"}', '{"x":1}'],
    refuse: [
      { value: '{"name":"root"}', at: ['/name'] },
      { value: '{"x":1,"y":2}', at: [''] },
    ],
    type: [{ at: '/name', text: 'me', gives: '{"name":"me"}' }],
  },
  {
    name: 'nothing left over',
    origin: 'JSON-Schema-Test-Suite: unevaluatedProperties with allOf',
    schema: {
      type: 'object',
      allOf: [object({ a: { type: 'string' } })],
      properties: { b: { type: 'string' } },
      unevaluatedProperties: false,
    },
    keep: ['{"a":"1","b":"2"}'],
    refuse: [{ value: '{"a":"1","c":3}', at: ['/c'] }],
    type: [{ at: '/a', text: 'x', gives: '{"a":"x"}' }],
  },
  {
    name: 'draft 2019-09',
    origin: 'JSON Schema 2019-09: items as a list, $recursiveRef',
    schema: {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      ...object({ pair: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] } }),
    },
    keep: ['{"pair":["a",1]}'],
    refuse: [{ value: '{"pair":["a","b"]}', at: ['/pair/1'] }],
    type: [{ from: '{"pair":["a",1]}', at: '/pair/1', text: '2', gives: '{"pair":["a",2]}' }],
  },
]
