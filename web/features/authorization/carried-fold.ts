/** The credentials that the last request carried, as evidence for what the settings claim (AU-GEN-02). */
import type { Fold, Link, Seq } from '../../mcp/index.ts'

interface Carried {
  /** The frame of the request. */
  readonly seq: Seq
  readonly url: string
  /** The value of `Authorization`, masked; absent if the request had no such header. */
  readonly authorization?: string
  /** Names of other headers whose values are secrets (AU-GEN-07). */
  readonly others: readonly string[]
}

const MASK = '••••'

export const carriedFold: Fold<Map<Link, Carried>> = {
  initial: () => new Map(),
  step(state, frame) {
    if (
      frame.kind !== 'http' ||
      frame.phase !== 'request' ||
      frame.purpose === 'authorization' ||
      frame.purpose === 'diagnosis'
    )
      return false
    const authorization = frame.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    const others = frame.headers
      .filter(([name, value]) => value.includes(MASK) && !/^(authorization|dpop)$/i.test(name))
      .map(([name]) => name)
    state.set(frame.link, {
      seq: frame.seq,
      url: frame.url,
      others,
      ...(authorization === undefined ? {} : { authorization }),
    })
  },
}
