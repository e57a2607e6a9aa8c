/** The steps of a sign-in on screen: what each one shows, and everything the user can do about one that stops. */
import type { BrowserContext, Page } from '@playwright/test'
import { worldOf } from '../servers/hostile-oauth/control.ts'
import { signInHeadlessly } from '../servers/oauth/consent.ts'
import { expect, test, violations, patient, writeJson } from './stage.ts'

const PATIENT = { timeout: patient(15_000) }

const begin = async (page: Page, address: string, url: string, how: 'do-sign-in' | 'do-sign-in-by-steps') => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(url)
  await page.getByTestId('connect-input').press('Enter')
  await page.getByTestId(how).click(PATIENT)
  await expect(page.getByTestId('flow-steps')).toBeVisible(PATIENT)
}
const step = (page: Page, name: string) => page.locator(`[data-testid=flow-step][data-step=${name}]`)
const remedy = (page: Page, name: string) => page.locator(`[data-testid=flow-remedy][data-remedy=${name}]`)
const fault = (page: Page, code: string) =>
  expect(page.getByTestId('flow-fault')).toHaveAttribute('data-code', code, PATIENT)
const hostile = async (url: string, kind: string) => await worldOf(url, kind, crypto.randomUUID())

/** Signs in and agrees in the window opened by the click. */
const agree = async (context: BrowserContext, click: () => Promise<void>) => {
  const [window] = await Promise.all([context.waitForEvent('page'), click()])
  await window.getByRole('button', { name: 'Sign in' }).click(PATIENT)
  await window.getByRole('button', { name: 'Allow' }).click(PATIENT)
}
const connected = async (page: Page) =>
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', PATIENT)

test('where nobody may register, the step says so, what to do, and takes a client that is entered', async ({
  page,
  context,
  address,
  oauthUrl,
}) => {
  await begin(page, address, `${oauthUrl}/v1/as-by-hand/steps-client`, 'do-sign-in')
  await fault(page, 'no-registration')
  await expect(step(page, 'registration')).toHaveAttribute('data-state', 'waiting')
  await expect(page.getByTestId('flow-server-fix')).toContainText('client_id_metadata_document_supported')
  await remedy(page, 'enter-client').click()
  await expect(page.getByTestId('flow-form')).toContainText('/oauth/callback.html')
  await page.getByLabel('Client id').fill('known-public')
  // The click that starts the sign-in opens its window.
  await agree(context, () => page.getByTestId('flow-form-use').click())
  await connected(page)
})

test('an issuer that differs by a slash is shown letter by letter; going on is possible, quiet, and stays visible', async ({
  page,
  address,
  hostileOauthUrl,
}) => {
  const { mcp } = await hostile(hostileOauthUrl, 'asm-issuer-slash')
  await begin(page, address, mcp, 'do-sign-in-by-steps')
  await page.getByTestId('flow-send').click()
  await expect(page.getByTestId('flow-draft')).toContainText('authorization-server')
  await page.getByTestId('flow-send').click()
  await fault(page, 'issuer-mismatch')
  await expect(page.getByTestId('flow-compare')).toHaveAttribute('data-state', 'slash')
  expect(await violations(page)).toEqual([])
  await remedy(page, 'go-on').click()
  await expect(step(page, 'server-metadata')).toHaveAttribute('data-state', 'forced')
  await step(page, 'server-metadata').click()
  await expect(page.locator('[data-testid=flow-check][data-say=issuer-differs]')).toHaveAttribute(
    'data-state',
    'broken',
  )
})

test('of an answer from another issuer nothing is shown, not even to who goes on (AU-FLOW-10)', async ({
  page,
  address,
  hostileOauthUrl,
}) => {
  const { mcp } = await hostile(hostileOauthUrl, 'iss-wrong-error')
  await begin(page, address, mcp, 'do-sign-in')
  await fault(page, 'iss-mismatch')
  const detail = page.getByTestId('flow-detail')
  await expect(detail).not.toContainText('555-0100')
  await expect(page.getByTestId('flow-came-back')).toHaveAttribute('data-state', 'strange')
  await remedy(page, 'go-on').click()
  await expect(page.getByTestId('flow-fault')).not.toHaveAttribute('data-code', 'iss-mismatch')
  await expect(page.getByTestId('flow-words-hidden')).toBeVisible()
  await expect(detail).not.toContainText('555-0100')
})

test('a request can be changed before it is sent, secrets are shown only when asked for, and the answer be brought by hand', async ({
  page,
  address,
  oauthUrl,
}) => {
  await page.addInitScript(() => (window.open = () => null))
  await begin(page, address, `${oauthUrl}/v1/plain/steps-edit`, 'do-sign-in-by-steps')
  const send = page.getByTestId('flow-send')
  const draft = page.getByTestId('flow-draft')
  await expect(draft).toContainText('oauth-protected-resource')
  await send.click()
  await expect(draft).toContainText('oauth-authorization-server')
  await send.click()
  await expect(draft).toContainText('redirect_uris')
  await page.getByTestId('flow-edit').click()
  await page.getByTestId('flow-edit-url').fill('nowhere')
  await expect(send).toBeDisabled()
  await expect(draft.getByRole('alert').first()).not.toBeEmpty()
  const url = `${new URL((await page.locator('[data-fact=issuer] .mono').first().innerText()).trim()).origin}/reg?changed=1`
  await page.getByTestId('flow-edit-url').fill(url)
  await send.click()

  await page.getByTestId('flow-leave-go').click()
  await expect(page.getByTestId('flow-consent')).toHaveAttribute('data-state', 'blocked')
  const back = await signInHeadlessly((await page.getByTestId('flow-link').getAttribute('href'))!)
  await page.getByTestId('flow-have-address').click()
  const typed = page.getByTestId('flow-returned').getByRole('textbox')
  await typed.fill('no address')
  await page.getByTestId('flow-returned-use').click()
  await expect(page.getByTestId('flow-returned').getByRole('alert')).not.toBeEmpty()
  await typed.fill(back.href)
  await page.getByTestId('flow-returned-use').click()

  const code = back.searchParams.get('code')!
  // The request that tests whether this page can read the endpoint's responses is shown first, and contains no code to
  // redeem.
  await expect(draft).toContainText('(CORS)')
  await expect(draft).not.toContainText('code_verifier')
  await send.click()
  await expect(draft).toContainText('code_verifier')
  await expect(draft).not.toContainText(code)
  await page.getByTestId('flow-secrets').click()
  await expect(draft).toContainText(code)
  // The shortcut that runs things everywhere.
  await page.getByTestId('flow-secrets').press('Control+Enter')
  await connected(page)
  await page.getByTestId('tab-authorization').click()
  await page.getByTestId('auth-view').getByText('Steps').click()
  await step(page, 'registration').click()
  await page.getByTestId('flow-part').getByText('Request').click()
  await expect(page.getByTestId('flow-request')).toContainText('/reg?changed=1')
  await step(page, 'token').click()
  await expect(page.getByTestId('flow-detail')).not.toContainText(code)
})

test('metadata that is missing can be pasted, as people paste it', async ({ page, address, hostileOauthUrl }) => {
  const world = await hostile(hostileOauthUrl, 'asm-missing')
  await begin(page, address, world.mcp, 'do-sign-in')
  await fault(page, 'no-server-metadata')
  await remedy(page, 'paste-metadata').click()
  const editor = page.getByTestId('flow-metadata')
  await expect(editor).toHaveAttribute('data-state', 'ready')
  await writeJson(page, editor, '[1')
  await page.getByTestId('flow-form-use').click()
  await expect(page.getByTestId('flow-form').getByRole('alert')).toContainText('line 1')
  const { issuer, authorize, token, register } = world
  const members = { issuer, authorization_endpoint: authorize, token_endpoint: token, registration_endpoint: register }
  const known = { ...members, code_challenge_methods_supported: ['S256'] }
  await writeJson(page, editor, `// by hand\n${JSON.stringify(known).replace(/\}$/, ',}')}`)
  await page.getByTestId('flow-form-use').click()
  await expect(step(page, 'server-metadata')).toHaveAttribute('data-state', 'ok')
})

test('its user goes back to a step, and both tries stay; keys move; each value leads to its frame', async ({
  page,
  address,
  oauthUrl,
}) => {
  await begin(page, address, `${oauthUrl}/v1/plain/steps-back`, 'do-sign-in-by-steps')
  const draft = page.getByTestId('flow-draft')
  await expect(draft).toContainText('oauth-protected-resource')
  await page.getByTestId('flow-send').click()
  await expect(draft).toContainText('oauth-authorization-server')
  await page.getByTestId('flow-send').click()
  await expect(draft).toContainText('redirect_uris')
  await step(page, 'resource-metadata').click()
  await page.getByTestId('flow-run-again').click()
  await expect(draft).toContainText('oauth-protected-resource')
  await expect(page.getByTestId('flow-tries').locator('option')).toHaveCount(2)
  await expect(step(page, 'server-metadata')).toHaveAttribute('data-state', 'planned')

  await step(page, 'resource-metadata').focus()
  await page.keyboard.press('Home')
  await expect(page.getByTestId('flow-detail')).toHaveAttribute('data-step', 'challenge')
  await expect(step(page, 'challenge')).toBeFocused()
  const frame = page.locator('[data-fact=header]').getByRole('button')
  const seq = /#(\d+)/.exec(await frame.innerText())![1]!
  await frame.click()
  await expect(page.getByTestId('frame-detail')).toHaveAttribute('data-seq', seq)
})

test('on a phone one thing at a time: the steps, then one of them', async ({ page, address, oauthUrl }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await begin(page, address, `${oauthUrl}/v1/as-by-hand/steps-phone`, 'do-sign-in')
  await expect(step(page, 'registration')).toHaveAttribute('data-state', 'waiting', PATIENT)
  await expect(page.getByTestId('flow-detail')).toHaveCount(0)
  await step(page, 'registration').click()
  await fault(page, 'no-registration')
  await expect(page.getByTestId('flow-steps')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page.getByTestId('flow-back').click()
  await expect(page.getByTestId('flow-steps')).toBeVisible()
})
