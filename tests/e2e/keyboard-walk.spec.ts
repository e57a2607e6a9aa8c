/**
 * The tools for servers and calls, reached by walking: Tab, Shift+Tab, arrows, Enter and Space only, without shortcuts,
 * the pointer, or a focus set by script. After each key, the focus is somewhere visible and has an outline.
 */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Peer } from '../servers/listening.ts'
import { start as startChanging, type ChangingTool } from '../servers/changing.ts'
import { keyboard, tabTo, walkTo } from './keyboard-steps.ts'
import { seen } from './recording-stage.ts'
import { askBeforeCalls, expect, test, violations } from './stage.ts'

const made = (name: string): ChangingTool => ({
  declaration: {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
  },
  run: () => ({ content: [{ type: 'text', text: `done: ${name}` }] }),
})

let peer: Peer
test.beforeAll(async () => void (peer = await startChanging('Ledger', ['read', 'note', 'erase'].map(made))))
test.afterAll(async () => await peer.close())

type Keys = Awaited<ReturnType<typeof keyboard>>

/** Connects with what is typed into the field, which has the focus at the start. */
const connectTyped = async (page: Page, keys: Keys, address: string, line: string) => {
  await page.goto(address)
  await expect(page.getByTestId('connect-input')).toBeFocused()
  await keys.type(line)
  await keys.press('Enter')
  await expect(seen(page, 'tool-item').first()).toBeVisible()
}

/** Goes to a tab of a list of tabs, from its selected one. */
const toTab = async (page: Page, within: Locator, testid: string) => {
  await tabTo(page, within.locator('[role=tab][aria-selected=true]'))
  await walkTo(page, page.getByTestId(testid), 'ArrowRight', 12)
}
const featureTab = (page: Page, id: string) => toTab(page, page.locator('nav [role=tablist]'), `tab-${id}`)
const panelTab = (page: Page, id: string) => toTab(page, page.getByTestId('bottom-panel'), `tab-${id}`)

/** Goes to a row of a list, which keeps the focus. */
const toRow = async (page: Page, list: Locator, row: Locator, most = 12) => {
  await tabTo(page, list)
  for (let pressed = 0; (await row.getAttribute('aria-selected')) !== 'true'; pressed++) {
    expect(pressed, 'rows passed').toBeLessThan(most)
    await page.keyboard.press('ArrowDown')
    await expect(list).toBeFocused()
  }
}
/** On a phone, the list and the tool are two screens. */
const toTool = async (page: Page, keys: Keys, name: string) => {
  const back = seen(page, 'tool-back')
  if ((await back.count()) > 0) {
    await tabTo(page, back)
    await keys.press('Enter')
  }
  const row = page.locator(`[data-testid=tool-item][data-name="${name}"]`).filter({ visible: true })
  await toRow(page, seen(page, 'tool-list').getByRole('listbox'), row)
  if ((await seen(page, 'tool-detail').count()) === 0) await keys.press('Enter')
  await expect(seen(page, 'tool-detail')).toContainText(`Does ${name}.`)
}

/** Opens a menu, and chooses an item. */
const choose = async (page: Page, keys: Keys, menu: Locator, item: string) => {
  await tabTo(page, menu)
  await keys.press('Enter')
  await walkTo(page, page.getByTestId(item).filter({ visible: true }), 'ArrowDown', 16)
  await keys.press('Enter')
}

/** Tab at the end of the document goes to the browser's own controls, and from there to the first element. */
const isNoWalk = (key: string) => key !== 'Tab'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('a policy is chosen, a call approved, a tool switched off, and the log saved as CSV, by walking with the keyboard', async ({
  page,
  address,
}) => {
  test.slow()
  await askBeforeCalls(page)
  const keys = await keyboard(page)
  await connectTyped(page, keys, address, peer.url)

  // The question: its buttons are walked through, and the focus returns to Run.
  await toTool(page, keys, 'note')
  await tabTo(page, seen(page, 'tool-run'))
  await keys.press('Enter')
  await expect(page.getByTestId('call-question-run')).toBeFocused()
  await tabTo(page, page.getByTestId('call-question-trust'))
  await tabTo(page, page.getByTestId('call-question-approve'), 'Shift+Tab')
  await keys.press('Enter')
  await expect(seen(page, 'tool-result')).toContainText('done: note')
  await expect(seen(page, 'tool-run')).toBeFocused()
  await keys.press('Enter')
  await expect(seen(page, 'tool-result-status')).toBeVisible()
  await expect(page.getByTestId('call-question')).toHaveCount(0)

  // The log, and its CSV.
  await panelTab(page, 'execution-log')
  await expect(seen(page, 'logged-call')).toHaveCount(2)
  await tabTo(page, seen(page, 'log-export-csv'))
  const [csv] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')])
  expect((await readFile(await csv.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(3)
  await tabTo(page, seen(page, 'execution-log'))
  await keys.press('ArrowDown')

  // The policy.
  await tabTo(page, seen(page, 'safety-view').locator('input:checked'), 'Shift+Tab')
  await keys.press('ArrowRight')
  await expect(seen(page, 'policy-view')).toBeVisible()
  const own = seen(page, 'policy-own')
  await tabTo(page, own)
  // Typing chooses an option of a closed list.
  await keys.type('Ask before every')
  await expect(own).toHaveValue('always')
  await keys.press('Home')
  await expect(own).toHaveValue('')
  const row = (name: string) => page.locator(`[data-testid=policy-tool][data-tool="${name}"]`)
  await expect(row('note')).toHaveAttribute('data-state', 'approved')
  // The button that was pressed goes, and the one in its place has the focus.
  await tabTo(page, row('note').getByTestId('policy-withdraw'))
  await keys.press('Enter')
  await expect(row('note').getByTestId('policy-approve')).toBeFocused()
  await keys.press('Enter')
  await expect(row('note').getByTestId('policy-withdraw')).toBeFocused()
  await tabTo(page, row('erase').getByTestId('policy-tool-on'))
  await keys.press('Space')
  await expect(row('erase')).toHaveAttribute('data-state', 'off')
  await tabTo(page, seen(page, 'policy-export'), 'Shift+Tab')
  const [policy] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')])
  expect(JSON.parse(await readFile(await policy.path(), 'utf8'))).toMatchObject({ switchedOff: ['erase'] })
  expect(await violations(page)).toEqual([])

  // The tool says so, and its button gives the focus to Run.
  await toTool(page, keys, 'erase')
  await expect(seen(page, 'tool-run')).toBeDisabled()
  await tabTo(page, seen(page, 'tool-switch-on'))
  await keys.press('Enter')
  await expect(seen(page, 'tool-run')).toBeFocused()
  await keys.press('Enter')
  await expect(page.getByTestId('call-question')).toBeVisible()
  await keys.press('Escape')
  await expect(seen(page, 'tool-run')).toBeFocused()
  expect((await keys.pressedNowhere()).filter(isNoWalk)).toEqual([])
})

test('resources are selected and copied as one text, a slash command gets a prompt, and a program is copied, by walking with the keyboard', async ({
  page,
  address,
  richUrl,
}) => {
  test.slow()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const keys = await keyboard(page)
  await connectTyped(page, keys, address, `${richUrl}/v1/walk`)

  await featureTab(page, 'resources')
  await expect(page.getByTestId('resource-item')).toHaveCount(10)
  await tabTo(page, page.getByTestId('resource-filters'))
  await keys.press('Enter')
  await tabTo(page, page.locator('[data-testid=resource-chip][data-id="type text"]'))
  await keys.press('Space')
  await tabTo(page, page.getByTestId('resource-list').getByRole('listbox'))
  await keys.press('End', 'Space', 'Shift+ArrowUp')
  await expect(page.getByTestId('resource-selected')).toContainText('2 selected')
  await tabTo(page, page.getByTestId('resource-read-all'))
  await keys.press('Enter')
  await expect(page.getByTestId('resource-read-state')).toHaveText(['ok', 'ok'])
  await tabTo(page, page.getByTestId('context-open'))
  await keys.press('Enter')
  await expect(page.getByTestId('context-item')).toHaveCount(2)
  await expect(page.getByTestId('context-copy')).toBeVisible()
  await tabTo(page, page.getByTestId('context-copy'))
  await keys.press('Enter')
  await expect.poll(() => clipboard(page)).toMatch(/Resource: [^]*Resource: /)
  await keys.press('Escape')
  await expect(page.getByTestId('context-open')).toBeFocused()

  await tabTo(page, page.getByTestId('open-palette'))
  await keys.press('Enter')
  await keys.type('/review rust')
  await expect(page.getByTestId('palette-entry').last()).toContainText('Get review')
  await keys.press('ArrowDown', 'Enter')
  await expect(page.getByTestId('prompt-message')).toHaveText(/Review this rust\s*$/)

  // A program for each call of a list: the list keeps the focus while the program changes.
  await choose(page, keys, page.getByTestId('server-menu'), 'server-code')
  const calls = page.getByTestId('code-call')
  const program = page.getByTestId('code-program')
  await expect(program).toBeVisible()
  await tabTo(page, calls)
  await keys.type('prompts/get')
  await expect(program).toContainText('getPrompt')
  await expect(calls).toBeFocused()
  await tabTo(page, page.getByTestId('code-language').locator('input:checked'))
  await walkTo(page, page.getByTestId('code-language').locator('label', { hasText: 'Python' }).locator('input'), 'ArrowRight', 8) // prettier-ignore
  await expect(program).toContainText('client.get_prompt(')
  await tabTo(page, page.getByTestId('code-copy'))
  await keys.press('Enter')
  await expect.poll(() => clipboard(page)).toContain('client.get_prompt(')
  await keys.press('Escape')
  await expect(page.getByTestId('server-menu')).toBeFocused()
  expect((await keys.pressedNowhere()).filter(isNoWalk)).toEqual([])
})

for (const width of [1280, 390])
  test(`a configuration is pasted, a known server tried, servers are moved and exported, by walking with the keyboard, at ${width} px`, async ({
    page,
    address,
    everythingUrl,
    richUrl,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height: 844 })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const keys = await keyboard(page)
    await page.goto(address)
    await expect(page.getByTestId('connect-input')).toBeFocused()

    await tabTo(page, page.getByTestId('connect-known'))
    await keys.press('Enter')
    await tabTo(page, page.getByTestId('known-filter'))
    await keys.type('brave')
    await expect(page.getByTestId('known-server')).toHaveCount(1)
    await tabTo(page, page.getByTestId('known-take'))
    await keys.press('Enter')
    await expect(page.getByTestId('fill-value')).toBeFocused()
    await tabTo(page, page.getByTestId('connect-input'), 'Shift+Tab')
    await keys.press('Control+a')

    const servers = {
      docs: { url: everythingUrl, headers: { 'X-Team': 'blue' } },
      rich: { url: `${richUrl}/v1/walk-import` },
    }
    await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify({ mcpServers: servers }))
    await keys.press('Control+v')
    await expect(page.getByTestId('found-server')).toHaveCount(2)
    await tabTo(page, page.getByTestId('found-connect-all'))
    await keys.press('Enter')
    await expect(page.getByTestId('server-item')).toHaveCount(2)
    await expect(page.locator('[data-testid=server-item][data-state=open]')).toHaveCount(2)

    // The servers of the window, which open from the logo on a phone.
    const openServers = async () => {
      if (width > 390) return
      await tabTo(page, page.getByTestId('open-servers'))
      await keys.press('Enter')
    }
    await openServers()
    const second = page.getByTestId('server-item').nth(1)
    const link = await second.getAttribute('data-link')
    await tabTo(page, second)
    await keys.press('Alt+ArrowUp')
    await expect(page.getByTestId('server-item').first()).toHaveAttribute('data-link', link!)
    await expect(page.getByTestId('server-item').first()).toBeFocused()

    // The list of servers.
    await tabTo(page, page.getByTestId('server-add'))
    await keys.press('Enter')
    await expect(page.locator('[data-arrangeable]')).toBeVisible()
    const card = (name: string) => page.getByTestId('recent-item').filter({ hasText: name })
    const names = () =>
      page.getByTestId('recent-item').evaluateAll((all) => all.map((one) => one.querySelector('b')!.textContent))
    await expect.poll(async () => (await names()).length).toBe(2)
    const [first] = await names()
    await tabTo(page, card(first!))
    await keys.press('Alt+ArrowDown')
    await expect.poll(async () => (await names())[1]).toBe(first)
    await expect(card(first!)).toBeFocused()
    await choose(page, keys, page.getByRole('button', { name: `Actions for ${first!}` }), 'recent-group')
    await expect(page.getByTestId('arrange-group')).toBeFocused()
    await keys.type('dev')
    await tabTo(page, page.getByTestId('arrange-colour').first())
    await walkTo(page, page.getByTestId('arrange-colour').nth(3), 'ArrowRight', 6)
    await tabTo(page, page.getByTestId('arrange-save'))
    await keys.press('Enter')
    await expect(page.getByTestId('recent-section')).toContainText('dev')
    await tabTo(page, page.getByTestId('recent-section').locator('summary'))
    await keys.press('Enter')
    await expect(card(first!)).toBeHidden()

    await choose(page, keys, page.getByTestId('group-menu'), 'recent-export-group')
    await expect(page.getByTestId('export-preview')).toBeVisible()
    await tabTo(page, page.getByTestId('export-client'))
    await keys.type('VS Code')
    await expect(page.getByTestId('export-preview')).toContainText('"servers"')
    await tabTo(page, page.getByTestId('export-values').locator('input:checked'))
    await keys.press('ArrowRight')
    await tabTo(page, page.getByTestId('export-copy'))
    await keys.press('Enter')
    await expect.poll(() => clipboard(page)).toContain(first!)
    await keys.press('Escape')
    await expect(page.getByTestId('group-menu')).toBeFocused()
    expect((await keys.pressedNowhere()).filter(isNoWalk)).toEqual([])
  })

for (const width of [1280, 390])
  test(`a call is pinned and found, and stored data is exported and cleared, by walking with the keyboard, at ${width} px`, async ({
    page,
    address,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height: 844 })
    const keys = await keyboard(page)
    await connectTyped(page, keys, address, peer.url)
    await toTool(page, keys, 'note')
    await tabTo(page, seen(page, 'tool-run'))
    await keys.press('Enter')
    await expect(seen(page, 'tool-result')).toContainText('done: note')
    await choose(page, keys, seen(page, 'tool-menu'), 'tool-menu-pin')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('periscope.pins') ?? '')).toContain('note')
    await expect(seen(page, 'tool-menu')).toBeFocused()
    await toTool(page, keys, 'erase')
    await tabTo(page, page.getByTestId('open-palette'))
    await keys.press('Enter')
    await keys.type('pinned note')
    await expect(page.locator('[data-testid=palette-entry][data-kind=pinned]')).toHaveCount(1)
    await keys.press('Enter')
    await expect(seen(page, 'tool-detail')).toContainText('Does note.')
    await expect(seen(page, 'tool-detail').locator(':focus')).toBeVisible()

    await choose(page, keys, page.getByTestId('more-menu'), 'stored-data')
    const pins = page.locator('[data-testid=stored-kind][data-kind=pins]')
    await expect(pins).toHaveAttribute('data-count', '1')
    const clear = pins.getByTestId('stored-clear')
    await tabTo(page, clear)
    await keys.press('Enter')
    await expect(clear).toHaveText('Clear permanently?')
    await keys.press('Enter')
    await expect(pins).toHaveAttribute('data-count', '0')
    // There is nothing left to clear, but the place is kept.
    await expect(clear).toBeFocused()
    await expect(clear).toBeDisabled()
    await keys.press('Enter')
    await expect(clear).toHaveText('Clear')
    await tabTo(page, page.getByTestId('stored-export'))
    const [file] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')])
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).not.toHaveProperty(['entries', 'periscope.pins'])
    await tabTo(page, page.getByTestId('stored-clear-all'))
    await keys.press('Enter', 'Enter')
    await expect(page.getByTestId('stored-said')).not.toBeEmpty()
    await expect(page.getByTestId('stored-clear-all')).toBeFocused()
    expect(await violations(page)).toEqual([])
    await keys.press('Escape')
    await expect(page.getByTestId('more-menu')).toBeFocused()
    expect((await keys.pressedNowhere()).filter(isNoWalk)).toEqual([])
  })
