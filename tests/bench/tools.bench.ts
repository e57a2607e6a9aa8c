/**
 * A thousand tools of forty fields each: the elements and memory the list needs, how fast its filter responds to a key,
 * and how long until a tool with its form is on screen. Times are the best of several (see `weights.bench.ts`).
 */
import type { CDPSession, Page } from '@playwright/test'
import { startPeriscope } from '../e2e/global-setup.ts'
import { startHeavy } from './heavy.ts'
import { allowNames, openBrowser } from './page.ts'
import type { Bench } from './run.ts'

const RUNS = 5

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)

const heap = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

/** ms from an event in the page to the frame that shows its effect. */
const untilPainted = (page: Page, act: { readonly type?: string; readonly click?: string }): Promise<number> =>
  page.evaluate(async ({ type, click }) => {
    const begun = performance.now()
    if (type !== undefined) {
      const input = document.querySelector<HTMLInputElement>('[data-testid=tool-filter]')!
      input.value = type
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
    if (click !== undefined) {
      document.querySelector<HTMLElement>(`[data-testid=tool-item][data-name="${click}"]`)!.click()
      const fields = () => document.querySelectorAll('[data-testid=tool-detail] [data-testid=field]').length
      const detail = () => document.querySelector('[data-testid=tool-detail]')?.getAttribute('aria-label')
      const ready = () => detail() === click && fields() > 0
      while (!ready() && performance.now() - begun < 5000) await new Promise((next) => requestAnimationFrame(next))
    }
    await new Promise((next) => requestAnimationFrame(next))
    await new Promise<void>((next) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => next()
      port2.postMessage(null)
    })
    return performance.now() - begun
  }, act)

const bench: Bench = async () => {
  const [heavy, periscope, browser] = await Promise.all([startHeavy(), startPeriscope([]), openBrowser()])
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await allowNames(page)
    const session = await page.context().newCDPSession(page)
    await page.goto(periscope.address)
    await page.getByTestId('connect-input').fill(`${heavy.url}/json`)
    await page.getByTestId('connect-input').press('Enter')
    await page.locator('[data-testid=tool-item]').first().waitFor()
    await page.waitForTimeout(1000)
    const closed = await elements(page)
    const memory = await heap(session)

    let key = 0
    for (const typed of ['t', 'th', 'thi', 'thin', 'thing', 'thing_', 'thing_9', 'thing_99', 'thing_9', 'thing', '']) {
      const times: number[] = []
      for (let run = 0; run < RUNS; run++) {
        await untilPainted(page, { type: `${typed} x` })
        times.push(await untilPainted(page, { type: typed }))
      }
      key = Math.max(key, Math.min(...times))
    }

    await untilPainted(page, { type: 'thing_90' })
    const openings: number[] = []
    for (const at of [900, 901, 902, 903, 904, 905, 906]) {
      const name = `${['read', 'write', 'find', 'delete'][at % 4]}_thing_${at}`
      openings.push(await untilPainted(page, { click: name }))
      await page.waitForTimeout(300)
    }
    // The first opening also loads the form's code.
    const opening = Math.min(...openings.slice(1))
    const open = await elements(page)
    const later = await heap(session)
    return [
      { name: 'tools-1000-elements', value: closed, unit: 'elements', limit: 1000 },
      { name: 'tools-1000-elements-one-open', value: open, unit: 'elements', limit: 1500 },
      { name: 'tools-1000-filter-key', value: key, unit: 'ms', limit: 50 },
      { name: 'tools-1000-open', value: opening, unit: 'ms', limit: 100 },
      { name: 'tools-1000-memory', value: Math.max(memory, later) / 1e6, unit: 'MB', limit: 150 },
    ]
  } finally {
    await Promise.all([browser.close(), heavy.close(), periscope.close()])
  }
}

export default bench
