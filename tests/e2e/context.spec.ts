/** Picking resources and prompts of a server, and what a model gets from them. */
import type { Page } from '@playwright/test'
import { openConnected, question, result, run } from './feature-steps.ts'
import { expect, pressSequence, showTrace, test, violations } from './stage.ts'

const chip = (page: Page, id: string) => page.locator(`[data-testid=resource-chip][data-id="${id}"]`)
const rows = (page: Page) => page.getByTestId('resource-item')

/** Presses a button or a chip by the keyboard alone. One that is still disabled would not take the focus. */
const pressOn = async (page: Page, testid: string) => {
  const button = page.getByTestId(testid)
  await expect(button).toBeEnabled()
  await button.press('Enter')
}

test('five resources are picked by filters, read, and copied as one text, with the keyboard alone', async ({
  page,
  address,
  richUrl,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openConnected(page, address, `${richUrl}/v1/pick`)
  await showTrace(page, false)
  await pressSequence(page, 'gr')
  await expect(rows(page)).toHaveCount(10)

  await pressOn(page, 'resource-filters')
  for (const id of ['type text', 'type json', 'type image']) {
    await chip(page, id).focus()
    await page.keyboard.press('Space')
  }
  await expect(rows(page)).toHaveCount(5)
  await chip(page, 'audience user').focus()
  await page.keyboard.press('Space')
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(rows(page)).toHaveCount(5)

  await chip(page, 'size unknown').focus()
  await page.keyboard.press('Space')
  await expect(rows(page)).toHaveCount(4)
  await page.keyboard.press('Space')
  await expect(rows(page)).toHaveCount(5)

  // Space picks one, Shift those below it.
  const list = page.getByTestId('resource-list').getByRole('listbox')
  await list.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await expect(page.getByTestId('resource-selected')).toContainText('1 selected')
  for (let at = 0; at < 4; at++) await page.keyboard.press('Shift+ArrowUp')
  await expect(page.getByTestId('resource-selected')).toContainText('5 selected')
  await expect(page.getByTestId('resource-selected')).toContainText('48 B + 4 of unknown size')
  await expect(page.locator('[data-testid=resource-item][aria-checked=true]')).toHaveCount(5)
  expect(await violations(page)).toEqual([])

  await pressOn(page, 'resource-read-all')
  await expect(page.getByTestId('resource-read-state')).toHaveText(Array.from({ length: 5 }, () => 'ok'))

  await pressOn(page, 'context-open')
  await expect(page.getByTestId('context-item')).toHaveCount(5)
  await expect(page.getByTestId('context-size')).toContainText('characters · about')
  expect(await violations(page)).toEqual([])
  await pressOn(page, 'context-copy')
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(clipboard).toContain('Resource: rich://picture')
  const block = await clipboard()
  // As the server sent it: the number is too large for JavaScript.
  expect(block).toContain(
    'Resource: rich://data.json\nMIME type: application/json\n\n```\n{"a":[1,2,{"b":null}],"big":12345678901234567890}\n```',
  )
  expect(block).toMatch(/Resource: rich:\/\/picture\nMIME type: image\/png\nContents: \d+ bytes, not included/)
  expect(block.match(/^Resource: /gm)).toHaveLength(5)
  await page.locator('[data-testid=context-item][data-subject="rich://picture"]').getByRole('checkbox').press('Space')
  await expect(page.getByTestId('context-preview')).toContainText('bytes, as Base64')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('context')).toBeHidden()
  await expect(page.getByTestId('context-open')).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  await pressOn(page, 'resource-back')
  await expect(page.getByTestId('resource-selected')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await pressOn(page, 'context-open')
  await expect(page.getByTestId('context-preview')).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('a slash command in the palette fills in a prompt, and gets it only where that is chosen', async ({
  page,
  address,
  richUrl,
}) => {
  await openConnected(page, address, `${richUrl}/v1/slash`)
  await showTrace(page, false)
  const entry = page.getByTestId('palette-entry')
  const value = (name: string) => page.locator(`[data-testid=completion-field][data-argument="${name}"]`)

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('/')
  await expect(entry).toHaveCount(2)
  await expect(entry.first()).toContainText('/review')
  await expect(entry.first()).toContainText('language style?')
  expect(await violations(page)).toEqual([])
  await page.keyboard.type('rev')
  await page.keyboard.press('Tab')
  await expect(page.getByTestId('palette-input')).toHaveValue('/review ')
  await page.keyboard.type('lang=c')
  await expect(page.getByTestId('palette-remarks')).toHaveText('Unknown argument “lang”. Missing: language.')
  for (const _ of 'lang=c') await page.keyboard.press('Backspace')
  await page.keyboard.type('language=c "very strict"')
  await expect(entry).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(value('language')).toHaveValue('c')
  await expect(value('style')).toHaveValue('very strict')
  await expect(page.getByTestId('prompt-result')).toHaveAttribute('data-state', 'none')

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('/review rust')
  // The palette keeps letters typed before it is shown, but no arrows.
  await expect(entry.last()).toContainText('Get review')
  await page.keyboard.press('ArrowDown')
  await expect(entry.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('prompt-message')).toHaveText(/Review this rust\s*$/)
  await expect(value('style')).toHaveValue('')
})

test('a slash command in a sampling response takes the text of its prompt', async ({ page, address, richUrl }) => {
  await openConnected(page, address, `${richUrl}/v1/sampling`)
  await showTrace(page, false)
  await run(page, 'ask-model')
  const text = question(page).getByTestId('sampling-answer-text')
  await text.focus()
  await expect(text).toBeFocused()
  await page.keyboard.type('/')
  await expect(page.getByTestId('command-option')).toHaveCount(2)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('command-option')).toHaveCount(0)
  await page.keyboard.type('review style=strict')
  await page.keyboard.press('Enter')
  const form = page.getByTestId('command-form')
  await expect(form.locator('[data-argument=style]')).toHaveValue('strict')
  await expect(form.locator('[data-argument=language]')).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.keyboard.type('ru')
  await page.getByRole('option', { name: 'rust' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(text).toHaveValue('Review this rust, strict')
  await expect(text).toBeFocused()

  // Parts without text can't be inserted, and the field says so.
  await text.fill('/mixed')
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue('Plain words\n\n{"a":[1,2,{"b":null}]}')
  await expect(page.getByTestId('command-left')).toHaveText('3 blocks without text were left out.')

  // The last line may be a command as well, and what is above it stays.
  await text.fill('')
  await page.keyboard.type('First.\n/mixed')
  await expect(page.getByTestId('command-option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue('First.\nPlain words\n\n{"a":[1,2,{"b":null}]}')
  await text.fill('In words.\n/mixed')
  await text.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 2))
  await page.keyboard.type('x')
  await expect(page.getByTestId('command-option')).toHaveCount(0)
  await text.fill('Plain words')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(result(page)).toContainText('Plain words')
})

test('the result of a prompt goes into another prompt and into the context, in Chinese and on a phone as well', async ({
  page,
  address,
  richUrl,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openConnected(page, address, `${richUrl}/v2/chain`)
  await pressSequence(page, 'gp')
  await page.locator('[data-testid=prompt-item][data-name=mixed]').click()
  await pressOn(page, 'prompt-get')
  await expect(page.getByTestId('prompt-message')).toHaveCount(5)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByTestId('palette-input')).toBeFocused()
  await page.keyboard.type('切换到中文')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('prompt-context')).toHaveText('加入上下文')
  await pressOn(page, 'prompt-context')
  await expect(page.getByTestId('context-open')).toHaveText('将 1 项复制为上下文…')
  await pressOn(page, 'prompt-use')
  await expect(page.getByTestId('prompt-use-argument')).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.getByTestId('prompt-use-part').selectOption({ label: 'rich://data.json' })
  await page.getByTestId('prompt-use-argument').selectOption({ label: 'review · language' })
  await pressOn(page, 'prompt-use-fill')
  await expect(page.locator('[data-testid=completion-field][data-argument=language]')).toHaveValue(
    '{"a":[1,2,{"b":null}]}',
  )
  await pressOn(page, 'prompt-get')
  await expect(page.getByTestId('prompt-message')).toHaveCount(1)
  await pressOn(page, 'prompt-context')
  await pressOn(page, 'context-open')
  await expect(page.getByTestId('context-item')).toHaveCount(2)
  await expect(page.getByTestId('context-preview')).toContainText(
    'Arguments: {"language":"{\\"a\\":[1,2,{\\"b\\":null}]}"}',
  )
  expect(await violations(page)).toEqual([])
})
