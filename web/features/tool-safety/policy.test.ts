import { describe, expect, test } from 'vitest'
import type { Json } from '../../mcp/index.ts'
import { claimOf, isToolPolicy, POLICIES, verdictOf, type Approval, type ToolClaim, type ToolPolicy } from './policy.ts'

const tool = (annotations?: Json): Json => ({ name: 'x', ...(annotations === undefined ? {} : { annotations }) })

describe('what a tool claims', () => {
  test.each<[claim: ToolClaim, of: string, listed: readonly Json[]]>([
    ['read-only', 'readOnlyHint', [tool({ readOnlyHint: true })]],
    ['read-only', 'readOnlyHint, and that it destroys nothing', [tool({ readOnlyHint: true, destructiveHint: false })]],
    ['harmless', 'that it destroys nothing', [tool({ destructiveHint: false })]],
    ['harmless', 'that it writes but destroys nothing', [tool({ readOnlyHint: false, destructiveHint: false })]],
    ['destructive', 'that it destroys', [tool({ destructiveHint: true })]],
    ['destructive', 'that it writes and destroys', [tool({ readOnlyHint: false, destructiveHint: true })]],
    ['contradictory', 'only to read, and to destroy', [tool({ readOnlyHint: true, destructiveHint: true })]],
    ['undeclared', 'nothing', [tool()]],
    ['undeclared', 'nothing that matters', [tool({ title: 'X', idempotentHint: true, openWorldHint: false })]],
    ['undeclared', 'only that it writes', [tool({ readOnlyHint: false })]],
    ['undeclared', 'hints that are no booleans', [tool({ readOnlyHint: 'true', destructiveHint: 0 })]],
    ['undeclared', 'annotations that are no object', [tool('readOnlyHint'), tool(['readOnlyHint']), tool(null)]],
    ['undeclared', 'nothing, because its definition is no object', ['x', null]],
    ['unlisted', 'nothing, because it is not in the list', []],
    ['read-only', 'the same, twice', [tool({ readOnlyHint: true }), tool({ readOnlyHint: true })]],
    ['contradictory', 'one thing here and another there', [tool({ readOnlyHint: true }), tool()]],
  ])('is %s if it declares %s', (claim, _, listed) => {
    expect(claimOf(listed)).toBe(claim)
  })
})

/** By policy and claim: not asked (`.`), or asked because of the claim (`?`). */
const MATRIX: Readonly<Record<ToolPolicy, Readonly<Record<ToolClaim, '.' | '?' | '!'>>>> = {
  always: { 'read-only': '!', harmless: '!', destructive: '!', contradictory: '!', undeclared: '!', unlisted: '!' },
  'unless-read-only': {
    'read-only': '.',
    harmless: '?',
    destructive: '?',
    contradictory: '?',
    undeclared: '?',
    unlisted: '?',
  },
  destructive: {
    'read-only': '.',
    harmless: '.',
    destructive: '?',
    contradictory: '?',
    undeclared: '?',
    unlisted: '?',
  },
  never: { 'read-only': '.', harmless: '.', destructive: '.', contradictory: '.', undeclared: '.', unlisted: '.' },
}

describe('the policy', () => {
  const cases = POLICIES.flatMap((policy) =>
    (Object.keys(MATRIX[policy]) as ToolClaim[]).flatMap((claim) =>
      (['none', 'same', 'changed'] as const).map((approval): [ToolPolicy, ToolClaim, Approval] => [
        policy,
        claim,
        approval,
      ]),
    ),
  )

  test('has a verdict for each of 4 policies, 6 claims and 3 states of approval', () => {
    expect(cases).toHaveLength(72)
    expect(POLICIES.filter((policy) => !isToolPolicy(policy))).toEqual([])
    expect(['', 'Never', undefined, null, 'constructor'].filter(isToolPolicy)).toEqual([])
  })

  test.each(cases)('"%s" of a tool that is %s, approved: %s', (policy, claim, approval) => {
    const verdict = verdictOf(policy, claim, approval)
    const cell = MATRIX[policy][claim]
    if (approval === 'changed' && claim !== 'unlisted') expect(verdict).toEqual({ ask: true, why: 'changed' })
    else if (cell === '!') expect(verdict).toEqual({ ask: true, why: 'every-call' })
    else if (cell === '.') expect(verdict).toEqual({ ask: false, by: 'policy' })
    else if (approval === 'same' && claim !== 'unlisted') expect(verdict).toEqual({ ask: false, by: 'approved' })
    else expect(verdict).toEqual({ ask: true, why: claim })
  })

  test('asks no less where it is stricter', () => {
    for (const [, claim, approval] of cases) {
      const asks = POLICIES.map((policy) => Number(verdictOf(policy, claim, approval).ask))
      expect(asks, `${claim}, ${approval}`).toEqual(asks.toSorted((one, other) => other - one))
    }
  })
})
