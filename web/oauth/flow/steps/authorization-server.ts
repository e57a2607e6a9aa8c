/**
 * The authorization server: the choice of one, and its metadata, with the endpoints and what it supports (RFC 8414,
 * OpenID Connect Discovery).
 */
import type { AuthorizationServer } from 'oauth4webapi'
import type { Json, JsonObject } from '../../../mcp/index.ts'
import { parsedUrl } from '../../../mcp/url.ts'
import { fault, type Fault, type SignInState, safeUrl, serverMetadataUrls } from '../../model/index.ts'
import {
  type Learned,
  type Port,
  type Step,
  jsonObjectOf,
  type Answer,
  type RequestDraft,
  type Unanswered,
} from '../../wire/index.ts'

/** Chooses an authorization server if several are offered (AU-PRM-06, AU-PRM-07). */
export const authorizationServer: Step = {
  id: 'authorization-server',
  rules: ['AU-PRM-06', 'AU-PRM-07', 'AU-ASM-07', 'AU-0326-01'],
  async run({ server, offered = [] }, port) {
    const given = port.options.authorizationServer
    const origin = new URL(server).origin
    const all = port.profile.has('originIsIssuer') ? [origin] : offered
    const usable = all.filter((issuer) => safeUrl(issuer, server) !== undefined)
    const refused = all.filter((issuer) => !usable.includes(issuer))
    for (const issuer of refused) {
      const values = { issuer: issuer.slice(0, 300) }
      port.check({ rule: 'AU-ASM-07', keyword: 'MUST', ok: false, say: 'issuer-unsafe', values })
    }
    if (given !== undefined && safeUrl(given, server)) {
      port.check({ rule: 'AU-PRM-04', keyword: 'MAY', ok: true, say: 'issuer-by-hand', values: { issuer: given } })
      return { issuer: given, byOrigin: false }
    }
    if (usable.length === 0) {
      const why =
        'None of the listed issuers can be used: only https, or http on loopback if the server is there as well'
      return await port.stop(
        fault('unsafe-url', why, 'AU-ASM-07', { urls: refused.slice(0, 5).map((one) => one.slice(0, 300)) }),
      )
    }
    const issuer = await port.choose(usable)
    const values = { issuer, count: usable.length }
    port.check({ rule: 'AU-PRM-06', keyword: 'MUST', ok: true, say: 'issuer-chosen', values })
    return { issuer, ...(port.profile.has('originIsIssuer') ? { byOrigin: true } : {}) }
  },
}

type Kind = 'oauth' | 'openid'

export const serverMetadata: Step = {
  id: 'server-metadata',
  rules: ['AU-ASM-01', 'AU-ASM-02', 'AU-ASM-03', 'AU-ASM-04', 'AU-ASM-06', 'AU-ASM-07', 'RFC 8414'],
  async run(known, port) {
    const issuer = known.issuer!
    const urls = serverMetadataUrls(issuer, port.profile.has('openidDiscovery') && !port.profile.has('originIsIssuer'))
    /** The first fault other than an HTTP status, which only means that the document is missing at that URL. */
    let first: Fault | undefined
    for (const [index, { kind, url }] of urls.entries()) {
      const where = { url, kind, place: index + 1, of: urls.length }
      const answer = await fetchMetadata(port, url)
      if (!answer.answered) {
        const { code: failed } = answer.fault
        first ??= answer.fault
        port.check({ rule: ruleOf(kind), keyword: 'MUST', say: 'metadata-not-there', values: { ...where, failed } })
        continue
      }
      const parsed = answer.status === 200 ? jsonObjectOf(answer, 'RFC 8414 section 3.2') : undefined
      if (!parsed || 'code' in parsed) {
        if (parsed) first ??= parsed
        const failed = parsed?.code ?? String(answer.status)
        port.check({ rule: ruleOf(kind), keyword: 'MUST', say: 'metadata-not-there', values: { ...where, failed } })
        continue
      }
      port.check({ rule: ruleOf(kind), keyword: 'MUST', ok: true, say: 'metadata-found', values: where })
      return await checkMetadata(known, port, parsed.json, kind)
    }
    return await withoutMetadata(known, port, first)
  },
}

const ruleOf = (kind: Kind): string => (kind === 'oauth' ? 'AU-ASM-01' : 'AU-ASM-02')

/** AU-0326-03: with the version header, or without it if a preflight rejects the header. */
const fetchMetadata = async (port: Port, url: string): Promise<Answer | Unanswered> => {
  const plain: RequestDraft = { method: 'GET', url, headers: [['accept', 'application/json']] }
  if (!port.profile.has('versionHeader')) return await port.send(plain, { follow: true })
  const versioned = { ...plain, headers: [...plain.headers, ['mcp-protocol-version', port.profile.revision] as const] }
  const answer = await port.send(versioned, { follow: true })
  return answer.answered || answer.fault.code !== 'unreadable' ? answer : await port.send(plain, { follow: true })
}

const checkMetadata = async (
  known: SignInState,
  port: Port,
  document: JsonObject,
  source: Kind | 'pasted',
): Promise<Learned> => {
  const expected = known.issuer!
  const { issuer } = document
  const found = typeof issuer === 'string' ? issuer : null
  // Without resource metadata, the issuer was guessed from the server's URL, so accept the server's own spelling.
  const guessed = known.byOrigin === true && found !== null && found.replace(/\/$/, '') === expected
  const same = found === expected || guessed
  const values = { expected, found: found?.slice(0, 500) ?? null }
  await port.must(
    { rule: 'AU-ASM-06', keyword: 'MUST', ok: same, say: same ? 'issuer-matches' : 'issuer-differs', values },
    'issuer-mismatch',
    found === null
      ? `The metadata of ${expected} has no issuer`
      : `The metadata of ${expected} names the issuer ${found}`,
  )
  await checkGrant(port, document)
  const other = await checkEndpoints(known, port, document)
  if (other) return await checkMetadata(known, port, other, 'pasted')
  // If the user continued despite another issuer, use the one found: the comparison with `iss` needs a single name.
  const metadata = { ...document, issuer: found ?? expected } as AuthorizationServer
  return { issuer: metadata.issuer, metadata, metadataSource: source }
}

const FORM = 'RFC 8414 section 2'

/** AU-ASM-01 (RFC 8414 section 2): if the server lists what it supports and omits this, don't request it. */
const checkGrant = async (port: Port, document: JsonObject): Promise<void> => {
  if ((port.options.grant ?? 'authorization-code') !== 'authorization-code') return
  for (const [name, needed] of [
    ['response_types_supported', 'code'],
    ['grant_types_supported', 'authorization_code'],
  ] as const) {
    const listed = document[name]
    if (!Array.isArray(listed) || listed.includes(needed)) continue
    const values = { name, needed, listed: listed.slice(0, 10).map((one) => String(one).slice(0, 100)) }
    await port.must(
      { rule: 'AU-ASM-01', keyword: 'MUST', ok: false, say: 'grant-not-offered', values },
      'unsupported-grant',
      `${name} in the metadata doesn't list ${needed}`,
      FORM,
    )
  }
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const

/**
 * AU-ASM-01, AU-ASM-07. The flow can't continue without a required endpoint, or with one that
 * would leak codes and secrets.
 * @returns another document that replaces this one
 */
const checkEndpoints = async (
  { server }: SignInState,
  port: Port,
  document: JsonObject,
): Promise<JsonObject | undefined> => {
  const { grant = 'authorization-code' } = port.options
  const needed = grant === 'authorization-code' ? ENDPOINTS.slice(0, 2) : [ENDPOINTS[1]]
  for (const name of ENDPOINTS) {
    const reason = endpointFault(name, document[name], server)
    const isNeeded = needed.includes(name)
    if (!reason || (reason.code === 'missing-endpoint' && !isNeeded)) continue
    const say = reason.code === 'missing-endpoint' ? 'endpoint-missing' : 'endpoint-unsafe'
    const rule = reason.rule === FORM ? 'AU-ASM-01' : reason.rule!
    port.check({ rule, keyword: 'MUST', ok: false, say, values: reason.facts! })
    // The other endpoints are checked again when they are needed.
    const supplied = isNeeded ? await port.stop(reason, ['metadata']) : undefined
    if (supplied?.kind === 'metadata') return supplied.document
  }
  return undefined
}

const endpointFault = (name: (typeof ENDPOINTS)[number], url: Json | undefined, server: string): Fault | undefined => {
  if (url === undefined) return fault('missing-endpoint', `The metadata has no ${name}`, FORM, { name })
  if (safeUrl(url, server)) return undefined
  const values = { name, url: (typeof url === 'string' ? url : JSON.stringify(url)).slice(0, 300) }
  // AU-FLOW-12: the browser will be sent there.
  const opens = typeof url === 'string' && !/^https?:/.test(parsedUrl(url)?.protocol ?? 'http:')
  const secure = name === 'authorization_endpoint' && opens ? 'AU-FLOW-12' : 'AU-ASM-07'
  const rule = typeof url === 'string' ? secure : FORM
  return fault('unsafe-url', `${name} is ${values.url}, which can't be used`, rule, values)
}

const withoutMetadata = async (known: SignInState, port: Port, first: Fault | undefined): Promise<Learned> => {
  const issuer = known.issuer!
  const { origin } = new URL(issuer)
  const defaults = (): Learned => ({
    metadata: {
      issuer,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      // Not stated by the server, but PKCE is required for everyone (AU-0326-04).
      code_challenge_methods_supported: ['S256'],
    },
    metadataSource: 'defaults',
  })
  const old = port.profile.has('defaultEndpoints') || (port.profile.tolerant && known.byOrigin === true)
  if (old && first?.code !== 'unreadable') {
    port.check({ rule: 'AU-0326-02', keyword: 'MUST', say: 'default-endpoints', values: { origin } })
    return defaults()
  }
  const why = first ?? fault('no-server-metadata', `No metadata for ${issuer} was found`, 'AU-ASM-01', { issuer })
  const supplied = await port.stop(why, ['metadata', 'go-on'])
  return supplied?.kind === 'metadata' ? await checkMetadata(known, port, supplied.document, 'pasted') : defaults()
}
