/**
 * A fourteenth and a fifteenth set of secrets and innocent payloads, by writers who hadn't seen the rules: those that a
 * name tells, those that only a person recognizes, and in `set-15-innocent.jsonl` and `set-16-innocent.jsonl` what must
 * stay.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headOf, sessionText } from '../../web/session-file/write.ts'
import { redact } from '../../web/share/redact.ts'
import { patient } from '../patience.ts'
import { leaks } from '../sessions/leaks.ts'
import { framesOf, type Innocent, type PlantedSecret } from './frames-of.ts'

const HEAD = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '0' }, servers: [] })

const linesOf = <Line>(name: string): readonly Line[] =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

interface LastSet {
  readonly set: string
  readonly innocents: string
  /** Of those that only a person recognizes, so many still leave, and so many aren't listed. */
  readonly leave: number
  readonly unlisted: number
}
const SETS: readonly LastSet[] = [
  { set: 'set-14', innocents: 'set-15-innocent', leave: 23, unlisted: 10 },
  { set: 'set-15', innocents: 'set-16-innocent', leave: 24, unlisted: 8 },
]

/** What leaves, and what of it isn't even listed as a suspect. */
const leavingOf = async (planted: readonly PlantedSecret[]) => {
  const left: string[] = []
  const unlisted: string[] = []
  for (const one of planted) {
    const { head, frames, suspects } = await redact(HEAD, framesOf(one))
    const found = await leaks([...sessionText(head, frames)].join(''), [one.secret].flat())
    if (found.length === 0) continue
    left.push(one.id)
    if (!found.every((secret) => suspects.some(({ value }) => value.includes(secret)))) unlisted.push(one.id)
  }
  return { left, unlisted }
}

describe.each(SETS)(
  'the last sets of secrets that others planted: $set',
  ({ set, innocents: kept, leave, unlisted: most }) => {
    const planted = linesOf<PlantedSecret>(`${set}.jsonl`)

    test('each named one is removed', { timeout: patient(60_000) }, async () => {
      const named = planted.filter((one) => one.class === 'named')
      expect(named.length).toBeGreaterThan(110)
      expect((await leavingOf(named)).left).toEqual([])
    })

    test(
      'of those that only a person recognizes, no more leave than before',
      { timeout: patient(60_000) },
      async () => {
        const human = planted.filter((one) => one.class === 'human')
        expect(human).toHaveLength(60)
        const { left, unlisted } = await leavingOf(human)
        expect(left.length).toBeLessThanOrEqual(leave)
        expect(unlisted.length).toBeLessThanOrEqual(most)
      },
    )

    test('innocent payloads stay, and few are suspects', { timeout: patient(60_000) }, async () => {
      const innocents = linesOf<Innocent>(`${kept}.jsonl`)
      const changed: string[] = []
      let suspected = 0
      for (const innocent of innocents) {
        const frames = framesOf(innocent)
        const out = await redact(HEAD, frames)
        if (JSON.stringify(out.frames) !== JSON.stringify(frames)) changed.push(innocent.id)
        if (out.suspects.length > 0) suspected++
      }
      expect(changed).toEqual([])
      expect(suspected / innocents.length).toBeLessThan(0.05)
    })
  },
)
