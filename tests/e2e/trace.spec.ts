/** The trace as exchanges: one row per call, its frames below it, and the waterfall beside it. */
import type { Page } from '@playwright/test'
import { connect, expect, field, inPanel, test, violations } from './stage.ts'

const rows = (page: Page, method: string) => page.locator(`[data-testid=exchange-row][data-method="${method}"]`)

const call = async (page: Page, name: string, args: Readonly<Record<string, string>>) => {
  await page.getByTestId('tab-tools').click()
  // Only the rows in view are in the document.
  await page.getByTestId('tool-filter').fill(name)
  await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()
  for (const [key, value] of Object.entries(args)) await field(page, key).fill(value)
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', /ok|error/)
}

const showExchanges = async (page: Page) => {
  await inPanel(page, 'trace')
  await page.getByTestId('trace-as').getByText('Exchanges').click()
}

test('a call is one row, whose frames fold out by pointer and by keyboard, and the choice outlives the page', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await call(page, 'echo', { message: 'hello' })
  await showExchanges(page)
  const connecting = page.locator('[data-testid=exchange-row][data-kind=connect]')
  await expect(connecting).toContainText('Connect to')
  await expect(connecting).toContainText('connected')
  await expect(rows(page, 'tools/call')).toHaveCount(1)
  await expect(rows(page, 'tools/call')).toContainText('echo')
  expect(await violations(page)).toEqual([])

  const frames = page.getByTestId('exchange-frame')
  await connecting.getByTestId('exchange-fold').click()
  await expect(connecting).toHaveAttribute('aria-expanded', 'true')
  await expect(frames.filter({ hasText: 'server/discover' }).first()).toContainText('probe')
  await connecting.getByTestId('exchange-fold').click()
  await expect(frames).toHaveCount(0)

  await rows(page, 'tools/call').click()
  await expect(page.getByTestId('frame-detail')).toContainText('hello')
  await page.getByTestId('exchange-list').press('ArrowRight')
  await expect(frames.filter({ hasText: 'response to' })).toHaveCount(1)
  await page.getByTestId('exchange-list').press('ArrowDown')
  await page.getByTestId('exchange-list').press('ArrowLeft')
  await expect(frames).toHaveCount(0)
  await expect(rows(page, 'tools/call')).toHaveAttribute('aria-selected', 'true')

  await page.reload()
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('exchange-row').first()).toBeVisible()
})

test('a failed call among many is found by chip, by filter and by dragging over the waterfall', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(address)
  await connect(page, everythingUrl)
  await call(page, 'echo', { message: 'first' })
  await call(page, 'get-sum', { a: '40', b: '2' })
  await showExchanges(page)
  await page.getByTestId('panel-maximize').click()
  await expect(rows(page, 'tools/call')).toHaveCount(2)
  expect(await violations(page)).toEqual([])
  await page.getByTestId('trace-chipNotifications').click()
  await expect(page.getByTestId('trace-filter')).toHaveValue('type:notification')
  await expect(rows(page, 'tools/list')).toHaveCount(0)
  await page.getByRole('group', { name: 'Show only' }).getByText('All').click()
  await page.getByTestId('trace-filter').fill('method:tools/call GET-sum')
  await expect(rows(page, 'tools/call')).toHaveCount(1)
  await expect(rows(page, 'tools/call').locator('mark')).toHaveText(['get-sum'])
  await page.getByTestId('trace-filter').fill('')
  // The axis has its full scale again once all rows are back.
  await expect(rows(page, 'tools/call')).toHaveCount(2)

  // Around the bar of the last call: from its start to a little after its end. Paused, the axis keeps its scale.
  await page.getByTestId('trace-pause').click()
  await expect(page.getByTestId('trace-pause')).toHaveAttribute('data-state', 'paused')
  const axis = (await page.getByTestId('trace-axis').boundingBox())!
  const bar = (await rows(page, 'tools/call').last().getByTestId('exchange-bar').boundingBox())!
  const menu = (await page.getByTestId('column-menu').boundingBox())!
  expect(axis.x + axis.width, 'the newest bars are not under the button of the columns').toBeLessThanOrEqual(menu.x)
  await page.mouse.move(bar.x - 2, axis.y + 8)
  await page.mouse.down()
  await page.mouse.move(bar.x + bar.width + 6, axis.y + 8, { steps: 3 })
  await page.mouse.up()
  await expect(page.getByTestId('trace-filter')).toHaveValue(/^at:>=\d+ at:<=\d+$/)
  await expect(page.locator('[data-testid=exchange-row][data-kind=connect]')).toHaveCount(0)
  await expect(rows(page, 'tools/call').last()).toContainText('get-sum')
})

test('the menu of a row copies its request as code without secrets, and filters by its method, by pointer and by keyboard', async ({
  page,
  address,
  everythingUrl,
}) => {
  const SECRET = `ghp_${'a1B2'.repeat(9)}`
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  await connect(page, everythingUrl)
  await call(page, 'echo', { message: SECRET })
  await showExchanges(page)
  const row = rows(page, 'tools/call')
  const menu = page.getByRole('menu', { name: 'Actions for this row' })
  const copied = async (item: string, says: string, told: string): Promise<string> => {
    await menu.getByTestId(`row-${item}`).click()
    const clipboard = () => page.evaluate(async () => await navigator.clipboard.readText())
    await expect.poll(clipboard).toContain(says)
    await expect(page.getByTestId('row-told')).toHaveText(told)
    return await clipboard()
  }
  await row.click({ button: 'right' })
  await expect(menu).toBeVisible()
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  expect(await violations(page)).toEqual([])
  const script = await copied('curl', 'curl -sS', 'Copied. Secrets removed in 1 place')
  expect(script).toMatch(/^(SESSION=\$\()?curl -sS/)
  expect(script).not.toContain(SECRET)
  await expect(menu).toBeHidden()

  // By keyboard, and the focus comes back to the list.
  await page.getByTestId('exchange-list').focus()
  await page.keyboard.press('Shift+F10')
  await expect(menu).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('exchange-list')).toBeFocused()
  await page.getByTestId('frame-menu').click()
  await copied('typescript-2', 'StreamableHTTPClientTransport', 'Copied. Secrets removed in 1 place')
  await row.click({ button: 'right' })
  await menu.getByTestId('row-only').click()
  await expect(page.getByTestId('trace-filter')).toHaveValue('method:tools/call')
  // Until the others are gone, the row may get another place.
  await expect(page.getByTestId('exchange-row')).toHaveCount(1)
  await row.click({ button: 'right' })
  await menu.getByTestId('row-hide').click()
  await expect(page.getByTestId('trace-filter')).toHaveValue('-method:tools/call')
  await expect(row).toHaveCount(0)
})

test('the next and the previous error are one key away, in both views, by button and in the command palette', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await page.getByTestId('tool-item').first().waitFor()
  for (const name of ['fail', 'count-visit', 'break']) await call(page, name, {})
  await showExchanges(page)
  const failed = rows(page, 'tools/call').filter({ hasNotText: 'count-visit' })
  await expect(failed).toHaveCount(2)
  await expect(page.getByTestId('trace-trouble')).toHaveAttribute('data-count', '2')
  const [first, second] = [failed.first(), failed.last()]

  await page.getByTestId('exchange-list').focus()
  await page.keyboard.press('e')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByTestId('trace-trouble')).toContainText('1/2')
  await page.keyboard.press('F8')
  await expect(second).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Shift+E')
  await expect(first).toHaveAttribute('aria-selected', 'true')

  // In a text field it is a letter.
  await page.getByTestId('trace-filter').press('e')
  await expect(page.getByTestId('trace-filter')).toHaveValue('e')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expect(rows(page, 'tools/call').last().locator('mark')).toHaveText('e')
  expect(await violations(page)).toEqual([])
  await page.getByTestId('trace-filter').fill('')
  // Errors are looked for among what the list has found so far. The marks go when the search begins.
  await expect(page.getByTestId('exchange-row').locator('mark')).toHaveCount(0)
  await expect(page.getByTestId('trace-count')).toHaveAttribute('data-state', 'settled')

  await page.getByTestId('trace-as').getByText('Frames').click()
  await page.getByTestId('trace-trouble-next').click()
  const frame = page.locator('[data-testid=trace-row][aria-selected=true]')
  await expect(frame).toContainText('break')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-input').fill('previous error')
  await page.keyboard.press('Enter')
  await expect(frame).toContainText('fail')
})

test('the filter completes keys and values, by keyboard and by pointer, and keeps what is saved for later', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await page.getByTestId('tool-item').first().waitFor()
  await call(page, 'echo', { message: 'x' })
  const filter = page.getByTestId('trace-filter')
  const options = page.getByTestId('trace-filter-option')
  await filter.click()
  await filter.pressSequentially('meth')
  await expect(options).toHaveText(['method:'])
  expect(await violations(page)).toEqual([])
  await filter.press('ArrowDown')
  await filter.press('Enter')
  await expect(filter).toHaveValue('method:')
  await expect(filter).toBeFocused()
  await filter.pressSequentially('tools/')
  await options.filter({ hasText: 'tools/call' }).click()
  await expect(filter).toHaveValue('method:tools/call')
  await expect(options).toHaveCount(0)

  // Saved, it is offered whenever the field is empty, also after a reload.
  await page.getByTestId('trace-save-filter').click()
  await page.reload()
  await page.getByTestId('connect-button').click()
  await page.getByTestId('tool-item').first().waitFor()
  await filter.focus()
  await filter.press('ArrowDown')
  await expect(options).toHaveText(['method:tools/call'])
  await filter.press('ArrowDown')
  await filter.press('Enter')
  await expect(filter).toHaveValue('method:tools/call')
  await page.getByTestId('trace-save-filter').click()
  await filter.fill('')
  await expect(options).toHaveCount(0)
  // Without options, the arrow leads to the list.
  await filter.press('ArrowDown')
  await expect(filter).not.toBeFocused()
})
