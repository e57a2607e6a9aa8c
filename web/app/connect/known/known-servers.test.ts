import { describe, expect, test } from 'vitest'
import { understand } from '../connect-input.ts'
import { Draft } from '../draft.svelte.ts'
import { placeholdersIn } from '../placeholders.ts'
import { lineOf } from '../target.ts'
import { AS_OF, KNOWN_SERVERS } from './known-servers.ts'

/** Archived in 2025: https://github.com/modelcontextprotocol/servers-archived */
const ARCHIVED = /@modelcontextprotocol\/server-(?:aws-kb-retrieval|brave-search|everart|gdrive|github|gitlab|google-maps|postgres|puppeteer|redis|slack|sqlite)\b|mcp-server-(?:sentry|sqlite)\b/ // prettier-ignore

test('the list is dated, and has each server once', () => {
  expect(Number.isNaN(Date.parse(AS_OF))).toBe(false)
  expect(new Set(KNOWN_SERVERS.map(({ id }) => id)).size).toBe(KNOWN_SERVERS.length)
})

test.each(['filesystem', 'memory', 'git', 'github', 'postgres', 'sqlite', 'brave-search', 'slack', 'sentry'] as const)(
  'the list has %s, which many look for first',
  (id) => expect(KNOWN_SERVERS.filter((server) => server.id === id)).toHaveLength(1),
)

describe.each(KNOWN_SERVERS.map((server) => [server.id, server] as const))('%s', (_id, server) => {
  const { target, needs, key, source, inputs = [] } = server
  const draft = Draft.of(target, [], {}, server.name)

  test('becomes the same target in the form', () => {
    const understood = understand(draft.text, undefined, () => undefined)
    expect(understood.kind).toBe(target.kind)
    expect(lineOf(target)).toBe(draft.text)
    expect(draft.target).toEqual(target)
  })

  test('connects only once what it needs is filled in', () => {
    const missing = draft.missingIn(draft.target)
    expect(missing).toEqual(placeholdersIn(target))
    const isAsking = needs.some((need) => ['key', 'folder', 'repository', 'database'].includes(need))
    expect(missing.length > 0).toBe(isAsking)
    for (const { text } of inputs) expect(missing).toContain(text)
  })

  test('has no value of a secret, and links to https only', () => {
    if (target.kind === 'command') for (const value of Object.values(target.env)) expect(value).toMatch(/^\$\{\w+\}$/)
    for (const link of [source, ...(key === undefined ? [] : [key])]) expect(new URL(link).protocol).toBe('https:')
    expect(key !== undefined).toBe(needs.includes('key'))
  })

  test('is not an archived reference server', () => {
    expect(lineOf(target)).not.toMatch(ARCHIVED)
  })
})
