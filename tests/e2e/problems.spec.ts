/** All violations of a server by rule, with one verdict on every screen, and statistics of its methods. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Requirement } from '../../web/lint/requirements.ts'
import { startSchemaPeer, type SchemaPeer } from '../schemas/server.ts'
import { connect, expect, field, inPanel, test, violations } from './stage.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`

const problem = (page: Page, rule: string) => page.locator(`[data-testid=problem][data-rule="${rule}"]`)

/** The number of problems on each screen that tells one. Poll it: each screen follows the others some time later. */
const verdicts = async (page: Page) => {
  await page.getByTestId('tab-overview').click()
  await expect(page.getByTestId('report')).toHaveAttribute('data-state', 'judged')
  await inPanel(page, 'trace')
  const numbers = async (testid: string) => {
    const text = (await page.getByTestId(testid).allInnerTexts()).join(' ')
    return (text.match(/\d+/g) ?? []).reduce((sum, each) => sum + Number(each), 0)
  }
  return {
    bar: await numbers('problem-count'),
    tab: (await numbers('tab-problems')) || 0,
    trace: await numbers('trace-findings'),
    report: await page.getByTestId('report-breach').count(),
  }
}

// One violation that doesn't depend on timing: a tool with a name that clients may refuse.
let peer: SchemaPeer
test.beforeAll(async () => {
  peer = await startSchemaPeer([
    { name: 'echo', schema: { type: 'object', properties: { message: { type: 'string' } } } },
    { name: 'odd name', schema: { type: 'object', description: `Needs ${SECRET}` } },
  ])
})
test.afterAll(async () => await peer.close())

const echo = async (page: Page) => {
  await page.getByTestId('tab-tools').click()
  await page.locator('[data-testid=tool-item][data-name="echo"]').click()
  await field(page, 'message').fill(SECRET)
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toContainText('call')
}

test('a problem is explained with its place, leaves for an issue without secrets, and counts nowhere once its rule is muted', async ({
  page,
  address,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  await connect(page, peer.url)
  await echo(page)

  await page.getByTestId('problem-count').click()
  const rows = page.getByTestId('problem')
  const rule = (await rows.first().getAttribute('data-rule'))!
  await expect(page.getByTestId('problem-detail')).toHaveAttribute('data-rule', rule)
  await expect(page.getByTestId('problem-fix')).toContainText(/\w/)
  expect(await violations(page)).toEqual([])
  const before = { bar: 1, tab: 1, trace: 1, report: 1 }
  await expect.poll(() => verdicts(page)).toEqual(before)

  await inPanel(page, 'problems')
  await page.getByTestId('problem-copy').click()
  await expect(page.getByTestId('problem-copy')).toHaveText('Copied')
  const issue = await page.evaluate(async () => await navigator.clipboard.readText())
  expect(issue).toContain(`(${rule}, SHOULD)`)
  expect(issue).not.toContain(SECRET)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('problems-sarif').click()])
  const sarif = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    runs: { results: { ruleId: string }[] }[]
  }
  expect(sarif.runs[0]!.results.map(({ ruleId }) => ruleId)).toContain(rule)
  expect(JSON.stringify(sarif)).not.toContain(SECRET)

  await problem(page, rule).click()
  await page.getByTestId('problem-mute').click()
  await expect(problem(page, rule)).toHaveAttribute('data-state', 'muted')
  await expect.poll(() => verdicts(page)).toEqual({ bar: 0, tab: 0, trace: 0, report: 0 })

  // A muted rule stays muted for this server.
  await page.reload()
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
  await echo(page)
  await inPanel(page, 'problems')
  await expect(problem(page, rule)).toHaveAttribute('data-state', 'muted')
  await problem(page, rule).click()
  await page.getByTestId('problem-mute').click()
  await expect.poll(() => verdicts(page)).toEqual(before)
})

test('in Chinese, a problem shows its requirement in Chinese, loaded with it, and an issue has it in English', async ({
  page,
  address,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => localStorage.setItem('periscope.language', 'zh-CN'))
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(request.url()))
  const statements = () => loaded.filter((url) => url.includes('chinese-statements'))
  await page.goto(address)
  await connect(page, peer.url)
  await echo(page)
  expect(statements()).toEqual([])

  await page.getByTestId('problem-count').click()
  const requirement = page.getByTestId('problem-requirement')
  await expect(requirement).toContainText(/\p{Script=Han}/u)
  await expect(requirement).not.toHaveAttribute('lang')
  const shown = (await requirement.innerText()).trim()
  expect(statements()).not.toEqual([])
  expect(await violations(page)).toEqual([])

  const rule = await page.getByTestId('problem-detail').getAttribute('data-rule')
  const list = await readFile(join(import.meta.dirname, '../../web/lint/requirements.json'), 'utf8')
  const { statement } = (JSON.parse(list) as Requirement[]).find(({ id }) => id === rule)!
  await page.getByTestId('problem-copy').click()
  await expect(page.getByTestId('problem-copy')).toHaveText('已复制')
  const issue = await page.evaluate(async () => await navigator.clipboard.readText())
  expect(issue).toContain(statement)

  // The frame's own list of violations says the same.
  await page.getByTestId('problem-detail').getByTestId('frame-link').first().click()
  await page.getByTestId('frame-tabs').getByRole('tab').last().click()
  await expect(page.locator(`[data-testid=finding][data-rule="${rule}"]`)).toContainText(shown)
  // The tab stays in view where the window is too narrow for the row of tabs.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByTestId('frame-tabs').getByRole('tab').last()).toBeInViewport({ ratio: 1 })
})

test('a refused probe is no error in the Overview, the statistics and the trace', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await page.getByTestId('tab-overview').click()
  const verdicts = page.getByTestId('report-verdicts')
  await expect(verdicts.locator('[data-state=probe]')).toHaveText('1 probe')
  await expect(verdicts.locator('.bad')).toHaveCount(0)

  await inPanel(page, 'problems')
  await page.getByTestId('problems-view').getByText('Statistics').click()
  const row = page.locator('[data-testid=statistics-row][data-method="server/discover"]')
  await expect(row.getByRole('cell').nth(1)).toHaveText('0')

  await inPanel(page, 'trace')
  await page.getByTestId('trace-filter').fill('method:server/discover')
  await expect(page.locator('[data-testid=trace-row][data-method="server/discover"]').first()).toContainText('probe')
})

test('statistics count each method and tool, and sort by any column', async ({ page, address }) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await page.getByTestId('tool-item').first().waitFor()
  await page.locator('[data-testid=tool-item]').first().click()
  await inPanel(page, 'problems')
  await page.getByTestId('problems-view').getByText('Statistics').click()
  const row = page.getByTestId('statistics-row')
  await expect(row.filter({ hasText: 'tools/list' })).toContainText(/tools\/list\s*[1-9]/)
  expect(await violations(page)).toEqual([])
  await page.getByTestId('sort-method').click()
  const names = await row.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['method']))
  expect(names.length).toBeGreaterThan(1)
  expect(names).toEqual(names.toSorted())
  await page.getByTestId('sort-method').click()
  await expect(row.first()).toHaveAttribute('data-method', names.at(-1)!)
})
