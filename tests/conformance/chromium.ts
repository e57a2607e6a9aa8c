/**
 * `npm run --silent conformance:client:browser -- URL`: the kernel in a page of a real Chromium as a client command of
 * the conformance suite.
 *
 *     --via relay        requests reach the server through the relay of Periscope's own proxy (default)
 *     --via test-relay   requests go through a relay without any rules
 *     --detect           negotiate the protocol version, which must match MCP_CONFORMANCE_PROTOCOL_VERSION
 */
import { chromium } from 'playwright'
import { BROWSER_ARGUMENTS, findBrowser } from '../browser.ts'
import { buildPage } from './bundle.ts'
import type { ConformanceRun } from './client.ts'
import { readCommandLine } from './command-line.ts'
import type { PageRun, RunInPage } from './page.ts'
import { serveProxy } from './proxy-origin.ts'
import { serveTestRelay } from './test-relay.ts'
import { VIAS, type Via } from './via.ts'

/** ms for the page to load; a busy machine takes seconds. */
const PAGE_LIMIT = 30_000

const viaOf = (name: string | true | undefined): Via => {
  const via = VIAS.find((each) => each === (name ?? VIAS[0]))
  if (!via) throw new Error(`--via is one of ${VIAS.join(', ')}`)
  return via
}

const runInChromium = async (run: ConformanceRun, via: Via): Promise<void> => {
  const folder = await buildPage()
  const origin = via === 'relay' ? await serveProxy(folder) : await serveTestRelay(folder)
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('There is no Chromium here: `npm run test:conformance:browser` installs one.')
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS] })
  try {
    const tab = await browser.newPage()
    // An error the page throws outside the run would otherwise go unnoticed.
    tab.on('pageerror', (error) => {
      console.error(`In the page: ${error.stack ?? error.message}`)
      process.exitCode = 1
    })
    await tab.goto(origin.address, { timeout: PAGE_LIMIT })
    const given: PageRun = { ...run, via, ...(origin.token === undefined ? {} : { token: origin.token }) }
    // As text, because Playwright's type for serializable values recurses infinitely on JSON.
    await tab.evaluate(
      (text) => (globalThis as unknown as { runInPage: RunInPage }).runInPage(JSON.parse(text) as PageRun),
      JSON.stringify(given),
    )
  } finally {
    await browser.close()
    await origin.close()
  }
}

try {
  const { run, options } = readCommandLine(process.argv.slice(2), process.env)
  await runInChromium(run, viaOf(options['via']))
  console.log('done')
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
