/**
 * What runs in the page: the client, with requests that go through a relay, because the servers of the suite send no
 * CORS headers. The page's own origin serves the relay.
 */
import { runConformance, type ConformanceRun } from './client.ts'
import { testRelay, type Via } from './via.ts'

/** All of it can be handed to a page. */
export interface PageRun extends Pick<ConformanceRun, 'serverUrl' | 'scenario' | 'context' | 'protocolVersion'> {
  readonly via: Via
}

export type RunInPage = (run: PageRun) => Promise<void>

const runInPage: RunInPage = async ({ via: _via, ...run }) =>
  await runConformance({
    ...run,
    fetch: testRelay(location.origin),
    redirectUri: `${location.origin}/oauth/callback.html`,
  })

Object.assign(globalThis, { runInPage })
