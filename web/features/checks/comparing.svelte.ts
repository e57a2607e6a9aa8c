/** The state of a comparison: the two sides, the changes shown, and the one selected. */
import type { Change, ServerFeatures, Judgement } from '../../compare/index.ts'
import { type KeptFeatures, featuresBy } from '../server-features/index.ts'
import type { ServerView } from '../feature.ts'
import { Remembered } from '../remembered.ts'
import { serversOf } from './checking.svelte.ts'

/** A server or a stored offer that can be compared. */
export interface Side {
  readonly id: string
  readonly group: 'open' | 'recorded' | 'remembered'
  readonly name: string
  /** For a stored offer: ms since the epoch. */
  readonly at?: number
  /** Absent for a stored offer: it has lists but no responses. */
  readonly server?: ServerView
  readonly offer: () => ServerFeatures | undefined
}

/** @param kept earlier features of the server */
export const sidesOf = (server: ServerView, kept: readonly KeptFeatures[]): readonly Side[] => [
  ...serversOf(server).map((each): Side => ({
    id: `now:${each.slot}`,
    group: each.slot !== each.link ? 'recorded' : 'open',
    name: each.name,
    server: each,
    offer: () => featuresBy(each),
  })),
  ...kept.map(({ from, to, offer }): Side => ({
    id: `kept:${from}`,
    group: 'remembered',
    name: server.name,
    at: to,
    offer: () => offer,
  })),
]

class Comparing {
  readonly #own: string
  left = $state<string>()
  right = $state<string>()
  part = $state<'offer' | 'answers'>('offer')
  only = $state<Judgement | 'all'>('all')
  picked = $state<string>()

  constructor(slot: string) {
    this.#own = `now:${slot}`
  }

  /** The chosen sides if they still exist; otherwise the likeliest: the server's stored offer, or another server. */
  sides(all: readonly Side[]): readonly [before: Side | undefined, after: Side | undefined] {
    const after = all.find(({ id }) => id === this.right) ?? all.find(({ id }) => id === this.#own)
    const before =
      all.find(({ id }) => id === this.left) ??
      all.find(({ group }) => group === 'remembered') ??
      all.find(({ id }) => id !== after?.id) ??
      after
    return [before, after]
  }

  turn(before: Side | undefined, after: Side | undefined): void {
    this.left = after?.id
    this.right = before?.id
  }
}

/** Identifies a change among all changes between the same two sides. */
export const idOf = ({ what, name, pointer, code, about, side }: Change): string =>
  JSON.stringify([what, name, pointer, code, about ?? '', side ?? ''])

/** Characters of a value shown in a row. */
const SHORT = 30

/** The values before and after if both are short; otherwise ''. */
export const movedIn = ({ was, is, kind }: Change): string => {
  if (kind !== 'changed' || was === undefined || is === undefined) return ''
  const [before, after] = [was, is].map((value) => (typeof value === 'object' ? '' : JSON.stringify(value)))
  return before && after && before.length <= SHORT && after.length <= SHORT ? `${before} → ${after}` : ''
}

export const comparings = new Remembered((slot) => new Comparing(slot))
export type { Comparing }
