/** Protected resource metadata: RFC 9728. */
import { html, json, raw, redirect, text } from '../answers.ts'
import {
  addresses,
  asOlder,
  challenge,
  members,
  orStops,
  orWorks,
  stops,
  works,
  type Exchange,
  type Json,
  type Kind,
  type Kinds,
  type Reply,
} from '../kind.ts'
import { unscoped } from './well.ts'

/** A different `resource`. The authorization server accepts it, so a client that doesn't check succeeds. */
const resource = (says: string, other: (mcp: string) => string, tolerated: Pick<Kind, 'tolerated'> = {}): Kind =>
  stops(says, 'resource-metadata', ['AU-PRM-05', 'RFC 9728 §3.3'], { resource: other, ...tolerated })

const document = (says: string, change: Parameters<typeof members>[0], rules = ['RFC 9728 §2']): Kind =>
  stops(says, 'resource-metadata', rules, { on: { 'resource-metadata': members(change) } })

const NO_RESOURCE = ['RFC 9728 §2', 'AU-PRM-05']

/** The content of `authorization_servers`. */
const servers = (says: string, value: Json | undefined, rules = ['AU-PRM-06']): Kind =>
  stops(says, 'authorization-server', rules, {
    on: { 'resource-metadata': members({ authorization_servers: value }) },
    tolerated: {
      why: 'The document itself is wrong',
      ends: [{ outcome: 'stopped', step: 'resource-metadata' }],
    },
  })

const withText = (says: string, change: (well: Reply, exchange: Exchange) => string, rules = ['RFC 9728 §3.2']): Kind =>
  stops(says, 'resource-metadata', rules, { on: { 'resource-metadata': raw(change) } })

export const resourceMetadata: Kinds = {
  'prm-missing': stops('No metadata anywhere, and a challenge without parameters', 'resource-metadata', ['AU-PRM-04'], {
    places: { resourceMetadata: 'none' },
    on: { mcp: challenge(() => 'Bearer') },
    ...asOlder,
  }),
  'prm-named-missing': stops('404 where the challenge leads', 'resource-metadata', ['AU-PRM-02'], {
    places: { resourceMetadata: 'none' },
  }),
  'prm-page-404': stops('404 with a page where the challenge leads', 'resource-metadata', ['AU-PRM-02'], {
    on: { 'resource-metadata': html(404) },
  }),
  'prm-500': stops('500 with plain text', 'resource-metadata', ['AU-PRM-01'], {
    on: { 'resource-metadata': text(500, 'stack overflow in line 7') },
  }),
  'prm-401': stops('401: the metadata itself wants a token', 'resource-metadata', ['AU-PRM-01'], {
    on: { 'resource-metadata': json(401, { error: 'unauthorized' }, { 'WWW-Authenticate': 'Bearer' }) },
  }),
  'prm-204': stops('204, and no body', 'resource-metadata', ['RFC 9728 §3.2'], {
    on: { 'resource-metadata': () => ({ status: 204 }) },
  }),
  'prm-redirect': stops('302 to where the document is, at the same origin', 'resource-metadata', ['SEC-10'], {
    on: { 'resource-metadata': redirect(302, 'own') },
    ...orWorks('The same origin answers'),
  }),
  'prm-redirect-evil': stops('302 to another origin', 'resource-metadata', ['SEC-10'], {
    on: { 'resource-metadata': redirect(302, 'evil') },
  }),

  'prm-other-host': resource('resource is another host', () => 'https://mcp.example.com/mcp'),
  'prm-other-origin': resource('resource is the same path at another port', (mcp) => {
    const url = new URL(mcp)
    return `http://${url.hostname}:9${url.pathname}`
  }),
  'prm-other-path': resource('resource is a path beside it', (mcp) => mcp.replace(/mcp$/, 'other')),
  'prm-prefix': resource('resource is a beginning of the address, not a parent of it', (mcp) => mcp.replace(/p$/, '')),
  'prm-child': resource('resource is a path below it', (mcp) => `${mcp}/deeper`),
  'prm-slash': resource('resource has a slash at the end more', (mcp) => `${mcp}/`),
  'prm-fragment': resource('resource has a fragment', (mcp) => `${mcp}#x`),
  'prm-query': resource('resource has a query', (mcp) => `${mcp}?x=1`),
  // RFC 9728 section 3.3 requires the exact URL if a challenge named the document; many servers use their origin.
  'prm-parent': resource('resource is the parent path', (mcp) => mcp.replace(/\/mcp$/, ''), {
    ...orWorks('Clients take a parent of the same origin, as many servers are described by their origin'),
  }),
  'prm-case': {
    ...resource('resource has its scheme in capitals', (mcp) => mcp.replace('http', 'HTTP')),
    ...orWorks('AU-FLOW-05 recommends to take it'),
  },
  'prm-no-resource': document('resource is missing', { resource: undefined }, NO_RESOURCE),
  'prm-resource-list': document(
    'resource is a list',
    ({ world }) => ({ resource: [addresses(world).mcp] }),
    NO_RESOURCE,
  ),
  'prm-resource-empty': document('resource is the empty string', { resource: '' }, NO_RESOURCE),

  'prm-no-servers': servers('authorization_servers is missing', undefined),
  'prm-servers-empty': servers('authorization_servers is empty', []),
  'prm-servers-numbers': servers('authorization_servers holds no string', [1, null, {}, ['x'], true]),
  'prm-servers-word': servers(
    'authorization_servers holds a string that is no address',
    ['auth'],
    ['AU-PRM-06', 'AU-ASM-07'],
  ),
  'prm-servers-javascript': servers('The issuer is a javascript: URL', ['javascript:alert(1)'], ['AU-ASM-07']),
  'prm-servers-data': servers('The issuer is a data: URL', ['data:application/json,{}'], ['AU-ASM-07']),
  'prm-servers-file': servers('The issuer is a file: URL', ['file:///etc'], ['AU-ASM-07']),
  'prm-servers-http': servers('The issuer is http, not on loopback', ['http://as.evil.example'], ['AU-ASM-07']),
  'prm-servers-http-like': servers(
    'The issuer is http, on a host that looks like loopback',
    ['http://127.0.0.1.evil.example', 'http://localhost.evil.example', 'http://127.0.0.1@evil.example'],
    ['AU-ASM-07'],
  ),
  'prm-servers-string': stops('authorization_servers is a string', 'authorization-server', ['AU-PRM-06'], {
    on: { 'resource-metadata': members(({ world }) => ({ authorization_servers: addresses(world).issuer })) },
    tolerated: { why: 'The document itself is wrong', ends: [{ outcome: 'stopped', step: 'resource-metadata' }] },
  }),
  'prm-servers-query': stops('The issuer has a query', 'authorization-server', ['RFC 8414 §2'], {
    on: {
      'resource-metadata': members(({ world }) => ({ authorization_servers: [`${addresses(world).issuer}?x=1`] })),
    },
    tolerated: { why: 'No document names it as its issuer', ends: [{ outcome: 'stopped', step: 'server-metadata' }] },
  }),
  'prm-servers-user': stops(
    'The issuer holds a user and a password',
    'authorization-server',
    ['RFC 8414 §2', 'AU-ASM-07'],
    {
      on: {
        'resource-metadata': members(({ world }) => ({
          authorization_servers: [addresses(world).issuer.replace('http://', 'http://user:password@')],
        })),
      },
      tolerated: { why: 'No document names it as its issuer', ends: [{ outcome: 'stopped', step: 'server-metadata' }] },
    },
  ),
  'prm-servers-many': works('10,000 authorization servers, the first of them is well', ['AU-PRM-06'], {
    most: { 'server-metadata': 3 },
    on: {
      'resource-metadata': members(({ world }) => ({
        authorization_servers: Array.from({ length: 10_000 }, (_, at) => addresses(world).issuer + (at || '')),
      })),
    },
  }),
  'prm-servers-first-missing': stops(
    'Two authorization servers; the first has no metadata',
    'server-metadata',
    ['AU-PRM-06', 'AU-ASM-01'],
    {
      on: {
        'resource-metadata': members(({ world }) => ({
          authorization_servers: [`${addresses(world).issuer}-gone`, addresses(world).issuer],
        })),
      },
      ...orWorks('With the second, by the choice of its user'),
    },
  ),
  'prm-servers-again': works('The same authorization server three times', ['AU-PRM-06'], {
    on: {
      'resource-metadata': members(({ world }) => ({ authorization_servers: Array(3).fill(addresses(world).issuer) })),
    },
  }),

  'prm-null': withText('The document is null', () => 'null'),
  'prm-string': withText('The document is a string', () => '"https://as.example"'),
  'prm-proto': withText(
    'What is missing stands in a member __proto__, and leads to another origin',
    (_, { world }) => {
      const evil = JSON.stringify([addresses(world, 'evil').issuer])
      return `{"resource":"${addresses(world).mcp}","__proto__":{"authorization_servers":${evil}}}`
    },
    ['AU-PRM-06'],
  ),
  'prm-bom': works('A byte order mark before the document', ['RFC 9728 §3.2'], {
    on: { 'resource-metadata': raw(({ body }) => `\ufeff${JSON.stringify(body)}`) },
    ...orStops('RFC 8259 §8.1 forbids it', 'resource-metadata'),
  }),
  'prm-text-type': works('The document comes as text/plain', ['RFC 9728 §3.2'], {
    on: {
      'resource-metadata': async (_, well) => ({ ...(await well()), headers: { 'Content-Type': 'text/plain' } }),
    },
    ...orStops('RFC 9728 wants application/json', 'resource-metadata'),
  }),
  'prm-wants-query': works('bearer_methods_supported has query alone, but the header is taken', ['AU-GEN-03'], {
    on: { 'resource-metadata': members({ bearer_methods_supported: ['query'] }) },
  }),
  'prm-offline-scope': works('scopes_supported has offline_access', ['AU-SCOPE-07'], {
    on: { mcp: unscoped, 'resource-metadata': members({ scopes_supported: ['mcp:read', 'offline_access'] }) },
  }),
  'prm-scopes-string': works('scopes_supported is a string', ['AU-SCOPE-01'], {
    on: { mcp: unscoped, 'resource-metadata': members({ scopes_supported: 'mcp:read' }) },
    ...orStops('The document itself is wrong', 'resource-metadata'),
  }),
  'prm-scopes-odd': works('scopes_supported has what no scope may have', ['RFC 6749 §3.3'], {
    on: {
      mcp: unscoped,
      'resource-metadata': members({ scopes_supported: ['mcp:read', 1, null, '', 'a b', '"', 'é'] }),
    },
    ...orStops('The document itself is wrong', 'resource-metadata'),
  }),
  'prm-names': works('Names, pages and logos that are addresses of other kinds, and markup', ['SEC-03'], {
    on: {
      'resource-metadata': members({
        resource_name: '<img src=x onerror="document.title=1">\u202e',
        resource_documentation: 'javascript:alert(1)',
        resource_policy_uri: 'data:text/html,<script>1</script>',
        resource_tos_uri: 'file:///etc/passwd',
      }),
    },
  }),
}
