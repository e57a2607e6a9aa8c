import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decoderFor } from './body-decoder.ts'

const MB = 1024 * 1024
const brotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

test.each([
  ['br', brotli],
  ['gzip, br', (text: Buffer) => brotli(gzipSync(text, { level: 0 }))],
])('one chunk that unpacks to 64 MB (%s) is handed out in pieces of less than 1 MB', async (encoding, pack) => {
  const decoder = decoderFor(encoding)!
  const chunk = pack(Buffer.alloc(64 * MB))
  const sizes: number[] = []
  // In a chain, a single chunk would push the intermediate result over its limit.
  for (let at = 0; at < chunk.length; at += 16 * 1024) {
    for await (const piece of decoder.push(chunk.subarray(at, at + 16 * 1024))) sizes.push(piece.length)
  }
  for await (const piece of decoder.end()) sizes.push(piece.length)
  expect(Math.max(...sizes)).toBeLessThan(MB)
  if (encoding === 'br') expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(64 * MB)
  else expect(decoder.failed).toBe(true)
})

test('a chain of more than five codings is not decoded', () => {
  expect(decoderFor('br,br,br,br,br,br')!.failed).toBe(true)
  expect(decoderFor('br,br,br,br,br')!.failed).toBe(false)
  expect(decoderFor(' identity ')).toBeUndefined()
})
