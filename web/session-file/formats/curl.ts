/** One HTTP request as a curl command line for a POSIX shell. */
import type { Frame, Seq } from '../../mcp/index.ts'
import { masksIn } from '../../secrets/redaction.ts'
import { textOfMessage } from './http-exchanges.ts'

/** curl sets these headers itself; a browser's values would be wrong elsewhere. */
const OWN: ReadonlySet<string> = new Set(['content-length', 'host', 'connection', 'accept-encoding'])

/**
 * The exchange of `request`, a frame of kind `http`. A header with a masked secret takes its value from a shell
 * variable such as `$AUTHORIZATION`.
 * @returns `undefined` if there is no such request, or its body is no longer in the session
 */
export const curlOf = (frames: readonly Frame[], request: Seq): string | undefined => {
  const head = frames[request]
  if (head?.kind !== 'http' || head.phase !== 'request') return undefined
  const message = frames.find(
    (frame) => frame.kind === 'message' && frame.direction === 'sent' && frame.carrier === request,
  )
  const body = message?.kind === 'message' ? textOfMessage(message) : head.body
  if (body === undefined && head.size > 0) return undefined
  const lines = [
    `curl -N${head.method === 'GET' ? '' : ` -X ${quoted(head.method)}`} ${quoted(head.url)}`,
    ...head.headers
      .filter(([name]) => !OWN.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${header(name, value)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

const header = (name: string, value: string): string => {
  const masked = masksIn(value).length > 0
  // An empty header is written with a semicolon; with a colon, curl removes it.
  if (!masked) return quoted(value === '' ? `${name};` : `${name}: ${value}`)
  const variable = name
    .toUpperCase()
    .replace(/[^A-Z\d]+/g, '_')
    .replace(/^(?=\d)/, '_')
  const scheme = /^[A-Za-z]+ (?=•)/.exec(value)?.[0] ?? ''
  return `${quoted(`${name}: ${scheme}`)}"$${variable}"`
}

/** Quotes any text as one word. Drops characters that no argument can contain. */
const quoted = (word: string): string => `'${word.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`
