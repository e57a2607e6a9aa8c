/** The controls of a world, for tests in Node and in a page. */
import type { Endpoint, Logged, Secret } from './kind.ts'

interface Where extends Readonly<Record<Endpoint, string>> {
  /** The URL of the controls. */
  readonly base: string
  readonly issuer: string
  /** The same world on the other origin: `<evil>/log`. */
  readonly evil: string
}

export interface WorldControl extends Where {
  log(): Promise<Logged[]>
  /** What the other origin received for this world. */
  evilLog(): Promise<Logged[]>
  secrets(): Promise<Secret[]>
  /** Expires all access tokens. */
  expire(): Promise<void>
  /** Clears the world's state. */
  reset(): Promise<void>
}

/**
 * The world of a kind, for one test.
 *
 * @param url the URL given to the tests: the origin of all worlds
 * @param key letters, digits, `-` and `_`; not a path below a world, such as `log` or `mcp`
 * @throws {Error} for an unknown kind
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
