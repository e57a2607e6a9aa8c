/**
 * Why a sign-in stops: what happened, what it means and what to do (`:why`), and what the authors of the server can
 * change (`:server`, if anything). English is the source of all translations.
 */
import type { AuthStep } from '../../../mcp/index.ts'
import { pick, type FaultTexts, type Values } from '../words.ts'

const SERVER: ReadonlySet<AuthStep> = new Set(['challenge', 'resource-metadata', 'authorization-server', 'use'])
/** The server that this step talks to. */
const who = (step: AuthStep): string =>
  SERVER.has(step) ? 'The MCP server' : step === 'assertion' ? 'The identity provider' : 'The authorization server'

const AFTER_UNREAD: Readonly<Partial<Record<AuthStep, string>>> = {
  challenge: 'The sign-in may still work, because the metadata is served at other URLs.',
  registration: 'The server may have registered the client anyway. Check its log.',
  token: 'If the request contained a code, the code may be used up. If the next attempt fails, sign in again.',
  refresh: 'The request may have used up the refresh token. If so, sign in again.',
  revocation: 'The token may have been revoked anyway. Check the server log.',
}

const REFUSED = {
  invalid_grant:
    'The code, refresh token or assertion has expired, was already used or was issued to another client. With a code, the redirect URI or code verifier may also be wrong. Sign in again. If the grant uses an assertion, enter a new one first.',
  invalid_client:
    "It doesn't know this client or doesn't accept its authentication method. Enter a client that it knows.",
  invalid_target:
    'It issues no tokens for this resource. Omit the resource parameter or enter a resource that it knows.',
  invalid_scope: "It doesn't know a requested scope or doesn't grant it to this client. Request other scopes.",
  unauthorized_client:
    "This client isn't allowed to use this grant. Enter another client, or allow the grant for this client at the authorization server.",
  unsupported_grant_type: "It doesn't support this grant. Choose another one in the sign-in options.",
  invalid_request:
    "The request lacks a parameter or contains one the server doesn't accept. Compare it with the server's documentation.",
  access_denied:
    "A server policy denies access to this user or client. Ask the server's administrator for access, or sign in with another account.",
} as const
const refused = (v: Values): string =>
  pick(REFUSED, v.code('error')) ??
  (v.raw('status') === 401 ? REFUSED.invalid_client : 'The reason may be in its response or its log.')

const bytes = (limit: unknown): string => (typeof limit === 'number' ? `${Math.round(limit / 1024)} KiB` : 'the limit')
const seconds = (limit: unknown): string => (typeof limit === 'number' ? `${limit / 1000} s` : 'the time limit')

const faults: FaultTexts = {
  unreadable: () => "The browser couldn't read the response.",
  'unreadable:why': (v, step) =>
    `Either ${v('url')} sends no CORS headers, or the server is unreachable: pages can't tell which. ${AFTER_UNREAD[step] ?? "The previous steps aren't affected."}`,
  'unreadable:server': () =>
    'Respond to the preflight request (OPTIONS), and send these headers with every response from this URL, including errors:',

  unreachable: () => 'No complete response arrived.',
  'unreachable:why': (v) =>
    `The request to ${v('url')} failed, but not because of CORS: ${v('error')}. Check the URL and whether the server is running.`,

  timeout: (v) => `No complete response arrived within ${seconds(v.raw('limit'))}.`,
  'timeout:why': (v, step) =>
    v.raw('url') === undefined
      ? 'Another tab has been refreshing these tokens for too long. Close that tab, then try again.'
      : `${who(step)} is too slow, or its response doesn't end. Try again, and check its log for requests to ${v('url')}.`,
  'timeout:server': () => 'Send the complete response within a few seconds.',

  'too-large': (v) => `The response exceeds ${bytes(v.raw('limit'))} and wasn't read completely.`,
  'too-large:why': (v, step) =>
    `${who(step)} should return a small document from ${v('url')}. Check what this URL serves.`,
  'too-large:server': () => 'Keep sign-in documents and responses to a few kilobytes.',

  'not-json': (v) =>
    v.raw('what') === 'empty'
      ? 'The response is empty.'
      : v.raw('what') === 'HTML or XML'
        ? 'The response is HTML or XML, not JSON.'
        : "The response isn't JSON.",
  'not-json:why': (v, step) =>
    `${who(step)} should return JSON from ${v('url')}. Read the response: a login page, a gateway or a wrong path often causes this.`,
  'not-json:server': () => 'Return a JSON object with this Content-Type:',

  'not-an-object': () => 'The response is JSON but not an object.',
  'not-an-object:why': (v, step) =>
    `${who(step)} should return a JSON object from ${v('url')}. Check what this URL serves.`,
  'not-an-object:server': () => 'Return a single JSON object: { … }.',

  'http-status': (v) => `The response has HTTP status ${v('status')}.`,
  'http-status:why': (_, step) => `${who(step)} didn't fulfill the request. Check the response and the server's log.`,

  redirected: () => 'The response is a redirect.',
  'redirected:why': (v, step) =>
    v.raw('location') === undefined
      ? `${who(step)} redirects this request. Pages can't see the target, and Periscope sends no secrets there.`
      : `${who(step)} redirects to ${v('location')}. Periscope sends no secrets there.`,
  'redirected:server': () =>
    'Respond at this URL directly. Redirects are often caused by a trailing slash, or by http instead of https.',

  'unsafe-url': (v) => (v.raw('name') === undefined ? "A URL isn't safe to use." : `${v('name')} isn't safe to use.`),
  'unsafe-url:why': (v) =>
    v.raw('private') === true
      ? `${v('url')} isn't a public address, but a server on the internet sent this URL. Periscope sent nothing there. If this is your own authorization server, click “Choose authorization server” and enter its issuer.`
      : `Nothing was sent to ${v(v.raw('url') === undefined ? 'urls' : 'url')}. Periscope uses only https URLs, or http URLs on this machine if the MCP server also runs here. It uses URLs on a private network only if the MCP server is on one.`,
  'unsafe-url:server': () =>
    'Use absolute https URLs in the metadata. Use loopback URLs only during development on the same machine.',

  'not-challenged': () => "The server doesn't require a sign-in.",
  'not-challenged:why': () =>
    "It didn't return 401 for a request without a token. Some methods may still require a sign-in. Connect to find out.",
  'not-challenged:server': () => 'Return 401 with WWW-Authenticate for every request that requires a sign-in.',

  'no-resource-metadata': () => "The server doesn't declare where to sign in.",
  'no-resource-metadata:why': (_, step) =>
    step === 'registration'
      ? "No protected resource metadata (RFC 9728) was found, and the MCP server's own origin doesn't register clients. Choose an authorization server, or paste a token."
      : "No protected resource metadata (RFC 9728) was found. Paste the metadata, or choose an authorization server. “Continue anyway” uses the server's origin as the issuer, as in 2025-03-26.",
  'no-resource-metadata:server': () =>
    'Serve this document at this URL, and name the URL in the WWW-Authenticate header of each 401 response:',

  'resource-mismatch': () => 'The metadata describes a different resource.',
  'resource-mismatch:why': () =>
    'If you continue, Periscope requests tokens for that resource. A malicious server could use this to obtain your tokens for another server. Continue only if you know why the resources differ.',
  'resource-mismatch:server': () => 'Set resource to exactly the URL that clients connect to:',

  'no-authorization-servers': () => 'The metadata lists no authorization server.',
  'no-authorization-servers:why': () =>
    "Choose an authorization server, or paste metadata that lists one. “Continue anyway” uses the server's origin as the issuer.",
  'no-authorization-servers:server': () =>
    "Add the authorization server's issuer, exactly as in that server's metadata:",

  'no-server-metadata': () => 'The authorization server has no metadata.',
  'no-server-metadata:why': (v) =>
    `No metadata for ${v('issuer')} was found. Paste the metadata, or choose another authorization server. “Continue anyway” assumes the endpoints /authorize, /token and /register.`,
  'no-server-metadata:server': () => 'Serve RFC 8414 or OpenID Connect metadata at one of these URLs:',

  'issuer-mismatch': () => 'The metadata has a different issuer.',
  'issuer-mismatch:why': () =>
    'The requested issuer and the issuer in the metadata must match exactly. Otherwise, one server could impersonate another and receive the codes meant for the other. Enter the issuer as the metadata spells it, or continue if you know why the two differ.',
  'issuer-mismatch:server': () =>
    "Use the same value for issuer in this document and in authorization_servers of the MCP server's metadata.",

  'missing-endpoint': (v) => `The metadata has no ${v('name')}.`,
  'missing-endpoint:why': (v) =>
    v.raw('name') === 'revocation_endpoint'
      ? "This server can't revoke tokens. They stay valid until they expire. You can still forget them here."
      : "The sign-in requires this endpoint, and Periscope doesn't guess URLs. Paste metadata that contains it, choose another authorization server, or paste a token.",
  'missing-endpoint:server': () => 'Add it to the metadata:',

  'unsupported-grant': () => "The authorization server doesn't support what this sign-in needs.",
  'unsupported-grant:why': (v) =>
    v.raw('needed') === undefined
      ? "It accepts only pushed authorization requests (RFC 9126), which Periscope doesn't support. “Continue anyway” sends a regular request."
      : `${v('name')} in its metadata lists ${v('listed')}, but not ${v('needed')}. Choose another grant for the next sign-in, or continue if you know the server supports it.`,
  'unsupported-grant:server': (v) =>
    v.raw('needed') === undefined
      ? "Accept authorization requests that aren't pushed, and remove require_pushed_authorization_requests."
      : `Support ${v('needed')}, and list it in ${v('name')}.`,

  'no-registration': () => "The authorization server doesn't support automatic registration.",
  'no-registration:why': (v) =>
    `Register this client manually at ${v('issuer')}, then click “Enter a client ID”. The form shows the redirect URI to register.`,
  'no-registration:server': () => 'Accept unknown clients in one of two ways:',

  'registration-refused': (v) =>
    v.raw('method') === undefined ? 'The registration was rejected.' : "The registered client can't authenticate.",
  'registration-refused:why': (v) =>
    v.raw('method') !== undefined
      ? `The registration requires ${v('method')}, but this page doesn't support it or has no secret for it. Register a client manually, then enter its ID.`
      : "The reason may be in the authorization server's response. Register a client manually, then enter its ID. To edit the request, sign in step by step.",
  'registration-refused:server': () =>
    'Accept public clients (token_endpoint_auth_method none) with a redirect URI on loopback or https.',

  'redirect-uri-refused': () => 'The authorization server rejected the redirect URI.',
  'redirect-uri-refused:why': () =>
    'Some servers accept http://localhost only from “native” clients. Others accept https only from “web” clients. Try the other type, or register manually with a redirect URI the server accepts.',
  'redirect-uri-refused:server': () => 'Accept this redirect URI (RFC 8252 section 7.3: any port on loopback):',

  'no-client-id': () => 'The registration response has no client ID.',
  'no-client-id:why': () =>
    'The authorization server reported success but omitted client_id. Register manually, then enter the client ID.',
  'no-client-id:server': () => 'Return client_id (RFC 7591 section 3.2.1):',

  'issuer-changed': () => 'This client belongs to another authorization server.',
  'issuer-changed:why': (v) =>
    `You entered it for ${v('bound')}, but this sign-in uses ${v('issuer')}. A client ID and its secret belong to a single issuer. Enter a client for this issuer.`,

  'bad-client-document': (v) =>
    v('url') === '' ? 'The URL of the client ID metadata document is missing.' : "This URL can't be a client ID.",
  'bad-client-document:why': () =>
    'A client ID metadata document needs an https URL with a path. Enter another client, or let Periscope register one.',

  'pkce-not-advertised': () => "The authorization server doesn't advertise PKCE.",
  'pkce-not-advertised:why': () =>
    'Without PKCE, anyone who intercepts the code can use it, so clients must stop here. Many servers support PKCE without advertising it. “Continue anyway” still uses PKCE.',
  'pkce-not-advertised:server': () => 'Support PKCE with S256, and advertise it in the metadata:',

  'bad-private-key': () => 'The private key is invalid.',
  'bad-private-key:why': () =>
    'In the sign-in options, enter it as PKCS #8 in PEM or as a JWK, and choose the matching algorithm.',

  'insecure-context': () => "WebCrypto isn't available on this page.",
  'insecure-context:why': (v) =>
    `${v('what')} needs WebCrypto, which browsers provide only over https or on localhost. This page was opened over plain HTTP from another machine. Forward the port (ssh -L), then open Periscope on localhost.`,

  'popup-blocked': () => 'The browser blocked the window.',
  'popup-blocked:why': () => 'Allow pop-ups for this page, or sign in using this tab.',

  'no-answer': () => 'No response came back.',
  'no-answer:why': () =>
    "You may have closed the window, or the sign-in took longer than ten minutes. Click “Reopen the window”. If the callback page doesn't open after you sign in, click “I have the callback URL”, then paste the full URL that the browser shows.",

  'taken-elsewhere': () => 'Another tab received the response.',
  'taken-elsewhere:why': () =>
    'A copy of this tab waited for the same sign-in, and a code works only once. Continue in that tab, or sign in again here.',

  'state-mismatch': () => 'The response belongs to another sign-in.',
  'state-mismatch:why': (v) =>
    `${v.raw('found') === null ? 'It has no state' : 'Its state differs'}, so Periscope ignores it. It may come from an old window, or from an attacker who wants you to use their account.`,

  'iss-missing': () => "The response doesn't name its issuer.",
  'iss-missing:why': () =>
    "According to the metadata, every response contains iss (RFC 9207). Without iss, Periscope can't rule out that the response comes from another server, so the response is ignored.",
  'iss-missing:server': () => "Don't advertise iss, or add it to every redirect, including errors:",

  'iss-mismatch': () => 'The response comes from another issuer.',
  'iss-mismatch:why': () =>
    'Its iss names another server, so Periscope neither shows nor uses the response. Another server may be trying to obtain the code (a mix-up attack), or iss may simply be wrong.',
  'iss-mismatch:server': () => 'Send the issuer exactly as in the metadata:',

  denied: () => 'The sign-in was denied.',
  'denied:why': () => 'You or a server policy denied access. Sign in again to change your decision.',

  'authorization-error': () => 'The authorization server rejected the sign-in.',
  'authorization-error:why': () =>
    'Its message gives the reason. The parameters of the request are listed in the previous step.',
  'authorization-error:server': () =>
    "Name the rejected parameter in error_description, and accept resource (RFC 8707) even if you don't use it.",

  'no-code': () => 'The browser returned without a code.',
  'no-code:why': () =>
    'The response contains neither a code nor an error. If you pasted the URL, check that it is complete.',
  'no-code:server': () => 'Redirect with the code in the query, not in the fragment:',

  'repeated-parameter': (v) => `The authorization response repeats ${v('names')}.`,
  'repeated-parameter:why': () => "Periscope can't tell which value is valid, so it ignores the response.",
  'repeated-parameter:server': () => 'Send each parameter once (RFC 6749 section 3.1).',

  'token-refused': (v) =>
    v.raw('error') === undefined
      ? v.raw('status') === undefined
        ? "Periscope can't refresh the token."
        : `The request was rejected with HTTP ${v('status')}.`
      : `The request was rejected: ${v('error')}`,
  'token-refused:why': (v, step) =>
    v.raw('error') === undefined && v.raw('status') === undefined
      ? 'The refresh token or the URL of the token endpoint is missing, so nothing was sent. Sign in again.'
      : `${who(step)} didn't issue a token. ${refused(v)}`,

  'no-access-token': () => 'The response contains no token.',
  'no-access-token:why': (_, step) =>
    step === 'assertion'
      ? 'The identity provider reported success but omitted access_token, which contains the ID-JAG. Sign in again.'
      : `${who(step)} reported success but omitted access_token. The request may have used up the code or refresh token. Sign in again.`,
  'no-access-token:server': (_, step) =>
    `Respond like this (${step === 'assertion' ? 'RFC 8693 section 2.2.1' : 'RFC 6749 section 5.1'}):`,

  'token-type': (v, step) =>
    step === 'assertion'
      ? 'The identity provider issued another type of grant.'
      : v.raw('found') === null
        ? 'The token has no type.'
        : `The token type is ${v('found')}.`,
  'token-type:why': (_, step) =>
    step === 'assertion'
      ? 'Periscope requested an ID-JAG. “Continue anyway” uses this grant instead.'
      : 'Periscope uses Bearer tokens, and DPoP tokens if it requested them. “Continue anyway” uses this token as Bearer.',
  'token-type:server': (_, step) =>
    step === 'assertion' ? 'Respond like this (RFC 8693 section 2.2.1):' : 'Set the token type:',

  'bad-token-response': () => 'The token response is malformed.',
  'bad-token-response:why': () =>
    'It contains a token, but the token or another member is invalid. You can continue only if the token itself is usable.',
  'bad-token-response:server': () => 'Follow RFC 6749 section 5.1:',

  'assertion-missing': () => 'The assertion for the token request is missing.',
  'assertion-missing:why': () =>
    'This grant requires an assertion. In the sign-in options, enter the JWT of the workload, or the identity provider and its ID token.',

  'token-not-accepted': () => 'The MCP server rejected the token.',
  'token-not-accepted:why': () =>
    'The authorization server issued a token, but the MCP server rejects it. Often the audience differs or scopes are missing. The Token view shows both.',
  'token-not-accepted:server': () =>
    'Accept tokens whose audience is the resource in your metadata. If you reject a token, give the reason in WWW-Authenticate.',

  'too-many-attempts': () => 'Too many attempts.',
  'too-many-attempts:why': () => 'Periscope stops here to avoid an endless loop. Start a new sign-in.',

  internal: () => 'Internal error in Periscope.',
  'internal:why': () =>
    'The message below gives details. Please report it. You can save the frames of this sign-in with secrets removed.',
}

export default faults
