/** A real Chromium on the built page, for budgets that need a page. */
import { chromium, type Browser, type Page } from '@playwright/test'
import { BROWSER_ARGUMENTS, findBrowser } from '../browser.ts'

/** A row of the trace, whichever way it is shown. */
export const ROW = '[data-testid=exchange-row], [data-testid=trace-row]'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findBrowser(), args: [...BROWSER_ARGUMENTS] })

/** Named functions compile to calls of a helper that a page doesn't have. Run this before passing one to a page. */
export const allowNames = async (page: Page): Promise<void> => {
  await page.addInitScript('globalThis.__name = (value) => value')
}

/** Records every main-thread task over 50 ms, from the first script on. */
export const watchLongTasks = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const tasks: { start: number; duration: number }[] = []
    ;(globalThis as unknown as { longTasks: typeof tasks }).longTasks = tasks
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ start: startTime, duration })
    }).observe({ type: 'longtask', buffered: true })
  })
}

/** Milliseconds of the longest recorded task that began after `since` (ms on the page's clock); 0 if there was none. */
export const longestTask = (page: Page, since: number): Promise<number> =>
  page.evaluate(
    (from) =>
      Math.max(
        0,
        ...(globalThis as unknown as { longTasks: { start: number; duration: number }[] }).longTasks
          .filter(({ start }) => start >= from)
          .map(({ duration }) => duration),
      ),
    since,
  )

export const now = (page: Page): Promise<number> => page.evaluate(() => performance.now())
