import { describe, expect, test } from 'vitest'
import { REVISIONS } from '../mcp/revision.ts'
import { loadRequirements, specificationUrl } from './requirements.ts'
import statements from './text/chinese-statements.ts'
import titles from './text/en.ts'

test('every rule of the list is there once, with all that a reader needs', async () => {
  const requirements = await loadRequirements()
  expect(requirements).toHaveLength(500)
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(500)
  for (const { id, section, keyword, by, revisions, statement, source, show } of requirements) {
    expect(id).toMatch(/^[A-Z][A-Z0-9-]*-\d{2}$/)
    expect(section, id).toMatch(/^\d+\.(\d+)? ?\S/)
    expect(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY', 'none', 'advice'], id).toContain(keyword)
    expect(['C', 'H', 'S'], id).toContain(by)
    expect(Object.keys(revisions).length, id).toBeGreaterThan(0)
    for (const [revision, weight] of Object.entries(revisions)) {
      expect(REVISIONS, id).toContain(revision)
      expect(['M', 'S', 'Y', 'I'], id).toContain(weight)
    }
    for (const text of [statement, source, show]) expect(text, id).not.toBe('')
  }
})

test('a rule links to its page of the specification, and to nothing where there is none', async () => {
  expect(specificationUrl('2025-11-25/basic/transports')).toBe(
    'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports',
  )
  expect(specificationUrl('2026-07-28/basic/index')).toBe(
    'https://modelcontextprotocol.io/specification/2026-07-28/basic',
  )
  for (const source of ['derived', 'docs/extensions/overview', 'seps/2663-tasks-extension', '../../evil', '']) {
    expect(specificationUrl(source)).toBeUndefined()
  }
  for (const { id, source } of await loadRequirements()) {
    const url = specificationUrl(source)
    if (/^\d{4}/.test(source)) expect(url, id).toMatch(/^https:\/\/modelcontextprotocol\.io\/specification\/\d{4}/)
  }
})

describe('statements in both languages', async () => {
  const english = new Map((await loadRequirements()).map(({ id, statement }) => [id, statement]))
  const chinese: Readonly<Record<string, string>> = statements

  /** Findings may also cite sections of these. */
  const DOCUMENT = /^(?:RFC \d+|OpenID Connect Core) (?:section|appendix) /

  test('every requirement that a rule can report has one, and no other is translated', () => {
    const reportable = Object.keys(titles).filter((rule) => !DOCUMENT.test(rule))
    expect(reportable.length).toBeGreaterThan(250)
    expect(reportable.filter((rule) => !english.has(rule))).toEqual([])
    expect(reportable.filter((rule) => !/\p{Script=Han}/u.test(chinese[rule] ?? ''))).toEqual([])
    expect(Object.keys(chinese).filter((rule) => !reportable.includes(rule))).toEqual([])
  })

  /** What a translation repeats: code in backticks, and numbers such as codes, statuses, dates and limits. */
  const repeated = (statement: string) => ({
    code: Array.from(statement.matchAll(/`[^`]*`/g), String).toSorted(),
    numbers: new Set(Array.from(statement.matchAll(/\d[\d.–-]*(?<=\d)/g), String)),
    ends: /[.。]$/.test(statement),
  })

  test.each(Object.keys(chinese))('%s has the same code and the same numbers', (rule) => {
    expect(repeated(chinese[rule]!)).toEqual(repeated(english.get(rule)!))
  })
})
