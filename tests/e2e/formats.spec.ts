/** A session leaves for other tools without its secrets, and what other tools recorded opens with the same screens. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, field, test, violations } from './stage.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`

const shown = (page: Page, testid: string) => page.getByTestId(testid).filter({ visible: true })

/** @returns name and text of what the dialog saves */
const savedAs = async (page: Page, format: string): Promise<readonly [string, string]> => {
  await page.getByTestId('share-format').selectOption(format)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('share-save').click()])
  return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')]
}

test('a session is saved in each format without its secrets, and its HAR opens as the same calls', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(everythingUrl)
  await page.getByTestId('connect-input').press('Enter')
  await shown(page, 'tool-item').and(page.locator('[data-name="echo"]')).click({ timeout: 15_000 })
  await field(page, 'message').fill(`my token is ${SECRET}`)
  await shown(page, 'tool-run').click()
  await expect(shown(page, 'tool-result')).toContainText('Echo: my token is')

  await page.getByTestId('share').click()
  await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
  const saved = new Map<string, readonly [string, string]>()
  for (const format of ['session', 'json', 'har', 'markdown', 'mcpServers', 'vscode', 'server.json'])
    saved.set(format, await savedAs(page, format))
  expect(await violations(page)).toEqual([])
  const ends = [...saved].map(([, [name]]) => name.replace(/^.*\d(?=\.)/, ''))
  expect(ends).toEqual(['.periscope.jsonl', '.json', '.har', '.md', 'mcp.json', 'mcp.json', 'server.json'])
  for (const [, [, text]] of saved) expect(text).not.toContain(SECRET)
  for (const format of ['session', 'json', 'har', 'markdown']) expect(saved.get(format)![1]).toContain('my token is')
  for (const format of ['mcpServers', 'vscode', 'server.json']) expect(saved.get(format)![1]).toContain(everythingUrl)
  await page.getByTestId('share-close').click()

  const [name, text] = saved.get('har')!
  await page.getByTestId('server-add').click()
  await page
    .getByTestId('recording-file')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await expect(page.getByTestId('recording-imported')).toContainText('Made from a HAR')
  await expect(shown(page, 'tool-item').and(page.locator('[data-name="echo"]'))).toBeVisible()
  await page.locator('[data-testid=trace-row][data-method="tools/call"]').first().click()
  await expect(page.getByTestId('frame-detail')).toContainText('my token is ‹removed: pattern:github›')
  expect(await violations(page)).toEqual([])
})

test('what is no recording, or one without messages, is refused, and what to do is said', async ({ page, address }) => {
  await page.goto(address)
  for (const [name, text, says] of [
    ['a.har', '{"log":{"version":"1.2","entries":[]}}', 'There are no MCP messages in a.har'],
    ['a.txt', 'hello', 'a.txt is no session file'],
  ] as const) {
    await page.getByTestId('recording-file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await expect(page.getByText(says)).toBeVisible()
  }
})
