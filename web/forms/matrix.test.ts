import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { formatPointer, parsePointer } from '../json/index.ts'
import { drawn, drawnAt, type Drawn } from '../../tests/schemas/drawn.ts'
import { matrix, type SchemaCase } from '../../tests/schemas/index.ts'
import { NumberText, same, stringify, type Value } from '../json/lossless.ts'
import { readJson } from '../json/reader.ts'
import { choiceOf, jsonTextOf, jsonValueOf, textOf, toggled, valueOf } from './control.ts'
import { addItem, duplicateItem, Memory, moveItem, removeItem, renameKey } from './edit.ts'
import { argumentsField, type Field } from './model.ts'
import { switched } from './settle.ts'
import { matchPattern } from './json-schema.ts'
import { parseTolerant } from './tolerant.ts'
import { get, put, wireOf, type Path } from './value.ts'
import { validate } from './validate.ts'

const read = (text: string): Value => readJson(text).value
const stepsOf = (pointer: string): Path =>
  parsePointer(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** The value after typing a control's content again; `undefined`: the control has no text input. */
const typedOver = ({ field, control, value, where }: Drawn): { value: Value | undefined } | undefined => {
  if (control === 'json') return { value: jsonValueOf(jsonTextOf(value), where) }
  if (control === 'text' && textOf(value) !== '') return { value: valueOf(field, textOf(value), where) }
  // A string that looks like a number is the only value that a number field converts.
  if (control === 'number' && typeof value !== 'string' && textOf(value) !== '') {
    return { value: valueOf(field, textOf(value), where) }
  }
  if (control === 'choice' && value !== undefined && choiceOf(field, value) >= 0 && !(value instanceof NumberText)) {
    return { value: field.choices[choiceOf(field, value)]!.value }
  }
  return undefined
}

/** At most 500 of the fields that a form renders, because a form renders 10^5 of them only on demand. */
const partsOf = (field: Field, value: Value | undefined): Drawn[] => {
  const parts: Drawn[] = []
  for (const part of drawn(field, value, new Memory())) if (parts.push(part) >= 500) break
  return parts
}

const untouched = (schema: unknown, text: string): void => {
  const value = read(text)
  const field = argumentsField(schema, matchPattern)
  for (const part of partsOf(field, value)) {
    const typed = typedOver(part)
    if (typed)
      expect([formatPointer(part.path), stringify(put(value, part.path, typed.value)!)]).toEqual([
        formatPointer(part.path),
        text,
      ])
  }
  const wire = wireOf(value)
  expect(wire.sendable && wire.text).toBe(text)
  const again = parseTolerant(jsonTextOf(value))
  expect(again.ok && again.value !== undefined && stringify(again.value)).toBe(text)
}

test('the matrix has 60 schemas or more, each with its own name and what it is for', () => {
  expect(matrix.length).toBeGreaterThanOrEqual(60)
  expect(new Set(matrix.map(({ name }) => name)).size).toBe(matrix.length)
  for (const { name, origin, keep, keepAlso = [] } of matrix)
    expect([name, origin.length > 10, keep.length + keepAlso.length > 0]).toEqual([name, true, true])
})

describe.each(matrix)(
  '$name ($origin)',
  ({ schema, keep, keepAlso = [], refuse = [], type = [], oracle }: SchemaCase) => {
    test('sends what was opened, letter by letter, through form and JSON', () => {
      for (const text of [...keep, ...keepAlso]) untouched(schema, text)
    })

    test('takes what fits', () => {
      for (const text of keep) {
        const { state, problems } = validate(schema, read(text))
        const accepted = oracle === 'apart' ? ['valid', 'unchecked'] : ['valid']
        expect([text, accepted.includes(state), problems.filter(({ severity }) => severity === 'error')]).toEqual([
          text,
          true,
          [],
        ])
      }
    })

    test.runIf(refuse.length > 0)('refuses what does not, at a field that is on the screen', () => {
      for (const { value: text, at } of refuse) {
        const value = read(text)
        const { state, problems } = validate(schema, value)
        const pointers = problems.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer)
        expect([text, state, [...new Set(pointers)].sort()]).toEqual([text, 'invalid', [...at].sort()])
        const shown = new Set(
          partsOf(argumentsField(schema, matchPattern), value).map(({ path }) => formatPointer(path)),
        )
        expect([text, at.filter((pointer) => !shown.has(pointer))]).toEqual([text, []])
      }
    })

    test.runIf(type.length > 0)('sends what is typed, and changes nothing else', () => {
      for (const { from = '{}', at, text, gives } of type) {
        const value = read(from)
        const path = stepsOf(at)
        const part = drawnAt(argumentsField(schema, matchPattern), value, path, new Memory())
        expect([at, part?.control]).toEqual([at, expect.stringMatching(/^(?:text|number|json)$/)])
        const { field, control, where } = part!
        const typed = control === 'json' ? jsonValueOf(text, where) : valueOf(field, text, where)
        expect(stringify(put(value, path, typed)!)).toBe(gives)
      }
    })

    test('opens at once', async () => {
      await expectWithin(1_000, () => {
        for (const text of [...keep, '{}'].slice(0, 2)) partsOf(argumentsField(schema, matchPattern), read(text))
      })
    })
  },
)

/** Values close to what the matrix schemas require, and far from it. */
const leaf = fc.constantFrom<Value>(
  null,
  true,
  '',
  'x',
  'mail',
  'call',
  'US',
  'line\nbreak',
  '5',
  0,
  1,
  -1.5,
  new NumberText('9007199254740993'),
  new NumberText('1.0'),
  new NumberText('-0'),
)
const keys = fc.constantFrom('a', 'b', 'kind', 'to', 'number', 'name', 'children', 'filter', 'and', 'country', 'x', '')
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as Value),
  ),
}))
const anyCase = fc.constantFrom(...matrix.filter(({ name }) => !name.startsWith('10^')))
const anyRecord = fc
  .array(fc.tuple(keys, anyValue), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries) as Value)
const anyOpened = anyCase.chain((each) =>
  fc.record({
    schema: fc.constant(each.schema),
    value: fc.oneof(fc.constantFrom(...each.keep, ...(each.keepAlso ?? []), '{}').map(read), anyRecord),
  }),
)

describe('whatever is opened with whatever schema', () => {
  test('is sent exactly as it was opened, when nothing is touched', () => {
    fc.assert(
      fc.property(anyOpened, ({ schema, value }) => untouched(schema, stringify(value))),
      { numRuns: 300 },
    )
  })

  test('changes in the part that is edited, and in no other', () => {
    fc.assert(
      fc.property(anyOpened, fc.nat(), leaf, ({ schema, value }, pick, next) => {
        const parts = partsOf(argumentsField(schema, matchPattern), value).filter(({ path }) => path.length > 0)
        if (parts.length === 0) return
        const { path } = parts[pick % parts.length]!
        const after = put(value, path, next)
        expect(same(get(after, path), next)).toBe(true)
        for (const other of parts) {
          const apart = (a: Path, b: Path) => a.some((step, at) => at < b.length && step !== b[at])
          if (apart(other.path, path)) expect(same(get(after, other.path), other.value)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('keeps what was typed in an alternative that is left, and gives it back letter by letter', () => {
    fc.assert(
      fc.property(anyOpened, fc.nat(), fc.nat(), ({ schema, value }, pick, to) => {
        const memory = new Memory()
        const root = argumentsField(schema, matchPattern)
        const unions = partsOf(root, value).flatMap(({ path, where }) => {
          const declared = path.length === 0 ? root : undefined
          return declared?.kind === 'union' ? [{ union: declared, path, where }] : []
        })
        const group = root.under(value)
        for (const key of group.keys.slice(0, 50)) {
          const { field } = group.property(key)
          if (field.kind === 'union') unions.push({ union: field, path: [key], where: 'property' })
        }
        if (unions.length === 0) return
        const { union, path, where } = unions[pick % unions.length]!
        const inner = get(value, path)
        const from = inner === undefined || inner === null ? -1 : union.branchOf(inner)
        if (from < 0) return
        const at = to % union.branches.length
        const next = switched({ union, at: from }, at, inner, { path, level: 0, where, memory })
        const back = switched({ union, at }, from, next, { path, level: 0, where, memory })
        expect(back === undefined ? undefined : stringify(back)).toBe(stringify(inner!))
      }),
      { numRuns: 500 },
    )
  })
})

describe('lists and maps', () => {
  const items = fc.array(leaf, { minLength: 1, maxLength: 6 })

  test('are changed where they are changed, and what was chosen inside goes along', () => {
    fc.assert(
      fc.property(items, fc.nat(), fc.nat(), (list, a, b) => {
        const value: Value = { l: list, other: 1 }
        const [from, to] = [a % list.length, b % list.length]
        const memory = new Memory()
        list.forEach((_, at) => memory.choose(['l', at], 0, at))
        const moved = moveItem(value, ['l'], from, to, memory)
        const order = list.map((_, at) => at)
        order.splice(to, 0, ...order.splice(from, 1))
        expect(get(moved, ['l'])).toEqual(order.map((at) => list[at]))
        expect(order.map((_, at) => memory.pick(['l', at], 0))).toEqual(order)
        const fewer = removeItem(moved, ['l'], to, memory)
        expect(list.slice(1).map((_, at) => memory.pick(['l', at], 0))).toEqual(order.toSpliced(to, 1))
        expect(get(fewer, ['other'])).toBe(1)
        const twice = duplicateItem(value, ['l'], from, new Memory())
        expect(get(twice, ['l'])).toEqual(list.toSpliced(from, 0, list[from]!))
        expect(get(addItem(value, ['l'], 'new'), ['l', list.length])).toBe('new')
      }),
    )
  })

  test('have keys that take another name where they stand, unless it is taken', () => {
    const memory = new Memory()
    memory.choose(['m', 'b/c', 'x'], 0, 1)
    const value = read('{"m":{"a":1.0,"b/c":{"x":2},"d":3}}')
    const renamed = renameKey(value, ['m', 'b/c'], 'n e', memory)
    expect(stringify(renamed!)).toBe('{"m":{"a":1.0,"n e":{"x":2},"d":3}}')
    expect([memory.pick(['m', 'n e', 'x'], 0), memory.pick(['m', 'b/c', 'x'], 0)]).toEqual([1, undefined])
    expect(renameKey(renamed, ['m', 'n e'], 'a', memory)).toBe(renamed)
    expect(stringify(renameKey({ m: { a: 1 } }, ['m', 'a'], '__proto__', memory)!)).toBe('{"m":{"__proto__":1}}')
  })

  test('sets put in and take out one choice, and keep the rest in its order', () => {
    const field = argumentsField({
      properties: { s: { type: 'array', items: { enum: ['a', 'b', 'c'] } } },
    }).properties[0]!.field
    expect(toggled(field, ['c', 'a'], 1)).toEqual(['c', 'a', 'b'])
    expect(toggled(field, ['c', 'a'], 2)).toEqual(['a'])
    expect(toggled(field, undefined, 0)).toEqual(['a'])
  })
})
