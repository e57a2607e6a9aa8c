/** The columns of the trace: sorting, widths, and which of them are shown, by pointer and by keyboard. */
import type { Locator, Page } from '@playwright/test'
import { connect, expect, inPanel, test, violations } from './stage.ts'

const numbers = async (rows: Locator): Promise<number[]> =>
  (await rows.locator('.number').allTextContents()).map((text) => Number(text))
const widthOf = async (page: Page, column: string): Promise<number> =>
  (await page.locator(`[data-testid=trace-head] [data-column=${column}]`).boundingBox())!.width

const openTrace = async (page: Page, view: 'Exchanges' | 'Frames') => {
  await inPanel(page, 'trace')
  await page.getByTestId('panel-maximize').click()
  await page.getByTestId('trace-as').getByText(view).click()
}

test('a header sorts up, down and by time again, in both views, and stays sorted while frames arrive and after a reload', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await openTrace(page, 'Frames')
  const rows = page.getByTestId('trace-row')
  const header = (name: string) => page.getByRole('columnheader', { name })
  await expect(header('Time')).toHaveAttribute('aria-sort', 'ascending')
  const inTime = await numbers(rows)
  expect(inTime).toEqual([...inTime].sort((one, other) => one - other))

  await page.getByTestId('column-sort-number').click()
  await expect(header('#')).toHaveAttribute('aria-sort', 'ascending')
  await page.getByTestId('column-sort-number').click()
  await expect(header('#')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(async () => (await numbers(rows))[0]).toBeGreaterThan(inTime.length / 2)
  const backwards = await numbers(rows)
  expect(backwards).toEqual([...backwards].sort((one, other) => other - one))
  expect(await violations(page)).toEqual([])

  // A new frame is sorted in, here as the first one, and no row appears twice.
  const before = backwards[0]!
  await page.getByTestId('panel-maximize').click()
  await page.getByTestId('tab-tools').click()
  await page.locator('[data-testid=tool-item][data-name=get-tiny-image]').click()
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
  await expect.poll(async () => (await numbers(rows))[0]).toBeGreaterThan(before)
  const after = await numbers(rows)
  expect(after).toEqual([...new Set(after)].sort((one, other) => other - one))

  await page.getByTestId('column-sort-number').click()
  await expect(header('#')).not.toHaveAttribute('aria-sort')
  await expect(header('Time')).toHaveAttribute('aria-sort', 'ascending')

  // Exchanges are sorted by what their rows show, by keyboard too; their frames stay below them.
  await page.getByTestId('trace-as').getByText('Exchanges').click()
  await page.getByTestId('column-sort-number').focus()
  await page.keyboard.press('End')
  await expect(page.getByTestId('column-sort-findings')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByTestId('column-sort-size')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(header('Size')).toHaveAttribute('aria-sort', 'descending')
  const exchange = page.getByTestId('exchange-row')
  await expect(exchange.first()).toContainText('tools/list')
  await exchange.first().getByTestId('exchange-fold').click()
  await expect(page.getByTestId('exchange-list').locator('[data-index="1"]')).toHaveAttribute('aria-level', '2')
  expect(await violations(page)).toEqual([])

  await page.reload()
  await page.getByTestId('connect-button').click()
  await expect(header('Size')).toHaveAttribute('aria-sort', 'descending')
  await page.getByTestId('trace-as').getByText('Frames').click()
  await expect(header('Time')).toHaveAttribute('aria-sort', 'ascending')
})

test('a column is resized by dragging and by arrow keys, hidden and reset in the menu, and the choice outlives the page', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(address)
  await connect(page, everythingUrl)
  await openTrace(page, 'Exchanges')
  const grip = page.getByRole('separator', { name: 'Width of Status' })
  const initial = await widthOf(page, 'status')
  await expect(grip).toHaveAttribute('aria-valuenow', String(initial))
  const box = (await grip.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 60, box.y + 8, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => widthOf(page, 'status')).toBeCloseTo(initial + 60, 0)
  await expect(grip).toHaveAttribute('aria-valuenow', String(initial + 60))
  // The rows follow, and dragging sorted nothing.
  const cell = page.getByTestId('exchange-row').first().locator('[role=gridcell]').filter({ hasText: 'connected' })
  await expect.poll(async () => (await cell.boundingBox())!.width).toBeCloseTo(initial + 60, 0)
  await expect(page.getByRole('columnheader', { name: 'Time' })).toHaveAttribute('aria-sort', 'ascending')
  await grip.dblclick()
  await expect.poll(() => widthOf(page, 'status')).toBeCloseTo(initial, 0)

  await page.getByTestId('column-sort-status').focus()
  await page.keyboard.press('Tab')
  await page.getByTestId('column-width-status').focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => widthOf(page, 'status')).toBeCloseTo(initial + 8, 0)
  await page.keyboard.press('Home')
  const least = (await grip.getAttribute('aria-valuemin'))!
  await expect(grip).toHaveAttribute('aria-valuenow', least)
  await page.keyboard.press('End')
  await expect(grip).not.toHaveAttribute('aria-valuenow', least)
  // However wide it gets, what the rows are about stays readable.
  expect(await widthOf(page, 'what')).toBeGreaterThanOrEqual(79)

  const menu = page.getByRole('menu', { name: 'Columns' })
  await page.getByTestId('column-menu').click()
  await expect(menu.getByRole('menuitemcheckbox', { name: 'Duration' })).toHaveAttribute('aria-checked', 'true')
  expect(await violations(page)).toEqual([])
  await menu.getByTestId('column-took').click()
  await expect(page.getByRole('columnheader', { name: 'Duration' })).toHaveCount(0)
  await expect(page.getByTestId('exchange-row').first().locator('.took')).toHaveCount(0)
  await page.getByRole('columnheader', { name: 'Size' }).click({ button: 'right' })
  await expect(menu).toBeVisible()
  await menu.getByTestId('column-waterfall').click()
  await expect(page.getByTestId('exchange-bar')).toHaveCount(0)

  await page.reload()
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('exchange-row').first()).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Duration' })).toHaveCount(0)
  // The other view has its own columns.
  await page.getByTestId('trace-as').getByText('Frames').click()
  await expect(page.getByRole('columnheader', { name: 'Duration' })).toHaveCount(1)
  await page.getByTestId('trace-as').getByText('Exchanges').click()

  await page.getByTestId('column-sort-size').focus()
  await page.keyboard.press('Shift+F10')
  await expect(menu).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('columnheader', { name: 'Duration' })).toHaveCount(1)
  await expect(page.getByTestId('exchange-bar').first()).toBeVisible()
})

test('on a phone the list keeps its compact columns, whatever was chosen elsewhere, and still sorts', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(() => {
    const frames = { widths: { status: 400 }, hidden: ['size'] }
    localStorage.setItem('periscope.trace-columns', JSON.stringify({ frames, exchanges: 7 }))
  })
  await page.goto(address)
  await connect(page, everythingUrl)
  await inPanel(page, 'trace')
  await expect(page.getByTestId('trace-row').first()).toBeVisible()
  await expect.poll(() => widthOf(page, 'status')).toBe(96)
  await expect(page.getByTestId('column-menu')).toHaveCount(0)
  await expect(page.getByRole('separator', { name: /Width of/ })).toHaveCount(0)
  await page.getByTestId('column-sort-took').click()
  await expect(page.getByRole('columnheader', { name: 'Duration' })).toHaveAttribute('aria-sort', 'ascending')
  expect(await violations(page)).toEqual([])
})
