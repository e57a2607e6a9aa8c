/** Chooses the scopes to request, and names the rule for it (AU-SCOPE-01 … AU-SCOPE-06). */
import type { SignInState, SignInOptions } from './sign-in-state.ts'
import type { Profile } from './profile.ts'

export interface ScopeChoice {
  /** Absent: the parameter is left out. */
  readonly scope?: string
  readonly source: NonNullable<SignInState['scopeSource']>
}

/** Order is kept; what stands twice stands once. Bounded: a scope list is no place for a novel. */
export const scopesOf = (scope: string | undefined): string[] =>
  [
    ...new Set(
      (scope ?? '')
        .slice(0, 20_000)
        .split(/\s+/)
        .filter((one) => one !== ''),
    ),
  ].slice(0, 500)

/** AU-SCOPE-04. */
export const union = (...scopes: readonly (string | undefined)[]): string => scopesOf(scopes.join(' ')).join(' ')

/** All that the server's metadata name. */
const listedScopes = (resourceMetadata: SignInState['resourceMetadata']): string => {
  const listed: unknown = resourceMetadata?.scopes_supported
  return Array.isArray(listed) ? listed.filter((one): one is string => typeof one === 'string').join(' ') : ''
}

/**
 * What a client is registered for: all that it may ask for one day, for some servers let it ask for nothing else, and a
 * step-up asks for more. Absent: nothing is known of scopes.
 */
export const scopeToRegister = (wanted: string | undefined, { resourceMetadata }: SignInState): string | undefined =>
  wanted === undefined ? undefined : union(wanted, listedScopes(resourceMetadata))

/** @param registered what a client is registered for; absent: nobody said, so it may ask for anything */
export const mayAskFor = (registered: string | undefined, wanted: string | undefined): boolean =>
  registered === undefined || scopesOf(wanted).every((one) => scopesOf(registered).includes(one))

/**
 * @param held what was asked for before: a step-up must not lose it
 */
export const chooseScope = (
  { refused, resourceMetadata, metadata }: SignInState,
  options: SignInOptions,
  profile: Profile,
  held?: string,
): ScopeChoice => {
  const challenged = refused?.challenge?.scope
  // By hand or by rule: a step-up that did not ask for what is missing would be for nothing.
  if (held !== undefined && options.scope !== undefined) {
    return { scope: union(held, options.scope, challenged), source: 'union' }
  }
  if (options.scope !== undefined) {
    return options.scope.trim() === '' ? { source: 'given' } : { scope: union(options.scope), source: 'given' }
  }
  if (!profile.has('scopeByRule')) return { source: 'none' }
  const all = listedScopes(resourceMetadata)
  const first: ScopeChoice =
    challenged !== undefined && challenged.trim() !== ''
      ? { scope: union(challenged), source: 'challenge' }
      : all.trim() !== ''
        ? { scope: union(all), source: 'resource-metadata' }
        : { source: 'none' }
  const withHeld: ScopeChoice =
    held !== undefined && held.trim() !== '' && profile.has('unionOfScopes')
      ? { scope: union(held, first.scope), source: 'union' }
      : first
  return withOffline(withHeld, metadata?.scopes_supported, options, profile)
}

/** AU-SCOPE-06: refresh tokens are wanted; a server that hands them out for this scope says so. */
const withOffline = (
  choice: ScopeChoice,
  supported: unknown,
  { grant = 'authorization-code' }: SignInOptions,
  profile: Profile,
): ScopeChoice => {
  const offers = Array.isArray(supported) && supported.includes('offline_access')
  // Asked for alone it would take the place of the scopes that a server grants when none are asked for.
  if (choice.scope === undefined) return choice
  if (!offers || grant !== 'authorization-code' || !profile.has('offlineAccess')) return choice
  return { ...choice, scope: union(choice.scope, 'offline_access') }
}
