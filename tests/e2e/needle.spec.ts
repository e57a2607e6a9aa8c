/** One failed call among 50,000 frames: found in at most five keys or clicks on every way, and repeated in a shell. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { recordOneFailure } from '../sessions/one-failure.ts'
import { drop } from './recording-stage.ts'
import { expect, patient, test } from './stage.ts'

const FRAMES = 50_000
const MOST = 5
const FAILS = { status: 400, body: 'The disk is full', rpc: 'null' }

const run = promisify(execFile)

/** Counts keys and clicks. */
const counted = () => {
  let acts = 0
  return {
    click: async (target: Locator, how?: Parameters<Locator['click']>[0]) => {
      acts++
      await target.click(how)
    },
    press: async (page: Page, key: string) => {
      acts++
      await page.keyboard.press(key)
    },
    acts: () => acts,
  }
}

test('one failed call among 50,000 frames is found by filter, by waterfall, by Problems and by key in at most five acts each, and its cURL line gets the same response', async ({
  page,
  address,
  hostileUrl,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => localStorage.setItem('periscope.trace-view', 'exchanges'))
  const { file, request, response } = await recordOneFailure(`${hostileUrl}/h/named-status/needle`, FAILS, FRAMES)
  await page.goto(address)
  await expect(page.getByTestId('connect-input')).toBeVisible()
  await drop(page, 'one-failure.periscope.jsonl', file)
  await expect(page.getByTestId('recording-bar')).toBeVisible()
  await expect(page.getByTestId('trace-trouble')).toHaveAttribute('data-count', '1')
  await expect(page.getByTestId('trace-count')).toHaveAttribute('data-state', 'settled')
  // The rules take their time in the background.
  await expect(page.getByTestId('problem-count')).toBeVisible({ timeout: patient(60_000) })

  const row = page.locator(`[data-testid=exchange-row][data-seq="${request}"]`)
  const detail = page.getByTestId('frame-detail')
  const found = async (acts: number) => {
    await expect(row).toHaveAttribute('aria-selected', 'true')
    await expect(row).toContainText('error -32000')
    expect(acts).toBeLessThanOrEqual(MOST)
  }
  const startAgain = async () => {
    await detail.press('Escape')
    await expect(detail).toHaveCount(0)
  }

  const byFilter = counted()
  await byFilter.click(page.getByTestId('trace-chipErrors'))
  await byFilter.click(row)
  await found(byFilter.acts())
  await page.getByRole('group', { name: 'Show only' }).getByText('All').click()
  await startAgain()
  await expect(page.getByTestId('trace-count')).toHaveAttribute('data-state', 'settled')

  const byWaterfall = counted()
  const mark = page.getByTestId('trace-axis-error')
  await byWaterfall.click(mark, { force: true })
  await found(byWaterfall.acts())
  await startAgain()

  const byKey = counted()
  await byKey.press(page, 'e')
  await found(byKey.acts())
  await startAgain()

  const byProblems = counted()
  await byProblems.click(page.getByTestId('problem-count'))
  await byProblems.click(page.getByTestId('problem-detail').getByTestId('frame-link').first())
  await found(byProblems.acts())
  await expect(detail).toContainText('The disk is full')

  await page.getByTestId('frame-menu').click()
  await page.getByTestId('row-curl').click()
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(clipboard).toContain('curl -sS')
  const { stdout } = await run('sh', ['-c', await clipboard()])
  expect(JSON.parse(stdout)).toEqual(response)
})
