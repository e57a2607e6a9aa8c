import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { replacedTokens } from './replaced-tokens.ts'
import { tokensOf } from './vault.case.ts'

afterEach(() => void vi.unstubAllGlobals())

test('tokens count as replaced once they were added, and only they (AU-TOK-04)', async () => {
  const [one, other] = [tokensOf(), tokensOf()]
  expect(await replacedTokens.has(one)).toBe(false)
  await replacedTokens.add(one)
  expect(await replacedTokens.has(one)).toBe(true)
  expect(await replacedTokens.has(other)).toBe(false)
  // The same refresh token with another access token is a newer set: some servers keep refresh tokens.
  expect(await replacedTokens.has({ ...other, refreshToken: one.refreshToken })).toBe(false)
})

test('of very many, the newest are known', async () => {
  const all = Array.from({ length: 70 }, () => tokensOf())
  for (const tokens of all) await replacedTokens.add(tokens)
  expect(await replacedTokens.has(all[0]!)).toBe(false)
  expect(await replacedTokens.has(all[69]!)).toBe(true)
})

test('without access to IndexedDB nothing counts as replaced, and nothing fails', async () => {
  vi.stubGlobal('indexedDB', undefined)
  await replacedTokens.add(tokensOf())
  expect(await replacedTokens.has(tokensOf())).toBe(false)
})
