/** The pages that targets are opened in: with a proxy, without one, or with one that is gone. */
import type { BrowserContext, Page } from '@playwright/test'
import { allowNames } from '../bench/page.ts'
import { hasLoadedAhead } from '../e2e/loaded-ahead.ts'
import { startPeriscope } from '../e2e/global-setup.ts'
import type { PageKind } from '../servers/gallery/index.ts'

export interface Places {
  /** The URL of the static copy. */
  readonly copy: string
  /** A URL of the shared proxy, for one page to open. */
  fresh(): Promise<string>
}

interface Opened {
  readonly page: Page
  close(): Promise<void>
}

const NOTHING = async () => {}

/** @param kind `undefined`: a page of a running proxy */
export const openPage = async (
  context: BrowserContext,
  kind: PageKind | undefined,
  { copy, fresh }: Places,
): Promise<Opened> => {
  const page = await context.newPage()
  await allowNames(page)
  switch (kind) {
    case undefined:
      await page.goto(await fresh())
      await page.getByTestId('proxy-state').and(page.locator('[data-state=there]')).waitFor({ state: 'attached' })
      return { page, close: NOTHING }
    case 'static':
      await page.goto(copy)
      return { page, close: NOTHING }
    case 'no-token':
      await page.goto(new URL('/', await fresh()).href)
      return { page, close: NOTHING }
    case 'stopped':
    case 'hung':
    case 'restarted':
      return await withOwnProxy(page, kind)
  }
}

const withOwnProxy = async (page: Page, kind: 'stopped' | 'hung' | 'restarted'): Promise<Opened> => {
  const proxy = await startPeriscope([])
  try {
    await page.goto(proxy.address)
    // A browser loads nothing from a proxy that is gone.
    await page.waitForFunction(hasLoadedAhead)
  } catch (error) {
    await proxy.close()
    throw error
  }
  if (kind === 'hung') {
    process.kill(proxy.pid, 'SIGSTOP')
    const close = async () => {
      process.kill(proxy.pid, 'SIGCONT')
      await proxy.close()
    }
    return { page, close }
  }
  await proxy.close()
  if (kind === 'stopped') return { page, close: NOTHING }
  const next = await startPeriscope(['--port', new URL(proxy.address).port])
  return { page, close: () => next.close() }
}
