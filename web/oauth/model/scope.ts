/** Chooses the scopes to request, and names the rule for it (AU-SCOPE-01 … AU-SCOPE-06). */
import type { SignInState, SignInOptions } from './sign-in-state.ts'
import type { Profile } from './profile.ts'

interface ScopeChoice {
  /** Absent: the parameter is omitted. */
  readonly scope?: string
  readonly source: NonNullable<SignInState['scopeSource']>
}

/** Keeps the order and removes duplicates. Limited in number, because servers may send very long lists. */
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

/** All scopes listed in the server's metadata. */
const listedScopes = (resourceMetadata: SignInState['resourceMetadata']): string => {
  const listed: unknown = resourceMetadata?.scopes_supported
  return Array.isArray(listed) ? listed.filter((one): one is string => typeof one === 'string').join(' ') : ''
}

/**
 * The scopes to register: all that the client may need later, because some servers don't let it request others and a
 * step-up requests more. Absent: no scopes are known.
 */
export const scopeToRegister = (wanted: string | undefined, { resourceMetadata }: SignInState): string | undefined =>
  wanted === undefined ? undefined : union(wanted, listedScopes(resourceMetadata))

/** @param registered the registered scopes; absent: unknown, so the client may request any scope */
export const mayAskFor = (registered: string | undefined, wanted: string | undefined): boolean =>
  registered === undefined || scopesOf(wanted).every((one) => scopesOf(registered).includes(one))

/** @param held scopes requested earlier, which a step-up must not lose */
export const chooseScope = (
  { refused, resourceMetadata, metadata }: SignInState,
  options: SignInOptions,
  profile: Profile,
  held?: string,
): ScopeChoice => {
  const challenged = refused?.challenge?.scope
  // Even if the user set the scopes: a step-up without the missing scope would be pointless.
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

/** AU-SCOPE-06: requests refresh tokens if the server advertises this scope for them. */
const withOffline = (
  choice: ScopeChoice,
  supported: unknown,
  { grant = 'authorization-code' }: SignInOptions,
  profile: Profile,
): ScopeChoice => {
  const offers = Array.isArray(supported) && supported.includes('offline_access')
  // If no scope is requested, the server grants its defaults; this scope alone would replace them.
  if (choice.scope === undefined) return choice
  if (!offers || grant !== 'authorization-code' || !profile.has('offlineAccess')) return choice
  return { ...choice, scope: union(choice.scope, 'offline_access') }
}
