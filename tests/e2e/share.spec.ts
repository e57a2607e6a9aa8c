/** One person sends a session to another, by link and by file, who compares it with live servers. */
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { createServer, request as ask } from 'node:http'
import { start as startFiles } from '../servers/copy.ts'
import { everythingStdio } from '../servers/everything.ts'
import { listen, type Peer } from '../servers/listening.ts'
import { connect, expect, field, inPanel, patient, test, violations, writeJson } from './stage.ts'

const stdioLine = [everythingStdio.command, ...everythingStdio.args].map((word) => `'${word}'`).join(' ')
const SECRET = `ghp_${'a1B2'.repeat(9)}`

/** The reference server with one tool changed: the description of `echo`, and its response. */
const startChanged = (everythingUrl: string): Promise<Peer> =>
  listen(
    createServer((request, response) => {
      const { host: _, 'accept-encoding': __, ...headers } = request.headers
      const onward = ask(everythingUrl, { method: request.method ?? 'GET', headers }, (answer) => {
        const { 'content-length': ___, ...rest } = answer.headers
        response.writeHead(answer.statusCode ?? 500, rest)
        // Its events are short, so none is split across chunks.
        answer.on('data', (chunk: Buffer) =>
          response.write(chunk.toString().replace('Echoes back', 'Says again').replace('Echo: ', 'Echo! ')),
        )
        answer.on('end', () => response.end())
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      request.pipe(onward)
    }),
  )

const shown = (page: Page, testid: string) => page.getByTestId(testid).filter({ visible: true })
const call = async (page: Page, name: string, args: Readonly<Record<string, string>>, says: string) => {
  await shown(page, 'tool-item')
    .and(page.locator(`[data-name="${name}"]`))
    .click()
  for (const [key, value] of Object.entries(args)) await field(page, key).fill(value)
  await shown(page, 'tool-run').click()
  await expect(shown(page, 'tool-result')).toContainText(says)
}

const sendRaw = async (page: Page, text: string) => {
  await inPanel(page, 'raw')
  await expect(page.getByTestId('raw-editor')).toHaveAttribute('data-state', 'ready')
  await writeJson(page, page.getByTestId('raw-editor'), text)
  await page.getByTestId('raw-send').click()
  await expect(page.getByTestId('raw-outcome')).toBeVisible()
}
const tallTrace = async (page: Page) => {
  await inPanel(page, 'trace')
  await page.getByRole('separator', { name: 'Panel height' }).press('End')
  await expect(page.locator('[data-testid=trace-row]').first()).toContainText(/^0/)
  const frames = page.getByTestId('trace-count')
  await expect(frames).toHaveAttribute('data-state', 'settled')
  const missing = async () =>
    Number(await frames.getAttribute('data-frames')) - (await page.getByTestId('trace-row').count())
  await expect.poll(missing).toBe(0)
}
/** Chooses the response of the latest of so many calls, once it is in the list. */
const pickLatestCall = async (page: Page, calls: number) => {
  const rows = page.locator('[data-testid=trace-row][data-method="tools/call"]')
  await expect(rows).toHaveCount(2 * calls)
  await rows.last().click()
}
const share = async (page: Page) => {
  await page.getByTestId('share').click()
  await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
}

/** What a session shows: each frame, each problem, and the overview above them, whichever frame is selected. */
const seen = async (page: Page) => ({
  frames: (await page.getByTestId('trace-row').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
  findings: await page.getByTestId('trace-findings').allInnerTexts(),
  timeline: await page
    .getByTestId('trace-timeline')
    .locator('path:not(.chosen)')
    .evaluateAll((paths) => paths.map((path) => `${path.getAttribute('class')} ${path.getAttribute('d')}`)),
})

/** Tall enough for all frames. */
const VIEWPORT = { width: 1280, height: 2400 }

let files: Peer
let changed: Peer
test.beforeAll(async ({ everythingUrl }) => {
  files = await startFiles()
  changed = await startChanged(everythingUrl)
})
test.afterAll(async () => void (await Promise.all([files.close(), changed.close()])))

test('the worker that looks for secrets starts when Share is about to be pressed, and the dialog uses it', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  const workers = () => page.workers().filter((worker) => worker.url().includes('redact')).length
  expect(workers()).toBe(0)
  await page.getByTestId('share').hover()
  await expect.poll(workers).toBe(1)
  await expect(page.getByTestId('share-dialog')).toHaveCount(0)
  await share(page)
  expect(workers()).toBe(1)
  await expect(page.getByTestId('share-copy')).toBeEnabled()
})

test('a link shows somebody with no proxy and no network the same session, which is the same again at a fresh server, and at a changed one exactly the change is named', async ({
  page,
  address,
  browser,
  everythingUrl,
}) => {
  // Two people, three servers.
  await page.setViewportSize(VIEWPORT)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  await connect(page, stdioLine)
  await call(page, 'echo', { message: `my token is ${SECRET}` }, 'Echo: my token is')
  await call(page, 'echo', { message: 'hello' }, 'Echo: hello')
  await call(page, 'get-sum', { a: '40', b: '2' }, '42')
  await sendRaw(page, '{"jsonrpc":"2.0","id":"gone","method":"resources/read","params":{"uri":"none://at/all"}}')
  await tallTrace(page)
  // The rules go through the frames in the background, and mark their rows.
  await expect(page.getByTestId('trace-findings')).toHaveText(['1 should'])
  const live = await seen(page)
  expect(live.frames.length).toBeGreaterThan(30)

  // The clipboard copy omits it as well.
  const told = page.getByText('Copied. Secrets removed in 2 places').waitFor()
  await page.getByTestId('trace-copy').click()
  await told
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.trim().split('\n')).toHaveLength(live.frames.length)
  expect(copied).not.toContain(SECRET)

  await share(page)
  await page.getByTestId('share-shown').locator('input[value="removed"]').check({ force: true })
  await expect(shown(page, 'share-places').locator('li')).toHaveCount(2)
  await page.getByTestId('share-name').fill('Three calls and a miss')
  // The link contains the latest input, however soon it is copied.
  await page.getByTestId('share-notes').fill('Look at the last one.\nIt has no answer that helps.')
  await page.getByTestId('share-copy').click()
  const { port } = new URL(address)
  await expect(page.getByTestId('share-status')).toHaveText(
    `Link copied. It opens only where Periscope runs on port ${port}. For anyone else: Save session file`,
  )
  expect(await violations(page)).toEqual([])
  const saving = page.waitForEvent('download')
  await page.getByTestId('share-save-instead').click()
  await expect(page.getByTestId('share-copy')).toBeFocused()
  const savedInstead = await readFile(await (await saving).path(), 'utf8')
  expect(savedInstead).toContain('Three calls and a miss')
  expect(savedInstead).not.toContain(SECRET)
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link.startsWith(`${new URL(address).origin}/#share=`)).toBe(true)

  // The other person: the page from a file host, without a proxy, and with no other server reachable.
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' })
  const reachable = [files.url]
  const asked: string[] = []
  await context.route(
    ({ origin }) => !reachable.includes(origin),
    (route) => {
      asked.push(route.request().url())
      return route.abort()
    },
  )
  const other = await context.newPage()
  await other.goto(`${files.url}/${new URL(link).hash}`)
  await expect(other.getByTestId('recording-offer')).toContainText('Everything')
  expect(await violations(other)).toEqual([])
  await other.getByTestId('offer-open').click()
  await expect(other.getByTestId('recording-removed')).toContainText('2')
  await expect(other.getByTestId('recording-name')).toHaveText('Three calls and a miss')
  await expect(other.getByTestId('recording-notes').locator('summary')).toContainText('Look at the last one.')
  await other.getByTestId('recording-notes').locator('summary').click()
  await expect(other.getByTestId('recording-notes')).toContainText('It has no answer that helps.')
  await tallTrace(other)
  await expect.poll(() => seen(other)).toEqual(live)
  await other.locator('[data-testid=trace-row][data-method="tools/call"]').first().click()
  await expect(other.getByTestId('frame-detail')).toContainText('my token is ‹removed: pattern:github›')
  expect(asked).toEqual([])

  // Two servers of their own: the original, and one with a changed tool.
  reachable.push(new URL(everythingUrl).origin, changed.url)
  for (const url of [everythingUrl, `${changed.url}/mcp`]) {
    await other.getByTestId('server-add').click()
    await connect(other, url)
  }
  await other.getByTestId('recording-item').click()
  await shown(other, 'tab-checks').click()
  const steps = shown(other, 'checks-step')
  const run = async (at: number) => {
    await shown(other, 'checks-target').selectOption({ index: at })
    await shown(other, 'checks-run').click()
    await expect(shown(other, 'checks-summary')).toHaveAttribute('data-state', 'done', { timeout: patient(20_000) })
  }
  const failed = () =>
    steps.evaluateAll((all) =>
      all.flatMap((each) => {
        const { name, state } = (each as HTMLElement).dataset
        return state === 'passed' || state === 'skipped' ? [] : [`${name} ${state}`]
      }),
    )
  await run(0)
  // The token of the first call is gone, so it can't be sent again.
  await expect(shown(other, 'checks-step').and(other.locator('[data-state="skipped"]'))).toHaveCount(1)
  await expect.poll(failed).toEqual([])
  await run(1)
  // The server says that its tools changed as it starts: before the first list, or after it, which is then repeated.
  const lists = await steps.and(other.locator('[data-name="tools/list"]')).all()
  expect(lists.length).toBeGreaterThan(0)
  await expect.poll(failed).toEqual([...lists.map(() => 'tools/list failed'), 'echo failed'])
  const echo = steps.and(other.locator('[data-state="failed"][data-name="echo"]'))
  for (const [step, pointer] of [
    ...lists.map((list) => [list, '/tools/0/description'] as const),
    [echo, '/content/0/text'] as const,
  ]) {
    await step.click()
    await expect(shown(other, 'checks-difference')).toHaveCount(1)
    await expect(shown(other, 'checks-difference')).toHaveAttribute('data-pointer', pointer)
  }
  await context.close()
})

test('what leaves is chosen with its size in view, each secret taken or left, and the file holds no more than that', async ({
  page,
  address,
}) => {
  const suspect = 'q8ZkP2vX7nLw4RtY6bHs1D'
  const noise = Array.from({ length: 8000 }, (_, at) => ((at * 2654435761) ^ (at << 7)).toString(36)).join(' ')
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await call(page, 'echo', { message: noise }, noise.slice(0, 40))
  await call(page, 'echo', { message: `password=hunter2xyz for ${suspect}` }, suspect)
  await pickLatestCall(page, 2)
  await share(page)
  const size = page.getByTestId('share-link-size')
  const copy = page.getByTestId('share-copy')
  const places = page.getByTestId('share-places').locator('li')
  const settled = () => expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
  const show = (which: string) =>
    page.getByTestId('share-shown').locator(`input[value="${which}"]`).check({ force: true })

  // The whole session is too large for a link; one exchange isn't.
  await expect(size).toHaveAttribute('data-fits', 'false')
  await expect(copy).toBeDisabled()
  await expect(page.getByTestId('share-status')).toContainText('Too large for a link')
  await expect(page.getByTestId('share-save')).toBeEnabled()
  await page.getByTestId('share-part-exchange').check()
  await expect(size).toHaveAttribute('data-fits', 'true')
  await expect(size).toContainText(/\d kB of 32 kB/)
  await expect(copy).toBeEnabled()

  // The preview shows the exchange as it leaves.
  await expect(page.getByTestId('share-opens')).toContainText(/Tools › echo\. Frame \d+ is selected/)
  await expect(page.getByTestId('share-preview')).toContainText('‹removed: ')
  await expect(page.getByTestId('share-preview')).not.toContainText('hunter2xyz')
  expect(await violations(page)).toEqual([])

  // One redaction is undone and redone; one suspected secret is removed.
  await show('removed')
  await expect(places).toHaveCount(2)
  await places.first().getByTestId('share-put-back').click()
  await expect(places).toHaveCount(1)
  await page.getByTestId('share-undo').click()
  await expect(places).toHaveCount(2)
  await show('suspects')
  await expect(places).toHaveCount(1)
  await expect(places).not.toContainText(suspect)
  expect(await violations(page)).toEqual([])
  await places.getByTestId('share-remove').click()
  await expect(page.getByTestId('share-none')).toBeVisible()
  await show('rules')
  expect(await violations(page)).toEqual([])
  // A secret in the name leaves neither in the file nor in the file's own name.
  await page.getByTestId('share-name').fill('Notes on hunter2xyz')
  await settled()

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('share-save').click()])
  const text = await readFile(await download.path(), 'utf8')
  const head = JSON.parse(text.split('\n', 1)[0]!) as { part: string; removed: readonly { rule: string }[] }
  expect(head.part).toBe('exchange')
  expect(new Set(head.removed.map(({ rule }) => rule))).toEqual(new Set(['name:password', 'own:value']))
  expect(text).not.toContain('hunter2xyz')
  expect(text).not.toContain(suspect)
  expect(download.suggestedFilename()).toMatch(/^Notes-on-removed-name-password-/)
})

test('after a call, Share names it, leaves other servers out, and previews the place where it opens', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await expect(shown(page, 'tool-item').first()).toBeVisible()
  await page.getByTestId('server-add').click()
  await connect(page, everythingUrl)
  await share(page)
  // Nothing was called on this server.
  await expect(page.getByTestId('share-part-exchange')).toBeDisabled()
  await page.keyboard.press('Escape')
  await call(page, 'get-sum', { a: '40', b: '2' }, '42')
  // Tabs that are opened by their names show the tool that they showed last.
  await page.getByTestId('tab-overview').click()
  await page.getByTestId('tab-tools').click()
  await expect(page).toHaveURL(/\/tools$/)

  await share(page)
  const dialog = page.getByTestId('share-dialog')
  await expect(page.getByTestId('share-part-session')).toBeChecked()
  await expect(page.getByTestId('share-server').locator('option:checked')).toHaveText(/^Only /)
  await expect(page.getByTestId('share-opens')).toContainText(/Opens at Tools › get-sum\. Frame \d+ is selected/)
  await expect(dialog.locator('[data-testid=share-exchange][aria-pressed=true]')).toContainText('get-sum')
  await expect(dialog.getByText(/^tools\/call get-sum at \d+:\d\d:\d\d/)).toBeVisible()
  await page.getByTestId('share-part-exchange').check()
  await expect(dialog).toHaveAttribute('aria-busy', 'false')
  await expect(page.getByTestId('share-opens')).toContainText(/Opens at Tools › get-sum\. Frame \d+ is selected/)
  await expect(page.getByTestId('share-preview')).toContainText('42')
  expect(await violations(page)).toEqual([])
})

test('a shared link opens at what was shared, after a reload too, and says nothing of the proxy', async ({
  page,
  address,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await call(page, 'echo', { message: 'the first of two' }, 'the first of two')
  await call(page, 'add', { a: '40', b: '2' }, '42')
  await pickLatestCall(page, 2)
  const copied = async () => {
    await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
    await expect(page.getByTestId('share-copy')).toContainText('Copy link')
    await page.getByTestId('share-copy').click()
    await expect(page.getByTestId('share-copy')).toHaveText('Link copied')
    await expect(page.getByTestId('share-status')).toContainText(
      'Link copied. It opens only where Periscope runs on port',
    )
    return await page.evaluate(() => navigator.clipboard.readText())
  }
  await share(page)
  const whole = await copied()
  // A server within the page has nothing that a configuration could start.
  await expect(page.getByTestId('share-save-mcpServers')).toBeDisabled()
  await expect(page.getByTestId('share-save-mcpServers')).toHaveCSS('border-style', 'dashed')
  await expect(page.getByTestId('share-save-json')).toHaveCSS('border-style', 'solid')
  await page.getByTestId('share-part-exchange').check()
  const exchange = await copied()

  // The other person opens it at a proxy they have no access token for.
  const context = await browser.newContext({ locale: 'en-US' })
  const other = await context.newPage()
  await other.goto(exchange)
  await expect(other.getByTestId('recording-offer')).toBeVisible()
  await other.reload()
  await expect(other.getByTestId('recording-offer')).toBeVisible()
  await expect(other.getByTestId('proxy-note')).toHaveCount(0)
  await expect(other.getByTestId('proxy-state')).toHaveAttribute('data-state', 'no-token')
  await expect(other.getByTestId('proxy-state')).toHaveText('')
  await other.getByTestId('offer-open').click()
  const opened = async (text: string, tool: string) => {
    await expect(shown(other, 'recording-bar')).toBeVisible()
    await expect(shown(other, 'tool-result')).toContainText(text)
    await expect(other).toHaveURL(new RegExp(`#/r/l\\w+/0/tools/${tool}$`))
    await expect(other.getByTestId('proxy-note')).toHaveCount(0)
  }
  await opened('42', 'add')
  // The tool list isn't part of an exchange: what the call sent is shown without a form.
  await expect(shown(other, 'tool-gone')).toContainText("doesn't contain tools/list")
  await expect(shown(other, 'tool-sent')).toContainText('40')
  await expect(other.getByTestId('frame-detail')).toContainText('42')
  await other.reload()
  await opened('42', 'add')
  // Going back leaves the recording and doesn't prompt again.
  await other.goBack()
  await expect(other.getByTestId('recording-offer')).toHaveCount(0)

  // The whole session opens where its sender was, with the same frame.
  await other.goto(whole)
  await other.getByTestId('offer-open').click()
  await opened('42', 'add')
  await expect(other.getByTestId('frame-detail')).toContainText('42')
  // The form holds what the call sent.
  await expect(shown(other, 'tool-form').getByTestId('field-input').nth(0)).toHaveValue('40')
  await expect(shown(other, 'tool-form').getByTestId('field-input').nth(1)).toHaveValue('2')
  await other.reload()
  await opened('42', 'add')
  await expect(other.getByTestId('frame-detail')).toContainText('42')
  await shown(other, 'tool-item').and(other.locator('[data-name="echo"]')).click()
  await expect(other).toHaveURL(/\/tools\/echo$/)
  await other.reload()
  await opened('the first of two', 'echo')

  // A closed recording is kept or gone, as its user says; a declined one doesn't come back.
  await other.getByTestId('recording-close').click()
  await expect(other.getByTestId('recording-closing')).toContainText("isn't stored on this device")
  expect(await violations(other)).toEqual([])
  await other.keyboard.press('Escape')
  await expect(other.getByTestId('recording-bar')).toBeVisible()
  await other.getByTestId('recording-close').click()
  await other.getByTestId('recording-keep').click()
  await expect(shown(other, 'connect-form')).toBeVisible()
  await other.reload()
  await other.getByTestId('session-open').click()
  await expect(shown(other, 'recording-bar')).toBeVisible()
  await expect(shown(other, 'tool-result')).toContainText('42')
  // It is stored now, so nothing is lost.
  await other.getByTestId('recording-close').click()
  await expect(shown(other, 'connect-form')).toBeVisible()
  await other.getByTestId('session-open').click()
  // A link that is followed before it has opened leaves it closed.
  await expect(shown(other, 'recording-bar')).toBeVisible()
  await other.goto(whole)
  await other.getByTestId('offer-open').click()
  await other.getByTestId('recording-close').click()
  await other.getByTestId('recording-forget').click()
  // The stored one takes its place, and isn't asked about.
  await expect(shown(other, 'recording-bar')).toBeVisible()
  await expect(other.getByTestId('recording-closing')).toHaveCount(0)
  await other.getByTestId('recording-close').click()
  await expect(shown(other, 'connect-form')).toBeVisible()
  await expect(other.getByTestId('session-item')).toHaveCount(1)
  await other.goto(whole)
  await other.getByTestId('offer-decline').click()
  await expect(other.getByTestId('recording-offer')).toHaveCount(0)
  await expect(other).not.toHaveURL(/share=/)
  await other.goto(`${new URL(whole).origin}/#/r/f1/0/tools`)
  await expect(other.getByTestId('notice')).toContainText('no longer open in this tab')
  await context.close()
})
