/** The results of a step that the Trace may contain: facts, but no secrets. */
import type { JsonObject } from '../../mcp/index.ts'
import type { SignInState } from './sign-in-state.ts'
import type { KnownSecrets } from '../../secrets/capture.ts'
import { safeFacts } from './token-facts.ts'

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const

export const learnedFrom = (step: Partial<SignInState>, secrets: KnownSecrets): JsonObject => {
  const { refused, resourceMetadata, metadata, registration, tokens, returned, authorizationUrl } = step
  const facts: Record<string, JsonObject[string] | undefined> = {
    status: refused?.status,
    header: refused?.header,
    resourceMetadataUrl: step.resourceMetadataUrl,
    resource: step.resource ?? textOf(resourceMetadata?.resource),
    offered: step.offered?.slice(0, 20),
    byOrigin: step.byOrigin,
    issuer: step.issuer,
    metadataSource: step.metadataSource,
    endpoints: metadata && {
      ...Object.fromEntries(
        ENDPOINTS.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
      ),
    },
    clientId: registration?.clientId,
    clientSource: registration?.source,
    clientMethod: registration?.method,
    scope: step.scope,
    scopeSource: step.scopeSource,
    redirectUri: step.redirectUri,
    authorizationUrl: authorizationUrl === undefined ? undefined : secrets.url(authorizationUrl),
    returned: returned === undefined ? undefined : secrets.text(returned, 'application/x-www-form-urlencoded'),
    tokens: tokens && safeFacts(tokens),
  }
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** A copy with the secrets in its strings masked: a server may repeat anywhere what it was sent (SEC-15). */
export const masked = <Value>(value: Value, secrets: KnownSecrets): Value => {
  const without = (part: unknown): unknown => {
    if (typeof part === 'string') return secrets.text(part)
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(without)
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, without(one)]))
  }
  return without(value) as Value
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 1000) : undefined)

/** Registers these secrets, so that they are masked wherever they occur from now on. */
export const remember = (
  { codeVerifier, code, registration, tokens, assertion }: Partial<SignInState>,
  secrets: KnownSecrets,
): void => {
  for (const secret of [
    codeVerifier,
    code,
    assertion,
    registration?.clientSecret,
    registration?.privateKey,
    tokens?.accessToken,
    tokens?.refreshToken,
  ]) {
    if (secret !== undefined && secret !== '') secrets.know(secret)
  }
}
