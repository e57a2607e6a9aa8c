import { expect, field, test } from './stage.ts'

test.beforeEach(async ({ page, address }) => {
  await page.goto(address)
})

for (const [what, typed, named] of [
  ['a URL of another scheme', 'ftp://example.com/mcp', /ftp/],
  ['a URL that is no URL', 'http://', /http/],
  ['JSON that is not JSON', '{"mcpServers": {"a": }}', /line 1|1:/i],
  ['a command line with an open quote', `node 'server.js`, /'|quote/i],
] as const) {
  test(`${what} is named with its cause, before anything is tried`, async ({ page }) => {
    const input = page.getByTestId('connect-input')
    await input.fill(typed)
    await input.press('Enter')
    await expect(page.getByTestId('connect-understood')).toContainText(named)
    await expect(input).toHaveValue(typed)
    await expect(page.getByTestId('server-item')).toHaveCount(0)
  })
}

test('a command that is not there: what was searched, what to do, and the text stays', async ({ page }) => {
  const typed = 'no-such-command-anywhere --flag'
  await page.getByTestId('connect-input').fill(typed)
  await page.getByTestId('connect-input').press('Enter')
  const failure = page.getByTestId('connect-failure')
  await expect(failure).toContainText('no-such-command-anywhere')
  await expect(failure).toContainText(/PATH/)
  await expect(page.getByTestId('connect-input')).toHaveValue(typed)
  await expect(page.getByTestId('connect-retry')).toBeVisible()
})

test('a port where nobody listens: the address, what it may be, and a way to try again', async ({ page }) => {
  await page.getByTestId('connect-input').fill('http://127.0.0.1:9/mcp')
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connect-failure')).toContainText('127.0.0.1:9')
  await expect(page.getByTestId('connect-retry')).toBeVisible()
})

test('a server that never answers: the step is named with its limit, and Stop works', async ({ page, hostileUrl }) => {
  await page.getByTestId('connect-input').fill(`${hostileUrl}/h/init-never/e2e`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connect-steps')).toContainText(/30/)
  await page.getByTestId('connect-stop').click()
  await expect(page.getByTestId('connect-stop')).toHaveCount(0)
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'closed')
  await expect(page.getByTestId('connect-input')).toHaveValue(/init-never/)
})

test('a stream that is cut in the middle of a call: the answer arrives once, and the trace shows the resume', async ({
  page,
  cuttingUrl,
}) => {
  await page.getByTestId('connect-input').fill(`${cuttingUrl}/cut/3/e2e`)
  await page.getByTestId('connect-input').press('Enter')
  await page.locator('[data-testid=tool-item][data-name="slow-count"]').click()
  await field(page, 'n').fill('12')
  await field(page, 'ms').fill('20')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
  await expect(page.getByTestId('tool-result')).toContainText('counted to 12')
  await page.getByTestId('trace-filter').fill('kind:stream resume')
  await expect(page.getByTestId('trace-row').first()).toBeVisible()
  await page.getByTestId('trace-filter').fill('kind:message "counted to 12"')
  await expect(page.getByTestId('trace-row')).toHaveCount(1)
})

test('a list that fails shows the server’s error, and nothing else suffers', async ({ page, hostileUrl }) => {
  await page.getByTestId('connect-input').fill(`${hostileUrl}/h/tools-list-error/e2e`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('tool-list-error')).toContainText('The tool registry is on fire')
  await page.getByTestId('tab-overview').click()
  await expect(page.getByTestId('overview')).toContainText('hostile')
})

test('odd tools are shown, each with what is odd about it, and spoil nothing', async ({ page, hostileUrl }) => {
  await page.getByTestId('connect-input').fill(`${hostileUrl}/h/odd-tools/e2e`)
  await page.getByTestId('connect-input').press('Enter')
  await expect.poll(() => page.getByTestId('tool-item').count()).toBeGreaterThanOrEqual(10)
  await page.locator('[data-testid=tool-item][data-name="keyword-names"]').click()
  for (const name of ['properties', 'type', 'required', 'default']) {
    await expect(page.locator(`[data-testid=field][data-path="/${name}"]`)).toBeVisible()
  }
})

test('a thousand tools stay under a thousand elements in the list', async ({ page, hostileUrl }) => {
  await page.getByTestId('connect-input').fill(`${hostileUrl}/h/many-tools/e2e`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('tool-count')).toContainText('1,083')
  expect(await page.getByTestId('tool-list').locator('*').count()).toBeLessThan(1000)
})
