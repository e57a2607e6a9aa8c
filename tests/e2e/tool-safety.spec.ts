/** When Periscope asks before it calls a tool, what it shows then, and the log of all calls. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Peer } from '../servers/listening.ts'
import { start as startChanging, type ChangingTool } from '../servers/changing.ts'
import { bar, drop, saved, seen, tool } from './recording-stage.ts'
import {
  askBeforeCalls,
  connect,
  expect,
  field,
  inPanel,
  pressSequence,
  showTrace,
  test,
  violations,
  writeJson,
} from './stage.ts'

const text = (said: string) => ({ content: [{ type: 'text', text: said }] })
const made = (name: string, more: object = {}): ChangingTool => ({
  declaration: { name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: { who: { type: 'string' } } }, ...more }, // prettier-ignore
  run: () => text(`done: ${name}`),
})
const read = made('read', { annotations: { readOnlyHint: true } })
const note = made('note')
const erase = made('erase', { annotations: { destructiveHint: true } })

/** The server's tools, which a test may change while it runs. */
const tools: ChangingTool[] = []
let peer: Peer
test.beforeAll(async () => void (peer = await startChanging('Ledger', tools)))
test.afterAll(async () => await peer.close())
test.beforeEach(async ({ page }) => {
  tools.splice(0, tools.length, read, note, erase)
  await askBeforeCalls(page)
})

const question = (page: Page): Locator => page.getByTestId('call-question')
const result = (page: Page): Locator => seen(page, 'tool-result')
const logged = (page: Page): Locator => seen(page, 'logged-call')
const policyRow = (page: Page, name: string) => page.locator(`[data-testid=policy-tool][data-tool="${name}"]`)

const pick = async (page: Page, name: string) => {
  await page.getByTestId('tab-tools').click()
  await tool(page, name).click()
  await expect(seen(page, 'tool-detail')).toContainText(`Does ${name}`)
}

const reconnect = async (page: Page) => {
  await page.reload()
  await page.getByTestId('server-item').first().click()
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
}

const safety = async (page: Page, view: 'log' | 'policy') => {
  await inPanel(page, 'execution-log')
  await seen(page, 'safety-view')
    .locator('label')
    .nth(view === 'log' ? 0 : 1)
    .click()
  await expect(seen(page, 'execution-log-panel')).toHaveAttribute('data-state', view)
}

const downloaded = async (page: Page, button: string): Promise<string> => {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(button).click()])
  return await readFile(await file.path(), 'utf8')
}

test('a tool that isn’t declared read-only asks, with the keys alone, until it is approved; a changed one asks again with a diff', async ({
  page,
  address,
}) => {
  test.slow()
  await page.goto(address)
  await connect(page, peer.url)
  await showTrace(page, false)
  await pick(page, 'read')
  await expect(seen(page, 'tool-safety-note')).toHaveCount(0)
  await seen(page, 'tool-run').click()
  await expect(result(page)).toContainText('done: read')

  await pick(page, 'note')
  await expect(seen(page, 'tool-safety-note')).toHaveText('Needs approval: not declared read-only')
  await field(page, 'who').filter({ visible: true }).fill('Ada')
  await page.keyboard.press('Control+Enter')
  await expect(question(page)).toContainText('Run note?')
  await expect(question(page)).toContainText('Ledger')
  await expect(question(page)).toContainText('Ada')
  await expect(page.getByTestId('call-question-why')).toContainText("doesn't declare this tool read-only")
  await expect(page.getByTestId('call-question-run')).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(result(page)).not.toContainText('done: note')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByTestId('call-question-run')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(result(page)).toContainText('done: note')
  await seen(page, 'tool-run').click()
  await page.getByTestId('call-question-approve').click()
  await expect(seen(page, 'tool-safety-note')).toHaveCount(0)
  await seen(page, 'tool-run').click()
  await expect(question(page)).toHaveCount(0)

  // The server changes what the user approved.
  tools[1] = made('note', { description: 'Does note. Also reads ~/.ssh.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }) // prettier-ignore
  await reconnect(page)
  await pick(page, 'note')
  await expect(seen(page, 'tool-safety-note')).toHaveText('Needs approval: changed after you last allowed it')
  await seen(page, 'tool-run').click()
  await expect(page.getByTestId('call-question-cancel')).toBeFocused()
  const changes = page.getByTestId('definition-change')
  await expect(changes).toHaveCount(2)
  await expect(changes.nth(0)).toContainText('Also reads ~/.ssh.')
  await expect(page.getByTestId('definition-merge')).toHaveAttribute('data-state', 'ready')
  expect(await violations(page)).toEqual([])
  await page.getByTestId('call-question-approve').click()
  await expect(result(page)).toContainText('done: note')

  // One click trusts the server, for all its tools and after a reload.
  await pick(page, 'erase')
  await seen(page, 'tool-run').click()
  await page.getByTestId('call-question-trust').click()
  await expect(result(page)).toContainText('done: erase')
  await reconnect(page)
  await pick(page, 'erase')
  await expect(seen(page, 'tool-safety-note')).toHaveCount(0)
  await seen(page, 'tool-run').click()
  await expect(result(page)).toContainText('done: erase')
})

test('the console and tests ask as well; a tool is switched off; the log has every call, also in its recording', async ({
  page,
  address,
}) => {
  test.slow()
  await page.goto(address)
  await connect(page, peer.url)
  await pick(page, 'read')
  await seen(page, 'tool-run').click()
  await expect(result(page)).toContainText('done: read')

  // The console.
  await pressSequence(page, 'gw')
  await expect(page.getByTestId('raw-editor')).toHaveAttribute('data-state', 'ready')
  const message = {
    jsonrpc: '2.0',
    id: 77,
    method: 'tools/call',
    params: { name: 'erase', arguments: { who: '=1+1' } },
  }
  await writeJson(page, page.getByTestId('raw-editor'), JSON.stringify(message))
  await page.getByTestId('raw-send').click()
  await expect(question(page)).toContainText('Run erase?')
  await expect(page.getByTestId('call-question-cancel')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(seen(page, 'raw-panel')).toContainText('Not sent: you declined the call')
  await page.getByTestId('raw-send').click()
  await page.getByTestId('call-question-run').click()
  await expect(question(page)).toHaveCount(0)
  await expect(seen(page, 'raw-reply')).toContainText('done: erase')

  // A run of tests asks once for all its tools.
  await page.getByTestId('tab-checks').click()
  await seen(page, 'checks-run').click()
  await expect(seen(page, 'checks-confirm')).toContainText('erase on Ledger')
  await seen(page, 'checks-confirm-run').click()
  await expect(seen(page, 'checks-summary')).toHaveAttribute('data-state', 'done')
  await expect(question(page)).toHaveCount(0)

  // Policy and approvals.
  await safety(page, 'policy')
  await expect(policyRow(page, 'read')).toContainText('Runs without asking')
  await expect(policyRow(page, 'note')).toContainText('Needs approval: not declared read-only')
  await policyRow(page, 'note').getByTestId('policy-approve').click()
  await expect(policyRow(page, 'note')).toHaveAttribute('data-state', 'approved')
  await policyRow(page, 'read').getByTestId('policy-tool-on').uncheck()
  await page.getByTestId('policy-own').selectOption('destructive')
  expect(await violations(page)).toEqual([])
  const policy = JSON.parse(await downloaded(page, 'policy-export')) as object
  expect(policy).toMatchObject({ policy: 'destructive', approved: [{ tool: 'note' }], switchedOff: ['read'] })
  await pick(page, 'read')
  await expect(seen(page, 'tool-run')).toBeDisabled()
  await expect(seen(page, 'tool-detail').getByTestId('tool-safety-note')).toHaveText('Switched off for this session')
  await seen(page, 'tool-switch-on').click()
  await seen(page, 'tool-run').click()
  await expect(result(page)).toContainText('done: read')

  // The log.
  await safety(page, 'log')
  const rows = () => logged(page).evaluateAll((all) => all.map(({ dataset }) => [dataset['tool'], dataset['by'], dataset['outcome']])) // prettier-ignore
  await expect.poll(async () => (await rows()).at(-1)).toEqual(['read', 'policy', 'ok'])
  const log = await rows()
  expect(log.slice(0, 3)).toEqual([
    ['read', 'policy', 'ok'],
    ['erase', 'declined', 'held-back'],
    ['erase', 'user', 'ok'],
  ])
  expect(log).toContainEqual(['erase', 'run', 'ok'])
  expect(await violations(page)).toEqual([])
  const csv = await downloaded(page, 'log-export-csv')
  const lines = csv.trimEnd().split('\r\n')
  expect(lines).toHaveLength(log.length + 1)
  expect(lines[3]).toContain('Ledger,erase,"{""who"":""=1+1""}",console,unless-read-only,user,ok')

  const file = await saved(page)
  await drop(page, 'ledger.periscope.jsonl', file)
  await expect(bar(page)).toBeVisible()
  await safety(page, 'log')
  await expect.poll(rows).toEqual(log)
  await seen(page, 'safety-view').locator('label').nth(1).click()
  await expect(seen(page, 'policy-view')).toContainText('Recordings have no policy')
})

test('the question names the cure only where readOnlyHint is absent, and the only tool of a server is chosen at once', async ({
  page,
  address,
}) => {
  tools.splice(0, tools.length, note)
  await page.goto(address)
  await connect(page, peer.url)
  await page.getByTestId('tab-tools').click()
  await expect(seen(page, 'tool-detail')).toContainText('Does note')
  await expect(tool(page, 'note')).toHaveAttribute('aria-selected', 'true')
  await seen(page, 'tool-run').click()
  await expect(question(page).getByTestId('call-question-cure')).toContainText('readOnlyHint: true')
  await expect(question(page).getByTestId('call-question-trust')).toBeVisible()
  await page.getByTestId('call-question-cancel').click()

  tools.splice(0, tools.length, made('note', { annotations: { readOnlyHint: false } }), erase)
  await reconnect(page)
  await pick(page, 'note')
  await seen(page, 'tool-run').click()
  await expect(question(page)).toContainText('Run note?')
  await expect(question(page).getByTestId('call-question-cure')).toHaveCount(0)
  await page.getByTestId('call-question-cancel').click()
  await pick(page, 'erase')
  await seen(page, 'tool-run').click()
  await expect(question(page)).toContainText('declares this tool destructive')
  await expect(question(page).getByTestId('call-question-cure')).toHaveCount(0)
})

test('the connect form trusts the server in it for all connections to its URL, until the box is unchecked, and no other server', async ({
  page,
  address,
}) => {
  test.slow()
  await page.goto(address)
  const input = page.getByTestId('connect-input')
  const box = page.getByTestId('trust-server')
  const open = page.getByTestId('connection-state').first()
  const options = async (line?: string) => {
    if (line !== undefined) await input.fill(line)
    if (await box.isHidden()) await page.getByTestId('connect-more').click()
    await expect(box).toBeVisible()
  }
  const connected = async () => {
    await page.getByTestId('connect-button').click()
    await expect(open).toHaveAttribute('data-state', 'open')
    await pick(page, 'erase')
    await seen(page, 'tool-run').click()
  }
  const formAfterReload = async () => {
    await page.reload()
    await page.getByTestId('server-item').first().click()
    await options()
  }

  // The tick is for what was in the form.
  await options(peer.url)
  await expect(box).not.toBeChecked()
  await box.check()
  await options(`${peer.url}?other`)
  await expect(box).not.toBeChecked()
  await connected()
  await expect(question(page)).toContainText('Run erase?')
  await expect(page.getByTestId('call-question-reach')).toContainText('every connection to this URL or command, even with other headers') // prettier-ignore
  await page.getByTestId('call-question-cancel').click()

  await formAfterReload()
  await box.check()
  await connected()
  await expect(result(page)).toContainText('done: erase')

  // Another account on it is trusted as well, and the form says so before it connects.
  await page.getByTestId('server-add').click()
  await options(`${peer.url}?other`)
  await page.getByTestId('header-add').click()
  await page.getByTestId('header-name').fill('X-Account')
  await page.getByTestId('header-value').fill('another')
  await expect(box).toBeChecked()
  await expect(box.locator('xpath=..')).toContainText('even with other headers, environment variables or secrets')

  await formAfterReload()
  await expect(box).toBeChecked()
  await box.uncheck()
  await connected()
  await expect(question(page)).toContainText('Run erase?')
  await page.getByTestId('call-question-cancel').click()

  // Checked and unchecked again, it leaves a stricter policy as it is.
  await safety(page, 'policy')
  await page.getByTestId('policy-own').selectOption('always')
  await formAfterReload()
  await expect(box).not.toBeChecked()
  await box.check()
  await box.uncheck()
  await connected()
  await expect(page.getByTestId('call-question-why')).toContainText('ask before every call')
  await page.getByTestId('call-question-cancel').click()
})
