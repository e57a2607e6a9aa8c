/**
 * Fixtures for the callback page tests: the waiting side, which is `web/oauth/` itself loaded into the real page, and a
 * sign-in page on another site.
 */
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import type * as consents from '../../web/oauth/consent/consent.ts'
import type * as returns from '../../web/oauth/consent/return.ts'
import { listen } from '../servers/listening.ts'
import { expect, test as base } from './stage.ts'

/** What the page exposes as `PeriscopeOAuth` after `prepare`. */
export type OAuth = typeof consents & typeof returns
/** The modules under test as one script that assigns them to `PeriscopeOAuth`. */
const bundled = async (): Promise<string> => {
  const files = ['consent', 'return'].map((name) => new URL(`../../web/oauth/consent/${name}.ts`, import.meta.url))
  const source = files.map(({ pathname }) => `export * from ${JSON.stringify(pathname)}`).join('\n')
  const [built] = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id.endsWith('oauth') ? 'oauth' : null),
        load: (id) => (id === 'oauth' ? source : null),
      },
    ],
    build: { write: false, minify: false, lib: { entry: 'oauth', formats: ['iife'], name: 'PeriscopeOAuth' } },
  })) as Rolldown.RolldownOutput[]
  return built!.output[0].code
}

/** A third-party sign-in page: a link back, and what it can see of its opener. */
const SIGN_IN = `<!doctype html><html lang="en"><title>Sign in</title><body><a id="go">Sign in</a>
<script>
  document.getElementById('go').href = new URLSearchParams(location.search).get('to')
  document.body.dataset.opener = String(window.opener)
</script></body></html>`

export const test = base.extend<
  { root: string; callback: string; prepare: (page: Page) => Promise<void> },
  { script: string; stranger: string }
>({
  script: [async ({}, use) => use(await bundled()), { scope: 'worker' }],
  stranger: [
    async ({}, use) => {
      const server = createServer((request, response) => {
        const coop = new URL(request.url!, 'http://x').searchParams.get('coop')
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        if (coop) response.setHeader('Cross-Origin-Opener-Policy', coop)
        response.end(SIGN_IN)
      })
      const { url, close } = await listen(server)
      // This host name makes it a different site from the page.
      await use(url.replace('127.0.0.1', 'localhost'))
      await close()
    },
    { scope: 'worker' },
  ],
  root: async ({ address }, use) => use(new URL('/', address).href),
  callback: async ({ root }, use) => use(`${root}oauth/callback.html`),
  prepare: async ({ fresh, script }, use) =>
    use(async (page) => {
      await page.goto(await fresh())
      await expect(page.getByTestId('connect-input')).toBeVisible()
      await page.evaluate(script)
    }),
})
