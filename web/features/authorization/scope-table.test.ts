import fc from 'fast-check'
import { expect, test } from 'vitest'
import { union } from '../../oauth/model/scope.ts'
import { scopeRows, stepUpScopes } from './scope-table.ts'

test('each scope stands in one row, as granted, missing, or granted unasked (AU-SCOPE-08)', () => {
  expect(scopeRows('a b c', 'c a  d')).toEqual([
    { scope: 'a', standing: 'granted' },
    { scope: 'b', standing: 'missing' },
    { scope: 'c', standing: 'granted' },
    { scope: 'd', standing: 'extra' },
  ])
  // The server chose: nothing is unasked where nobody asked.
  expect(scopeRows(undefined, 'a')).toEqual([{ scope: 'a', standing: 'granted' }])
  expect(scopeRows('a', undefined)).toEqual([{ scope: 'a', standing: 'missing' }])
  expect(scopeRows(undefined, undefined)).toEqual([])
})

const scopes = fc.array(fc.constantFrom('a', 'b', 'c', 'A', 'a:b', '__proto__')).map((list) => list.join(' '))

test('no scope is lost or shown twice', () => {
  fc.assert(
    fc.property(scopes, scopes, (requested, granted) => {
      const rows = scopeRows(requested, granted).map(({ scope }) => scope)
      expect(new Set(rows).size).toBe(rows.length)
      expect(new Set(rows)).toEqual(new Set(`${requested} ${granted}`.split(' ').filter((one) => one !== '')))
    }),
  )
})

test('a step-up names what is held, what is missing, and what is asked for in all (AU-SCOPE-03, AU-SCOPE-04)', () => {
  expect(stepUpScopes('read', 'write read admin', union('read', 'write read admin'))).toEqual({
    held: ['read'],
    missing: ['write', 'admin'],
    asked: ['read', 'write', 'admin'],
  })
  expect(stepUpScopes(undefined, undefined, undefined)).toEqual({ held: [], missing: [], asked: [] })
})
