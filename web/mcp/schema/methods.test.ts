import { describe, expect, test } from 'vitest'
import { isWithin, REVISIONS, type Revision } from '../revision.ts'
import { errorMeaning, methodIn, METHODS, templates, verdict } from './schema.ts'

const TASKS = 'io.modelcontextprotocol/tasks'

describe('a method', () => {
  test('means at most one thing in a revision', () => {
    for (const rows of Object.values(METHODS)) {
      for (const revision of REVISIONS) {
        expect(rows.filter((row) => isWithin(row, revision)).length).toBeLessThan(2)
      }
    }
  })

  test.each<[name: string, revisions: Revision[]]>([
    ['initialize', ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']],
    ['server/discover', ['2026-07-28']],
    ['tools/call', [...REVISIONS]],
    ['tasks/result', ['2025-11-25']],
    ['tasks/get', ['2025-11-25']],
    ['constructor', []],
  ])('%s exists in %j', (name, revisions) => {
    expect(REVISIONS.filter((revision) => methodIn(name, revision))).toEqual(revisions)
  })

  test('of an extension exists where the extension was declared', () => {
    expect(methodIn('tasks/get', '2026-07-28', [TASKS])).toMatchObject({ from: 'client', nameParam: 'taskId' })
    expect(methodIn('tasks/update', '2025-11-25', [TASKS])).toBeUndefined()
  })

  test('that servers ask with becomes a question inside a result with 2026-07-28 (BP-12)', () => {
    for (const name of ['roots/list', 'sampling/createMessage', 'elicitation/create']) {
      expect(methodIn(name, '2025-11-25')?.kind).toBe('request')
      expect(methodIn(name, '2026-07-28')?.kind).toBe('input')
    }
  })

  test('of completion is older than its capability (SF-COMP-01)', () => {
    expect(methodIn('completion/complete', '2024-11-05')).not.toHaveProperty('capability')
    expect(methodIn('completion/complete', '2025-03-26')).toHaveProperty('capability', 'completions')
  })
})

describe('templates', () => {
  test.each(REVISIONS)(
    'of %s are there for all that a client may send, valid, and free of what is of other revisions',
    (revision) => {
      for (const extensions of [[], [TASKS]]) {
        const all = templates(revision, extensions)
        const methods = Object.keys(METHODS).filter((method) => {
          const row = methodIn(method, revision, extensions)
          return row && row.kind !== 'input' && row.from !== 'server'
        })
        expect(Object.keys(all)).toEqual(methods)
        for (const [method, params] of Object.entries(all)) {
          const id = methodIn(method, revision, extensions)?.kind === 'request' ? 1 : undefined
          const message = { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params }
          expect([method, verdict(message, { revision, direction: 'sent', extensions })]).toEqual([method, []])
        }
      }
    },
  )

  test('are minimal: without any key of theirs, or of what is in it, a request is not valid', () => {
    const spare = new Set<string>()
    for (const revision of REVISIONS) {
      for (const [method, params] of Object.entries(templates(revision))) {
        for (const key of Object.keys(params)) {
          const { [key]: _, ...rest } = params
          const message = { jsonrpc: '2.0', id: 1, method, params: rest }
          const found = verdict(message, { revision, direction: 'sent' })
          if (!found.some(({ pointer }) => pointer === `/params/${key}`)) spare.add(`${method} ${key}`)
        }
      }
    }
    // The member users look for first, and the one that only 2025-11-25 makes optional.
    expect([...spare]).toEqual(['tools/call arguments', 'notifications/cancelled requestId'])
  })
})

describe('an error code', () => {
  test.each<[code: number, revision: Revision, name: string, ok: boolean]>([
    [-32700, '2024-11-05', 'ParseError', true],
    [-32602, '2026-07-28', 'InvalidParams', true],
    [-32002, '2025-11-25', 'ResourceNotFound', true],
    [-32002, '2026-07-28', 'ResourceNotFound', false],
    [-32042, '2025-06-18', 'URLElicitationRequired', true],
    [-32042, '2025-11-25', 'URLElicitationRequired', true],
    [-32042, '2026-07-28', 'URLElicitationRequired', false],
    [-32020, '2026-07-28', 'HeaderMismatch', true],
    [-32021, '2026-07-28', 'MissingRequiredClientCapability', true],
    [-32022, '2026-07-28', 'UnsupportedProtocolVersion', true],
    [-32050, '2026-07-28', 'Reserved', false],
    [-32050, '2025-11-25', 'ImplementationDefined', true],
    [-32001, '2025-11-25', 'ImplementationDefined', true],
    [-32001, '2026-07-28', 'ImplementationDefined', true],
    [-32003, '2026-07-28', 'ImplementationDefined', true],
    [-32500, '2025-11-25', 'Reserved', false],
    [-1, '2025-11-25', 'UserRejected', true],
    [-1, '2026-07-28', 'ApplicationDefined', true],
    [404, '2025-11-25', 'ApplicationDefined', true],
  ])('%d in %s is %s (BP-30, BP-31, BP-32, BP-35)', (code, revision, name, ok) => {
    expect(errorMeaning(code, revision)).toMatchObject({ name, ok })
  })

  test('for a missing resource is told in each revision', () => {
    for (const revision of REVISIONS) {
      const code = revision === '2026-07-28' ? -32602 : -32002
      expect(errorMeaning(code, revision).meaning).toMatch(/resource doesn't exist/)
    }
  })

  test('between -32000 and -32019 gets no guessed meaning since 2026-07-28', () => {
    const meanings = [-32000, -32001, -32003, -32004, -32019].map((code) => errorMeaning(code, '2026-07-28').meaning)
    expect(new Set(meanings)).toEqual(new Set(["The peer's own code"]))
    expect(errorMeaning(-32001, '2025-06-18').meaning).toMatch(/session/)
  })
})
