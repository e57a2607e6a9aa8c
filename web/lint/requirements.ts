/**
 * What the specification asks of clients and servers, as data: one row per rule, in `requirements.json`.
 *
 * Lint names a rule by its id, tests prove ids (`tests/requirements.ts`), and the page explains them. The file is
 * loaded when it is needed: it is larger than the first screen.
 */
import type { Revision } from '../mcp/index.ts'

/**
 * `none`: a consequence of running in a browser, not a rule of the specification. `advice`: about the safety of users; no
 * specification asks for it, so nobody violates it.
 */
export type Keyword = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY' | 'none' | 'advice'

/** M: MUST or MUST NOT. S: SHOULD or SHOULD NOT. Y: MAY. I: no keyword, but needed by the schema or by plain logic. */
export type Weight = 'M' | 'S' | 'Y' | 'I'

/** C: the client. H: the host, that is the user interface. S: the server, whom we only observe. */
export type Duty = 'C' | 'H' | 'S'

export interface Requirement {
  /** Stable, for example `BP-07`. */
  readonly id: string
  /** Number and title of its section in the list. */
  readonly section: string
  /** The strongest keyword in the newest revision that has the rule. */
  readonly keyword: Keyword
  readonly by: Duty
  /** The revisions that have the rule, and how strongly each asks. */
  readonly revisions: { readonly [R in Revision]?: Weight }
  /** The rule in our words. May hold `code` in backticks. */
  readonly statement: string
  /** Where it stands: a path below the specification's address, or another origin (`docs/`, `seps/`, `ext-apps:`, `derived`). */
  readonly source: string
  /** What an inspector shows of it. */
  readonly show: string
}

/** All requirements, in the order of the list. */
export const loadRequirements = async (): Promise<readonly Requirement[]> =>
  (await import('./requirements.json')).default as readonly Requirement[]

const SPECIFICATION = 'https://modelcontextprotocol.io/specification/'

/** Address of the page a requirement comes from; `undefined` where the source is no page of the specification. */
export const specificationUrl = (source: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}\/[a-z0-9/_-]+$/.test(source) ? SPECIFICATION + source.replace(/\/index$/, '') : undefined
