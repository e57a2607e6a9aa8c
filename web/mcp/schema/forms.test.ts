import { expect, test } from 'vitest'
import type { Json } from '../frame.ts'
import { REVISIONS, type Revision } from '../revision.ts'
import { verdict } from './schema.ts'

/** The findings about one field of a form, in a protocol version that has forms. */
const told = (revision: Revision, field: Json) => {
  const requestedSchema = { type: 'object', properties: { field } }
  const params = { message: 'x', requestedSchema }
  const message: Json =
    revision === '2026-07-28'
      ? {
          jsonrpc: '2.0',
          id: 1,
          result: { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create', params } } },
        }
      : { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params }
  const context = { revision, direction: 'received' as const, method: 'tools/call' }
  return verdict(message, context).map(({ severity, pointer, rule, since }) => {
    const [, key] = pointer.split('/properties/field')
    return [severity, key, since ?? rule].join(' ')
  })
}
const FORMS = REVISIONS.filter((revision) => revision >= '2025-06-18')

test.each<[field: Json, before: string[], since: string[]]>([
  [{ type: 'string', format: 'email', minLength: 1, maxLength: 2, title: 'x', description: 'x' }, [], []],
  [{ type: 'boolean', default: true }, [], []],
  [{ type: 'string', enum: ['a'], enumNames: ['A'] }, [], []],
  [{ type: 'string', default: 'a' }, ['unknown-here /default 2025-11-25'], []],
  [{ type: 'number', default: 0.5 }, ['unknown-here /default 2025-11-25'], []],
  [{ type: 'array', items: { type: 'string', enum: ['a'] } }, ['breach /type 2025-11-25'], []],
  [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, ['breach /type 2025-11-25'], []],
  [{ type: 'array', items: { type: 'number' } }, ['breach /type 2025-11-25'], ['breach /items/anyOf CF-FORM-01']],
  [{ type: 'object', properties: {} }, ['breach /type CF-FORM-01'], ['breach /type CF-FORM-01']],
  [{ type: 'string', format: 'password' }, ['breach /format CF-FORM-02'], ['breach /format CF-FORM-02']],
  [{ type: 'string', minLength: 0.5 }, ['breach /minLength CF-FORM-02'], ['breach /minLength CF-FORM-02']],
])('a field %j of a form is what its revision permits (CF-FORM-01 to CF-FORM-06)', (field, before, since) => {
  for (const revision of FORMS) {
    expect([revision, told(revision, field)]).toEqual([revision, revision === '2025-06-18' ? before : since])
  }
})

test('titled choices of 2025-11-25 pass in 2025-06-18 as a text with a key that nobody knows', () => {
  const field = { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }
  for (const revision of FORMS) expect(told(revision, field)).toEqual([])
})
