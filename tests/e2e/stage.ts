/**
 * What an end-to-end test stands on: `import { expect, test } from './stage.ts'`.
 *
 *     test('…', async ({ page, address, everythingUrl }) => { await page.goto(address) … })
 */
import { test as base, type Locator, type Page } from '@playwright/test'

export { expect } from '@playwright/test'
export { startPeriscope } from './global-setup.ts'

interface Stage {
  /** The page, with the token of the running proxy. */
  address: string
  /** MCP endpoints of the peers in `tests/servers/`. */
  everythingUrl: string
  cuttingUrl: string
  hostileUrl: string
}

const named = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: tests/e2e/global-setup.ts did not run`)
  return value
}

export const test = base.extend<Stage>({
  address: async ({}, use) => use(named('PERISCOPE_ADDRESS')),
  everythingUrl: async ({}, use) => use(named('PERISCOPE_EVERYTHING')),
  cuttingUrl: async ({}, use) => use(named('PERISCOPE_CUTTING')),
  hostileUrl: async ({}, use) => use(named('PERISCOPE_HOSTILE')),
})

/** The control of a tool's argument. */
export const field = (page: Page, name: string): Locator =>
  page.locator(`[data-testid=field][data-path="/${name}"]`).getByTestId('field-input')
