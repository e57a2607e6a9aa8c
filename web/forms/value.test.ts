import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isList, isRecord, NumberText, same, stringify, Unfinished, type Value } from '../json/lossless.ts'
import { readJson } from '../json/reader.ts'
import {
  choiceOf,
  controlOf,
  extraKeys,
  fresh,
  jsonTextOf,
  jsonValueOf,
  offersOf,
  textOf,
  valueOf,
  type Where,
} from './control.ts'
import { argumentsField, type Field } from './model.ts'
import { parseTolerant } from './tolerant.ts'
import { get, move, put, stateOf, textWith, wireOf, type Path } from './value.ts'

const key = fc.constantFrom('a', 'b', 'type', 'properties', 'required', '__proto__', '', 'a/b~c')
const { schema, value } = fc.letrec<{ schema: object | boolean; value: Value }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<object | boolean>(
      { type: 'string' },
      { type: 'number' },
      { type: 'integer' },
      { type: 'boolean' },
      { type: ['string', 'null'] },
      { enum: ['x', 1, null, [1]] },
      { const: 'c' },
      { type: 'null' },
      {},
      true,
      false,
      { $ref: '#/nowhere' },
    ),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(key, tie('schema'), { maxKeys: 4 }),
      required: fc.array(key, { maxLength: 2 }),
    }),
    fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
  ),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Value>(
      null,
      true,
      false,
      '',
      'x',
      'c',
      'line\nbreak',
      'cr\r\nlf',
      '5',
      0,
      1,
      -1.5,
      1e21,
      new NumberText('9007199254740993'),
      new NumberText('1.0'),
      new NumberText('-0'),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as Value),
  ),
}))
const root = fc.dictionary(key, schema, { maxKeys: 5 }).map((properties) => ({ type: 'object', properties }))
const opened = fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as Value)

/** Everything a form would render for a value: each leaf with what its control shows. */
const drawn = function* (
  field: Field,
  value: Value | undefined,
  path: Path = [],
  where: Where = 'root',
): Generator<{ field: Field; value: Value | undefined; path: Path; where: Where }> {
  const control = controlOf(field, value)
  if (control === 'group') {
    for (const { key, field: inner } of field.properties)
      yield* drawn(inner, get(value, [key]), [...path, key], 'property')
    for (const key of extraKeys(field, value))
      yield* drawn(field.extra(key) ?? argumentsField(true), get(value, [key]), [...path, key], 'property')
  } else if (control === 'list') {
    for (const [at, item] of (isList(value) ? value : []).entries())
      yield* drawn(field.item(at) ?? argumentsField(true), item, [...path, at], 'item')
  } else yield { field, value, path, where }
}

describe('the one value', () => {
  test('opened in a form and sent untouched is exactly the value that was opened', () => {
    fc.assert(
      fc.property(root, opened, (schema, value) => {
        const text = stringify(value)
        for (const _ of drawn(argumentsField(schema), value));
        const wire = wireOf(value)
        expect(wire.sendable && wire.text).toBe(text)
        expect(wire.sendable && JSON.stringify(wire.json) === wire.text).toBe(wire.sendable && !wire.spelled)
      }),
    )
  })

  test('is shown by controls that, typed over with what they show, say the same', () => {
    fc.assert(
      fc.property(root, opened, (schema, value) => {
        for (const leaf of drawn(argumentsField(schema), value)) {
          const control = controlOf(leaf.field, leaf.value)
          if (control === 'json') expect(same(jsonValueOf(jsonTextOf(leaf.value), leaf.where), leaf.value)).toBe(true)
          const shown = textOf(leaf.value)
          if (control === 'text' && shown !== '') expect(valueOf(leaf.field, shown, leaf.where)).toEqual(leaf.value)
          // A string that looks like a number is the only value that a number field converts when typed again.
          if (control === 'number' && typeof leaf.value !== 'string' && shown !== '') {
            expect(same(valueOf(leaf.field, shown, leaf.where), leaf.value)).toBe(true)
          }
          if (control === 'choice' && choiceOf(leaf.field, leaf.value) >= 0 && !(leaf.value instanceof NumberText)) {
            expect(same(leaf.field.choices[choiceOf(leaf.field, leaf.value)]!.value, leaf.value)).toBe(true)
          }
          expect(same(put(value, leaf.path, leaf.value), value)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('goes from form to JSON and back with every state: absent, null, empty, unknown keys, spellings', () => {
    fc.assert(
      fc.property(opened, (value) => {
        const back = parseTolerant(jsonTextOf(value))
        expect(back.ok && same(back.value, value)).toBe(true)
        expect(back.ok && back.value && Object.keys(back.value)).toEqual(Object.keys(value as object))
      }),
    )
    const value = readJson('{"n":null,"e":"","l":[],"o":{},"extra":1.50}').value
    expect(['n', 'e', 'l', 'o', 'extra', 'gone'].map((key) => stateOf(get(value, [key])))).toEqual([
      'null',
      'empty',
      'empty',
      'empty',
      'set',
      'absent',
    ])
  })

  test('changes where it is changed and nowhere else', () => {
    fc.assert(
      fc.property(opened, key, value, (before, key, next) => {
        const after = put(before, [key], next)
        expect(same(get(after, [key]), next)).toBe(true)
        const others = (value: Value | undefined) => put(value, [key], undefined)
        expect(same(others(after), others(before))).toBe(true)
        expect(Object.getPrototypeOf(after)).toBe(Object.prototype)
        // The order is kept, so that a changed value doesn't come with shuffled text.
        const kept = Object.keys(before as object)
        expect(Object.keys(after as object).slice(0, kept.length)).toEqual(kept)
      }),
    )
  })

  test('makes the groups on the way to a field that is filled in, and none for one that is emptied', () => {
    expect(put(undefined, ['a', 'b', 'c'], 1)).toEqual({ a: { b: { c: 1 } } })
    expect(put({ x: 1 }, ['a', 'b'], undefined)).toEqual({ x: 1 })
    expect(put({ a: { b: 1 } }, ['a', 'b'], undefined)).toEqual({ a: {} })
    expect(put(null, ['a'], 1)).toEqual({ a: 1 })
    expect(put({ l: [1, 2, 3] }, ['l', 1], undefined)).toEqual({ l: [1, 3] })
    expect(put(undefined, ['l', 0], 'x')).toEqual({ l: ['x'] })
    expect(move([1, 2, 3], 2, 0)).toEqual([3, 1, 2])
  })

  test('is put into a message with its exact text', () => {
    const value = readJson('{"id": 9007199254740993, "r": 1.0}').value
    expect(textWith({ name: 'x', arguments: {}, _meta: { progressToken: 3 } }, ['arguments'], value)).toBe(
      '{"name":"x","arguments":{"id":9007199254740993,"r":1.0},"_meta":{"progressToken":3}}',
    )
    expect(textWith({ name: 'x', arguments: {} }, ['arguments'], undefined)).toBe('{"name":"x"}')
    expect(wireOf(value)).toMatchObject({ spelled: true, json: { id: 9007199254740992, r: 1 } })
  })

  test('with text that is no JSON yet is not sent, and says where', () => {
    expect(wireOf({ a: [{ 'b/c': new Unfinished('{') }] })).toEqual({ sendable: false, unfinished: ['/a/0/b~1c'] })
    expect(stringify({ a: new Unfinished('{"x":') })).toBe('{"a":{"x":}')
  })
})

describe('typing', () => {
  const field = (schema: object) => argumentsField({ type: 'object', properties: { x: schema } }).properties[0]!.field

  test('keeps numbers as they were typed, beyond 2^53 and in every spelling', () => {
    for (const text of ['9007199254740993', '1.0', '1e3', '-0', '0.10', '1E400']) {
      expect(stringify(valueOf(field({ type: 'number' }), text, 'property')!)).toBe(text)
    }
    expect(valueOf(field({ type: 'integer' }), ' 42 ', 'property')).toBe(42)
  })

  test('keeps text that is no number, as text', () => {
    for (const text of ['-', '1.', 'abc', '1,5', '0x10', '007']) {
      expect(valueOf(field({ type: 'number' }), text, 'property')).toBe(text)
    }
  })

  test('an emptied property is absent again; an item cannot be', () => {
    expect(valueOf(field({ type: 'string' }), '', 'property')).toBeUndefined()
    expect(valueOf(field({ type: 'number' }), '', 'property')).toBeUndefined()
    expect(jsonValueOf('  ', 'property')).toBeUndefined()
    expect(valueOf(field({ type: 'string' }), '', 'item')).toBe('')
    expect(jsonValueOf('', 'item')).toBeInstanceOf(Unfinished)
  })

  test('never makes a number of text in a text field', () => {
    for (const text of ['5', 'null', 'true', '{}', ' x '])
      expect(valueOf(field({ type: 'string' }), text, 'property')).toBe(text)
  })

  test('what a control would change by showing it is shown as JSON', () => {
    expect(controlOf(field({ type: 'string' }), 'a\r\nb')).toBe('json')
    expect(controlOf(field({ type: 'string' }), 5)).toBe('json')
    expect(controlOf(field({ type: 'number' }), 'a\nb')).toBe('json')
    expect(controlOf(field({ type: 'boolean' }), 'true')).toBe('json')
    expect(controlOf(field({ type: 'array' }), { 0: 1 })).toBe('json')
    expect(controlOf(field({ type: 'object' }), [])).toBe('json')
    expect(
      controlOf(
        field({ type: 'array' }),
        Array.from({ length: 10_001 }, () => 1),
      ),
    ).toBe('json')
  })

  test('a choice is known by its value, not by its text', () => {
    const choices = field({ enum: [1, '1', null, { a: [1] }] })
    expect([1, '1', null, { a: [1] }, new NumberText('1.0'), 2].map((value) => choiceOf(choices, value))).toEqual([
      0, 1, 2, 3, 0, -1,
    ])
  })

  test('offers absent, empty, null and the default only where they can be said', () => {
    const offers = (schema: object, where: Where = 'property') =>
      offersOf(field(schema), where).map(({ state }) => state)
    expect(offers({ type: 'string' })).toEqual(['absent', 'empty'])
    expect(offers({ type: ['string', 'null'], default: 'x' })).toEqual(['absent', 'empty', 'null', 'default'])
    expect(offers({ type: 'integer' })).toEqual(['absent'])
    expect(offers({ type: 'array' }, 'item')).toEqual(['empty'])
    expect(offers({ type: 'object', nullable: true })).toEqual(['absent', 'empty', 'null'])
  })
})

describe('what an item begins with', () => {
  test('a new item is its default, or empty but for what has one value only: a default is what the server assumes anyway', () => {
    const fields = argumentsField({
      properties: {
        a: { type: 'string' },
        b: {
          type: 'object',
          properties: { k: { default: 1 }, is: { const: 'b' }, so: { const: 's' } },
          required: ['k', 'is'],
        },
        c: { type: 'array' },
        d: { enum: [3, 4] },
        e: { default: 'x' },
        f: { type: 'number' },
      },
    }).properties
    expect(fields.map(({ field }) => fresh(field))).toEqual(['', { is: 'b' }, [], 3, 'x', ''])
  })
})

describe('text that people paste', () => {
  test('is an error with its place, never an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseTolerant(text)))
    const parsed = parseTolerant('{\n  "a": [1, oops]\n}')
    expect(!parsed.ok && [parsed.error.line, parsed.error.column, parsed.error.found]).toEqual([2, 12, 'oops'])
  })
  test('that is blank stands for absent', () => {
    expect(parseTolerant(' \n')).toMatchObject({ ok: true, value: undefined })
  })
  test('never runs', () => {
    for (const text of ['(() => 1)()', '{a: alert(1)}', '`x`', '[1].map(x)']) expect(parseTolerant(text).ok).toBe(false)
  })
})

test('a record is no number text and no list', () => {
  expect([{}, [], null, new NumberText('1.0'), new Unfinished('')].map(isRecord)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
