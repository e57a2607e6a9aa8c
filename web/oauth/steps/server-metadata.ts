/** Metadata of the authorization server: where to register, to sign in and to get tokens (RFC 8414, OpenID Connect). */
import type { AuthorizationServer } from 'oauth4webapi'
import type { JsonObject } from '../../mcp/index.ts'
import { fault, type Fault } from '../fault.ts'
import type { Known } from '../known.ts'
import type { Port, Step } from '../port.ts'
import { jsonObjectOf, type Answer, type RequestDraft, type Unanswered } from '../request.ts'
import { safeUrl, serverMetadataUrls } from '../url.ts'

type Kind = 'oauth' | 'openid'

export const serverMetadata: Step = {
  id: 'server-metadata',
  rules: ['AU-ASM-01', 'AU-ASM-02', 'AU-ASM-03', 'AU-ASM-04', 'AU-ASM-06', 'AU-ASM-07', 'RFC 8414'],
  async run(known, port) {
    const issuer = known.issuer!
    const urls = serverMetadataUrls(issuer, port.profile.has('openidDiscovery') && !port.profile.has('originIsIssuer'))
    let last: Fault | undefined
    for (const [index, { kind, url }] of urls.entries()) {
      const where = { url, kind, place: index + 1, of: urls.length }
      const answer = await ask(port, url)
      if (!answer.answered) {
        last = answer.fault
        port.check({
          rule: ruleOf(kind),
          keyword: 'MUST',
          say: 'metadata-not-there',
          values: { ...where, failed: last.code },
        })
        continue
      }
      const parsed = answer.status === 200 ? jsonObjectOf(answer) : undefined
      if (!parsed || 'code' in parsed) {
        if (parsed) last = parsed
        const failed = parsed?.code ?? String(answer.status)
        port.check({ rule: ruleOf(kind), keyword: 'MUST', say: 'metadata-not-there', values: { ...where, failed } })
        continue
      }
      port.check({ rule: ruleOf(kind), keyword: 'MUST', ok: true, say: 'metadata-found', values: where })
      return await judged(known, port, parsed.json, kind)
    }
    return await without(known, port, last)
  },
}

const ruleOf = (kind: Kind): string => (kind === 'oauth' ? 'AU-ASM-01' : 'AU-ASM-02')

/** AU-0326-03: with the version, and without it where a preflight refuses it. */
const ask = async (port: Port, url: string): Promise<Answer | Unanswered> => {
  const plain: RequestDraft = { method: 'GET', url, headers: [['accept', 'application/json']] }
  if (!port.profile.has('versionHeader')) return await port.send(plain, { follow: true })
  const versioned = { ...plain, headers: [...plain.headers, ['mcp-protocol-version', port.profile.revision] as const] }
  const answer = await port.send(versioned, { follow: true })
  return answer.answered || answer.fault.code !== 'unreadable' ? answer : await port.send(plain, { follow: true })
}

const judged = async (
  known: Known,
  port: Port,
  document: JsonObject,
  source: Kind | 'pasted',
): Promise<Partial<Known>> => {
  const expected = known.issuer!
  const { issuer } = document
  const found = typeof issuer === 'string' ? issuer : null
  // For want of resource metadata the issuer was guessed from the server's address: what it calls itself is its name.
  const guessed = known.byOrigin === true && found !== null && found.replace(/\/$/, '') === expected
  const same = found === expected || guessed
  const values = { expected, found: found?.slice(0, 500) ?? null }
  await port.must(
    { rule: 'AU-ASM-06', keyword: 'MUST', ok: same, say: same ? 'issuer-matches' : 'issuer-differs', values },
    fault(
      'issuer-mismatch',
      `The metadata of ${expected} says that its issuer is ${found ?? 'nobody'}`,
      'AU-ASM-06',
      values,
    ),
  )
  await checkEndpoints(known, port, document)
  // Whoever went on in spite of another issuer works with what was found: the comparison with `iss` needs one name.
  const metadata = { ...document, issuer: found ?? expected } as AuthorizationServer
  return { issuer: metadata.issuer, metadata, metadataSource: source }
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const

const checkEndpoints = async ({ server }: Known, port: Port, document: JsonObject): Promise<void> => {
  const { grant = 'authorization-code' } = port.options
  const needed = grant === 'authorization-code' ? ENDPOINTS.slice(0, 2) : [ENDPOINTS[1]]
  for (const name of ENDPOINTS) {
    const url = document[name]
    if (url === undefined) {
      if (!needed.includes(name)) continue
      await port.must(
        { rule: 'AU-ASM-01', keyword: 'MUST', ok: false, say: 'endpoint-missing', values: { name } },
        fault('missing-endpoint', `The metadata has no ${name}`, 'AU-ASM-01', { name }),
      )
      continue
    }
    if (safeUrl(url, server)) continue
    const values = { name, url: String(url).slice(0, 300) }
    await port.must(
      { rule: 'AU-ASM-07', keyword: 'MUST', ok: false, say: 'endpoint-unsafe', values },
      fault('unsafe-url', `${name} is ${values.url}, which is not https`, 'AU-ASM-07', values),
    )
  }
}

const without = async (known: Known, port: Port, last: Fault | undefined): Promise<Partial<Known>> => {
  const issuer = known.issuer!
  const { origin } = new URL(issuer)
  const defaults = (): Partial<Known> => ({
    metadata: {
      issuer,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      // Nobody said so; PKCE is for everybody all the same (AU-0326-04).
      code_challenge_methods_supported: ['S256'],
    },
    metadataSource: 'defaults',
  })
  const old = port.profile.has('defaultEndpoints') || (port.profile.tolerant && known.byOrigin === true)
  if (old && last?.code !== 'unreadable') {
    port.check({ rule: 'AU-0326-02', keyword: 'MUST', say: 'default-endpoints', values: { origin } })
    return defaults()
  }
  const why = last ?? fault('no-server-metadata', `No metadata of ${issuer} was found`, 'AU-ASM-01', { issuer })
  const supplied = await port.stop({ ...why, rule: why.rule ?? 'AU-ASM-01' }, ['metadata', 'go-on'])
  return supplied?.kind === 'metadata' ? await judged(known, port, supplied.document, 'pasted') : defaults()
}
