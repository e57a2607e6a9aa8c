/** A process that can't be used as a server is explained by what it printed, while it runs or once it has ended. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { everythingStdio } from '../servers/everything.ts'
import { printing } from '../servers/gallery/target.ts'
import { connect, expect, expectUnder, pressSequence, test, violations } from './stage.ts'

const program = resolve(import.meta.dirname, '../servers/unusable-stdio.mjs')

/** What the page says, and a part of the line that it shows. */
const RUNNING = {
  'no-newline': ["doesn't end its messages with a newline", '{"jsonrpc"'],
  'content-length': ['Content-Length headers', 'Content-Length: '],
  'pretty-json': ['spreads a message over several lines', '{'],
  'utf-16': ['UTF-16 instead of UTF-8', 'U+'],
  colour: ['escape codes', 'jsonrpc'],
  concatenated: ['several messages on one line', 'jsonrpc'],
  prefix: ['other text on the same line as a message', '[info] sending'],
  'not-json': ["aren't JSON", "{'jsonrpc'"],
  terminal: ['requires a terminal', 'Password:'],
  'other-id': ['the id "another" instead of', ''],
  banner: ['A banner does no harm', 'weather 1.0 is ready'],
} as const

/** Starts a process, and stops it once it is explained. @returns ms until then */
const explained = async (page: Page, kind: string, texts: readonly string[]): Promise<number> => {
  const note = page.getByTestId('connect-silence')
  await page.getByTestId('connect-input').fill(`node ${program} ${kind}`)
  const begun = Date.now()
  await page.getByTestId('connect-input').press('Enter')
  for (const text of texts) await expect(note).toContainText(text)
  const took = Date.now() - begun
  await page.getByTestId('connect-stop').click()
  await expect(note).toHaveCount(0)
  return took
}

test('a process that frames messages wrongly, or waits, is explained within five seconds with the line that shows it', async ({
  page,
  address,
}) => {
  await page.goto(address)
  for (const [kind, texts] of Object.entries(RUNNING)) await expectUnder(5_000, () => explained(page, kind, texts))
  expect(await violations(page)).toEqual([])
})

test('a process that serves HTTP leads to its URL with one click', async ({ page, address, everythingUrl }) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(`node ${program} serves-http "" ${everythingUrl}`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connect-silence')).toContainText(`serves HTTP at ${everythingUrl}`)
  await page.getByTestId('do-redirect').click()
  await page.getByTestId('tool-item').first().waitFor()
})

const ENDED = {
  'missing-module': ["The module a-module-that-nobody-installed isn't installed", 'Cannot find package'],
  'missing-variable': ['The environment variable EXAMPLE_API_KEY is missing', 'EXAMPLE_API_KEY'],
  'missing-folder': ["This file or directory doesn't exist: /no/such/folder/log.txt", 'ENOENT'],
  'missing-argument': ['An argument is missing', 'Usage: unusable-stdio'],
} as const

test('a process that ends at once is started once, and the line that says why is shown', async ({ page, address }) => {
  await page.goto(address)
  const failure = page.getByTestId('connect-failure')
  for (const [kind, [says, line]] of Object.entries(ENDED)) {
    const starts = join(mkdtempSync(join(tmpdir(), 'periscope-')), 'starts')
    await page.getByTestId('connect-input').fill(`node ${program} ${kind} ${starts}`)
    await page.getByTestId('connect-input').press('Enter')
    await expect(failure.getByRole('heading').first()).toContainText(says)
    await expect(failure).toContainText(line)
    expect(readFileSync(starts, 'utf8')).toBe('x')
    await expect(failure.locator('[data-testid^=do-pin]')).toHaveCount(0)
  }
  expect(await violations(page)).toEqual([])
})

test('a variable that is missing gets a row with its name, and the server starts once it has a value', async ({
  page,
  address,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(`node ${program} missing-variable`)
  await page.getByTestId('connect-input').press('Enter')
  await page.getByTestId('do-add-variable').click()
  await expect(page.getByTestId('env-name').first()).toHaveValue('EXAMPLE_API_KEY')
  await expect(page.getByTestId('env-value').first()).toBeFocused()
  await page.keyboard.type('a-key')
  await page.getByTestId('connect-input').press('Enter')
  await page.getByTestId('tab-overview').waitFor()
})

test('what a process uses is shown while it runs, and afterwards how it ended', async ({ page, address }) => {
  await page.goto(address)
  await connect(page, [everythingStdio.command, ...everythingStdio.args].map((word) => `'${word}'`).join(' '))
  await pressSequence(page, 'go')
  const usage = page.getByTestId('process-usage')
  await expect(usage).toContainText(/\d+% of a core, \d+ MB, 1 process/)
  const pid = await page.getByTestId('pid').innerText()
  process.kill(Number(pid), 'SIGKILL')
  await expect(page.getByTestId('process')).toContainText('signal SIGKILL')
  await expect(usage).toHaveCount(0)
  await page.getByTestId('reconnect').click()
  await expect(usage).toBeVisible()
  await expect(page.getByTestId('process-past')).toContainText(`process ${pid}: signal SIGKILL after`)
  expect(await violations(page)).toEqual([])
})

test('a download that takes longer than the usual limit goes on, with the advice of a failure, which tells how long it was', async ({
  page,
  address,
}) => {
  const started = await printing('npx -y weather', {
    before: `word=x; i=0; while [ $i -lt 100 ]; do i=$((i+1)); word=x$word; echo "npm http fetch $word" >&2; sleep 0.2; done; sleep 300`,
  })()
  try {
    await page.clock.install()
    await page.goto(address)
    await page.getByTestId('connect-input').fill(started.line)
    await page.getByTestId('connect-input').press('Enter')
    const progress = page.getByTestId('download-progress')
    await expect(progress).toBeVisible()
    const overdue = page.getByTestId('silence-overdue')
    // The handshake begins beside the silent probe, and with it a limit of its own.
    await page.clock.fastForward(10_000)
    const running = page.getByTestId('connect-steps').locator('li[data-state=running]')
    await expect(running).toHaveAttribute('data-step', 'waiting-for-answer')
    for (const ms of [50_000, 45_000]) {
      await expect(overdue).toHaveCount(0)
      await page.clock.fastForward(ms)
      const before = await progress.innerText()
      await expect(progress).not.toHaveText(before)
    }
    await expect(overdue).toContainText('Run the command in a terminal')
    await expect(overdue).toContainText(started.line)
    await expect(page.getByTestId('connect-stop')).toBeVisible()
    expect(await violations(page)).toEqual([])
    // It prints nothing any more.
    await expect(progress).toContainText(`x${'x'.repeat(100)}`, { timeout: 60_000 })
    await page.clock.fastForward(95_000)
    const failure = page.getByTestId('connect-failure')
    await expect(failure).toContainText(/timed out after \d+ min( \d+ s)?: no activity in the last 1 min 30 s/)
    await expect(failure).toContainText(/Still waiting for response after \d+ s, the last 90 s without activity/)
  } finally {
    await started.close()
  }
})

test('a command that may be downloading a package shows what it prints and no limit, and can be stopped', async ({
  page,
  address,
}) => {
  const started = await printing('npx -y weather', {
    before: `i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo "npm http fetch $i" >&2; sleep 0.2; done`,
  })()
  try {
    await page.goto(address)
    await page.getByTestId('connect-input').fill(started.line)
    await page.getByTestId('connect-input').press('Enter')
    await expect(page.getByTestId('connect-silence')).toContainText('waits as long as the process is active')
    const progress = page.getByTestId('download-progress')
    await expect(progress).toContainText(/npm http fetch \d+/)
    const before = await progress.innerText()
    await expect(progress).not.toHaveText(before)
    await expect(page.getByTestId('connect-steps').locator('li[data-state=running] .n')).toHaveText(/^[\d.]+ m?s$/)
    expect(await violations(page)).toEqual([])
    await page.getByTestId('connect-stop').click()
    await expect(progress).toHaveCount(0)
  } finally {
    await started.close()
  }
})
