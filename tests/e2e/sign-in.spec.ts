/** Signing in as a user does: with a real authorization server, in separate windows. */
import type { BrowserContext, Page } from '@playwright/test'
import { expect, field, test, violations, patient } from './stage.ts'

/** Long enough for the first build of a page, a discovery, and for a window to open. */
const PATIENT = { timeout: patient(15_000) }

const open = async (page: Page, address: string, url: string) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(url)
  await page.getByTestId('connect-input').press('Enter')
}

/** The server returned 401, and the page offers a remedy. */
const refused = async (page: Page) => {
  await expect(page.getByTestId('connect-failure')).toHaveAttribute('data-state', 'unauthorized', PATIENT)
}

/** A window of the authorization server, where the user allows or denies. */
const answer = async (window: Page, choice: 'Allow' | 'Deny' = 'Allow') => {
  await window.getByRole('button', { name: /^(Sign in|Allow)$/ }).waitFor(PATIENT)
  const signIn = window.getByRole('button', { name: 'Sign in' })
  if (await signIn.isVisible()) await signIn.click()
  await window.getByRole('button', { name: choice }).click(PATIENT)
}

const popupOf = async (context: BrowserContext, click: () => Promise<void>): Promise<Page> => {
  const [window] = await Promise.all([context.waitForEvent('page'), click()])
  return window
}

const connected = async (page: Page) => {
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', PATIENT)
}

const runTool = async (page: Page, name: string) => {
  await page.getByTestId('tab-tools').click()
  await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()
  if (name === 'echo') await field(page, 'text').fill('Hello')
  await page.getByTestId('tool-run').click()
}

/** Runs a tool that has a result already, and waits for the next one. */
const runAgain = async (page: Page, name: string) => {
  const result = page.getByTestId('tool-result')
  await page.getByTestId('tab-tools').click()
  await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()
  const before = (await result.getAttribute('data-seq'))!
  await runTool(page, name)
  await expect(result).not.toHaveAttribute('data-seq', before)
  await expect(result).toHaveAttribute('data-state', 'ok')
}

const control = async (url: string, name: string, body: object = {}): Promise<unknown> => {
  const { control: ask } = await import('../servers/control.ts')
  return await ask(url, name, body)
}

interface Seen {
  readonly endpoint: string
  readonly parameters: Readonly<Record<string, string>>
}

test('one click signs in: discovery, registration, consent in a window of theirs, a token for this server, a tool', async ({
  page,
  context,
  address,
  oauthUrl,
  oauthIssuerUrl,
}) => {
  const url = `${oauthUrl}/v1/opaque/e2e-story`
  await open(page, address, url)
  await refused(page)
  const window = await popupOf(context, () => page.getByTestId('do-sign-in').click())
  await answer(window)
  await connected(page)
  // The window closes once it is done.
  await expect.poll(() => window.isClosed(), PATIENT).toBe(true)
  await runTool(page, 'echo')
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')

  const log = (await control(oauthIssuerUrl, 'log', { resource: url })) as Seen[]
  expect(new Set(log.map(({ endpoint }) => endpoint))).toEqual(new Set(['authorization', 'token']))

  await test.step('a token that is over is refreshed in silence', async () => {
    await control(url, 'expire')
    await runAgain(page, 'echo')
  })

  await test.step('a tool that wants more asks, and goes on once its user has signed in for it', async () => {
    await runTool(page, 'touch')
    await expect(page.getByTestId('step-up')).toContainText('mcp:write')
    const more = await popupOf(context, () => page.getByTestId('step-up-sign-in').click())
    await answer(more)
    await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok', PATIENT)
    await expect(page.getByTestId('step-up')).toHaveCount(0)
  })

  await test.step('revoked, the token is worth nothing; signing in again makes it well', async () => {
    await page.getByTestId('tab-authorization').click()
    await page.getByTestId('auth-revoke').click()
    await expect(page.getByTestId('auth-token')).toHaveCount(0, PATIENT)
    const again = await popupOf(context, () => page.getByTestId('auth-sign-in').click())
    await answer(again)
    await expect(page.getByTestId('auth-token')).toBeVisible(PATIENT)
    await runAgain(page, 'echo')
  })

  // AU-TOK-02, SEC-15: nothing of it is on the device or in the URL.
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toMatch(/access_token|refresh_token|code_verifier|codeVerifier/)
})

test('a login page that severs its opener changes nothing (Cross-Origin-Opener-Policy)', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await open(page, address, `${oauthUrl}/v1/as-coop/e2e-coop`)
  await refused(page)
  const window = await popupOf(context, () => page.getByTestId('do-sign-in').click())
  await answer(window)
  await connected(page)
})

test('where windows are blocked the page itself goes there, and comes back to where it was', async ({
  page,
  address,
  oauthUrl,
}) => {
  await page.addInitScript(() => (window.open = () => null))
  await open(page, address, `${oauthUrl}/v1/plain/e2e-blocked`)
  await refused(page)
  await page.getByTestId('do-sign-in').click()
  await answer(page)
  await connected(page)
  expect(new URL(page.url()).search).toBe('')
})

test('its user says no: the verdict says so, and trying again is one click', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await open(page, address, `${oauthUrl}/v1/plain/e2e-denied`)
  await refused(page)
  const window = await popupOf(context, () => page.getByTestId('do-sign-in').click())
  await answer(window, 'Deny')
  await expect(page.getByTestId('flow-fault')).toHaveAttribute('data-code', 'denied', PATIENT)
  const again = await popupOf(context, () =>
    page.locator('[data-testid=flow-remedy][data-remedy=sign-in-again]').click(),
  )
  await answer(again)
  await connected(page)
})

test('its user closes the window: another can be opened, and leads on', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await open(page, address, `${oauthUrl}/v1/plain/e2e-closed`)
  await refused(page)
  const window = await popupOf(context, () => page.getByTestId('do-sign-in').click())
  await window.getByRole('button', { name: 'Sign in' }).waitFor(PATIENT)
  await window.close()
  const another = await popupOf(context, () => page.getByTestId('flow-open-window').click())
  await answer(another)
  await connected(page)
})

test('two tabs sign in at the same time, each to its own end', async ({ context, address, fresh, oauthUrl }) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  await open(one, address, `${oauthUrl}/v1/plain/e2e-tab-one`)
  await open(two, await fresh(), `${oauthUrl}/v1/plain/e2e-tab-two`)
  await refused(one)
  await refused(two)
  const first = await popupOf(context, () => one.getByTestId('do-sign-in').click())
  await first.getByRole('button', { name: 'Sign in' }).waitFor(PATIENT)
  const second = await popupOf(context, () => two.getByTestId('do-sign-in').click())
  await answer(second)
  await connected(two)
  await expect(one.getByTestId('connection-state').first()).not.toHaveAttribute('data-state', 'open')
  await answer(first)
  await connected(one)
})

test('a reload in the middle loses nothing: the answer finds the page again', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await open(page, address, `${oauthUrl}/v1/plain/e2e-reload`)
  await refused(page)
  const window = await popupOf(context, () => page.getByTestId('do-sign-in').click())
  await window.getByRole('button', { name: 'Sign in' }).waitFor(PATIENT)
  await page.reload()
  await answer(window)
  await connected(page)
})

test('where registration has no CORS headers, that request alone goes through the proxy, once its URL was seen', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await open(page, address, `${oauthUrl}/v1/as-closed-registration/e2e-relay`)
  await refused(page)
  await page.getByTestId('do-sign-in').click()
  await expect(page.getByTestId('flow-relay-ask')).toContainText(/POST http:\/\/127\.0\.0\.1:\d+\S*\/reg/, PATIENT)
  await page.getByTestId('trace-filter').fill('is:relayed')
  await expect(page.getByTestId('trace-row')).toHaveCount(0)
  const relay = page.locator('[data-testid=flow-remedy][data-remedy=relay]')
  const window = await popupOf(context, () => relay.click())
  await answer(window)
  await connected(page)
  await page.getByTestId('trace-filter').fill('is:relayed')
  await expect(page.getByTestId('trace-row')).toHaveCount(1)
  await expect(page.getByTestId('trace-row')).toContainText('/reg')
})

test('step by step: each request is shown before it is sent, and waits', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await open(page, address, `${oauthUrl}/v1/plain/e2e-steps`)
  await refused(page)
  await page.getByTestId('do-sign-in-by-steps').click()
  const send = page.getByTestId('flow-send')
  await expect(page.getByTestId('flow-draft')).toContainText('oauth-protected-resource', PATIENT)
  await send.click()
  await expect(page.getByTestId('flow-draft')).toContainText('oauth-authorization-server')
  await send.click()
  await expect(page.getByTestId('flow-draft')).toContainText('redirect_uris')
  expect(await violations(page)).toEqual([])
  await send.click()
  const window = await popupOf(context, () => page.getByTestId('flow-leave-go').click())
  await answer(window)
  await expect(page.getByTestId('flow-draft')).toContainText('(CORS)', PATIENT)
  await send.click()
  await expect(page.getByTestId('flow-draft')).toContainText('code_verifier')
  await send.click()
  await connected(page)
})

test('a server that works without a sign-in is not bothered with one', async ({ page, address, oauthUrl }) => {
  await open(page, address, `${oauthUrl}/v1/free/e2e-free`)
  await connected(page)
  await runTool(page, 'echo')
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
})

test('AU-GEN-08: signed in on an open session, its lists are asked for again, for they may be others now', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await open(page, address, `${oauthUrl}/v1/late/e2e-late`)
  await connected(page)
  await runTool(page, 'echo')
  await expect(page.getByTestId('tool-result')).toContainText('401')
  const filter = page.getByTestId('trace-filter')
  const rows = page.getByTestId('trace-row')
  await filter.fill('kind:message method:tools/list dir:sent')
  const pages = 3
  await expect(rows).toHaveCount(pages)
  const window = await popupOf(context, () => page.getByTestId('sign-in-wanted-go').click())
  await answer(window)
  // Back at the server, which never disconnected.
  await expect(page.getByTestId('tab-tools')).toHaveAttribute('aria-selected', 'true', PATIENT)
  await expect(rows).toHaveCount(2 * pages)
  await runTool(page, 'echo')
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
  await filter.fill('kind:message method:initialize dir:sent')
  await expect(rows).toHaveCount(1)
})
