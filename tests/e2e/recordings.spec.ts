/** Sessions are kept, opened again as recordings, and nothing happens in one but looking. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { readSession } from '../../web/share/read-file.ts'
import { headOf, sessionText } from '../../web/share/write-file.ts'
import { recordReal } from '../sessions/real.ts'
import { expect, field, startPeriscope, test, violations } from './stage.ts'

const PERISCOPE = join(import.meta.dirname, '../../dist/proxy/periscope.js')

const seen = (page: Page, testid: string): Locator => page.getByTestId(testid).filter({ visible: true })

const connect = async (page: Page, url: string) => {
  await page.getByTestId('connect-input').fill(url)
  await page.getByTestId('connect-input').press('Enter')
  await expect(seen(page, 'tool-item').first()).toBeVisible({ timeout: 15_000 })
}

const tool = (page: Page, name: string) =>
  page.locator(`[data-testid=tool-item][data-name="${name}"]`).filter({ visible: true })

const echo = async (page: Page, message: string) => {
  await tool(page, 'echo').click()
  await field(page, 'message').filter({ visible: true }).fill(message)
  await seen(page, 'tool-run').click()
  await expect(seen(page, 'tool-result')).toContainText(message)
}

/** The present session as a file. All of it is kept by then: what a browser lets a page write while it goes is no promise. */
const saved = async (page: Page): Promise<string> => {
  await page.getByTestId('sessions-button').click()
  const item = page.locator('[data-testid=session-item][data-state=present]')
  const [download] = await Promise.all([page.waitForEvent('download'), item.getByTestId('session-save').click()])
  const text = await readFile(await download.path(), 'utf8')
  await page.getByTestId('sessions-close').click()
  return text
}

const drop = async (page: Page, name: string, text: string) => {
  const files = await page.evaluateHandle(
    ([called, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], called))
      return transfer
    },
    [name, text] as const,
  )
  await page.dispatchEvent('body', 'dragover', { dataTransfer: files })
  await page.dispatchEvent('body', 'drop', { dataTransfer: files })
}

const paste = (page: Page, text: string) =>
  page.evaluate((content) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', content)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

const bar = (page: Page) => page.getByTestId('recording-bar')
const asOf = (page: Page) => page.getByTestId('as-of')

/** A recording made in Node. */
let made = ''
test.beforeAll(async () => {
  const url = process.env['PERISCOPE_PEER_everything']!
  const head = headOf({
    begunAt: new Date().toISOString(),
    tool: { name: 'mcp-periscope', version: '0.1.0' },
    servers: [{ link: 's1', name: 'Recorded in Node', target: { kind: 'url', url, headers: [] } }],
    removed: [],
  })
  made = [...sessionText(head, await recordReal(url))].join('')
})

test('a session outlives its page: it is listed, opens with the same screens, and shows any moment of itself', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await echo(page, 'Grüße')
  await saved(page)
  await page.reload()
  await page.getByTestId('server-add').click()
  const recent = page.getByTestId('sessions-recent').getByTestId('session-item')
  await expect(recent).toHaveAttribute('data-state', 'past')
  await expect(recent).not.toContainText('not closed')
  expect(await violations(page)).toEqual([])
  await recent.getByTestId('session-open').click()

  await expect(bar(page)).toContainText('Recording of')
  await expect(page).toHaveTitle(/\(recording\)/)
  await tool(page, 'echo').click()
  await expect(seen(page, 'tool-result')).toContainText('Grüße')
  await expect(asOf(page)).toHaveAttribute('data-state', 'end')

  // Back by keys: to before the call, and to before anything.
  const slider = page.getByTestId('as-of-slider')
  const last = Number(await slider.getAttribute('max'))
  await slider.focus()
  await page.keyboard.press('Home')
  await expect(asOf(page)).toHaveAttribute('data-state', 'moment')
  await expect(page.getByTestId('recording-quiet')).toBeVisible()
  await expect(seen(page, 'tool-item')).toHaveCount(0)
  await expect(page.getByTestId('as-of-number')).toHaveValue('0')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('as-of-number')).toHaveValue(String(Math.round((last + 1) / 20) + 1))
  const call = page.locator('[data-testid=trace-row][data-method="tools/call"]').first()
  await page.keyboard.press('End')
  await expect(asOf(page)).toHaveAttribute('data-state', 'end')
  if (await page.getByTestId('trace-dock').isHidden()) await page.getByTestId('trace-toggle').click()
  await page.getByTestId('trace-filter').fill('method:tools/call')
  const seq = Number(await call.getAttribute('data-seq'))
  await page.getByTestId('as-of-number').fill(String(seq - 1))
  await page.keyboard.press('Enter')
  await expect(asOf(page)).toHaveAttribute('data-state', 'moment')
  await expect(tool(page, 'echo')).toBeVisible()
  await expect(seen(page, 'tool-result')).not.toContainText('Grüße')
  await expect(call).toHaveAttribute('data-later', '')
  await page.getByTestId('as-of-number').fill(String(seq))
  await page.keyboard.press('Enter')
  await expect(seen(page, 'tool-result')).toHaveAttribute('data-state', 'pending')
  expect(await violations(page)).toEqual([])

  // A reload leads there again; closing leads back to the live servers.
  await page.reload()
  await expect(bar(page)).toBeVisible()
  await page.getByTestId('recording-close').click()
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByTestId('connect-input')).toBeVisible()
})

/** What would send something, and can be used, in the panel that is shown. */
const offered = async (page: Page, tab: string): Promise<string[]> => {
  await page.getByTestId(`tab-${tab}`).click()
  const panel = page.getByTestId(`panel-${tab}`).filter({ visible: true })
  const item = panel.locator('[data-testid$=-item]').first()
  await expect(panel.locator('[data-testid]').first()).toBeVisible()
  if (await item.isVisible()) await item.click()
  return await panel.locator('button:visible, input:visible').evaluateAll((all) =>
    all
      .filter((each) => !each.matches(':disabled, [aria-disabled=true]'))
      .map((each) => (each as HTMLElement).dataset['testid'] ?? '')
      .filter((id) =>
        /-(run|cancel|refresh|read|subscribe|get|send|accept|decline|refuse|input|begin|sign-in)$/.test(id),
      ),
  )
}

test('in a recording nothing can be sent, and what runs beside it stays out of it', async ({
  page,
  address,
  richUrl,
}) => {
  const tabs = ['inbox', 'tools', 'resources', 'prompts', 'logs', 'tasks', 'roots', 'authorization', 'raw']
  await page.goto(address)
  await connect(page, `${richUrl}/v1/recordings-still`)
  await tool(page, 'ask-form').click()
  await seen(page, 'tool-run').click()
  await expect(seen(page, 'question')).toBeVisible()
  const live: string[] = []
  for (const tab of tabs) live.push(...(await offered(page, tab)))
  const some = [
    'tool-run',
    'tool-cancel',
    'resource-refresh',
    'prompt-refresh',
    'elicitation-decline',
    'root-add-input',
  ]
  expect(live).toEqual(expect.arrayContaining(some))

  await drop(page, 'still.periscope.jsonl', await saved(page))
  await expect(bar(page)).toBeVisible()
  const leaving: string[] = []
  page.on('request', (request) => {
    if (!/\/(assets|favicon)/.test(request.url())) leaving.push(`${request.method()} ${request.url()}`)
  })
  for (const tab of tabs) expect([tab, await offered(page, tab)]).toEqual([tab, []])
  // It is shown as it was asked: by the screen of its kind.
  await page.getByTestId('tab-inbox').click()
  await expect(seen(page, 'elicitation-message')).toContainText('Tell us about yourself')
  expect(await violations(page)).toEqual([])
  expect(leaving).toEqual([])

  // The live call goes on meanwhile, and is still to be answered where it is.
  await page.getByTestId('server-item').click()
  await page.getByTestId('tab-tools').click()
  await expect(seen(page, 'tool-cancel')).not.toHaveAttribute('aria-disabled', 'true')
})

test('files open by dropping, text by pasting; what is damaged opens as far as it is good and says so', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await drop(page, 'half.periscope.jsonl', made.slice(0, Math.floor(made.length * 0.7)))
  await expect(page.getByTestId('recording-damage')).toContainText('it ends in the middle')
  expect(await violations(page)).toEqual([])
  const lines = made.split('\n')
  lines[4] = lines[4]!.slice(9)
  await drop(page, 'scratched.periscope.jsonl', lines.join('\n'))
  await expect(page.getByTestId('recording-damage')).toContainText('line 5 is damaged')
  await paste(page, made)
  await expect(page.getByTestId('recording-item')).toHaveCount(3)
  await expect(page.getByTestId('recording-damage')).toHaveCount(0)

  await drop(page, 'picture.png', '\x89PNG\r\n')
  await expect(page.getByTestId('notice')).toContainText('picture.png is no session file')
  await drop(page, 'nothing.jsonl', '')
  await expect(page.getByTestId('notice')).toContainText('nothing.jsonl is empty')
  await expect(page.getByTestId('recording-item')).toHaveCount(3)
})

test('frames are bookmarked with a note, in the live session and where it is kept', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  if (await page.getByTestId('trace-dock').isHidden()) await page.getByTestId('trace-toggle').click()
  await page.getByTestId('trace-filter').fill('method:tools/list')
  const row = page.locator('[data-testid=trace-row][data-method="tools/list"]').first()
  await row.click()
  const seq = await row.getAttribute('data-seq')
  await page.keyboard.press('b')
  await expect(page.getByTestId('bookmark').locator('input')).toBeFocused()
  await page.keyboard.type('the list')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(async () => {
    await page.getByTestId('sessions-button').click()
    await page.getByTestId('sessions-search').fill('the list')
    const found = await page.getByTestId('session-item').count()
    await page.getByTestId('sessions-close').click()
    expect(found).toBe(1)
  }).toPass()
  await page.reload()
  await page.getByTestId('server-add').click()
  await expect(page.getByTestId('session-item')).toContainText('1 bookmark')
  await page.getByTestId('session-open').click()
  await expect(bar(page)).toBeVisible()
  await page.getByTestId('bookmarks').click()
  await expect(page.getByTestId('bookmark').locator('input')).toHaveValue('the list')
  await page.getByTestId('bookmark').getByRole('button').first().click()
  await expect(page.locator(`[data-testid=trace-row][data-seq="${seq}"]`)).toHaveAttribute('aria-selected', 'true')
})

const items = (page: Page, state?: string) =>
  page.locator(`[data-testid=session-item]${state === undefined ? '' : `[data-state=${state}]`}`)
const sample = async (page: Page) => {
  await page.getByTestId('connect-sample').click()
  await expect(tool(page, 'echo')).toBeVisible()
}

test('two tabs stay apart, and what was seen outlives a crash', async ({ page, context, address }) => {
  await page.goto(address)
  await sample(page)
  const other = await context.newPage()
  await other.goto(address)
  await sample(other)
  // What is in the background is drawn seldom.
  await page.bringToFront()
  const counted = async (state: string, words: string) => {
    await expect(async () => {
      await page.getByTestId('sessions-button').click()
      await items(page).first().waitFor()
      const all = await items(page, state).allTextContents()
      await page.getByTestId('sessions-close').click()
      expect(all).toEqual([expect.stringContaining(words)])
    }).toPass()
  }
  await counted('present', 'this page')
  await counted('living', 'open in another tab')
  // No word of goodbye.
  const crashed = other.waitForEvent('crash')
  const control = await context.newCDPSession(other)
  control.send('Page.crash').catch(() => {})
  await crashed
  await counted('past', 'not closed')
  await counted('present', 'this page')
  await page.getByTestId('sessions-button').click()
  await items(page, 'past').getByTestId('session-open').click()
  await expect(page.getByTestId('recording-damage')).toContainText('its page was not closed')
  await page.getByTestId('tab-tools').click()
  await expect(tool(page, 'echo')).toBeVisible()
})

test('kept sessions are searched, named, deleted and cleared, and none is kept where that is switched off', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await saved(page)
  await page.reload()
  await page.getByTestId('server-add').click()
  await sample(page)
  const search = page.getByTestId('sessions-search')
  await page.getByTestId('sessions-button').click()
  await expect(items(page, 'past')).toHaveCount(1)
  expect(await violations(page)).toEqual([])
  await search.fill('everything prompts/get')
  await expect(page.getByTestId('sessions-none')).toBeVisible()
  await search.fill('everything tools/list')
  await expect(items(page)).toHaveCount(1)
  await items(page).getByTestId('session-rename').click()
  await page.getByTestId('session-name').fill('The odd one')
  await page.keyboard.press('Enter')
  await search.fill('odd')
  await expect(items(page)).toContainText('The odd one')
  await items(page).getByTestId('session-delete').click()
  await items(page).getByTestId('session-delete').click()
  await expect(page.getByTestId('sessions-none')).toBeVisible()
  await search.fill('')
  await expect(items(page, 'present')).toHaveCount(1)

  await page.getByTestId('sessions-keep').uncheck()
  await page.getByTestId('sessions-clear').click()
  await page.getByTestId('sessions-clear').click()
  await expect(items(page)).toHaveCount(0)
  await page.getByTestId('sessions-close').click()
  await echo(page, 'unseen')
  await page.reload()
  await page.getByTestId('sessions-button').click()
  await expect(page.getByTestId('sessions-keep')).not.toBeChecked()
  await expect(page.getByTestId('sessions-none')).toBeVisible()
})

test('where a browser keeps nothing, all else works, and it is said', async ({ page, address, everythingUrl }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'indexedDB', {
      get: () => ({
        open: () => {
          throw new DOMException('A mutation operation was attempted on a database that did not allow mutations.')
        },
      }),
    })
  })
  await page.goto(address)
  await connect(page, everythingUrl)
  await echo(page, 'still here')
  await page.getByTestId('sessions-button').click()
  await expect(page.getByTestId('sessions-unavailable')).toContainText('did not allow mutations')
  expect(await violations(page)).toEqual([])
  await page.getByTestId('sessions-close').click()
  await drop(page, 'node.periscope.jsonl', made)
  await expect(bar(page)).toBeVisible()
  await expect(page.getByTestId('fault')).toHaveCount(0)
})

test('what was recorded in a page is verified in Node, and what was recorded in Node is run again in a page', async ({
  page,
  address,
  everythingUrl,
}, info) => {
  test.slow()
  await page.goto(address)
  await connect(page, everythingUrl)
  await echo(page, 'from the page')
  const text = await saved(page)
  const opened = await readSession(text)
  expect(opened.damage).toEqual([])
  expect(await readSession([...sessionText(opened.head, opened.frames)].join(''))).toEqual(opened)
  const file = info.outputPath('page.periscope.jsonl')
  await writeFile(file, text)
  const report = await new Promise<string>((resolve, reject) =>
    execFile(process.execPath, [PERISCOPE, 'verify', file, '--server', everythingUrl], (error, out, err) =>
      error ? reject(new Error(`${out}${err}`)) : resolve(out),
    ),
  )
  expect(report).toContain('echo')

  await drop(page, 'node.periscope.jsonl', made)
  await expect(bar(page)).toBeVisible()
  await page.getByTestId('tab-checks').click()
  await expect(seen(page, 'checks-step').first()).toBeVisible()
  await seen(page, 'checks-run').click()
  await expect(seen(page, 'checks-summary')).toHaveAttribute('data-state', 'done', { timeout: 20_000 })
  const failed = page.locator('[data-testid=checks-step]:not([data-state=passed])').filter({ visible: true })
  // The server asked for roots as its session began, and this page has none.
  expect(await failed.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['name']))).toEqual([
    'get-roots-list',
  ])
})

test('`periscope open FILE` leads straight into the recording', async ({ page }, info) => {
  const file = info.outputPath('named.periscope.jsonl')
  await writeFile(file, made)
  const periscope = await startPeriscope([], ['open', file])
  try {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(periscope.address)
    await expect(bar(page)).toContainText('Recording of')
    await page.getByTestId('tab-tools').click()
    await expect(tool(page, 'echo')).toBeVisible()
    expect(await violations(page)).toEqual([])
  } finally {
    await periscope.close()
  }
})
