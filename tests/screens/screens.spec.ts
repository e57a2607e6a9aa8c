/**
 * Every screen, in English and Chinese, light and dark, at 1440, 1024 and 390 px, at 400 % zoom and in forced colours: axe
 * finds nothing, nothing is wider than the window, and no control's text is cut. The pictures are in `.cache/screens/`.
 */
import type { Page } from '@playwright/test'
import { start as startChanging } from '../servers/changing.ts'
import {
  addServer,
  askBeforeCalls,
  connect,
  expect,
  field,
  fromMenu,
  inPanel,
  openRoots,
  patient,
  selectFirst,
  showTrace,
  test,
} from '../e2e/stage.ts'
import { question, result, run } from '../e2e/feature-steps.ts'
import { inAllLooks } from './looks.ts'

const tab = async (page: Page, name: string) => {
  await page.getByTestId(`tab-${name}`).click()
  await expect(page.getByTestId(`panel-${name}`)).toBeVisible()
}

const closed = async (page: Page, testid: string) => {
  await page.keyboard.press('Escape')
  await expect(page.getByTestId(testid)).toBeHidden()
}

for (const language of ['en', 'zh-CN']) {
  test.describe(language, () => {
    let shown = async (_screen: string) => {}
    test.beforeEach(async ({ page }) => {
      test.setTimeout(patient(600_000))
      await page.addInitScript((value) => localStorage.setItem('periscope.language', value), language)
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      shown = (screen) => inAllLooks(page, language, screen)
    })

    test('home, before and after the first server', async ({ page, address, everythingUrl }) => {
      await page.goto(address)
      await expect(page.getByTestId('connect-input')).toBeVisible()
      await shown('home-first')
      await page.getByTestId('connect-input').fill('no-such-command-anywhere')
      await page.getByTestId('connect-input').press('Enter')
      await expect(page.getByTestId('connect-failure')).toBeVisible()
      await shown('failure-command')
      await addServer(page)
      await page.getByTestId('connect-input').fill('http://127.0.0.1:9/mcp')
      await page.getByTestId('connect-input').press('Enter')
      await expect(page.getByTestId('connect-failure').filter({ visible: true })).toBeVisible()
      await expect(page.getByTestId('evidence').filter({ visible: true })).toBeVisible()
      await shown('failure-network')
      await addServer(page)
      await page
        .getByTestId('connect-input')
        .fill('{"mcpServers":{"a":{"command":"node"},"b":{"url":"http://127.0.0.1:9/mcp"}}}')
      await expect(page.getByTestId('found-server')).toHaveCount(2)
      await shown('home-configuration')
      await page.getByTestId('connect-input').fill('node server.js --verbose')
      await page.getByTestId('connect-more').click()
      await expect(page.getByTestId('connect-cwd')).toBeVisible()
      await shown('home-command-options')
      await page.getByTestId('connect-input').fill(everythingUrl)
      await shown('home-url-options')
      await page.getByTestId('connect-input').press('Enter')
      await page.getByTestId('tool-item').filter({ visible: true }).first().waitFor()
      await addServer(page)
      await expect(page.getByTestId('recent-item').first()).toBeVisible()
      await shown('home-later')
    })

    test('tools: list, form, invalid arguments, approval', async ({ page, address }) => {
      await askBeforeCalls(page)
      await page.goto(address)
      await page.getByTestId('connect-sample').click()
      await expect(page.getByTestId('tool-item').first()).toBeVisible()
      await showTrace(page, false)
      await shown('tools')
      await page.locator('[data-testid=tool-item][data-name="every-field"]').click()
      await expect(page.getByTestId('tool-detail')).toBeVisible()
      await shown('tool-form')
      await page.getByTestId('tool-run').click()
      await expect(page.getByTestId('field-problem').first()).toBeVisible()
      await shown('tool-form-invalid')
      await page.getByTestId('tool-filter').fill('forget-tools')
      await page.locator('[data-testid=tool-item][data-name="forget-tools"]').click()
      await page.getByTestId('tool-run').click()
      await expect(page.getByTestId('call-question')).toBeVisible()
      await shown('tool-approval')
    })

    test('results, and requests that a call waits for', async ({ page, address, richUrl }) => {
      await page.goto(address)
      await connect(page, `${richUrl}/v1/screens-${language}`)
      for (const name of ['contents', 'rows', 'ask-form', 'ask-model', 'ask-url']) {
        await run(page, name)
        if (name.startsWith('ask')) await expect(question(page)).toBeVisible()
        else await expect(result(page)).toHaveAttribute('data-state', 'ok')
        await shown(`tool-${name}`)
      }
      await tab(page, 'inbox')
      await page.getByTestId('inbox-item').first().click()
      await expect(page.getByTestId('panel-inbox').getByTestId('question')).toBeVisible()
      await shown('inbox')
      await page.getByTestId('inbox-rules-open').click()
      await shown('inbox-automatic')
      await openRoots(page)
      await page.getByTestId('root-add-input').fill('relative/path')
      await shown('inbox-roots')
    })

    test('overview, resources and prompts', async ({ page, address, richUrl }) => {
      await page.goto(address)
      await connect(page, `${richUrl}/v1/screens-res-${language}`)
      await showTrace(page, false)
      await tab(page, 'overview')
      await shown('overview')
      await tab(page, 'resources')
      const resource = (uri: string) => page.locator(`[data-testid=resource-item][data-uri="${uri}"]`)
      for (const name of ['readme', 'data.json', 'picture', 'wrong-type']) {
        await resource(`rich://${name}`).click()
        await page.getByTestId('resource-read').click()
        await expect(page.getByTestId('resource-result').getByTestId('content-block').first()).toBeVisible()
        await shown(`resource-${name.replace('.', '-')}`)
      }
      await resource('rich://notes/{folder}/{name}').click()
      await expect(page.getByTestId('template-detail')).toBeVisible()
      await shown('resource-template')
      await tab(page, 'prompts')
      await page.locator('[data-testid=prompt-item][data-name=review]').click()
      await shown('prompt-form')
      await page.locator('[data-testid=prompt-item][data-name=mixed]').click()
      await page.getByTestId('prompt-get').click()
      await expect(page.getByTestId('prompt-message')).toHaveCount(5)
      await shown('prompt-messages')
    })

    test('tasks', async ({ page, address }) => {
      await page.goto(address)
      await connect(page, 'node node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio')
      await showTrace(page, false)
      await page.locator('[data-testid=tool-item][data-name=simulate-research-query]').click()
      await field(page, 'topic').fill('screens')
      const asTask = page.getByTestId('task-choice-on')
      if (await asTask.isVisible()) await asTask.check()
      await page.getByTestId('tool-run').click()
      await tab(page, 'tasks')
      await page.getByTestId('task-item').first().click()
      await expect(page.getByTestId('task-detail')).toBeVisible()
      await shown('tasks')
    })

    test('the bottom panel: trace, frames, logs, problems, statistics, console', async ({ page, address, richUrl }) => {
      await page.goto(address)
      await connect(page, `${richUrl}/v1/screens-panel-${language}`)
      await run(page, 'log')
      await field(page, 'text').fill('said')
      await page.getByTestId('tool-run').click()
      await expect(result(page)).toContainText('logged')
      await showTrace(page, true)
      await shown('trace-frames')
      await selectFirst(page, 'tools/list')
      for (const [at, each] of (await page.getByTestId('frame-tabs').getByRole('tab').all()).entries()) {
        if (!(await each.isEnabled())) continue
        await each.click()
        await shown(`frame-tab-${at}`)
      }
      await page.keyboard.press('Escape')
      await page.getByTestId('trace-filter').fill('')
      await page.getByTestId('trace-as').locator('button, label').first().click()
      await expect(page.getByTestId('exchange-bar').first()).toBeVisible()
      await shown('trace-exchanges')
      await page.getByTestId('column-menu').first().click()
      await shown('trace-columns')
      await page.keyboard.press('Escape')
      await page.getByTestId('exchange-row').first().click({ button: 'right' })
      await expect(page.getByRole('menu').first()).toBeVisible()
      await shown('trace-context-menu')
      await page.keyboard.press('Escape')
      await inPanel(page, 'logs')
      await shown('logs')
      await inPanel(page, 'problems')
      await shown('problems')
      await page.getByTestId('problems-view').locator('button, [role=radio], label').last().click()
      await expect(page.getByTestId('statistics')).toBeVisible()
      await shown('statistics')
      await inPanel(page, 'raw')
      await expect(page.getByTestId('raw-panel')).toBeVisible()
      await shown('console')
    })

    test('dialogs and menus', async ({ page, address, everythingUrl }) => {
      await page.goto(address)
      await connect(page, everythingUrl)
      await page.locator('[data-testid=tool-item][data-name=echo]').click()
      await field(page, 'message').fill('hello')
      await page.getByTestId('tool-run').click()
      await expect(result(page)).toContainText('hello')
      await page.getByTestId('more-menu').click()
      await shown('menu')
      await page.keyboard.press('Escape')
      await page.getByTestId('tool-menu').click()
      await shown('menu-tool')
      await page.keyboard.press('Escape')
      await page.keyboard.press('ControlOrMeta+k')
      await expect(page.getByTestId('palette-entry').first()).toBeVisible()
      await shown('palette')
      await closed(page, 'palette')
      await fromMenu(page, 'help')
      await expect(page.getByTestId('help-dialog')).toBeVisible()
      await shown('help')
      await closed(page, 'help-dialog')
      await fromMenu(page, 'sessions-button')
      await expect(page.getByTestId('sessions-dialog')).toBeVisible()
      await shown('sessions')
      await closed(page, 'sessions-dialog')
      await page.getByTestId('share').click()
      await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
      await shown('share')
      await page.keyboard.press('Escape')
      await expect(page.getByTestId('share-dialog')).toBeHidden()
    })

    test('tests of a server, and a recording', async ({ page, address }) => {
      const string = { type: 'string' }
      const peer = await startChanging('Screens', [
        {
          declaration: {
            name: 'greet',
            description: 'Greets',
            inputSchema: { type: 'object', properties: { name: string }, required: ['name'] },
          },
          run: ({ name }) => ({ content: [{ type: 'text', text: `Hello, ${String(name)}.` }] }),
        },
      ])
      try {
        await page.goto(address)
        await connect(page, peer.url)
        await showTrace(page, false)
        await tab(page, 'checks')
        await shown('tests-empty')
        await run(page, 'greet')
        await field(page, 'name').fill('Ada')
        await page.getByTestId('tool-run').click()
        await expect(result(page)).toContainText('Hello, Ada')
        await page.getByTestId('tool-save-call').or(page.getByTestId('save-call')).first().click()
        await expect(page.getByTestId('save-call-form')).toBeVisible()
        await shown('tests-save')
        await page.getByTestId('save-call-keep').click()
        await page.getByTestId('save-call-show').click()
        await expect(page.getByTestId('checks-list')).toBeVisible()
        await shown('tests')
      } finally {
        await peer.close()
      }
    })

    test('a protected server, and its sign-in', async ({ page, address, oauthUrl }) => {
      await page.goto(address)
      await page.getByTestId('connect-input').fill(`${oauthUrl}/v1/opaque/screens-${language}`)
      await page.getByTestId('connect-input').press('Enter')
      await expect(page.getByTestId('do-sign-in')).toBeVisible()
      await shown('sign-in')
      // The tab is there once the server is connected; a failed one offers its steps.
      await page.getByTestId('do-sign-in-by-steps').click()
      await expect(page.getByTestId('flow-steps')).toBeVisible()
      await shown('authorization')
    })
  })
}
