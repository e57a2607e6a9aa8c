/** Scopes side by side: asked for and granted (AU-SCOPE-08), held and wanted (AU-SCOPE-02 … AU-SCOPE-04). */
import { scopesOf, union } from '../../oauth/index.ts'

export interface ScopeRow {
  readonly scope: string
  /** `extra`: granted though nobody asked. */
  readonly standing: 'granted' | 'missing' | 'extra'
}

/**
 * @param requested absent: nothing was asked for, the server chose
 * @param granted absent: nobody told, which leaves every scope open
 */
export const scopeRows = (requested: string | undefined, granted: string | undefined): readonly ScopeRow[] => {
  const asked = scopesOf(requested)
  const given = scopesOf(granted)
  return [
    ...asked.map((scope): ScopeRow => ({ scope, standing: given.includes(scope) ? 'granted' : 'missing' })),
    ...given
      .filter((scope) => !asked.includes(scope))
      .map((scope): ScopeRow => ({ scope, standing: requested === undefined ? 'granted' : 'extra' })),
  ]
}

export interface StepUpScopes {
  /** What the tokens grant, or were asked for with. */
  readonly held: readonly string[]
  /** What the challenge names and is not held. */
  readonly missing: readonly string[]
  /** What a sign-in for it would ask for. */
  readonly asked: readonly string[]
}

/**
 * @param wanted the scopes of the challenge; absent: it named none, or the page may not see it
 * @param asked what the rules make of both (AU-SCOPE-04); absent: no parameter
 */
export const stepUpScopes = (
  granted: string | undefined,
  wanted: string | undefined,
  asked: string | undefined,
): StepUpScopes => {
  const held = scopesOf(granted)
  return {
    held,
    missing: scopesOf(wanted).filter((scope) => !held.includes(scope)),
    asked: scopesOf(union(asked)),
  }
}
