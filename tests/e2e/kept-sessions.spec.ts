/**
 * Sessions are stored on the device while they run: users can find, name, annotate and delete them, or turn storage
 * off.
 */
import type { Page } from '@playwright/test'
import { bar, drop, echo, recordedInNode, saved, tool } from './recording-stage.ts'
import { connect, expect, fromMenu, showTrace, test, violations } from './stage.ts'

const items = (page: Page, state?: string) =>
  page.locator(`[data-testid=session-item]${state === undefined ? '' : `[data-state=${state}]`}`)
const sample = async (page: Page) => {
  await page.getByTestId('connect-sample').click()
  await expect(tool(page, 'echo')).toBeVisible()
}

test('two tabs stay apart, and what was seen outlives a crash', async ({ page, context, address, fresh }) => {
  await page.goto(address)
  await sample(page)
  const other = await context.newPage()
  await other.goto(await fresh())
  await sample(other)
  // Frames are stored once a second, and a crash takes the rest with it.
  await saved(other)
  // Background pages are painted rarely.
  await page.bringToFront()
  const counted = async (state: string, words: string) => {
    await expect(async () => {
      await fromMenu(page, 'sessions-button')
      await items(page).first().waitFor()
      const all = await items(page, state).allTextContents()
      await page.getByTestId('sessions-dialog-close').click()
      expect(all).toEqual([expect.stringContaining(words)])
    }).toPass()
  }
  await counted('present', 'this page')
  await counted('living', 'open in another tab')
  // The page crashes without a chance to report that it closes.
  const crashed = other.waitForEvent('crash')
  const control = await context.newCDPSession(other)
  control.send('Page.crash').catch(() => {})
  await crashed
  await counted('past', 'not closed')
  await counted('present', 'this page')
  await fromMenu(page, 'sessions-button')
  await items(page, 'past').getByTestId('session-open').click()
  await expect(page.getByTestId('recording-damage')).toContainText("the page wasn't closed")
  await page.getByTestId('tab-tools').click()
  await expect(tool(page, 'echo')).toBeVisible()
})

test('kept sessions are searched, named, deleted and cleared, and none is kept where that is switched off', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await saved(page)
  await page.reload()
  await page.getByTestId('server-add').click()
  await sample(page)
  const search = page.getByTestId('sessions-search')
  await fromMenu(page, 'sessions-button')
  await expect(items(page, 'past')).toHaveCount(1)
  expect(await violations(page)).toEqual([])
  await search.fill('everything prompts/get')
  await expect(page.getByTestId('sessions-none')).toBeVisible()
  await search.fill('everything tools/list')
  await expect(items(page)).toHaveCount(1)
  await items(page).getByTestId('session-rename').click()
  await page.getByTestId('session-name').fill('The odd one')
  await page.keyboard.press('Enter')
  await search.fill('odd')
  await expect(items(page)).toHaveText([/The odd one/])
  await items(page).getByTestId('session-delete').click()
  await items(page).getByTestId('session-delete').click()
  await expect(page.getByTestId('sessions-none')).toBeVisible()
  await search.fill('')
  await expect(items(page, 'present')).toHaveCount(1)

  await page.getByTestId('sessions-keep').uncheck()
  await page.getByTestId('sessions-clear').click()
  await page.getByTestId('sessions-clear').click()
  await expect(items(page)).toHaveCount(0)
  await page.getByTestId('sessions-dialog-close').click()
  await echo(page, 'unseen')
  await page.reload()
  await fromMenu(page, 'sessions-button')
  await expect(page.getByTestId('sessions-keep')).not.toBeChecked()
  await expect(page.getByTestId('sessions-none')).toBeVisible()
})

test('frames are bookmarked with a note, in the live session and where it is kept', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await showTrace(page, true)
  await page.getByTestId('trace-filter').fill('method:tools/list')
  // Until the filter has found something, the list shows the former rows.
  await expect(page.locator('[data-testid=trace-row]:not([data-method="tools/list"])')).toHaveCount(0)
  const row = page.locator('[data-testid=trace-row][data-method="tools/list"]').first()
  await row.click()
  const seq = await row.getAttribute('data-seq')
  await page.keyboard.press('b')
  await expect(page.getByTestId('bookmark').locator('textarea')).toBeFocused()
  await page.keyboard.type('the list')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(async () => {
    await fromMenu(page, 'sessions-button')
    await page.getByTestId('sessions-search').fill('the list')
    const found = await page.getByTestId('session-item').count()
    await page.getByTestId('sessions-dialog-close').click()
    expect(found).toBe(1)
  }).toPass()
  await page.reload()
  await page.getByTestId('server-add').click()
  await expect(page.getByTestId('session-item')).toContainText('1 bookmark')
  await page.getByTestId('session-open').click()
  await expect(bar(page)).toBeVisible()
  await page.getByTestId('bookmarks').click()
  await expect(page.getByTestId('bookmark').locator('textarea')).toHaveValue('the list')
  await page.getByTestId('bookmark').getByRole('button').first().click()
  await expect(page.locator(`[data-testid=trace-row][data-seq="${seq}"]`)).toHaveAttribute('aria-selected', 'true')
})

test('where a browser keeps nothing, all else works, and it is said', async ({ page, address, everythingUrl }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'indexedDB', {
      get: () => ({
        open: () => {
          throw new DOMException('A mutation operation was attempted on a database that did not allow mutations.')
        },
      }),
    })
  })
  await page.goto(address)
  await connect(page, everythingUrl)
  await echo(page, 'still here')
  await fromMenu(page, 'sessions-button')
  await expect(page.getByTestId('sessions-unavailable')).toContainText('did not allow mutations')
  expect(await violations(page)).toEqual([])
  await page.getByTestId('sessions-dialog-close').click()
  await drop(page, 'node.periscope.jsonl', await recordedInNode(everythingUrl))
  await expect(bar(page)).toBeVisible()
  await expect(page.getByTestId('fault')).toHaveCount(0)
})
