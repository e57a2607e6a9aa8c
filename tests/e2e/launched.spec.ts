import { resolve } from 'node:path'
import { everythingStdio } from '../servers/everything.ts'
import type { Page } from '@playwright/test'
import { hasLoadedAhead } from './loaded-ahead.ts'
import { expect, startPeriscope, test, patient } from './stage.ts'

test('a command given at launch opens connected, and a reload reconnects it', async ({ page }) => {
  const periscope = await startPeriscope(['--', everythingStdio.command, ...everythingStdio.args])
  try {
    await page.goto(periscope.address)
    await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', {
      timeout: patient(15_000),
    })
    await expect.poll(() => page.getByTestId('tool-item').count()).toBeGreaterThanOrEqual(13)
    await page.reload()
    await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', {
      timeout: patient(15_000),
    })
    expect(page.url()).not.toContain('launch')
  } finally {
    await periscope.close()
  }
})

test('a URL given at launch opens connected', async ({ page, everythingUrl }) => {
  const periscope = await startPeriscope([everythingUrl])
  try {
    await page.goto(periscope.address)
    await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', {
      timeout: patient(15_000),
    })
    await expect.poll(() => page.getByTestId('tool-item').count()).toBeGreaterThanOrEqual(13)
  } finally {
    await periscope.close()
  }
})

test('a page without the token starts nothing, and the note says once how to get it: Enter in the terminal', async ({
  page,
  address,
  modernNoCorsUrl,
}) => {
  const remedy = /press Enter in the terminal that runs Periscope, then open the URL it prints/i
  const input = page.getByTestId('connect-input')
  /** The proxy runs already, so no screen names the command that starts one. */
  const names = async (testid: string, text: RegExp | string) => {
    await expect(page.getByTestId(testid).first()).toContainText(text)
    await expect(page.locator('body')).not.toContainText('mcp-periscope')
  }
  /** Others refer to the note. */
  const refers = async (testid: string) => {
    await names(testid, 'See the note at the top.')
    await expect(page.getByText(remedy)).toHaveCount(1)
  }
  await page.goto(new URL('/', address).href)
  await names('proxy-note', remedy)
  await names('proxy-state', 'No access to the local proxy')
  await expect(page.getByText(remedy)).toHaveCount(1)

  await input.fill('node server.js')
  await refers('needs-proxy')
  await input.fill('unix:/tmp/server.sock')
  await refers('needs-proxy')
  await input.fill(JSON.stringify({ mcpServers: { a: { command: 'node' }, b: { command: 'node' } } }))
  await refers('found-server')
  await input.fill(JSON.stringify({ url: modernNoCorsUrl, headers: { 'X-Key': '${env:KEY}' } }))
  await refers('fill-variables')

  await input.fill(modernNoCorsUrl)
  await page.getByTestId('connect-more').click()
  await refers('settings')
  await input.press('Enter')
  await names('connect-failure', remedy)
})

test('a page of a clone whose proxy has stopped names the command that starts it there', async ({ page }) => {
  // What npm sets for `npm start`.
  const env = { npm_lifecycle_event: 'start', npm_package_json: resolve('package.json'), INIT_CWD: process.cwd() }
  const periscope = await startPeriscope([], [], env)
  try {
    await page.goto(periscope.address)
    await page.getByTestId('connect-input').fill('node server.js')
    await expect(page.getByTestId('command-preview')).toBeVisible()
    await page.waitForFunction(hasLoadedAhead)
  } finally {
    await periscope.close()
  }
  await page.getByTestId('connect-input').press('Enter')
  const failure = page.getByTestId('connect-failure')
  await expect(failure).toContainText('npm start -- -- node server.js')
  await expect(failure).not.toContainText('npx')
})

test('a URL works once: its tab goes on after a reload, another one is told what to do', async ({ page, context }) => {
  const periscope = await startPeriscope([])
  // Only then has the page kept the token: before that, there is no note either.
  const opens = async (tab: Page) => {
    await expect(tab.getByTestId('proxy-state')).toHaveAttribute('data-state', 'there')
    await expect(tab.getByTestId('proxy-note')).toHaveCount(0)
  }
  try {
    await page.goto(periscope.address)
    await opens(page)
    expect(page.url()).toBe(new URL('/', periscope.address).href)
    await page.reload()
    await page.getByTestId('connect-input').fill('node server.js')
    await opens(page)
    await expect(page.getByTestId('command-preview')).toBeVisible()

    const other = await context.newPage()
    await other.goto(periscope.address)
    await expect(other.getByTestId('proxy-note')).toContainText('already used')
    await other.goto(await periscope.fresh())
    await opens(other)
  } finally {
    await periscope.close()
  }
})

test('what was typed without the token is in the form of the tab that the printed URL opens, and stored nowhere', async ({
  page,
  context,
  address,
  fresh,
}) => {
  const line = 'node server.js --token hunter2-hunter2'
  await page.goto(new URL('/', address).href)
  await page.getByTestId('connect-input').fill(line)
  await expect(page.getByTestId('needs-proxy')).toContainText(
    'takes over what you typed here, unless Periscope was started with a configuration.',
  )
  const other = await context.newPage()
  await other.goto(await fresh())
  await expect(other.getByTestId('connect-input')).toHaveValue(line)
  await expect(other.getByTestId('command-preview')).toBeVisible()
  await expect(other.getByTestId('server-item')).toHaveCount(0)
  // Leaving a page stores its form.
  await other.reload()
  await expect(other.getByTestId('proxy-state')).toHaveAttribute('data-state', 'there')
  const stored = await other.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain('hunter2')

  // A later tab gets what this one has no more use for: nothing.
  await page.close()
  const later = await context.newPage()
  await later.goto(await fresh())
  await expect(later.getByTestId('proxy-state')).toHaveAttribute('data-state', 'there')
  await expect(later.getByTestId('connect-input')).toHaveValue('')
})

test('a proxy that goes away is noticed at the first failed attempt, and given up later', async ({ page }) => {
  const periscope = await startPeriscope(['--', everythingStdio.command, ...everythingStdio.args])
  const state = page.getByTestId('connection-state').first()
  const banner = page.getByTestId('proxy-reconnecting')
  try {
    await page.goto(periscope.address)
    await expect(state).toHaveAttribute('data-state', 'open')
    await expect(banner).toHaveCount(0)
  } finally {
    await periscope.close()
  }
  await expect(banner).toBeVisible({ timeout: patient(10_000) })
  // Nothing is lost yet: the connection may come back.
  await expect(state).toHaveAttribute('data-state', 'open')
  await expect(state).not.toHaveAttribute('data-state', 'open', { timeout: patient(40_000) })
  await expect(banner).toHaveCount(0)
})
