/** Objects, maps and arrays. */
import { object, type SchemaCase } from './case.ts'

const person = object({ name: { type: 'string' }, age: { type: 'integer' } }, { required: ['name'] })

export const groups: readonly SchemaCase[] = [
  {
    name: 'groups in groups',
    origin: 'inspector #332: nested objects as fields',
    schema: object({ user: object({ home: object({ city: { type: 'string' }, zip: { type: 'string' } }) }) }),
    keep: ['{}', '{"user":{}}', '{"user":{"home":{"zip":"1","city":"x"}}}', '{"user":{"home":{},"extra":1.0}}'],
    refuse: [
      { value: '{"user":{"home":{"city":5}}}', at: ['/user/home/city'] },
      { value: '{"user":[]}', at: ['/user'] },
    ],
    type: [
      { at: '/user/home/city', text: 'Oslo', gives: '{"user":{"home":{"city":"Oslo"}}}' },
      { from: '{"user":{"home":{"city":"x"}}}', at: '/user/home/city', text: '', gives: '{"user":{"home":{}}}' },
    ],
  },
  {
    name: 'optional groups are absent',
    origin: 'inspector #332 and #771: page and page_size are not sent as null, lists not as []',
    schema: object(
      {
        query: { type: 'string', minLength: 1 },
        page: { type: 'integer' },
        fields: { type: 'array', items: { type: 'string' } },
        filter: object({ since: { type: 'string' } }),
      },
      { required: ['query'] },
    ),
    keep: ['{"query":"x"}', '{"query":"x","fields":[],"filter":{}}'],
    refuse: [
      { value: '{"query":""}', at: ['/query'] },
      { value: '{"page":null}', at: ['/query', '/page'] },
    ],
    type: [{ at: '/query', text: 'x', gives: '{"query":"x"}' }],
  },
  {
    name: 'keys in the order they came',
    origin: 'ux: an edit is no shuffle',
    schema: object({ a: { type: 'string' }, b: { type: 'string' } }),
    keep: ['{"b":"1","a":"2"}', '{"z":0,"b":"1","y":[],"a":"2"}'],
    type: [{ from: '{"z":0,"b":"1","a":"2"}', at: '/a', text: '3', gives: '{"z":0,"b":"1","a":"3"}' }],
  },
  {
    name: 'keys that are no words',
    origin: 'real servers: arguments named like keywords; JSON pointers with ~ and /',
    schema: object(
      {
        properties: { type: 'string' },
        type: { type: 'string' },
        $ref: { type: 'string' },
        'a/b': { type: 'integer' },
        'c~d': { type: 'integer' },
        'ä ö': { type: 'integer' },
      },
      { required: ['type'] },
    ),
    keep: ['{"type":"x","properties":"y","$ref":"#/z"}', '{"type":"","a/b":1,"c~d":2,"ä ö":3}'],
    refuse: [
      { value: '{"a/b":"x"}', at: ['/type', '/a~1b'] },
      { value: '{"type":"x","c~d":"x"}', at: ['/c~0d'] },
    ],
    type: [{ at: '/a~1b', text: '5', gives: '{"a/b":5}' }],
  },
  {
    name: 'a map',
    origin: 'inspector #1015: additionalProperties with a schema',
    schema: object({ labels: { type: 'object', additionalProperties: { type: 'string' } } }),
    keep: ['{"labels":{}}', '{"labels":{"b":"1","a":""}}'],
    refuse: [{ value: '{"labels":{"a":1}}', at: ['/labels/a'] }],
    type: [{ from: '{"labels":{"b":"1","a":"2"}}', at: '/labels/b', text: '3', gives: '{"labels":{"b":"3","a":"2"}}' }],
  },
  {
    name: 'keys by pattern',
    origin: 'JSON Schema: patternProperties, additionalProperties false',
    schema: object(
      { id: { type: 'string' } },
      { patternProperties: { '^n_': { type: 'number' }, '^s_': { type: 'string' } }, additionalProperties: false },
    ),
    keep: ['{"n_1":1.0,"s_1":"x","id":"i"}'],
    refuse: [
      { value: '{"n_1":"x"}', at: ['/n_1'] },
      { value: '{"other":1}', at: ['/other'] },
    ],
    type: [{ from: '{"n_1":1.0}', at: '/n_1', text: '2.0', gives: '{"n_1":2.0}' }],
  },
  {
    name: 'names of keys',
    origin: 'real servers: propertyNames, minProperties, maxProperties',
    schema: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]+$' },
      additionalProperties: { type: 'integer' },
      minProperties: 1,
      maxProperties: 2,
    },
    keep: ['{"a":1}', '{"b":1,"a":2}'],
    refuse: [
      { value: '{}', at: [''] },
      { value: '{"A":1}', at: ['/A'] },
      { value: '{"a":1,"b":2,"c":3}', at: [''] },
    ],
  },
  {
    name: 'anything',
    origin: 'real servers: {} as a property, tools without properties, required: []',
    schema: object({ data: {}, more: true }, { required: [] }),
    keep: ['{"data":null}', '{"data":[1.0,{"x":-0}],"more":""}', '{"data":"text","more":0}'],
    type: [
      { at: '/data', text: '{"a": [1.0]}', gives: '{"data":{"a":[1.0]}}' },
      { at: '/data', text: '"x"', gives: '{"data":"x"}' },
    ],
  },
  {
    name: 'no properties at all',
    origin: 'real servers: {"type":"object"}',
    schema: { type: 'object' },
    keep: ['{}', '{"any":1.50}', '{"a":{"b":[null]}}'],
    refuse: [{ value: '[]', at: [''] }],
  },
  {
    name: 'nothing is allowed there',
    origin: 'JSON Schema: false as a schema; not {}',
    schema: object({ never: false, no: { not: {} }, ok: { type: 'string' } }),
    keep: ['{}', '{"ok":"x"}'],
    keepAlso: ['{"never":1,"no":[]}'],
    refuse: [{ value: '{"never":1,"no":2}', at: ['/never', '/no'] }],
  },
  {
    name: 'a list of texts',
    origin: 'inspector #1853: item after item is typed',
    schema: object({ ids: { type: 'array', items: { type: 'string' } } }, { required: ['ids'] }),
    keep: ['{"ids":[]}', '{"ids":["item-1","item-2"]}', '{"ids":[""]}'],
    refuse: [
      { value: '{"ids":"[\\"a\\"]"}', at: ['/ids'] },
      { value: '{"ids":["a",1]}', at: ['/ids/1'] },
    ],
    type: [
      { at: '/ids/0', text: 'a', gives: '{"ids":["a"]}' },
      { from: '{"ids":["a","b"]}', at: '/ids/1', text: '"', gives: '{"ids":["a","\\""]}' },
      { from: '{"ids":["a","b"]}', at: '/ids/0', text: '', gives: '{"ids":["","b"]}' },
    ],
  },
  {
    name: 'a list of numbers',
    origin: 'inspector #1856: a draft that is no number is no escaped text',
    schema: object({ numbers: { type: 'array', items: { type: 'number' } } }, { required: ['numbers'] }),
    keep: ['{"numbers":[1,2]}', '{"numbers":[1.0,1e3,-0,9007199254740993]}'],
    refuse: [{ value: '{"numbers":[1,"2"]}', at: ['/numbers/1'] }],
    type: [{ from: '{"numbers":[1.0,2]}', at: '/numbers/1', text: '3e2', gives: '{"numbers":[1.0,3e2]}' }],
  },
  {
    name: 'limits of lists',
    origin: 'JSON Schema: minItems, maxItems, uniqueItems, contains',
    schema: object({
      few: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2, uniqueItems: true },
      some: { type: 'array', contains: { const: 'x' } },
    }),
    keep: ['{"few":[1]}', '{"few":[2,1],"some":["x"]}'],
    refuse: [
      { value: '{"few":[]}', at: ['/few'] },
      { value: '{"few":[1,2,3]}', at: ['/few'] },
      { value: '{"few":[1,1],"some":[]}', at: ['/few', '/some'] },
    ],
  },
  {
    name: 'any of a few',
    origin: 'inspector #1751: a list of choices without an enum of its own; MCP elicitation: multiple choice',
    schema: object({
      days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue', 'wed'] }, uniqueItems: true },
      marks: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'A' },
            { const: 'b', title: 'B' },
          ],
        },
      },
    }),
    keep: ['{"days":[]}', '{"days":["wed","mon"],"marks":["b"]}'],
    keepAlso: ['{"days":["mon","mon"]}', '{"days":["sun"]}'],
    refuse: [{ value: '{"days":["sun"]}', at: ['/days/0'] }],
  },
  {
    name: 'a list of groups',
    origin: 'inspector #434: items that are objects',
    schema: object({ people: { type: 'array', items: person } }),
    keep: ['{"people":[{"age":1,"name":"x"},{"name":""}]}', '{"people":[{"name":"x","nick":"y"}]}'],
    refuse: [{ value: '{"people":[{"name":"x"},{"age":"1"}]}', at: ['/people/1/name', '/people/1/age'] }],
    type: [
      {
        from: '{"people":[{"name":"x"},{"name":"y","k":1.0}]}',
        at: '/people/1/age',
        text: '30',
        gives: '{"people":[{"name":"x"},{"name":"y","k":1.0,"age":30}]}',
      },
    ],
  },
  {
    name: 'lists in lists',
    origin: 'JSON-Schema-Test-Suite: nested items',
    schema: object({ grid: { type: 'array', items: { type: 'array', items: { type: 'integer' } } } }),
    keep: ['{"grid":[[1,2],[],[3]]}'],
    refuse: [{ value: '{"grid":[[1],["x"],2]}', at: ['/grid/1/0', '/grid/2'] }],
    type: [{ from: '{"grid":[[1,2],[3]]}', at: '/grid/1/0', text: '4', gives: '{"grid":[[1,2],[4]]}' }],
  },
  {
    name: 'a list of anything',
    origin: 'real servers: arrays without items',
    schema: object({ args: { type: 'array' } }),
    keep: ['{"args":[1,"x",null,{"a":[]}]}'],
    refuse: [{ value: '{"args":{}}', at: ['/args'] }],
  },
  {
    name: 'a tuple',
    origin: 'JSON Schema 2020-12: prefixItems with items false',
    schema: object({
      point: {
        type: 'array',
        prefixItems: [{ type: 'number', title: 'x' }, { type: 'number' }],
        items: false,
        minItems: 2,
      },
    }),
    keep: ['{"point":[1.0,2]}'],
    keepAlso: ['{"point":[1]}', '{"point":[1,2,3]}'],
    refuse: [
      { value: '{"point":[1]}', at: ['/point'] },
      { value: '{"point":[1,"y"]}', at: ['/point/1'] },
      { value: '{"point":[1,2,3]}', at: ['/point/2'] },
    ],
    type: [{ from: '{"point":[1.0,2]}', at: '/point/1', text: '3', gives: '{"point":[1.0,3]}' }],
  },
  {
    name: 'a tuple of draft 7',
    origin: 'JSON Schema draft 7: a list of items, and additionalItems',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({
        row: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], additionalItems: { type: 'boolean' } },
      }),
    },
    keep: ['{"row":["a",1]}', '{"row":["a",1,true,false]}', '{"row":[]}'],
    refuse: [
      { value: '{"row":[1,"a"]}', at: ['/row/0', '/row/1'] },
      { value: '{"row":["a",1,"x"]}', at: ['/row/2'] },
    ],
    type: [{ from: '{"row":["a",1,true]}', at: '/row/0', text: 'b', gives: '{"row":["b",1,true]}' }],
  },
  {
    name: 'forty fields',
    origin: 'the bench: a form of forty fields',
    schema: object(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `field_${at}`,
          [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }, { enum: ['a', 'b', 'c'] }][at % 4],
        ]),
      ),
      { required: ['field_0'] },
    ),
    keep: ['{"field_0":"x"}', '{"field_39":"c","field_0":"","field_1":1.0}'],
    refuse: [{ value: '{"field_1":"x"}', at: ['/field_0', '/field_1'] }],
    type: [{ from: '{"field_0":"x"}', at: '/field_37', text: '5', gives: '{"field_0":"x","field_37":5}' }],
  },
]
