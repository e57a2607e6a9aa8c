/**
 * Holds on every screen: the focus is never lost, states are visible in forced colours, and no control covers another.
 */
import type { Page } from '@playwright/test'
import { openConnected, question, run } from './feature-steps.ts'
import { expect, field, fromMenu, patient, pressSequence, test, violations } from './stage.ts'

/** The focused element; `body` means none. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    if (!activeElement?.checkVisibility()) return 'nowhere'
    return activeElement === document.body
      ? 'body'
      : (activeElement.getAttribute('data-testid') ?? activeElement.tagName)
  })

test('the focus stays in the window through Connect, the palette, shortcuts, dialogs, menus and notices', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').press('Enter')
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  await expect.poll(() => focused(page)).toBe('panel-tools')

  for (const [keys, panel] of [
    ['gr', 'panel-resources'],
    ['gl', 'panel-logs'],
    ['gt', 'panel-tools'],
  ] as const) {
    await pressSequence(page, keys)
    await expect(page.getByTestId(panel)).toBeVisible()
    await expect.poll(() => focused(page), keys).toBe(panel)
  }
  // The previously focused element is on a panel that is hidden now.
  await page.getByTestId('tool-item').first().click()
  await page.locator('[data-testid=tool-detail] .in').first().focus()
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-input').fill('prompts')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('panel-prompts')).toBeVisible()
  await expect.poll(() => focused(page)).toBe('panel-prompts')
  // Closing the palette without a choice returns the focus; if nothing had it, it goes to the visible panel.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.keyboard.press('Control+k')
  await expect(page.getByTestId('palette-input')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('palette')).toHaveCount(0)
  await expect.poll(() => focused(page)).not.toMatch(/body|nowhere/)

  // Buttons that remove themselves: in a notice, a menu, a dialog.
  await page.goto(`${new URL(address).origin}/#/r/f1/0/tools`)
  await expect(page.getByTestId('panel-prompts')).toBeHidden()
  // Leaving the panel moves the focus, which must not happen between focusing the button and pressing Enter.
  await expect.poll(() => focused(page)).not.toMatch(/body|nowhere|panel-prompts/)
  await page.getByTestId('notice').getByRole('button').press('Enter')
  await expect(page.getByTestId('notice')).toHaveCount(0)
  await expect.poll(() => focused(page)).not.toMatch(/body|nowhere/)
  await page.getByTestId('server-item').first().press('Enter')
  await expect(page.getByTestId('server-menu')).toBeVisible()
  await page.getByTestId('server-menu').press('Enter')
  // A hidden item doesn't take the focus.
  await expect(page.getByTestId('server-remove')).toBeVisible()
  await page.getByTestId('server-remove').press('Enter')
  await expect(page.getByTestId('server-item')).toHaveCount(0)
  await expect.poll(() => focused(page)).not.toMatch(/body|nowhere/)
})

test('in forced colours the state of a connection and the progress of a call can be seen', async ({
  page,
  address,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  const dot = page.locator('.dot').filter({ visible: true }).first()
  await expect(dot).toHaveAttribute('data-state', 'open')
  const painted = (selector: string) =>
    page
      .locator(selector)
      .filter({ visible: true })
      .first()
      .evaluate((node) => getComputedStyle(node).backgroundColor)
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await painted('.dot')).not.toBe(canvas)
  await page.locator('[data-testid=tool-item][data-name="count-slowly"]').click()
  await field(page, 'duration').fill(String(patient(60)))
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-progress')).toBeVisible()
  expect(await painted('[data-testid=tool-progress] .bar > i')).not.toBe(canvas)
  expect(await violations(page)).toEqual([])
})

for (const width of [1440, 390])
  test(`no menu of a form covers one of its controls, at ${width} px`, async ({ page, address, richUrl }) => {
    await page.setViewportSize({ width, height: 900 })
    await openConnected(page, address, `${richUrl}/v1/covers-${width}`)
    await run(page, 'ask-form')
    await expect(question(page).getByTestId('elicitation-accept')).toBeVisible()
    const covered = await question(page)
      .locator('input:not([aria-hidden=true]), select, textarea, label')
      .evaluateAll((controls) =>
        controls.flatMap((control) => {
          control.scrollIntoView({ block: 'center' })
          const { left, right, top, bottom } = control.getBoundingClientRect()
          const menus = [
            ...(control.closest('[data-testid=field]')?.querySelectorAll('[data-testid=field-state]') ?? []),
          ]
          return menus
            .filter((menu) => menu !== control && !control.matches('.in'))
            .filter((menu) => {
              const over = menu.getBoundingClientRect()
              return over.left < right && over.right > left && over.top < bottom && over.bottom > top
            })
            .map(() => control.outerHTML.slice(0, 200))
        }),
      )
    expect(covered).toEqual([])
  })

test('on a phone the button that runs a tool is always in view; a dialog survives a change of the window’s width', async ({
  page,
  address,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await page.locator('[data-testid=tool-item][data-name="every-field"]').click()
  await expect(page.getByTestId('tool-run')).toBeInViewport({ ratio: 1 })
  await page.getByTestId('tool-back').click()
  await page.locator('[data-testid=tool-item][data-name="count-visit"]').click()
  await page.getByTestId('tool-run').click()
  await page.getByTestId('save-call').click()
  await page.getByTestId('save-call-name').fill('Kept')
  for (const width of [1440, 390, 1024]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(page.getByTestId('tools-panel')).toHaveAttribute('data-state', width === 390 ? 'narrow' : /wide|tight/)
    await expect(page.getByTestId('save-call-name')).toHaveValue('Kept')
  }
})

test('a page’s own session, opened while it goes on, is not called damaged', async ({ page, address }) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  await fromMenu(page, 'sessions-button')
  await page.locator('[data-testid=session-item][data-state=present]').getByTestId('session-open').click()
  await expect(page.getByTestId('recording-bar')).toBeVisible()
  await expect(page.getByTestId('recording-damage')).toHaveCount(0)
})

test('on a phone, buttons lead to the next and the previous tool of the filtered list', async ({ page, address }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  const shown = (testid: string) => page.getByTestId(testid).filter({ visible: true })
  await shown('tool-filter').fill('list-')
  const names = await shown('tool-item').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name')!))
  expect(names.length).toBeGreaterThan(1)
  await shown('tool-item').first().click()
  await expect(shown('tool-back-previous')).toBeDisabled()
  for (const name of names.slice(1)) {
    await shown('tool-back-next').click()
    await expect(page).toHaveURL(new RegExp(`/tools/${name}$`))
  }
  await expect(shown('tool-back-next')).toBeDisabled()
  expect(await violations(page)).toEqual([])
  await shown('tool-back-previous').click()
  await expect(page).toHaveURL(new RegExp(`/tools/${names.at(-2)!}$`))
  await shown('tool-back').click()
  await expect(shown('tool-filter')).toHaveValue('list-')
})
