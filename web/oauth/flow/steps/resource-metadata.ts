/** Protected resource metadata (RFC 9728): which authorization servers an MCP server accepts. */
import type { JsonObject } from '../../../mcp/index.ts'
import {
  type Fault,
  type SignInState,
  describesResource,
  fault,
  resourceMetadataUrls,
  safeUrl,
} from '../../model/index.ts'
import { type Answer, type Learned, type Port, type Step, jsonObjectOf } from '../../wire/index.ts'

type Source = 'header' | 'path' | 'root'

export const resourceMetadata: Step = {
  id: 'resource-metadata',
  rules: ['AU-PRM-01', 'AU-PRM-02', 'AU-PRM-03', 'AU-PRM-05', 'RFC 9728'],
  async run(known, port) {
    let first: Fault | undefined
    for (const { at, url } of candidates(known, port)) {
      const answer = await port.send(
        { method: 'GET', url, headers: [['accept', 'application/json']] },
        { follow: true },
      )
      const read = answer.answered ? parseMetadata(answer) : answer.fault
      if ('json' in read) {
        checkLocation(port, url, at)
        return await checkMetadata(known, port, read.json, url)
      }
      checkLocation(port, url, at, read.code === 'http-status' ? JSON.stringify(read.facts?.status ?? null) : read.code)
      // Metadata must exist at the URL that the server names; elsewhere it may be missing.
      if (at === 'header' || !isAbsent(read)) first ??= at === 'header' ? missingFault(read, url) : read
    }
    return await withoutMetadata(known, port, first)
  },
}

/** RFC 9728 section 3.2. */
const parseMetadata = (answer: Answer): ReturnType<typeof jsonObjectOf> => {
  const { status, url } = answer
  if (status === 200) return jsonObjectOf(answer, SUCCESS)
  const rule = status > 200 && status < 300 ? SUCCESS : 'AU-PRM-01'
  return fault('http-status', `${url} returned HTTP ${status}`, rule, { url, status })
}

const SUCCESS = 'RFC 9728 section 3.2'

/** The document doesn't exist here: a client error, or the page that a server returns for every URL. */
const isAbsent = ({ code, facts }: Fault): boolean =>
  code === 'http-status'
    ? Number(facts?.status) >= 400 && Number(facts?.status) < 500
    : code === 'not-json' && facts?.what === 'HTML or XML'

/** AU-PRM-02: the document that the challenge names should exist. */
const missingFault = (reason: Fault, url: string): Fault => {
  const { status } = reason.facts ?? {}
  if (status !== 404 && status !== 410) return reason
  const why = `The challenge names ${url}, which doesn't exist (HTTP ${status})`
  return fault('no-resource-metadata', why, 'AU-PRM-02', { url, status })
}

const candidates = ({ server, refused }: SignInState, port: Port): { at: Source; url: string }[] => {
  const found: { at: Source; url: string }[] = []
  const address = refused?.challenge?.resourceMetadata
  if (address !== undefined) {
    const url = safeUrl(address, server)
    if (url) found.push({ at: 'header', url: url.href })
    else {
      const values = { url: address.slice(0, 300) }
      port.check({ rule: 'AU-PRM-02', keyword: 'MUST', ok: false, say: 'resource-metadata-url-unsafe', values })
    }
  }
  // 2025-06-18 only had the header. If CORS hides the header from the page, the well-known URLs are all that is left.
  if (!port.profile.has('wellKnownResource') && refused?.hidden !== true) return found
  for (const candidate of resourceMetadataUrls(server)) {
    if (!found.some(({ url }) => url === candidate.url)) found.push(candidate)
  }
  return found
}

const checkLocation = (port: Port, url: string, at: Source, failed?: string): void =>
  port.check({
    rule: at === 'header' ? 'AU-PRM-02' : 'AU-PRM-03',
    keyword: 'MUST',
    ...(failed === undefined ? { ok: true } : {}),
    say: failed === undefined ? 'resource-metadata-found' : 'resource-metadata-not-there',
    values: { url, at, ...(failed === undefined ? {} : { failed }) },
  })

const checkMetadata = async (known: SignInState, port: Port, document: JsonObject, url?: string): Promise<Learned> => {
  const { resource } = document
  const described = describesResource(resource, known.server, url)
  const [same, alike] = [described === 'same', described === 'covers']
  const values = { found: typeof resource === 'string' ? resource.slice(0, 500) : null, expected: known.server }
  await port.must(
    {
      rule: 'AU-PRM-05',
      keyword: 'MUST',
      // A parent on the same origin also covers the server; many servers describe it that way.
      ...(alike ? {} : { ok: same }),
      say: same ? 'resource-matches' : alike ? 'resource-covers' : 'resource-differs',
      values,
    },
    'resource-mismatch',
    values.found
      ? `The metadata describes the resource ${values.found}, not ${known.server}`
      : `The metadata has no resource; expected ${known.server}`,
  )
  const offered = Array.isArray(document.authorization_servers) ? document.authorization_servers : []
  const issuers = (offered as readonly unknown[]).filter((one) => typeof one === 'string').slice(0, 50)
  if (issuers.length === 0) {
    const supplied = await port.stop(
      fault('no-authorization-servers', 'The metadata lists no authorization server', 'AU-PRM-06'),
      ['metadata', 'go-on'],
    )
    if (supplied?.kind === 'metadata') return await checkMetadata(known, port, supplied.document)
    return { resourceMetadata: document, offered: [new URL(known.server).origin], byOrigin: true }
  }
  const offers = { count: issuers.length }
  port.check({ rule: 'AU-PRM-06', keyword: 'MUST', ok: true, say: 'servers-offered', values: offers })
  return { resourceMetadata: document, resourceMetadataUrl: url, offered: issuers }
}

/**
 * Nothing was found: older servers don't know this metadata and are their own authorization servers (AU-0326-01).
 * @param first the first fault of an existing document; absent if there is no metadata anywhere
 */
const withoutMetadata = async (known: SignInState, port: Port, first: Fault | undefined): Promise<Learned> => {
  const origin = new URL(known.server).origin
  const byOrigin = { offered: [origin], byOrigin: true } as const
  if (port.profile.tolerant && !first) {
    port.check({ rule: 'AU-0326-01', keyword: 'MUST', say: 'origin-is-issuer', values: { issuer: origin } })
    return byOrigin
  }
  const given = port.options.authorizationServer
  if (given !== undefined) return { offered: [given] }
  const why = first ?? fault('no-resource-metadata', 'No protected resource metadata was found', 'AU-PRM-04')
  const supplied = await port.stop(why, ['metadata', 'go-on'])
  if (supplied?.kind === 'metadata') return await checkMetadata(known, port, supplied.document)
  return byOrigin
}
