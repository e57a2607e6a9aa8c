/** Bodies that aren't what their Content-Encoding says. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { drain, serve, startProxy, type Closing } from './fixtures/relaying.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const JSON_TEXT = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}')
const gzip = gzipSync(JSON_TEXT)

const read = async (encoding: string | undefined, body: Buffer, type = 'application/json', decode = true) => {
  const proxy = await startProxy(closing)
  const headers = { 'Content-Type': type, ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }) }
  const url = await serve(closing, (_, response) => void response.writeHead(200, headers).end(body))
  return await drain(await proxy.ask({ url, decode }))
}

test.each<[string, string | undefined, Buffer, string]>([
  ['is compressed twice', 'gzip', gzipSync(gzip), 'STILL_ENCODED'],
  ['is compressed and encoded again by a gateway', 'br', brotliCompressSync(gzip), 'STILL_ENCODED'],
  ['is compressed without a word of it', undefined, gzip, 'STILL_ENCODED'],
  ['is compressed, but called unchanged', 'identity', gzip, 'STILL_ENCODED'],
  ['is plain, but called gzip', 'gzip', JSON_TEXT, 'NOT_ENCODED'],
  ['is plain, but called br', 'br', JSON_TEXT, 'NOT_ENCODED'],
  ['is gzip, but called br', 'br', gzip, 'ERR_'],
  ['is cut off', 'gzip', gzip.subarray(0, -8), 'Z_BUF_ERROR'],
])('a body that %s is named', async (_, encoding, body, system) => {
  const { failed } = await read(encoding, body)
  expect(failed).toMatchObject({
    code: 'encoding',
    message: { STILL_ENCODED: /compressed once more/, NOT_ENCODED: /isn't compressed/ }[system] ?? /doesn't match its Content-Encoding/, // prettier-ignore
    remedy: 'Make the server send the complete body as its Content-Encoding says, or uncompressed.',
    system: expect.stringContaining(system) as string,
  })
})

test.each<[string, string | undefined, Buffer, string | undefined, boolean | undefined, Buffer]>([
  ['compressed twice, as it says', 'gzip, gzip', gzipSync(gzip), undefined, undefined, JSON_TEXT],
  ['a file that is itself compressed', undefined, gzip, 'application/gzip', undefined, gzip],
  ['a compressed file that is compressed', 'gzip', gzipSync(gzip), 'application/gzip', undefined, gzip],
  ['of a coding that isn’t known', 'zstd', gzip, undefined, undefined, gzip],
  ['deflated, as it says', 'deflate', deflateSync(JSON_TEXT), undefined, undefined, JSON_TEXT],
  ['that the page wants unchanged', undefined, gzip, undefined, false, gzip],
])('a body %s arrives', async (_, encoding, body, type, decode, expected) => {
  const relayed = await read(encoding, body, type, decode)
  expect(relayed.failed).toBeUndefined()
  expect(relayed.body).toEqual(expected)
})
