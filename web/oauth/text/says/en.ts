/** The results of a sign-in's checks. English is the source of all translations. */
import { marked, moment, pick, type Sentence, type Values } from '../words.ts'

const AT = {
  header: 'at the URL in the header',
  path: "at the well-known URL for the server's path",
  root: 'at the well-known URL for the root',
} as const
const placeOf = (at: string): string => pick(AT, at) ?? ''

const nth = (place: unknown): string => ['first', 'second', 'third'][Number(place) - 1] ?? String(place)

/** A difference in seconds, without its sign. */
const difference = (v: Values): string => marked(String(Math.abs(Number(v.raw('seconds') ?? 0))))

/** Which URLs are safe. */
const SAFE =
  'Periscope uses only https URLs, or http URLs on this machine if the MCP server also runs here. It uses URLs on a private network only if the MCP server is on one.'

const SCOPE_FROM: Readonly<Record<string, string>> = {
  given: 'your choice',
  challenge: 'from the challenge',
  'resource-metadata': 'everything the resource metadata lists',
  union: 'previously requested scopes plus the missing ones',
  none: 'the authorization server decides',
}

const RELAYED = {
  server: 'it is the origin of the MCP server',
  issuer: 'you have signed in there before',
  typed: 'you entered it',
  agreed: 'you allowed it',
} as const

const says = {
  relayed: (v) =>
    `Browsers can't read responses from ${v('origin')} (no CORS headers), so the local proxy sent the request. The proxy may send requests to this origin because ${pick(RELAYED, v.code('reason')) ?? ''}.`,

  'challenge-hidden': () =>
    "Pages can't see WWW-Authenticate because the server doesn't expose it. Periscope tries the well-known URLs instead.",
  'challenge-missing': (v) => `HTTP ${v('status')} requires a WWW-Authenticate header, but it is missing.`,
  'challenge-malformed': (v) => `WWW-Authenticate is malformed: ${v('malformed')}`,
  'challenge-read': () => 'WWW-Authenticate is well-formed and requires a Bearer token.',
  'challenge-not-bearer': () => "WWW-Authenticate doesn't require a Bearer token.",
  'not-challenged': (v) => `The server returned HTTP ${v('status')} instead of 401, so it didn't request a sign-in.`,

  'resource-metadata-url-unsafe': (v) =>
    `The header names ${v('url')}. Periscope doesn't request this URL because it isn't safe.`,
  'resource-metadata-found': (v) => `Found ${placeOf(v.code('at'))}: ${v('url')}`,
  'resource-metadata-not-there': (v) => `No usable metadata ${placeOf(v.code('at'))}: ${v('url')} (${v('failed')})`,
  'resource-matches': () => 'The metadata describes this server.',
  'resource-covers': () =>
    'The metadata describes an equivalent URL or a parent path on the same origin. Periscope accepts both.',
  'resource-differs': () => 'The metadata describes a different resource.',
  'servers-offered': (v) =>
    v.raw('count') === 1
      ? `The metadata lists ${v('count')} authorization server.`
      : `The metadata lists ${v('count')} authorization servers.`,
  'origin-is-issuer': (v) => `No metadata found. Uses ${v('issuer')} as the issuer, as in 2025-03-26.`,

  'issuer-unsafe': (v) => `Skipped ${v('issuer')}. ${SAFE}`,
  'issuer-by-hand': (v) => `You entered ${v('issuer')}.`,
  'issuer-chosen': (v) =>
    v.raw('count') === 1
      ? `Uses ${v('issuer')}, the only usable issuer.`
      : `Uses ${v('issuer')}, one of ${v('count')} usable issuers.`,

  'metadata-found': (v) =>
    `${v.raw('of') === 1 ? 'Found' : `Found at the ${nth(v.raw('place'))} of ${v('of')} URLs`}: ${v('url')}`,
  'metadata-not-there': (v) =>
    `${v.raw('of') === 1 ? 'Not found' : `Not found at the ${nth(v.raw('place'))} of ${v('of')} URLs`}: ${v('url')} (${v('failed')})`,
  'issuer-matches': () => 'The issuer in the metadata matches.',
  'grant-not-offered': (v) => `${v('name')} lists ${v('listed')}, but not ${v('needed')}, which this sign-in needs.`,
  'issuer-differs': () => 'The issuer in the metadata differs from the requested issuer.',
  'endpoint-missing': (v) => `The metadata has no ${v('name')}.`,
  'endpoint-unsafe': (v) => `${v('name')} is ${v('url')}. ${SAFE}`,
  'default-endpoints': (v) => `No metadata found. Uses the default endpoints of 2025-03-26 at ${v('origin')}.`,

  'client-by-hand': (v) => `You entered the client ${v('clientId')}.`,
  'client-of-another': (v) =>
    `You entered client ${v('clientId')} for issuer ${v('bound')}, but this sign-in uses issuer ${v('issuer')}.`,
  'registered-before': (v) => `Reuses the client ${v('clientId')}, which is already registered with this issuer.`,
  'no-client-document': () => 'The server supports client ID metadata documents, but this copy of Periscope has none.',
  'client-documents-not-taken': () => "The server doesn't support client ID metadata documents.",
  'client-document': (v) => `The client ID is the URL of its metadata document: ${v('url')}`,
  'client-document-address': (v) =>
    v('url') === ''
      ? 'The URL of the client ID metadata document is missing.'
      : `${v('url')} can't be a client ID. It must be an https URL with a path.`,
  'application-type': (v) =>
    `Registered as ${v('applicationType')}: ${
      v.raw('reason') === 'by-hand'
        ? 'your choice'
        : v.raw('reason') === 'loopback'
          ? 'this page runs on your machine'
          : 'this page is served by a remote host'
    }.`,
  'redirect-uri-differs': (v) => `${v('used')} isn't a registered redirect URI. Registered: ${v('registered')}`,
  'redirect-uri-registered': () => 'The redirect URI is registered.',
  'registered-with-status': (v) => `The registration returned HTTP ${v('status')} instead of 201.`,
  'registration-deprecated': () =>
    'Dynamic registration is deprecated as of 2026-07-28. Servers should also support client ID metadata documents.',

  'scope-chosen': (v) =>
    `${v.raw('scope') === null ? 'Requests no scope' : `Requests scope ${v('scope')}`} (${
      pick(SCOPE_FROM, v.code('source')) ?? v('source')
    }).`,
  'resource-chosen': (v) => `Requests a token for ${v('resource')} (resource parameter).`,
  'resource-left-out': () => 'The resource parameter is omitted.',
  'pkce-advertised': () => 'The metadata advertises PKCE with S256.',
  'pkce-not-advertised': (v) =>
    v.raw('methods') === null
      ? "The metadata doesn't advertise PKCE."
      : `The metadata lists ${v('methods')} for PKCE, but not S256.`,

  'pushed-only': () => "The server requires pushed authorization requests (PAR), which Periscope doesn't support.",
  'fragment-dropped': (v) => `Removed the fragment of the authorization endpoint: ${v('url')}`,
  'authorization-url-unsafe': (v) => `Periscope doesn't open ${v('url')}: this URL isn't safe.`,

  'parameter-repeated': (v) => `${v('names')} occurs more than once.`,
  'state-matches': () => 'The state matches: the response belongs to this sign-in.',
  'state-differs': (v) =>
    v.raw('found') === null ? 'The response has no state.' : 'The state in the response differs from the one sent.',
  'iss-neither': () => 'The server neither advertised nor sent iss.',
  'iss-missing': () => "The server advertised that its responses contain iss, but this one doesn't.",
  'iss-matches': () => 'The issuer in the response (iss) matches exactly.',
  'iss-differs': () =>
    'The response names a different issuer (iss). The rest of the response is neither shown nor used.',
  'code-received': () => 'Received an authorization code.',
  'code-again': () => 'An earlier sign-in received the same code. Each code must work only once.',
  'parameter-characters': (v) => `${v('name')} contains characters other than printable ASCII.`,
  'response-in-fragment': () => 'The response arrived in the fragment of the URL instead of the query.',

  'grant-received': () => 'The identity provider issued a grant for this server (ID-JAG).',
  'grant-of-another-type': () => 'The identity provider issued another type of grant instead of an ID-JAG.',

  'token-received': () => 'The response contains an access token.',
  'id-token-ignored': () => "The response also contains an id_token, which isn't used or checked.",
  'token-with-status': (v) => `The token response has HTTP status ${v('status')} instead of 200.`,
  'member-ignored': (v) => `Ignored ${v('name')} in the response: invalid value.`,
  'token-syntax': () =>
    "The access_token contains characters that Bearer tokens can't have. Servers may reject the Authorization header.",
  'token-in-cookie': () => 'The response stores the access token in a cookie that is also sent without TLS.',
  'not-bound': () => "The token isn't bound to the DPoP key: the server issued a Bearer token instead.",

  'scope-granted': (v) =>
    v.raw('granted') === null ? "The server chose the scope but didn't name it." : `Granted: ${v('granted')}`,
  'scope-narrower': (v) => `Granted fewer scopes than requested. Missing: ${v('missing')}`,

  'token-decoded': (v) =>
    `The token is a JWT${v('algorithm') === '' ? '' : ` (${v('algorithm')})`}. Servers verify its signature, but Periscope doesn't.`,
  'token-opaque': () => 'The token is opaque. Only servers can read it.',
  'token-encrypted': () => 'The token is an encrypted JWT. Only servers can read it.',
  'token-malformed': (v) => `The token looks like a JWT but is malformed: ${v('problems')}`,
  'token-unsigned': () => "The token isn't signed (alg none), so anyone can forge it.",
  'token-for-client': (v) =>
    `The token looks like an ID token because it contains ${v('claims')}. ID tokens are for clients, not servers.`,
  'token-expired': (v) => `The token expired at ${moment(v.raw('at'))}.`,
  'token-without-end': () => "The token's expiry time is unknown.",
  'token-ends-differ': (v) =>
    `Expiry times differ by ${difference(v)} s: ${moment(v.raw('response'))} in the response, ${moment(v.raw('claim'))} in the token.`,
  'token-not-yet-valid': (v) => `The token becomes valid at ${moment(v.raw('at'))}, in ${v('seconds')} s.`,
  'token-time-odd': (v) => `The claim ${v('claim')} isn't a valid time: ${v('value')}`,
  'token-issuer-matches': (v) => `The issuer in the token matches: ${v('claim')}`,
  'token-issuer-differs': () =>
    "The issuer in the token (iss) isn't the authorization server that the token came from.",
  'token-audience-matches': (v) => `The token is for this server: ${v('audience')}`,
  'token-audience-differs': () => 'The token is for a different audience. This server should reject it.',
  'token-audience-absent': () => 'The token names no audience (aud).',
  'token-scope-extra': (v) => `Scopes granted but not requested: ${v('extra')}`,
  'token-without-refresh': (v) =>
    `No refresh token. After the token expires${v.raw('at') === undefined ? '' : ` (${moment(v.raw('at'))})`}, only a new sign-in can replace it.`,
  'token-bound': () => "The token is bound to this page's key, so it is useless to anyone else (DPoP).",
  'token-bound-as-bearer': () => 'The token is bound to a key but was issued as a Bearer token.',
  'token-not-bound': () => 'The token was issued as DPoP-bound, but no claim binds it to the key.',
  'token-bound-to-certificate': () => "The token is bound to a TLS certificate, which pages can't present.",

  'refresh-rotated': () => 'Received a new refresh token, which replaces the old one.',
  'refresh-not-rotated': (v) =>
    v.raw('public') === true
      ? 'The refresh token is unchanged. Servers must rotate the refresh tokens of public clients on each use.'
      : 'The refresh token is unchanged.',
  revoked: (v) => `Revoked: ${v('hint')}`,
  'not-revocable': (v) =>
    `The server can't revoke this type of token: ${v('hint')}. The token stays valid until it expires. The refresh token is revoked.`,
  'not-revoked': (v) => `Not revoked: ${v('hint')} (HTTP ${v('status')})`,
} satisfies Readonly<Record<string, Sentence>>

/** Codes of the results. */
export type Say = keyof typeof says
export type SayTexts = Readonly<Record<Say, Sentence>>

export default says
