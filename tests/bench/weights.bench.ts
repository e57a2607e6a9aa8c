/**
 * Very large responses: five megabytes of text or JSON are on screen within 300 ms of their last byte, and no response
 * of any size, honest or hostile, causes a main-thread task over 50 ms. Measured over every transport.
 *
 * A busy machine delays a page more than the page itself does. So tasks are measured in CPU time, each response is
 * requested up to three times, and the best counts. A real regression would show in all three.
 */
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { startPeriscope } from '../e2e/global-setup.ts'
import { startHeavy } from './heavy.ts'
import { longestWork } from '../main-thread.ts'
import { allowNames, openBrowser } from './page.ts'
import type { Bench, Measure } from './run.ts'

const RUNS = 3
const TASK = 50
const PAINT = 300

/** Responses whose time to the screen has a limit. */
const TIMED = ['text-5mb', 'json-structured-5mb', 'json-text-5mb']
const HOSTILE = [
  'misfit-5mb',
  'line-10mb',
  'blocks-million',
  'deep-10000',
  'deep-5mb',
  'wide-million',
  'list-million',
  'keys-twice',
  'lone-surrogates',
  'not-json-5mb',
]

interface Painted {
  /** ms on the page's clock: the last bytes before the result, and the result on screen. */
  readonly bytes: number
  readonly screen: number
}

/** Records when bytes arrive and when another result is on screen. */
const watchResults = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const state = globalThis as unknown as { results: { bytes: number; screen: number }[] }
    state.results = []
    let bytes = 0
    const read = Object.getOwnPropertyDescriptor(ReadableStreamDefaultReader.prototype, 'read')!.value as (
      this: unknown,
    ) => Promise<ReadableStreamReadResult<Uint8Array>>
    ReadableStreamDefaultReader.prototype.read = async function (this: unknown) {
      const result = await read.call(this)
      if ((result.value?.byteLength ?? 0) > 1000) bytes = performance.now()
      return result
    } as typeof ReadableStreamDefaultReader.prototype.read
    let shown: string | null = null
    const look = () => {
      const result = document.querySelector('[data-testid=tool-result]')
      const seq = result?.getAttribute('data-seq') ?? null
      if (seq === null || seq === shown) return
      if (!result!.querySelector('[data-testid=json-view], [data-testid=content-list], p')) return
      shown = seq
      const last = bytes
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => state.results.push({ bytes: last, screen: performance.now() })
        port2.postMessage(null)
      })
    }
    addEventListener('DOMContentLoaded', () => {
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
    })
  })
}

const resultsOf = (page: Page): Promise<readonly Painted[]> =>
  page.evaluate(() => (globalThis as unknown as { results: Painted[] }).results)

const connect = async (page: Page, address: string, target: string): Promise<void> => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(target)
  await page.getByTestId('connect-input').press('Enter')
  await page.locator('[data-testid=tool-item]').first().waitFor()
}

/** Calls the tool and waits until the result is on screen and all follow-up work is done. */
const ask = async (browser: Browser, page: Page, tool: string): Promise<{ longest: number; paint: number }> => {
  await page.getByTestId('tool-filter').fill(tool)
  await page.locator(`[data-testid=tool-item][data-name="${tool}"]`).click()
  await page.getByTestId('tool-run').waitFor()
  await page.waitForTimeout(500)
  const before = (await resultsOf(page)).length
  const longest = await longestWork(browser, page, async () => {
    await page.getByTestId('tool-run').click()
    await page.waitForFunction(
      (count) => (globalThis as unknown as { results: unknown[] }).results.length > count,
      before,
      { timeout: 30_000 },
    )
    await page.waitForTimeout(1500)
  })
  const { bytes, screen } = (await resultsOf(page)).at(-1)!
  return { longest, paint: screen - bytes }
}

/** Opens the frame of the displayed response in the trace, as JSON and then as text. */
const openFrame = (browser: Browser, page: Page): Promise<number> =>
  longestWork(browser, page, async () => {
    await page.getByTestId('tool-reveal').click()
    await page.getByTestId('frame-message').waitFor()
    await page.waitForTimeout(500)
    await page.getByTestId('message-view').locator('label').last().click()
    await page.waitForTimeout(500)
  })

const bench: Bench = async () => {
  const [heavy, periscope, browser] = await Promise.all([startHeavy(), startPeriscope([]), openBrowser()])
  const routes = {
    json: `${heavy.url}/json`,
    sse: `${heavy.url}/sse`,
    stdio: `${process.execPath} ${join(import.meta.dirname, 'heavy-stdio.mjs')}`,
  }
  const measures: Measure[] = []
  let frame = Infinity
  try {
    for (const [route, target] of Object.entries(routes)) {
      const best = new Map<string, { longest: number; paint: number }>()
      for (let run = 0; run < RUNS; run++) {
        // A new page, so that leftovers of earlier responses aren't measured.
        const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
        await allowNames(page)
        await watchResults(page)
        await connect(page, await periscope.fresh(), target)
        await page.waitForTimeout(1000)
        for (const tool of [...TIMED, ...(route === 'json' ? HOSTILE : [])]) {
          const before = best.get(tool)
          if (before && before.longest <= TASK && before.paint <= PAINT) continue
          const { longest, paint } = await ask(browser, page, tool)
          best.set(tool, {
            longest: Math.min(longest, before?.longest ?? Infinity),
            paint: Math.min(paint, before?.paint ?? Infinity),
          })
          if (route === 'json' && tool === 'json-structured-5mb')
            frame = Math.min(frame, await openFrame(browser, page))
        }
        await page.close()
      }
      for (const [tool, { longest, paint }] of best) {
        if (TIMED.includes(tool))
          measures.push({ name: `${tool}-${route}-on-screen`, value: paint, unit: 'ms', limit: PAINT })
        measures.push({ name: `${tool}-${route}-longest-task`, value: longest, unit: 'ms', limit: TASK })
      }
    }
    return [...measures, { name: 'json-structured-5mb-frame-longest-task', value: frame, unit: 'ms', limit: TASK }]
  } finally {
    await Promise.all([browser.close(), heavy.close(), periscope.close()])
  }
}

export default bench
