import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sha256Of } from './sha256.ts'
import { hexOf, randomUuid, sha256 } from './web-crypto.ts'

const native = crypto.subtle
const digestOf = async (bytes: Uint8Array): Promise<string> =>
  hexOf(new Uint8Array(await native.digest('SHA-256', bytes as BufferSource)))

/** The globals of a page in an insecure context. */
const insecure = () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto)
  vi.stubGlobal('crypto', { getRandomValues })
}
afterEach(() => vi.unstubAllGlobals())

describe('outside secure contexts', () => {
  test('a UUID is random, of version 4, and never the same', () => {
    insecure()
    const made = Array.from({ length: 200 }, randomUuid)
    for (const each of made) expect(each).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(new Set(made).size).toBe(made.length)
  })

  test('SHA-256 is that of NIST', async () => {
    insecure()
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(hexOf(await sha256('abc'))).toBe(abc)
  })

  test('SHA-256 of anything, of any length, is that of WebCrypto', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(hexOf(sha256Of(bytes))).toBe(await digestOf(bytes))
      }),
    )
    for (const length of [0, 55, 56, 63, 64, 65, 119, 120, 1_000_003]) {
      const bytes = new Uint8Array(length).fill(0xa5)
      expect(hexOf(sha256Of(bytes)), String(length)).toBe(await digestOf(bytes))
    }
  })
})

test('in a secure context both are the browser’s own', async () => {
  expect(randomUuid()).toMatch(/^[\da-f-]{36}$/)
  expect(hexOf(await sha256('é'))).toBe(await digestOf(new TextEncoder().encode('é')))
})
