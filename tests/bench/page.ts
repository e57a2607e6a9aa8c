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

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of wall-clock time and of CPU time. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

interface Work {
  /** Milliseconds of CPU time of the longest main-thread task. */
  readonly longest: number
  /** Milliseconds its tasks were suspended because something else had the CPU. */
  readonly waited: number
}

/**
 * What the main thread did during `run`. Unlike wall-clock time, this doesn't depend on what else the machine was
 * doing. Only one at a time per browser.
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
