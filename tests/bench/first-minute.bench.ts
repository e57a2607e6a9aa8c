/**
 * The first minute, act by act: from a typed command to a result, and from there to a link that shows somebody else the
 * same tab and frame, after a reload as well. An act is one click, or one typed line with the key that ends it.
 *
 * With `INSPECTOR=FOLDER`, where FOLDER has `@modelcontextprotocol/inspector` installed, the same run also
 * measures the official inspector, and prints it for comparison. The inspector can't share links.
 */
import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { startPeriscope } from '../e2e/global-setup.ts'
import { everythingStdio } from '../servers/everything.ts'
import { openBrowser } from './page.ts'
import type { Bench } from './run.ts'

const RUNS = 3
const VIEWPORT = { width: 1440, height: 900 }
const SAID = 'Echo: hello'
/** ms; only ends runs that hang. */
const HANGS = 60_000

interface Run {
  /** Acts and ms from the typed command to the result. */
  readonly acts: number
  readonly ms: number
  /** Acts and ms from there to the link in the clipboard; absent if it can't share links. */
  readonly link?: { readonly acts: number; readonly ms: number }
}

/** Counts acts while it performs them. */
class Acts {
  /** The command typed in a terminal is the first. */
  count = 1
  readonly #begun = performance.now()

  get ms(): number {
    return performance.now() - this.#begun
  }

  async of(act: () => Promise<void>): Promise<void> {
    this.count++
    await act()
  }
}

const ours = async (browser: Browser): Promise<Run> => {
  const context = await browser.newContext({ viewport: VIEWPORT, permissions: ['clipboard-read', 'clipboard-write'] })
  const acts = new Acts()
  const periscope = await startPeriscope(['--', everythingStdio.command, ...everythingStdio.args])
  try {
    const page = await context.newPage()
    await page.goto(periscope.address, { waitUntil: 'commit' })
    const tool = page.locator('[data-testid=tool-item][data-name=echo]')
    await tool.waitFor({ timeout: HANGS })
    await acts.of(() => tool.click())
    const field = page.locator('[data-testid=tool-form] [data-testid=field-input]').first()
    await acts.of(() => field.click())
    await acts.of(async () => {
      await page.keyboard.type('hello')
      await page.keyboard.press('Control+Enter')
    })
    await page.getByTestId('tool-result').getByText(SAID).waitFor({ timeout: HANGS })
    const { count, ms } = acts
    const shown = await page.getByTestId('tool-result').getAttribute('data-seq')

    await acts.of(() => page.getByTestId('share').click())
    await acts.of(() => page.getByTestId('share-copy').click())
    await page.getByTestId('share-status').getByText('Link copied').waitFor({ timeout: HANGS })
    const link = { acts: acts.count - count, ms: acts.ms - ms }
    await assertSame(browser, await page.evaluate(() => navigator.clipboard.readText()), shown)
    return { acts: count, ms, link }
  } finally {
    await context.close()
    await periscope.close()
  }
}

/** Opens a link as somebody else would. @throws {Error} if it shows another tab, result or frame, also after a reload */
const assertSame = async (browser: Browser, link: string, request: string | null): Promise<void> => {
  const context = await browser.newContext({ viewport: VIEWPORT })
  try {
    const page = await context.newPage()
    await page.goto(link)
    await page.getByTestId('offer-open').click()
    for (const when of ['opened', 'reloaded']) {
      await page.locator('[data-testid=panel-tools]:visible').getByTestId('tool-result').getByText(SAID).waitFor()
      await page.getByTestId('frame-detail').getByText(SAID).waitFor()
      const seen = await page
        .locator('[data-testid=panel-tools]:visible')
        .getByTestId('tool-result')
        .getAttribute('data-seq')
      if (seen !== request) throw new Error(`${when}: the link shows the call ${seen}, but ${request} was shared`)
      // A note of the sender belongs here as well, once frames can have notes.
      await page.reload()
    }
  } finally {
    await context.close()
  }
}

const freePort = async (): Promise<number> => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const theirs = async (browser: Browser, folder: string): Promise<Run> => {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const [CLIENT_PORT, SERVER_PORT] = [String(await freePort()), String(await freePort())]
  const cli = join(folder, 'node_modules/@modelcontextprotocol/inspector/cli/build/cli.js')
  const acts = new Acts()
  const child = spawn(process.execPath, [cli, everythingStdio.command, ...everythingStdio.args], {
    env: { ...process.env, CLIENT_PORT, SERVER_PORT, MCP_AUTO_OPEN_ENABLED: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  try {
    const page = await context.newPage()
    // Its page looks for its server at the default port unless the URL says otherwise.
    await openWhenReady(page, `${await urlIn(child)}&MCP_PROXY_FULL_ADDRESS=http://127.0.0.1:${SERVER_PORT}`)
    await act(page, acts, 'Connect')
    await acts.of(() => page.getByRole('tab', { name: 'Tools', exact: true }).click({ timeout: HANGS }))
    await act(page, acts, 'List Tools')
    // Its newer versions show titles.
    await acts.of(() =>
      page
        .getByText(/^echo( tool)?$/i)
        .first()
        .click({ timeout: HANGS }),
    )
    await acts.of(() => page.locator('#message').click({ timeout: HANGS }))
    await acts.of(() => page.keyboard.type('hello'))
    await act(page, acts, 'Run Tool')
    await page.getByText(SAID).first().waitFor({ timeout: HANGS })
    return { acts: acts.count, ms: acts.ms }
  } finally {
    await context.close()
    // Its own children would live on.
    process.kill(-child.pid!, 'SIGTERM')
  }
}

/** It prints its URL before it listens there. */
const openWhenReady = async (page: Page, url: string): Promise<void> => {
  for (const until = performance.now() + HANGS; ;)
    try {
      return void (await page.goto(url, { waitUntil: 'commit' }))
    } catch (error) {
      if (performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
}

const act = (page: Page, acts: Acts, button: string): Promise<void> =>
  acts.of(() => page.getByRole('button', { name: button, exact: true }).first().click({ timeout: HANGS }))

const urlIn = (child: ReturnType<typeof spawn>): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const url = /http:\/\/\S+MCP_PROXY_AUTH_TOKEN=\w+/.exec(output)?.[0]
      if (url) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', () => reject(new Error(`the inspector ended. It printed:\n${output}`)))
  })

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const print = (name: string, runs: readonly Run[]): void => {
  const seconds = (median(runs.map(({ ms }) => ms)) / 1000).toFixed(1)
  const link = runs[0]!.link
  const shared = link
    ? `link in ${link.acts} more acts, ${(median(runs.map((run) => run.link!.ms)) / 1000).toFixed(1)} s`
    : 'no link'
  console.log(`(${name}: result in ${median(runs.map(({ acts }) => acts))} acts, ${seconds} s; ${shared})`)
}

const bench: Bench = async () => {
  const folder = process.env['INSPECTOR']
  const browser = await openBrowser()
  const [mine, other]: [Run[], Run[]] = [[], []]
  try {
    // In turn, so that both meet the same machine.
    for (let run = 0; run < RUNS; run++) {
      mine.push(await ours(browser))
      if (folder) other.push(await theirs(browser, folder))
    }
  } finally {
    await browser.close()
  }
  print('Periscope', mine)
  if (folder) print('the official inspector', other)
  return [
    { name: 'first-minute-acts-to-result', value: median(mine.map(({ acts }) => acts)), unit: 'acts', limit: 4 },
    { name: 'first-minute-acts-to-link', value: median(mine.map(({ link }) => link!.acts)), unit: 'acts', limit: 2 },
    { name: 'first-minute-to-result', value: median(mine.map(({ ms }) => ms)), unit: 'ms', limit: 4000 },
  ]
}

export default bench
