import { saved } from './recording-stage.ts'
import { expect, field, showTrace, test, violations, patient } from './stage.ts'

test('entries of a configuration keep their keys, wait for their values, and are reconnected when their user says so', async ({
  page,
  address,
  everythingUrl,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(everythingUrl)) asked.push(request.url())
  })
  await page.goto(address)
  const config = {
    mcpServers: {
      production: { url: everythingUrl },
      staging: { url: `${everythingUrl}?team=\${env:TEAM}`, headers: { 'X-Team': '<YOUR_TEAM>' } },
    },
  }
  await page.getByTestId('connect-input').fill(JSON.stringify(config))
  await expect(page.getByTestId('found-server')).toHaveCount(2)
  const all = page.getByTestId('found-connect-all')
  await expect(all).toHaveAttribute('aria-disabled', 'true')
  expect(await violations(page)).toEqual([])
  // By keyboard: it can be focused, and leads to the missing argument.
  await all.press('Enter')
  const fields = page.getByTestId('fill-value')
  await expect(fields.first()).toBeFocused()
  await page.getByTestId('found-connect').nth(1).press('Enter')
  await expect(fields.first()).toBeFocused()
  expect(asked).toEqual([])
  await expect(page.getByTestId('server-item')).toHaveCount(0)

  await fields.first().fill('red team')
  await page.getByTestId('fill-as-is').nth(1).click()
  await expect(all).toHaveAttribute('aria-disabled', 'false')
  await all.click()
  const items = page.getByTestId('server-item')
  await expect(items).toHaveCount(2)
  for (const at of [0, 1])
    await expect(items.nth(at)).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })
  await expect(items.nth(0)).toHaveAccessibleName(/^production/)
  await expect(items.nth(1)).toHaveAccessibleName(/^staging/)
  expect(asked.some((url) => url.endsWith('?team=red%20team'))).toBe(true)
  expect(asked.some((url) => /env|%7B|\{/.test(url))).toBe(false)
  await expect(page.getByTestId('connection-state').first()).toContainText('production')
  await expect(page.getByTestId('own-name')).toBeVisible()

  await page.reload()
  await expect(items).toHaveCount(2)
  const before = asked.length
  await page.getByTestId('server-add').click()
  const offer = page.getByTestId('reconnect-all-offer')
  await expect(offer).toContainText('production')
  await expect(offer).toContainText(everythingUrl)
  await expect(offer.getByTestId('reconnect-item').nth(1)).toHaveAttribute('data-state', 'waiting')
  expect(await violations(page)).toEqual([])
  expect(asked.length).toBe(before)
  await page.getByTestId('reconnect-all').click()
  await expect(items.nth(0)).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })
  await expect(items.nth(0)).toHaveAccessibleName(/^production/)
  await expect(items.nth(1)).toHaveAttribute('data-state', 'idle')
})

test('placeholders in any place keep Connect from sending them, and two servers with one name are told apart', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  const input = page.getByTestId('connect-input')
  await input.fill(`${everythingUrl}?key=YOUR_API_KEY`)
  await input.press('Enter')
  await expect(page.getByTestId('fill-value')).toBeFocused()
  await expect(page.getByTestId('server-item')).toHaveCount(0)
  await page.getByTestId('fill-value').fill('k')
  await page.getByTestId('connect-button').click()
  const items = page.getByTestId('server-item')
  await expect(items.first()).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })

  await page.getByTestId('server-add').click()
  await input.fill(everythingUrl)
  await input.press('Enter')
  await expect(items.nth(1)).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })
  await expect(items.nth(1)).toHaveAccessibleName(/ \(2\): connected/)
  // The same number distinguishes them in the palette, in the trace, and in a recording of both.
  const own = (await items.nth(1).getAttribute('title'))!.replace(/ \(2\): .*/, '')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-input').fill(own)
  const entries = page.getByTestId('palette-entry')
  await expect(entries.filter({ hasText: `${own} (2)` })).not.toHaveCount(0)
  await expect(entries.filter({ hasText: own, hasNotText: `${own} (2)` })).not.toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByTestId('trace-filter').fill(`server:"${own} (2)" method:initialize`)
  await expect(page.locator('[data-testid=trace-row][data-method=initialize]')).toHaveCount(2)
  const file = await saved(page)
  const { servers } = JSON.parse(file.slice(0, file.indexOf('\n'))) as { servers: { name: string }[] }
  expect(servers.map(({ name }) => name)).toEqual([own, `${own} (2)`])
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-settings').click()
  await page.getByTestId('setting-name').fill('second')
  await page.getByTestId('settings-done').click()
  await expect(items.nth(1)).toHaveAccessibleName(/^second: connected/)
  await page.getByTestId('trace-filter').fill('server:second method:initialize')
  await expect(page.getByTestId('trace-row').first()).toBeVisible()

  // A call of one of them is run on the other as well: both responses are side by side, with what differs.
  const here = (testid: string) => page.getByTestId(testid).filter({ visible: true })
  await here('tool-item').and(page.locator('[data-name="get-sum"]')).click()
  await field(page, 'a').fill('40')
  await field(page, 'b').fill('2')
  await here('tool-run').click()
  await expect(here('tool-result')).toHaveAttribute('data-state', 'ok')
  await here('tool-menu').click()
  await page.getByRole('menuitem', { name: 'Run on another server…' }).click()
  const both = page.getByTestId('two-servers')
  await expect(both.getByTestId('two-servers-here')).toContainText('The sum of 40 and 2 is 42')
  await expect(both.getByTestId('two-servers-there')).toHaveAttribute('data-state', 'none')
  await both.getByTestId('two-servers-run').click()
  await expect(both.getByTestId('two-servers-there')).toHaveAttribute('data-state', 'ok')
  await expect(both.getByTestId('two-servers-same')).toBeVisible()
  await both.getByTestId('two-servers-view').getByText('Content').click()
  await expect(both.getByTestId('two-servers-there')).toContainText('The sum of 40 and 2 is 42')
  expect(await violations(page)).toEqual([])
  // On a phone, the trace covers the tab, but not a dialog that the tab has open.
  await expect(page.getByTestId('trace-dock')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(both.getByTestId('two-servers-there')).toContainText('The sum of 40 and 2 is 42')
  expect(await violations(page)).toEqual([])
  await both.getByTestId('two-servers-close').click()
  await expect(here('tool-result')).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await showTrace(page, true)
  await page.getByTestId('trace-filter').fill('method:tools/call')
  await expect(page.locator('[data-testid=trace-row][data-method="tools/call"]')).toHaveCount(4)
})
