/** `anyOf`, `oneOf` and type arrays: which alternative a value matches, and where it is invalid. */
import { object, type SchemaCase } from './case.ts'

const mail = object({ kind: { const: 'mail' }, to: { type: 'string' } }, { required: ['kind', 'to'] })
const call = object({ kind: { const: 'call' }, number: { type: 'integer' } }, { required: ['kind', 'number'] })

export const alternatives: readonly SchemaCase[] = [
  {
    name: 'a choice at the root',
    origin: 'inspector #2123: anyOf beside type: object',
    schema: { type: 'object', anyOf: [mail, call] },
    keep: ['{"kind":"mail","to":"x"}', '{"number":1.0,"kind":"call"}', '{"kind":"call","number":1,"to":"kept"}'],
    keepAlso: ['{}', '{"kind":"fax"}'],
    refuse: [
      { value: '{"kind":"mail"}', at: ['/to'] },
      { value: '{"kind":"call","number":"1"}', at: ['/number'] },
    ],
    type: [
      { from: '{"kind":"call","number":1}', at: '/number', text: '2', gives: '{"kind":"call","number":2}' },
      { from: '{"kind":"mail","to":"x"}', at: '/to', text: 'y', gives: '{"kind":"mail","to":"y"}' },
    ],
  },
  {
    name: 'exactly one at the root, beside shared fields',
    origin: 'inspector #2123: oneOf with properties of the whole',
    schema: object({ id: { type: 'string' } }, { required: ['id'], oneOf: [mail, call] }),
    keep: ['{"id":"1","kind":"mail","to":""}', '{"kind":"call","number":5,"id":"1"}'],
    refuse: [
      { value: '{"kind":"mail","to":"x"}', at: ['/id'] },
      { value: '{"id":"1","kind":"call","number":1.5}', at: ['/number'] },
    ],
    type: [{ from: '{"kind":"mail","to":"x"}', at: '/id', text: '7', gives: '{"kind":"mail","to":"x","id":"7"}' }],
  },
  {
    name: 'a choice among groups',
    origin: 'inspector #306: a union of objects in a property',
    schema: object({ send: { oneOf: [mail, call] } }),
    keep: ['{}', '{"send":{"kind":"mail","to":"x"}}', '{"send":{"kind":"call","number":1}}'],
    refuse: [
      { value: '{"send":{"kind":"call","number":"1"}}', at: ['/send/number'] },
      { value: '{"send":{"kind":"mail"}}', at: ['/send/to'] },
      { value: '{"send":5}', at: ['/send'] },
    ],
    type: [
      {
        from: '{"send":{"kind":"call","number":1}}',
        at: '/send/number',
        text: '2.0',
        gives: '{"send":{"kind":"call","number":2.0}}',
      },
    ],
  },
  {
    name: 'text or number',
    origin: 'inspector #915: anyOf integer, string',
    schema: object({ factor: { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }], default: 1 } }),
    keep: ['{"factor":"2"}', '{"factor":2}', '{"factor":""}'],
    refuse: [
      { value: '{"factor":0}', at: ['/factor'] },
      { value: '{"factor":true}', at: ['/factor'] },
    ],
    type: [
      { from: '{"factor":2}', at: '/factor', text: '3', gives: '{"factor":3}' },
      { from: '{"factor":"2"}', at: '/factor', text: '3', gives: '{"factor":"3"}' },
    ],
  },
  {
    name: 'several types',
    origin: 'JSON Schema: type as a list',
    schema: object({
      v: { type: ['string', 'number', 'boolean', 'null'] },
      w: { type: ['array', 'string'], items: {} },
    }),
    keep: ['{"v":"1","w":"x"}', '{"v":1.0,"w":[]}', '{"v":null}', '{"v":false,"w":["x"]}'],
    refuse: [{ value: '{"v":{}}', at: ['/v'] }],
    type: [{ from: '{"v":1.0}', at: '/v', text: '1.50', gives: '{"v":1.50}' }],
  },
  {
    name: 'one or many',
    origin: 'real servers: a text or a list of texts',
    schema: object({ path: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } }),
    keep: ['{"path":"a"}', '{"path":["a","b"]}', '{"path":[]}'],
    refuse: [{ value: '{"path":["a",1]}', at: ['/path/1'] }],
    type: [{ from: '{"path":["a","b"]}', at: '/path/1', text: 'c', gives: '{"path":["a","c"]}' }],
  },
  {
    name: 'alternatives that differ in their keys alone',
    origin: 'JSON Schema: no constant tells them apart',
    schema: object({
      where: {
        oneOf: [
          object({ city: { type: 'string' } }, { required: ['city'], additionalProperties: false }),
          object({ lat: { type: 'number' }, lon: { type: 'number' } }, { required: ['lat', 'lon'] }),
        ],
      },
    }),
    keep: ['{"where":{"city":"x"}}', '{"where":{"lat":1.0,"lon":-0}}'],
    refuse: [{ value: '{"where":{"lat":"x","lon":1}}', at: ['/where/lat'] }],
    type: [
      {
        from: '{"where":{"lat":1.0,"lon":2}}',
        at: '/where/lon',
        text: '3',
        gives: '{"where":{"lat":1.0,"lon":3}}',
      },
    ],
  },
  {
    name: 'needs one key or the other',
    origin: 'real servers: anyOf of required',
    schema: object(
      { id: { type: 'string' }, url: { type: 'string' } },
      { anyOf: [{ required: ['id'] }, { required: ['url'] }] },
    ),
    keep: ['{"id":"1"}', '{"url":"x","id":""}'],
    refuse: [{ value: '{}', at: [''] }],
    type: [{ at: '/url', text: 'x', gives: '{"url":"x"}' }],
  },
  {
    name: 'choices in alternatives',
    origin: 'generators: known values, or any text',
    schema: object({ model: { anyOf: [{ type: 'string', enum: ['small', 'large'] }, { type: 'string' }] } }),
    keep: ['{"model":"small"}', '{"model":"my-own"}'],
    refuse: [{ value: '{"model":1}', at: ['/model'] }],
    type: [{ from: '{"model":"my-own"}', at: '/model', text: 'other', gives: '{"model":"other"}' }],
  },
  {
    name: 'formats in alternatives',
    origin: 'JSON Schema: a format decides nothing',
    schema: object({ when: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] } }),
    keep: ['{"when":"2026-07-28"}', '{"when":"soon"}'],
    refuse: [{ value: '{"when":1}', at: ['/when'] }],
    type: [{ at: '/when', text: 'x', gives: '{"when":"x"}' }],
  },
  {
    name: 'alternatives of alternatives',
    origin: 'JSON-Schema-Test-Suite: nested oneOf',
    schema: object({
      shape: {
        oneOf: [
          { oneOf: [{ type: 'integer' }, { type: 'boolean' }] },
          {
            anyOf: [
              { type: 'array', items: { type: 'string' } },
              object({ r: { type: 'number' } }, { required: ['r'] }),
            ],
          },
        ],
      },
    }),
    keep: ['{"shape":1.0}', '{"shape":false}', '{"shape":["x"]}', '{"shape":{"r":2}}'],
    refuse: [{ value: '{"shape":{"r":"x"}}', at: ['/shape/r'] }],
    type: [{ from: '{"shape":{"r":2}}', at: '/shape/r', text: '3.0', gives: '{"shape":{"r":3.0}}' }],
  },
  {
    name: 'alternatives in a list',
    origin: 'real servers: content blocks',
    schema: object({ blocks: { type: 'array', items: { oneOf: [mail, call] } } }),
    keep: ['{"blocks":[{"kind":"call","number":1},{"kind":"mail","to":""}]}'],
    refuse: [{ value: '{"blocks":[{"kind":"mail","to":"x"},{"kind":"call"}]}', at: ['/blocks/1/number'] }],
    type: [
      {
        from: '{"blocks":[{"kind":"call","number":1},{"kind":"mail","to":""}]}',
        at: '/blocks/1/to',
        text: 'z',
        gives: '{"blocks":[{"kind":"call","number":1},{"kind":"mail","to":"z"}]}',
      },
    ],
  },
  {
    name: 'several fit, and only one may',
    origin: 'JSON-Schema-Test-Suite: oneOf with both',
    schema: object({ n: { oneOf: [{ type: 'number' }, { type: 'integer' }] } }),
    keep: ['{"n":1.5}'],
    keepAlso: ['{"n":1}'],
    refuse: [{ value: '{"n":1}', at: ['/n'] }],
  },
]
