/**
 * Runs in the page: the client, with requests sent through a relay, because the suite's servers send no CORS headers.
 * The page's own origin serves the relay.
 */
import { relayFetch } from '../../web/mcp/transports/relay.ts'
import { runConformance, type ConformanceRun } from './client.ts'
import { LOCATION, TEST_RELAY, type Via } from './via.ts'

/** Serializable, so that it can be passed to a page. */
export interface PageRun extends Pick<
  ConformanceRun,
  'serverUrl' | 'scenario' | 'context' | 'protocolVersion' | 'detect'
> {
  readonly via: Via
  /** The token of our own proxy, if that serves the page. */
  readonly token?: string
}

export type RunInPage = (run: PageRun) => Promise<void>

const runInPage: RunInPage = async ({ via, token = '', ...run }) =>
  await runConformance({
    ...run,
    ...(via === 'relay'
      ? { fetch: relayFetch({ base: `${location.origin}/`, token }) }
      : { fetch: testRelay, authorize }),
    redirectUri: `${location.origin}/oauth/callback.html`,
  })

/** Has no rules: it shows what the kernel does when nothing interferes. */
const testRelay: typeof fetch = (input, init) => {
  const to = input instanceof Request ? input.url : String(input)
  return fetch(`${TEST_RELAY}?to=${encodeURIComponent(to)}`, init)
}

/** The suite's authorization servers redirect the browser back in their first response. */
const authorize = async (url: URL): Promise<URL> => {
  const answer = await fetch(`${TEST_RELAY}?to=${encodeURIComponent(url.href)}&${LOCATION}`)
  if (!answer.ok) throw new Error(`${url.href} sends nobody back`)
  return new URL(await answer.text())
}

Object.assign(globalThis, { runInPage })
