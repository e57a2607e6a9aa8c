/**
 * Why a sign-in stops: what happened, what it means and what to do (`:why`), and what the authors of the server that was
 * asked can change (`:server`, '' for nothing). English is the source of all translations.
 */
import type { AuthStep } from '../../../mcp/index.ts'
import { pick, type FaultTexts, type Values } from '../words.ts'

const SERVER: ReadonlySet<AuthStep> = new Set(['challenge', 'resource-metadata', 'authorization-server', 'use'])
/** Whoever was asked at this step. */
const who = (step: AuthStep): string =>
  SERVER.has(step) ? 'The MCP server' : step === 'assertion' ? 'The identity provider' : 'The authorization server'

const AFTER_UNREAD: Readonly<Partial<Record<AuthStep, string>>> = {
  challenge: 'The sign-in itself may still work: metadata has addresses of its own.',
  registration: 'The server may well have registered the client: its log will tell.',
  token: 'The code may be used up by it: if the next try is refused, sign in again.',
  refresh: 'The refresh token may be used up by it: then sign in again.',
  revocation: 'The token may well be revoked: the log of the server will tell.',
}

const REFUSED = {
  invalid_grant:
    'The code is used up, too old or of another client, or redirect URI or code verifier differ from before: sign in again for another code.',
  invalid_client: 'It does not know this client, or not this way of proving who it is: enter a client that it knows.',
  invalid_target:
    'It gives no tokens for this resource: leave the resource parameter out, or enter the resource it knows.',
  invalid_scope: 'It does not know one of the scopes, or does not give it to this client: ask for others.',
  unauthorized_client: 'This client may not use this grant: enter another, or allow the grant for it.',
  unsupported_grant_type: 'It does not offer this grant at all.',
  invalid_request:
    'It misses something in the request, or does not take something: compare the request with its documentation.',
  access_denied: 'A policy of the server does not let this user, or this client, in.',
} as const
const refused = (v: Values): string =>
  pick(REFUSED, v.code('error')) ??
  (v.raw('status') === 401
    ? REFUSED.invalid_client
    : 'Its words and its log say why; compare the request with what it wants.')

const bytes = (limit: unknown): string => (typeof limit === 'number' ? `${Math.round(limit / 1024)} KiB` : 'the limit')
const seconds = (limit: unknown): string => (typeof limit === 'number' ? `${limit / 1000} s` : 'the time limit')

const faults: FaultTexts = {
  unreadable: () => 'The browser was not allowed to read the answer.',
  'unreadable:why': (v, step) =>
    `Either ${v('url')} sends no CORS headers, or nobody is there: a page cannot tell which. ${AFTER_UNREAD[step] ?? 'Everything before this step was fine.'}`,
  'unreadable:server': () =>
    'Answer the preflight (OPTIONS), and send these headers with every answer at this address, errors too:',

  unreachable: () => 'Nobody answered.',
  'unreachable:why': (v) =>
    `${v('url')} could not be reached, and CORS is not the reason: ${v('error')}. Is the address right, and is the server running?`,
  'unreachable:server': () => '',

  timeout: (v) => `No whole answer came within ${seconds(v.raw('limit'))}.`,
  'timeout:why': (v, step) =>
    `${who(step)} is too slow, or its answer does not end. Try again, and look into its log for ${v('url')}.`,
  'timeout:server': () => 'Answer within a few seconds, and end the body.',

  'too-large': (v) => `The answer is larger than ${bytes(v.raw('limit'))}, and was not read to its end.`,
  'too-large:why': (v, step) => `${who(step)} sends something else than the small document that is due at ${v('url')}.`,
  'too-large:server': () => 'Documents and answers of a sign-in have a few kilobytes.',

  'not-json': (v) =>
    v.raw('what') === 'empty'
      ? 'The answer is empty.'
      : v.raw('what') === 'HTML or XML'
        ? 'The answer is a web page, not JSON.'
        : 'The answer is not JSON.',
  'not-json:why': (v, step) =>
    `${who(step)} is expected to answer with JSON at ${v('url')}. A login page, a gateway or a wrong path often answers like this: read the answer.`,
  'not-json:server': () => 'Answer with a JSON object, and say so:',

  'not-an-object': () => 'The answer is JSON, but no object.',
  'not-an-object:why': (v, step) => `${who(step)} sends something else than is due at ${v('url')}.`,
  'not-an-object:server': () => 'Answer with one JSON object: { … }.',

  'http-status': (v) => `The answer is HTTP ${v('status')}.`,
  'http-status:why': (_, step) => `${who(step)} did not do what was asked. Its answer and its log say why.`,
  'http-status:server': () => '',

  redirected: () => 'The answer leads elsewhere.',
  'redirected:why': (v, step) =>
    v.raw('location') === undefined
      ? `${who(step)} redirects at an address where none may: a page cannot see where it leads, and nothing secret is sent after it.`
      : `${who(step)} redirects to ${v('location')}: nothing is asked or sent there.`,
  'redirected:server': () =>
    'Answer at this address itself. Often it is the slash at the end, or http instead of https.',

  'unsafe-url': (v) =>
    v.raw('name') === undefined ? 'An address is not safe to use.' : `${v('name')} is not safe to use.`,
  'unsafe-url:why': (v) =>
    v.raw('private') === true
      ? `A server on the internet named ${v('url')}, but this isn't a public address, so nothing was sent there. If it is your own authorization server, enter its issuer by hand.`
      : `${v(v.raw('url') === undefined ? 'urls' : 'url')}: only https is used, or http on this machine for a server that is here too. Private addresses are used only for servers that have one. Nothing was sent there.`,
  'unsafe-url:server': () =>
    'Use absolute https addresses in the metadata, and addresses on loopback only while you develop there.',

  'not-challenged': () => 'The server asks for no sign-in.',
  'not-challenged:why': () => 'It answered without a token. Perhaps it asks only for some methods: connect, and see.',
  'not-challenged:server': () => 'Answer 401 with WWW-Authenticate to whatever needs a sign-in.',

  'no-resource-metadata': () => 'The server does not say where to sign in.',
  'no-resource-metadata:why': () =>
    'Its protected resource metadata (RFC 9728) stands at none of the addresses that were asked. Paste it, or name the authorization server. “Go on” takes the origin of the server for it, as servers of 2025-03-26 meant it.',
  'no-resource-metadata:server': () => 'Serve this document there, and name it in WWW-Authenticate of each 401:',

  'resource-mismatch': () => 'The metadata is about another resource.',
  'resource-mismatch:why': () =>
    'Tokens would be asked for that one. A server could have you sign in for somebody else like this: go on only if you know why the two differ.',
  'resource-mismatch:server': () => 'Set resource to the address that clients connect to, letter by letter:',

  'no-authorization-servers': () => 'The metadata names no authorization server.',
  'no-authorization-servers:why': () =>
    'Name one yourself, or paste metadata that does. “Go on” takes the origin of the server for it.',
  'no-authorization-servers:server': () => 'Add the issuer, letter by letter as in its own metadata:',

  'no-server-metadata': () => 'The authorization server does not describe itself.',
  'no-server-metadata:why': (v) =>
    `No metadata of ${v('issuer')} stands at any of the addresses that were asked. Paste it, or name another server. “Go on” guesses /authorize, /token and /register.`,
  'no-server-metadata:server': () => 'Serve the metadata of RFC 8414, or of OpenID Connect, at one of these addresses:',

  'issuer-mismatch': () => 'The metadata is of another issuer.',
  'issuer-mismatch:why': () =>
    'Both must be the same, letter by letter: else one server could pose as another and be given its codes. Name the issuer as it names itself, or go on if you know why they differ.',
  'issuer-mismatch:server': () =>
    'Make them the same: issuer in this metadata, and authorization_servers in the metadata of the MCP server.',

  'missing-endpoint': (v) => `The metadata has no ${v('name')}.`,
  'missing-endpoint:why': (v) =>
    v.raw('name') === 'revocation_endpoint'
      ? 'This server cannot end tokens: they stay good until they expire. Forgetting them here is possible.'
      : 'The sign-in cannot do without it, and addresses are not guessed. Name another authorization server, or paste a token that you have from elsewhere.',
  'missing-endpoint:server': () => 'Add it to the metadata:',

  'unsupported-grant': () => 'The authorization server does not offer what this sign-in needs.',
  'unsupported-grant:why': (v) =>
    v.raw('needed') === undefined
      ? 'It takes pushed authorization requests alone (RFC 9126), and Periscope sends none. Going on sends a plain one all the same.'
      : `${v('name')} of its metadata lists ${v('listed')}, and not ${v('needed')}. Choose another grant for the next sign-in, or go on if you know that it is offered.`,
  'unsupported-grant:server': () =>
    'Offer it, and list it in response_types_supported or grant_types_supported; let plain authorization requests in.',

  'no-registration': () => 'The authorization server registers no clients by itself.',
  'no-registration:why': (v) =>
    `Register this client at ${v('issuer')} by hand, with the redirect URI beside this, and enter the client id that you get.`,
  'no-registration:server': () => 'Let clients in that you do not know yet, in one of two ways:',

  'registration-refused': (v) =>
    v.raw('method') === undefined ? 'The registration was refused.' : 'The registered client cannot prove who it is.',
  'registration-refused:why': (v) =>
    v.raw('method') !== undefined
      ? `It is registered for ${v('method')}, which this page cannot do, or without the secret for it. Register by hand, and enter the client.`
      : 'The authorization server does not take what it was sent; its words say why. Edit the request, or register by hand and enter the client id.',
  'registration-refused:server': () =>
    'Take public clients (token_endpoint_auth_method none) with a redirect URI on loopback or https.',

  'redirect-uri-refused': () => 'The authorization server does not take our redirect URI.',
  'redirect-uri-refused:why': () =>
    'Some take http://localhost only from “native” clients, others https only from “web” ones: try the other, or register by hand with a redirect URI that it takes.',
  'redirect-uri-refused:server': () => 'Take this redirect URI (RFC 8252 section 7.3: any port on loopback):',

  'no-client-id': () => 'The registration brought no client id.',
  'no-client-id:why': () =>
    'The authorization server said that all is well, and left out what matters. Register by hand, and enter the client id.',
  'no-client-id:server': () => 'Answer with client_id (RFC 7591 section 3.2.1):',

  'issuer-changed': () => 'This client belongs to another authorization server.',
  'issuer-changed:why': (v) =>
    `It was entered for ${v('bound')}, and the server now sends us to ${v('issuer')}. A client id and its secret are for one issuer alone: enter the one for this.`,
  'issuer-changed:server': () => '',

  'bad-client-document': () => 'This address cannot be a client id.',
  'bad-client-document:why': () =>
    'A client id metadata document needs an https address with a path. Enter another client, or let the page register.',
  'bad-client-document:server': () => '',

  'pkce-not-advertised': () => 'The authorization server does not say that it supports PKCE.',
  'pkce-not-advertised:why': () =>
    'Without PKCE whoever gets hold of the code can use it, so clients must stop here. Many servers support it and forget to say so: going on sends it all the same.',
  'pkce-not-advertised:server': () => 'Support PKCE with S256, and say so in the metadata:',

  'bad-private-key': () => 'The private key cannot be used.',
  'bad-private-key:why': () => 'Enter it as PKCS #8 in PEM, or as a JWK, with the algorithm that it is for.',
  'bad-private-key:server': () => '',

  'insecure-context': () => 'The browser has no WebCrypto on this page.',
  'insecure-context:why': (v) =>
    `${v('what')} needs it, and browsers provide it only over https or on localhost. This page was opened over plain HTTP from another machine: forward the port (ssh -L), then open Periscope on localhost.`,
  'insecure-context:server': () => '',

  'popup-blocked': () => 'The browser did not open the window.',
  'popup-blocked:why': () => 'Allow windows for this page, or sign in in this tab.',
  'popup-blocked:server': () => '',

  'no-answer': () => 'No answer came back.',
  'no-answer:why': () =>
    'The window was closed, or nobody signed in within ten minutes. If it shows the page that says “You can close this window”, paste its address the next time.',
  'no-answer:server': () => '',

  'taken-elsewhere': () => 'Another tab took the answer.',
  'taken-elsewhere:why': () =>
    'A copy of this tab waited for the same sign-in, and a code is good for one use. Go on over there, or sign in again here.',
  'taken-elsewhere:server': () => '',

  'state-mismatch': () => 'The answer belongs to another sign-in.',
  'state-mismatch:why': (v) =>
    `${v.raw('found') === null ? 'It came without state' : 'Its state is another one'}, so nothing of it is used: it may come from an old window, or from somebody who wants you to sign in as them.`,
  'state-mismatch:server': () => '',

  'iss-missing': () => 'The answer does not say who sent it.',
  'iss-missing:why': () =>
    'The metadata promises iss with every answer (RFC 9207). Without it an answer of another server cannot be told from this one, so nothing of it is used.',
  'iss-missing:server': () => 'Add iss to every redirect, errors too, or do not promise it:',

  'iss-mismatch': () => 'The answer comes from another issuer.',
  'iss-mismatch:why': () =>
    'It names another server than the one that was asked, so nothing of it is shown or used: a server may have led you to another to get hold of its code (mix-up). It may also be a mistake in iss.',
  'iss-mismatch:server': () => 'Send the issuer letter by letter as it stands in the metadata:',

  denied: () => 'The sign-in was refused.',
  'denied:why': () => 'You, or a policy of the server, did not agree. Sign in again to decide anew.',
  'denied:server': () => '',

  'authorization-error': () => 'The authorization server ended the sign-in.',
  'authorization-error:why': () =>
    'It did not like the authorization request; its words say what. Its parameters stand at the step before.',
  'authorization-error:server': () =>
    'Name the parameter in error_description, and take resource (RFC 8707) even where it is of no use to you.',

  'no-code': () => 'The browser came back without a code.',
  'no-code:why': () =>
    'Neither a code nor an error stands in the answer. If you pasted the address: was it copied whole?',
  'no-code:server': () => 'Redirect with code in the query, not in the fragment:',

  'repeated-parameter': (v) => `${v('names')} came more than once.`,
  'repeated-parameter:why': () => 'Which of them counts nobody can tell, so nothing of the answer is used.',
  'repeated-parameter:server': () => 'Send each parameter once (RFC 6749 section 3.1).',

  'token-refused': (v) =>
    v.raw('error') === undefined
      ? `The request was refused with HTTP ${v('status')}.`
      : `The request was refused: ${v('error')}`,
  'token-refused:why': (v, step) => `${who(step)} gave no token. ${refused(v)}`,
  'token-refused:server': () => '',

  'no-access-token': () => 'The answer holds no token.',
  'no-access-token:why': (_, step) =>
    `${who(step)} said that all is well, and left out access_token. A code is used up by it: sign in again.`,
  'no-access-token:server': () => 'Answer like this (RFC 6749 section 5.1):',

  'token-type': (v) => (v.raw('found') === null ? 'The token has no type.' : `The token is of the type ${v('found')}.`),
  'token-type:why': () =>
    'What was asked for is Bearer. How to use another type nobody said; going on uses it as Bearer.',
  'token-type:server': () => 'Say what it is:',

  'bad-token-response': () => 'The answer with the token is malformed.',
  'bad-token-response:why': () =>
    'A token is in it, but it, or something beside it, is not as it must be. Where going on is offered, the token is used all the same.',
  'bad-token-response:server': () => 'Keep to RFC 6749 section 5.1:',

  'assertion-missing': () => 'There is nothing to ask for a token with.',
  'assertion-missing:why': () =>
    'This grant needs an assertion: enter the JWT of the workload, or the identity provider with its ID token, among the options of the sign-in.',
  'assertion-missing:server': () => '',

  'token-not-accepted': () => 'The MCP server does not take the token.',
  'token-not-accepted:why': () =>
    'The authorization server gave a token, and the MCP server refuses it: often the audience is another one, or the scopes are too few. The checks above compare both.',
  'token-not-accepted:server': () =>
    'Take tokens whose audience is the resource that your metadata names, and say in WWW-Authenticate what is wrong with this one.',

  'too-many-attempts': () => 'The same was tried too often.',
  'too-many-attempts:why': () => 'It is stopped here, before it goes round for ever. Begin a new sign-in.',
  'too-many-attempts:server': () => '',

  internal: () => 'Periscope made a mistake.',
  'internal:why': () =>
    'The words below say which. A report of it would help: the frames of this sign-in can be saved without secrets.',
  'internal:server': () => '',
}

export default faults
