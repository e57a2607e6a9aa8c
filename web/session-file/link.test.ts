import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { expectWithin, patient } from '../../tests/patience.ts'
import { Frames } from '../../tests/sessions/frames.ts'
import { ordinarySession } from '../../tests/sessions/ordinary.ts'
import type { Frame, Json } from '../mcp/index.ts'
import { linkOf, LONGEST_LINK, sessionFrom, ShareLinkError } from './link.ts'
import { readSession } from './read.ts'
import { redact } from '../share/redact.ts'
import { SessionFileError } from './file.ts'
import { headOf, sessionText } from './write.ts'

const HEAD = headOf({
  begunAt: '2026-01-01T00:00:00.000Z',
  tool: { name: 'mcp-periscope', version: '0' },
  servers: [],
  name: 'Grüße 🎈',
})

const fragmentOf = (url: string): string => url.slice(url.indexOf('#'))

const packed = async (pieces: Iterable<Uint8Array<ArrayBuffer>>): Promise<string> => {
  const stream = new CompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  const done = (async () => {
    for (const piece of pieces) await writer.write(piece)
    await writer.close()
  })()
  const bytes = new Uint8Array(await new Response(stream.readable).arrayBuffer())
  await done
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `#share=1.${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

const packedText = (text: string): Promise<string> => packed([new TextEncoder().encode(text)])

/** @returns what was thrown */
const refusal = async (open: Promise<unknown>): Promise<unknown> =>
  await open.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a link', () => {
  test('gives back the session as it was', async () => {
    const frames = ordinarySession(5)
    const { url } = await linkOf('https://periscope.example/a/?x=1#token=launch', { head: HEAD, frames })
    expect(url).toMatch(/^https:\/\/periscope\.example\/a\/\?x=1#share=2\.[\w-]+\.[\w-]{6}$/)
    expect(url).not.toContain('launch')
    const opened = await sessionFrom(fragmentOf(url))
    expect(opened).toEqual({ head: HEAD, frames, damage: [], damaged: 0 })
  })

  test('says its size, and above 32 KB that it does not fit', async () => {
    const small = await linkOf('https://x/', { head: HEAD, frames: [] })
    expect(small).toMatchObject({ fits: true, size: small.url.length })
    const frames = Array.from({ length: 60 }, (_, seed) => ordinarySession(seed)).flat()
    const large = await linkOf('https://x/', { head: HEAD, frames: frames.map((frame, seq) => ({ ...frame, seq })) })
    expect(large.size).toBeGreaterThan(LONGEST_LINK)
    expect(large.fits).toBe(false)
  })

  test('survives what chats and mails do to it, and opens as far as it is good where it was cut', async () => {
    const frames = ordinarySession(6)
    const fragment = fragmentOf((await linkOf('https://x/', { head: HEAD, frames })).url)
    expect((await sessionFrom(fragment.replaceAll('-', '%2D').replace(/(.{70})/g, '$1\n'))).frames).toEqual(frames)
    const half = await sessionFrom(fragment.slice(0, Math.floor(fragment.length * 0.7)))
    expect(half.frames.length).toBeGreaterThan(0)
    expect(half.frames).toEqual(frames.slice(0, half.frames.length))
    expect(half.damage[0]).toEqual({ code: 'checksum' })
    expect(half.damage.map(({ code }) => code)).toContain('truncated')
  })

  test('made by an earlier version, without a checksum, still opens', async () => {
    const frames = ordinarySession(6)
    const old = await packedText([...sessionText(HEAD, frames)].join(''))
    expect(await sessionFrom(old)).toEqual({ head: HEAD, frames, damage: [], damaged: 0 })
    expect(await sessionFrom(`${old}.)`)).toEqual({ head: HEAD, frames, damage: [], damaged: 0 })
  })

  test('opens as it is with a full stop, a bracket, a quote or an emphasis behind it', async () => {
    const frames = ordinarySession(7)
    const fragment = fragmentOf((await linkOf('https://x/', { head: HEAD, frames })).url)
    for (const behind of [
      '.',
      ',',
      ')',
      ').',
      ']',
      '>',
      '"',
      '’',
      '”,',
      '*',
      '**',
      '_',
      '__.',
      '`',
      '!',
      '?',
      '%22',
      '\n',
    ])
      expect(await sessionFrom(fragment + behind), behind).toEqual({ head: HEAD, frames, damage: [], damaged: 0 })
  })

  test('changed in any one character is opened as far as it is good, and never without saying so', async () => {
    const frames = ordinarySession(3)
    const fragment = fragmentOf((await linkOf('https://x/', { head: HEAD, frames })).url)
    const begin = '#share=2.'.length
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    let opened = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: begin, max: fragment.length - 2 }),
        fc.constantFrom('other', 'gone', 'more', 'swapped'),
        fc.constantFrom(...letters),
        async (at, how, letter) => {
          const changed = {
            other: fragment.slice(0, at) + letter + fragment.slice(at + 1),
            gone: fragment.slice(0, at) + fragment.slice(at + 1),
            more: fragment.slice(0, at) + letter + fragment.slice(at),
            swapped: fragment.slice(0, at) + fragment[at + 1]! + fragment[at]! + fragment.slice(at + 2),
          }[how]
          fc.pre(changed !== fragment)
          const session = await sessionFrom(changed).catch((error: unknown) => error)
          if (session instanceof ShareLinkError) {
            expect(session.code).toBe('damaged')
            return
          }
          opened++
          expect((session as { damage: readonly { code: string }[] }).damage[0]).toEqual({ code: 'checksum' })
        },
      ),
      { numRuns: 300 },
    )
    expect(opened).toBeGreaterThan(100)
  })

  test('holds good frames up to a fault in the middle of it', async () => {
    const frames = Array.from({ length: 30 }, (_, seed) => ordinarySession(seed))
      .flat()
      .map((frame, seq) => ({ ...frame, seq }))
    const fragment = fragmentOf((await linkOf('https://x/', { head: HEAD, frames })).url)
    const middle = Math.floor(fragment.length / 2)
    const { frames: good } = await sessionFrom(`${fragment.slice(0, middle)}____${fragment.slice(middle + 4)}`)
    expect(good.length).toBeGreaterThan(frames.length / 4)
    expect(good.slice(0, Math.floor(frames.length / 4))).toEqual(frames.slice(0, Math.floor(frames.length / 4)))
  })
})

describe('a hostile link or file is opened or refused with a clear message, soon', () => {
  test('any text at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\w-]{0,200}$/)), async (text) => {
        const thrown = await refusal(sessionFrom(`#share=1.${text}`))
        expect(thrown instanceof ShareLinkError || thrown instanceof SessionFileError).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    ['nothing shared', '#/s1/tools', 'no-link'],
    ['of a later version', '#share=3.abc', 'unknown-version'],
    ['empty, of version 2', '#share=2.', 'damaged'],
    ['empty', '#share=1.', 'damaged'],
    ['of other letters', '#share=1.!!!', 'damaged'],
  ])('%s', async (_, fragment, code) => {
    const thrown = await refusal(sessionFrom(fragment))
    expect(thrown).toBeInstanceOf(ShareLinkError)
    expect(thrown).toHaveProperty('code', code)
  })

  test('300 MB of line ends are refused soon', { timeout: patient(120_000) }, async () => {
    const ends = new Uint8Array(1024 * 1024).fill(0x0a)
    const bomb = await packed(Array.from({ length: 300 }, () => ends))
    await expectWithin(2_000, async () => {
      expect(await refusal(sessionFrom(bomb))).toHaveProperty('code', 'too-large')
    })
  })

  test('a deflate bomb is stopped while it unpacks', async () => {
    const zeros = new Uint8Array(1024 * 1024).fill(0x20)
    const bomb = await packed(Array.from({ length: 200 }, () => zeros))
    expect(bomb.length).toBeLessThan(400_000)
    let unpacked = 0
    const Real = DecompressionStream
    class Counting {
      readonly writable: WritableStream
      readonly readable: ReadableStream
      constructor(format: CompressionFormat) {
        const real = new Real(format)
        const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController) => {
          unpacked += chunk.length
          controller.enqueue(chunk)
        }
        this.writable = real.writable
        this.readable = real.readable.pipeThrough(new TransformStream({ transform }))
      }
    }
    vi.stubGlobal('DecompressionStream', Counting)
    onTestFinished(() => void vi.unstubAllGlobals())
    const thrown = await refusal(sessionFrom(bomb))
    expect(thrown).toHaveProperty('code', 'too-large')
    // The whole link would unpack to 200 MB.
    expect(unpacked / 1024 / 1024).toBeGreaterThan(19)
    expect(unpacked / 1024 / 1024).toBeLessThan(25)
  })

  test('deep JSON, foreign prototypes, scripts in every text: plain frames', async () => {
    const script = '<img src=x onerror=alert(1)><script>alert(1)</script>'
    const frames = new Frames()
    frames.call(1, { name: script }, frames.say(script), `javascript:${script}`, [[script, script]])
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const line = JSON.stringify({ ...frames.all[1], seq: frames.all.length, message: 1 })
    const text = [...sessionText({ ...HEAD, name: script }, frames.all)].join('')
    const lines = `${text}${line.replace('"message":1', `"message":${deep}`)}\n${line.replace('"message":1', '"message":{"__proto__":{"polluted":1}},"__proto__":{"kind":"x"}')}\n`
    await expectWithin(2_000, async () => {
      const opened = await sessionFrom(await packedText(lines))
      expect(opened.frames.slice(0, frames.all.length)).toEqual(frames.all)
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
      const { frames: clean } = await redact(opened.head, opened.frames)
      expect(clean).toHaveLength(opened.frames.length)
    })
  })

  test(
    'a million frames in a file are bounded by their text, and half a file is half open',
    { timeout: patient(120_000) },
    async () => {
      const line = `{"kind":"stream","event":"comment","request":0,"text":"","link":"s1","at":0,"seq":`
      const many = Array.from({ length: 300_000 }, (_, seq) => `${line}${seq}}`).join('\n')
      const thrown = await refusal(sessionFrom(await packedText(`${JSON.stringify(HEAD)}\n${many}`)))
      // 20 MB of a link can't hold more; the file says how much it holds.
      expect(thrown).toHaveProperty('code', 'too-large')
      const half = await readSession(`${JSON.stringify(HEAD)}\n${many.slice(0, 1_000_000)}`)
      expect(half.damage.map(({ code }) => code)).toContain('truncated')
    },
  )
})

test('a frame that stands for text nobody wrote is the same after redaction', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
      const frame: Frame = {
        kind: 'message',
        direction: 'received',
        type: 'invalid',
        message: value as Json,
        size: 1,
        seq: 0,
        at: 0,
        link: 's1',
      }
      const { frames, changes } = await redact(HEAD, [frame])
      if (changes.length === 0) expect(frames[0]).toEqual(frame)
    }),
  )
})
