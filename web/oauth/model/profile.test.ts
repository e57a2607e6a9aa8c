/** What each protocol version requires of a sign-in. */
import { expect, test } from 'vitest'
import { REVISIONS, type Revision } from '../../mcp/index.ts'
import { profileFor, type Trait } from './profile.ts'

/**
 * From the table of differences: `.` absent, `x` present. In the order 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.
 */
const TABLE: Readonly<Record<Trait, string>> = {
  originIsIssuer: 'x...',
  defaultEndpoints: 'x...',
  versionHeader: 'x...',
  resourceMetadata: '.xxx',
  wellKnownResource: '..xx',
  openidDiscovery: '..xx',
  resourceParameter: '.xxx',
  pkceMustBeAdvertised: '..xx',
  metadataDocument: '..xx',
  applicationType: '...x',
  scopeByRule: '..xx',
  unionOfScopes: '...x',
  offlineAccess: '...x',
  issuerInResponse: '...x',
}

const SIGNING = REVISIONS.filter((revision) => revision !== '2024-11-05').toSorted()

test.each(Object.entries(TABLE))('%s is as the revisions have it', (trait, row) => {
  const found = SIGNING.map((revision) => (profileFor(revision).has(trait as Trait) ? 'x' : '.')).join('')
  expect([SIGNING, found]).toEqual([['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'], row])
})

test('whoever pins no revision has the newest rules, and looks the old way where the new ones lead nowhere', () => {
  expect(profileFor(undefined)).toMatchObject({ revision: '2026-07-28', tolerant: true })
  for (const revision of SIGNING) expect(profileFor(revision)).toMatchObject({ revision, tolerant: false })
})

test('2024-11-05, which says nothing of sign-ins, has those of whoever pins nothing', () => {
  const old: Revision = '2024-11-05'
  expect(profileFor(old)).toMatchObject({ revision: '2026-07-28', tolerant: true })
})
