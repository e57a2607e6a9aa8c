/** Dynamic client registration: RFC 7591, and application_type by OpenID Connect. */
import { html, json, NASTY, redirect, refusal, text } from '../answers.ts'
import { chain, members, orStops, orWorks, stops, works, type Hook, type Json, type Kind, type Kinds } from '../kind.ts'
import { withSecret } from './well.ts'

const refused = (says: string, hook: Hook, rules = ['RFC 7591 §3.2.2']): Kind =>
  stops(says, 'registration', rules, { on: { register: hook } })

const answered = (says: string, change: { readonly [name: string]: Json | undefined }, rules = ['RFC 7591 §3.2.1']) =>
  refused(says, members(change), rules)

/** Rejects redirect URIs unless `application_type` has this value. */
const unlessType =
  (type: 'native' | 'web'): Hook =>
  (exchange, well) => {
    const asked = JSON.parse(exchange.body) as { application_type?: string }
    // An omitted type means web: OpenID Connect Dynamic Client Registration section 2.
    if ((asked.application_type ?? 'web') === type) return well()
    const error_description = `This redirect_uri is only for application_type ${type}`
    return refusal('invalid_redirect_uri', { error_description })(exchange, well)
  }

export const registration: Kinds = {
  'register-200': works('200 in place of 201', ['RFC 7591 §3.2.1'], {
    on: { register: async (_, well) => ({ ...(await well()), status: 200 }) },
    ...orStops('RFC 7591 wants 201', 'registration'),
  }),
  'register-202': works('202 in place of 201', ['RFC 7591 §3.2.1'], {
    on: { register: async (_, well) => ({ ...(await well()), status: 202 }) },
    ...orStops('RFC 7591 wants 201', 'registration'),
  }),
  'register-no-client-id': answered('client_id is missing', { client_id: undefined }),
  'register-client-id-empty': answered('client_id is the empty string', { client_id: '' }),
  'register-client-id-number': answered('client_id is a number', { client_id: 1234567890123456 }),
  'register-client-id-null': answered('client_id is null', { client_id: null }),
  'register-client-id-object': answered('client_id is an object', { client_id: { id: 'x' } }),
  'register-error-201': refused('201 with an error', json(201, { error: 'invalid_client_metadata' })),
  'register-no-uris': works('redirect_uris is not said again', ['AU-REG-10'], {
    on: { register: members({ redirect_uris: undefined }) },
  }),
  'register-other-uri': answered(
    'Another redirect URI was registered',
    { redirect_uris: ['https://evil.example/callback'] },
    ['AU-REG-10'],
  ),
  'register-more-uris': works('One redirect URI more was registered', ['AU-REG-10'], {
    on: {
      register: async (exchange, well) => {
        const asked = JSON.parse(exchange.body) as { redirect_uris?: string[] }
        return members({ redirect_uris: [...(asked.redirect_uris ?? []), 'https://evil.example/callback'] })(
          exchange,
          well,
        )
      },
    },
    ...orStops('It was not asked for', 'registration'),
  }),
  'register-other-name': works('All else that was registered is other than what was asked', ['RFC 7591 §3.2.1'], {
    on: {
      register: members({
        client_name: NASTY,
        client_uri: 'javascript:alert(1)',
        logo_uri: 'data:image/svg+xml,<svg onload="alert(1)"/>',
        scope: 'admin',
        contacts: 'x',
      }),
    },
  }),
  'register-method-unknown': refused(
    'The client must prove itself in a way nobody knows',
    withSecret('tls_client_auth'),
    ['AU-FLOW-13'],
  ),
  'register-method-key': refused(
    'The client must prove itself by private_key_jwt, and has no key',
    chain(withSecret('private_key_jwt'), members({ client_secret: undefined })),
    ['AU-FLOW-13'],
  ),
  'register-secret-missing': refused(
    'The client must prove itself by client_secret_basic, and gets no secret',
    chain(withSecret('client_secret_basic'), members({ client_secret: undefined })),
    ['AU-FLOW-13'],
  ),
  'register-secret-number': refused(
    'client_secret is a number',
    members({ client_secret: 42, token_endpoint_auth_method: 'client_secret_basic' }),
    ['RFC 7591 §3.2.1', 'AU-FLOW-13'],
  ),
  'register-native': works('Takes a redirect URI on loopback from native clients alone', ['AU-REG-07', 'AU-REG-08'], {
    on: { register: unlessType('native') },
  }),
  'register-web': stops('Takes redirect URIs from web clients alone', 'registration', ['AU-REG-08'], {
    on: { register: unlessType('web') },
    ...orWorks('When it is tried again with the other application_type'),
  }),
  'register-no-loopback': refused(
    'Takes no redirect URI on loopback',
    refusal('invalid_redirect_uri', { error_description: 'Only https' }),
    ['AU-REG-08'],
  ),
  'register-metadata': refused('400 with invalid_client_metadata', refusal('invalid_client_metadata')),
  'register-nasty': refused(
    '400 with words that are no words',
    refusal('invalid_client_metadata', { error_description: NASTY }),
  ),
  'register-401': refused(
    '401: registration itself wants a token',
    json(401, { error: 'invalid_token' }, { 'WWW-Authenticate': 'Bearer' }),
  ),
  'register-403': refused('403 with a page', html(403)),
  'register-404': refused('404 where the metadata leads', text(404, 'Not found')),
  'register-429': refused('429 with Retry-After: 3600', text(429, 'Slow down', { 'Retry-After': '3600' })),
  'register-500': refused('500 with plain text', text(500, 'stack overflow in line 7')),
  'register-redirect': refused('307 to another origin', redirect(307, 'evil'), ['SEC-10']),
}
