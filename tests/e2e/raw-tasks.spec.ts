import type { Page } from '@playwright/test'
import { start as startEras, type ErasPeer } from '../servers/eras/index.ts'
import { everythingStdio } from '../servers/everything.ts'
import { openConnected } from './feature-steps.ts'
import { expect, field, inPanel, pressSequence, showTrace, test, violations, writeJson } from './stage.ts'

let eras: ErasPeer
test.beforeAll(async () => void (eras = await startEras()))
test.afterAll(async () => await eras.close())

const openTool = async (page: Page, name: string) => {
  await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()
  await expect(page.getByTestId('tool-detail')).toContainText(name)
}

const write = async (page: Page, text: string) => {
  await expect(page.getByTestId('raw-editor')).toHaveAttribute('data-state', 'ready')
  await writeJson(page, page.getByTestId('raw-editor'), text)
}

const template = (page: Page, method: string) => page.locator(`[data-testid=raw-template][data-method="${method}"]`)

test.describe('tasks', () => {
  test('a tool that must run as a task does, and its result takes the place of the task', async ({
    page,
    address,
    everythingUrl,
  }) => {
    await openConnected(page, address, everythingUrl)
    await openTool(page, 'simulate-research-query')
    await expect(page.getByTestId('task-choice')).toHaveAttribute('data-state', 'must')
    await field(page, 'topic').fill('owls')
    // It is over after four seconds, so the page itself looks for it.
    const worked = page.waitForFunction(() => document.querySelector('[data-testid=tool-task][data-state=working]'))
    await page.getByTestId('tool-run').click()
    await worked
    await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
    await expect(page.getByTestId('tool-result')).toContainText('Research Report: owls')

    await page.getByTestId('tool-task-open').click()
    await expect(page.getByTestId('task-state')).toHaveText('completed')
    await expect(page.getByTestId('task-result')).toContainText('Research Report: owls')
    await page.getByTestId('task-call').click()
    await expect(page.getByTestId('frame-detail')).toContainText('simulate-research-query')
  })

  test('without the wish the server’s refusal is shown, and the panel said so before', async ({
    page,
    address,
    everythingUrl,
  }) => {
    await openConnected(page, address, everythingUrl)
    await openTool(page, 'simulate-research-query')
    await page.getByTestId('task-choice-on').uncheck()
    await expect(page.getByTestId('task-choice')).toContainText('TASK-03')
    await field(page, 'topic').fill('owls')
    await page.getByTestId('tool-run').click()
    await expect(page.getByTestId('tool-result')).not.toHaveAttribute('data-state', /none|pending/)
    await expect(page.getByTestId('tool-task')).toHaveCount(0)
  })

  test('what a task asks is answered on the screen of its kind, question by question, with the keys alone', async ({
    page,
    address,
  }) => {
    await openConnected(page, address, `${eras.url}/tasks/e2e-asks`)
    await openTool(page, 'asks-two')
    await page.getByTestId('tool-run').click()
    await expect(page.getByTestId('tool-task')).toBeVisible()
    await pressSequence(page, 'gk')
    const questions = page.getByTestId('task-detail').getByTestId('question')
    await expect(questions).toHaveCount(2)
    await expect(questions.first()).toContainText('Who are you?')
    for (const at of [0, 1]) {
      await questions.nth(at).getByRole('button', { name: 'Decline' }).focus()
      await page.keyboard.press('Enter')
      await expect(questions.nth(at)).toHaveAttribute('data-state', 'answered')
    }
    await expect(page.getByTestId('task-state')).toHaveText('completed')
    await expect(page.getByTestId('task-result')).toContainText('decline')
  })

  test('a cancelled task says that it was asked for, then what the server made of it', async ({ page, address }) => {
    await openConnected(page, address, `${eras.url}/tasks/e2e-cancel`)
    await openTool(page, 'endless')
    await page.getByTestId('tool-run').click()
    await page.getByTestId('tool-task-cancel').click()
    await expect(page.getByTestId('tool-task')).toHaveAttribute('data-state', 'cancelled')
    await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'cancelled')
  })

  test('an id from elsewhere can be followed', async ({ page, address }) => {
    const url = `${eras.url}/tasks/e2e-id`
    await openConnected(page, address, url)
    await openTool(page, 'endless')
    await page.getByTestId('tool-run').click()
    await page.getByTestId('tool-task-open').click()
    const id = await page.getByTestId('task-detail-id').textContent()
    await page.reload()
    await page.getByTestId('connect-button').or(page.getByTestId('reconnect')).first().click()
    await page.getByTestId('tab-tasks').click()
    await page.getByTestId('task-id').fill(id!)
    await page.getByTestId('task-id').press('Enter')
    await expect(page.getByTestId('task-state')).toHaveText('working')
    await expect(page.getByTestId('task-looks')).toContainText(/[2-9],/)
  })

  test('a call that asks shows the question where the result comes, waits for it, and says why it went no further', async ({
    page,
    address,
  }) => {
    await openConnected(page, address, `${eras.url}/tasks/e2e-first`)
    await openTool(page, 'asks-first')
    await page.getByTestId('tool-run').click()
    const question = page.getByTestId('tool-result').getByTestId('question')
    await expect(question).toContainText('Who are you?')
    await expect(page.getByTestId('tool-asked')).toHaveAttribute('data-state', 'going')
    await page.getByTestId('tool-cancel').click()
    await expect(question).toHaveAttribute('data-state', 'withdrawn')
    await expect(page.getByTestId('tool-asked')).toContainText('elicitation/create')
    await expect(page.getByTestId('tool-asked')).toContainText('The call ended')
  })
})

test.describe('raw', () => {
  test('a template is sent with the keys alone, its answer is judged beside it, and it can be sent again and changed', async ({
    page,
    address,
    everythingUrl,
  }) => {
    await openConnected(page, address, everythingUrl)
    await pressSequence(page, 'gw')
    await expect(template(page, 'tools/call')).toBeVisible()
    await page.getByTestId('raw-filter').fill('resources templates')
    await page.getByTestId('raw-filter').press('Enter')
    await expect(page.getByTestId('raw-kind')).toHaveAttribute('data-state', 'request')
    await expect(page.getByTestId('raw-composer').getByTestId('raw-verdict')).toHaveAttribute('data-state', 'fits')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByTestId('raw-outcome')).toHaveText('ok')
    await expect(page.getByTestId('raw-reply')).toContainText('resourceTemplates')
    await page.getByTestId('raw-again').click()
    await expect(page.getByTestId('raw-item')).toHaveCount(2)
    await write(page, 'something else')
    await page.getByTestId('raw-edit').click()
    await expect(page.getByTestId('raw-editor')).toContainText('resources/templates/list')
    await page.getByTestId('raw-reveal').click()
    await expect(page.getByTestId('frame-detail')).toContainText('raw-1')
  })

  test('text that is no JSON goes out all the same', async ({ page, address, everythingUrl }) => {
    await openConnected(page, address, everythingUrl)
    await inPanel(page, 'raw')
    await write(page, '{"jsonrpc": "2.0", oops')
    await expect(page.getByTestId('raw-kind')).toHaveAttribute('data-state', 'not-json')
    await expect(page.getByTestId('raw-fault')).toContainText('line 1')
    await page.getByTestId('raw-send').click()
    await expect(page.getByTestId('raw-answer')).toContainText('HTTP 400')
    await expect(page.getByTestId('raw-reply')).toContainText('-32700')
    await expect(page.getByTestId('raw-problem')).toHaveCount(0)
  })

  test('BP-25: an array is explained, and sent only when one insists', async ({ page, address, everythingUrl }) => {
    await openConnected(page, address, everythingUrl)
    await inPanel(page, 'raw')
    await write(page, '[{"jsonrpc":"2.0","id":1,"method":"ping"}]')
    await expect(page.getByTestId('raw-refusal')).toHaveAttribute('data-state', 'batch')
    await page.getByTestId('raw-send').click()
    await expect(page.getByTestId('raw-send')).toHaveText(/anyway/)
    await expect(page.getByTestId('raw-item')).toHaveCount(0)
    await page.getByTestId('raw-send').click()
    await expect(page.getByTestId('raw-item')).toHaveCount(1)
  })

  test('in the stateless era the headers follow the text, and can be made to disagree', async ({ page, address }) => {
    await openConnected(page, address, `${eras.url}/tasks/e2e-raw`)
    await inPanel(page, 'raw')
    await template(page, 'tasks/get').click()
    await page.getByTestId('raw-headers').locator('summary').click()
    await expect(page.getByTestId('raw-header-value')).toHaveCount(3)
    await expect(page.getByTestId('raw-header-value').nth(2)).toHaveValue('task-1')
    await page.getByTestId('raw-header-value').nth(1).fill('tools/list')
    await page.getByTestId('raw-send').click()
    await expect(page.getByTestId('raw-item')).toHaveCount(1)
    await inPanel(page, 'trace')
    await page.getByTestId('trace-filter').fill('kind:http')
    await page.getByTestId('trace-row').last().click()
    await inPanel(page, 'raw')
    await page.getByTestId('raw-reveal').click()
    await expect(page.getByTestId('frame-detail')).toBeVisible()
    await inPanel(page, 'raw')
    await write(page, '{"jsonrpc":"2.0","id":1,"result":{}}')
    await expect(page.getByTestId('raw-refusal')).toHaveAttribute('data-state', 'answer')
  })

  test('over stdio a text of several lines is one message', async ({ page, address }) => {
    const quoted = (word: string) => `'${word}'`
    await openConnected(page, address, [everythingStdio.command, ...everythingStdio.args].map(quoted).join(' '))
    await inPanel(page, 'raw')
    await template(page, 'ping').click()
    await expect(page.getByTestId('raw-will')).toContainText('each line is a message')
    await page.getByTestId('raw-send').click()
    await expect(page.getByTestId('raw-outcome')).toHaveText('ok')
    await expect(page.getByTestId('raw-reply')).toHaveCount(1)
  })
})

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  test(`axe finds nothing on tasks and raw, ${colorScheme}, ${width} wide`, async ({ page, address }) => {
    test.slow()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await openConnected(page, address, `${eras.url}/tasks/axe-${colorScheme}-${width}`)
    await showTrace(page, false)
    await page.getByTestId('tab-tasks').click()
    await expect(page.getByTestId('task-list')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('tab-tools').click()
    await openTool(page, 'asks-first')
    await page.getByTestId('tool-run').click()
    await expect(page.getByTestId('tool-asked')).toBeVisible()
    expect(await violations(page)).toEqual([])
    if (width === 390) await page.getByTestId('tool-back').click()
    await openTool(page, 'asks-two')
    await page.getByTestId('tool-run').click()
    await expect(page.getByTestId('tool-task')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('tool-task-open').click()
    await expect(page.getByTestId('task-detail').getByTestId('question').first()).toBeVisible()
    await expect(page.getByTestId('task-detail').getByTestId('elicitation').first()).toBeVisible()
    expect(await violations(page)).toEqual([])

    await inPanel(page, 'raw')
    await expect(page.getByTestId('raw-editor')).toHaveAttribute('data-state', 'ready')
    if (width === 390) await page.getByTestId('raw-panel').getByText('Templates', { exact: true }).click()
    await template(page, 'tools/list').click()
    await page.getByTestId('raw-headers').locator('summary').click()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('raw-send').click()
    await expect(page.getByTestId('raw-reply').first()).toBeVisible()
    expect(await violations(page)).toEqual([])
    await write(page, '[{"jsonrpc":"2.0","id":1,"result":{}}]')
    await page.getByTestId('raw-send').click()
    await expect(page.getByTestId('raw-refusal').first()).toBeVisible()
    expect(await violations(page)).toEqual([])
    await showTrace(page, true)
    expect(await violations(page)).toEqual([])
  })
}
