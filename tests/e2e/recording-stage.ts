/** Shared by the stories about recordings. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { headOf, sessionText } from '../../web/session-file/write.ts'
import { recordReal } from '../sessions/real.ts'
import { expect, field, fromMenu } from './stage.ts'

export const seen = (page: Page, testid: string): Locator => page.getByTestId(testid).filter({ visible: true })

export const tool = (page: Page, name: string) =>
  page.locator(`[data-testid=tool-item][data-name="${name}"]`).filter({ visible: true })

export const echo = async (page: Page, message: string) => {
  await tool(page, 'echo').click()
  await field(page, 'message').filter({ visible: true }).fill(message)
  await seen(page, 'tool-run').click()
  await expect(seen(page, 'tool-result')).toContainText(message)
}

/** The current session as a file. All of it is stored by then; browsers don't guarantee writes while a page unloads. */
export const saved = async (page: Page): Promise<string> => {
  await fromMenu(page, 'sessions-button')
  const item = page.locator('[data-testid=session-item][data-state=present]')
  const [download] = await Promise.all([page.waitForEvent('download'), item.getByTestId('session-save').click()])
  const text = await readFile(await download.path(), 'utf8')
  await page.getByTestId('sessions-dialog-close').click()
  return text
}

export const drop = async (page: Page, name: string, text: string) => {
  // Nothing takes it before the window is drawn, which may be later than the page has loaded.
  await expect(page.getByTestId('server-rail')).toBeAttached()
  const files = await page.evaluateHandle(
    ([called, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], called))
      return transfer
    },
    [name, text] as const,
  )
  await page.dispatchEvent('body', 'dragover', { dataTransfer: files })
  await page.dispatchEvent('body', 'drop', { dataTransfer: files })
}

export const bar = (page: Page) => page.getByTestId('recording-bar')

/** A recording made in Node, as the text of its file. */
export const recordedInNode = async (url: string): Promise<string> => {
  const head = headOf({
    begunAt: new Date().toISOString(),
    tool: { name: 'mcp-periscope', version: '0.1.0' },
    servers: [{ link: 's1', name: 'Recorded in Node', target: { kind: 'url', url, headers: [] } }],
    removed: [],
  })
  return [...sessionText(head, await recordReal(url))].join('')
}
