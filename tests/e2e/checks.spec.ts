import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { start as startChanging, type ChangingTool } from '../servers/changing.ts'
import type { Peer } from '../servers/listening.ts'
import {
  addServer,
  askBeforeCalls,
  connect,
  expect,
  field,
  fromMenu,
  pressSequence,
  test,
  violations,
} from './stage.ts'

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
const string = { type: 'string' }

const greet: ChangingTool = {
  declaration: {
    name: 'greet',
    description: 'Greets',
    inputSchema: { type: 'object', properties: { name: string }, required: ['name'] },
    annotations: { readOnlyHint: true },
  },
  run: ({ name }) => text(`Hello, ${String(name)}. It is ${new Date().toISOString()}.`),
}
const count: ChangingTool = {
  declaration: { name: 'count', inputSchema: { type: 'object', properties: {} } },
  run: () => ({ ...text('3'), structuredContent: { count: 3 } }),
}
const erase: ChangingTool = {
  declaration: { name: 'erase', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
  run: () => text('gone'),
}
/** Returns something else and requires one more argument. */
const changed: ChangingTool = {
  declaration: {
    name: 'greet',
    description: 'Greets',
    inputSchema: {
      type: 'object',
      properties: { name: string, tone: { enum: ['warm', 'cool'] } },
      required: ['name', 'tone'],
    },
    annotations: { readOnlyHint: true },
  },
  run: ({ name }) => text(`Bye, ${String(name)}.`),
}

let peers: readonly Peer[] = []
test.beforeAll(async () => {
  peers = await Promise.all([
    startChanging('Before', [greet, count, erase]),
    startChanging('After', [changed, count, erase]),
  ])
})
test.afterAll(async () => void (await Promise.all(peers.map((peer) => peer.close()))))
const before = () => peers[0]!.url
const after = () => peers[1]!.url

const open = async (page: Page, url: string) => {
  await page.getByTestId('connect-input').fill(url)
  await page.getByTestId('connect-input').press('Enter')
}
const tool = (page: Page, name: string) =>
  page.locator(`[data-testid=tool-item][data-name="${name}"]`).filter({ visible: true })
const call = async (page: Page, name: string, args: Record<string, string> = {}) => {
  await tool(page, name).click()
  for (const [key, value] of Object.entries(args)) await field(page, key).filter({ visible: true }).fill(value)
  await page.getByTestId('tool-run').filter({ visible: true }).click()
  await expect(page.getByTestId('tool-result').filter({ visible: true })).toHaveAttribute('data-state', 'ok')
}
const checks = async (page: Page) => {
  await page.getByTestId('tab-checks').click()
  await expect(page.getByTestId('checks-panel').filter({ visible: true })).toBeVisible()
}
const step = (page: Page, name: string) =>
  page.locator(`[data-testid=checks-step][data-name="${name}"]`).filter({ visible: true })
const source = (page: Page, name: string) =>
  page.locator(`[data-testid=checks-source][data-name="${name}"]`).filter({ visible: true })
const proposed = (page: Page) =>
  shown(page, 'save-call-proposal').evaluateAll((all) =>
    all.map((each) => `${(each as HTMLElement).dataset['kind']} ${(each as HTMLElement).dataset['state']}`),
  )
const shown = (page: Page, testid: string) => page.getByTestId(testid).filter({ visible: true })
const choose = async (page: Page, group: string, value: string) => {
  // Its label, because the radio button itself isn't seen: a forced click would not wait until the bar keeps its place.
  await shown(page, group)
    .locator('label', { has: page.locator(`input[value="${value}"]`) })
    .click()
  await expect(shown(page, group)).toHaveAttribute('data-state', value)
}
const done = async (page: Page) => await expect(shown(page, 'checks-summary')).toHaveAttribute('data-state', 'done')

test('what was called is run again: all the same, the time in it accepted by its rule; on another server exactly what changed is named', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await connect(page, before())
  await call(page, 'greet', { name: 'Ada' })
  await call(page, 'count')
  await checks(page)
  await expect(shown(page, 'checks-step')).toHaveCount(3)
  expect(await violations(page)).toEqual([])

  await shown(page, 'checks-run').click()
  await done(page)
  await expect(page.locator('[data-testid=checks-step][data-state=passed]')).toHaveCount(3)
  await step(page, 'greet').click()
  await expect(shown(page, 'checks-difference')).toHaveAttribute('data-state', 'accepted')
  await expect(shown(page, 'checks-difference')).toContainText('times')

  // Without the rule, the time counts as a difference; with it, it doesn't.
  await shown(page, 'checks-rules').click()
  await page.locator('[data-testid=checks-rule][data-id=times] input').uncheck()
  await expect(step(page, 'greet')).toHaveAttribute('data-state', 'failed')
  await page.locator('[data-testid=checks-rule][data-id=times] input').check()
  await expect(step(page, 'greet')).toHaveAttribute('data-state', 'passed')
  await shown(page, 'checks-rules').click()
  await shown(page, 'checks-save').click()
  await shown(page, 'checks-name').fill('Smoke')
  await shown(page, 'checks-name-keep').click()

  // Another server, with one tool changed.
  await pressSequence(page, 'gn')
  await connect(page, after())
  await checks(page)
  await source(page, 'Smoke').click()
  await shown(page, 'checks-run').click()
  await done(page)
  await expect(step(page, 'count')).toHaveAttribute('data-state', 'passed')
  await expect(step(page, 'tools/list')).toHaveAttribute('data-state', 'failed')
  await expect(step(page, 'greet')).toHaveAttribute('data-state', 'failed')
  await step(page, 'greet').click()
  await expect(shown(page, 'checks-difference')).toHaveAttribute('data-pointer', '/content/0/text')
  await expect(shown(page, 'checks-difference')).toContainText('Bye, Ada.')
  await step(page, 'tools/list').click()
  const pointers = () =>
    shown(page, 'checks-difference').evaluateAll((all) =>
      all.map((each) => (each as HTMLElement).dataset['pointer']).toSorted(),
    )
  await expect.poll(pointers).toEqual(['/tools/0/inputSchema/properties/tone', '/tools/0/inputSchema/required/1'])
  await choose(page, 'checks-answer-view', 'merge')
  await expect(shown(page, 'checks-merge')).toHaveAttribute('data-state', 'ready')
  expect(await violations(page)).toEqual([])
  await choose(page, 'checks-answer-view', 'list')

  // One difference is ignored with a click, the other accepted as the new baseline.
  await step(page, 'greet').click()
  await shown(page, 'checks-ignore').click()
  await expect(step(page, 'greet')).toHaveAttribute('data-state', 'passed')
  await step(page, 'tools/list').click()
  await shown(page, 'checks-take').click()
  await expect(step(page, 'tools/list')).toHaveAttribute('data-state', 'passed')
})

test('a call saved from its result is checked against what is expected of it, survives a reload, and is shared as a file', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await connect(page, before())
  await call(page, 'count')
  await shown(page, 'save-call').click()
  await page.getByTestId('save-call-name').fill('Counting')
  await page.getByTestId('save-call-title').fill('Nightly')
  // The result is structured, so its structure is proposed rather than its text.
  await expect.poll(() => proposed(page)).toEqual(['status on', 'contains off', 'matches on', 'under off'])
  expect(await violations(page)).toEqual([])
  await page.getByTestId('save-call-keep').click()
  await expect(page.getByTestId('save-call-form')).toHaveAttribute('data-state', 'saved')
  await page.getByTestId('save-call-show').click()
  await expect(source(page, 'Nightly')).toHaveAttribute('data-state', 'open')
  await choose(page, 'checks-tab', 'expect')
  await expect(shown(page, 'checks-expectation')).toHaveCount(2)
  await shown(page, 'checks-expect-came').click()
  await expect(shown(page, 'checks-expectation')).toHaveCount(3)
  await shown(page, 'checks-expect-kind').selectOption('contains')
  await shown(page, 'checks-expect-add').click()
  await shown(page, 'checks-expect-text').fill('a million')
  await shown(page, 'checks-run').click()
  await done(page)
  await expect(step(page, 'count')).toHaveAttribute('data-state', 'failed')
  const states = () =>
    shown(page, 'checks-expectation').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['state']))
  await expect.poll(states).toEqual(['met', 'met', 'met', 'unmet'])
  expect(await violations(page)).toEqual([])

  const [download] = await Promise.all([page.waitForEvent('download'), shown(page, 'checks-export').click()])
  const [head, end] = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(JSON.parse(head!)).toMatchObject({ format: 'periscope-session', part: 'steps', name: 'Nightly' })
  expect(JSON.parse(end!)).toEqual({ kind: 'end', frames: 0 })

  await page.reload()
  await open(page, before())
  await checks(page)
  await source(page, 'Nightly').click()
  await shown(page, 'checks-remove').click()
  await shown(page, 'checks-remove-yes').click()
  await expect(source(page, 'Nightly')).toHaveCount(0)
  await shown(page, 'checks-file').setInputFiles(await download.path())
  await expect(shown(page, 'checks-step')).toHaveCount(1)
  await expect(shown(page, 'checks-step')).toContainText('Counting')
})

test('the last call becomes a test with what its result suggests; the tab tells how its last run ended', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await connect(page, before())
  const badge = page.getByTestId('tab-checks')
  await checks(page)
  await expect(shown(page, 'checks-empty')).toBeVisible()
  await shown(page, 'checks-save-last').click()
  await expect(page.getByTestId('save-call-form')).toContainText('no tool call yet')
  await page.keyboard.press('Escape')
  expect(await violations(page)).toEqual([])
  await page.getByTestId('tab-tools').click()
  await call(page, 'greet', { name: 'Ada' })
  await checks(page)
  await shown(page, 'checks-save-last').click()
  await expect.poll(() => proposed(page)).toEqual(['status on', 'contains on', 'under off'])
  const contains = page.locator('[data-testid=save-call-proposal][data-kind=contains] input.in')
  await expect(contains).toHaveValue(/^Hello, Ada\. It is 20/)
  await contains.fill('Hello, Ada')
  await page.getByTestId('save-call-keep').click()
  await expect(source(page, 'Before')).toHaveAttribute('data-state', 'open')
  await expect(shown(page, 'checks-step')).toHaveCount(1)
  await expect(badge).toHaveText('Tests')

  await shown(page, 'checks-run').click()
  await done(page)
  await expect(step(page, 'greet')).toHaveAttribute('data-state', 'passed')
  await expect(badge).toContainText('✓')
  await choose(page, 'checks-tab', 'expect')
  await shown(page, 'checks-expect-text').fill('Goodbye')
  await shown(page, 'checks-run').click()
  await expect(badge).toHaveText(/Tests\s*1\s*failed in the last run/)
  await expect(step(page, 'greet')).toHaveAttribute('data-state', 'failed')
  expect(await violations(page)).toEqual([])
  await shown(page, 'checks-expect-text').fill('Ada')
  await shown(page, 'checks-run').click()
  await expect(badge).toContainText('✓')
})

test('on a phone the tests come first, and the one chosen opens over them', async ({ page, address }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address)
  await connect(page, before())
  await pressSequence(page, 'gc')
  await expect(shown(page, 'checks-empty')).toBeVisible()
  await step(page, 'tools/list').click()
  await expect(shown(page, 'checks-list')).toHaveCount(0)
  await expect(shown(page, 'checks-detail')).toBeVisible()
  await shown(page, 'checks-back').click()
  await shown(page, 'checks-list').getByRole('listbox').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await shown(page, 'checks-run').click()
  await done(page)
  expect(await violations(page)).toEqual([])
})

test('nothing that claims to destroy runs without a word, a variable is asked for, and a step is skipped by wish', async ({
  page,
  address,
}) => {
  await askBeforeCalls(page)
  await page.goto(address)
  await connect(page, before())
  await call(page, 'greet', { name: '{{who}}' })
  await tool(page, 'erase').click()
  await page.getByTestId('tool-run').click()
  await page.getByTestId('call-question-run').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
  await checks(page)
  await shown(page, 'checks-run').click()
  await expect(shown(page, 'checks-confirm')).toContainText('erase on Before')
  await expect(shown(page, 'checks-confirm-cancel')).toBeFocused()
  expect(await violations(page)).toEqual([])
  await shown(page, 'checks-confirm-skip').click()
  await done(page)
  await expect(step(page, 'erase')).toHaveAttribute('data-state', 'none')

  await step(page, 'greet').click()
  await choose(page, 'checks-tab', 'request')
  await shown(page, 'checks-templated').check()
  await shown(page, 'checks-variables').locator('input').fill('Grace')
  await shown(page, 'checks-run-one').click()
  await done(page)
  await choose(page, 'checks-tab', 'answer')
  await expect(shown(page, 'checks-difference')).toContainText('Hello, Grace.')
  await step(page, 'erase').click()
  await choose(page, 'checks-tab', 'request')
  await shown(page, 'checks-skip').click()
  await shown(page, 'checks-run').click()
  await done(page)
  await expect(step(page, 'erase')).toHaveAttribute('data-state', 'skipped')
})

test('two servers are compared: each change is judged and pointed to, answers stand side by side', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await connect(page, before())
  await call(page, 'greet', { name: 'Ada' })
  await call(page, 'count')
  await pressSequence(page, 'gn')
  await connect(page, after())
  await call(page, 'count')
  await checks(page)
  await choose(page, 'checks-mode', 'compare')

  // The other open server is the most likely choice.
  await expect(shown(page, 'compare-left').locator('option:checked')).toHaveText('Before')
  await expect(shown(page, 'compare-right').locator('option:checked')).toHaveText('After')
  const changes = () =>
    shown(page, 'compare-change').evaluateAll((all) =>
      all.map((each) => {
        const { state, name, pointer } = (each as HTMLElement).dataset
        return [state, name, pointer]
      }),
    )
  await expect.poll(changes).toEqual([
    ['breaking', 'greet', '/inputSchema/properties/tone'],
    ['notable', '', '/name'],
  ])
  await expect(shown(page, 'compare-detail')).toContainText('tone was added and is required')
  await expect(shown(page, 'compare-why')).toContainText('may be rejected')
  await expect(shown(page, 'checks-merge')).toHaveAttribute('data-state', 'ready')
  expect(await violations(page)).toEqual([])

  // In the other direction, an argument was removed.
  await shown(page, 'compare-turn').click()
  await expect(shown(page, 'compare-change').first()).toHaveAttribute('data-code', 'property-removed')
  await choose(page, 'compare-part', 'answers')
  await expect(shown(page, 'compare-answer')).toHaveCount(1)
  await expect(shown(page, 'compare-answer')).toHaveAttribute('data-state', 'same')
})

test('a server that offers something else than the last time says so, and is held against what it was', async ({
  page,
  address,
}) => {
  const tools = [greet, count]
  const evolving = await startChanging('Evolving', tools)
  try {
    await page.goto(address)
    await connect(page, evolving.url)
    await expect.poll(() => page.evaluate(remembered)).toBe(1)
    await expect(page.getByTestId('offer-note')).toHaveCount(0)
    tools[0] = changed

    await page.reload()
    await connect(page, evolving.url)
    await expect(page.getByTestId('offer-note')).toContainText('1 change since the last connection, 1 breaking.')
    await addServer(page)
    await expect(page.getByTestId('recent-changes')).toHaveText('1 change')
    await page.getByTestId('server-item').first().click()
    await page.getByTestId('offer-note').getByRole('button').click()
    await expect(shown(page, 'compare-change')).toHaveAttribute('data-pointer', '/inputSchema/properties/tone')
    await expect(shown(page, 'compare-left').locator('option:checked')).toHaveText(/20\d\d/)
    await shown(page, 'compare-forget').click()
    await expect(shown(page, 'compare-empty')).toBeVisible()
    await expect.poll(() => page.evaluate(remembered)).toBe(0)
  } finally {
    await evolving.close()
  }
})

test('a recording is compared with a server that is open, and with another recording', async ({ page, address }) => {
  await page.goto(address)
  await connect(page, before())
  await call(page, 'count')
  await fromMenu(page, 'sessions-button')
  const present = page.locator('[data-testid=session-item][data-state=present]')
  const [download] = await Promise.all([page.waitForEvent('download'), present.getByTestId('session-save').click()])
  const file = await readFile(await download.path(), 'utf8')
  await page.getByTestId('sessions-dialog-close').click()

  // Then the same session, with one tool renamed.
  await drop(page, 'first.periscope.jsonl', file)
  await expect(page.getByTestId('recording-item')).toHaveCount(1)
  await drop(page, 'second.periscope.jsonl', file.replaceAll('greet', 'hello'))
  await expect(page.getByTestId('recording-item')).toHaveCount(2)
  await page.getByTestId('tab-tools').click()
  await expect(tool(page, 'hello')).toBeVisible()
  await checks(page)
  await choose(page, 'checks-mode', 'compare')
  const sides = shown(page, 'compare-left').locator('option')
  await expect(sides).toHaveCount(3)
  // All three are called “Before”: their choice and what stands above their responses tell them apart.
  const labels = await sides.allTextContents()
  expect(new Set(labels).size).toBe(3)
  const [live, , first] = await sides.evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value))
  for (const other of [live!, first!]) {
    await shown(page, 'compare-left').selectOption(other)
    await expect(shown(page, 'compare-change')).toHaveCount(2)
    await expect(shown(page, 'compare-change').first()).toContainText('greet was removed; hello is identical')
    await choose(page, 'compare-part', 'answers')
    await expect(shown(page, 'compare-answer')).toHaveAttribute('data-state', 'same')
    await choose(page, 'compare-part', 'offer')
  }

  // The other side is chosen as well, with the keys.
  const right = shown(page, 'compare-right')
  await right.focus()
  await expect(right.locator('option:checked')).toHaveText(labels[1]!)
  await page.keyboard.press('ArrowUp')
  await expect(right.locator('option:checked')).toHaveText(labels[0]!)
  await expect(shown(page, 'compare-same')).toBeVisible()
  await choose(page, 'compare-part', 'answers')
  for (const label of [labels[2]!, labels[0]!])
    await expect(shown(page, 'compare').getByText(label, { exact: true })).toBeVisible()
  await choose(page, 'compare-part', 'offer')
  // With itself, there is nothing to compare.
  await right.selectOption(first!)
  await expect(shown(page, 'compare-empty')).toBeVisible()
})

const drop = async (page: Page, name: string, content: string) => {
  const dataTransfer = await page.evaluateHandle(
    ([called, held]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([held], called))
      return transfer
    },
    [name, content] as const,
  )
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await page.dispatchEvent('body', 'drop', { dataTransfer })
}

/**
 * Servers whose tools are stored on the device. Runs in the page. Without its tools, a server may be stored before: what
 * has come is stored whenever no list comes for a while.
 */
const remembered = () =>
  new Promise<number>((resolve) => {
    const opening = indexedDB.open('periscope.offers', 1)
    opening.onupgradeneeded = () => opening.transaction?.abort()
    opening.onerror = () => resolve(0)
    opening.onsuccess = () => {
      const base = opening.result
      const all = base.transaction('offers').objectStore('offers').getAll()
      all.onsuccess = () => {
        base.close()
        const servers = all.result as { offers: { offer: { tools?: unknown } }[] }[]
        resolve(servers.filter(({ offers }) => offers[0]?.offer.tools !== undefined).length)
      }
    }
  })
