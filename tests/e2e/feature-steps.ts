/** Shared by the stories about features: connecting, running a tool, and locating its server requests and result. */
import type { Locator, Page } from '@playwright/test'
import { connect } from './stage.ts'

/** The two ways to request input, and the endpoint of the rich server for each. */
export const WAYS = [
  ['2025-11-25', 'v1'],
  ['2026-07-28', 'v2'],
] as const

export const openConnected = async (page: Page, address: string, line: string): Promise<void> => {
  await page.goto(address)
  await connect(page, line)
}

export const run = async (page: Page, tool: string): Promise<void> => {
  await page.getByTestId('tab-tools').click()
  await page.locator(`[data-testid=tool-item][data-name="${tool}"]`).click()
  await page.getByTestId('tool-run').click()
}

/** The only server request that the displayed call waits for. */
export const question = (page: Page): Locator => page.getByTestId('panel-tools').getByTestId('question')

export const result = (page: Page): Locator => page.getByTestId('tool-result')
