/** Values of headers and variables that the user chose to remember: back after a reload, encrypted, and forgotten on request. */
import type { Page } from '@playwright/test'
import { everythingStdio } from '../servers/everything.ts'
import { expect, patient, test, violations } from './stage.ts'

const SECRET = 'remembered-4be0a713'

const isOpen = (page: Page) =>
  expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', {
    timeout: patient(20_000),
  })

const onDevice = (page: Page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
const keptThere = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('periscope.credentials.2.typed.')))

/** The headers that the next request to a server carries. */
const nextHeader = (page: Page, url: string, name: string) =>
  page
    .waitForRequest((request) => request.url() === url && request.method() === 'POST')
    .then((request) => request.headers()[name])

const openMenu = (page: Page) => page.getByTestId('recent-menu').first().click()

test('a header goes with the page, unless it is remembered: then the rail, the home page and a configuration have it again', async ({
  page,
  context,
  address,
  fresh,
  everythingUrl,
}) => {
  const url = `${everythingUrl}?remember=header`
  await page.goto(address)
  await page.getByTestId('connect-input').fill(url)
  await page.getByTestId('connect-more').click()
  await expect(page.getByTestId('remember-values')).toHaveCount(0)
  await page.getByTestId('header-add').click()
  await page.getByTestId('header-name').fill('X-Api-Key')
  await page.getByTestId('header-value').fill(SECRET)
  await expect(page.getByTestId('remember-values')).not.toBeChecked()
  await page.getByTestId('remember-values').check()
  expect(await violations(page)).toEqual([])
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  await expect.poll(() => keptThere(page)).toHaveLength(1)
  expect(await onDevice(page)).not.toContain(SECRET)

  // From the rail.
  await page.reload()
  // What is remembered is read after the form is shown, and until then the note is there.
  await expect(page.getByTestId('connect-button')).toBeVisible()
  await expect(page.getByTestId('not-kept')).toHaveCount(0)
  let header = nextHeader(page, url, 'x-api-key')
  await page.getByTestId('connect-button').click()
  expect(await header).toBe(SECRET)
  await isOpen(page)

  // From the home page, in another tab.
  const other = await context.newPage()
  await other.goto(await fresh())
  header = nextHeader(other, url, 'x-api-key')
  await openMenu(other)
  await other.getByTestId('recent-connect').click()
  expect(await header).toBe(SECRET)
  await isOpen(other)

  // From a configuration that leaves the value open.
  await other.getByTestId('server-add').click()
  const config = { mcpServers: { again: { url, headers: { 'X-Api-Key': '${X_API_KEY}' } } } }
  await other.getByTestId('connect-input').fill(JSON.stringify(config))
  // What is remembered is put in some time after the configuration was read.
  await other.getByTestId('connect-more').click()
  await expect(other.getByTestId('header-value')).toHaveValue(SECRET)
  await expect(other.getByTestId('connect-button')).not.toHaveAttribute('aria-disabled', 'true')
  header = nextHeader(other, url, 'x-api-key')
  await other.getByTestId('connect-button').click()
  expect(await header).toBe(SECRET)

  // The list names it without its value, and forgetting it there is for good.
  const visitor = await context.newPage()
  await visitor.goto(await fresh())
  await visitor.getByTestId('kept-link').click()
  const listed = visitor.getByTestId('kept-value-entry')
  await expect(listed).toContainText('X-Api-Key')
  await expect(listed).toContainText(url)
  await expect(visitor.getByTestId('kept-dialog')).not.toContainText(SECRET)
  expect(await violations(visitor)).toEqual([])
  await listed.getByTestId('kept-value-forget').press('Enter')
  await expect(visitor.getByTestId('kept-credentials')).toHaveAttribute('data-state', 'none')
  await expect(visitor.getByTestId('kept-credentials')).toBeFocused()
  expect(await keptThere(visitor)).toEqual([])
  await page.reload()
  await expect(page.getByTestId('not-kept')).toContainText('X-Api-Key')
})

test('a variable is remembered until its server is forgotten, or until it is no longer to be remembered', async ({
  page,
  address,
}) => {
  await page.goto(address)
  const { command, args } = everythingStdio
  const config = { mcpServers: { local: { command, args, env: { API_KEY: '<YOUR_KEY>' } } } }
  await page.getByTestId('connect-input').fill(JSON.stringify(config))
  await page.getByTestId('fill-value').fill(SECRET)
  await page.getByTestId('remember-values').check()
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  await expect.poll(() => keptThere(page)).toHaveLength(1)
  expect(await onDevice(page)).not.toContain(SECRET)

  await page.reload()
  await expect(page.getByTestId('connect-button')).toBeVisible()
  await expect(page.getByTestId('not-kept')).toHaveCount(0)
  await page.getByTestId('connect-more').click()
  await expect(page.getByTestId('env-value')).toHaveValue(SECRET)
  await expect(page.getByTestId('remember-values')).toBeChecked()
  await page.getByTestId('remember-values').uncheck()
  await expect.poll(() => keptThere(page)).toEqual([])
  await page.getByTestId('remember-values').check()
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  await expect.poll(() => keptThere(page)).toHaveLength(1)

  await page.getByTestId('server-add').click()
  await openMenu(page)
  await page.getByTestId('recent-forget').click()
  await expect.poll(() => keptThere(page)).toEqual([])
})
