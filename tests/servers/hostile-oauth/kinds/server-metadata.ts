/** Authorization server metadata: RFC 8414, OpenID Connect Discovery, and the PKCE methods it advertises. */
import { html, raw, redirect, refusal, text } from '../answers.ts'
import { serverMetadata as wellDocument } from '../authorization-server.ts'
import {
  addresses,
  body,
  callback,
  members,
  orStops,
  orWorks,
  stops,
  works,
  type Hook,
  type Json,
  type Kind,
  type Kinds,
} from '../kind.ts'

const document = (says: string, change: Parameters<typeof members>[0], rules = ['RFC 8414 §2']): Kind =>
  stops(says, 'server-metadata', rules, { on: { 'server-metadata': members(change) } })

/** A different `issuer`; the authorization response has the correct one. */
const issuer = (says: string, change: (right: string) => Json | undefined): Kind =>
  document(says, ({ world }) => ({ issuer: change(addresses(world).issuer) }), ['AU-ASM-06', 'RFC 8414 §3.3'])

/** A different URL for an endpoint, which must not receive any request. */
const endpoint = (
  says: string,
  name: 'authorization' | 'token' | 'registration',
  address: string | ((right: string) => string),
  rules = ['AU-ASM-07', 'SEC-04'],
): Kind => ({
  ...document(
    says,
    ({ world }) => {
      const { authorize, token, register } = addresses(world)
      const right = { authorization: authorize, token, registration: register }[name]
      return { [`${name}_endpoint`]: typeof address === 'string' ? address : address(right) }
    },
    rules,
  ),
  tolerated: {
    why: 'It is found where it would be used',
    ends: [
      { outcome: 'stopped', step: name },
      ...(name === 'authorization' ? ([{ outcome: 'stopped', step: 'preparation' }] as const) : []),
    ],
  },
})

const pkce = (says: string, methods: Json | undefined, rules: string[]): Kind =>
  stops(says, 'preparation', rules, {
    on: { 'server-metadata': members({ code_challenge_methods_supported: methods }) },
    tolerated: { why: 'It is read with the metadata', ends: [{ outcome: 'stopped', step: 'server-metadata' }] },
  })

/** At the first place this hook, at all others the document. */
const atFirst =
  (hook: Hook): Hook =>
  (exchange, well) =>
    exchange.place === 'oauth' ? hook(exchange, well) : well()

export const serverMetadata: Kinds = {
  'asm-missing': stops('404 at all three places', 'server-metadata', ['AU-ASM-01'], { places: { serverMetadata: [] } }),
  'asm-page-everywhere': stops(
    'A page with status 200 at all three places',
    'server-metadata',
    ['AU-ASM-01', 'RFC 8414 §3.2'],
    {
      places: { serverMetadata: ['oauth', 'oidc-inserted', 'oidc-appended'] },
      on: { 'server-metadata': html() },
    },
  ),
  'asm-page-first': works('A page with status 200 at the first place, the document at the second', ['AU-ASM-03'], {
    places: { serverMetadata: ['oauth', 'oidc-inserted'] },
    on: { 'server-metadata': atFirst(html()) },
    ...orStops('Status 200 is no reason to look further', 'server-metadata'),
  }),
  'asm-500-first': works('500 at the first place, the document at the second', ['AU-ASM-03'], {
    places: { serverMetadata: ['oauth', 'oidc-inserted'] },
    on: { 'server-metadata': atFirst(text(500, 'stack overflow in line 7')) },
    ...orStops('The right document may be ill', 'server-metadata'),
  }),
  'asm-wrong-first': stops(
    'A wrong issuer at the first place, the right one at the second',
    'server-metadata',
    ['AU-ASM-06'],
    {
      places: { serverMetadata: ['oauth', 'oidc-inserted'] },
      on: { 'server-metadata': atFirst(members({ issuer: 'https://honest.example' })) },
      ...orWorks('The document must not be used; the next may'),
    },
  ),
  'asm-redirect': stops('302 to where the document is, at the same origin', 'server-metadata', ['SEC-10'], {
    on: { 'server-metadata': redirect(302, 'own') },
    ...orWorks('The same origin answers'),
  }),
  'asm-redirect-evil': stops('302 to the document of another origin', 'server-metadata', ['AU-ASM-06', 'SEC-10'], {
    on: { 'server-metadata': redirect(302, 'evil') },
  }),

  'asm-issuer-other': issuer('issuer is another host', () => 'https://honest.example'),
  'asm-issuer-evil': stops('The whole document of another origin', 'server-metadata', ['AU-ASM-06', 'RFC 8414 §3.3'], {
    on: { 'server-metadata': body((_, exchange) => wellDocument({ ...exchange, door: 'evil' })) },
  }),
  'asm-issuer-missing': issuer('issuer is missing', () => undefined),
  'asm-issuer-list': issuer('issuer is a list of the right one', (right) => [right]),
  'asm-issuer-slash': issuer('issuer has a slash at the end more', (right) => `${right}/`),
  'asm-issuer-case': issuer('issuer has its scheme in capitals', (right) => right.replace('http', 'HTTP')),
  'asm-issuer-percent': issuer('issuer has a letter percent-encoded', (right) => right.replace(/as$/, '%61s')),
  'asm-issuer-port': issuer('issuer has a zero before its port', (right) => right.replace(/:(\d+)/, ':0$1')),
  'asm-issuer-dots': issuer('issuer has a detour in its path', (right) => right.replace(/as$/, 'x/../as')),
  'asm-issuer-query': issuer('issuer has a query', (right) => `${right}?x=1`),
  'asm-issuer-space': issuer('issuer has a space at the end', (right) => `${right} `),

  'asm-authorize-javascript': endpoint(
    'authorization_endpoint is a javascript: URL',
    'authorization',
    'javascript:alert(1)',
    ['AU-FLOW-12', 'SEC-04'],
  ),
  'asm-authorize-javascript-odd': endpoint(
    'authorization_endpoint is a javascript: URL behind control characters',
    'authorization',
    '\u0001 java\nscript:alert(1)//',
    ['AU-FLOW-12', 'SEC-04'],
  ),
  'asm-authorize-data': endpoint(
    'authorization_endpoint is a data: URL',
    'authorization',
    'data:text/html,<script>alert(1)</script>',
    ['AU-FLOW-12', 'SEC-04'],
  ),
  'asm-authorize-file': endpoint('authorization_endpoint is a file: URL', 'authorization', 'file:///etc/passwd', [
    'AU-FLOW-12',
    'SEC-04',
  ]),
  'asm-authorize-vbscript': endpoint(
    'authorization_endpoint is a vbscript: URL',
    'authorization',
    'vbscript:msgbox(1)',
    ['AU-FLOW-12', 'SEC-04'],
  ),
  'asm-authorize-scheme': endpoint('authorization_endpoint opens another program', 'authorization', 'ms-word:ofe|u|x', [
    'AU-FLOW-12',
    'SEC-04',
  ]),
  'asm-authorize-http': endpoint(
    'authorization_endpoint is http, not on loopback',
    'authorization',
    'http://as.evil.example/authorize',
  ),
  'asm-authorize-relative': endpoint(
    'authorization_endpoint is a path',
    'authorization',
    (right) => new URL(right).pathname,
  ),
  'asm-authorize-fragment': {
    ...endpoint('authorization_endpoint has a fragment', 'authorization', (right) => `${right}#x`, ['RFC 6749 §3.1']),
    ...orWorks('Without it nothing is wrong with the address'),
  },
  'asm-authorize-missing': document('authorization_endpoint is missing', { authorization_endpoint: undefined }),
  'asm-authorize-number': document('authorization_endpoint is a number', { authorization_endpoint: 443 }),
  'asm-token-javascript': endpoint('token_endpoint is a javascript: URL', 'token', 'javascript:alert(1)'),
  'asm-token-data': endpoint(
    'token_endpoint is a data: URL that holds a token',
    'token',
    'data:application/json,{"access_token":"x","token_type":"Bearer"}',
  ),
  'asm-token-http': endpoint('token_endpoint is http, not on loopback', 'token', 'http://as.evil.example/token'),
  'asm-token-user': endpoint('token_endpoint holds a user and a password', 'token', (right) => {
    return right.replace('http://', 'http://user:password@')
  }),
  'asm-token-missing': document('token_endpoint is missing', { token_endpoint: undefined }),
  'asm-register-http': endpoint(
    'registration_endpoint is http, not on loopback',
    'registration',
    'http://as.evil.example/register',
  ),
  'asm-register-file': endpoint('registration_endpoint is a file: URL', 'registration', 'file:///etc/passwd'),
  'asm-register-number': stops('registration_endpoint is a number', 'registration', ['RFC 8414 §2'], {
    on: { 'server-metadata': members({ registration_endpoint: 1 }) },
    tolerated: { why: 'The document itself is wrong', ends: [{ outcome: 'stopped', step: 'server-metadata' }] },
  }),
  'asm-no-code': stops('response_types_supported has no code', 'server-metadata', ['RFC 8414 §2'], {
    on: {
      'server-metadata': members({ response_types_supported: ['token', 'id_token'] }),
      authorize: callback((parameters) => {
        parameters.delete('code')
        parameters.set('error', 'unsupported_response_type')
      }),
    },
    tolerated: {
      why: 'It is found later, or the server says so',
      ends: [
        { outcome: 'stopped', step: 'preparation' },
        { outcome: 'stopped', step: 'callback' },
      ],
    },
  }),
  'asm-no-code-grant': stops('grant_types_supported has no authorization_code', 'server-metadata', ['RFC 8414 §2'], {
    on: {
      'server-metadata': members({ grant_types_supported: ['client_credentials'] }),
      token: refusal('unsupported_grant_type'),
    },
    tolerated: {
      why: 'It is found later, or the server says so',
      ends: [
        { outcome: 'stopped', step: 'preparation' },
        { outcome: 'stopped', step: 'token' },
      ],
    },
  }),
  'asm-pushed-only': stops('require_pushed_authorization_requests is true', 'callback', ['RFC 9126 §5'], {
    on: {
      'server-metadata': members({
        require_pushed_authorization_requests: true,
        pushed_authorization_request_endpoint: 'http://127.0.0.1:9/par',
      }),
      authorize: callback((parameters) => {
        parameters.delete('code')
        parameters.set('error', 'invalid_request')
        parameters.set('error_description', 'Push it first')
      }),
    },
    tolerated: {
      why: 'It can be known before',
      ends: [
        { outcome: 'stopped', step: 'preparation' },
        { outcome: 'stopped', step: 'server-metadata' },
      ],
    },
  }),
  'asm-client-document-only': stops(
    'Takes client id metadata documents, and nothing else: a copy on loopback has none',
    'registration',
    ['AU-REG-01', 'BR-10'],
    {
      on: {
        'server-metadata': members({ client_id_metadata_document_supported: true, registration_endpoint: undefined }),
      },
      ...orWorks('When the client by-hand is entered'),
    },
  ),
  'asm-mtls-aliases': works('mtls_endpoint_aliases lead to another origin', ['RFC 8705 §5'], {
    on: {
      'server-metadata': members(({ world }) => {
        const { token, revoke, register } = addresses(world, 'evil')
        return {
          mtls_endpoint_aliases: {
            token_endpoint: token,
            revocation_endpoint: revoke,
            registration_endpoint: register,
          },
        }
      }),
    },
  }),
  'asm-proto': stops(
    'What is missing stands in a member __proto__, and leads to another origin',
    'server-metadata',
    ['RFC 8414 §2'],
    {
      on: {
        'server-metadata': raw(({ body }, { world }) => {
          const { token, authorize } = addresses(world, 'evil')
          const { token_endpoint: _, ...rest } = body as { [key: string]: Json }
          const proto = JSON.stringify({ token_endpoint: token, authorization_endpoint: authorize })
          return JSON.stringify(rest).replace(/^\{/, `{"__proto__":${proto},`)
        }),
      },
    },
  ),
  'asm-null': stops('The document is null', 'server-metadata', ['RFC 8414 §3.2'], {
    on: { 'server-metadata': raw(() => 'null') },
  }),
  'asm-links': works('Pages of the server that are addresses of other kinds', ['SEC-03'], {
    on: {
      'server-metadata': members({
        service_documentation: 'javascript:alert(1)',
        op_policy_uri: 'data:text/html,<script>1</script>',
        op_tos_uri: 'file:///etc/passwd',
      }),
    },
  }),

  'pkce-missing': pkce('code_challenge_methods_supported is missing', undefined, ['AU-FLOW-03']),
  'pkce-empty': pkce('code_challenge_methods_supported is empty', [], ['AU-FLOW-03']),
  'pkce-plain': pkce('PKCE with plain alone', ['plain'], ['AU-FLOW-02']),
  'pkce-case': pkce('PKCE with s256, which is not S256', ['s256'], ['AU-FLOW-02']),
  'pkce-string': pkce('code_challenge_methods_supported is a string', 'S256', ['AU-FLOW-03']),
}
