/** Calling a tool again: what the form offers to fill in, and the menus of results and of rows. */
import { argumentsIn, startSchemaPeer, type SchemaPeer } from '../schemas/server.ts'
import { openConnected } from './feature-steps.ts'
import { expect, showTrace, test, violations } from './stage.ts'

const text = { type: 'string' }
const order = {
  type: 'object',
  properties: {
    customer: { ...text, title: 'Customer number', examples: ['C-1001'] },
    shipping: { ...text, title: 'Shipping method', enum: ['standard', 'express'], default: 'standard' },
    count: { type: 'integer', default: 3 },
    note: text,
  },
  required: ['customer', 'shipping'],
}

let peer: SchemaPeer
test.beforeAll(async () => {
  peer = await startSchemaPeer([
    { name: 'order', schema: order },
    { name: 'nothing', schema: { type: 'object', properties: {} } },
  ])
})
test.afterAll(async () => await peer.close())

test.beforeEach(async ({ page, address }) => {
  await openConnected(page, address, peer.url)
  await page.locator('[data-testid=tool-item][data-name=order]').click()
})

const sent = () => JSON.parse(argumentsIn(peer.bodies.at(-1)!) ?? 'null') as unknown

test('a form has titles as labels, starts with a required choice, and fills in defaults and examples', async ({
  page,
}) => {
  const form = page.getByTestId('tool-form')
  await expect(form.getByLabel('Customer number')).toBeVisible()
  await expect(form.locator('[data-path="/shipping"] select')).toHaveValue('0')

  await form.locator('[data-path="/count"]').getByTestId('field-default').click()
  const count = form.locator('[data-path="/count"]').getByTestId('field-input')
  await expect(count).toHaveValue('3')
  await expect(count).toBeFocused()

  await page.getByTestId('tool-examples').click()
  await expect(page.getByTestId('tool-examples')).toBeHidden()
  await expect.poll(() => violations(page)).toEqual([])
  const before = peer.bodies.length
  await page.getByTestId('tool-run').click()
  await expect.poll(() => peer.bodies.length).toBe(before + 1)
  expect(sent()).toEqual({ customer: 'C-1001', shipping: 'standard', count: 3 })

  await page.locator('[data-testid=tool-item][data-name=nothing]').click()
  await expect(page.getByTestId('tool-no-arguments')).toBeVisible()
})

/** Runs the tool with a customer number. */
const run = async (page: Parameters<typeof showTrace>[0], customer: string) => {
  const before = peer.bodies.length
  const shown = () => page.getByTestId('tool-result').getAttribute('data-seq')
  const earlier = await shown()
  await page.locator('[data-path="/customer"]').getByTestId('field-input').fill(customer)
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => peer.bodies.length).toBe(before + 1)
  await expect.poll(shown).not.toBe(earlier)
  await expect(page.getByTestId('tool-result-status')).toBeVisible()
}

test('↑ brings back the arguments of earlier calls, and ↓ what was typed since', async ({ page }) => {
  await run(page, 'first')
  await run(page, 'second')
  const customer = page.locator('[data-path="/customer"]').getByTestId('field-input')
  await customer.fill('third')
  await customer.press('Home')
  await customer.press('ArrowUp')
  await expect(customer).toHaveValue('second')
  await expect(page.getByTestId('tool-recalled')).toHaveText('Earlier arguments 1 of 2')
  await customer.press('Alt+ArrowUp')
  await expect(customer).toHaveValue('first')
  await customer.press('Alt+ArrowDown')
  await customer.press('Alt+ArrowDown')
  await expect(customer).toHaveValue('third')
})

test('a call is run again, edited, compared and shared from the menu of its result and of its row', async ({
  page,
}) => {
  await run(page, 'first')
  await run(page, 'second')
  let before = peer.bodies.length
  await page.getByTestId('tool-menu').click()
  await page.getByTestId('tool-menu-again').click()
  await expect.poll(() => peer.bodies.length).toBe(before + 1)
  expect(sent()).toEqual({ customer: 'second', shipping: 'standard' })
  await expect(page.getByTestId('tool-run')).toBeFocused()

  await page.getByTestId('tool-result-view').getByText('Compare', { exact: true }).click()
  await expect(page.getByTestId('tool-compare')).toHaveAttribute('data-state', 'ready')
  await expect.poll(() => violations(page)).toEqual([])

  // From another tab: the row's menu goes to the tool, and only Run sends something.
  before = peer.bodies.length
  await showTrace(page, true)
  await page.getByTestId('tab-overview').click()
  // Filtered, because only the rows in view are in the document.
  await page.getByTestId('trace-filter').fill('method:tools/call')
  const row = page.locator('[data-testid=trace-row][data-index="0"]')
  await expect(row).toHaveAttribute('data-method', 'tools/call')
  await row.click({ button: 'right' })
  await page.getByTestId('row-edit').click()
  const customer = page.locator('[data-path="/customer"]').getByTestId('field-input')
  await expect(customer).toHaveValue('first')
  await expect(customer).toBeFocused()
  expect(peer.bodies.length).toBe(before)

  // A tool's own row has a menu as well, by pointer and by keyboard.
  const tool = page.locator('[data-testid=tool-item][data-name=order]')
  await tool.click({ button: 'right' })
  await expect(page.getByRole('menu', { name: 'Actions for this row' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByTestId('tool-row-again').click()
  await expect.poll(() => peer.bodies.length).toBe(before + 1)
  expect(sent()).toEqual({ customer: 'second', shipping: 'standard' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('listbox', { name: 'Tools on this server' }).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByTestId('tool-row-name').click()
  await expect(page.getByTestId('tool-row-told')).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('order')

  await row.click({ button: 'right' })
  await page.getByTestId('row-bookmark').click()
  await expect(page.getByTestId('bookmarks')).toContainText('1')

  await page.getByTestId('tool-menu').click()
  await page.getByTestId('tool-menu-share').click()
  await expect(page.getByTestId('share-part-exchange')).toBeChecked()
  await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
})
