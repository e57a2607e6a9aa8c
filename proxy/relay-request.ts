/** Reads what the page wants relayed: one line of JSON, and behind it the raw body, which is not read here. */
import type { Context } from 'hono'
import type { Limits } from './limits.ts'
import { badRequest, Refusal, size } from './refusal.ts'
import { parsedUrl } from './url.ts'
import type { RelayHeaders, RelayRequest } from './wire.ts'

export interface Asked {
  readonly request: RelayRequest
  readonly target: URL
  /** Bytes of the body, where the page announced them. */
  readonly length: number | undefined
  /** The pieces of the body. Throws a Refusal (413) once they are over the bound. */
  readonly body: AsyncGenerator<Uint8Array, void>
}

const MOST_HEADERS = 1024
const LONGEST_URL = 64 * 1024
const NEWLINE = 0x0a
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
/** What Node sends as it is: one byte for each character, and no line ends. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const REMEDY =
  'Send `{ "method": string, "url": string, "headers": [name, value][], "insecureTls"?: boolean, "decode"?: boolean, "publicOnly"?: boolean, "keepalive"?: boolean }` on one line, and the body behind it.'

/** @throws {Refusal} 400, 413 */
export async function readRelayRequest(c: Context, limits: Limits): Promise<Asked> {
  const announced = c.req.header('content-length')
  const total = announced === undefined ? undefined : Number(announced)
  if (total !== undefined && total > limits.relayHead + limits.relayBody) throw tooLarge(total, limits.relayBody)
  const stream = c.req.raw.body
  if (!stream) throw badRequest('There is no line that says what to relay.', REMEDY)
  const reader = stream.getReader()
  const { line, rest } = await readLine(reader, limits.relayHead)
  const request = check(line)
  const target = checkUrl(request.url)
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
    if (done) throw badRequest('The line that says what to relay has no end.', REMEDY)
    const end = value.indexOf(NEWLINE)
    const piece = end === -1 ? value : value.subarray(0, end)
    bytes += piece.length
    if (bytes > limit) {
      throw new Refusal(413, {
        code: 'too-large',
        message: `The line that says what to relay has over ${size(limit)}.`,
        remedy: 'Send fewer or shorter headers.',
      })
    }
    pieces.push(piece)
    if (end !== -1) return { line: Buffer.concat(pieces, bytes), rest: value.subarray(end + 1) }
  }
}

function check(line: Uint8Array): RelayRequest {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
  } catch {
    throw badRequest('The line that says what to relay is not JSON.', REMEDY)
  }
  if (typeof value !== 'object' || value === null) throw badRequest('What to relay is not a JSON object.', REMEDY)
  const {
    method,
    url,
    headers,
    insecureTls = false,
    decode = false,
    publicOnly = false,
    keepalive = false,
  } = value as Record<string, unknown>
  if (typeof method !== 'string' || method.length > 64 || !TOKEN.test(method)) {
    throw badRequest('`method` is not an HTTP method.', REMEDY)
  }
  if (/^(connect|trace|track)$/i.test(method)) {
    throw badRequest(`\`${method}\` cannot be relayed.`, 'Use another method, as a page has to.')
  }
  if (typeof url !== 'string' || url.length > LONGEST_URL) throw badRequest('`url` is not an address.', REMEDY)
  for (const [name, flag] of Object.entries({ insecureTls, decode, publicOnly, keepalive })) {
    if (typeof flag !== 'boolean') throw badRequest(`\`${name}\` is neither true nor false.`, REMEDY)
  }
  const flags = { insecureTls, decode, publicOnly, keepalive } as Record<
    'insecureTls' | 'decode' | 'publicOnly' | 'keepalive',
    boolean
  >
  return { method, url, headers: checkHeaders(headers), ...flags }
}

function checkHeaders(headers: unknown): RelayHeaders {
  if (!Array.isArray(headers) || headers.length > MOST_HEADERS) {
    throw badRequest(`\`headers\` is not a list of at most ${MOST_HEADERS} pairs.`, REMEDY)
  }
  return headers.map((pair: unknown) => {
    const [name, value] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
    if (typeof name !== 'string' || !TOKEN.test(name)) {
      throw badRequest(
        `\`headers\` has a name that no header can have: \`${String(name).slice(0, 80)}\`.`,
        'Use letters, digits and `-`.',
      )
    }
    // The value is no part of the message: it may be a secret.
    if (typeof value !== 'string' || !VALUE.test(value)) {
      throw badRequest(
        `The value of the header \`${name.slice(0, 80)}\` has characters that no header can carry.`,
        'Leave out line ends and control characters, and write others than Latin-1 in an encoding of ASCII.',
      )
    }
    return [name, value] as const
  })
}

function checkUrl(text: string): URL {
  const url = parsedUrl(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw badRequest(
      `\`${text.slice(0, 200)}\` is not an http or https address.`,
      'Write it whole, such as http://localhost:3000/mcp.',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw badRequest(
      'The address holds a user name or a password.',
      'Take it out, and send it in an `Authorization` header.',
    )
  }
  return url
}

function tooLarge(bytes: number, limit: number): Refusal {
  return new Refusal(413, {
    code: 'too-large',
    message: `The body to relay has ${size(bytes)} or more, and the bound is ${size(limit)}.`,
    remedy: 'Send less at once.',
  })
}
