/** What is stored of a sign-in, where, and how the user can delete it: with a real authorization server. */
import type { BrowserContext, Page } from '@playwright/test'
import { control } from '../servers/control.ts'
import { expect, holdRequests, test, violations, patient } from './stage.ts'

/** Long enough for a discovery and for a window to open. */
const PATIENT = { timeout: patient(15_000) }

const connect = async (page: Page, address: string, url: string) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(url)
  await page.getByTestId('connect-input').press('Enter')
}

const isOpen = (page: Page) =>
  expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', PATIENT)

const signIn = async (context: BrowserContext, page: Page, address: string, url: string) => {
  await connect(page, address, url)
  const [window] = await Promise.all([
    context.waitForEvent('page', PATIENT),
    page.getByTestId('do-sign-in').click(PATIENT),
  ])
  await window.getByRole('button', { name: /^(Sign in|Allow)$/ }).waitFor(PATIENT)
  const button = window.getByRole('button', { name: 'Sign in' })
  if (await button.isVisible()) await button.click()
  await window.getByRole('button', { name: 'Allow' }).click(PATIENT)
  await isOpen(page)
}

const openSettings = async (page: Page) => {
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-settings').click()
  await expect(page.getByTestId('kept-credentials')).toBeVisible(PATIENT)
}

/** Everything in the storage that tabs share. */
const onDevice = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }))
const keptThere = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('periscope.credentials.')))

test('a sign-in goes with the page, unless it is remembered; then a later page goes on with it, and any page forgets it', async ({
  page,
  context,
  address,
  fresh,
  oauthUrl,
}) => {
  // Four pages and a sign-in.
  const url = `${oauthUrl}/v1/plain/e2e-kept`
  await signIn(context, page, address, url)
  expect(await onDevice(page)).not.toMatch(/token/i)
  await expect(page.getByTestId('kept-link')).toHaveCount(0)

  await openSettings(page)
  const entry = page.getByTestId('kept-entry')
  await expect(entry).toHaveAttribute('data-kept', 'memory')
  await expect(entry).toContainText(url)
  expect(await violations(page)).toEqual([])
  await entry.getByTestId('kept-remember').check()
  await expect(entry).toHaveAttribute('data-kept', 'device')
  await expect(page.getByTestId('kept-where')).toHaveText('on this device')
  await page.getByTestId('settings-done').click()
  await page.getByTestId('tab-authorization').click()
  await expect(page.getByTestId('auth-remember')).toHaveAttribute('data-state', 'device')
  // No secrets appear on screen or in the URL.
  expect(page.url()).not.toMatch(/token=ey|code=/)

  const later = await context.newPage()
  await connect(later, await fresh(), url)
  await isOpen(later)
  expect(context.pages()).toHaveLength(2)

  const visitor = await context.newPage()
  await visitor.goto(await fresh())
  await visitor.getByTestId('kept-link').click()
  const listed = visitor.getByTestId('kept-entry')
  await expect(listed).toContainText(url)
  await expect(listed).toContainText('dynamically registered client')
  expect(await violations(visitor)).toEqual([])
  await listed.getByTestId('kept-forget').press('Enter')
  await expect(visitor.getByTestId('kept-credentials')).toHaveAttribute('data-state', 'none')
  // Keyboard focus stays in the dialog.
  await expect(visitor.getByTestId('kept-credentials')).toBeFocused()
  expect(await keptThere(visitor)).toEqual([])
  await visitor.getByTestId('kept-dialog-close').click()
  await expect(visitor.getByTestId('kept-link')).toHaveCount(0)

  // The other tabs have cleared it as well.
  await openSettings(page)
  await expect(page.getByTestId('kept-credentials')).toHaveAttribute('data-state', 'none')
})

test('two tabs that refresh at the same time use the refresh token once (AU-TOK-04)', async ({
  page,
  context,
  address,
  fresh,
  oauthUrl,
  oauthIssuerUrl,
}) => {
  const url = `${oauthUrl}/v1/plain/e2e-tabs`
  await signIn(context, page, address, url)
  await page.getByTestId('tab-authorization').click()
  await page.getByTestId('auth-remember-on').check()
  await expect(page.getByTestId('auth-remember')).toHaveAttribute('data-state', 'device')
  const other = await context.newPage()
  await connect(other, await fresh(), url)
  await isOpen(other)
  await other.getByTestId('tab-authorization').click()
  const refreshes = () => control<unknown[]>(oauthIssuerUrl, 'log', { grant_type: 'refresh_token', resource: url })
  await refreshAtOnce(page, other)
  expect(await refreshes()).toHaveLength(1)
  // Using a refresh token twice would have revoked all others. Another refresh shows that this didn't happen.
  for (const tab of [other, page]) {
    const before = (await refreshes()).length
    await refreshAtOnce(tab)
    expect(await refreshes()).toHaveLength(before + 1)
    await expect(tab.getByTestId('auth-token')).toHaveAttribute('data-state', 'good')
  }
})

/** No response arrives before all tabs are refreshing. Returns when none of them is. */
const refreshAtOnce = async (...tabs: readonly [Page, ...Page[]]) => {
  const release = await holdRequests(tabs[0], '**/token')
  for (const tab of tabs) await tab.getByTestId('auth-refresh').click()
  for (const tab of tabs) await expect(tab.getByTestId('auth-refresh')).toHaveText('Refreshing…', PATIENT)
  release()
  for (const tab of tabs) await expect(tab.getByTestId('auth-refresh')).toHaveText('Refresh', PATIENT)
}

test('tokens that are bound to a key are never on the device, and the list says why', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await signIn(context, page, address, `${oauthUrl}/v1/dpop/e2e-bound`)
  await openSettings(page)
  const entry = page.getByTestId('kept-entry')
  await entry.getByTestId('kept-remember').check()
  await expect(entry.getByTestId('kept-unkept')).toContainText('bound to a key')
  await expect(entry).toHaveAttribute('data-kept', 'memory')
  expect(await onDevice(page)).not.toMatch(/accessToken|refreshToken/)
})

test('what another version of the page left can be seen, and cleared', async ({ page, address }) => {
  await page.goto(address)
  await page.evaluate(() => localStorage.setItem('periscope.credentials.9.server.x', '{"accessToken":"old"}'))
  await page.reload()
  await page.getByTestId('kept-link').click()
  await expect(page.getByTestId('kept-credentials')).toHaveAttribute('data-state', 'unread')
  await page.getByTestId('kept-forget-all').click()
  await expect(page.getByTestId('kept-credentials')).toHaveAttribute('data-state', 'none')
  expect(await keptThere(page)).toEqual([])
})
