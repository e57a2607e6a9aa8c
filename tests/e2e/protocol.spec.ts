/** Stateless servers and broken servers, as a user sees them. */
import { connect, expect, field, test } from './stage.ts'

test.beforeEach(async ({ page, address }) => {
  await page.goto(address)
})

const openTool = async (page: import('@playwright/test').Page, name: string) =>
  await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()

test('a server of 2026-07-28 is used with no setting by hand, and annotated arguments travel in headers', async ({
  page,
  modernUrl,
}) => {
  await connect(page, `${modernUrl}/e2e-headers`)
  await expect(page.getByTestId('connection-facts')).toContainText('2026-07-28')
  await openTool(page, 'routed')
  await field(page, 'tenant').fill('Grüße')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toContainText('mcp-param-tenant')
  await expect(page.getByTestId('tool-result')).toContainText('=?base64?')
})

test('a capability that is missing is named, and what to do about it (BP-33)', async ({ page, erasUrl }) => {
  await connect(page, `${erasUrl}/capability-nobody-has/e2e`)
  await page.getByTestId('tool-item').first().click()
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-error')).toHaveAttribute('data-state', '-32021')
  await expect(page.getByTestId('tool-error')).toContainText(/didn't declare/)
  await expect(page.getByTestId('tool-error')).toContainText('com.example/telepathy')
})

test('how long a client might keep a list is shown, and why not at all (CACHE-02, CACHE-03)', async ({
  page,
  erasUrl,
}) => {
  await connect(page, `${erasUrl}/ttl-long/e2e`)
  await expect(page.getByTestId('freshness')).toHaveAttribute('data-state', 'fresh')
  await page.getByTestId('server-add').click()
  await connect(page, `${erasUrl}/ttl-negative/e2e`)
  const chip = page.getByTestId('freshness').filter({ visible: true })
  await expect(chip).toHaveAttribute('data-state', 'stale')
  await expect(chip).toHaveAttribute('title', /negative/)
})

test('tools that may not be used over HTTP stand apart with the rule, and run on a second press (TR-XH-06, TR-XH-07)', async ({
  page,
  erasUrl,
}) => {
  await connect(page, `${erasUrl}/odd-annotations/e2e`)
  await openTool(page, 'bad-space')
  await expect(page.getByTestId('tool-apart')).toContainText('TR-XH-04')
  const run = page.getByTestId('tool-run')
  await run.click()
  await expect(run).toHaveAttribute('data-state', 'misfit')
  await expect(page.getByTestId('tool-result')).not.toHaveAttribute('data-state', 'ok')
  await run.click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
})

test('garbage never ends the session, and each oddity is a finding that cites its rule', async ({
  page,
  garbageUrl,
}) => {
  await connect(page, `${garbageUrl}/e2e?kind=all&then=answer&as=sse&era=handshake`)
  await page.getByTestId('tool-item').first().click()
  for (let call = 0; call < 25; call++) await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
  const must = page.locator('[data-testid=trace-findings][data-keyword=must]')
  await expect(must).toBeVisible()
  await must.click()
  await expect(page.getByTestId('trace-filter')).toHaveValue(/must/)
  // Until the filter has found something, the list shows the former rows.
  await expect(page.getByTestId('trace-row').first()).toContainText('must')
  await page.getByTestId('trace-row').first().click()
  await page
    .getByTestId('frame-tabs')
    .getByRole('tab', { name: /Problems/ })
    .click()
  await expect(page.getByTestId('finding').first()).toContainText(/[A-Z]{2,}-[A-Z-]*\d\d/)
})
