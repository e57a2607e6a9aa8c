/**
 * A whole sign-in with plain fetch that trusts everything and checks nothing, to show what a kind does along the way.
 * It uses the URLs that the world names, and continues past every fault as far as possible.
 */
import type { WorldControl } from './control.ts'
import type { Endpoint, Kind } from './kind.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The received part of the body. */
  readonly text: string
  /** How the body ended: normally, never, not within the first 56 MB, or with a broken connection. */
  readonly end: 'well' | 'never' | 'endless' | 'broken'
  readonly json: unknown
}

/** `never`: no headers arrived. `broken`: the connection broke before. */
export type Outcome = Answer | 'never' | 'broken'

type Document = { readonly [name: string]: unknown } | undefined

export interface Walk {
  /** The responses, in order, by request name. */
  readonly answers: Map<string, Outcome>
  /** The redirect parameters of the first and the second sign-in. */
  readonly backs: URLSearchParams[]
  /** Whether a tool could be called in the end. */
  readonly letIn: boolean
}

export const REDIRECT_URI = 'http://127.0.0.1:1/callback'
const VERIFIER = 'v'.repeat(43)
/** SHA-256 of the verifier. */
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM'
export const STATE = 'The-state-of-this-sign-in'

/** More than the 50 MB of the huge but finite response. */
const MOST = 56 * 1024 * 1024

/** ms to wait for responses that may never come, at the slow endpoints of slow kinds. */
const PATIENCE = 1500

const isDocument = (json: unknown): json is NonNullable<Document> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

export const documentOf = (outcome: Outcome | undefined): Document =>
  typeof outcome === 'object' && isDocument(outcome.json) ? outcome.json : undefined

/** @throws never: every failure is an outcome */
export const ask = async (url: string, init: RequestInit = {}, patience?: number): Promise<Outcome> => {
  const signal = patience === undefined ? undefined : AbortSignal.timeout(patience)
  let response: Response
  try {
    response = await fetch(url, { redirect: 'manual', ...init, ...(signal ? { signal } : {}) })
  } catch {
    return signal?.aborted ? 'never' : 'broken'
  }
  const chunks: Uint8Array[] = []
  let size = 0
  let end: Answer['end'] = 'well'
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > MOST) {
        end = 'endless'
        break
      }
    }
  } catch {
    end = signal?.aborted ? 'never' : 'broken'
  }
  const text = end === 'endless' ? '' : Buffer.concat(chunks).toString()
  return { status: response.status, headers: response.headers, text, end, json: parse(text) }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'walk', version: '0' },
})

const PLACES = {
  oauth: (origin: string, path: string) => `${origin}/.well-known/oauth-authorization-server${path}`,
  'oidc-inserted': (origin: string, path: string) => `${origin}/.well-known/openid-configuration${path}`,
  'oidc-appended': (origin: string, path: string) => `${origin}${path}/.well-known/openid-configuration`,
} as const

/** How the client authenticates to the token endpoint. */
const proof = (client: NonNullable<Document>): { form: Record<string, string>; headers: Record<string, string> } => {
  const id = client['client_id'] as string
  const secret = client['client_secret'] as string | undefined
  if (secret === undefined) return { form: { client_id: id }, headers: {} }
  if (client['token_endpoint_auth_method'] === 'client_secret_post')
    return { form: { client_id: id, client_secret: secret }, headers: {} }
  const encode = (part: string) => new URLSearchParams({ v: part }).toString().slice(2)
  return { form: {}, headers: { Authorization: `Basic ${btoa(`${encode(id)}:${encode(secret)}`)}` } }
}

/** @param kind the world's kind, for the places of its documents and when to give up */
export const walk = async (world: WorldControl, kind: Kind): Promise<Walk> => {
  const answers = new Map<string, Outcome>()
  const backs: URLSearchParams[] = []
  const step = async (name: string, at: Endpoint, url: string, init?: RequestInit): Promise<Outcome> => {
    const outcome = await ask(url, init, kind.slow && kind.on?.[at] ? PATIENCE : undefined)
    answers.set(name, outcome)
    return outcome
  }
  /** The document's URL if it can be requested, otherwise the correct one. */
  const named = (document: Document, name: string, right: string): string => {
    const value = document?.[name]
    return typeof value === 'string' && /^http:\/\/127\.0\.0\.1:\d+\//.test(value) ? value : right
  }
  const mcp = (name: string, body: string, token?: string) => {
    const headers = { ...TYPE, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) }
    return step(name, 'mcp', world.mcp, { method: 'POST', headers, body })
  }
  const post = (name: string, at: Endpoint, url: string, form: Record<string, string>, headers = {}) =>
    step(name, at, url, { method: 'POST', headers, body: new URLSearchParams(form) })

  await mcp('challenge', INITIALIZE)
  const resource = documentOf(await step('prm', 'resource-metadata', world['resource-metadata']))
  const servers = resource?.['authorization_servers']
  const issuer = named(
    { issuer: Array.isArray(servers) ? (servers as unknown[])[0] : undefined },
    'issuer',
    world.issuer,
  )
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  let server: Document
  const places = kind.places?.serverMetadata ?? []
  for (const place of places.length > 0 ? places : (['oauth'] as const)) {
    const name = place === 'oauth' ? 'asm' : place
    const document = documentOf(await step(name, 'server-metadata', PLACES[place](origin, path)))
    server ??= document
  }

  const asked = {
    client_name: 'walk',
    redirect_uris: [REDIRECT_URI],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const registerAt = named(server, 'registration_endpoint', world.register)
  const init = { method: 'POST', headers: TYPE, body: JSON.stringify(asked) }
  const registered = documentOf(await step('register', 'register', registerAt, init))
  const known = typeof registered?.['client_id'] === 'string' && registered['client_id'] !== ''
  const client = known && registered ? registered : { client_id: 'by-hand' }
  const tokenAt = named(server, 'token_endpoint', world.token)
  const more = { resource: named(resource, 'resource', world.mcp) }

  /** The resulting token response. */
  const signIn = async (again = ''): Promise<Document> => {
    const url = new URL(named(server, 'authorization_endpoint', world.authorize))
    const parameters = {
      response_type: 'code',
      client_id: client['client_id'] as string,
      redirect_uri: REDIRECT_URI,
      scope: 'mcp:read',
      state: STATE + again,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...more,
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const led = await step(`authorize${again}`, 'authorize', url.href)
    const location = typeof led === 'object' ? led.headers.get('location') : null
    if (!location?.startsWith(REDIRECT_URI)) return
    const back = new URL(location).searchParams
    backs.push(back)
    const code = back.get('code')
    if (code === null) return
    const { form, headers } = proof(client)
    const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER }
    return documentOf(await post(`token${again}`, 'token', tokenAt, { ...form, ...grant, ...more }, headers))
  }

  let granted = await signIn()
  if (kind.drive === 'again') granted = await signIn('-again')
  /** @returns whether the tool responded */
  const use = async (round: string): Promise<boolean> => {
    const token = granted?.['access_token']
    // Values that can't be sent in a header, or aren't tokens.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) return false
    if (round === '') {
      await mcp('use', INITIALIZE, token)
      await mcp('list', rpc('tools/list'), token)
    }
    const called = await mcp(`call${round}`, rpc('tools/call', { name: 't' }), token)
    return typeof called === 'object' && called.text.includes('Let in')
  }
  let letIn = await use('')
  for (const round of kind.drive === 'refresh' ? ['-1'] : kind.drive === 'refresh-twice' ? ['-1', '-2'] : []) {
    await world.expire()
    const { form, headers } = proof(client)
    const refresh = { grant_type: 'refresh_token', refresh_token: String(granted?.['refresh_token']) }
    const next = documentOf(await post(`refresh${round}`, 'token', tokenAt, { ...form, ...refresh, ...more }, headers))
    granted = next?.['access_token'] === undefined ? undefined : { ...granted, ...next }
    letIn = await use(round)
  }
  if (kind.drive === 'revoke') {
    const { form, headers } = proof(client)
    const token = String(granted?.['access_token'])
    const revokeAt = named(server, 'revocation_endpoint', world.revoke)
    await post('revoke', 'revoke', revokeAt, { ...form, token }, headers)
    await use('-revoked')
  }
  return { answers, backs, letIn }
}
