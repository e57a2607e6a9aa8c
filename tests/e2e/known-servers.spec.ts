/** Servers to try: one is chosen, completed and connected. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, field, test, violations } from './stage.ts'

test('a known server is chosen, completed and connected, and starts only then', async ({ page, address }) => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-known-'))
  try {
    writeFileSync(join(folder, 'harbour.txt'), 'seven boats')
    await page.goto(address)
    await page.getByTestId('connect-known').click()
    const servers = page.getByTestId('known-server')
    await expect(servers.filter({ hasText: 'GitHub' })).toContainText('a key')
    expect(await violations(page)).toEqual([])
    await page.getByTestId('known-filter').fill('files folders')
    await expect(servers).toHaveCount(1)
    await page.getByTestId('known-filter').press('Enter')
    await expect(servers.getByTestId('known-take')).toBeFocused()
    await page.keyboard.press('Enter')

    await expect(page.getByTestId('known-servers')).toHaveCount(0)
    await expect(page.getByTestId('connect-input')).toHaveValue(
      "npx -y @modelcontextprotocol/server-filesystem '<directory>'",
    )
    // What is missing is marked, and nothing has started.
    const value = page.getByTestId('fill-value')
    await expect(value).toHaveAttribute('data-state', 'missing')
    await page.getByTestId('connect-input').press('Enter')
    await expect(value).toBeFocused()
    await expect(page.getByTestId('server-item')).toHaveCount(0)
    expect(await violations(page)).toEqual([])

    await value.fill(folder)
    await page.getByTestId('connect-button').click()
    await expect(page.getByTestId('tool-item').first()).toBeVisible()
    await expect(page.getByTestId('server-item')).toContainText('Filesystem')
    await page.locator('[data-testid=tool-item][data-name="list_directory"]').click()
    await field(page, 'path').fill(folder)
    await page.getByTestId('tool-run').click()
    await expect(page.getByTestId('tool-result')).toContainText('harbour.txt')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a known server that needs a key fills in its name but not its value', async ({ page, address }) => {
  await page.goto(address)
  await page.getByTestId('connect-known').click()
  await page.locator('[data-testid=known-server][data-name="brave-search"]').getByTestId('known-take').click()
  await expect(page.getByTestId('fill-in')).toContainText('BRAVE_API_KEY')
  await expect(page.getByTestId('fill-value')).toHaveValue('')
  await expect(page.getByTestId('fill-value')).toBeFocused()
  await page.getByTestId('connect-more').click()
  await expect(page.getByTestId('env-name')).toHaveValue('BRAVE_API_KEY')
})
