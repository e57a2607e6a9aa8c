/** The user's own order of things: servers in groups, pinned calls, and all that is stored of them. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { formatsFor } from '../../web/ui/format.ts'
import { startSchemaPeer } from '../schemas/server.ts'
import { openConnected } from './feature-steps.ts'
import { saved } from './recording-stage.ts'
import { addServer, connect, expect, field, fromMenu, holdRequests, selectFirst, test, violations } from './stage.ts'

/** Resolves when an element has this text, which disappears after two seconds. Call it before what leads there. */
const saysBriefly = (page: Page, testid: string, text: string | RegExp): Promise<void> =>
  page
    .getByTestId(testid)
    .and(page.getByText(text, { exact: true }))
    .waitFor({ state: 'attached' })

test('servers are grouped, coloured, and moved by keyboard and by drag, and stay so after a reload', async ({
  page,
  address,
}) => {
  await page.addInitScript(() => {
    const server = (name: string, at: number) => ({
      name,
      target: { kind: 'url', url: `http://${name}.test/mcp`, headers: [] },
      dropped: [],
      settings: {},
      at,
    })
    const stored = [server('alpha', 3), server('beta', 2), server('gamma', 1)]
    localStorage.setItem('periscope.recent', localStorage.getItem('periscope.recent') ?? JSON.stringify(stored))
  })
  // Keys that are pressed before the code that moves rows has loaded count as well.
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/assets\/arranging-/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(address)
  const rows = page.getByTestId('recent-item')
  const row = (name: string) => rows.filter({ hasText: name })
  const order = async (...names: string[]) => {
    for (const [at, name] of names.entries()) await expect(rows.nth(at)).toContainText(name)
  }
  await expect(rows).toHaveCount(3)
  const told = saysBriefly(page, 'recent-told', 'gamma moved to position 2 of 3')
  for (const key of ['Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowDown']) await row('gamma').press(key)
  release()
  await told
  await expect(page.locator('[data-arrangeable]')).toBeVisible()
  await order('alpha', 'gamma', 'beta')
  await expect(row('gamma')).toBeFocused()
  await row('beta').dragTo(row('alpha'), { targetPosition: { x: 40, y: 4 } })
  await order('beta', 'alpha', 'gamma')

  await row('gamma').click({ button: 'right' })
  await page.getByTestId('recent-group').click()
  await page.getByTestId('arrange-group').fill('dev')
  await page.getByTestId('arrange-colour').nth(3).check()
  expect(await violations(page)).toEqual([])
  await page.getByTestId('arrange-save').click()
  const group = page.getByTestId('recent-section')
  await expect(group).toContainText('dev')
  await expect(group.getByTestId('colour-sign')).toHaveAccessibleName('Green')
  await row('alpha').dragTo(group.locator('summary'))
  await order('beta', 'gamma', 'alpha')
  await group.locator('summary').click()
  await expect(row('gamma')).toBeHidden()

  await page.reload()
  await expect(row('beta')).toBeVisible()
  await expect(row('gamma')).toBeHidden()
  await group.locator('summary').press('Enter')
  await order('beta', 'gamma', 'alpha')
  await row('alpha').press('Shift+F10')
  await expect(page.getByTestId('recent-export-group')).toBeVisible()
})

test('by keyboard, the focus stays at a server that is grouped, coloured, moved or exported, and at the next one if it is forgotten', async ({
  page,
  address,
}) => {
  await page.addInitScript(() => {
    const server = (name: string, at: number) => ({
      ...{ name, at, dropped: [], settings: {} },
      target: { kind: 'url', url: `http://${name}.test/mcp`, headers: [] },
    })
    const stored = [server('alpha', 3), server('beta', 2), server('gamma', 1)]
    localStorage.setItem('periscope.recent', localStorage.getItem('periscope.recent') ?? JSON.stringify(stored))
  })
  await page.goto(address)
  await expect(page.locator('[data-arrangeable]')).toBeVisible()
  const card = (name: string) => page.getByTestId('recent-item').filter({ hasText: name })
  const button = (name: string) => page.getByRole('button', { name: `Actions for ${name}` })
  const choose = async (name: string, item: string) => {
    await button(name).press('Enter')
    await page.getByTestId(`recent-${item}`).press('Enter')
  }
  await choose('alpha', 'group')
  await expect(page.getByTestId('arrange-group')).toBeFocused()
  await page.keyboard.type('dev')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('recent-section')).toContainText('alpha')
  await expect(button('alpha')).toBeFocused()
  await choose('alpha', 'colour')
  await page.getByTestId('arrange-save').press('Enter')
  await expect(button('alpha')).toBeFocused()
  await choose('beta', 'group')
  await expect(page.getByTestId('arrange-group')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button('beta')).toBeFocused()
  await choose('beta', 'down')
  await expect(button('beta')).toBeFocused()
  await choose('beta', 'export')
  await expect(page.getByTestId('export-save')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button('beta')).toBeFocused()
  // From the card itself, the focus returns to the card.
  await card('beta').press('Shift+F10')
  await page.getByTestId('recent-group').press('Enter')
  await expect(page.getByTestId('arrange-group')).toBeFocused()
  await page.keyboard.type('dev')
  await page.keyboard.press('Enter')
  await expect(card('beta')).toBeFocused()
  for (const name of ['gamma', 'alpha']) await choose(name, 'forget')
  await expect(button('beta')).toBeFocused()
  await choose('beta', 'forget')
  await expect(page.getByTestId('connect-input')).toBeFocused()
})

test('of two servers with one name, a message about one of them says which', async ({ page, address }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    const server = (host: string, at: number) => ({
      ...{ name: 'docs', at, dropped: [], settings: {} },
      target: { kind: 'url', url: `http://${host}.test/mcp`, headers: [] },
    })
    localStorage.setItem('periscope.recent', JSON.stringify([server('alpha', 2), server('beta', 1)]))
  })
  await page.goto(address)
  await expect(page.locator('[data-arrangeable]')).toBeVisible()
  const card = (host: string) => page.getByTestId('recent-item').filter({ hasText: `${host}.test` })
  const beta = 'docs · http://beta.test/mcp'
  const moved = saysBriefly(page, 'recent-told', `${beta} moved to position 1 of 2`)
  await card('beta').press('Alt+ArrowUp')
  await moved
  const first = saysBriefly(page, 'recent-told', `${beta} is already first`)
  await card('beta').press('Alt+ArrowUp')
  await first
  await card('beta').press('Shift+F10')
  await expect(page.getByRole('menu', { name: `Actions for ${beta}` })).toBeVisible()
  const copied = saysBriefly(page, 'recent-told', `mcp.json of ${beta} copied`)
  await page.getByTestId('recent-copy').press('Enter')
  await copied
  await card('beta').press('Shift+F10')
  await page.getByTestId('recent-group').press('Enter')
  await page.getByTestId('arrange-group').fill('dev')
  const arranged = saysBriefly(page, 'recent-told', `Group and color of ${beta} saved`)
  await page.getByTestId('arrange-save').press('Enter')
  await arranged
})

test('groups are moved by keyboard and by drag, with their servers, and stay so after a reload', async ({
  page,
  address,
}) => {
  await page.addInitScript(() => {
    const server = (name: string, group: string, at: number) => ({
      ...{ name, group, at, dropped: [], settings: {} },
      target: { kind: 'url', url: `http://${name}.test/mcp`, headers: [] },
    })
    const stored = [server('alpha', 'dev', 4), server('beta', 'dev', 3), server('gamma', 'staging', 2), server('delta', 'prod', 1)] // prettier-ignore
    localStorage.setItem('periscope.recent', localStorage.getItem('periscope.recent') ?? JSON.stringify(stored))
  })
  await page.goto(address)
  await expect(page.locator('[data-arrangeable]')).toBeVisible()
  const sections = page.getByTestId('recent-section')
  const heading = (name: string) => sections.locator('summary').filter({ hasText: name })
  const order = async (...names: string[]) => {
    for (const [at, name] of names.entries()) await expect(sections.nth(at).locator('h3')).toHaveText(name)
  }
  await order('dev', 'staging', 'prod')
  const told = saysBriefly(page, 'recent-told', 'prod moved to position 2 of 3')
  await heading('prod').press('Alt+ArrowUp')
  await told
  await order('dev', 'prod', 'staging')
  await expect(heading('prod')).toBeFocused()

  const dropped = saysBriefly(page, 'recent-told', 'staging moved')
  await heading('staging').dragTo(heading('dev'), { targetPosition: { x: 20, y: 4 } })
  await dropped
  await order('staging', 'dev', 'prod')
  // Its menu does the same, says the keys, and keeps the focus.
  const menu = (name: string) => page.getByRole('button', { name: `Actions for ${name}` })
  await expect(heading('dev').getByTestId('group-grip')).toHaveAttribute('title', /^Drag to move/)
  await menu('staging').press('Enter')
  await expect(page.getByTestId('recent-up')).toBeDisabled()
  await expect(page.getByTestId('recent-down')).toContainText('Alt ↓')
  expect(await violations(page)).toEqual([])
  await page.getByTestId('recent-down').press('Enter')
  await order('dev', 'staging', 'prod')
  await expect(menu('staging')).toBeFocused()
  await heading('staging').click({ button: 'right' })
  await page.getByTestId('recent-up').press('Enter')
  await order('staging', 'dev', 'prod')
  await expect(heading('staging')).toBeFocused()
  // A whole group is one place: beside any of its servers is beside the group.
  await heading('staging').dragTo(sections.nth(1).getByTestId('recent-item').last())
  await order('dev', 'staging', 'prod')
  await expect(sections.first().getByTestId('recent-item')).toHaveCount(2)
  expect(await violations(page)).toEqual([])

  await page.reload()
  await order('dev', 'staging', 'prod')
  await expect(sections.first().getByTestId('recent-item').first()).toContainText('alpha')
})

test('a call that is being pinned says so at once, in its panel and in the trace', async ({ page, address }) => {
  const peer = await startSchemaPeer([{ name: 'weather', schema: { type: 'object' } }])
  const release = await holdRequests(page, '**/assets/pin-call*')
  try {
    await openConnected(page, address, peer.url)
    await page.locator('[data-testid=tool-item][data-name=weather]').click()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByTestId('tool-result-status')).toBeVisible()
    await page.getByTestId('tool-menu').click()
    await page.getByTestId('tool-menu-pin').click()
    await expect(page.getByTestId('tool-told')).toHaveText('Pinning…')
    await selectFirst(page, 'tools/call')
    await page.locator('[data-testid=trace-row][data-method="tools/call"]').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Pin or unpin call' }).click()
    await expect(page.getByTestId('notice')).toContainText('Pinning…')
    // Whichever of the two is faster pins it, and the other one removes the pin.
    const told = saysBriefly(page, 'tool-told', /^Call (?:un)?pinned/)
    release()
    await told
    await expect(page.getByTestId('notice')).toContainText(/Call (?:un)?pinned/)
  } finally {
    await page.context().unroute('**/assets/pin-call*')
    await peer.close()
  }
})

test('calls of two servers that are pinned under one name are told apart, and each goes to its own form', async ({
  page,
  address,
}) => {
  const tools = [{ name: 'weather', schema: { type: 'object', properties: { city: { type: 'string' } } } }]
  const [first, second] = [await startSchemaPeer(tools), await startSchemaPeer(tools)]
  const city = page
    .getByTestId('panel-tools')
    .filter({ visible: true })
    .locator('[data-path="/city"]')
    .getByTestId('field-input')
  const pinFor = async (url: string, place: string) => {
    await connect(page, url)
    await page.locator('[data-testid=tool-item][data-name=weather]').filter({ visible: true }).click()
    await city.fill(place)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByTestId('tool-result-status').filter({ visible: true })).toBeVisible()
    await page.getByTestId('tool-menu').filter({ visible: true }).click()
    await page.getByTestId('tool-menu-pin').filter({ visible: true }).click()
    // Its note disappears, and the other server has one as well.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('periscope.pins') ?? '')).toContain(place)
  }
  try {
    await page.goto(address)
    await pinFor(first.url, 'Paris')
    await addServer(page)
    await pinFor(second.url, 'Lima')
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-input').fill('pinned weather')
    const entries = page.locator('[data-testid=palette-entry][data-kind=pinned]')
    await expect(entries).toHaveCount(2)
    const paris = entries.filter({ hasText: 'Paris' })
    await expect(paris).toContainText(first.url)
    await expect(entries.filter({ hasText: 'Lima' })).toContainText(second.url)
    await city.fill('changed')
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-input').fill('pinned weather')
    await paris.click()
    await expect(city).toHaveValue('Paris')
    await expect(page.getByTestId('status-bar')).toContainText(first.url)
  } finally {
    await Promise.all([first.close(), second.close()])
  }
})

test('a pinned call is found from another tab, fills in its form without running, and is listed, exported, cleared and imported', async ({
  page,
  context,
  address,
  fresh,
}) => {
  const schema = { type: 'object', properties: { city: { type: 'string' }, password: { type: 'string' } } }
  const peer = await startSchemaPeer([{ name: 'weather', schema }])
  const calls = () => peer.bodies.filter((body) => body.includes('tools/call')).length
  const input = (of: Page, name: string) => of.locator(`[data-path="/${name}"]`).getByTestId('field-input')
  try {
    await openConnected(page, address, peer.url)
    await page.locator('[data-testid=tool-item][data-name=weather]').click()
    await input(page, 'city').fill('Paris')
    await input(page, 'password').fill('hunter2-Vx9!q')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByTestId('tool-result-status')).toBeVisible()
    await page.getByTestId('tool-menu').click()
    const told = saysBriefly(page, 'tool-told', 'Call pinned without 1 secret value')
    await page.getByTestId('tool-menu-pin').click()
    await told
    expect(calls()).toBe(1)

    const other = await context.newPage()
    await other.goto(await fresh())
    await expect(other.getByTestId('recent-item')).toHaveCount(1)
    await other.keyboard.press('Control+k')
    await other.getByTestId('palette-input').fill('pinned weather')
    const entry = other.locator('[data-testid=palette-entry][data-kind=pinned]')
    await expect(entry).toContainText('Paris')
    await expect(entry).not.toContainText('hunter2')
    await entry.click()
    await expect(other.getByTestId('connect-input')).toHaveValue(peer.url)
    await other.getByTestId('connect-button').click()
    await expect(input(other, 'city')).toHaveValue('Paris')
    await expect(input(other, 'password')).toHaveValue('')
    expect(calls()).toBe(1)

    await fromMenu(other, 'stored-data')
    const pins = other.locator('[data-testid=stored-kind][data-kind=pins]')
    await expect(pins).toHaveAttribute('data-count', '1')
    expect(await violations(other)).toEqual([])
    await other.getByTestId('stored-recordings').check()
    const saving = other.waitForEvent('download')
    await other.getByTestId('stored-export').click()
    const file = await (await saving).path()
    const exported = await readFile(file, 'utf8')
    expect(exported).not.toContain('hunter2')
    const { recordings } = JSON.parse(exported) as { recordings: { id: string; text: string }[] }
    expect(recordings.map(({ text }) => text).join('')).toContain('"name":"weather"')
    await pins.getByTestId('stored-clear').click()
    await expect(pins).toHaveAttribute('data-count', '1')
    // Everything, including what this tab stores: only the access to the local proxy is left.
    const clearAll = other.getByTestId('stored-clear-all')
    await clearAll.click()
    await clearAll.click()
    await expect(other.getByTestId('stored-said')).toHaveText('All stored data cleared')
    await expect(pins).toHaveAttribute('data-count', '0')
    expect(await other.evaluate(() => Object.keys(sessionStorage))).toEqual(['periscope.token'])
    await other.getByTestId('stored-file').setInputFiles(file)
    const change = (kind: string) => other.locator(`[data-testid=import-change][data-kind=${kind}]`)
    await expect(change('pins')).toContainText('1 new')
    await expect(change('recordings')).toContainText(`${recordings.length} new`)
    await expect(pins).toHaveAttribute('data-count', '0')
    await other.getByTestId('import-now').click()
    await expect(pins).toHaveAttribute('data-count', '1')
    // Again: nothing is stored twice, and the recording of the page that is still open isn't either.
    await other.getByTestId('stored-file').setInputFiles(file)
    await expect(other.getByTestId('import-preview')).toBeVisible()
    await expect(change('recordings')).toHaveCount(0)
    await other.getByTestId('stored-data-close').click()
    await fromMenu(other, 'sessions-button')
    await expect(other.locator('[data-testid=session-item][data-state=past]')).toHaveCount(recordings.length)
  } finally {
    await peer.close()
  }
})

/** Damages the oldest stored recording as a broken disk would: its list entry is fine, but its text isn't text. */
const damageOldest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error!))
      })
    const base = await done(indexedDB.open('periscope-sessions'))
    const sessions = (await done(base.transaction('sessions').objectStore('sessions').getAll())) as {
      id: string
      begunAt: number
    }[]
    const { id } = sessions.toSorted((one, other) => one.begunAt - other.begunAt)[0]!
    const pieces = base.transaction('pieces', 'readwrite').objectStore('pieces')
    const [piece] = (await done(pieces.getAll(IDBKeyRange.bound([id, 0], [id, Infinity])))) as object[]
    await done(pieces.put({ ...piece, text: 7 }))
    base.close()
  })

test('a stored recording that can’t be read is counted, and the export has all others', async ({ page, address }) => {
  for (const time of [1, 2]) {
    if (time === 1) await page.goto(address)
    else {
      await page.reload()
      await page.getByTestId('server-add').click()
    }
    await page.getByTestId('connect-sample').click()
    await page.getByTestId('tool-item').first().waitFor()
    await saved(page)
  }
  await damageOldest(page)
  await fromMenu(page, 'stored-data')
  await expect(page.locator('[data-testid=stored-kind][data-kind=recordings]')).toHaveAttribute('data-count', '2')
  await page.getByTestId('stored-recordings').check()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('stored-export').click()])
  await expect(page.getByTestId('stored-said')).toHaveText(/^Exported without 1 recording/)
  expect(await violations(page)).toEqual([])
  const { recordings } = JSON.parse(await readFile(await download.path(), 'utf8')) as { recordings: { text: string }[] }
  expect(recordings).toHaveLength(1)
  expect(recordings[0]!.text).toContain('"method":"tools/list"')
})

test('one kind of stored data is cleared by two clicks, which leave all others, and is listed with its size', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.addInitScript(() => localStorage.setItem('periscope.trace-filters', '["method:ping"]'))
  await page.goto(address)
  await fromMenu(page, 'environments')
  await page.getByTestId('environment-add').click()
  await page.getByTestId('environment-name').fill('dev')
  await page.getByTestId('environments-dialog-close').click()
  await connect(page, everythingUrl)
  await page.locator('[data-testid=tool-item][data-name=echo]').click()
  await field(page, 'message').fill('hello')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByTestId('tool-result-status')).toBeVisible()
  await page.getByTestId('tool-menu').click()
  const pinned = saysBriefly(page, 'tool-told', /^Call pinned/)
  await page.getByTestId('tool-menu-pin').click()
  await pinned
  await saved(page)
  // What is open would be stored again.
  await page.reload()
  await fromMenu(page, 'sessions-button')
  const item = page.locator('[data-testid=session-item][data-state=past]')
  await expect(item).toHaveCount(1)
  const size = / frames · ([\d.]+ k?B)/.exec((await item.textContent())!)![1]!
  await page.getByTestId('sessions-dialog-close').click()

  await fromMenu(page, 'stored-data')
  const row = (kind: string) => page.locator(`[data-testid=stored-kind][data-kind=${kind}]`)
  const sizeIn = (kind: string) => row(kind).getByRole('cell').nth(1)
  await expect(row('recordings')).toHaveAttribute('data-count', '1')
  await expect(sizeIn('recordings')).toHaveText(size)
  const pins = await page.evaluate(() => 'periscope.pins'.length + localStorage.getItem('periscope.pins')!.length)
  await expect(sizeIn('pins')).toHaveText(formatsFor('en').bytes(pins))
  const counts = () =>
    page
      .getByTestId('stored-kind')
      .evaluateAll((all: HTMLElement[]) =>
        Object.fromEntries(all.map(({ dataset }) => [dataset.kind!, dataset.count!])),
      )
  const kinds = ['servers', 'environments', 'recordings', 'history', 'pins', 'tools', 'filters', 'settings']
  for (const kind of kinds) {
    const before = await counts()
    expect(Number(before[kind]), kind).toBeGreaterThan(0)
    const clear = row(kind).getByTestId('stored-clear')
    await clear.click()
    await expect(clear).toHaveText('Clear permanently?')
    expect(await counts()).toEqual(before)
    await clear.click()
    await expect(row(kind)).toHaveAttribute('data-count', '0')
    expect(await counts(), `after ${kind}`).toEqual({ ...before, [kind]: '0' })
    await expect(sizeIn(kind)).toHaveText('0 B')
    await expect(clear).toBeDisabled()
  }
  const kept = ['recent', 'environments', 'sessions.some', 'pins', 'tool-policy', 'trace-filters', 'trace-view']
  const left = await page.evaluate(() => Object.keys(localStorage))
  expect(left.filter((key) => kept.includes(key.replace('periscope.', '')))).toEqual([])
  await page.getByTestId('stored-data-close').click()
  await expect(page.getByTestId('recent-item')).toHaveCount(0)
  await fromMenu(page, 'sessions-button')
  await expect(item).toHaveCount(0)
})

test('remembered values and saved tests are cleared, each kind alone, and are gone from the form and from Tests', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(`${everythingUrl}?cleared=kinds`)
  await page.getByTestId('connect-more').click()
  await page.getByTestId('header-add').click()
  await page.getByTestId('header-name').fill('X-Api-Key')
  await page.getByTestId('header-value').fill('cleared-9c1f6e02')
  await page.getByTestId('remember-values').check()
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid=tool-item][data-name=echo]').click()
  await field(page, 'message').fill('hello')
  await page.keyboard.press('Control+Enter')
  await page.getByTestId('save-call').click()
  await page.getByTestId('save-call-title').fill('Nightly')
  await page.getByTestId('save-call-keep').click()
  await expect(page.getByTestId('save-call-form')).toHaveAttribute('data-state', 'saved')
  await page.keyboard.press('Escape')
  const stored = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('periscope.credentials.')).length)
  await expect.poll(stored).toBe(1)

  await fromMenu(page, 'stored-data')
  const row = (kind: string) => page.locator(`[data-testid=stored-kind][data-kind=${kind}]`)
  const clear = async (kind: string) => {
    await expect(row(kind)).toHaveAttribute('data-count', '1')
    await row(kind).getByTestId('stored-clear').click()
    await expect(row(kind)).toHaveAttribute('data-count', '1')
    await row(kind).getByTestId('stored-clear').click()
    await expect(row(kind)).toHaveAttribute('data-count', '0')
  }
  await clear('credentials')
  expect(await stored()).toBe(0)
  await expect(page.getByTestId('stored-without')).toHaveCount(0)
  await clear('tests')
  await expect(page.getByTestId('stored-tests')).toHaveCount(0)
  await expect(row('servers')).toHaveAttribute('data-count', '1')
  await page.getByTestId('stored-data-close').click()
  await page.getByTestId('tab-checks').click()
  const saved = page.locator('[data-testid=checks-source][data-name=Nightly]')
  await expect(page.getByTestId('checks-panel')).toBeVisible()
  await expect(saved).toHaveCount(0)

  await page.reload()
  await expect(page.getByTestId('not-kept')).toContainText('X-Api-Key')
  expect(await stored()).toBe(0)
})

test('a group is exported without the other servers, and its configuration and its commands are copied', async ({
  page,
  address,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    const server = (name: string, group: string | undefined, at: number) => ({
      ...{ name, at, dropped: [], settings: {} },
      ...(group === undefined ? {} : { group }),
      target: { kind: 'url', url: `http://${name}.test/mcp`, headers: [] },
    })
    const stored = [server('alpha', 'dev', 4), server('beta', 'prod', 3), server('gamma', 'dev', 2), server('delta', undefined, 1)] // prettier-ignore
    localStorage.setItem('periscope.recent', JSON.stringify(stored))
  })
  await page.goto(address)
  await page.getByTestId('recent-item').filter({ hasText: 'gamma' }).press('Shift+F10')
  await page.getByTestId('recent-export-group').click()
  const preview = page.getByTestId('export-preview')
  await expect(preview).toContainText('alpha')
  const shown = () => preview.evaluate(({ textContent }) => textContent)
  const servers = (text: string) =>
    Object.entries((JSON.parse(text) as { mcpServers: Record<string, { url: string }> }).mcpServers).map(
      ([name, { url }]) => [name, url],
    )
  expect(servers(await shown())).toEqual([
    ['alpha', 'http://alpha.test/mcp'],
    ['gamma', 'http://gamma.test/mcp'],
  ])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByTestId('export-copy').click()
  await expect(page.getByTestId('export-copy')).toHaveText('Copied')
  expect(await clipboard()).toBe(await shown())
  const commands = page.getByTestId('export-command')
  await expect(commands).toHaveText([/ alpha .*alpha\.test/, / gamma .*gamma\.test/])
  await commands.last().locator('xpath=..').getByRole('button').click()
  await expect.poll(clipboard).toBe(await commands.last().textContent())
  // A server can be left out.
  await page.getByTestId('export-server').first().uncheck()
  await expect(commands).toHaveCount(1)
  expect(servers(await shown()).map(([name]) => name)).toEqual(['gamma'])
})
