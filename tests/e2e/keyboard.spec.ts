/** Everything from the first screen to a shared link by keyboard alone: the focus is always somewhere visible. */
import { everythingStdio } from '../servers/everything.ts'
import { keyboard } from './keyboard-steps.ts'
import { connect, expect, pressSequence, test } from './stage.ts'

const stdioLine = [everythingStdio.command, ...everythingStdio.args].map((word) => `'${word}'`).join(' ')

for (const width of [1440, 390])
  test(`by keyboard alone: connect, run a tool, see its frame, share a link, open it, at ${width} px`, async ({
    page,
    address,
    browser,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const keys = await keyboard(page)
    await page.goto(address)
    await expect(keys.focus('connect-input')).toBeVisible()
    await keys.type(stdioLine)
    await keys.press('Enter')
    await expect(page.getByTestId('tool-item').first()).toBeVisible()

    await keys.press('/')
    await expect(keys.focus('tool-filter')).toBeVisible()
    await keys.type('echo')
    await keys.press('Enter')
    await expect(keys.focus('field-input')).toBeVisible()
    await keys.type('hello')
    await keys.press('Control+Enter')
    await expect(page.getByTestId('tool-result')).toContainText('Echo: hello')

    await keys.press('F6')
    await expect(keys.focus('tool-result')).toBeVisible()
    await keys.pressUntil('Shift+Tab', 'tool-reveal', 4)
    await keys.press('Enter')
    await expect(page.getByTestId('frame-detail')).toContainText('Echo: hello')
    await keys.pressUntil('F6', 'bottom-panel', 2)

    await keys.press('Shift+S')
    await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
    await keys.press('Control+Enter')
    await expect(page.getByTestId('share-status')).toContainText(
      'Link copied. It opens only where Periscope runs on port',
    )
    const link = await page.evaluate(() => navigator.clipboard.readText())
    await keys.press('Escape')
    await expect(page.getByTestId('share-dialog')).toHaveCount(0)
    await keys.press('`', '?', 'Escape')
    expect(await keys.pressedNowhere()).toEqual([])

    const other = await browser.newContext({ locale: 'en-US', viewport: { width, height: 900 } })
    const opened = await other.newPage()
    const theirs = await keyboard(opened)
    await opened.goto(link)
    await expect(opened.getByTestId('recording-offer')).toBeVisible()
    await theirs.pressUntil('Tab', 'offer-open', 8)
    await theirs.press('Enter')
    await expect(opened.getByTestId('tool-result')).toContainText('Echo: hello')
    // On a phone, the panel covers the tab.
    if (width === 390) await theirs.press('`')
    await expect(opened.getByTestId('frame-detail')).toContainText('Echo: hello')
    await theirs.pressUntil('F6', 'bottom-panel', 4)
    expect(await theirs.pressedNowhere()).toEqual([])
    await other.close()
  })

test('keys go to the form, the result, the next tool and the next pane, and are listed in both languages', async ({
  page,
  address,
  everythingUrl,
}) => {
  const keys = await keyboard(page)
  await page.goto(address)
  await connect(page, everythingUrl)
  const tools = page.getByTestId('tool-item')
  await keys.press('j')
  await expect(tools.nth(0)).toHaveAttribute('aria-selected', 'true')
  await keys.press('j', 'j', 'k')
  const picked = tools.nth(1)
  await expect(picked).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByTestId('tool-detail')).toContainText((await picked.getAttribute('data-name'))!)
  await keys.press('r')
  await expect(keys.focus('tool-result')).toBeVisible()
  await keys.press('j', 'k', 'f')
  await expect(keys.focus('tool-detail')).toBeVisible()

  // A letter belongs to the text field, F6 doesn't.
  await keys.press('/')
  await expect(keys.focus('tool-filter')).toBeVisible()
  await keys.type('echo')
  await expect(page.getByTestId('tool-filter')).toHaveValue('echo')
  const panes = ['tool-detail', 'tool-result', 'bottom-panel', 'tool-list']
  for (const pane of panes) {
    await keys.press('F6')
    await expect(keys.focus(pane)).toBeVisible()
  }
  await keys.press('Shift+F6')
  await expect(keys.focus('bottom-panel')).toBeVisible()

  // The palette goes on in the form, and offers the same.
  await keys.press('Control+k')
  await keys.type('get-sum')
  await keys.press('Enter')
  await expect(keys.focus('field-input')).toBeVisible()
  await expect(page.getByTestId('tool-detail')).toContainText('get-sum')
  await keys.press('Control+k')
  await keys.type('Go to the result')
  await keys.press('Enter')
  await expect(keys.focus('tool-result')).toBeVisible()
  await pressSequence(page, 'gp')
  await expect(keys.focus('panel-prompts')).toBeVisible()
  await expect(page.getByTestId('prompt-item').first()).toBeVisible()
  await keys.press('j', 'Enter')
  await expect(keys.focus('prompt-detail')).toBeVisible()

  // A key that comes before the browser has reported that the palette is closed is for the page.
  await keys.press('Control+k')
  await expect(keys.focus('palette-input')).toBeVisible()
  await page.evaluate(() => {
    document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true }))
  })
  await expect(page.getByTestId('help-dialog')).toBeVisible()
  await keys.press('Escape')
  await expect(page.getByTestId('help-dialog')).toHaveCount(0)
  await expect(keys.focus('prompt-detail')).toBeVisible()

  await keys.press('F6', '?')
  for (const line of ['Go to the form', 'Go to the result', 'Go to the next or previous item of the list'])
    await expect(page.getByTestId('help-dialog').getByText(line, { exact: true })).toBeVisible()
  await keys.press('Escape', 'Control+k')
  // Chinese characters aren't shortcuts, so they are lost unless the field has the focus.
  await expect(keys.focus('palette-input')).toBeVisible()
  await keys.type('切换到中文')
  await keys.press('Enter', '?')
  for (const line of ['转到表单', '转到结果', '转到列表的下一项或上一项'])
    await expect(page.getByTestId('help-dialog').getByText(line, { exact: true })).toBeVisible()
  expect(await keys.pressedNowhere()).toEqual([])
})
