/** Environments: one server and one call in two environments, what the form shows of it, what is sent, and what is stored. */
import type { Page } from '@playwright/test'
import {
  connect,
  expect,
  field,
  fromMenu,
  patient,
  pressSequence,
  showTrace,
  test,
  violations,
  writeJson,
} from './stage.ts'

const TOKEN = 'dev-token-7f31c9'

const addVariable = async (page: Page, at: number, name: string, value: string, secret = false) => {
  if ((await page.getByTestId('variable-name').count()) <= at) await page.getByTestId('variable-add').click()
  await page.getByTestId('variable-name').nth(at).fill(name)
  await page.getByTestId('variable-value').nth(at).fill(value)
  if (secret) await page.getByTestId('variable-secret').nth(at).check()
}

const isOpen = (page: Page) =>
  expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', {
    timeout: patient(20_000),
  })

test('a server and its calls take their values from the active environment, and only references are stored', async ({
  page,
  address,
  everythingUrl,
}) => {
  const { host, pathname } = new URL(everythingUrl)
  await page.goto(address)
  await fromMenu(page, 'environments')
  await page.getByTestId('environment-add').click()
  await page.getByTestId('environment-name').fill('dev')
  await addVariable(page, 0, 'host', host)
  await addVariable(page, 1, 'token', TOKEN, true)
  await addVariable(page, 2, '2nd', 'x')
  await expect(page.getByTestId('variable-fault')).toContainText('2nd')
  await addVariable(page, 2, 'who', 'dev')
  await page.getByTestId('environment-add').click()
  await page.getByTestId('environment-name').fill('staging')
  await addVariable(page, 0, 'who', 'staging')
  await expect(page.getByTestId('environment-item')).toHaveText([/dev.*active/, 'staging'])
  expect(await violations(page)).toEqual([])
  await page.getByTestId('environments-dialog-close').click()

  // The connection.
  await page.getByTestId('connect-input').fill(`http://{{host}}${pathname}?environments`)
  await page.getByTestId('connect-more').click()
  await page.getByTestId('header-add').click()
  await page.getByTestId('header-name').fill('Authorization')
  await page.getByTestId('header-value').fill('Bearer {{token}}')
  const fill = page.getByTestId('fill-in')
  await expect(fill).toHaveAttribute('data-state', 'done')
  await fill.getByTestId('environment-select').selectOption({ label: 'staging' })
  await expect(fill).toHaveAttribute('data-state', 'missing')
  await fill.getByTestId('environment-select').selectOption({ label: 'dev' })
  await expect(fill.getByTestId('fill-value').first()).toHaveAttribute('placeholder', `dev: ${host}`)
  await expect(fill.getByTestId('fill-value').nth(1)).toHaveAttribute('placeholder', 'dev: ••••')
  const sent = page.waitForRequest((request) => request.url().includes('?environments') && request.method() === 'POST')
  await page.getByTestId('connect-button').click()
  expect((await sent).url()).toBe(`http://${host}${pathname}?environments`)
  expect((await sent).headers()['authorization']).toBe(`Bearer ${TOKEN}`)
  await isOpen(page)

  // A call: what it would send, what it can't send, and what it did.
  await page.goto(`${page.url().replace(/#.*/, '')}#/s1/tools/echo`)
  await field(page, 'message').fill('{{who}} {{token}} \\{{who}} {{nothing}}')
  await expect(page.getByTestId('variable-used')).toHaveText([/who.*→\s*dev/, /token.*→\s*••••/])
  await expect(page.getByTestId('variable-fault')).toContainText('nothing')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('field-problem')).toContainText('nothing')
  await expect(page.getByTestId('tool-result-status')).toHaveCount(0)
  await field(page, 'message').fill('{{who}} {{token}} \\{{who}}')
  await page.getByTestId('tool-run').click()
  const result = page.getByTestId('tool-result')
  await expect(result).toContainText('dev ••••')
  await expect(result).toContainText('{{who}}')
  await expect(page.locator('body')).not.toContainText(TOKEN)

  // A message in the Console, and a template: the trace has masks in place of secrets, and the panel finds its read.
  await pressSequence(page, 'gw')
  await expect(page.getByTestId('raw-editor')).toHaveAttribute('data-state', 'ready')
  const params = { name: 'echo', arguments: { message: '{{who}} {{token}} \\{{who}}' } }
  const message = { jsonrpc: '2.0', id: 'by-hand', method: 'tools/call', params }
  await writeJson(page, page.getByTestId('raw-editor'), JSON.stringify(message))
  await expect(page.getByTestId('raw-composer').getByTestId('variable-used')).toHaveText([/who.*→\s*dev/, /token.*→\s*••••/]) // prettier-ignore
  await page.getByTestId('raw-send').click()
  await expect(page.getByTestId('raw-reply')).toContainText('Echo: dev ••••')
  await expect(page.getByTestId('raw-reply')).toContainText('{{who}}')
  // What was sent has the mask, which isn't sent again.
  await page.getByTestId('raw-again').click()
  await expect(page.getByTestId('raw-problem')).toContainText('contains masked secrets')
  await expect(page.getByTestId('raw-count')).toHaveText('1')
  await page.getByTestId('tab-resources').click()
  await page.getByTestId('resource-item').filter({ hasText: 'Dynamic Text Resource' }).click()
  const detail = page.getByTestId('template-detail')
  const value = detail.locator('[data-testid=completion-field][data-argument=resourceId]')
  await value.fill('{{nothing}}')
  await expect(detail.getByTestId('variable-fault')).toContainText('nothing')
  await expect(detail.getByTestId('resource-read')).toBeDisabled()
  await value.fill('{{who}}/{{token}}')
  await expect(page.getByTestId('template-expanded')).toContainText('/text/dev%2F••••')
  await detail.getByTestId('resource-read').click()
  await expect(page.getByTestId('resource-result-status')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(TOKEN)
  // The tool that the URL led to is shown again.
  await page.getByTestId('tab-tools').click()
  await expect(page.locator('[data-testid=tool-item][data-name=echo]')).toHaveAttribute('aria-selected', 'true')

  // The connection is still with the server of the other environment, and so are the values of its calls.
  await page.getByTestId('status-bar').getByTestId('environment-select').selectOption({ label: 'staging' })
  await expect(page.getByTestId('environment-outdated')).toContainText('dev')
  await field(page, 'message').fill('{{who}}!')
  await page.keyboard.press('Control+Enter')
  await expect(result).toContainText('Echo: dev!')

  // Nothing stored has the secret, and after a reload it is asked for.
  await page.reload()
  await expect(page.getByTestId('connect-input')).toHaveValue(`http://{{host}}${pathname}?environments`)
  await expect(fill).toHaveAttribute('data-state', 'missing')
  await fill.getByTestId('environment-select').selectOption({ label: 'dev' })
  await expect(fill.getByTestId('fill-value').first()).toHaveAttribute('data-state', 'done')
  await expect(fill.getByTestId('fill-value').nth(1)).toHaveAttribute('data-state', 'missing')
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain(TOKEN)
  expect(stored).toContain('{{token}}')
})

test('a failed connection is explained with the host and port that the environment has, and without its secrets', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await fromMenu(page, 'environments')
  await page.getByTestId('environment-add').click()
  await page.getByTestId('environment-name').fill('dev')
  await addVariable(page, 0, 'host', '127.0.0.1')
  await addVariable(page, 1, 'port', '9')
  await addVariable(page, 2, 'token', TOKEN, true)
  await page.getByTestId('environments-dialog-close').click()
  await page.getByTestId('connect-input').fill('http://{{host}}:{{port}}/mcp?key={{token}}')
  await page.getByTestId('connect-button').click()
  const failure = page.getByTestId('connect-failure')
  await expect(failure.getByRole('heading').first()).toContainText('127.0.0.1:9')
  await expect(page.locator('body')).not.toContainText(TOKEN)
  expect(await violations(page)).toEqual([])
})

test('in a wide window, the trace is beside the tool if the user wants it there, and below it otherwise', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.setViewportSize({ width: 1680, height: 900 })
  await page.goto(address)
  await connect(page, everythingUrl)
  await showTrace(page, true)
  const edges = async (testid: string) => (await page.getByTestId(testid).boundingBox())!
  const isBeside = async () => {
    const [tool, panel] = [await edges('panel-tools'), await edges('bottom-panel')]
    return panel.x >= tool.x + tool.width && panel.y <= tool.y
  }
  expect(await isBeside()).toBe(false)
  await page.getByTestId('panel-side').click()
  await expect.poll(isBeside).toBe(true)
  await expect(page.getByTestId('trace-row').first()).toBeVisible()
  expect(await violations(page)).toEqual([])
  // The size of each place is its own.
  const { width } = await edges('bottom-panel')
  await page.getByRole('separator', { name: /^Panel (?:height|width)$/ }).focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(async () => (await edges('bottom-panel')).width).toBeGreaterThan(width + 40)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(isBeside).toBe(false)
  await expect(page.getByTestId('panel-side')).toHaveCount(0)
  // Remembered, and the palette moves it as well.
  await page.setViewportSize({ width: 1680, height: 900 })
  await page.reload()
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('panel-tools')).toBeVisible()
  await showTrace(page, true)
  await expect.poll(isBeside).toBe(true)
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-input').fill('panel bottom')
  await expect(page.getByTestId('palette-entry').first()).toContainText(/panel.*bottom/i)
  await page.keyboard.press('Enter')
  await expect.poll(isBeside).toBe(false)
})
