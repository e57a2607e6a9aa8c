/** A server with hidden characters in every string: no screen shows one unmarked, in text or in a label (SEC-03). */
import type { Page } from '@playwright/test'
import { UNSEEN } from '../servers/planted/plant.ts'
import { openConnected, question, result } from './feature-steps.ts'
import { expect, openRoots, selectFirst, test } from './stage.ts'

/** Records every unmarked text and label, even those shown briefly, from the first one on. */
const watch = (page: Page) =>
  page.addInitScript((source) => {
    const unseen = new RegExp(`[${source}]`, 'u')
    const labels = [
      'title',
      'alt',
      'placeholder',
      'label',
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'aria-roledescription',
    ]
    const bare = new Map<string, string>()
    Object.assign(window, { bareTexts: bare })
    const placeOf = (node: Element | null): string => {
      const names: string[] = []
      for (let each = node; each && names.length < 5; each = each.parentElement) {
        names.unshift(`${each.localName}.${each.classList[0] ?? ''}${each.getAttribute('data-testid') ?? ''}`)
      }
      return names.join(' > ')
    }
    const note = (place: string, text: string) => {
      if (unseen.test(text) && bare.size < 200) bare.set(place, text.slice(0, 60))
    }
    const look = (node: Node) => {
      if (node instanceof Text) return note(placeOf(node.parentElement), node.data)
      if (!(node instanceof Element)) return
      for (const label of labels) note(`${placeOf(node)} [${label}]`, node.getAttribute(label) ?? '')
      node.childNodes.forEach(look)
    }
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === 'childList') addedNodes.forEach(look)
        else if (type === 'characterData') look(target)
        else if (target instanceof Element)
          for (const label of labels) note(`${placeOf(target)} [${label}]`, target.getAttribute(label) ?? '')
      }
      note('document.title', document.title)
    }).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: labels,
    })
  }, UNSEEN)

const bareTexts = (page: Page) =>
  page.evaluate(() => [...(window as unknown as { bareTexts: Map<string, string> }).bareTexts])

const tool = async (page: Page, name: string) => {
  await page.getByTestId('tab-tools').click()
  await page.locator(`[data-testid=tool-item][data-name^="${name}"]`).click()
}

/** Report unmarked texts even if the test failed for another reason. */
test.afterEach(async ({ page }) => {
  expect(await bareTexts(page)).toEqual([])
})

test('every panel, the trace, the palette and the dialogs', async ({ page, address, plantedUrl }) => {
  test.slow()
  await watch(page)
  await openConnected(page, address, `${plantedUrl}/v1/panels`)

  for (const name of ['contents', 'rows', 'log', 'touch']) {
    await tool(page, name)
    for (const view of ['JSON', 'Schema', 'Form'])
      await page.getByTestId('tool-view').getByText(view, { exact: true }).click()
    await page.getByTestId('tool-run').click()
    // A required argument is missing, so the first click only reports it, once a worker has checked the values.
    if (name === 'log') {
      await expect(page.getByTestId('tool-run')).toHaveAttribute('data-tried', 'true')
      await page.getByTestId('tool-run').click()
    }
    await expect(result(page)).not.toHaveAttribute('data-state', /none|pending/)
  }
  await expect(page.getByTestId('advice').first()).toBeVisible()

  for (const name of ['ask-model', 'ask-form', 'ask-url', 'ask-roots']) {
    await tool(page, name)
    await page.getByTestId('tool-run').click()
    await expect(question(page).first()).toBeVisible()
  }
  await page.getByTestId('tab-inbox').click()
  await expect(page.getByTestId('panel-inbox').getByTestId('question').first()).toBeVisible()

  await page.getByTestId('tab-resources').click()
  const resources = page.getByTestId('resource-item')
  await expect(resources.first()).toBeVisible()
  for (const resource of await resources.all()) {
    await resource.click()
    await expect(resource).toHaveAttribute('aria-selected', 'true')
  }
  await page.getByTestId('tab-prompts').click()
  await expect(page.getByTestId('prompt-item').first()).toBeVisible()
  for (const prompt of await page.getByTestId('prompt-item').all()) {
    await prompt.click()
    await page.getByTestId('prompt-get').click()
  }
  await openRoots(page)
  for (const tab of ['overview', 'tasks', 'checks', 'logs', 'raw', 'problems', 'trace']) {
    const found = page.getByTestId(`tab-${tab}`)
    if (await found.isVisible()) await found.click()
  }
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-input').fill('ask')
  await expect(page.getByTestId('palette-entry').first()).toBeVisible()
  await page.keyboard.press('Escape')

  for (const method of [
    'initialize',
    'tools/list',
    'resources/list',
    'tools/call',
    'notifications/message',
    'elicitation/create',
  ]) {
    await selectFirst(page, method)
    for (const tab of await page.getByTestId('frame-tabs').getByRole('tab').all()) {
      if (await tab.isEnabled()) await tab.click()
    }
  }
})
