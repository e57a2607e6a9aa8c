import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadRequirements, type Requirement } from '../web/lint/requirements.ts'
import { REVISIONS } from '../web/mcp/revision.ts'
import { proofs, untestable, type Proof } from './requirements.ts'
import { testTitles } from './titles.ts'

const root = join(import.meta.dirname, '..')

/** The problems of a map of proofs, one line each. */
const faults = (
  map: Readonly<Record<string, readonly Proof[]>>,
  ids: ReadonlySet<string>,
  read: (file: string) => string | undefined,
): string[] => {
  const found: string[] = []
  // Cached, because some files prove dozens of requirements.
  const known = new Map<string, ReadonlySet<string> | undefined>()
  const titlesIn = (file: string) => {
    if (!known.has(file)) {
      const text = read(file)
      known.set(file, text === undefined ? undefined : testTitles(text))
    }
    return known.get(file)
  }
  for (const [id, list] of Object.entries(map)) {
    if (!ids.has(id)) found.push(`${id} is no requirement`)
    if (list.length === 0) found.push(`${id} has no proof: take it out`)
    for (const { file, test } of list) {
      const titles = titlesIn(file)
      if (titles === undefined) found.push(`${id}: there is no file ${file}`)
      else if (!titles.has(test)) found.push(`${id}: ${file} has no running test "${test}"`)
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

/** Sections whose client requirements must be proven: the whole protocol except tasks. */
const COVERED = /^[1-8]\./

const KEYWORDS: readonly string[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT']

/** Client or user interface requirements with neither a proof nor a reason, or with both. */
const uncovered = (
  rows: readonly Pick<Requirement, 'id' | 'section' | 'by' | 'keyword'>[],
  proven: Readonly<Record<string, unknown>>,
  reasons: Readonly<Record<string, string>>,
): string[] =>
  rows.flatMap(({ id, section, by, keyword }) => {
    const [has, why] = [Object.hasOwn(proven, id), Object.hasOwn(reasons, id)]
    if (has && why) return [`${id} is proven: take its reason out`]
    const due = COVERED.test(section) && /[CH]/.test(by) && KEYWORDS.includes(keyword)
    return due && !has && !why ? [`${id} has neither a proof nor a reason why it has none`] : []
  })

test('every MUST and SHOULD of the client is proven, or says why it cannot be', async () => {
  const rows = await loadRequirements()
  expect(uncovered(rows, proofs, untestable)).toEqual([])
  const ids = new Set(rows.map(({ id }) => id))
  for (const [id, reason] of Object.entries(untestable)) {
    expect(ids).toContain(id)
    // A single word isn't enough of a reason.
    expect(reason.length).toBeGreaterThan(40)
  }
})

test('a duty without proof and reason is reported, one of the server or of another section is not', () => {
  const row = (id: string, section: string, by: string, keyword: string) =>
    ({ id, section, by, keyword }) as Pick<Requirement, 'id' | 'section' | 'by' | 'keyword'>
  const rows = [
    row('A', '1.1 Envelope', 'C', 'MUST'),
    row('B', '8.1 Rounds', 'H', 'SHOULD NOT'),
    row('C', '4.6 Authorization request', 'C', 'MUST NOT'),
    row('D', '3.1 stdio', 'S', 'MUST'),
    row('E', '2.1 Handshake', 'C', 'MAY'),
    row('F', '9.1 Tasks', 'C', 'MUST'),
    row('G', '10 Security', 'C', 'MUST'),
  ]
  expect(uncovered(rows, {}, {})).toEqual(
    ['A', 'B', 'C'].map((id) => `${id} has neither a proof nor a reason why it has none`),
  )
  expect(uncovered(rows, { A: [], C: [] }, { B: 'nobody can see it', C: 'so far' })).toEqual([
    'C is proven: take its reason out',
  ])
})

test('every id that the sources speak of is one of a requirement', async () => {
  const ids = new Set((await loadRequirements()).map(({ id }) => id))
  const prefixes = [...new Set([...ids].map((id) => id.replace(/-\d+$/, '')))].sort((a, b) => b.length - a.length)
  const spoken = new RegExp(`(?<![\\w-])(?:${prefixes.join('|')})-\\d{2}(?![\\w-])`, 'g')
  const stale: string[] = []
  let seen = 0
  for (const folder of ['web', 'proxy', 'tests']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      // This file contains made-up ids.
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
  // Advice isn't part of the specification, so the checklist doesn't contain any.
  const rules = (await loadRequirements()).filter(({ keyword }) => keyword !== 'advice')
  expect(rules).toEqual(parseChecklist(readFileSync(checklist, 'utf8')))
})

const COLUMNS = 11

/** Rows of the checklist's tables, each with its heading. */
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
