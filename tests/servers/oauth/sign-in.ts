/**
 * A minimal client of an authorization server, which the peers' self-tests sign in with. Uses oauth4webapi and none of
 * our code.
 */
import * as oauth from 'oauth4webapi'
import { signInHeadlessly, type Choice } from './consent.ts'
import { knownClients } from './names.ts'

export const insecure = { [oauth.allowInsecureRequests]: true }
export const REDIRECT = 'http://127.0.0.1:40123/callback'

/** oidc-provider's default endpoints; a separate test checks that the metadata agrees. */
export const serverAt = (issuer: string): oauth.AuthorizationServer => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/reg`,
  revocation_endpoint: `${issuer}/token/revocation`,
  jwks_uri: `${issuer}/jwks`,
  id_token_signing_alg_values_supported: ['ES256'],
  authorization_response_iss_parameter_supported: true,
})

export interface Flow {
  readonly server: oauth.AuthorizationServer
  readonly client?: oauth.Client
  readonly authentication?: oauth.ClientAuth
  readonly resource?: string
  readonly scope?: string
  readonly prompt?: string
  readonly choice?: Choice
  readonly DPoP?: oauth.DPoPHandle
}

/** A complete authorization code flow, including the checks of `state` and `iss`. */
export const signIn = async ({
  server,
  client = { client_id: knownClients.public.id },
  authentication = oauth.None(),
  resource,
  scope,
  prompt,
  choice,
  DPoP,
}: Flow) => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const asked = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(resource === undefined ? {} : { resource }),
    ...(scope === undefined ? {} : { scope }),
    ...(prompt === undefined ? {} : { prompt }),
  }
  const back = await signInHeadlessly(`${server.authorization_endpoint}?${new URLSearchParams(asked)}`, choice)
  const answer = oauth.validateAuthResponse(server, client, back, state)
  const additionalParameters: Record<string, string> = resource === undefined ? {} : { resource }
  const request = () =>
    oauth.authorizationCodeGrantRequest(server, client, authentication, answer, REDIRECT, verifier, {
      ...insecure,
      DPoP,
      additionalParameters,
    })
  const process = async () => oauth.processAuthorizationCodeResponse(server, client, await request())
  return process().catch((error: unknown) => {
    if (oauth.isDPoPNonceError(error)) return process()
    throw error
  })
}

export const refresh = async (server: oauth.AuthorizationServer, token: string | undefined, resource: string) => {
  const client = { client_id: knownClients.public.id }
  const additionalParameters = { resource }
  const options = { ...insecure, additionalParameters }
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token ?? '', options)
  return oauth.processRefreshTokenResponse(server, client, response)
}

export const register = (server: oauth.AuthorizationServer, metadata: object) =>
  fetch(server.registration_endpoint ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    }),
  })
