/**
 * Every protocol feature in the page, with both ways a server can request input: the same story must give the same
 * screens.
 */
import type { Locator, Page, Response } from '@playwright/test'
import { openConnected, question, result, run, WAYS } from './feature-steps.ts'
import { askBeforeCalls, expect, field, inPanel, openRoots, patient, showTrace, test, violations } from './stage.ts'

const resource = (page: Page, uri: string): Locator => page.locator(`[data-testid=resource-item][data-uri="${uri}"]`)

const read = async (page: Page, uri: string): Promise<Locator> => {
  await resource(page, uri).click()
  await page.getByTestId('resource-read').click()
  const shown = page.getByTestId('resource-result')
  await expect(shown.getByTestId('resource-result-status')).toBeVisible()
  return shown
}

for (const [revision, way] of WAYS) {
  test.describe(`at ${revision}`, () => {
    test.beforeEach(async ({ page, address, richUrl }, { title }) => {
      await openConnected(page, address, `${richUrl}/${way}/${encodeURIComponent(title.slice(0, 20))}`)
      await expect(page.getByTestId('connection-facts')).toContainText(revision)
    })

    test('resources: a list of several pages, contents of every kind, a template that completes', async ({ page }) => {
      await page.getByTestId('tab-resources').click()
      await expect(page.getByTestId('resource-item')).toHaveCount(10)

      expect(await read(page, 'rich://readme')).toBeTruthy()
      await expect(page.getByTestId('resource-result').getByRole('heading', { name: 'Read me' })).toBeVisible()
      const json = await read(page, 'rich://data.json')
      await expect(json).toContainText('12345678901234567890')
      const picture = await read(page, 'rich://picture')
      await expect(picture.locator('img')).toBeVisible()
      const wrong = await read(page, 'rich://wrong-type')
      await expect(wrong.locator('[data-testid=content-note][data-state=mime-contradicts]')).toBeVisible()
      await read(page, 'rich://folder')
      await expect(page.getByTestId('resource-result').getByTestId('content-block')).toHaveCount(2)

      await resource(page, 'rich://notes/{folder}/{name}').click()
      const variable = (name: string) => page.locator(`[data-testid=completion-field][data-argument="${name}"]`)
      await variable('folder').fill('wo')
      await page.getByRole('option', { name: 'work' }).click()
      await variable('name').click()
      await variable('name').fill('p')
      // The available names depend on the folder.
      await page.getByRole('option', { name: 'plan' }).click()
      await expect(page.getByTestId('template-expanded')).toContainText('rich://notes/work/plan')
      await page.getByTestId('template-detail').getByTestId('resource-read').click()
      await expect(page.getByTestId('resource-result')).toContainText('plan in work')
    })

    test('a subscription marks what was updated, and reads it again where its user wants that', async ({ page }) => {
      await page.getByTestId('tab-resources').click()
      await read(page, 'rich://counter')
      await expect(page.getByTestId('resource-result')).toContainText('0')
      await page.getByTestId('resource-subscribe').click()
      await expect(page.getByTestId('resource-subscription')).toHaveAttribute('data-state', 'on')
      await run(page, 'touch')
      await expect(result(page)).toContainText('1')
      await page.getByTestId('tab-resources').click()
      await expect(resource(page, 'rich://counter').getByTestId('resource-updated')).toBeVisible()
      await expect(page.getByTestId('resource-result')).toContainText('0')
      await page.getByTestId('resource-auto').check()
      await run(page, 'touch')
      await page.getByTestId('tab-resources').click()
      await expect(page.getByTestId('resource-result')).toContainText('2')
      await page.getByTestId('resource-subscribe').click()
      await expect(page.getByTestId('resource-subscription')).not.toHaveAttribute('data-state', 'on')
    })

    test('prompts: arguments that complete by each other, messages as a conversation', async ({ page }) => {
      await page.getByTestId('tab-prompts').click()
      const review = page.locator('[data-testid=prompt-item][data-name=review]')
      await expect(review).toContainText('Review code')
      await review.click()
      const argument = (name: string) => page.locator(`[data-testid=completion-field][data-argument="${name}"]`)
      await argument('language').fill('py')
      await page.getByRole('option', { name: 'python' }).click()
      await argument('style').click()
      await argument('style').fill('p')
      await page.getByRole('option', { name: 'pythonic' }).click()
      await page.getByTestId('prompt-get').click()
      await expect(page.getByTestId('prompt-message')).toHaveText(/Review this python, pythonic/)
      await page.locator('[data-testid=prompt-item][data-name=mixed]').click()
      await page.getByTestId('prompt-get').click()
      await expect(page.getByTestId('prompt-message')).toHaveCount(5)
      await expect(page.getByTestId('prompt-messages').locator('img')).toBeVisible()
    })

    test('logging: messages of each level, and fewer where less is asked for', async ({ page }) => {
      /** A session has a level once the server has responded; the other way, each request carries it. */
      const setLevel = async (level: string) => {
        const isSetting = (response: Response) => response.request().postData()?.includes('logging/setLevel') ?? false
        const response = way === 'v1' ? page.waitForResponse(isSetting) : undefined
        await page.getByTestId('log-level').selectOption(level)
        await (await response)?.finished()
      }
      await page.getByTestId('tab-logs').click()
      // SF-LOG-06
      await expect(page.getByTestId('panel-logs').getByText('deprecated')).toHaveCount(way === 'v1' ? 0 : 1)
      await setLevel('debug')
      await run(page, 'log')
      await field(page, 'text').fill('first')
      await page.getByTestId('tool-run').click()
      await expect(result(page)).toContainText('logged')
      await page.getByTestId('tab-logs').click()
      await expect(page.getByTestId('log-line').filter({ hasText: 'first' })).toHaveCount(8)
      await setLevel('error')
      await page.getByTestId('tab-tools').click()
      await field(page, 'text').fill('second')
      await page.getByTestId('tool-run').click()
      await page.getByTestId('tab-logs').click()
      await expect(page.getByTestId('log-line').filter({ hasText: 'second' })).toHaveCount(4)
    })

    test('structured content is held against what was promised, and each breach has its place', async ({ page }) => {
      await run(page, 'rows')
      const verdict = result(page).getByTestId('schema-verdict')
      await expect(verdict).toHaveAttribute('data-state', 'valid')
      await field(page, 'n').fill('13')
      await page.getByTestId('tool-run').click()
      await expect(verdict).toHaveAttribute('data-state', 'invalid')
      await expect(result(page).getByTestId('schema-problem').first()).toHaveText('/rows/0/id')
    })
  })
}

test('what a server says of a tool is told as its claim; what claims to destroy asks first', async ({
  page,
  address,
}) => {
  await askBeforeCalls(page)
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  // Only the rows in view are in the document.
  await page.getByTestId('tool-filter').fill('forget-tools')
  await page.locator('[data-testid=tool-item][data-name="forget-tools"]').click()
  await page.getByTestId('tool-claims').locator('summary').click()
  await expect(page.getByTestId('tool-claims')).toContainText('Declared by the server, not verified')
  await expect(page.getByTestId('tool-claims').getByRole('row', { name: 'destructiveHint' })).toContainText('declared')
  await page.getByTestId('tool-run').click()
  const calls = page.locator('[data-testid=trace-row][data-method="tools/call"]')
  await expect(page.getByTestId('call-question')).toContainText('Run forget-tools?')
  await expect(page.getByTestId('call-question')).toContainText('Sample server')
  // The safe choice has the focus.
  await expect(page.getByTestId('call-question-cancel')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('call-question')).toHaveCount(0)
  await expect(calls).toHaveCount(0)
  await page.getByTestId('tool-run').click()
  await page.getByTestId('call-question-run').click()
  await expect(result(page)).toHaveAttribute('data-state', 'ok')
  await expect(calls.first()).toBeVisible()
})

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  test(`axe finds nothing where the features are, ${colorScheme}, ${width} wide`, async ({
    page,
    address,
    richUrl,
  }) => {
    test.slow()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await openConnected(page, address, `${richUrl}/v1/axe-${width}`)
    await showTrace(page, false)
    const open = async (tab: string) => {
      await page.getByTestId(`tab-${tab}`).click()
      await expect(page.getByTestId(`panel-${tab}`)).toBeVisible()
    }
    const back = async (name: string) => {
      if (width === 390) await page.getByTestId(`${name}-back`).click()
    }
    for (const tool of ['ask-form', 'ask-model', 'ask-url', 'contents', 'rows']) {
      await open('tools')
      await run(page, tool)
      if (tool.startsWith('ask')) await expect(question(page)).toBeVisible()
      else await expect(result(page)).toHaveAttribute('data-state', 'ok')
      expect(await violations(page)).toEqual([])
      await back('tool')
    }
    await open('inbox')
    await page.getByTestId('inbox-item').first().click()
    await expect(page.getByTestId('panel-inbox').getByTestId('question')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await open('resources')
    await read(page, 'rich://readme')
    expect(await violations(page)).toEqual([])
    await back('resource')
    await resource(page, 'rich://notes/{folder}/{name}').click()
    await expect(page.getByTestId('template-detail')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await open('prompts')
    await page.locator('[data-testid=prompt-item][data-name=mixed]').click()
    await page.getByTestId('prompt-get').click()
    await expect(page.getByTestId('prompt-message')).toHaveCount(5)
    expect(await violations(page)).toEqual([])
    await openRoots(page)
    await page.getByTestId('root-add-input').fill('relative/path')
    expect(await violations(page)).toEqual([])
    await inPanel(page, 'logs')
    await expect(page.getByTestId('panel-logs')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await showTrace(page, false)
    await open('overview')
    expect(await violations(page)).toEqual([])
    await showTrace(page, true)
    expect(await violations(page)).toEqual([])
  })
}

test('the reference server over stdio: all that it offers and asks', async ({ page, address }) => {
  test.slow()
  await openConnected(page, address, 'node node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio')

  await page.getByTestId('tab-resources').click()
  const document = page.locator('[data-testid=resource-item][data-uri^="demo://resource/static/document/"]').first()
  await document.click()
  await page.getByTestId('resource-read').click()
  await expect(page.getByTestId('resource-result').getByTestId('content-block')).toHaveCount(1)
  await page.getByTestId('resource-subscribe').click()
  await expect(page.getByTestId('resource-subscription')).toHaveAttribute('data-state', 'on')
  await run(page, 'toggle-subscriber-updates')
  await page.getByTestId('tab-resources').click()
  await expect(document.getByTestId('resource-updated')).toBeVisible()

  await resource(page, 'demo://resource/dynamic/text/{resourceId}').click()
  await page.locator('[data-testid=completion-field][data-argument=resourceId]').fill('7')
  await page.keyboard.press('Escape')
  await page.getByTestId('template-detail').getByTestId('resource-read').click()
  await expect(page.getByTestId('resource-result')).toContainText('Resource 7')

  await page.getByTestId('tab-prompts').click()
  await page.locator('[data-testid=prompt-item][data-name="completable-prompt"]').click()
  const argument = (name: string) => page.locator(`[data-testid=completion-field][data-argument="${name}"]`)
  await argument('department').fill('Eng')
  await page.getByRole('option', { name: 'Engineering' }).click()
  await argument('name').fill('A')
  await page.getByRole('option', { name: 'Alice' }).click()
  await page.getByTestId('prompt-get').click()
  await expect(page.getByTestId('prompt-message')).toContainText(/Alice/)

  await run(page, 'trigger-sampling-request')
  await field(page, 'prompt').fill('Say yes')
  await page.getByTestId('tool-run').click()
  await question(page).getByTestId('sampling-answer-text').fill('yes, indeed')
  await question(page).getByTestId('sampling-send').click()
  await expect(result(page)).toContainText('yes, indeed')

  await run(page, 'trigger-elicitation-request')
  await expect(question(page).getByTestId('elicitation-message')).toBeVisible()
  await field(page, 'name').fill('Ada')
  await question(page).getByTestId('elicitation-accept').click()
  await expect(result(page)).toContainText('Ada')

  await openRoots(page)
  await page.getByTestId('root-add-input').fill('/srv/data')
  await page.getByTestId('root-add').click()
  // The server asked after it had started, and asks again now: until then, its tool lists the former roots.
  await expect(page.locator('[data-testid=roots-history-row][data-state=answered]')).toHaveCount(2)
  await run(page, 'get-roots-list')
  await expect(result(page)).toContainText('file:///srv/data')

  await run(page, 'toggle-simulated-logging')
  await page.getByTestId('tab-logs').click()
  await expect(page.getByTestId('log-line').nth(3)).toBeVisible({ timeout: patient(20_000) })
})

test('what is typed while the palette loads is not lost, Escape included; it does what any button on screen does', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/Palette-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('shx')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('are')
  release()
  await expect(page.getByTestId('palette-input')).toHaveValue('share')
  await expect(page.getByTestId('palette-entry').first()).toContainText('Share')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('share-dialog')).toBeVisible()
})

test('a few letters lead anywhere: to a tool, a resource, a part, an action', async ({ page, address, richUrl }) => {
  await openConnected(page, address, `${richUrl}/v1/palette`)
  // The palette offers what is known when it opens, and lists arrive one after the other.
  for (const tab of ['resources', 'prompts']) await expect(page.getByTestId(`tab-${tab}`)).toContainText(/\d/)
  const go = async (letters: string, entry: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByTestId('palette-input').fill(letters)
    await expect(page.getByTestId('palette-entry').first()).toContainText(entry)
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('palette')).toBeHidden()
  }
  await go('ask-mod', 'ask-model')
  await expect(page.getByTestId('tool-detail')).toContainText('Ask the model')
  await go('readme', 'rich://readme')
  await expect(page.getByTestId('resource-uri')).toHaveText('rich://readme')
  await go('review', 'review')
  await expect(page.getByTestId('prompt-detail')).toContainText('Review code')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByTestId('palette-entry').first()).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await go('keyboard shortcuts', 'Keyboard shortcuts')
  await expect(page.getByTestId('help-dialog')).toBeVisible()
})
