/** Parses a relay request: one line of JSON, followed by the raw body, which is not read here. */
import type { Context } from 'hono'
import type { Limits } from './limits.ts'
import { badRequest, Refusal, size } from './refusal.ts'
import { parsedUrl } from './public-address.ts'
import { isVariableList } from './requests.ts'
import type { RelayHeaders, RelayReferences, RelayRequest } from './wire.ts'

export interface IncomingRelayRequest {
  readonly request: RelayRequest
  readonly target: URL
  /** Bytes of the body, if the page announced them. */
  readonly length: number | undefined
  /** The body's chunks. Throws a Refusal (413) above the limit. */
  readonly body: AsyncGenerator<Uint8Array, void>
}

const MAX_HEADERS = 1024
const MAX_URL_LENGTH = 64 * 1024
const NEWLINE = 0x0a
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
/** The characters that Node sends unchanged, one byte each. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const REMEDY =
  'Send `{ "method": string, "url": string, "headers": [name, value][], "certificate"?: string, "decode"?: boolean, "publicOnly"?: boolean, "keepalive"?: boolean, "references"?: { "names": string[], "headers": number[], "origin": string } }` on one line, followed by the body.'

/** @throws {Refusal} 400, 413 */
export async function readRelayRequest(c: Context, limits: Limits): Promise<IncomingRelayRequest> {
  const announced = c.req.header('content-length')
  const total = announced === undefined ? undefined : Number(announced)
  if (total !== undefined && total > limits.relayHead + limits.relayBody) throw tooLarge(total, limits.relayBody)
  const stream = c.req.raw.body
  if (!stream) throw badRequest('The request has no header line.', REMEDY)
  const reader = stream.getReader()
  const { line, rest } = await readLine(reader, limits.relayHead)
  const request = parseRequest(line)
  const target = parseUrl(request.url)
  if (request.references && request.references.origin !== target.origin) {
    throw badRequest(
      `The environment variables are for ${request.references.origin.slice(0, 200)}, but the request goes to ${target.origin}.`,
      'Send references only to the server that the user connected to.',
    )
  }
  if (request.certificate !== undefined && target.protocol !== 'https:') {
    throw badRequest('`certificate` is only for https URLs.', REMEDY)
  }
  const length = total === undefined ? undefined : total - line.length - 1
  if (length !== undefined && length > limits.relayBody) throw tooLarge(length, limits.relayBody)
  return { request, target, length, body: readBody(reader, rest, limits.relayBody) }
}

async function* readBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: Uint8Array,
  limit: number,
): AsyncGenerator<Uint8Array, void> {
  let bytes = first.length
  let piece: Uint8Array | undefined = first
  while (piece) {
    if (bytes > limit) throw tooLarge(bytes, limit)
    if (piece.length > 0) yield piece
    piece = (await reader.read()).value
    bytes += piece?.length ?? 0
  }
}

async function readLine(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
): Promise<{ line: Uint8Array; rest: Uint8Array }> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw badRequest('The header line has no line end.', REMEDY)
    const end = value.indexOf(NEWLINE)
    const piece = end === -1 ? value : value.subarray(0, end)
    bytes += piece.length
    if (bytes > limit) {
      throw new Refusal(413, {
        code: 'too-large',
        message: `The header line exceeds ${size(limit)}.`,
        remedy: 'Send fewer or shorter headers.',
      })
    }
    pieces.push(piece)
    if (end !== -1) return { line: Buffer.concat(pieces, bytes), rest: value.subarray(end + 1) }
  }
}

function parseRequest(line: Uint8Array): RelayRequest {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
  } catch {
    throw badRequest("The header line isn't JSON.", REMEDY)
  }
  if (typeof value !== 'object' || value === null) throw badRequest("The header line isn't a JSON object.", REMEDY)
  const {
    method,
    url,
    headers,
    certificate,
    decode = false,
    publicOnly = false,
    keepalive = false,
    references,
  } = value as Record<string, unknown>
  if (typeof method !== 'string' || method.length > 64 || !TOKEN.test(method)) {
    throw badRequest("`method` isn't an HTTP method.", REMEDY)
  }
  if (/^(connect|trace|track)$/i.test(method)) {
    throw badRequest(`"${method}" can't be relayed.`, "Use another method. Browsers don't allow this one either.")
  }
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH) throw badRequest("`url` isn't a URL.", REMEDY)
  for (const [name, flag] of Object.entries({ decode, publicOnly, keepalive })) {
    if (typeof flag !== 'boolean') throw badRequest(`\`${name}\` must be true or false.`, REMEDY)
  }
  const flags = { decode, publicOnly, keepalive } as Record<'decode' | 'publicOnly' | 'keepalive', boolean>
  if (certificate !== undefined && !isFingerprint(certificate)) {
    throw badRequest("`certificate` isn't the SHA-256 fingerprint of a certificate.", REMEDY)
  }
  const pairs = parseHeaders(headers)
  return {
    ...{ method, url, headers: pairs, ...flags },
    ...(certificate === undefined ? {} : { certificate }),
    ...(references === undefined ? {} : { references: parseReferences(references, pairs.length) }),
  }
}

const isFingerprint = (value: unknown): value is string =>
  typeof value === 'string' && /^([\dA-F]{2}:){31}[\dA-F]{2}$/.test(value)

/** Anything but a header's value is refused: a URL or a body may contain text of someone else (rule 19). */
function parseReferences(value: unknown, count: number): RelayReferences {
  const { names, headers, origin, ...others } =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const isIndex = (index: unknown): index is number =>
    Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < count
  const valid = isVariableList(names) && Array.isArray(headers) && headers.every(isIndex) && typeof origin === 'string'
  if (valid && Object.keys(others).length === 0) return { names, headers, origin }
  throw badRequest('Environment variables can only be inserted into the values of headers.', REMEDY)
}

function parseHeaders(headers: unknown): RelayHeaders {
  if (!Array.isArray(headers) || headers.length > MAX_HEADERS) {
    throw badRequest(`\`headers\` must be an array of at most ${MAX_HEADERS} pairs.`, REMEDY)
  }
  return headers.map((pair: unknown) => {
    const [name, value] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
    if (typeof name !== 'string' || !TOKEN.test(name)) {
      throw badRequest(
        `"headers" contains an invalid header name: "${String(name).slice(0, 80)}".`,
        'Use letters, digits and hyphens.',
      )
    }
    // The message leaves the value out: it may be a secret.
    if (typeof value !== 'string' || !VALUE.test(value)) {
      throw badRequest(
        `The value of the header "${name.slice(0, 80)}" contains characters that HTTP headers can't carry.`,
        'Remove line breaks and control characters, and encode characters beyond Latin-1 as ASCII.',
      )
    }
    return [name, value] as const
  })
}

function parseUrl(text: string): URL {
  const url = parsedUrl(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw badRequest(
      `"${text.slice(0, 200)}" isn't an http or https URL.`,
      'Write the complete URL, such as http://localhost:3000/mcp.',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw badRequest(
      'The URL contains a user name or a password.',
      'Remove it from the URL, and send it in an "Authorization" header.',
    )
  }
  return url
}

function tooLarge(bytes: number, limit: number): Refusal {
  return new Refusal(413, {
    code: 'too-large',
    message: `The request body is ${size(bytes)} or larger. The limit is ${size(limit)}.`,
    remedy: 'Send less at a time.',
  })
}
