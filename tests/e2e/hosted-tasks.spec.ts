/** The async tools of the reference server, which poll tasks of this client (2025-11-25). */
import { openConnected, result } from './feature-steps.ts'
import { bar, drop, saved, seen } from './recording-stage.ts'
import { expect, field, test, violations } from './stage.ts'

test('TASK-13: what a server sends as a task waits in the Inbox while it is polled, and its tool gets the response', async ({
  page,
  address,
  fresh,
  everythingUrl,
}) => {
  await openConnected(page, address, everythingUrl)
  const tool = async (name: string) => {
    await page.getByTestId('tab-tools').click()
    await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()
    await expect(page.getByTestId('tool-detail')).toContainText(name)
  }
  const polls = page.locator('[data-testid=trace-row][data-method="tasks/get"]')
  const inbox = page.getByTestId('panel-inbox')
  const shown = inbox.getByTestId('question')
  const tasks = page.getByTestId('hosted-task')

  await tool('trigger-sampling-request-async')
  await field(page, 'prompt').fill('Where?')
  await page.getByTestId('tool-run').click()
  // An Inbox that is opened before keeps the request that it shows.
  await expect(page.getByTestId('tab-inbox')).toContainText(/\d/)
  await page.getByTestId('tab-inbox').click()
  await expect(shown.getByTestId('question-hosted')).toBeVisible()
  // The server got its task and polls it; the request still waits for the user.
  await expect(polls.nth(1)).toBeVisible()
  await expect(shown).toHaveAttribute('data-state', 'open')
  await page.getByTestId('tab-tasks').click()
  await expect(tasks).toHaveAttribute('data-state', 'working')
  await expect(tasks).toContainText(/polls: [1-9]/)
  await expect(page.getByTestId('task-item')).toHaveCount(0)
  await tasks.click()
  await expect(page.locator('[data-testid=inbox-item][data-state=open]')).toHaveCount(1)
  await shown.getByTestId('sampling-answer-text').fill('Paris')
  await shown.getByTestId('sampling-send').click()
  await expect(shown.getByTestId('question-end')).toContainText('Responded')
  await page.getByTestId('tab-tools').click()
  await expect(result(page)).toContainText('[COMPLETED]')
  await expect(result(page)).toContainText('Paris')

  await tool('trigger-elicitation-request-async')
  await page.getByTestId('tool-run').click()
  await page.getByTestId('tab-tasks').click()
  await expect(page.locator('[data-testid=hosted-task][data-state=working]')).toHaveCount(1)
  // Here, because the server polls this one for ten minutes, and the one before for a minute only.
  expect(await violations(page)).toEqual([])
  await page.getByTestId('tab-inbox').click()
  await expect(shown).toHaveAttribute('data-method', 'elicitation/create')
  await field(page, 'name').fill('Ada')
  await shown.getByTestId('elicitation-accept').click()
  await page.getByTestId('tab-tools').click()
  await expect(result(page)).toContainText('[COMPLETED]')
  await expect(result(page)).toContainText('Ada')
  await page.getByTestId('tab-tasks').click()
  await expect(tasks).toHaveCount(2)
  for (const at of [0, 1]) await expect(tasks.nth(at)).toHaveAttribute('data-state', 'completed')

  // Reopened, the session shows the same.
  const file = await saved(page)
  await page.goto(await fresh())
  await drop(page, 'tasks.periscope.jsonl', file)
  await expect(bar(page)).toBeVisible()
  await seen(page, 'tab-inbox').click()
  for (const request of ['Elicitation', 'Sampling']) {
    await expect(seen(page, 'inbox-item').filter({ hasText: request })).toHaveAttribute('data-state', 'answered')
  }
  await seen(page, 'tab-tasks').click()
  await expect(seen(page, 'hosted-task')).toHaveCount(2)
  for (const at of [0, 1]) await expect(seen(page, 'hosted-task').nth(at)).toHaveAttribute('data-state', 'completed')
})
