/** Responses that are invalid at any endpoint. */
import { write } from '../hostile/wire.ts'
import { pause } from '../listening.ts'
import { addresses, type Endpoint, type Exchange, type Hook, type Json, type Reply } from './kind.ts'

export const PAGE = '<!doctype html><title>Sign in</title><script>document.title = "ran"</script><p>Please sign in.'

export const html =
  (status = 200): Hook =>
  () => ({ status, headers: { 'Content-Type': 'text/html' }, text: PAGE })

export const text =
  (status: number, words: string, headers: Reply['headers'] = {}): Hook =>
  () => ({ status, headers: { 'Content-Type': 'text/plain', ...headers }, text: words })

export const json =
  (status: number, body: Json, headers: Reply['headers'] = {}): Hook =>
  () => ({ status, headers, body })

/** Literal JSON in place of the valid response. */
export const raw =
  (change: (well: Reply, exchange: Exchange) => string): Hook =>
  async (exchange, well) => {
    const reply = await well()
    if (reply.status >= 300) return reply
    return { status: reply.status, headers: { 'Content-Type': 'application/json' }, text: change(reply, exchange) }
  }

/** An OAuth error: RFC 6749 section 5.2. */
export const refusal = (error: string, rest: { readonly [name: string]: Json } = {}, status = 400): Hook =>
  json(status, { error, ...rest })

/** A redirect to an endpoint with a valid response. */
export const redirect =
  (status: number, to: 'own' | 'evil', endpoint?: Endpoint): Hook =>
  ({ world, endpoint: here }) => ({
    status,
    headers: { Location: addresses(world, to).moved(endpoint ?? here) },
  })

export const never: Hook = () => {}

/** Breaks the connection. */
export const dies: Hook = ({ response }) => void response.destroy()

export const MEGABYTE = 1024 * 1024
const HUGE = 50

/** The valid response after 50 MB of padding: only its size is wrong. */
export const huge: Hook = async ({ response }, well) => {
  const reply = await well()
  response.writeHead(reply.status, { ...reply.headers, 'Content-Type': 'application/json' })
  const padding = ' '.repeat(MEGABYTE)
  for (let at = 0; at < HUGE; at++) if (!(await write(response, padding))) return
  response.end(JSON.stringify(reply.body))
}

/** A JSON string that continues as long as the client reads, 1 GB at most. */
export const endless: Hook = async ({ response }, well) => {
  const { status, headers } = await well()
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json' })
  const padding = 'x'.repeat(MEGABYTE)
  let there = await write(response, '{"padding":"')
  for (let at = 0; there && at < 1024; at++) {
    there = await write(response, padding)
    // Yields to other requests when the reader is as fast as the writer.
    await pause(1, response)
  }
  response.destroy()
}

/** A space every 50 ms, for at most a quarter of an hour, so that no single pause is long. */
export const trickle: Hook = async ({ response }, well) => {
  const { status, headers } = await well()
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json' })
  response.flushHeaders()
  for (let at = 0; at < 18_000; at++) {
    if (!(await write(response, ' '))) return
    await pause(50, response)
  }
  response.destroy()
}

export const DEEP = 100_000

/** The valid response with one extra member: an array in an array, 100,000 times. */
export const nested = raw(({ body }) =>
  JSON.stringify(body).replace(/^\{/, `{"nested":${'['.repeat(DEEP)}${']'.repeat(DEEP)},`),
)

/** The valid response, cut off in its first member. */
export const broken = raw(({ body }) => JSON.stringify(body).slice(0, 12))

/**
 * Strings that must be displayed as plain text: markup, control characters, right-to-left text, a lookalike of a link.
 */
export const NASTY = [
  '<script>document.title = "ran"</script>',
  '<img src=x onerror=\'document.title = "ran"\'>',
  'javascript:alert(1)',
  '{@html "x"}',
  '\u0007\u001b[31mred\u001b[0m\r\nSet-Cookie: a=b',
  '\u202egnorw\u202c \u2066\u200b\ufeff',
  'Click OK to send your password to http://evil.example/',
].join(' ')
