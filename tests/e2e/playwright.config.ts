/**
 * End to end: the built page, served by the real proxy, in Chromium.
 *
 * `global-setup.ts` starts the proxy and the peers; tests find them through `stage.ts`.
 *
 * To see what a test did: `npx playwright test -c tests/e2e NAME --trace on`.
 */
import { defineConfig } from '@playwright/test'
import { BROWSER_ARGUMENTS, findBrowser } from '../browser.ts'
import { slowness } from '../speed.ts'

/**
 * Each test opens a document of its own, in which most functions run a few times. Compiling them to optimized code takes
 * a tenth of the CPU time of all journeys, and the document is discarded before it pays.
 */
const UNOPTIMIZED = '--js-flags=--no-opt,--no-maglev'

const report = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE']

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './global-setup.ts',
  // Pages spend more time waiting than computing. Each worker has its own page, each file its own places at the peers.
  workers: 3,
  fullyParallel: false,
  // A test that only passes on retry hides a bug.
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  // Limits end what hangs, so they count for each step. How long a whole journey takes depends on the machine: its limit
  // is only reached where a step has none, such as a function that the page never finishes.
  timeout: 300_000 * slowness(),
  expect: { timeout: 15_000 * slowness() },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    actionTimeout: 30_000 * slowness(),
    navigationTimeout: 30_000 * slowness(),
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    launchOptions: { executablePath: findBrowser(), args: [...BROWSER_ARGUMENTS, UNOPTIMIZED] },
  },
})
