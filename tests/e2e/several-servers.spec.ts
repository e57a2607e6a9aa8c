import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { saved } from './recording-stage.ts'
import {
  askBeforeCalls,
  connect,
  expect,
  field,
  fromMenu,
  inPanel,
  showTrace,
  test,
  violations,
  patient,
} from './stage.ts'

/** Connects to two servers with one name. @returns their items in the rail, and the name */
const connectTwins = async (page: Page, richUrl: string) => {
  await connect(page, `${richUrl}/v1/twin-a`)
  await page.getByTestId('server-add').click()
  await connect(page, `${richUrl}/v1/twin-b`)
  const items = page.getByTestId('server-item')
  await expect(items.nth(1)).toHaveAccessibleName(/ \(2\): connected/)
  const own = (await items.nth(1).getAttribute('title'))!.replace(/ \(2\): .*/, '')
  return { items, own }
}

test('entries of a configuration keep their keys, wait for their values, and are reconnected when their user says so', async ({
  page,
  address,
  everythingUrl,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(everythingUrl)) asked.push(request.url())
  })
  await page.goto(address)
  const config = {
    mcpServers: {
      production: { url: everythingUrl },
      staging: { url: `${everythingUrl}?team=\${env:TEAM}`, headers: { 'X-Team': '<YOUR_TEAM>' } },
      preview: { url: `${everythingUrl}?branch=preview` },
    },
  }
  await page.getByTestId('connect-input').fill(JSON.stringify(config))
  await expect(page.getByTestId('found-server')).toHaveCount(3)
  const all = page.getByTestId('found-connect-all')
  await expect(all).toHaveAttribute('aria-disabled', 'true')
  expect(await violations(page)).toEqual([])
  // By keyboard: it can be focused, and leads to the missing argument.
  await all.press('Enter')
  const fields = page.getByTestId('fill-value')
  await expect(fields.first()).toBeFocused()
  await page.getByTestId('found-connect').nth(1).press('Enter')
  await expect(fields.first()).toBeFocused()
  expect(asked).toEqual([])
  await expect(page.getByTestId('server-item')).toHaveCount(0)

  await fields.first().fill('red team')
  await page.getByTestId('fill-as-is').nth(1).click()
  await expect(all).toHaveAttribute('aria-disabled', 'false')
  await all.click()
  const items = page.getByTestId('server-item')
  await expect(items).toHaveCount(3)
  for (const at of [0, 1, 2])
    await expect(items.nth(at)).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })
  await expect(items.nth(0)).toHaveAccessibleName(/^production/)
  await expect(items.nth(1)).toHaveAccessibleName(/^staging/)
  await expect(items.nth(2)).toHaveAccessibleName(/^preview/)
  expect(asked.some((url) => url.endsWith('?team=red%20team'))).toBe(true)
  expect(asked.some((url) => /env|%7B|\{/.test(url))).toBe(false)
  await expect(page.getByTestId('connection-state').first()).toContainText('production')
  await expect(page.getByTestId('own-name')).toBeVisible()

  await page.reload()
  await expect(items).toHaveCount(3)
  const before = asked.length
  await page.getByTestId('server-add').click()
  const offer = page.getByTestId('reconnect-all-offer')
  await expect(offer).toContainText('production')
  await expect(offer).toContainText(everythingUrl)
  await expect(offer.getByTestId('reconnect-item').nth(1)).toHaveAttribute('data-state', 'waiting')
  expect(await violations(page)).toEqual([])
  for (const at of [0, 1, 2]) await expect(items.nth(at)).toHaveAttribute('data-state', 'idle')
  expect(asked.length).toBe(before)
  // One press reconnects all that are ready, and only those.
  await expect(page.getByTestId('reconnect-all')).toHaveText('Reconnect 2 of 3')
  await page.getByTestId('reconnect-all').click()
  for (const at of [0, 2])
    await expect(items.nth(at)).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })
  await expect(items.nth(0)).toHaveAccessibleName(/^production/)
  await expect(items.nth(1)).toHaveAttribute('data-state', 'idle')
  expect(asked.slice(before).some((url) => url.includes('team='))).toBe(false)
})

test('placeholders in any place keep Connect from sending them, and two servers with one name are told apart', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  const input = page.getByTestId('connect-input')
  await input.fill(`${everythingUrl}?key=YOUR_API_KEY`)
  await input.press('Enter')
  await expect(page.getByTestId('fill-value')).toBeFocused()
  await expect(page.getByTestId('server-item')).toHaveCount(0)
  await page.getByTestId('fill-value').fill('k')
  await page.getByTestId('connect-button').click()
  const items = page.getByTestId('server-item')
  await expect(items.first()).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })

  await page.getByTestId('server-add').click()
  await input.fill(everythingUrl)
  await input.press('Enter')
  await expect(items.nth(1)).toHaveAttribute('data-state', 'open', { timeout: patient(20_000) })
  await expect(items.nth(1)).toHaveAccessibleName(/ \(2\): connected/)
  // The same number distinguishes them in the palette, in the trace, and in a recording of both.
  const own = (await items.nth(1).getAttribute('title'))!.replace(/ \(2\): .*/, '')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-input').fill(own)
  const entries = page.getByTestId('palette-entry')
  await expect(entries.filter({ hasText: `${own} (2)` })).not.toHaveCount(0)
  await expect(entries.filter({ hasText: own, hasNotText: `${own} (2)` })).not.toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByTestId('trace-filter').fill(`server:"${own} (2)" method:initialize`)
  await expect(page.locator('[data-testid=trace-row][data-method=initialize]')).toHaveCount(2)
  const file = await saved(page)
  const { servers } = JSON.parse(file.slice(0, file.indexOf('\n'))) as { servers: { name: string }[] }
  expect(servers.map(({ name }) => name)).toEqual([own, `${own} (2)`])
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-settings').click()
  await page.getByTestId('setting-name').fill('second')
  await page.getByTestId('settings-done').click()
  await expect(items.nth(1)).toHaveAccessibleName(/^second: connected/)
  await page.getByTestId('trace-filter').fill('server:second method:initialize')
  await expect(page.getByTestId('trace-row').first()).toBeVisible()

  // A call of one of them is run on the other as well: both responses are side by side, with what differs.
  const here = (testid: string) => page.getByTestId(testid).filter({ visible: true })
  await here('tool-item').and(page.locator('[data-name="get-sum"]')).click()
  await field(page, 'a').fill('40')
  await field(page, 'b').fill('2')
  await here('tool-run').click()
  await expect(here('tool-result')).toHaveAttribute('data-state', 'ok')
  await here('tool-menu').click()
  await page.getByRole('menuitem', { name: 'Run on another server…' }).click()
  const both = page.getByTestId('two-servers')
  await expect(both.getByTestId('two-servers-here')).toContainText('The sum of 40 and 2 is 42')
  await expect(both.getByTestId('two-servers-there')).toHaveAttribute('data-state', 'none')
  await both.getByTestId('two-servers-run').click()
  await expect(both.getByTestId('two-servers-there')).toHaveAttribute('data-state', 'ok')
  await expect(both.getByTestId('two-servers-same')).toBeVisible()
  await both.getByTestId('two-servers-view').getByText('Content').click()
  await expect(both.getByTestId('two-servers-there')).toContainText('The sum of 40 and 2 is 42')
  expect(await violations(page)).toEqual([])
  // Side by side where there is room, one above the other on a phone.
  const boxes = async () => {
    const [here, there] = await Promise.all(
      ['here', 'there'].map((side) => both.getByTestId(`two-servers-${side}`).boundingBox()),
    )
    return { here: here!, there: there! }
  }
  await page.setViewportSize({ width: 1680, height: 1000 })
  await expect
    .poll(async () => {
      const { here, there } = await boxes()
      return there.x >= here.x + here.width && there.y === here.y
    })
    .toBe(true)
  // On a phone, the trace covers the tab, but not a dialog that the tab has open: it comes back once that is closed.
  const dock = page.getByTestId('trace-dock')
  await expect(dock).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(dock).toBeHidden()
  await expect(both.getByTestId('two-servers-there')).toContainText('The sum of 40 and 2 is 42')
  await expect
    .poll(async () => {
      const { here, there } = await boxes()
      return there.y >= here.y + here.height
    })
    .toBe(true)
  expect(await violations(page)).toEqual([])
  await both.getByTestId('two-servers-close').click()
  await expect(dock).toBeVisible()
  await page.getByTestId('panel-close').click()
  await expect(here('tool-result')).toBeVisible()
  // What was closed on the phone stays closed there, with a dialog in between as well.
  await page.setViewportSize({ width: 1280, height: 800 })
  await here('tool-menu').click()
  await page.getByRole('menuitem', { name: 'Run on another server…' }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await both.getByTestId('two-servers-close').click()
  await expect(here('tool-result')).toBeVisible()
  await expect(dock).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 800 })
  await showTrace(page, true)
  await page.getByTestId('trace-filter').fill('method:tools/call')
  await expect(page.locator('[data-testid=trace-row][data-method="tools/call"]')).toHaveCount(4)
})

test('requests, problems and log messages of two servers that call themselves the same are told apart', async ({
  page,
  address,
  richUrl,
}) => {
  await page.goto(address)
  const input = page.getByTestId('connect-input')
  const here = (testid: string) => page.getByTestId(testid).filter({ visible: true })
  const items = page.getByTestId('server-item')
  for (const key of ['twin-a', 'twin-b']) {
    if (key === 'twin-b') await page.getByTestId('server-add').click()
    await input.fill(`${richUrl}/v1/${key}`)
    await input.press('Enter')
    await expect(items.nth(key === 'twin-a' ? 0 : 1)).toHaveAttribute('data-state', 'open')
    await here('tool-item').first().waitFor()
    await expect(input).toBeHidden()
  }
  const own = (await items.nth(1).getAttribute('title'))!.replace(/ \(2\): .*/, '')
  const run = async (name: string, values: Readonly<Record<string, string>> = {}) => {
    await here('tool-item')
      .and(page.locator(`[data-name="${name}"]`))
      .click()
    await expect(here('tool-detail')).toContainText(name)
    for (const [of, value] of Object.entries(values)) await field(page, of).filter({ visible: true }).fill(value)
    await here('tool-run').click()
  }
  // The second one writes to its log, and breaks what it declares.
  await run('log', { text: 'by the second' })
  await expect(here('tool-result')).toHaveAttribute('data-state', 'ok')
  await run('rows', { n: '13' })
  await expect(here('schema-verdict')).toBeVisible()
  await run('ask-form')
  await expect(here('question')).toHaveAttribute('data-state', 'open')
  await items.nth(0).click()
  await run('ask-form')
  await expect(here('question')).toHaveAttribute('data-state', 'open')

  await page.getByTestId('tab-inbox').click()
  const requests = here('inbox-item')
  await expect(requests).toHaveCount(2)
  await expect(requests.getByText(own, { exact: true })).toHaveCount(1)
  await expect(requests.getByText(`${own} (2)`, { exact: true })).toHaveCount(1)
  await requests.filter({ hasText: `${own} (2)` }).click()
  await expect(here('question').getByText(`${own} (2)`, { exact: true })).toBeVisible()
  expect(await violations(page)).toEqual([])

  const current = page.getByTestId('connection-state').first()
  await inPanel(page, 'logs')
  await expect(current).toContainText(own)
  await expect(current).not.toContainText('(2)')
  await expect(here('log-line')).toHaveCount(0)
  await items.nth(1).click()
  await expect(current).toContainText(`${own} (2)`)
  await expect(here('log-line').filter({ hasText: 'by the second' })).not.toHaveCount(0)
  await inPanel(page, 'problems')
  const problem = here('problem').filter({ hasText: 'SF-TOOL-14' })
  await expect(problem).toHaveCount(1)
  const [download] = await Promise.all([page.waitForEvent('download'), here('problems-sarif').click()])
  expect(await readFile(await download.path(), 'utf8')).toContain(JSON.stringify(`${own} (2)`))
  await items.nth(0).click()
  await expect(here('problem-list')).toHaveAttribute('data-state', 'judged')
  await expect(problem).toHaveCount(0)
})

test('the question before a call, its log, tests, sharing, exports and the first screen distinguish servers with one name', async ({
  page,
  address,
  richUrl,
}) => {
  test.slow()
  await askBeforeCalls(page)
  await page.goto(address)
  const here = (testid: string) => page.getByTestId(testid).filter({ visible: true })
  const { items, own } = await connectTwins(page, richUrl)
  const options = async (testid: string) => {
    await expect(here(testid)).not.toHaveCount(0)
    return (await here(testid).first().locator('option').allInnerTexts()).map((text) => text.trim())
  }

  const call = async () => {
    await here('tool-item').and(page.locator('[data-name=log]')).click()
    await field(page, 'text').filter({ visible: true }).fill('hello')
    await here('tool-run').click()
  }
  await call()
  const question = page.getByTestId('call-question')
  await expect(question.locator('dd').first()).toHaveText(`${own} (2)`)
  await expect(question.getByTestId('call-question-trust')).toContainText(`${own} (2)`)
  await page.getByTestId('call-question-run').click()
  await expect(here('tool-result')).toHaveAttribute('data-state', 'ok')
  await here('tool-menu').click()
  await page.getByRole('menuitem', { name: 'Run on another server…' }).click()
  expect(await options('two-servers-other')).toEqual([own])
  await expect(page.getByTestId('two-servers-here')).toHaveAccessibleName(`${own} (2)`)
  await expect(page.getByTestId('two-servers-there')).toHaveAccessibleName(own)
  await page.getByTestId('two-servers-close').click()

  const logged = async () => {
    await inPanel(page, 'execution-log')
    const [file] = await Promise.all([page.waitForEvent('download'), here('log-export-csv').click()])
    return (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n').slice(1)
  }
  const second = await logged()
  expect(second).toHaveLength(1)
  expect(second[0]).toContain(`,${own} (2),log,`)
  await items.nth(0).click()
  await page.getByTestId('tab-tools').click()
  await call()
  await expect(question.locator('dd').first()).toHaveText(own)
  await page.getByTestId('call-question-run').click()
  await expect(here('tool-result')).toHaveAttribute('data-state', 'ok')
  const first = await logged()
  expect(first).toHaveLength(1)
  expect(first[0]).toContain(`,${own},log,`)

  await page.getByTestId('tab-checks').click()
  const targets = await options('checks-target')
  expect(targets.map((text) => text.split(' · ')[0])).toEqual([own, `${own} (2)`])
  await page.getByTestId('share').click()
  const shared = await options('share-server')
  expect(shared.some((text) => text.includes(`${own} (2)`))).toBe(true)
  expect(new Set(shared).size).toBe(3)
  await page.keyboard.press('Escape')

  // Connected in two visits, both are stored with the same name.
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('periscope.recent')!) as { name: string; group?: string }[]
    for (const server of stored) Object.assign(server, { name: stored.at(-1)!.name, group: 'twins' })
    localStorage.setItem('periscope.recent', JSON.stringify(stored))
  })
  await page.reload()
  await page.getByTestId('server-add').click()
  const cards = page.getByTestId('recent-item')
  await expect(cards).toHaveCount(2)
  for (const [at, twin] of ['twin-b', 'twin-a'].entries()) {
    await expect(cards.nth(at)).toContainText(own)
    await expect(cards.nth(at)).toContainText(`/v1/${twin}`)
    await expect(page.getByTestId('recent-menu').nth(at)).toHaveAccessibleName(new RegExp(`${twin}$`))
  }
  await cards.first().press('Shift+F10')
  await page.getByTestId('recent-export-group').click()
  const lines = page
    .getByTestId('export-dialog')
    .locator('label')
    .filter({ has: page.getByTestId('export-server') })
  await expect(lines).toHaveText([/\/v1\/twin-b/, /\/v1\/twin-a/])
  const preview = page.getByTestId('export-preview')
  await expect(preview).toContainText('twin-a')
  const { mcpServers } = JSON.parse(await preview.innerText()) as { mcpServers: Record<string, { url: string }> }
  expect(Object.values(mcpServers).map(({ url }) => url.slice(-6))).toEqual(['twin-b', 'twin-a'])
  expect(await violations(page)).toEqual([])
})

test('code, faults, the rule for sampling, the offer to reconnect and stored sessions distinguish servers with one name', async ({
  page,
  context,
  address,
  fresh,
  richUrl,
}) => {
  test.slow()
  await page.goto(address)
  const here = (testid: string) => page.getByTestId(testid).filter({ visible: true })
  const { items, own } = await connectTwins(page, richUrl)
  for (const [at, name] of [own, `${own} (2)`].entries()) {
    await items.nth(at).click()
    for (const [item, title] of [['server-code', `Code: ${name}`], ['server-faults', `Inject faults: ${name}`]] as const) {
      await page.getByTestId('server-menu').click()
      await page.getByTestId(item).click()
      const dialog = page.getByRole('dialog', { name: title, exact: true })
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    await page.getByTestId('tab-inbox').click()
    await here('inbox-rules-open').click()
    await expect(here('sampling-rule')).toContainText(`Trust ${name} and respond automatically`)
  }

  // Two more visits, each with one of them: their sessions have the same name.
  for (const twin of ['twin-a', 'twin-b']) {
    const visit = await context.newPage()
    await visit.goto(await fresh())
    await connect(visit, `${richUrl}/v1/${twin}`)
    await saved(visit)
    await visit.close()
  }
  await fromMenu(page, 'sessions-button')
  const session = (state: string) => page.locator(`[data-testid=session-item][data-state=${state}]`)
  await expect(session('past').getByTestId('session-open').locator('.name')).toHaveText([
    `${own} · ${richUrl}/v1/twin-b`,
    `${own} · ${richUrl}/v1/twin-a`,
  ])
  await expect(session('present').getByTestId('session-open').locator('.name')).toHaveText(`${own}, ${own} (2)`)
  await expect(page.getByRole('button', { name: `Delete ${own} · ${richUrl}/v1/twin-a` })).toHaveCount(1)
  // A name is edited without what distinguishes it.
  await session('past').first().getByTestId('session-rename').click()
  await expect(page.getByTestId('session-name')).toHaveValue(own)
  await page.keyboard.press('Escape')
  expect(await violations(page)).toEqual([])

  await page.reload()
  await page.getByTestId('server-add').click()
  const offer = page.getByTestId('reconnect-all-offer').getByTestId('reconnect-item')
  await expect(offer.locator('b')).toHaveText([own, `${own} (2)`])
  await expect(offer.first()).toContainText('/v1/twin-a')
  await expect(offer.last()).toContainText('/v1/twin-b')
}) // prettier-ignore

test('a phone that is turned keeps the panel as it was opened or closed in each direction', async ({
  page,
  address,
}) => {
  const upright = () => page.setViewportSize({ width: 390, height: 844 })
  const turned = () => page.setViewportSize({ width: 844, height: 390 })
  await upright()
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await page.getByTestId('tool-item').first().waitFor()
  const dock = page.getByTestId('bottom-panel')
  await expect(dock).toBeHidden()
  await page.getByTestId('trace-toggle').click()
  await page.getByTestId('tab-logs').click()
  await turned()
  await expect(dock).toBeVisible()
  await expect(dock).toHaveAttribute('data-state', 'logs')
  await upright()
  await expect(dock).toBeVisible()
  await turned()
  await page.getByTestId('panel-close').click()
  await expect(dock).toBeHidden()
  await upright()
  await expect(dock).toBeVisible()
  await turned()
  await expect(dock).toBeHidden()
  await upright()
  await page.getByTestId('panel-close').click()
  await turned()
  await page.getByTestId('trace-toggle').click()
  await expect(dock).toBeVisible()
  await upright()
  await expect(dock).toBeHidden()
})

test('the trace that is closed on a phone is still open in a large window, and the other way round', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await page.getByTestId('tool-item').first().waitFor()
  const phone = () => page.setViewportSize({ width: 390, height: 844 })
  const desktop = () => page.setViewportSize({ width: 1440, height: 900 })
  const dock = page.getByTestId('trace-dock')
  await desktop()
  await showTrace(page, true)
  await phone()
  await expect(dock).toBeVisible()
  await page.getByTestId('panel-close').click()
  await expect(dock).toBeHidden()
  await desktop()
  await expect(dock).toBeVisible()

  await showTrace(page, false)
  await phone()
  await page.getByTestId('trace-toggle').click()
  await expect(dock).toBeVisible()
  await desktop()
  await expect(dock).toBeHidden()
  // Nor is it stored.
  await showTrace(page, true)
  await phone()
  await page.getByTestId('panel-close').click()
  await expect(dock).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('periscope.dock'))).toBe('open')
})
