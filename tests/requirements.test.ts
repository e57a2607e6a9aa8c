import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadRequirements, type Requirement } from '../web/lint/requirements.ts'
import { REVISIONS } from '../web/mcp/revision.ts'
import { proofs, type Proof } from './requirements.ts'
import { testTitles } from './titles.ts'

const root = join(import.meta.dirname, '..')

/** What is wrong with a map of proofs, one line for each fault. */
const faults = (
  map: Readonly<Record<string, readonly Proof[]>>,
  ids: ReadonlySet<string>,
  read: (file: string) => string | undefined,
): string[] => {
  const found: string[] = []
  for (const [id, list] of Object.entries(map)) {
    if (!ids.has(id)) found.push(`${id} is no requirement`)
    if (list.length === 0) found.push(`${id} has no proof: take it out`)
    for (const { file, test } of list) {
      const text = read(file)
      if (text === undefined) found.push(`${id}: there is no file ${file}`)
      else if (!testTitles(text).has(test)) found.push(`${id}: ${file} has no running test "${test}"`)
    }
  }
  return found
}

const readFile = (file: string) => {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

test('every proof names a requirement, a file and a running test that exist', async () => {
  const ids = new Set((await loadRequirements()).map(({ id }) => id))
  expect(faults(proofs, ids, readFile)).toEqual([])
})

test('every id that the sources speak of is one of a requirement', async () => {
  const ids = new Set((await loadRequirements()).map(({ id }) => id))
  const prefixes = [...new Set([...ids].map((id) => id.replace(/-\d+$/, '')))].sort((a, b) => b.length - a.length)
  const spoken = new RegExp(`(?<![\\w-])(?:${prefixes.join('|')})-\\d{2}(?![\\w-])`, 'g')
  const stale: string[] = []
  let seen = 0
  for (const folder of ['web', 'proxy', 'tests']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      // This file makes ids up.
      if (!entry.isFile() || !/\.(ts|svelte)$/.test(entry.name) || entry.name === 'requirements.test.ts') continue
      for (const [id] of readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(spoken)) {
        seen++
        if (!ids.has(id)) stale.push(`${entry.name}: ${id}`)
      }
    }
  }
  expect(stale).toEqual([])
  expect(seen).toBeGreaterThan(100)
})

describe('a stale proof is reported', () => {
  const ids = new Set(['BP-01'])
  const file = 'x.test.ts'
  const text = [
    "test('stands', () => {})",
    'it.each([1, 2])(`row %s of ${name}`, () => {})',
    "describe('only a group', () => { test.skip('sleeps', () => {}) })",
    "test.todo('not yet')",
    "test.runIf(posix)('runs here', () => {})",
    "describe.skip('nap', () => { test('naps along', () => {}) })",
    "// test('in a comment', () => {})",
  ].join('\n')
  const read = (name: string) => (name === file ? text : undefined)
  const verdict = (id: string, test: string, name = file) => faults({ [id]: [{ file: name, test }] }, ids, read)

  test('and what stands is not', () => {
    expect(verdict('BP-01', 'stands')).toEqual([])
    expect(verdict('BP-01', 'row %s of ${name}')).toEqual([])
    expect(verdict('BP-01', 'runs here')).toEqual([])
  })

  test.each<[name: string, found: string[], expected: string]>([
    ['an unknown id', verdict('BP-99', 'stands'), 'BP-99 is no requirement'],
    ['a missing file', verdict('BP-01', 'stands', 'y.test.ts'), 'BP-01: there is no file y.test.ts'],
    ['an empty list', faults({ 'BP-01': [] }, ids, read), 'BP-01 has no proof: take it out'],
    ...['gone', 'only a group', 'sleeps', 'not yet', 'naps along', 'in a comment'].map(
      (title): [string, string[], string] => [
        `"${title}"`,
        verdict('BP-01', title),
        `BP-01: x.test.ts has no running test "${title}"`,
      ],
    ),
  ])('%s', (_, found, expected) => expect(found).toEqual([expected]))
})

test('the requirements are those of the checklist they were made from', async ({ skip }) => {
  const checklist = join(root, '../shared/spec-checklist.md')
  if (!existsSync(checklist)) skip('the checklist lies outside the project and is not here')
  expect(await loadRequirements()).toEqual(parseChecklist(readFileSync(checklist, 'utf8')))
})

const COLUMNS = 11

/** Rows of the checklist's tables, with the heading they stand under. */
const parseChecklist = (text: string): Requirement[] => {
  const found: Requirement[] = []
  let section = ''
  for (const line of text.split('\n')) {
    if (/^#{2,3} /.test(line)) section = line.replace(/^#+ /, '').trim()
    if (!/^\| [A-Z][A-Z0-9-]*-\d{2} \|/.test(line)) continue
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
    if (cells.length !== COLUMNS) throw new Error(`The checklist has a row of ${cells.length} cells: ${line}`)
    const [id, , , , , , by, level, statement, source, show] = cells
    const weights = REVISIONS.flatMap((revision, index) => {
      const weight = cells[index + 1]
      return weight === '–' ? [] : [[revision, weight] as const]
    })
    found.push({
      id,
      section,
      keyword: level === '—' ? 'none' : level,
      by,
      revisions: Object.fromEntries(weights),
      statement,
      source,
      show,
    } as Requirement)
  }
  return found
}
