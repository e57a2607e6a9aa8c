/** Sessions are reopened as recordings, which are read-only. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readSession } from '../../web/session-file/read.ts'
import { sessionText } from '../../web/session-file/write.ts'
import { bar, drop, echo, recordedInNode, saved, seen, tool } from './recording-stage.ts'
import { connect, expect, openRoots, patient, startPeriscope, test, violations } from './stage.ts'

const PERISCOPE = join(import.meta.dirname, '../../dist/proxy/periscope.js')

const paste = (page: Page, text: string) =>
  page.evaluate((content) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', content)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

const asOf = (page: Page) => page.getByTestId('as-of')

/** A recording made in Node. */
let made = ''
test.beforeAll(async () => void (made = await recordedInNode(process.env['PERISCOPE_PEER_everything']!)))

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
  expect(await violations(page)).toEqual([])
  await recent.getByTestId('session-open').click()

  await expect(bar(page)).toContainText('Recording of')
  await expect(page).toHaveTitle(/\(recording\)/)
  await tool(page, 'echo').click()
  await expect(seen(page, 'tool-result')).toContainText('Grüße')
  await expect(asOf(page)).toHaveAttribute('data-state', 'end')

  // Back by keyboard: to before the call, then to before any frame.
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
  // Until the filter has found something, the list shows the former rows.
  await expect(page.locator('[data-testid=trace-row]:not([data-method="tools/call"])')).toHaveCount(0)
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

  // A reload keeps this position; closing returns to the live servers.
  await page.reload()
  await expect(bar(page)).toBeVisible()
  await page.getByTestId('recording-close').click()
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByTestId('connect-input')).toBeVisible()
})

/** Panels, with some controls that each of them enables in a live session. */
const OFFERED_LIVE: Readonly<Record<string, readonly string[]>> = {
  inbox: ['elicitation-decline'],
  tools: ['tool-run', 'tool-cancel'],
  resources: ['resource-refresh'],
  prompts: ['prompt-refresh'],
  logs: [],
  tasks: [],
  roots: ['root-add-input'],
  authorization: [],
  raw: [],
}

/** Enabled controls of the visible panel that would send something. */
const offered = async (page: Page, tab: string): Promise<string[]> => {
  if (tab === 'roots') await openRoots(page)
  else await page.getByTestId(`tab-${tab}`).click()
  const panel = page.getByTestId(`panel-${tab === 'roots' ? 'inbox' : tab}`).filter({ visible: true })
  const item = panel.locator('[data-testid$=-item]').first()
  await expect(panel.locator('[data-testid]').first()).toBeVisible()
  if (tab !== 'roots' && (await item.isVisible())) await item.click()
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
  await page.goto(address)
  await connect(page, `${richUrl}/v1/recordings-still`)
  await tool(page, 'ask-form').click()
  await seen(page, 'tool-run').click()
  await expect(seen(page, 'question')).toBeVisible()
  for (const [tab, some] of Object.entries(OFFERED_LIVE)) {
    await expect.poll(() => offered(page, tab), tab).toEqual(expect.arrayContaining([...some]))
  }

  await drop(page, 'still.periscope.jsonl', await saved(page))
  await expect(bar(page)).toBeVisible()
  const leaving: string[] = []
  page.on('request', (request) => {
    if (!/\/(assets|favicon)/.test(request.url())) leaving.push(`${request.method()} ${request.url()}`)
  })
  for (const tab of Object.keys(OFFERED_LIVE)) expect([tab, await offered(page, tab)]).toEqual([tab, []])
  await expect(page.getByTestId('trace-pause').filter({ visible: true })).toHaveCount(0)
  // It is displayed like the live request, by the screen for its kind.
  await page.getByTestId('tab-inbox').click()
  await seen(page, 'inbox-item').first().click()
  await expect(seen(page, 'elicitation-message')).toContainText('Tell us about yourself')
  expect(await violations(page)).toEqual([])
  expect(leaving).toEqual([])

  // Meanwhile the live call continues and can still be answered in its own place.
  await page.getByTestId('server-item').click()
  await page.getByTestId('tab-tools').click()
  await expect(seen(page, 'tool-cancel')).not.toHaveAttribute('aria-disabled', 'true')
})

/** What only a live server could be, or could do. */
const AS_IF_LIVE =
  /\b(?:dis)?connected\b(?! when recorded)|\breconnect|\bconnect to (?:run|read|get|send)\b|\bping now\b|\brun the tool\b|\bclick read\b/i

test('a recording never speaks as if it were connected, and fills in the form of its server without connecting', async ({
  page,
  address,
  fresh,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await echo(page, 'once more')
  const file = await saved(page)
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(await fresh())
  await drop(page, 'instead.periscope.jsonl', file)
  await expect(bar(page)).toBeVisible()
  for (const tab of ['overview', 'tools', 'resources', 'prompts', 'inbox', 'tasks', 'authorization', 'logs', 'raw']) {
    await page.getByTestId(`tab-${tab}`).first().click()
    const panel = page.getByTestId(`panel-${tab}`).filter({ visible: true })
    const item = panel.locator('[role=option]').first()
    await expect(panel.locator('[data-testid]').first()).toBeVisible()
    if (await item.isVisible()) await item.click()
    const said = await panel.innerText()
    expect(said, tab).not.toMatch(AS_IF_LIVE)
  }
  expect(await page.getByTestId('status-bar').innerText()).toMatch(/\(recording\)/)
  await page.getByTestId('tab-overview').click()
  await expect(seen(page, 'overview-state')).toHaveText('connected when recorded')
  await page.keyboard.press('Control+k')
  for (const typed of ['ping', 'reconnect', 'disconnect']) {
    await page.getByTestId('palette-input').fill(typed)
    await expect(page.getByTestId('palette-entry').filter({ hasText: new RegExp(typed, 'i') })).toHaveCount(0)
  }
  await page.keyboard.press('Escape')

  await page.getByTestId('tab-tools').click()
  await tool(page, 'echo').click()
  await expect(seen(page, 'tool-run')).toHaveCount(0)
  await page.getByTestId('panel-tools').getByTestId('connect-instead').click()
  await expect(page.getByTestId('connect-input')).toHaveValue(everythingUrl)
  await expect(page.getByTestId('link-note')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await expect(page.getByTestId('connection-state')).toHaveCount(0)
  // The bar of the recording offers the same.
  await page.getByTestId('connect-input').fill('')
  await page.getByTestId('recording-item').click()
  await page.getByTestId('recording-connect').click()
  await expect(page.getByTestId('connect-input')).toHaveValue(everythingUrl)
})

test('files open by dropping, text by pasting; what is damaged opens as far as it is good and says so', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await expect(page.getByTestId('connect-input')).toBeVisible()
  await drop(page, 'half.periscope.jsonl', made.slice(0, Math.floor(made.length * 0.7)))
  await expect(page.getByTestId('recording-damage')).toContainText('the file is cut off')
  expect(await violations(page)).toEqual([])
  const lines = made.split('\n')
  lines[4] = lines[4]!.slice(9)
  await drop(page, 'scratched.periscope.jsonl', lines.join('\n'))
  await expect(page.getByTestId('recording-damage')).toContainText('line 5 is damaged')
  await paste(page, made)
  await expect(page.getByTestId('recording-item')).toHaveCount(3)
  await expect(page.getByTestId('recording-damage')).toHaveCount(0)

  await drop(page, 'picture.png', '\x89PNG\r\n')
  await expect(page.getByTestId('notice')).toContainText("picture.png isn't a recording")
  await drop(page, 'nothing.jsonl', '')
  await expect(page.getByTestId('notice')).toContainText('nothing.jsonl is empty')
  await expect(page.getByTestId('recording-item')).toHaveCount(3)
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
  await expect(seen(page, 'checks-summary')).toHaveAttribute('data-state', 'done', { timeout: patient(20_000) })
  const failed = page.locator('[data-testid=checks-step]:not([data-state=passed])').filter({ visible: true })
  // The server requested roots at the start of its session, and this page has none. The recorded client declared no
  // tasks, and the server offers two tools only to clients that do.
  await expect(failed).toHaveCount(2)
  await expect(failed.first()).toHaveAttribute('data-name', 'tools/list')
  await expect(failed.last()).toHaveAttribute('data-name', 'get-roots-list')
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
    // At the first call with a response; the list is one step back.
    await expect(seen(page, 'tool-result')).toHaveAttribute('data-seq', /\d/)
    expect(await violations(page)).toEqual([])
    await seen(page, 'tool-back').click()
    await expect(tool(page, 'echo')).toBeVisible()
  } finally {
    await periscope.close()
  }
})
