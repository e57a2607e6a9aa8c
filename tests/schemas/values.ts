/** Primitive types, their limits, states and notations. */
import { object, type SchemaCase } from './case.ts'

export const values: readonly SchemaCase[] = [
  {
    name: 'text',
    origin: 'JSON Schema: type, minLength, maxLength, pattern',
    schema: object(
      { name: { type: 'string', minLength: 2, maxLength: 8, pattern: '^[a-z]+$' }, note: { type: 'string' } },
      { required: ['name'] },
    ),
    keep: ['{"name":"abc"}', '{"name":"abc","note":""}', '{"note":"a\\nb","name":"zz"}', '{"name":"ab","note":"5"}'],
    keepAlso: ['{"name":"abc","note":"a\\r\\nb"}', '{"note":"😀 \u00e9"}'],
    refuse: [
      { value: '{}', at: ['/name'] },
      { value: '{"name":"a"}', at: ['/name'] },
      { value: '{"name":"ABC"}', at: ['/name'] },
      { value: '{"name":5}', at: ['/name'] },
    ],
    type: [
      { at: '/name', text: 'abc', gives: '{"name":"abc"}' },
      { at: '/note', text: '5', gives: '{"note":"5"}' },
      { from: '{"name":"abc","note":"x"}', at: '/note', text: '', gives: '{"name":"abc"}' },
    ],
  },
  {
    name: 'numbers in every spelling',
    origin: 'inspector #154; the report of cline #9589 on 19 digits',
    schema: object({ id: { type: 'integer' }, ratio: { type: 'number' } }),
    keep: [
      '{"id":9007199254740993}',
      '{"id":-0,"ratio":1.0}',
      '{"ratio":1e3,"id":1.0}',
      '{"ratio":0.10}',
      '{"ratio":-1E-7}',
    ],
    keepAlso: ['{"id":1.5}', '{"id":"7"}', '{"ratio":"1,5"}'],
    refuse: [
      { value: '{"id":1.5}', at: ['/id'] },
      { value: '{"id":"7","ratio":true}', at: ['/id', '/ratio'] },
    ],
    type: [
      { at: '/id', text: '9007199254740993', gives: '{"id":9007199254740993}' },
      { at: '/ratio', text: '1.0', gives: '{"ratio":1.0}' },
      { at: '/ratio', text: '1,5', gives: '{"ratio":"1,5"}' },
      { from: '{"ratio":1.0,"id":1e3}', at: '/ratio', text: '2.50', gives: '{"ratio":2.50,"id":1e3}' },
    ],
  },
  {
    name: 'limits of numbers',
    origin: 'JSON Schema: minimum, exclusiveMaximum, multipleOf; bounds at 2^53-1 as generators write them',
    schema: object({
      page: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
      share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      step: { type: 'integer', multipleOf: 5 },
    }),
    keep: ['{"page":1}', '{"page":9007199254740991,"share":0.5,"step":15}'],
    refuse: [
      { value: '{"page":0}', at: ['/page'] },
      { value: '{"share":1}', at: ['/share'] },
      { value: '{"step":7,"share":0}', at: ['/step', '/share'] },
    ],
  },
  {
    name: 'limits of draft 4',
    origin: 'real servers: exclusiveMinimum as a boolean',
    schema: object({ a: { type: 'number', minimum: 0, exclusiveMinimum: true } }),
    keep: ['{"a":0.1}'],
    refuse: [{ value: '{"a":0}', at: ['/a'] }],
    oracle: 'apart',
  },
  {
    name: 'true and false',
    origin: 'inspector #353: what is not said is not sent',
    schema: object({ dry: { type: 'boolean' }, loud: { type: 'boolean', default: true } }),
    keep: ['{}', '{"dry":false}', '{"loud":true,"dry":true}'],
    keepAlso: ['{"dry":"true"}', '{"dry":null}'],
    refuse: [{ value: '{"dry":"true"}', at: ['/dry'] }],
  },
  {
    name: 'optional text that is emptied again',
    origin: 'inspector #623: emptied is absent, not ""',
    schema: object({ price: { type: 'integer' }, label: { type: 'string' } }, { additionalProperties: { not: {} } }),
    keep: ['{}', '{"label":""}', '{"price":0}'],
    refuse: [{ value: '{"other":1}', at: ['/other'] }],
    type: [
      { from: '{"price":5}', at: '/price', text: '', gives: '{}' },
      { from: '{"label":"x"}', at: '/label', text: '', gives: '{}' },
    ],
  },
  {
    name: 'null as OpenAPI says it',
    origin: 'real servers: nullable beside a type',
    schema: object({ a: { type: 'string', nullable: true }, b: { type: 'object', nullable: true, properties: {} } }),
    keep: ['{"a":null}', '{"a":"","b":null}', '{"b":{}}'],
    refuse: [{ value: '{"a":1}', at: ['/a'] }],
  },
  {
    name: 'null as a type',
    origin: 'inspector #281: type lists with null',
    schema: object({
      tags: { type: ['array', 'null'], items: { type: 'string' } },
      age: { type: ['null', 'integer'] },
      gone: { type: 'null' },
    }),
    keep: ['{"tags":null,"age":null,"gone":null}', '{"tags":[],"age":0}', '{"tags":["a",""]}'],
    refuse: [
      { value: '{"tags":[1]}', at: ['/tags/0'] },
      { value: '{"age":"x","gone":0}', at: ['/age', '/gone'] },
    ],
    type: [{ from: '{"age":null}', at: '/age', text: '7', gives: '{"age":7}' }],
  },
  {
    name: 'null as an alternative',
    origin: 'inspector #1885: int | None with a default of null',
    schema: object(
      { a: { type: 'integer' }, b: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null } },
      { required: ['a'] },
    ),
    keep: ['{"a":1}', '{"a":1,"b":null}', '{"a":1,"b":2}'],
    refuse: [{ value: '{"b":"nul"}', at: ['/a', '/b'] }],
    type: [
      { from: '{"a":1,"b":null}', at: '/b', text: '1', gives: '{"a":1,"b":1}' },
      { from: '{"a":1,"b":null}', at: '/b', text: '', gives: '{"a":1}' },
    ],
  },
  {
    name: 'a choice that may be null',
    origin: 'inspector #1928: nullish enumerations',
    schema: object({ kind: { anyOf: [{ type: 'string', enum: ['sent', 'received'] }, { type: 'null' }] } }),
    keep: ['{}', '{"kind":null}', '{"kind":"sent"}'],
    keepAlso: ['{"kind":"lost"}'],
    refuse: [{ value: '{"kind":"lost"}', at: ['/kind'] }],
  },
  {
    name: 'choices of any type',
    origin: 'JSON Schema: enum of mixed values',
    schema: object({ x: { enum: ['1', 1, null, true, { k: [1] }, [], ''] } }),
    keep: ['{"x":"1"}', '{"x":1}', '{"x":null}', '{"x":{"k":[1]}}', '{"x":[]}', '{"x":""}'],
    keepAlso: ['{"x":1.0}', '{"x":"2"}'],
    refuse: [{ value: '{"x":"2"}', at: ['/x'] }],
  },
  {
    name: 'choices with names',
    origin: 'MCP elicitation: enumNames, and oneOf of titled constants',
    schema: object({
      old: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      now: {
        type: 'string',
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'g', title: 'Green' },
        ],
      },
    }),
    keep: ['{"old":"r","now":"g"}'],
    refuse: [{ value: '{"old":"Red","now":"b"}', at: ['/old', '/now'] }],
  },
  {
    name: 'one value only',
    origin: 'JSON Schema: const',
    schema: object({ version: { const: 2 }, mode: { const: 'fast' } }, { required: ['version'] }),
    keep: ['{"version":2}', '{"mode":"fast","version":2}'],
    keepAlso: ['{"version":2.0}'],
    refuse: [{ value: '{"version":3,"mode":"slow"}', at: ['/version', '/mode'] }],
  },
  {
    name: 'defaults are the server’s',
    origin: 'ux: what is left empty is omitted; a default is offered',
    schema: object({ n: { type: 'integer', default: 10 }, s: { type: 'string', default: '' }, o: { default: null } }),
    keep: ['{}', '{"n":10}', '{"s":"","o":null}'],
    type: [{ at: '/n', text: '5', gives: '{"n":5}' }],
  },
  {
    name: 'notes on fields',
    origin: 'JSON Schema: title, description, examples, readOnly, writeOnly, deprecated',
    schema: object({
      id: { type: 'string', readOnly: true, title: 'The id' },
      secret: { type: 'string', writeOnly: true, description: 'Kept' },
      old: { type: 'string', deprecated: true, examples: ['a', 'b'] },
    }),
    keep: ['{"old":"a","secret":"","id":"x"}'],
  },
  {
    name: 'dates and times',
    origin: 'JSON Schema: format is an annotation',
    schema: object({
      on: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'time' },
      when: { type: 'string', format: 'date-time' },
    }),
    keep: ['{"on":"2026-07-28","at":"09:30:00Z","when":"2026-07-28T09:30:00+02:00"}', '{"on":"tomorrow"}'],
    refuse: [{ value: '{"on":20260728}', at: ['/on'] }],
    type: [{ at: '/when', text: 'soon', gives: '{"when":"soon"}' }],
  },
  {
    name: 'addresses and identifiers',
    origin: 'JSON Schema: email, uri, uuid, and formats that it does not know',
    schema: object({
      mail: { type: 'string', format: 'email' },
      link: { type: 'string', format: 'uri' },
      id: { type: 'string', format: 'uuid' },
      size: { type: 'integer', format: 'int64' },
      odd: { type: 'string', format: 'x-odd' },
    }),
    keep: [
      '{"mail":"a@b.example","link":"https://a.example/?q=1","size":9223372036854775807}',
      '{"id":"no","odd":"?"}',
    ],
    refuse: [{ value: '{"size":"1"}', at: ['/size'] }],
  },
  {
    name: 'files',
    origin: 'JSON Schema: contentEncoding; OpenAPI: byte',
    schema: object({
      image: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
      body: { type: 'string', format: 'byte' },
    }),
    keep: ['{"image":"iVBORw0KGgo="}', '{"body":""}'],
    refuse: [{ value: '{"image":[1]}', at: ['/image'] }],
  },
]
