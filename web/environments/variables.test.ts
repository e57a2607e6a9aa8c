import { describe, expect, test } from 'vitest'
import {
  environmentsFrom,
  isVariableName,
  LIMITS,
  storableEnvironments,
  variableFaults,
  type Environment,
} from './variables.ts'

const row = (name: string, value = 'v', secret = false) => ({ name, value, secret })
const DEV: Environment = {
  id: 'e1',
  name: 'dev',
  variables: [row('host', 'localhost'), row('token', 's3cret', true)],
  remember: true,
}

test.each(['host', '_x', 'API_KEY', 'db.host', 'a-b', 'x'.repeat(64)])('%s names a variable', (name) => {
  expect(isVariableName(name)).toBe(true)
})

test.each(['', '1st', 'a b', 'a{', '{{a}}', 'é', 'a\n', '-a', 'x'.repeat(65), '${env:A}'])('%j does not', (name) => {
  expect(isVariableName(name)).toBe(false)
})

test('rows that can not be stored are named, and empty ones ignored', () => {
  const rows = [row('a'), row('A'), row('b c'), row('', ''), row('', 'x'), row('d', 'x'.repeat(LIMITS.value + 1))]
  expect([...variableFaults(rows)]).toEqual([
    [1, 'duplicate'],
    [2, 'name'],
    [4, 'name'],
    [5, 'value'],
  ])
})

describe('stored environments', () => {
  test('come back without the values of secrets', () => {
    const text = JSON.stringify(storableEnvironments([DEV]))
    expect(text).not.toContain('s3cret')
    expect(environmentsFrom(JSON.parse(text))).toEqual([
      { ...DEV, variables: [row('host', 'localhost'), row('token', '', true)] },
    ])
  })

  test.each([
    ['no list', {}],
    ['not objects', [1, null, 'x', []]],
    ['no id', [{ name: 'a', variables: [] }]],
    ['a hostile id', [{ id: '../x y', name: 'a', variables: [] }]],
    ['no variables', [{ id: 'a', name: 'a', variables: 'x' }]],
  ])('that are broken (%s) are left out', (_, stored) => {
    expect(environmentsFrom(stored)).toEqual([])
  })

  test('lose bad variables, equal ids, and what exceeds the limits', () => {
    const many = Array.from({ length: 300 }, (_, at) => row(`v${at}`))
    const [one, ...others] = environmentsFrom([
      {
        id: 'a',
        name: 'x'.repeat(500),
        variables: [row('__proto__'), row('a b'), { name: 1 }, null, row('__PROTO__')],
      },
      { id: 'a', name: 'again', variables: [] },
      { id: 'b', name: 'many', variables: many },
    ])
    expect(one).toEqual({ id: 'a', name: 'x'.repeat(60), variables: [row('__proto__')], remember: false })
    expect(others.map(({ id, variables }) => [id, variables.length])).toEqual([['b', LIMITS.variables]])
    const all = Array.from({ length: 80 }, (_, at) => ({ id: `e${at}`, name: 'e', variables: [] }))
    expect(environmentsFrom(all)).toHaveLength(LIMITS.environments)
  })
})
