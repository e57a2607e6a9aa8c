/** The work of a page's main thread, as a trace of Chromium has it. */
import type { Browser, Page } from '@playwright/test'

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
