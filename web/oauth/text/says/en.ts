/** What the checks of a sign-in say. English is the source of all translations. */
import { moment, pick, type SayTexts } from '../words.ts'

const AT = { header: 'where the header said', path: 'below the path of the server', root: 'at the root' } as const
const placeOf = (at: string): string => pick(AT, at) ?? ''

const nth = (place: unknown): string => ['first', 'second', 'third'][Number(place) - 1] ?? String(place)

const SCOPE_FROM: Readonly<Record<string, string>> = {
  given: 'as you chose',
  challenge: 'as the challenge asks',
  'resource-metadata': 'all that the resource metadata lists',
  union: 'what was asked for before, and what is missing',
  none: 'nothing tells which',
}

const RELAYED = {
  server: 'it is the origin of the MCP server',
  issuer: 'you have signed in there',
  typed: 'you entered it',
  agreed: 'you agreed to it',
} as const

const says: SayTexts = {
  relayed: (v) =>
    `The browser may not read responses of ${v('origin')} (no CORS headers), so the request went through the local proxy: ${pick(RELAYED, v.code('reason')) ?? ''}.`,

  'challenge-hidden': () =>
    'The page may not see WWW-Authenticate: the server does not expose it. The well-known addresses are asked instead.',
  'challenge-missing': (v) => `HTTP ${v('status')} came without WWW-Authenticate, which must stand beside it.`,
  'challenge-malformed': (v) => `WWW-Authenticate is malformed: ${v('malformed')}`,
  'challenge-read': () => 'WWW-Authenticate asks for a Bearer token, and is well-formed.',
  'challenge-not-bearer': () => 'WWW-Authenticate asks for no Bearer token.',
  'not-challenged': (v) => `The server answered HTTP ${v('status')}, not 401: it asks for no sign-in here.`,

  'resource-metadata-url-unsafe': (v) => `The header names ${v('url')}, which is not asked: it is not https.`,
  'resource-metadata-found': (v) => `Found ${placeOf(v.code('at'))}: ${v('url')}`,
  'resource-metadata-not-there': (v) => `Not ${placeOf(v.code('at'))}: ${v('url')} (${v('failed')})`,
  'resource-matches': () => 'The metadata speaks of this server.',
  'resource-covers': () => 'The metadata speaks of a path above this server, on the same origin: accepted.',
  'resource-differs': () => 'The metadata speaks of another resource than this server.',
  'servers-offered': (v) => `It names ${v('count')} authorization server(s).`,
  'origin-is-issuer': (v) => `None was found: as in 2025-03-26, ${v('issuer')} itself is asked.`,

  'issuer-unsafe': (v) => `${v('issuer')} is left out: only https is asked, or http on this machine.`,
  'issuer-by-hand': (v) => `You named ${v('issuer')}.`,
  'issuer-chosen': (v) => `${v('issuer')} is asked, of ${v('count')} offered.`,

  'metadata-found': (v) => `Found at the ${nth(v.raw('place'))} of ${v('of')} addresses: ${v('url')}`,
  'metadata-not-there': (v) =>
    `Not at the ${nth(v.raw('place'))} of ${v('of')} addresses: ${v('url')} (${v('failed')})`,
  'issuer-matches': () => 'The issuer in the metadata is the one that was asked, letter by letter.',
  'grant-not-offered': (v) => `${v('name')} lists ${v('listed')}, and not ${v('needed')}, which this sign-in needs.`,
  'issuer-differs': () => 'The issuer in the metadata is another than was asked.',
  'endpoint-missing': (v) => `The metadata has no ${v('name')}.`,
  'endpoint-unsafe': (v) => `${v('name')} is ${v('url')}: only https is used, or http on this machine.`,
  'default-endpoints': (v) => `No metadata: the default addresses of 2025-03-26 are used, below ${v('origin')}.`,

  'client-by-hand': (v) => `You entered the client ${v('clientId')}.`,
  'client-of-another': (v) => `You entered ${v('clientId')} for ${v('bound')}, and now ${v('issuer')} is asked.`,
  'registered-before': (v) => `${v('clientId')} was registered with this issuer before, and is used again.`,
  'no-client-document': () => 'The server takes client id metadata documents; this copy of the page has none to show.',
  'client-documents-not-taken': () => 'The server takes no client id metadata documents.',
  'client-document': (v) => `The client id is the address of its description: ${v('url')}`,
  'client-document-address': (v) => `${v('url')} cannot be a client id: it needs https and a path.`,
  'application-type': (v) =>
    `Registered as ${v('applicationType')}: ${
      v.raw('reason') === 'by-hand'
        ? 'as you chose'
        : v.raw('reason') === 'loopback'
          ? 'this page runs on this machine'
          : 'this page comes from a host'
    }.`,
  'redirect-uri-differs': (v) => `${v('used')} is not among the registered redirect URIs: ${v('registered')}`,
  'redirect-uri-registered': () => 'The redirect URI is registered as it is used.',
  'registered-with-status': (v) => `The registration was answered with HTTP ${v('status')}, not 201.`,
  'registration-deprecated': () => 'Dynamic registration is deprecated in 2026-07-28: offer metadata documents too.',

  'scope-chosen': (v) =>
    `${v.raw('scope') === null ? 'No scope is asked for' : `Scope ${v('scope')}`}: ${
      pick(SCOPE_FROM, v.code('source')) ?? v('source')
    }.`,
  'resource-chosen': (v) => `The token is asked for ${v('resource')} (resource parameter).`,
  'resource-left-out': () => 'The resource parameter is left out.',
  'pkce-advertised': () => 'PKCE with S256 is advertised.',
  'pkce-not-advertised': (v) =>
    v.raw('methods') === null
      ? 'The metadata does not say that PKCE is supported.'
      : `The metadata lists ${v('methods')} for PKCE, and not S256.`,

  'pushed-only': () => 'The server takes pushed authorization requests alone (PAR), and Periscope sends none.',
  'fragment-dropped': (v) => `The authorization endpoint has a fragment, which is dropped: ${v('url')}`,
  'authorization-url-unsafe': (v) => `${v('url')} is no address that a browser may be sent to.`,

  'parameter-repeated': (v) => `${v('names')} came more than once.`,
  'state-matches': () => 'The answer belongs to this sign-in: state is the same.',
  'state-differs': (v) => (v.raw('found') === null ? 'No state came back.' : 'Another state came back.'),
  'iss-neither': () => 'The server neither promised nor sent iss: nothing to compare.',
  'iss-missing': () => 'The server promised to name itself (iss) in its answer, and did not.',
  'iss-matches': () => 'The answer comes from the issuer that was asked (iss), letter by letter.',
  'iss-differs': () => 'The answer names another issuer (iss) than was asked. Nothing else of it is shown or used.',
  'code-received': () => 'A code came, for one use.',

  'grant-received': () => 'The identity provider gave a grant for this server (ID-JAG).',
  'grant-of-another-type': () => 'The identity provider issued a grant of another type.',

  'token-received': () => 'The answer holds an access token.',
  'id-token-ignored': () => 'An id_token came too: it is not used, nor judged.',
  'token-with-status': (v) => `The token came with HTTP ${v('status')}, not 200.`,
  'member-ignored': (v) => `${v('name')} in the answer is of a wrong kind, and is ignored.`,
  'not-bound': () => 'The token is not bound to the key: the server gave a Bearer token all the same.',

  'scope-granted': (v) =>
    v.raw('granted') === null ? 'The server chose the scope, and does not say which.' : `Granted: ${v('granted')}`,
  'scope-narrower': (v) => `Granted less than was asked for: ${v('missing')} is missing.`,

  'token-decoded': (v) => `The token reads as a JWT (${v('algorithm')}); its signature is for the servers to check.`,
  'token-opaque': () => 'The token is opaque: only the servers can read it.',
  'token-encrypted': () => 'The token is an encrypted JWT: only the servers can read it.',
  'token-malformed': (v) => `The token looks like a JWT and is malformed: ${v('problems')}`,
  'token-unsigned': () => 'The token is not signed (alg none): anybody could have written it.',
  'token-for-client': (v) => `It looks like an ID token (${v('claims')}): those are for clients, not for servers.`,
  'token-expired': (v) => `The token is over since ${moment(v.raw('at'))}.`,
  'token-without-end': () => 'Nobody says when the token ends.',
  'token-ends-differ': (v) =>
    `The answer says that it ends at ${moment(v.raw('response'))}, the token ${moment(v.raw('claim'))}: ${v('seconds')} s apart.`,
  'token-not-yet-valid': (v) => `The token is valid from ${moment(v.raw('at'))} on, in ${v('seconds')} s.`,
  'token-time-odd': (v) => `The claim ${v('claim')} is no time: ${v('value')}`,
  'token-issuer-matches': (v) => `The token names its issuer: ${v('claim')}`,
  'token-issuer-differs': () => 'The token names another issuer than the one that gave it.',
  'token-audience-matches': (v) => `The token is for this server: ${v('audience')}`,
  'token-audience-differs': () => 'The token is for somebody else: this server should refuse it.',
  'token-audience-absent': () => 'The token does not say for whom it is (aud).',
  'token-scope-extra': (v) => `Granted, though nobody asked for it: ${v('extra')}`,
  'token-without-refresh': (v) =>
    `Without a refresh token: when it ends${v.raw('at') === undefined ? '' : `, at ${moment(v.raw('at'))},`} somebody signs in again.`,
  'token-bound': () => 'The token is bound to our key: it is of no use to others (DPoP).',
  'token-bound-as-bearer': () => 'The token is bound to a key, and was given as one that anybody may use.',
  'token-not-bound': () => 'The token was given as bound to our key, and no claim binds it.',
  'token-bound-to-certificate': () => 'The token is bound to a TLS certificate, which a page cannot show.',

  'refresh-rotated': () => 'A new refresh token came; the old one is over.',
  'refresh-not-rotated': (v) =>
    v.raw('public') === true
      ? 'The refresh token stays the same: for a client without a secret it must be replaced at each use.'
      : 'The refresh token stays the same.',
  revoked: (v) => `Revoked: ${v('hint')}`,
  'not-revocable': (v) =>
    `This kind of token cannot be revoked: ${v('hint')}. It ends by itself; the refresh token is revoked.`,
  'not-revoked': (v) => `Not revoked: ${v('hint')} (HTTP ${v('status')})`,
}

export default says
