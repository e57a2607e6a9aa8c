/**
 * When a connection asks before it calls a tool: a function of the user's policy, the tool's annotations as listed, and
 * what the user approved before. It knows neither storage nor screens, so that its whole matrix can be tested.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool (SF-TOOL-05, SF-TOOL-06)
 */
import { isObject, type Json } from '../../mcp/index.ts'

/**
 * `always`: before every call. `unless-read-only`: unless the tool declares that it only reads. `destructive`: unless
 * the tool declares that it only reads, or destroys nothing. `never`: not at all.
 */
export const POLICIES = ['always', 'unless-read-only', 'destructive', 'never'] as const
export type ToolPolicy = (typeof POLICIES)[number]

export const isToolPolicy = (value: unknown): value is ToolPolicy => (POLICIES as readonly unknown[]).includes(value)

/**
 * What a server says of a tool, as far as it matters here. `harmless`: it changes something but destroys nothing.
 * `contradictory`: it claims both to only read and to destroy, or is listed twice with different claims.
 * `undeclared`: no such annotation. The specification's default is then destructive. `unlisted`: no tool of that name.
 */
export type ToolClaim = 'read-only' | 'harmless' | 'destructive' | 'contradictory' | 'undeclared' | 'unlisted'

/** Whether the user approved the tool before, and whether its definition is still the approved one. */
export type Approval = 'none' | 'same' | 'changed'

/** Why the user is asked. A change comes first, because it concerns what the user approved. */
export type AskReason = 'changed' | 'every-call' | Exclude<ToolClaim, 'read-only'>

export type Verdict =
  | { readonly ask: false; readonly by: 'policy' | 'approved' }
  | { readonly ask: true; readonly why: AskReason }

const CALM: Readonly<Record<Exclude<ToolPolicy, 'always'>, readonly ToolClaim[]>> = {
  'unless-read-only': ['read-only'],
  destructive: ['read-only', 'harmless'],
  never: ['read-only', 'harmless', 'destructive', 'contradictory', 'undeclared', 'unlisted'],
}

/**
 * An approval is of a definition: once that changed, every policy asks. `always` asks whatever was approved.
 * A tool that is no longer listed can't be compared with what was approved, so its approval doesn't count.
 */
export const verdictOf = (policy: ToolPolicy, claim: ToolClaim, approval: Approval): Verdict => {
  if (claim !== 'unlisted' && approval === 'changed') return { ask: true, why: 'changed' }
  if (policy === 'always') return { ask: true, why: 'every-call' }
  if (CALM[policy].includes(claim)) return { ask: false, by: 'policy' }
  if (claim !== 'unlisted' && approval === 'same') return { ask: false, by: 'approved' }
  // Calm in every policy, so it never gets here.
  return { ask: true, why: claim as Exclude<ToolClaim, 'read-only'> }
}

/** @param listed the definitions with the tool's name; a list should contain one, but servers repeat names */
export const claimOf = (listed: readonly Json[]): ToolClaim => {
  const claims = new Set(listed.map(claimIn))
  const [only] = claims
  if (only === undefined) return 'unlisted'
  return claims.size > 1 ? 'contradictory' : only
}

/** Only booleans count: a hint of another type declares nothing. */
const claimIn = (tool: Json): ToolClaim => {
  const annotations = isObject(tool) && isObject(tool.annotations) ? tool.annotations : {}
  const { readOnlyHint: readsOnly, destructiveHint: destroys } = annotations
  if (readsOnly === true) return destroys === true ? 'contradictory' : 'read-only'
  if (destroys === true) return 'destructive'
  return destroys === false ? 'harmless' : 'undeclared'
}
