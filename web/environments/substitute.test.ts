import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readExactly, stringify, type Value } from '../json/index.ts'
import {
  bracedIn,
  escaped,
  MOST_INSERTED,
  NO_VARIABLES,
  placeholderValues,
  resolve,
  scopeOf,
  secretValues,
  withForeign,
} from './substitute.ts'
import type { Environment, Variable } from './variables.ts'

const variable = (name: string, value: string, secret = false): Variable => ({ name, value, secret })
const environment = (id: string, ...variables: Variable[]): Environment => ({
  id,
  name: id,
  variables,
  remember: false,
})

const DEV = environment('dev', variable('host', 'localhost:3000'), variable('token', 's3cret-dev', true))
const STAGING = environment('staging', variable('host', 'staging.example'))
const dev = scopeOf([DEV, STAGING], 'dev')

describe('a reference', () => {
  test('is replaced in every string of a value, in the middle of a text and several times', () => {
    const value = { url: 'http://{{host}}/a', list: ['{{host}}', { deep: '{{host}}-{{host}}' }] }
    expect(resolve(value, dev).value).toEqual({
      url: 'http://localhost:3000/a',
      list: ['localhost:3000', { deep: 'localhost:3000-localhost:3000' }],
    })
    expect(resolve(value, dev).used.map(({ pointer }) => pointer)).toEqual([
      '/url',
      '/list/0',
      '/list/1/deep',
      '/list/1/deep',
    ])
    expect(resolve('{{host}}', scopeOf([DEV, STAGING], 'staging')).value).toBe('staging.example')
  })

  test('leaves everything but strings as it is, keys too, and numbers as they were written', () => {
    const text =
      '{"{{host}}":"{{host}}","big":9007199254740993,"one":1.0,"none":null,"yes":true,"none of it":[],"o":{}}'
    const { value } = resolve(readExactly(text), dev)
    expect(stringify(value)).toBe(text.replace(':"{{host}}"', ':"localhost:3000"'))
  })

  test('to a number, a truth value or JSON stays a string', () => {
    const scope = scopeOf([environment('a', variable('n', '3'), variable('t', 'true'), variable('j', '{"a":1}'))], 'a')
    expect(resolve(['{{n}}', '{{t}}', '{{j}}'], scope).value).toEqual(['3', 'true', '{"a":1}'])
  })

  test('in a value is not replaced again, and $& is no pattern', () => {
    const scope = scopeOf(
      [environment('a', variable('a', '{{b}} {{a}} $& $1'), variable('b', 'never'), variable('c', '\\{{b}}'))],
      'a',
    )
    expect(resolve('{{a}}{{c}}', scope).value).toBe('{{b}} {{a}} $& $1\\{{b}}')
  })

  test.each([
    ['that the environment lacks', '{{nothing}}', 'unknown'],
    ['whose case differs', '{{HOST}}', 'unknown'],
    ['to something every object has', '{{constructor}}', 'unknown'],
    ['to the prototype', '{{__proto__}}', 'unknown'],
  ])('%s is a fault at its place', (_, text, why) => {
    const { faults, used } = resolve({ 'a/b': [text] }, dev)
    expect(faults).toEqual([{ pointer: '/a~1b/0', name: text.slice(2, -2), why }])
    expect(used).toEqual([])
  })

  test('is a fault while no environment is active, and for a secret whose value is gone', () => {
    expect(resolve('{{host}}', scopeOf([DEV], undefined)).faults).toMatchObject([{ why: 'inactive' }])
    expect(resolve('{{host}}', scopeOf([DEV], 'removed')).faults).toMatchObject([{ why: 'inactive' }])
    const lost = scopeOf([environment('a', variable('token', '', true), variable('empty', ''))], 'a')
    expect(resolve('{{token}}', lost).faults).toMatchObject([{ name: 'token', why: 'lost' }])
    expect(resolve('<{{empty}}>', lost)).toMatchObject({ value: '<>', faults: [] })
  })
})

describe('braces are text', () => {
  const texts = ['{{host}}', '\\{{host}}', '{{ host }}', '{{#each}}', '{{{', '{{}}']
  test('while no environment defines a variable', () => {
    for (const scope of [NO_VARIABLES, scopeOf([], undefined), scopeOf([environment('empty')], 'empty')])
      expect(resolve(texts, scope)).toEqual({ value: texts, used: [], faults: [] })
  })

  test.each([
    ['\\{{host}}', '{{host}}'],
    ['\\{{unknown}}', '{{unknown}}'],
    ['\\\\{{host}}', '\\{{host}}'],
    ['{{ host }}', '{{ host }}'],
    ['{{#each items}}', '{{#each items}}'],
    ['{{1st}} {{a b}} {{}} {{', '{{1st}} {{a b}} {{}} {{'],
    [`{{${'x'.repeat(65)}}}`, `{{${'x'.repeat(65)}}}`],
    ['{{{host}}}', '{localhost:3000}'],
    ['${host} {host} ${env:host}', '${host} {host} ${env:host}'],
  ])('in %j with an environment', (text, sent) => {
    expect(resolve(text, dev)).toMatchObject({ value: sent, faults: [] })
  })
})

test('a value without references is returned itself, and no value is changed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const value = json as Value
      const before = stringify(value)
      const { value: after, faults } = resolve(value, dev)
      expect(stringify(value)).toBe(before)
      if (!before.includes('{{')) expect([after === value, faults]).toEqual([true, []])
    }),
  )
})

test('whatever was sent is sent again unchanged once it is escaped', () => {
  const texts = fc.array(fc.constantFrom('{{host}}', '{{x}}', '\\', '{', '}', 'a', '{{ b }}'), { maxLength: 8 })
  fc.assert(
    fc.property(
      texts.map((parts) => parts.join('')),
      fc.constantFrom(dev, NO_VARIABLES),
      (text, scope) => {
        const value = { a: [text], n: 1 }
        expect(resolve(escaped(value, scope), scope)).toEqual({ value, used: [], faults: [] })
      },
    ),
  )
})

test('what a server declares is text: it cannot have a secret inserted by naming it', () => {
  const foreign = bracedIn({ properties: { mode: { enum: ['{{token}}', 'plain'], default: '{{token}}' } } })
  const written = withForeign({ mode: '{{token}}', mine: 'Bearer {{token}}' }, foreign, dev)
  expect(resolve(written, dev)).toMatchObject({ value: { mode: '{{token}}', mine: 'Bearer s3cret-dev' }, faults: [] })
  expect(withForeign('{{token}}', foreign, NO_VARIABLES)).toBe('{{token}}')
})

test('keys named __proto__ stay keys', () => {
  const value = readExactly('{"__proto__":{"a":"{{host}}"}}')!
  expect(stringify(resolve(value, dev).value)).toBe('{"__proto__":{"a":"localhost:3000"}}')
})

test('values that would make a message enormous are a fault', () => {
  const scope = scopeOf([environment('a', variable('x', 'x'.repeat(16_000)))], 'a')
  const { value, faults } = resolve('{{x}}'.repeat(2_000), scope)
  expect(faults[0]).toMatchObject({ name: 'x', why: 'long' })
  expect((value as string).length).toBeLessThan(MOST_INSERTED + 20_000)
})

test('as values of placeholders, a host is found in lower case too, but another variable of that name wins', () => {
  const scope = scopeOf([environment('a', variable('HOST', 'one'), variable('e', ''), variable('K', 'v', true))], 'a')
  expect(placeholderValues(scope)).toEqual({ '{{HOST}}': 'one', '{{host}}': 'one', '{{K}}': 'v', '{{k}}': 'v' })
  expect(placeholderValues(scope, ({ secret }) => !secret)).toEqual({ '{{HOST}}': 'one', '{{host}}': 'one' })
  expect(secretValues(scope)).toEqual(['v'])
})
