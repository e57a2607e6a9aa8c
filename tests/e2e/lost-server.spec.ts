import { start } from '../servers/everything.ts'
import { expect, test, patient } from './stage.ts'

test('a killed server is shown at once, in rail, bar and overview, and is connected again when it is back', async ({
  page,
  address,
}) => {
  const server = await start()
  let again: Awaited<ReturnType<typeof start>> | undefined
  try {
    await page.goto(address)
    await page.getByTestId('connect-input').fill(server.url)
    await page.getByTestId('connect-input').press('Enter')
    const bar = page.getByTestId('connection-state').first()
    const item = page.getByTestId('server-item')
    await expect(bar).toHaveAttribute('data-standing', 'open')
    await page.getByTestId('tab-overview').click()
    await expect(page.getByTestId('overview-state')).toHaveAttribute('data-state', 'open')

    await server.close()
    await expect(bar).toHaveAttribute('data-standing', 'degraded')
    await expect(bar).toContainText('not responding')
    await expect(item).toHaveAttribute('data-standing', 'degraded')
    await expect(item).toHaveAccessibleName(/not responding/)
    await expect(page.getByTestId('overview-state')).toContainText('not responding since')
    const notice = page.getByTestId('disconnected')
    await expect(notice).toHaveAttribute('data-state', 'degraded')
    await expect(notice.getByTestId('reconnect')).toBeVisible()

    again = await start(Number(new URL(server.url).port))
    await expect(bar).toHaveAttribute('data-standing', 'open', { timeout: patient(60_000) })
    await expect(notice).toHaveCount(0)
    await expect(page.getByTestId('overview-state')).toHaveAttribute('data-state', 'open')
  } finally {
    await server.close()
    await again?.close()
  }
})
