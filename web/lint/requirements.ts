/**
 * The specification's requirements for clients and servers as data: one row per rule, in `requirements.json`.
 *
 * The lint cites rules by ID, tests cover IDs (`tests/requirements.ts`), and the page explains them. The file is loaded
 * on demand: it is larger than the first screen.
 */
import { type FindingOrAdvice, type Revision, REVISIONS } from '../mcp/index.ts'

/**
 * `none`: a consequence of running in a browser, not a rule of the specification. `advice`: about user safety; not
 * required by any specification, so never a violation.
 */
export type Keyword = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY' | 'none' | 'advice'

/**
 * M: MUST or MUST NOT. S: SHOULD or SHOULD NOT. Y: MAY. I: no keyword, but required by the schema or by plain logic.
 */
export type Weight = 'M' | 'S' | 'Y' | 'I'

/** C: the client. H: the host, meaning the user interface. S: the server, which we only observe. */
export type Duty = 'C' | 'H' | 'S'

export interface Requirement {
  /** Stable, for example `BP-07`. */
  readonly id: string
  /** Number and title of its section in the list. */
  readonly section: string
  /** The strongest keyword in the newest protocol version that has the rule. */
  readonly keyword: Keyword
  readonly by: Duty
  /** The protocol versions that have the rule, each with its level. */
  readonly revisions: { readonly [R in Revision]?: Weight }
  /** The rule in our own words. May contain `code` in backticks. */
  readonly statement: string
  /** Its source: a path below the specification's URL, or another origin (`docs/`, `seps/`, `ext-apps:`, `derived`). */
  readonly source: string
  /** What an inspector shows for it. */
  readonly show: string
}

/** All requirements, in the order of the list. */
export const loadRequirements = async (): Promise<readonly Requirement[]> =>
  (await import('./requirements.json')).default as readonly Requirement[]

const SPECIFICATION = 'https://modelcontextprotocol.io/specification/'

/** URL of the page that a requirement comes from; `undefined` if the source isn't a page of the specification. */
export const specificationUrl = (source: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}\/[a-z0-9/_-]+$/.test(source) ? SPECIFICATION + source.replace(/\/index$/, '') : undefined

export type Level = FindingOrAdvice['keyword']

export interface Levels {
  /** @returns `undefined` if the protocol version doesn't have the rule, or the rule isn't in the list */
  (rule: string, revision: Revision | undefined): Level | undefined
  has(rule: string): boolean
}

/** Without a known protocol version, only rules common to all versions apply, at their mildest level. */
export const levelsOf = (requirements: readonly Requirement[]): Levels => {
  const rows = new Map(requirements.map((row) => [row.id, row]))
  const level = (rule: string, revision: Revision | undefined): Level | undefined => {
    const row = rows.get(rule)
    if (!row) return undefined
    if (revision !== undefined) return row.revisions[revision] && levelOf(row, row.revisions[revision])
    const levels = REVISIONS.map((each) => row.revisions[each] && levelOf(row, row.revisions[each]))
    return levels.includes(undefined) ? undefined : ORDER.find((level) => levels.includes(level))
  }
  return Object.assign(level, { has: (rule: string) => rows.has(rule) })
}

/**
 * The level of what a server does, for rows whose level is that of their other half: what a client does about it.
 */
const OF_SERVERS: Readonly<Record<string, Level>> = {
  // RFC 6749 section 4.1.2 requires servers to return the state that they got.
  'AU-FLOW-06': 'MUST',
  // Registration is optional, but its responses have the form of RFC 7591 section 3.2.
  'AU-REG-06': 'MUST',
  // Only the format of the schema forbids it, which few check.
  'SF-RES-12': 'SHOULD',
  // Receiving notifications is optional; each has the full task.
  'TEXT-13': 'MUST',
  // Several streams are optional; each message travels on one.
  'TR-HTTP-18': 'MUST',
  // A server may have to end a stream early.
  'TR-HTTP-24': 'SHOULD',
  // Both survive races; a cancellation that came too late is ignored.
  'UT-CANC-04': 'SHOULD',
}

const ORDER: readonly Level[] = ['ADVICE', 'MAY', 'SHOULD', 'MUST']

export const isStricter = (one: Level, other: Level): boolean => ORDER.indexOf(one) > ORDER.indexOf(other)

const levelOf = ({ id, keyword }: Requirement, weight: Weight): Level => {
  if (Object.hasOwn(OF_SERVERS, id)) return OF_SERVERS[id]!
  if (keyword === 'advice') return 'ADVICE'
  if (weight === 'M') return 'MUST'
  if (weight === 'S') return 'SHOULD'
  if (weight === 'Y') return 'MAY'
  // The rule has no keyword there, but the schema or plain logic requires it: use the level of the newest version.
  return keyword.startsWith('MUST') ? 'MUST' : keyword.startsWith('SHOULD') ? 'SHOULD' : 'MAY'
}
