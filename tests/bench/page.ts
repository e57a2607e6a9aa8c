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

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds on the clock, and of processor time. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

interface Work {
  /** Milliseconds of processor time that the longest task of the main thread took. */
  readonly longest: number
  /** Milliseconds that its tasks stood still in the middle: something else had the processor. */
  readonly waited: number
}

/**
 * What the main thread did while `run` went on. Unlike the time on the clock, it says nothing of what else the machine
 * had to do. Only one at a time for each browser.
 */
export const workOf = async (browser: Browser, page: Page, run: () => Promise<void>): Promise<Work> => {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  let text: string
  try {
    await run()
  } finally {
    text = (await browser.stopTracing()).toString()
  }
  const { traceEvents } = JSON.parse(text) as { readonly traceEvents: readonly TraceEvent[] }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && /RunTask$/.test(name) && mains.has(`${pid} ${tid}`),
  )
  if (tasks.length === 0) throw new Error('no task of the main thread was seen')
  return {
    longest: Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000)),
    waited: tasks.reduce((sum, { dur = 0, tdur = 0 }) => sum + Math.max(0, dur - tdur), 0) / 1000,
  }
}

export const longestWork = async (browser: Browser, page: Page, run: () => Promise<void>): Promise<number> =>
  (await workOf(browser, page, run)).longest
