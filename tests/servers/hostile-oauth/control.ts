/** The controls of a world, for tests in Node and in a page. */
import type { Endpoint, Logged, Secret } from './kind.ts'

interface Where extends Readonly<Record<Endpoint, string>> {
  /** Where the controls are. */
  readonly base: string
  readonly issuer: string
  /** The same world by the other origin: `<evil>/log`. */
  readonly evil: string
}

export interface WorldControl extends Where {
  log(): Promise<Logged[]>
  /** What the other origin got of this world. */
  evilLog(): Promise<Logged[]>
  secrets(): Promise<Secret[]>
  /** Ends all access tokens. */
  expire(): Promise<void>
  /** Forgets all about the world. */
  reset(): Promise<void>
}

/**
 * The world of a kind, for one test.
 *
 * @param url what the tests are given: the origin of all worlds
 * @param key letters, digits, `-` and `_`; not what stands below a world, such as `log` or `mcp`
 * @throws {Error} when there is no such kind
 */
export const worldOf = async (url: string, kind: string, key?: string): Promise<WorldControl> => {
  const response = await fetch(`${url}/${kind}${key === undefined ? '' : `/${key}`}/where`)
  if (!response.ok) throw new Error(`No kind ${kind}: ${await response.text()}`)
  const where = (await response.json()) as Where
  const read = async <Answer>(address: string): Promise<Answer> => (await (await fetch(address)).json()) as Answer
  return {
    ...where,
    log: () => read(`${where.base}/log`),
    evilLog: () => read(`${where.evil}/log`),
    secrets: () => read(`${where.base}/secrets`),
    expire: async () => void (await fetch(`${where.base}/expire`, { method: 'POST' })),
    reset: async () => void (await fetch(`${where.base}/log`, { method: 'DELETE' })),
  }
}
