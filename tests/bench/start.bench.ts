/**
 * From process start to a usable page, in a browser that is already open. The limit is half of what the official
 * inspector took on the reference machine (2.4 s).
 */
import { startPeriscope } from '../e2e/global-setup.ts'
import { openBrowser } from './page.ts'
import type { Bench } from './run.ts'

const RUNS = 5
const LIMIT = 1200

const bench: Bench = async () => {
  const browser = await openBrowser()
  const times: number[] = []
  try {
    for (let run = 0; run < RUNS; run++) {
      const page = await (await browser.newContext()).newPage()
      const begun = performance.now()
      const periscope = await startPeriscope([])
      await page.goto(periscope.address, { waitUntil: 'commit' })
      await page.getByTestId('connect-input').waitFor()
      times.push(performance.now() - begun)
      await page.context().close()
      await periscope.close()
    }
  } finally {
    await browser.close()
  }
  times.sort((a, b) => a - b)
  return [{ name: 'start-to-usable-page', value: times[Math.floor(RUNS / 2)]!, unit: 'ms', limit: LIMIT }]
}

export default bench
