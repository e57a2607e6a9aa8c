/**
 * One page per worker, which its journeys use in turn.
 *
 * A context of its own for each journey costs a process, in which everything is compiled from the start: more than half
 * of the CPU time of opening Periscope and connecting. So the page stays. Between journeys it goes to an empty document
 * of the same origin, because any other document gets another process, and what a journey can leave is removed. A
 * context in which something can't be removed is closed, and the next journey gets another one.
 */
import type { Browser, BrowserContext, CDPSession, Page, ViewportSize } from '@playwright/test'

export interface KeptPage {
  /** The page, as a new context would have it. */
  take(): Promise<Page>
  /** Ends a journey. @param passed otherwise the page isn't used again */
  giveBack(passed: boolean): Promise<void>
  close(): Promise<void>
}

interface Kept {
  readonly context: BrowserContext
  readonly page: Page
  /** Of a new page. */
  readonly viewport: ViewportSize | null
  /** Reaches what Playwright has no method for. */
  readonly control: CDPSession
  /** Origins opened in any page. */
  readonly origins: Set<string>
  /** Whether something has been done to the context that can't be undone. */
  spoiled: boolean
}

/** @param origin has an empty document at each path that doesn't exist */
export const keepPage = (browser: Browser, origin: string): KeptPage => {
  let kept: Kept | undefined
  const close = async () => {
    const { context } = kept ?? {}
    kept = undefined
    await context?.close()
  }
  return {
    take: async () => {
      kept ??= await open(browser)
      listen(kept)
      return kept.page
    },
    giveBack: async (passed) => {
      if (passed && kept && !kept.spoiled && !kept.page.isClosed()) await clean(kept, origin)
      else await close()
    },
    close,
  }
}

const open = async (browser: Browser): Promise<Kept> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const control = await context.newCDPSession(page)
  const kept: Kept = { context, page, viewport: page.viewportSize(), control, origins: new Set(), spoiled: false }
  const spoil = () => {
    kept.spoiled = true
  }
  before(page, ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket', 'setExtraHTTPHeaders'], spoil)
  before(context, ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket', 'setExtraHTTPHeaders'], spoil)
  before(context, ['newCDPSession', 'setGeolocation', 'setOffline'], spoil)
  // Each of them installs a clock.
  before(context.clock, ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'], spoil) // prettier-ignore
  return kept
}

/** Calls a function before each call of these methods. */
const before = <T extends object>(target: T, names: readonly (keyof T)[], call: () => void) => {
  for (const name of names) {
    const method = target[name] as (...args: unknown[]) => unknown
    const wrapped = (...args: unknown[]) => {
      call()
      return method.apply(target, args)
    }
    Object.assign(target, { [name]: wrapped })
  }
}

const listen = (kept: Kept) => {
  const note = (page: Page) => page.on('framenavigated', (frame) => kept.origins.add(originOf(frame.url())))
  note(kept.page)
  kept.context.on('page', note)
  kept.page.on('crash', () => (kept.spoiled = true))
}

const originOf = (url: string): string => (url.startsWith('http') ? new URL(url).origin : '')

/** Events that journeys listen to. Playwright itself needs the others. */
const PAGE_EVENTS = [
  'console',
  'crash',
  'dialog',
  'domcontentloaded',
  'download',
  'filechooser',
  'framenavigated',
  'load',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
  'worker',
]
const CONTEXT_EVENTS = ['console', 'dialog', 'page', 'request', 'requestfailed', 'requestfinished', 'response']

/** What a new page has. `null` would leave it to the machine. */
const NEW_PAGE = {
  media: null,
  colorScheme: 'light',
  reducedMotion: 'no-preference',
  forcedColors: 'none',
  contrast: 'no-preference',
} as const

const clean = async ({ context, page, viewport, control, origins }: Kept, origin: string) => {
  for (const event of PAGE_EVENTS) page.removeAllListeners(event)
  for (const event of CONTEXT_EVENTS) context.removeAllListeners(event)
  await Promise.all(context.pages().map(async (other) => other === page || (await other.close())))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(`${origin}/between-journeys`)
  await page.evaluate(() => {
    sessionStorage.clear()
    window.name = ''
  })
  await page.mouse.move(0, 0)
  await page.emulateMedia(NEW_PAGE)
  if (viewport) await page.setViewportSize(viewport)
  await context.clearCookies()
  await context.clearPermissions()
  origins.add(origin)
  for (const each of origins) {
    if (each) await control.send('Storage.clearDataForOrigin', { origin: each, storageTypes: 'all' })
  }
  origins.clear()
  await control.send('Page.resetNavigationHistory')
}
