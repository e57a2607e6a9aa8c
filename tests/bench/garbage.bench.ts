/**
 * A server responds to every call with garbage, one kind at a time and then all kinds again. No main-thread task may
 * exceed 50 ms of CPU time, the session must stay open, and the lint rules must report something.
 */
import { start as startEras } from '../servers/eras/index.ts'
import { garbageKinds } from '../servers/garbage-kinds.ts'
import { startPeriscope } from '../e2e/global-setup.ts'
import { longestWork } from '../main-thread.ts'
import { openBrowser, ROW } from './page.ts'
import type { Bench } from './run.ts'

const CALLS = Object.keys(garbageKinds).length

const bench: Bench = async () => {
  const [eras, periscope, browser] = await Promise.all([startEras(), startPeriscope([]), openBrowser()])
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(periscope.address)
    await page.getByTestId('connect-input').fill(`${eras.url}/garbage/bench?kind=all&then=answer&as=sse&era=handshake`)
    await page.getByTestId('connect-input').press('Enter')
    await page.locator('[data-testid=tool-item]').first().click()
    await page.locator(ROW).first().waitFor()
    await page.getByTestId('tool-run').click()
    await page.waitForTimeout(1500)
    const longest = await longestWork(browser, page, async () => {
      for (let call = 0; call < CALLS; call++) {
        // Enabled again once the previous call settles, whatever its result.
        await page.getByTestId('tool-run').click({ timeout: 15_000 })
      }
      await page.waitForTimeout(1500)
    })
    const state = await page.getByTestId('connection-state').first().getAttribute('data-state')
    const counts = await page.getByTestId('trace-findings').allTextContents()
    const found = counts.reduce((sum, text) => sum + Number(text.replace(/\D/g, '')), 0)
    return [
      { name: 'garbage-longest-task', value: longest, unit: 'ms', limit: 50 },
      { name: 'garbage-sessions-lost', value: state === 'open' ? 0 : 1, unit: 'sessions', limit: 0 },
      { name: 'garbage-calls-without-finding', value: Math.max(0, CALLS - found), unit: 'calls', limit: 0 },
    ]
  } finally {
    await Promise.all([browser.close(), eras.close(), periscope.close()])
  }
}

export default bench
