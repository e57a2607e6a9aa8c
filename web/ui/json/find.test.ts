import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finding, type Found } from './find.ts'
import type { Value } from '../../json/index.ts'
import { readJson } from '../../json/index.ts'
import { jsonPath, Tree } from './rows.ts'

const find = (value: Value, needle: string, most = 1e6): Found => {
  const steps = finding(value, needle, most)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

const names = fc.stringMatching(/^[abA]{0,3}$/)
const tree = fc.jsonValue({ maxDepth: 4 }).chain((value) => fc.dictionary(names, fc.constant(value)))

test('every place that is found leads to its row in the tree, wherever the tree was open before', () => {
  fc.assert(
    fc.property(tree, fc.array(fc.nat({ max: 30 }), { maxLength: 5 }), (value, toggles) => {
      const shown = new Tree(value as Value)
      for (const row of toggles) if (row < shown.length) shown.toggle(row)
      for (const path of find(value as Value, 'a').paths) {
        expect(shown.at(shown.reveal(path)).path).toEqual(path)
      }
    }),
  )
})

test('names and scalars are found in any case, numbers as they are written, in the order of the tree', () => {
  const { value } = readJson('{"Name":"x","list":[1.0,{"deep":"a NAME"},true],"n":9007199254740993}')
  const at = (needle: string) => find(value, needle).paths.map(jsonPath)
  expect(at('name')).toEqual(['$.Name', '$.list[1].deep'])
  expect(at('1.0')).toEqual(['$.list[0]'])
  expect(at('993')).toEqual(['$.n'])
  expect(at('TRU')).toEqual(['$.list[2]'])
  expect(at('')).toEqual([])
  expect(find(value, 'e', 1)).toMatchObject({ paths: [['Name']], more: true })
})

test('a large value is searched in steps', () => {
  const value = Array.from({ length: 50_000 }, (_, at) => ({ at }))
  expect([...finding(value, 'none', 10)].length).toBeGreaterThan(10)
})
