import { expect, test } from 'vitest'
import { optionsFor } from './sign-in.ts'

const serverUrl = 'http://localhost:3001/mcp'

test('what the suite hands over is what a user would type in: a client, an identity provider, the JWT of a workload', () => {
  const client = { client_id: 'id', client_secret: 'secret' }
  expect(optionsFor({ serverUrl, scenario: 'auth/pre-registration', context: client })).toEqual({
    client: { id: 'id', secret: 'secret' },
  })
  expect(
    optionsFor({
      serverUrl,
      scenario: 'auth/client-credentials-jwt',
      context: { client_id: 'id', private_key_pem: 'PEM', signing_algorithm: 'ES256' },
    }),
  ).toEqual({ grant: 'client-credentials', client: { id: 'id', privateKey: 'PEM', algorithm: 'ES256' } })
  expect(
    optionsFor({
      serverUrl,
      scenario: 'auth/enterprise-managed-authorization',
      context: {
        ...client,
        idp_client_id: 'at-the-idp',
        idp_id_token: 'ID token',
        idp_issuer: 'http://localhost:3002',
        idp_token_endpoint: 'http://localhost:3002/token',
      },
    }),
  ).toEqual({
    grant: 'enterprise',
    client: { id: 'id', secret: 'secret' },
    idp: { tokenEndpoint: 'http://localhost:3002/token', clientId: 'at-the-idp', idToken: 'ID token' },
  })
  expect(
    optionsFor({
      serverUrl,
      scenario: 'auth/wif-jwt-bearer',
      context: { client_id: 'id', valid_jwt: 'JWT', expired_jwt: 'other' },
    }),
  ).toEqual({ grant: 'workload', client: { id: 'id' }, assertion: 'JWT' })
})

test('where the suite hands nothing over, the rules decide everything', () => {
  expect(optionsFor({ serverUrl, scenario: 'auth/scope-step-up' })).toEqual({})
})
