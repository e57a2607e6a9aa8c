import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './stage.ts'

const violations = async (page: Page): Promise<string[]> => {
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
  )
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing on any screen, ${colorScheme}, ${width} wide`, async ({ page, address }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await page.goto(address)
      await expect(page.getByTestId('connect-input')).toBeVisible()
      expect(await violations(page)).toEqual([])

      await page.getByTestId('connect-input').fill('no-such-command-anywhere')
      await page.getByTestId('connect-input').press('Enter')
      await expect(page.getByTestId('connect-failure')).toBeVisible()
      expect(await violations(page)).toEqual([])

      await page.goto(address)
      await page.getByTestId('connect-sample').click()
      await expect(page.getByTestId('tool-item').first()).toBeVisible()
      expect(await violations(page)).toEqual([])
      await page.locator('[data-testid=tool-item][data-name="every-field"]').click()
      await expect(page.getByTestId('tool-detail')).toBeVisible()
      expect(await violations(page)).toEqual([])
      await page.getByTestId('tab-overview').click()
      await expect(page.getByTestId('overview')).toBeVisible()
      expect(await violations(page)).toEqual([])
    })
  }
}
