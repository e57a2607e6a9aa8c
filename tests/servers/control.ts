/**
 * HTTP access to a peer's controls, for tests in a page, which have its URL but no reference to it.
 *
 *     <origin>/control/<name>/<place>     JSON in (or nothing), JSON out; the place is the path of the MCP endpoint
 *
 * Places isolate tests: a test's changes to its place don't affect any other.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowPages, bodyOf } from './listening.ts'

/**
 * A request a place received, in order of arrival. Preflights are left out, because the browser sends them, not the
 * client.
 */
export interface Seen {
  readonly method: string
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  /** The body, if the peer reads it itself. */
  readonly message?: unknown
}

/** No test needs more, and a runaway client must not fill the memory. */
const MOST_SEEN = 10_000

export const record = (seen: Seen[], request: IncomingMessage, message?: unknown): void => {
  if (seen.length >= MOST_SEEN) return
  seen.push({ method: request.method ?? '', headers: request.headers, ...(message === undefined ? {} : { message }) })
}

type Controls = Readonly<Record<string, (place: string, body: { readonly [key: string]: unknown }) => unknown>>

/**
 * Handles requests to the controls: 404 for unknown ones, 400 with the reason for a failed one.
 *
 * @returns whether the request has already been answered
 */
export const answerControl = async (
  request: IncomingMessage,
  response: ServerResponse,
  controls: Controls,
): Promise<boolean> => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const [, name, place] = /^\/control\/([\w-]+)(\/.*)$/.exec(pathname) ?? []
  if (name === undefined || place === undefined) return false
  if (allowPages(request, response)) return true
  const say = (status: number, body: unknown) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  const control = controls[name]
  if (!control) return (say(404, { error: `No control ${name}; there are ${Object.keys(controls).join(', ')}` }), true)
  try {
    const text = await bodyOf(request)
    const answer: unknown = await control(place, JSON.parse(text || '{}') as Record<string, unknown>)
    say(200, answer ?? null)
  } catch (error) {
    say(400, { error: String(error) })
  }
  return true
}

/**
 * Calls a control, in Node or in a page.
 *
 *     await control(url, 'cut-after', { events: 3 })
 *
 * @param url the MCP endpoint, including the place
 * @throws {Error} with the peer's error message
 */
export const control = async <Answer = unknown>(url: string, name: string, body: object = {}): Promise<Answer> => {
  const { origin, pathname } = new URL(url)
  const response = await fetch(`${origin}/control/${name}${pathname}`, { method: 'POST', body: JSON.stringify(body) })
  const answer = (await response.json()) as Answer
  if (!response.ok) throw new Error(`${name} ${pathname}: ${(answer as { error?: string }).error}`)
  return answer
}
