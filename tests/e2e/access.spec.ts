import { addServer, expect, fromMenu, showTrace, test, violations } from './stage.ts'

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  test(`axe finds nothing on any screen, ${colorScheme}, ${width} wide`, async ({ page, address }) => {
    test.slow()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(address)
    await expect(page.getByTestId('connect-input')).toBeVisible()
    expect(await violations(page)).toEqual([])

    await page.getByTestId('connect-input').fill('no-such-command-anywhere')
    await page.getByTestId('connect-input').press('Enter')
    await expect(page.getByTestId('connect-failure')).toBeVisible()
    expect(await violations(page)).toEqual([])

    await addServer(page)
    await page
      .getByTestId('connect-input')
      .fill('{"mcpServers":{"a":{"command":"node"},"b":{"url":"http://127.0.0.1:9/mcp"}}}')
    await expect(page.getByTestId('found-server')).toHaveCount(2)
    expect(await violations(page)).toEqual([])
    await page.getByTestId('connect-input').fill('node server.js')
    await page.getByTestId('connect-more').click()
    await expect(page.getByTestId('connect-cwd')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('connect-input').fill('')

    await page.getByTestId('connect-sample').click()
    await expect(page.getByTestId('tool-item').first()).toBeVisible()
    await showTrace(page, false)
    expect(await violations(page)).toEqual([])
    await page.locator('[data-testid=tool-item][data-name="every-field"]').click()
    await expect(page.getByTestId('tool-detail')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('tool-run').click()
    await expect(page.getByTestId('tool-detail')).toContainText(/Run anyway/)
    expect(await violations(page)).toEqual([])
    await page.getByTestId('tool-run').click()
    await expect(page.getByTestId('tool-result')).not.toHaveAttribute('data-state', 'none')
    expect(await violations(page)).toEqual([])

    await showTrace(page, true)
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(content).toBeLessThanOrEqual(window)
    await page.locator('[data-testid=trace-row][data-method="tools/list"]').first().click()
    await expect(page.getByTestId('frame-tabs').getByRole('tab').first()).toBeVisible()
    for (const tab of await page.getByTestId('frame-tabs').getByRole('tab').all()) {
      if (await tab.isEnabled()) await tab.click()
      expect(await violations(page)).toEqual([])
    }
    await page.keyboard.press('Escape')
    await showTrace(page, false)

    await fromMenu(page, 'help')
    await expect(page.getByTestId('help-dialog')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    await page.getByTestId('tab-overview').click()
    await expect(page.getByTestId('overview')).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
}

test('at 400 % zoom nothing is wider than the window, and the page scrolls to what bars leave no room for', async ({
  page,
  address,
}) => {
  await page.setViewportSize({ width: 320, height: 256 })
  const fits = async () => {
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(content).toBeLessThanOrEqual(window)
  }
  await page.goto(address)
  await page.getByTestId('connect-input').fill('node server.js')
  const [more, form] = await Promise.all([
    page.getByTestId('connect-more').boundingBox(),
    page.getByTestId('connect-form').boundingBox(),
  ])
  expect(more!.x + more!.width).toBeLessThanOrEqual(form!.x + form!.width)
  await page.getByTestId('connect-input').fill('')
  await page.getByTestId('connect-sample').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  await fits()
  await page.getByTestId('trace-toggle').click()
  await page.getByTestId('trace-row').first().click()
  await expect(page.getByTestId('frame-detail')).toBeVisible()
  await fits()
  await page.getByTestId('trace-toggle').click()
  await page.getByTestId('tab-inbox').click()
  await page.getByTestId('inbox-rules-open').click()
  await fits()
  await page.getByTestId('share').click()
  const steps = page.getByTestId('share-part-steps')
  await steps.check()
  await expect(steps).toBeInViewport()
})

test('for whoever wants less motion, colours change at once', async ({ page, address }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto(address)
  await expect(page.getByTestId('connect-input')).toBeVisible()
  for (const colorScheme of ['dark', 'light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const fading = await page.evaluate(() => {
      // Reading a computed colour makes the browser start its transitions.
      for (const element of document.querySelectorAll('*')) void getComputedStyle(element).color
      return document.getAnimations().length
    })
    expect(fading).toBe(0)
  }
})
