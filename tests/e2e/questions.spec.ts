/** Server requests to the user, sent in both ways: the same story must give the same screens. */
import { everythingStdio } from '../servers/everything.ts'
import { openConnected, question, result, run, WAYS } from './feature-steps.ts'
import { expect, field, openRoots, test, violations } from './stage.ts'

for (const [revision, way] of WAYS) {
  test.describe(`questions at ${revision}`, () => {
    test.beforeEach(async ({ page, address, richUrl }, { title }) => {
      await openConnected(page, address, `${richUrl}/${way}/${encodeURIComponent(title.slice(0, 20))}`)
      await expect(page.getByTestId('connection-facts')).toContainText(revision)
    })

    test('sampling: shown whole, answered by hand, by a model of one’s own, and rejected', async ({
      page,
      modelsUrl,
    }) => {
      await run(page, 'ask-model')
      const asked = question(page)
      await expect(asked.getByTestId('sampling-message')).toHaveCount(3)
      await expect(asked.getByTestId('sampling-system')).toContainText('You answer in one word.')
      await asked.getByTestId('sampling-answer-text').fill('Paris')
      await asked.getByTestId('sampling-send').click()
      await expect(result(page)).toContainText('Paris')

      await page.getByTestId('tool-run').click()
      await question(page).getByTestId('sampling-way').getByText('Model', { exact: true }).click()
      await question(page).getByTestId('sampling-endpoint-base').fill(`${modelsUrl}/open/none/e2e-${way}/v1`)
      await question(page).getByTestId('sampling-endpoint-key').fill('sk-test-0123456789')
      await question(page).getByTestId('sampling-endpoint-model').fill('small')
      await question(page).getByTestId('sampling-model-ask').click()
      // The user reviews a model's response before it is sent.
      await expect(question(page).getByTestId('sampling-model-answer')).toBeVisible()
      await expect(result(page)).not.toHaveAttribute('data-state', 'ok')
      await question(page).getByTestId('sampling-send').click()
      await expect(result(page)).toHaveAttribute('data-state', 'ok')
      expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
        'sk-test',
      )

      await page.getByTestId('tool-run').click()
      await question(page).getByTestId('sampling-reject').click()
      await expect(result(page)).not.toHaveAttribute('data-state', 'ok')
      // CF-SAMP-12, CF-SAMP-13: declining a request sends an error; if requests come in results, the call ends.
      // The previous call's requests stay visible until this one has ended.
      const rejected = question(page).first()
      await expect(rejected).toHaveAttribute('data-state', way === 'v1' ? 'refused' : 'withdrawn')
      await rejected.getByTestId('question-toggle').click()
      if (way === 'v1') await expect(rejected.getByTestId('question-end')).toContainText('-1')
    })

    test('elicitation: a form that is checked and keeps its defaults, an address that is looked at first', async ({
      page,
      richUrl,
    }) => {
      await run(page, 'ask-form')
      const asked = question(page)
      await expect(asked.getByTestId('elicitation-message')).toHaveText('Tell us about yourself')
      // CF-ELIC-03: the server's name and host.
      await expect(asked.getByTestId('elicitation-asker')).toContainText(new URL(richUrl).host)
      // CF-FORM-10: a URL in a form is plain text.
      await expect(asked).toContainText('https://example.com/why-we-ask')
      await expect(asked.locator('a')).toHaveCount(0)
      await expect(asked.getByTestId('elicitation-defaults')).toBeVisible()
      await field(page, 'mail').fill('nobody')
      await field(page, 'name').fill('Ada')
      await asked.getByTestId('elicitation-accept').click()
      // An invalid value is marked first and sent only if the user insists.
      await expect(asked.getByTestId('elicitation-misfit')).toBeVisible()
      await field(page, 'mail').fill('ada@example.com')
      await asked.getByTestId('elicitation-accept').click()
      await expect(result(page)).toHaveAttribute('data-state', 'ok')
      for (const sent of ['Ada', 'ada@example.com', '42', 'mon']) await expect(result(page)).toContainText(sent)

      // CF-ELIC-04, CF-ELIC-07: three actions, and content with only one of them.
      for (const action of ['decline', 'cancel']) {
        await page.getByTestId('tool-run').click()
        await question(page).getByTestId(`elicitation-${action}`).click()
        await expect(result(page)).toContainText(new RegExp(`"action"\\s*:\\s*"${action}"`))
        await expect(result(page)).not.toContainText('"content"')
      }

      // CF-URL-10: opening the URL sends no credentials.
      const signedIn: (string | undefined)[] = []
      page.on('request', (request) => {
        if (request.url().startsWith(richUrl)) signedIn.push(request.headers()['authorization'])
      })
      const fetched: string[] = []
      await page.context().route('https://example.com/**', (route) => {
        fetched.push(route.request().url())
        return route.fulfill({ body: 'a page' })
      })
      await run(page, 'ask-url')
      const visit = question(page)
      await expect(visit.getByTestId('elicitation-domain')).toHaveText('example.com')
      await expect(visit.getByTestId('elicitation-address')).toHaveText('https://example.com/sign-in?next=rich')
      await expect(visit).toContainText("Opening it doesn't change your sign-in to this server.")
      // CF-URL-01: nothing is fetched or opened before the user agrees.
      expect([fetched, page.context().pages().length]).toEqual([[], 1])
      const opened = page.context().waitForEvent('page')
      await visit.getByTestId('elicitation-open').click()
      const tab = await opened
      await expect(tab).toHaveURL('https://example.com/sign-in?next=rich')
      await tab.waitForLoadState()
      // CF-URL-03: neither page can see the other.
      expect(await tab.evaluate(() => [window.opener as unknown, document.referrer])).toEqual([null, ''])
      await expect(page.locator('iframe')).toHaveCount(0)
      await tab.close()
      await expect(result(page)).toContainText(/"action"\s*:\s*"accept"/)
      await expect(result(page)).not.toContainText('"content"')
      // CF-URL-04: accepting isn't completing.
      expect([signedIn.length > 0, signedIn.filter((header) => header !== undefined)]).toEqual([true, []])
      await visit.getByTestId('question-toggle').click()
      await expect(visit).toContainText('Only the server knows the outcome.')
      await expect(visit.getByTestId('elicitation-visit')).toHaveAttribute('data-state', 'waiting')
    })

    test('roots: what its user typed in is what the server gets', async ({ page }) => {
      await openRoots(page)
      await page.getByTestId('root-add-input').fill('/home/ada/my project')
      await expect(page.getByTestId('root-becomes')).toContainText('file:///home/ada/my%20project')
      await page.getByTestId('root-add').click()
      const panel = page.getByTestId('roots-panel')
      await expect(panel).toContainText("They are advisory and don't restrict access")
      // CF-ROOT-03, CF-ROOT-06, CF-ROOT-07
      const changed = page.locator('[data-testid=trace-row][data-method="notifications/roots/list_changed"]')
      // Only the rows in view are in the document.
      await page.getByTestId('trace-filter').fill('method:notifications/roots/list_changed')
      await expect(changed).toHaveCount(way === 'v1' ? 1 : 0)
      await expect(panel.getByText('deprecated')).toHaveCount(way === 'v1' ? 0 : 1)
      await run(page, 'ask-roots')
      await expect(result(page)).toContainText('file:///home/ada/my%20project')
      await expect(changed).toHaveCount(way === 'v1' ? 1 : 0)
      await openRoots(page)
      await expect(page.getByTestId('roots-history-row').first()).toBeVisible()
    })

    test('three questions at once wait in the Inbox, and the call goes on with the last answer', async ({ page }) => {
      await openRoots(page)
      await page.getByTestId('roots-answer').getByText(/ask/i).click()
      await run(page, 'ask-all')
      await page.getByTestId('tab-inbox').click()
      const open = page.locator('[data-testid=inbox-item][data-state=open]')
      await expect(open).toHaveCount(3)
      await open.filter({ hasText: 'Elicitation' }).click()
      await page.getByTestId('panel-inbox').getByTestId('elicitation-decline').click()
      // Answered requests move below open ones. Responses to an `input_required` are sent together and stay open until
      // then.
      if (way === 'v1') {
        await expect(open).toHaveCount(2)
        // On return, the Inbox shows a pending request, not the answered one.
        const shown = page.getByTestId('panel-inbox').getByTestId('question')
        await expect(shown).not.toHaveAttribute('data-state', 'open')
        await page.getByTestId('tab-tools').click()
        await page.getByTestId('tab-inbox').click()
        await expect(shown).toHaveAttribute('data-state', 'open')
      }
      await open.filter({ hasText: 'Sampling' }).click()
      const inbox = page.getByTestId('panel-inbox')
      await inbox.getByTestId('sampling-answer-text').fill('Paris')
      await inbox.getByTestId('sampling-send').click()
      if (way === 'v1') await expect(open).toHaveCount(1)
      await open.filter({ hasText: 'Roots' }).click()
      await inbox.locator('[data-testid=roots-send], [data-testid=roots-send-empty]').first().click()
      await expect(open).toHaveCount(0)
      await page.getByTestId('tab-tools').click()
      await expect(result(page)).toContainText('Paris')
      await expect(result(page)).toContainText('decline')
    })
  })
}

/**
 * Per way: where two concurrent calls send requests, which tools do so, and whether the server says which call a
 * request belongs to.
 */
const AT_ONCE = [
  ['requests on the stream of the call (2025-11-25)', 'v1', 'ask-form', 'ask-model', true],
  ['results of the call (2026-07-28)', 'v2', 'ask-form', 'ask-model', true],
  ['requests without a stream (stdio)', '', 'trigger-elicitation-request', 'trigger-sampling-request', false],
] as const
for (const [how, way, form, model, known] of AT_ONCE) {
  test(`two calls that ask at once both wait for their user, each in its own pane: ${how}`, async ({
    page,
    address,
    richUrl,
  }) => {
    const stdio = [everythingStdio.command, ...everythingStdio.args].map((word) => `'${word}'`).join(' ')
    await openConnected(page, address, way === '' ? stdio : `${richUrl}/${way}/at-once`)
    const progress = page.getByTestId('tool-progress').filter({ visible: true })
    const asked = (method: string) =>
      page.getByTestId('panel-tools').locator(`[data-testid=question][data-method="${method}"]`)
    await run(page, form)
    await expect(asked('elicitation/create')).toHaveAttribute('data-state', 'open')
    await page.locator(`[data-testid=tool-item][data-name="${model}"]`).click()
    if (way === '') await field(page, 'prompt').fill('Where?')
    await page.getByTestId('tool-run').click()
    // The second call's pane shows its request, and its timer is paused as well.
    await expect(asked('sampling/createMessage')).toHaveAttribute('data-state', 'open')
    await expect(asked('elicitation/create')).toHaveCount(0)
    await expect(asked('sampling/createMessage').getByTestId('question-unclear')).toHaveCount(known ? 0 : 1)
    // A result that requests input ends its exchange: no timer runs until the call continues.
    const waits = () =>
      way === 'v2' ? expect(progress).toHaveCount(0) : expect(progress).toContainText('waiting for you')
    await waits()

    // If the call of a request is unknown, the first call's pane offers it as well and says so.
    await page.locator(`[data-testid=tool-item][data-name="${form}"]`).click()
    await waits()
    await expect(asked('sampling/createMessage')).toHaveCount(known ? 0 : 1)
    if (!known) {
      await expect(asked('sampling/createMessage').getByTestId('question-unclear')).toBeVisible()
      expect(await violations(page)).toEqual([])
      await asked('sampling/createMessage').getByTestId('sampling-answer-text').fill('Paris')
      await page.getByTestId('tab-inbox').click()
      await page.locator('[data-testid=inbox-item][data-state=open]').filter({ hasText: 'Sampling' }).click()
      await expect(page.getByTestId('panel-inbox').getByTestId('question-open-call')).toHaveCount(2)
      await page.getByTestId('panel-inbox').getByTestId('question-open-call').filter({ hasText: model }).click()
    } else await page.locator(`[data-testid=tool-item][data-name="${model}"]`).click()
    await asked('sampling/createMessage').getByTestId('sampling-answer-text').fill('Paris')
    await asked('sampling/createMessage').getByTestId('sampling-send').click()
    await expect(result(page)).toContainText('Paris')
    await page.locator(`[data-testid=tool-item][data-name="${form}"]`).click()
    await expect(asked('elicitation/create')).toHaveAttribute('data-state', 'open')
    await asked('elicitation/create').getByTestId('elicitation-decline').click()
    await expect(result(page)).toContainText(/decline/i)
  })
}

test('a server that asks in bursts is told of (CF-ELIC-06)', async ({ page, address }) => {
  // A burst is more than ten requests within a minute, and a busy machine takes longer for them: a minute of this page
  // takes ten.
  await page.addInitScript(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() / 10
  })
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  await run(page, 'ask-you')
  for (let asked = 1; asked <= 10; asked++) {
    await expect(question(page).getByTestId('elicitation-decline')).toBeVisible()
    await expect(question(page).getByTestId('question-burst')).toHaveCount(0)
    await question(page).getByTestId('elicitation-decline').click()
    await expect(result(page)).toHaveAttribute('data-state', 'ok')
    await expect(result(page)).toContainText('decline')
    await page.getByTestId('tool-run').click()
  }
  await expect(question(page).getByTestId('question-burst')).toContainText('11')
})

test('pages that -32042 names are visited when wished for, and the call is made again by hand (CF-URL-06)', async ({
  page,
  address,
  erasUrl,
}) => {
  const fetched: string[] = []
  await page.context().route('https://example.com/**', (route) => {
    fetched.push(route.request().url())
    return route.fulfill({ body: 'a page' })
  })
  await openConnected(page, address, `${erasUrl}/error-42/e2e`)
  await page.getByTestId('tool-item').first().click()
  await page.getByTestId('tool-run').click()
  const visits = page.getByTestId('url-elicitations')
  await expect(visits).toHaveAttribute('data-state', 'waiting')
  expect(fetched).toEqual([])
  const opened = page.context().waitForEvent('page')
  await visits.getByTestId('elicitation-open').click()
  await (await opened).close()
  // No completion is reported, and the call can be repeated anyway.
  await expect(visits).toHaveAttribute('data-state', 'waiting')
  const calls = page.locator('[data-testid=trace-row][data-method="tools/call"]')
  // Only the rows in view are in the document.
  await page.getByTestId('trace-filter').fill('method:tools/call')
  await expect(calls).toHaveCount(2)
  await visits.getByTestId('elicitation-call-again').click()
  await expect(calls).toHaveCount(4)
})
