/** What a connection is waiting for: a server that hangs is explained long before its time limit. */
import type { NetworkVerdict } from '../../doctor/index.ts'
import { type Connection, SILENCE } from '../server/index.ts'

export type Silence =
  /** The page has no connection to the server left. */
  | { readonly is: 'queued'; readonly open: number }
  /** No headers of a response. `network`: what the local proxy found, once it has. */
  | { readonly is: 'headers'; readonly network?: NetworkVerdict }
  /** A stream, but no message on it. */
  | { readonly is: 'event'; readonly status: number }
  /** Headers, but no complete body. */
  | { readonly is: 'body'; readonly status: number }
  /** A process that has written nothing to stdout. */
  | { readonly is: 'process'; readonly downloads: boolean }
  /** A process that has written only other lines. */
  | { readonly is: 'noise' }

/** Programs that may download packages before they start a server. */
const DOWNLOADS = /^(?:.*[\\/])?(?:npx|bunx|pnpx|pnpm|yarn|npm|uvx|uv|pipx|docker|podman|deno|dotnet|go)(?:\.\w+)?$/

/**
 * @param now ms since the trace began
 * @returns `undefined` unless the other side has been silent for at least 2 s. A probe that a process ignores isn't
 * silence: older servers do
 */
export const silenceOf = (
  { state, steps, http, process }: Connection,
  now: number,
  network?: NetworkVerdict,
): Silence | undefined => {
  const step = steps.at(-1)
  if (state !== 'connecting' || step?.outcome !== 'running') return undefined
  if (process.spawn) {
    if (step.step !== 'waiting-for-answer' || now - step.at < SILENCE) return undefined
    return process.noise > 0 ? { is: 'noise' } : { is: 'process', downloads: DOWNLOADS.test(process.spawn.command) }
  }
  if (!http || now - (http.answeredAt ?? http.at) < SILENCE) return undefined
  if (http.response === undefined || http.status === undefined) {
    if (http.queued !== undefined) return { is: 'queued', open: http.queued }
    return network ? { is: 'headers', network } : { is: 'headers' }
  }
  const isStream = /^\s*text\/event-stream/i.test(http.contentType ?? '')
  return { is: isStream ? 'event' : 'body', status: http.status }
}
