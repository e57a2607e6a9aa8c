/**
 * The screens of calling safely, configurations, context, code and the workspace, by keyboard alone: in a narrow window, at
 * 200 % zoom, in forced colours, and in Chinese. Nothing moves, nothing is wider than the window, and axe finds nothing.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { askBeforeCalls, expect, inPanel, startPeriscope, test, violations } from './stage.ts'

interface Way {
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
  readonly forcedColors?: 'active'
  readonly language?: 'zh-CN'
}

/** A window of 1440 × 900 px has half as many CSS pixels at 200 %. */
const WAYS: Readonly<Record<string, Way>> = {
  'at 390 px, in Chinese': { width: 390, height: 844, colorScheme: 'dark', language: 'zh-CN' },
  'at 200 % zoom': { width: 720, height: 450, colorScheme: 'light' },
  'in forced colours': { width: 1440, height: 900, colorScheme: 'dark', forcedColors: 'active' },
}

const seen = (page: Page, testid: string): Locator => page.getByTestId(testid).filter({ visible: true })

/** Presses Enter on a control, which must be one that Tab reaches. */
const press = async (control: Locator, key = 'Enter') => {
  await expect(control).toBeEnabled()
  // The selected one of a group of radio buttons, of tabs or of rows is reached for all of them.
  const reached = await control.evaluate(
    (node: HTMLElement) => node.tabIndex >= 0 || node.matches('[role], [type=radio]'),
  )
  expect(reached, `Tab reaches ${String(control)}`).toBe(true)
  await control.press(key)
}

/** Shows a tool without annotations. */
const pickContents = async (page: Page) => {
  await seen(page, 'tool-filter').fill('contents')
  await page.keyboard.press('Enter')
  await expect(seen(page, 'tool-detail')).toContainText('contents')
}

/** What is wrong with the screen as it is now. */
const faults = async (page: Page): Promise<readonly string[]> => [
  ...(await page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the window')
    for (const animation of document.getAnimations()) {
      const { duration = 0, iterations = 1 } = animation.effect?.getComputedTiming() ?? {}
      if (animation.playState === 'running' && (Number(duration) > 10 || iterations === Infinity)) {
        const { target } = animation.effect as KeyframeEffect
        found.push(`${target?.outerHTML.slice(0, 100)} moves`)
      }
    }
    const focused = document.activeElement
    if (!focused || focused === document.body) found.push('nothing has the focus')
    const dialog = document.querySelector('dialog[open]')
    for (const control of dialog?.querySelectorAll('button, input:not([hidden]), select, summary, a') ?? []) {
      const { left, right, width } = control.getBoundingClientRect()
      if (width === 0 || !control.checkVisibility({ visibilityProperty: true })) continue
      // What scrolls sideways within a dialog may be outside of it.
      const scrolls = (node: Element | null): boolean =>
        node !== null && node !== dialog && (/auto|scroll|hidden/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement)) // prettier-ignore
      if (scrolls(control.parentElement)) continue
      if (left < 0 || right > innerWidth) found.push(`${control.outerHTML.slice(0, 120)} is outside of the window`)
    }
    return found
  })),
  ...(await violations(page)),
]

let home: string
let periscope: Awaited<ReturnType<typeof startPeriscope>>
test.beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'periscope-screens-'))
  mkdirSync(join(home, '.cursor'))
  const servers = { docs: { url: 'https://e.com/mcp', headers: { 'X-Key': 'k' } }, broken: { url: 7 } }
  writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: servers }))
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: '', CODEX_HOME: '' }
  periscope = await startPeriscope([], [], env)
})
test.afterAll(async () => {
  await periscope.close()
  rmSync(home, { recursive: true })
})

for (const [name, way] of Object.entries(WAYS))
  test(`every screen is usable by keyboard, ${name}`, async ({ page, richUrl }) => {
    const { width, height, language, ...media } = way
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ reducedMotion: 'reduce', ...media })
    if (language) await page.addInitScript((value) => localStorage.setItem('periscope.language', value), language)
    await askBeforeCalls(page)
    const one = (testid: string) => seen(page, testid)
    const fine = async (screen: string) => expect(await faults(page), screen).toEqual([])
    const closed = async (dialog: Locator) => {
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect
        .poll(() => page.evaluate(() => document.activeElement !== document.body), 'the focus returns')
        .toBe(true)
    }
    const dialog = async (screen: string) => {
      const shown = page.locator(`dialog[data-testid="${screen}"]`)
      await expect(shown).toBeVisible()
      await fine(screen)
      await closed(shown)
    }
    const fromMenu = async (button: string, item: string) => {
      await press(one(button))
      await press(one(item))
    }

    // A link fills in the form.
    await page.goto(await periscope.fresh())
    await expect(page.getByTestId('connect-input')).toBeFocused()
    const url = `${richUrl}/v1/screens-${width}`
    await page.evaluate(
      (to) => (location.hash = `#/connect?url=${encodeURIComponent(to)}&name=Rich&headers=X-Team`),
      url,
    )
    await expect(one('link-note')).toBeVisible()
    await one('fill-value').focus()
    await fine('a link')

    await press(one('connect-known'))
    await dialog('known-servers')
    await press(one('connect-machine'))
    await expect(page.getByTestId('machine-server')).not.toHaveCount(0)
    await dialog('machine-servers')

    // The link's server, which has to ask before calls.
    await one('fill-value').fill('blue')
    await press(one('connect-button'))
    await one('tool-item').first().waitFor()
    if (await page.getByTestId('bottom-panel').isVisible()) await press(one('trace-toggle'))
    await pickContents(page)
    await expect(one('tool-safety-note')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByTestId('call-question-run')).toBeFocused()
    await fine('call-question')
    await page.keyboard.press('Enter')
    await expect(one('tool-result-status')).toBeVisible()
    await expect(page.getByTestId('call-question')).toHaveCount(0)

    // The call is pinned, and found in the palette.
    await press(one('tool-menu'))
    await press(one('tool-menu-pin'))
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('periscope.pins') ?? ''), 'the pin is stored')
      .toContain('contents')
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-input').fill('contents')
    await expect(page.locator('[data-testid=palette-entry][data-kind=pinned]')).toBeVisible()
    await fine('palette')
    await closed(page.getByTestId('palette-input'))

    await fromMenu('server-menu', 'server-export')
    await expect(page.getByTestId('export-preview')).toContainText(richUrl)
    await fine('export-dialog')
    await page.getByTestId('export-client').selectOption('badge')
    await page.getByTestId('badge-page').fill('https://periscope.example/')
    await dialog('export-dialog')
    await fromMenu('server-menu', 'server-code')
    await expect(page.getByTestId('code-program')).toBeVisible()
    await press(page.getByTestId('code-comparison').locator('summary'))
    await dialog('code-dialog')

    // Resources are picked, and copied from a dialog.
    await press(one('tab-resources'))
    if (await page.getByTestId('resource-back').isVisible()) await press(one('resource-back'))
    await press(one('resource-filters'))
    await page.locator('[data-testid=resource-chip][data-id="type image"]').focus()
    await page.keyboard.press('Space')
    const list = one('resource-list').getByRole('listbox')
    await list.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowUp')
    await expect(one('resource-selected')).toBeVisible()
    await fine('resources')
    await press(one('resource-read-all'))
    await expect(one('resource-read-state')).toHaveCount(2)
    await press(one('context-open'))
    await expect(page.getByTestId('context-item')).toHaveCount(2)
    await dialog('context')

    // What was called, and when calls ask.
    await inPanel(page, 'execution-log')
    await expect(one('logged-call')).toHaveCount(1)
    await one('safety-view').locator('input:checked').focus()
    await fine('execution log')
    await page.keyboard.press('ArrowRight')
    await expect(one('policy-tool').first()).toBeVisible()
    await fine('policy')
    await press(one('trace-toggle'))

    await fromMenu('more-menu', 'environments')
    await press(page.getByTestId('environment-add'))
    await expect(page.getByTestId('environment-name')).toBeFocused()
    await page.keyboard.type('dev')
    await press(page.getByTestId('variable-add'))
    await expect(page.getByTestId('variable-name').last()).toBeFocused()
    await page.keyboard.type('2nd')
    await page.keyboard.press('Tab')
    await expect(page.getByTestId('variable-fault')).toBeVisible()
    await dialog('environments-dialog')
    await fromMenu('more-menu', 'stored-data')
    await expect(page.locator('[data-testid=stored-kind][data-kind=pins]')).toHaveAttribute('data-count', '1')
    await dialog('stored-data')

    // Groups, on the first screen.
    if (await page.getByTestId('server-rail').isHidden()) await press(one('open-servers'))
    await press(one('server-add'))
    await one('recent-item').first().press('Shift+F10')
    await press(one('recent-group'))
    await page.getByTestId('arrange-group').fill('dev')
    await fine('arrange')
    await press(page.getByTestId('arrange-save'))
    await expect(one('recent-section')).toContainText('dev')
    await expect(one('recent-state')).toBeVisible()
    await one('recent-item').first().focus()
    await fine('groups')
  })

test('a tool and the trace are side by side in a wide window, and one call on two servers, by keyboard', async ({
  page,
  richUrl,
}) => {
  await page.setViewportSize({ width: 1680, height: 900 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const one = (testid: string) => seen(page, testid)
  await page.goto(await periscope.fresh())
  for (const key of ['one', 'two']) {
    if (key === 'two') await press(one('server-add'))
    await page.getByTestId('connect-input').fill(`${richUrl}/v1/side-${key}`)
    await page.keyboard.press('Enter')
    await one('tool-item').first().waitFor()
    await expect(page.getByTestId('connect-input')).toBeHidden()
  }
  if (!(await page.getByTestId('bottom-panel').isVisible())) await press(one('trace-toggle'))
  await press(one('panel-side'))
  await pickContents(page)
  await one('tool-run').focus()
  await page.keyboard.press('Control+Enter')
  await expect(one('tool-result-status')).toBeVisible()
  expect(await faults(page)).toEqual([])
  await press(one('tool-menu'))
  await press(one('tool-menu-elsewhere'))
  await press(page.getByTestId('two-servers-run'))
  await expect(page.getByTestId('two-servers-there')).toHaveAttribute('data-state', 'ok')
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('two-servers')).toHaveCount(0)
})
