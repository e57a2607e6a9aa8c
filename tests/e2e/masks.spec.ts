/** The page translates masks; files keep the English form. */
import { readFileSync } from 'node:fs'
import { expect, patient, selectFirst, showTrace, test } from './stage.ts'

const SECRET = 'Zx81qLmN0pQrS7tUvW'

test('a page in Chinese says in Chinese how long a masked value is, and a saved session says it as ever', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.addInitScript(() => localStorage.setItem('periscope.language', 'zh-CN'))
  await page.goto(address)
  const text = JSON.stringify({
    mcpServers: { docs: { url: `${everythingUrl}?api_key=${SECRET}`, headers: { 'X-Key': SECRET } } },
  })
  await page.getByTestId('config-file').setInputFiles({ name: 'mcp.json', mimeType: 'application/json', buffer: Buffer.from(text) }) // prettier-ignore
  await expect(page.getByTestId('found-server')).toContainText('api_key=•••• (18 个字符)')
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  // The server got it, and the page shows it nowhere: neither the status bar nor tooltips, tabs and lists.
  await expect(page.getByTestId('connection-facts')).toContainText('?api_key=••••')
  expect(await page.evaluate(() => document.title + document.documentElement.outerHTML)).not.toContain(SECRET)
  await showTrace(page, true)
  await page.getByTestId('trace-list').press('Home')
  await expect(page.getByTestId('trace-dock')).toContainText('•••• (18 个字符)')
  await selectFirst(page, 'tools/list')
  const detail = page.getByTestId('frame-detail')
  for (const tab of await detail.getByRole('tab').all()) {
    await tab.click()
    expect(await page.locator('body').innerText()).not.toMatch(/\d\+? characters\)/)
  }
  await detail.getByRole('tab', { name: 'HTTP' }).click()
  await expect(detail).toContainText('个字符)')

  await page.getByTestId('share').click()
  await expect(page.getByTestId('share-save')).toBeEnabled({ timeout: patient(20_000) })
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('share-save').click()])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(saved).toContain(' characters)')
  expect(saved).not.toContain('个字符')
  expect(saved).not.toContain(SECRET)
})
