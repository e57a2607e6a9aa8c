/** Hundreds of sessions, so Node only: the rules are the same in a browser, where `redact.test.ts` also runs. */
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { leaks } from '../../tests/sessions/leaks.ts'
import { ordinarySession, valuesIn } from '../../tests/sessions/ordinary.ts'
import { plantedSession } from '../../tests/sessions/planted.ts'
import { recordReal } from '../../tests/sessions/real.ts'
import type { Frame } from '../mcp/index.ts'
import { canExport, EXPORT_KINDS, exportAs } from '../session-file/formats/export.ts'
import { linkOf } from '../session-file/link.ts'
import { outgoing, type Outgoing } from './outgoing.ts'
import { redact } from './redact.ts'
import { headOf, sessionText } from '../session-file/write.ts'

const HEAD = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '0' }, servers: [] })

type Leaving = Pick<Outgoing, 'head' | 'frames'>

/** Ways a session can leave the device. */
const fileOf = ({ head, frames }: Leaving): string => [...sessionText(head, frames)].join('')

const WAYS: Readonly<Record<string, (leaving: Leaving) => Promise<string>>> = {
  link: async (leaving) => (await linkOf('https://periscope.example/', leaving)).url,
  'frames on the clipboard': ({ frames }) => Promise.resolve(frames.map((frame) => JSON.stringify(frame)).join('\n')),
  ...Object.fromEntries(
    EXPORT_KINDS.map((kind) => [
      kind,
      async ({ head, frames }: Leaving) => (canExport(kind, head) ? (await exportAs(kind, head, frames)).text : ''),
    ]),
  ),
}

describe('nothing secret leaves (SEC-15)', () => {
  test(
    '200 sessions with secrets in headers, bodies, addresses, arguments, sign-ins, base64, JWTs and JSON in texts: none stands in the file, nor in the link, the clipboard, the report and the other formats, in any encoding',
    { timeout: patient(240_000) },
    async () => {
      const leaked: string[] = []
      const seen = new Map<string, number>()
      for (let seed = 1; seed <= 200; seed++) {
        const { head, frames, secrets, places } = plantedSession(seed)
        const out = await outgoing(await redact(head, frames), { part: 'session' })
        expect(out.head.removed!.length).toBeGreaterThan(0)
        // The other ways in turn: each of them is used by more than 20 sessions.
        const ways = Object.entries(WAYS)
        const [way, write] = ways[seed % ways.length]!
        // The search must find the secrets before redaction, otherwise it would prove nothing afterwards.
        if (seed % 20 === 0) {
          const all = [...new Set(secrets)].toSorted()
          expect((await leaks(fileOf({ head, frames }), secrets)).toSorted()).toEqual(all)
        }
        // Every fourth round, so that each way has its turn however many there are.
        if (Math.floor(seed / ways.length) % 4 === 0) {
          const before = await leaks(await write({ head, frames }), secrets)
          seen.set(way, (seen.get(way) ?? 0) + before.length)
        }
        const left = `${fileOf(out)}\n${await write(out)}`
        for (const secret of await leaks(left, secrets))
          leaked.push(`session ${seed}, file or ${way}: ${secret} (${places.get(secret)?.join(', ')})`)
      }
      expect(leaked).toEqual([])
      // Without redaction, every way would have leaked the secrets.
      expect(Object.keys(WAYS).filter((way) => !seen.get(way))).toEqual([])
    },
  )
})

describe('nothing else is lost', () => {
  let real: readonly (readonly Frame[])[] = []
  beforeAll(async () => {
    const urls = [
      inject('everythingUrl'),
      `${inject('modernUrl')}/redact`,
      `${inject('versedUrl')}/v1/2025-11-25/redact`,
      `${inject('richUrl')}/v1/redact`,
      `${inject('richUrl')}/v2/redact`,
    ]
    real = await Promise.all(urls.map(recordReal))
  }, patient(240_000))

  /** Each test redacts as many; together 200. */
  const SESSIONS = 50

  test.each([1, 51, 101, 151])(
    '50 sessions of ordinary traffic from the %d. on, with ids, hashes, cursors, pictures, schemas, programs and prose: every value stays',
    { timeout: patient(240_000) },
    async (first) => {
      const lost: string[] = []
      let values = 0
      for (let seed = first; seed < first + SESSIONS; seed++) {
        const frames = ordinarySession(seed, seed % 4 === 0 ? real[(seed / 4) % real.length] : [])
        const out = await redact(HEAD, frames)
        values += valuesIn(frames)
        lost.push(...out.changes.map(({ pointer, rule, value }) => `${rule} ${pointer}: ${value.slice(0, 60)}`))
        if (out.changes.length === 0) expect(out.frames).toEqual(frames)
      }
      expect(values).toBeGreaterThan(25_000)
      // Lists every lost value. Expects none at all, although one percent would be acceptable.
      expect([...new Set(lost)]).toEqual([])
    },
  )
})

/** Times as long as writing and reading the frames. */
const MOST_TIMES = 60
const ATTEMPTS = 3

test(
  '10,000 frames take no longer than what is read and written 60 times, and go in slices',
  { timeout: patient(180_000) },
  async () => {
    const frames: Frame[] = []
    const some = ordinarySession(3)
    while (frames.length < 10_000) for (const frame of some) frames.push({ ...frame, seq: frames.length })
    /** CPU time, to exclude other processes. */
    const cost = async (work: () => unknown): Promise<number> => {
      const before = process.cpuUsage()
      await work()
      return process.cpuUsage(before).user
    }
    const readAndWrite = () => {
      for (let round = 0; round < 5; round++)
        for (const line of [...sessionText(HEAD, frames)].join('').trim().split('\n')) JSON.parse(line)
    }
    let slices = 0
    let ratio = Infinity
    for (let attempt = 0; attempt < ATTEMPTS && ratio > MOST_TIMES; attempt++) {
      const reference = (await cost(readAndWrite)) / 5
      const taken = await cost(async () => {
        const { changes } = await redact(HEAD, frames, { onprogress: () => slices++ })
        expect(changes).toEqual([])
      })
      ratio = Math.min(ratio, taken / reference)
    }
    expect(ratio).toBeLessThan(MOST_TIMES)
    // A slice takes some milliseconds.
    expect(slices).toBeGreaterThan(50)
  },
)
