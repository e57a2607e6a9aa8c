import { expect, patient, test, violations } from './stage.ts'

test('faults are off until chosen, marked while they are on, never blamed on the server, and one click turns them off', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(everythingUrl)
  await page.getByTestId('connect-more').click()
  await page.getByTestId('faults-open').click()
  const dialog = page.getByTestId('faults-dialog')
  await dialog.getByTestId('fault-kind').selectOption('status')
  await dialog.getByTestId('fault-number').fill('1')
  await dialog.getByTestId('faults-on').click()
  await expect(dialog).toHaveCount(0)
  // The dialog is within the form, but turning faults on connects nothing.
  await expect(page.getByTestId('connect-input')).toBeVisible()
  await expect(page.getByTestId('faults-open')).toBeVisible()
  await expect(page.getByTestId('tool-item')).toHaveCount(0)
  await expect(page.getByTestId('connection-facts')).toHaveCount(0)
  await page.getByTestId('connect-input').press('Enter')

  // The first attempt fails by what was injected, and says so first.
  const failure = page.getByTestId('connect-failure')
  await expect(failure).toBeVisible({ timeout: patient(20_000) })
  await expect(failure.getByTestId('fault-note')).toContainText('Periscope injected')
  await expect(page.getByTestId('faults-tag')).toBeVisible()
  await failure.getByTestId('retry-without-faults').click()
  await expect(page.getByTestId('connection-facts')).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })
  await expect(page.getByTestId('faults-tag')).toHaveCount(0)

  // While connected, from the command palette.
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('inject faults')
  await page.keyboard.press('Enter')
  await expect(dialog.getByTestId('fault-row')).toHaveCount(1)
  await dialog.getByTestId('fault-kind').selectOption('duplicate')
  await dialog.getByTestId('fault-number').fill('1')
  expect(await violations(page)).toEqual([])
  await dialog.getByTestId('faults-on').click()
  const tag = page.getByTestId('faults-tag')
  await expect(tag).toHaveText('Faults on')
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-ping').click()
  const marks = page.locator('[data-testid=trace-row]').filter({ hasText: 'the next message is a duplicate' })
  await expect(marks.last()).toBeVisible()

  await page.getByTestId('trace-filter').fill('kind:fault')
  await expect(page.locator('[data-testid=trace-row]').first()).toContainText('fault injection on')

  await tag.click()
  await dialog.getByTestId('faults-off').click()
  await expect(tag).toHaveCount(0)
  // The tag that opened the dialog is gone, but the focus must not be lost.
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await expect(page.locator('[data-testid=trace-row]').last()).toContainText('fault injection off')
})
