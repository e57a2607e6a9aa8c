/** A real Chromium on the built page, for budgets that only a page can show. */
import { chromium, type Browser, type Page } from '@playwright/test'
import { BROWSER_ARGUMENTS, findBrowser } from '../browser.ts'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findBrowser(), args: [...BROWSER_ARGUMENTS] })

/** Functions with a name are compiled to call a helper that a page does not have. Needed before they are handed to a page. */
export const allowNames = async (page: Page): Promise<void> => {
  await page.addInitScript('globalThis.__name = (value) => value')
}

/** Notes every task of the main thread over 50 ms, from the first script on. */
export const watchLongTasks = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const tasks: { start: number; duration: number }[] = []
    ;(globalThis as unknown as { longTasks: typeof tasks }).longTasks = tasks
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ start: startTime, duration })
    }).observe({ type: 'longtask', buffered: true })
  })
}

/** Milliseconds of the longest such task that began after `since` (ms of the page's own clock); 0 when there is none. */
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
