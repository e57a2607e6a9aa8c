/**
 * A fourteenth, a fifteenth, a seventeenth and an eighteenth set of secrets and innocent payloads, by writers who hadn't seen the rules:
 * those that a name tells, those that only a person recognizes, and in `set-15-innocent.jsonl`, `set-16-innocent.jsonl`,
 * `set-17-innocent.jsonl` and `set-18-innocent.jsonl` what must stay.
 */
import { describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import type { Innocent, PlantedSecret } from './frames-of.ts'
import { leavingOf, linesOf, touchedOf } from './planted-set.ts'

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
  { set: 'set-17', innocents: 'set-17-innocent', leave: 18, unlisted: 7 },
  { set: 'set-18', innocents: 'set-18-innocent', leave: 34, unlisted: 6 },
]

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
      const { changed, suspected } = await touchedOf(innocents)
      expect(changed).toEqual([])
      expect(suspected.length / innocents.length).toBeLessThan(0.05)
    })
  },
)
