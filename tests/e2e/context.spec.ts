/** Picking resources and prompts of a server, and what a model gets from them. */
import type { Page } from '@playwright/test'
import { openConnected } from './feature-steps.ts'
import { expect, pressSequence, showTrace, test, violations } from './stage.ts'

const chip = (page: Page, id: string) => page.locator(`[data-testid=resource-chip][data-id="${id}"]`)
const rows = (page: Page) => page.getByTestId('resource-item')

/** Presses a button or a chip by the keyboard alone. */
const pressOn = async (page: Page, testid: string) => {
  await page.getByTestId(testid).focus()
  await page.keyboard.press('Enter')
}

test('five resources are picked by filters and read, with the keyboard alone', async ({ page, address, richUrl }) => {
  await openConnected(page, address, `${richUrl}/v1/pick`)
  await showTrace(page, false)
  await pressSequence(page, 'gr')
  await expect(rows(page)).toHaveCount(10)

  await pressOn(page, 'resource-filters')
  for (const id of ['type text', 'type json', 'type image']) {
    await chip(page, id).focus()
    await page.keyboard.press('Space')
  }
  await expect(rows(page)).toHaveCount(5)
  await chip(page, 'audience user').focus()
  await page.keyboard.press('Space')
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(rows(page)).toHaveCount(5)

  // Space picks one, Shift those below it.
  const list = page.getByTestId('resource-list').getByRole('listbox')
  await list.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await expect(page.getByTestId('resource-selected')).toContainText('1 selected')
  for (let at = 0; at < 4; at++) await page.keyboard.press('Shift+ArrowUp')
  await expect(page.getByTestId('resource-selected')).toContainText('5 selected')
  await expect(page.getByTestId('resource-selected')).toContainText('48 B + 4 of unknown size')
  await expect(page.locator('[data-testid=resource-item][aria-checked=true]')).toHaveCount(5)
  expect(await violations(page)).toEqual([])

  await pressOn(page, 'resource-read-all')
  await expect(page.getByTestId('resource-read-state')).toHaveText(Array.from({ length: 5 }, () => 'ok'))

  await page.setViewportSize({ width: 390, height: 844 })
  await pressOn(page, 'resource-back')
  await expect(page.getByTestId('resource-selected')).toBeVisible()
  expect(await violations(page)).toEqual([])
})
