/** A recorded HTTP request as a cURL script or as JavaScript's `fetch`. */
import { hasSpelling, stringify, type ValueObject } from '../../json/index.ts'
import { type CodeOrNot, OWN_HEADERS, type SentRequest } from './request.ts'
import { jsonEscape, type Parts, partsOf, plainText, withoutUnseen } from './text.ts'
import { javascriptText, javascriptValue } from './typescript.ts'

/** POSIX shells take everything between single quotes as it is. */
const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Between double quotes, a shell still reads these. */
const double = (text: string): string => text.replaceAll(/["\\$`]/g, '\\$&')

const word = (parts: Parts): string => {
  const plain = plainText(parts)
  if (plain === undefined)
    return `"${parts.map((part) => (typeof part === 'string' ? double(part) : `$${part.variable}`)).join('')}"`
  return /^[\w@%+:,./-]+$/.test(plain) && !plain.startsWith('-') ? plain : single(plain)
}

/** Secrets within a message become variables, whose values must be the insides of JSON strings. */
const jsonWord = (message: ValueObject): string =>
  partsOf(withoutUnseen(stringify(message), jsonEscape), 'secret')
    .map((part) => (typeof part === 'string' ? single(part) : `"$${part.variable}"`))
    .join('')

const SESSION = 'mcp-session-id'

/** A header as the argument of `-H`; `$SESSION` is the session that the lines above opened. */
const headerWord = ([name, value]: readonly [string, string]): string =>
  name.toLowerCase() === SESSION ? `"${name}: $SESSION"` : word([`${name}: `, ...partsOf(value, name, true)])

/** A stream that stays open beside the requests is more than a few lines. */
const NO_HTTP: CodeOrNot = { notes: ['transport'] }

/** @returns a shell script; a session is opened first if the request belonged to one */
export const curlOf = ({ message, http, initialize }: SentRequest): CodeOrNot => {
  if (!http || http.stream !== undefined) return NO_HTTP
  const headers = http.headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
  const url = word(partsOf(http.url, 'url', true))
  const post = (body: ValueObject, sent: typeof headers, options: string) =>
    [`curl -sS${options} ${url}`, ...sent.map((header) => `  -H ${headerWord(header)}`), `  -d ${jsonWord(body)}`].join(
      ' \\\n',
    )
  if (!initialize || !headers.some(([name]) => name.toLowerCase() === SESSION))
    return { notes: [], text: `${post(message, headers, ' -N')}\n` }
  const before = headers.filter(([name]) => !/^(?:mcp-session-id|mcp-protocol-version)$/i.test(name))
  return {
    notes: [],
    text: [
      `SESSION=$(${post(initialize, before, ' -o /dev/null -D -')} | tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss][Ee][Ss][Ss][Ii][Oo][Nn]-[Ii][Dd]: *//p')`,
      post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers, ' -o /dev/null'),
      `${post(message, headers, ' -N')}\n`,
    ].join('\n'),
  }
}

/** @returns JavaScript for a module of Node or a page */
export const fetchOf = ({ message, http }: SentRequest): CodeOrNot => {
  if (!http || http.stream !== undefined) return NO_HTTP
  const headers = http.headers
    .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => `    ${javascriptText([name])}: ${javascriptText(partsOf(value, name, true))},\n`)
  // An object would lose the notation of its numbers.
  const body = hasSpelling(message)
    ? javascriptText(partsOf(stringify(message), 'secret'))
    : `JSON.stringify(${javascriptValue(message, '  ')})`
  return {
    notes: [],
    text: `const response = await fetch(${javascriptText(partsOf(http.url, 'url', true))}, {
  method: 'POST',
  headers: {
${headers.join('')}  },
  body: ${body},
})
console.log(response.status, await response.text())
`,
  }
}
