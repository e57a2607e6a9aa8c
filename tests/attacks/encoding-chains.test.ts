/**
 * Servers that declare tens of thousands of content encodings or send compression bombs, against the proxy as a
 * process.
 */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, createBrotliCompress, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import { framesOf, drain } from '../../proxy/fixtures/relaying.ts'
import { startMeasuredProxy, type MeasuredProxy } from './measured-proxy.ts'

const MB = 1024 * 1024
/** MB the proxy may use at any time. */
const MOST_MEMORY = 300
/** ms the proxy may compute for before it serves the next request. */
const LONGEST_PAUSE = patient(100)

type Answer = (response: ServerResponse) => void

let proxy: MeasuredProxy
let server: Server
let origin: string
let answer: Answer

const encoded = (encoding: string | string[], body: Uint8Array | string = 'not encoded'): Answer => {
  return (response) => {
    response.setHeader('Content-Encoding', encoding)
    response.end(body)
  }
}

/** 512 MB compressed to a few bytes. */
const bomb = async (piece: Buffer): Promise<Buffer> => {
  const packer = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  const pieces: Buffer[] = []
  packer.on('data', (bytes: Buffer) => pieces.push(bytes))
  for (let at = 0; at < 512 * MB; at += piece.length) if (!packer.write(piece)) await once(packer, 'drain')
  packer.end()
  await once(packer, 'end')
  return Buffer.concat(pieces)
}

beforeAll(async () => {
  server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy = await startMeasuredProxy()
  answer = encoded('gzip', gzipSync('x'.repeat(MB)))
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 6 }, () => relayed()))
  await proxy.measure()
}, patient(120_000))
afterAll(async () => {
  await proxy.close()
  server.closeAllConnections()
  server.close()
})

const relayed = async () => drain(await proxy.relay({ url: origin }))

const within = async () => {
  const { blocked, memory } = await proxy.measure()
  expect(blocked).toBeLessThan(LONGEST_PAUSE)
  expect(memory).toBeLessThan(MOST_MEMORY)
}

describe('a chain of codings', () => {
  test.each<[string, string | string[]]>([
    ['80,000 in one header', 'br,'.repeat(80_000)],
    ['10,000 in as many headers', Array.from({ length: 10_000 }, () => 'gzip')],
    ['six, in any case and with any space', 'GZIP ,\tBr,x-gzip ,deflate,,bR,  gzip'],
    ['six, behind 20,000 times identity', `${'identity,'.repeat(20_000)}br,br,br,br,br,br`],
    ['six that are not known', 'zstd, dcb, rot13, a, b, c'],
  ])('of %s is refused, and six at once block nobody', async (_, encoding) => {
    answer = encoded(encoding)
    const answers = await Promise.all(Array.from({ length: 6 }, relayed))
    for (const { head, body, failed } of answers) {
      expect(head.status).toBe(200)
      expect(body).toHaveLength(0)
      expect(failed).toMatchObject({ code: 'encoding', message: expect.stringMatching(/lists [\d,]+ codings/) })
    }
    await within()
  })

  test('of five is undone, with identity and empty elements between them', async () => {
    const packed = [brotliCompressSync, gzipSync, brotliCompressSync, gzipSync, brotliCompressSync].reduce<Buffer>(
      (bytes, pack) => pack(bytes),
      Buffer.from('five'),
    )
    answer = encoded('br, identity, gzip,, BR, X-gzip, br', packed)
    expect(await relayed()).toMatchObject({ head: { decoded: true }, body: Buffer.from('five'), end: {} })
  })

  test('of tens of thousands times nothing is no chain', async () => {
    answer = encoded(`${'identity, ,'.repeat(20_000)}identity`, 'plain')
    expect(await relayed()).toMatchObject({ body: Buffer.from('plain'), end: {} })
    await within()
  })
})

describe('a bomb', () => {
  test('of 512 MB is unpacked only as far as it is read', async () => {
    answer = encoded('br', await bomb(Buffer.alloc(MB)))
    const leave = new AbortController()
    const first = async () => {
      const response = await proxy.relay({ url: origin }, leave.signal)
      for await (const frame of framesOf(response)) if (frame.type === 'data') return
      throw new Error('Nothing came of it')
    }
    await Promise.all(Array.from({ length: 6 }, first))
    await within()
    leave.abort()
  })

  test('of 512 MB between two codings, of which nothing comes, is found early', async () => {
    // The reader would wait for the first byte while everything is decompressed.
    const empty = gzipSync('')
    answer = encoded('gzip, br', await bomb(Buffer.concat(Array.from({ length: 50_000 }, () => empty))))
    for (const { body, failed } of await Promise.all(Array.from({ length: 6 }, relayed))) {
      expect(body).toHaveLength(0)
      expect(failed).toMatchObject({ code: 'encoding', system: 'DECODED_TOO_LARGE' })
    }
    await within()
  })
})
