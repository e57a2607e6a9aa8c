/** Snippets that the authors of a server can paste to fix a sign-in: headers and JSON, the same in every language. */
import { type AuthFault, type AuthStep, type JsonObject, unsafeHeaders } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { type FaultCode, ID_JAG, isLoopback, resourceMetadataUrls, serverMetadataUrls } from '../model/index.ts'
import type { Say } from '../text/says/en.ts'

/** What is known about the place where the sign-in stopped. */
export interface Place {
  /** Origin of this page, for CORS headers. */
  readonly origin: string
  /** The request whose response was wrong. */
  readonly request?: { readonly method: string; readonly url: string; readonly headers: readonly string[] } | undefined
  /** The MCP endpoint. */
  readonly server?: string | undefined
  readonly issuer?: string | undefined
  readonly redirectUri?: string | undefined
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const json = (value: object): string => JSON.stringify(value, null, 2)
const EXAMPLE = 'https://auth.example.com'

const cors = ({ origin, request, server }: Place): string => {
  const names = unsafeHeaders(request?.headers ?? [])
  return [
    `Access-Control-Allow-Origin: ${origin}`,
    `Access-Control-Allow-Methods: ${request?.method ?? 'GET, POST'}`,
    ...(names.length > 0 ? [`Access-Control-Allow-Headers: ${names.join(', ')}`] : []),
    ...(request?.url === server ? ['Access-Control-Expose-Headers: WWW-Authenticate'] : []),
  ].join('\n')
}

const resourceDocument = ({ server, issuer }: Place): string => {
  if (server === undefined || !parsedUrl(server)) return ''
  const [first] = resourceMetadataUrls(server)
  return [
    `GET ${first!.url}`,
    json({ resource: server, authorization_servers: [issuer ?? EXAMPLE] }),
    '',
    `WWW-Authenticate: Bearer resource_metadata="${first!.url}"`,
  ].join('\n')
}

const TOKEN = json({ access_token: '…', token_type: 'Bearer', expires_in: 3600 })

/** `…` stands for values that only the server knows. */
const back = ({ redirectUri = '…', issuer }: Place): string =>
  `Location: ${redirectUri}?code=…&state=…${issuer === undefined ? '' : `&iss=${encodeURIComponent(issuer)}`}`

type Make = (facts: JsonObject, place: Place) => string

const FIX: Readonly<Partial<Record<FaultCode, Make>>> = {
  unreadable: (_, place) => cors(place),
  'not-json': () => 'Content-Type: application/json',
  'not-challenged': (_, { server }) =>
    server === undefined || !parsedUrl(server)
      ? ''
      : `WWW-Authenticate: Bearer resource_metadata="${resourceMetadataUrls(server)[0]!.url}"`,
  'no-resource-metadata': (_, place) => resourceDocument(place),
  'resource-mismatch': (facts) => json({ resource: text(facts.expected) ?? '…' }),
  'no-authorization-servers': () => json({ authorization_servers: [EXAMPLE] }),
  'no-server-metadata': (facts) => {
    const issuer = text(facts.issuer)
    if (issuer === undefined || !parsedUrl(issuer)) return ''
    return serverMetadataUrls(issuer, true)
      .map(({ url }) => `GET ${url}`)
      .join('\n')
  },
  'issuer-mismatch': (facts) => json({ issuer: text(facts.expected) ?? '…' }),
  'missing-endpoint': ({ name }, { issuer = EXAMPLE }) =>
    json({
      [text(name) ?? 'token_endpoint']:
        `${issuer.replace(/\/$/, '')}/${(text(name) ?? 'token').replace(/_endpoint$/, '')}`,
    }),
  'no-registration': (_, { issuer = EXAMPLE }) =>
    [
      json({ client_id_metadata_document_supported: true }),
      json({ registration_endpoint: `${issuer.replace(/\/$/, '')}/register` }),
    ].join('\n'),
  'redirect-uri-refused': (_, { redirectUri }) => redirectUri ?? '',
  'no-client-id': (_, { redirectUri }) =>
    json({ client_id: '…', redirect_uris: [redirectUri ?? '…'], token_endpoint_auth_method: 'none' }),
  'pkce-not-advertised': () => json({ code_challenge_methods_supported: ['S256'] }),
  'iss-missing': (_, place) => back(place),
  'iss-mismatch': (facts, place) => back({ ...place, issuer: text(facts.expected) }),
  'no-code': (_, place) => back(place),
  'no-access-token': () => TOKEN,
  'token-type': () => json({ token_type: 'Bearer' }),
  'bad-token-response': () => TOKEN,
}

/** RFC 8693 section 2.2.1: the response of an identity provider, whose grant isn't an access token. */
const EXCHANGED = json({ access_token: '…', issued_token_type: ID_JAG, token_type: 'N_A', expires_in: 300 })
const FIX_OF_EXCHANGE: Readonly<Partial<Record<FaultCode, Make>>> = {
  'no-access-token': () => EXCHANGED,
  'token-type': () => EXCHANGED,
}

/** @returns '' if there is nothing to paste */
export const fixFor = ({ code, facts = {} }: AuthFault, place: Place, step: AuthStep): string => {
  const fixes = step === 'assertion' ? { ...FIX, ...FIX_OF_EXCHANGE } : FIX
  return Object.hasOwn(fixes, code) ? fixes[code as FaultCode]!(facts, place) : ''
}

const FIX_OF_CHECK: Readonly<Partial<Record<Say, Make>>> = {
  'challenge-hidden': () => 'Access-Control-Expose-Headers: WWW-Authenticate',
  'challenge-missing': FIX['not-challenged']!,
  'challenge-not-bearer': FIX['not-challenged']!,
  'pkce-not-advertised': FIX['pkce-not-advertised']!,
  'iss-missing': FIX['iss-missing']!,
  'registered-with-status': () => 'HTTP/1.1 201 Created',
}

/** For checks that don't stop the sign-in but could be improved. @returns '' if there is nothing to paste */
export const fixForCheck = (say: string, place: Place): string =>
  Object.hasOwn(FIX_OF_CHECK, say) ? FIX_OF_CHECK[say as Say]!({}, place) : ''

/** Where this page was loaded from. */
export const pageOf = (href: string): 'https' | 'local' => {
  const url = new URL(href)
  return url.protocol === 'https:' && !isLoopback(url) ? 'https' : 'local'
}
