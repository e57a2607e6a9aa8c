import { describe, expect, test } from 'vitest'
import { SCENARIOS } from './client.ts'
import { scenariosOf, SETS, withoutGlob } from './suite.ts'

test('the requirement sets are those of the installed release: 18 and 32 scenarios that are scored, and some that are not', () => {
  const [old, current] = SETS.map((revision) => scenariosOf(revision))
  expect(old!.filter(({ notScored }) => !notScored)).toHaveLength(18)
  expect(current!.filter(({ notScored }) => !notScored)).toHaveLength(32)
  expect(old!.find(({ name }) => name === 'json-schema-2020-12-preservation')?.notScored).toBe('added-after-release')
  expect(current!.some(({ name }) => name.startsWith('tasks-'))).toBe(false)
})

test('the client can do every scenario, and lists none that does not exist; those of sign-in have a folder of their own', () => {
  const needed = SETS.flatMap((revision) => scenariosOf(revision).map(({ name }) => name))
  expect([...SCENARIOS].sort()).toEqual([...new Set(needed)].filter((name) => !name.startsWith('auth/')).sort())
})

describe('the copy of the suite for Node before 22', () => {
  test('lacks the one import that those have not', () => {
    expect(withoutGlob('import{existsSync as i,globSync as a,mkdtempSync as o}from"fs";a()')).toBe(
      'import{existsSync as i,mkdtempSync as o}from"fs";a()',
    )
  })
  test('is not made when the import is elsewhere: a new release must be looked at', () => {
    expect(() => withoutGlob('import{existsSync as i}from"fs"')).toThrow('0 times')
    expect(() => withoutGlob('import{globSync as a,globSync as b,c}from"fs"')).toThrow('2 times')
  })
})
