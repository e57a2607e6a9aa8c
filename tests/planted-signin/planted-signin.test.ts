/**
 * Worlds with one planted fault of a sign-in each, and clean ones: a client signs in to each like the page does. The lint
 * names each fault by its row, one that its author accepts, or the RFC section that binds the server, at its level; and it
 * finds nothing in the clean ones.
 */
import { expect, test } from 'vitest'
import { patient } from '../patience.ts'
import { clean } from './clean.ts'
import type { Violation } from './violation.ts'
import { laterViolations, violations } from './violations.ts'
import { walk } from './walk.ts'

/** What isn't named as its author expects, and why. */
const DISPUTED: Readonly<Record<string, string>> = {
  'b06-any-token': 'only a client that sends an invalid token on purpose can see it',
  'b06-query-accepted': 'clients never put a token into a URL (AU-GEN-03)',
  'c11-reg-none-not-listed': 'the client then registers with a secret, and nothing is wrong',
  'c11-reg-redirect-changed': 'AU-REG-10 is MUST: the sign-in can only return to a registered URI',
  'c11-code-and-error': 'named by RFC 6749 section 4.1.2.1: no row says it',
  'c11-revoke-ignored': 'clients never use a token after they revoked it',
  'd07-second-same-client': 'RFC 7591 section 3.2.1 allows one ID for several instances of a client',
}

const KEYWORDS: Readonly<Record<Violation['level'], readonly string[]>> = {
  must: ['MUST'],
  should: ['SHOULD'],
  advice: ['MAY', 'ADVICE', 'SHOULD'],
}

/** The sections of RFCs in a text, as rules are named: `RFC 6749 section 5.1`. */
const sectionsIn = (what: string): string[] =>
  [...what.matchAll(/RFC (\d+) §([\d.]*\d)/g)].map(([, rfc, section]) => `RFC ${rfc} section ${section}`)

const missedIn = async (planted: readonly Violation[]): Promise<readonly string[]> => {
  const missed: string[] = []
  for (const each of planted) {
    const found = await walk(each)
    const rules = [...each.requirements, ...sectionsIn(each.what)]
    const isNamed = found.some(
      ({ rule, also = [], keyword }) =>
        [rule, ...also].some((cited) => rules.includes(cited)) && KEYWORDS[each.level].includes(keyword),
    )
    if (!isNamed) missed.push(each.id)
  }
  return missed
}

test('each planted fault is named, except those that are disputed', { timeout: patient(300_000) }, async () => {
  expect(violations.length).toBe(170)
  expect(await missedIn(violations)).toEqual(Object.keys(DISPUTED))
})

test('each fault of the second set is named', { timeout: patient(300_000) }, async () => {
  expect(laterViolations.length).toBe(143)
  expect(await missedIn(laterViolations)).toEqual([])
})

test('nothing is wrong in worlds that are unusual but allowed', { timeout: patient(300_000) }, async () => {
  for (const each of clean) {
    const found = await walk({ ...each, ...(each.change.stepUp ? { needs: 'step-up' } : {}) })
    expect(
      found.filter(({ keyword }) => keyword === 'MUST' || keyword === 'SHOULD'),
      each.id,
    ).toEqual([])
  }
  expect(clean.length).toBe(59)
})
