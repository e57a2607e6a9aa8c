/**
 * The page as another machine opens it (`--host`): over plain HTTP at a name other than localhost, where the browser
 * provides no WebCrypto, `crypto.randomUUID` or clipboard. The name resolves to this machine's loopback.
 */
import { hostname } from 'node:os'
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { BROWSER_ARGUMENTS, findBrowser } from '../browser.ts'
import { everythingStdio } from '../servers/everything.ts'
import { expect, field, startPeriscope, test, violations, patient } from './stage.ts'

const PATIENT = { timeout: patient(15_000) }
/** A name the proxy accepts because it is this machine's own. */
const HOST = hostname().toLowerCase()

let browser: Browser
let context: BrowserContext
let page: Page
let periscope: Awaited<ReturnType<typeof startPeriscope>>

test.beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [...BROWSER_ARGUMENTS, `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  })
  periscope = await startPeriscope(['--host', '0.0.0.0'])
})
test.afterAll(async () => {
  await browser.close()
  await periscope.close()
})

test.beforeEach(async ({ viewport }) => {
  context = await browser.newContext({ viewport, locale: 'en-US' })
  page = await context.newPage()
  const address = await periscope.fresh()
  await page.goto(address.replace('127.0.0.1', HOST))
})
test.afterEach(async () => await context.close())

const connect = async (line: string) => {
  await page.getByTestId('connect-input').fill(line)
  await page.getByTestId('connect-input').press('Enter')
}
const isOpen = () => expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', PATIENT)

test('says once what the browser takes away, and how to have it', async () => {
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto, 'randomUUID' in crypto])).toEqual([
    false,
    false,
    false,
  ])
  const note = page.getByTestId('insecure-note')
  await expect(note).toContainText('DPoP')
  await expect(note).toContainText(/ssh -L (\d+):127\.0\.0\.1:\1 /)
  expect(await violations(page)).toEqual([])
  await expect(page.getByTestId('proxy-note')).toHaveCount(0)
})

test('values of headers cannot be remembered, and the form says why', async () => {
  await page.getByTestId('connect-input').fill('http://127.0.0.1:9/mcp')
  await page.getByTestId('connect-more').click()
  await page.getByTestId('header-add').click()
  await page.getByTestId('header-name').fill('X-Api-Key')
  await page.getByTestId('header-value').fill('secret-in-memory')
  await page.getByTestId('remember-values').check()
  await expect(page.getByTestId('remember-unkept')).toContainText('secure context')
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('connect-failure')).toBeVisible(PATIENT)
  await expect(page.getByTestId('remember-unkept')).toContainText('secure context')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('secret-in-memory')
})

test('a server over stdio connects, and its tools run', async () => {
  const { command, args } = everythingStdio
  await connect([command, ...args].map((word) => (/[\s"']/.test(word) ? JSON.stringify(word) : word)).join(' '))
  await isOpen()
  await page.locator('[data-testid=tool-item][data-name=echo]').click()
  await field(page, 'message').fill('from afar')
  await page.getByTestId('tool-run').click()
  await expect(page.locator('[data-testid=tool-result][data-state=ok]')).toContainText('from afar', PATIENT)
})

test('a server over HTTP connects', async ({ everythingUrl }) => {
  await connect(everythingUrl)
  await isOpen()
  await expect.poll(() => page.getByTestId('tool-item').count(), PATIENT).toBeGreaterThanOrEqual(13)
})

test('a sign-in says that its way back is not secure, and works when its user goes on', async ({ oauthUrl }) => {
  await connect(`${oauthUrl}/v1/plain/insecure`)
  await expect(page.getByTestId('connect-failure')).toHaveAttribute('data-state', 'unauthorized', PATIENT)
  await page.getByTestId('do-sign-in').click()
  const goOn = page.locator('[data-testid=flow-remedy][data-remedy=go-on]')
  await goOn.waitFor(PATIENT)
  await expect(page.getByTestId('flow-remedies')).toContainText('AU-REG-11')
  const [window] = await Promise.all([context.waitForEvent('page'), goOn.click()])
  await window.getByRole('button', { name: 'Sign in' }).click(PATIENT)
  await window.getByRole('button', { name: 'Allow' }).click(PATIENT)
  await isOpen()
})
