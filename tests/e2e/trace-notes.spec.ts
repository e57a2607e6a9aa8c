/** Notes on frames: written in the trace, found, and part of a session wherever it goes. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { bar, drop, echo, saved } from './recording-stage.ts'
import { connect, expect, inPanel, test, violations } from './stage.ts'

/** Tall enough for all rows: those out of view aren't drawn. */
const openTrace = async (page: Page) => {
  await page.setViewportSize({ width: 1280, height: 2400 })
  await inPanel(page, 'trace')
  await page.getByTestId('panel-maximize').click()
}

const firstOf = (page: Page, method: string) => page.locator(`[data-testid=trace-row][data-method="${method}"]`).first()

test('a note is written from the menu of a row or in the detail, changed, found, removed, and listed in the palette', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await openTrace(page)
  const row = firstOf(page, 'tools/list')
  await row.click({ button: 'right' })
  await page.getByTestId('row-note').click()
  const field = page.getByTestId('note-field')
  await expect(field).toBeFocused()
  await page.keyboard.type('Why twice?')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Ask <b>tomorrow</b>')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  const detail = page.getByTestId('frame-detail')
  await expect(detail).toBeFocused()
  await expect(detail.getByTestId('note-text')).toHaveText('Why twice?\nAsk <b>tomorrow</b>')
  await expect(row.getByTestId('note-mark')).toHaveAttribute('title', 'Why twice? Ask <b>tomorrow</b>')
  expect(await violations(page)).toEqual([])

  // The second one from the detail, given up first.
  await firstOf(page, 'initialize').click()
  await page.getByTestId('note-add').click()
  await expect(field).toBeFocused()
  await page.keyboard.type('not this')
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(detail).toBeVisible()
  await expect(detail.getByTestId('note')).toBeHidden()
  await page.getByTestId('note-add').click()
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
  await page.keyboard.type('the start')
  // What isn't saved is still there when the frame is left and its note edited again, which takes no focus meanwhile.
  await row.click()
  await expect(detail.getByTestId('note-text')).toContainText('tomorrow')
  await firstOf(page, 'initialize').click()
  await expect(field).toBeHidden()
  await page.getByTestId('note-add').click()
  await expect(field).toHaveValue('the start')
  await page.getByTestId('note-save').click()
  await expect(detail.getByTestId('note-text')).toHaveText('the start')

  const rows = page.getByTestId('trace-row')
  await page.getByTestId('trace-filter').fill('note:tomorrow')
  await expect(rows).toHaveCount(1)
  await page.getByTestId('trace-filter').fill('is:noted')
  await expect(rows).toHaveCount(2)
  await page.getByTestId('trace-filter').fill('"the start"')
  await expect(rows).toHaveCount(1)
  await page.getByTestId('trace-filter').fill('')

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-input').fill('tomorrow')
  await page.locator('[data-testid=palette-entry][data-kind=note]').click()
  await expect(row).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-input').fill('next note')
  await page.keyboard.press('Enter')
  await expect(firstOf(page, 'initialize')).toHaveAttribute('aria-selected', 'true')

  // An exchange shows the notes of its frames.
  await page.getByTestId('trace-as').getByText('Exchanges').click()
  await expect(page.locator('[data-testid=exchange-row][data-kind=connect]').getByTestId('note-mark')).toBeVisible()
  await page.getByTestId('note-edit').click()
  await field.fill('the beginning')
  await page.getByTestId('note-save').click()
  await expect(detail.getByTestId('note-text')).toHaveText('the beginning')
  await page.getByTestId('note-delete').click()
  await expect(detail.getByTestId('note')).toBeHidden()
  await expect(page.locator('[data-testid=exchange-row][data-kind=connect]').getByTestId('note-mark')).toHaveCount(0)

  // A bookmark removed by mistake comes back with its note.
  await page.getByTestId('trace-as').getByText('Frames').click()
  await row.click()
  await page.getByTestId('trace-list').press('b')
  await expect(row.getByTestId('note-mark')).toHaveCount(0)
  await page.getByTestId('trace-list').press('b')
  await expect(row.getByTestId('note-mark')).toHaveCount(1)
})

test('notes travel with a session: stored, in its file and its link, and their secrets don’t leave', async ({
  page,
  address,
  fresh,
  everythingUrl,
}) => {
  const SECRET = `ghp_${'a1B2'.repeat(9)}`
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  await connect(page, everythingUrl)
  await echo(page, 'hello')
  await openTrace(page)
  await firstOf(page, 'tools/call').click()
  await page.getByTestId('note-add').click()
  await expect(page.getByTestId('note-field')).toBeFocused()
  await page.keyboard.type(`called with ${SECRET}, too slow`)
  await page.getByTestId('note-save').click()
  await expect(page.getByTestId('note-text')).toContainText('too slow')

  await page.getByTestId('share').click()
  await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
  await page.getByTestId('share-copy').click()
  await expect(page.getByTestId('share-status')).toContainText(
    'Link copied. It opens only where Periscope runs on port',
  )
  const link = await page.evaluate(async () => await navigator.clipboard.readText())
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('share-save').click()])
  const file = await readFile(await download.path(), 'utf8')
  expect(file).toContain('too slow')
  expect(file).not.toContain(SECRET)
  await page.keyboard.press('Escape')
  const stored = await saved(page)
  expect(stored).toContain('too slow')

  // Where a file is opened, notes are read, and added for this window.
  const other = await page.context().newPage()
  await other.goto(await fresh())
  await drop(other, 'noted.periscope.jsonl', file)
  // Another trace, without the filter, takes the place of this one when it opens.
  await expect(bar(other)).toBeVisible()
  await openTrace(other)
  await other.getByTestId('trace-filter').fill('is:noted')
  await expect(other.getByTestId('trace-row')).toHaveCount(1)
  await other.getByTestId('trace-row').click()
  await expect(other.getByTestId('note-text')).toContainText('too slow')
  await expect(other.getByTestId('note-text')).toContainText('‹removed: ')
  await other.getByTestId('trace-filter').fill('')
  await firstOf(other, 'initialize').click()
  await other.getByTestId('note-add').click()
  await expect(other.getByTestId('note-field')).toBeFocused()
  await other.keyboard.type('mine')
  await other.getByTestId('note-save').click()
  await expect(firstOf(other, 'initialize').getByTestId('note-mark')).toHaveCount(1)

  await other.goto('about:blank')
  await other.goto(link)
  await other.getByTestId('offer-open').click()
  await expect(bar(other)).toBeVisible()
  await openTrace(other)
  await other.getByTestId('trace-filter').fill('note:slow')
  await expect(other.getByTestId('trace-row')).toHaveCount(1)
})
