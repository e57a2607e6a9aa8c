/** The trace with several servers: whose frames it shows, and what a filter finds in the others. */
import { addServer, connect, expect, inPanel, test, violations } from './stage.ts'

test('a filter is counted and listed by server, and a found frame leads to its server with the filter kept', async ({
  page,
  address,
  everythingUrl,
  richUrl,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(address)
  await connect(page, everythingUrl)
  await inPanel(page, 'trace')
  // With one server, there is nothing to choose.
  await expect(page.getByTestId('trace-scope')).toHaveCount(0)
  await addServer(page)
  await connect(page, `${richUrl}/v1/scope`)
  await inPanel(page, 'trace')
  const rows = page.getByTestId('trace-row')
  const links = async () => [...new Set(await rows.locator('.server').allTextContents())]
  await page.getByTestId('trace-filter').fill('method:initialize')
  const servers = page.getByTestId('scope-server')
  await expect(servers).toHaveCount(2)
  await expect.poll(async () => (await links()).length).toBe(2)
  expect(await violations(page)).toEqual([])

  await page.getByTestId('trace-scope-of').getByText('This server').click()
  await expect.poll(async () => (await links()).length).toBe(1)
  const own = (await links())[0]!
  // The shown server comes first, and the others are still counted.
  await expect(servers.first()).toContainText(own)
  await expect(servers.nth(1)).not.toContainText(' 0')
  await servers.nth(1).press('Enter')
  await expect(servers.nth(1)).toHaveAttribute('aria-expanded', 'true')
  const found = page.getByTestId('scope-frame')
  await expect(found.first()).toContainText('initialize')
  expect(await violations(page)).toEqual([])
  const seq = await found.first().getAttribute('data-seq')
  const before = await page.getByTestId('connection-state').first().textContent()
  await found.first().click()
  await expect(page.getByTestId('connection-state').first()).not.toHaveText(before!)
  await expect(page.getByTestId('trace-filter')).toHaveValue('method:initialize')
  await expect(page.getByTestId('frame-detail')).toHaveAttribute('data-seq', seq!)
  // What is shown follows to that server.
  await expect.poll(links).not.toContain(own)
  await expect(rows.first()).toBeVisible()
  await page.getByTestId('trace-scope-of').getByText('All servers').click()
  await expect.poll(async () => (await links()).length).toBe(2)
})
