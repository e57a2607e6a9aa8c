import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../command.ts'
import { testTitles } from '../titles.ts'
import { readCorpus } from './corpus.ts'
import { oddities } from './oddities.ts'
import type { Oddity } from './oddity.ts'

/** The problems of a list of oddities, one line each. */
const faults = (list: readonly Oddity[], read: (file: string) => string | undefined): string[] => {
  const found: string[] = []
  for (const { what, servers = [], tests = [] } of list) {
    if (servers.length + tests.length === 0) found.push(`${what}: nothing shows it`)
    for (const { file, test: title, row } of tests) {
      const text = read(file)
      if (text === undefined) found.push(`${what}: there is no file ${file}`)
      else if (!testTitles(text).has(title)) found.push(`${what}: ${file} has no running test "${title}"`)
      else if (row !== undefined && !text.includes(`'${row}'`)) found.push(`${what}: ${file} has no row '${row}'`)
    }
  }
  return found
}

const readFile = (file: string) => {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

test('every oddity of published servers is shown by a server, or by a test that runs', () => {
  expect(faults(oddities, readFile)).toEqual([])
})

test('none of the observations is passed over', () => {
  const numbers = Array.from({ length: 19 }, (_, at) => at + 1)
  expect([...new Set(oddities.map(({ of }) => of))].sort((a, b) => a - b)).toEqual(numbers)
})

test('a proof that is gone is reported', () => {
  const read = (file: string) => (file === 'x.test.ts' ? "it.each(['a'])('%s stands', () => {})" : undefined)
  const of = (oddity: Partial<Oddity>) => faults([{ of: 1, what: 'w', ...oddity }], read)
  expect(of({ tests: [{ file: 'x.test.ts', test: '%s stands', row: 'a' }] })).toEqual([])
  expect(of({})).toEqual(['w: nothing shows it'])
  expect(of({ tests: [{ file: 'y.test.ts', test: 'z' }] })).toEqual(['w: there is no file y.test.ts'])
  expect(of({ tests: [{ file: 'x.test.ts', test: 'z' }] })).toEqual(['w: x.test.ts has no running test "z"'])
  expect(of({ tests: [{ file: 'x.test.ts', test: '%s stands', row: 'b' }] })).toEqual(["w: x.test.ts has no row 'b'"])
})

test('the servers that are named are those of the corpus', ({ skip }) => {
  const folder = join(root, '../shared/corpus')
  if (!existsSync(folder)) skip('the corpus lies outside the project and is not here')
  const ids = new Set(readCorpus(folder).servers.map(({ id }) => id))
  expect(oddities.flatMap(({ servers = [] }) => servers).filter((id) => !ids.has(id))).toEqual([])
})
