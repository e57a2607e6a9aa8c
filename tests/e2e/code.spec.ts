/** A connection as code: what is pasted into a new project makes the same call. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { goSdk } from '../go-sdk.ts'
import { pythonSdk } from '../python-sdk.ts'
import { everythingStdio } from '../servers/everything.ts'
import { connect, expect, field, patient, test, violations } from './stage.ts'

const run = promisify(execFile)
const SECRET = 'Zx81qLmN0pQrS7tUvW'

const ROOT = join(import.meta.dirname, '../..')

/** What a program prints that was pasted into a file of a new project, with the packages that it needs. */
const printed = async (
  command: readonly [program: string, ...words: string[]],
  files: Readonly<Record<string, string>>,
  env: Record<string, string>,
): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-code-'))
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const [program, ...words] = command
    const { stdout } = await run(program, words, { cwd: folder, env: { ...process.env, ...env }, timeout: patient(120_000) }) // prettier-ignore
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const SAID = 'it’s "here"'

/** Calls a tool with a secret header, and opens its call as code. */
const openCode = async (page: Page, address: string, url: string) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  await page.getByTestId('config-file').setInputFiles({
    name: 'mcp.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ mcpServers: { docs: { url, headers: { 'X-Key': SECRET } } } })),
  })
  // Until the file is read, Connect has nothing to connect to.
  await expect(page.getByTestId('found-server')).toHaveCount(1)
  await page.getByTestId('connect-button').click()
  await page.getByTestId('tool-item').first().waitFor()
  await page.locator('[data-testid=tool-item][data-name="echo"]').click()
  await field(page, 'message').fill(SAID)
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toContainText('Echo: it’s')
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-code').click()
  await expect(page.getByTestId('code-program')).toContainText('client.listTools()')
}

/** The program for the call of the tool, as the clipboard has it. */
const copied = async (page: Page, language: string): Promise<string> => {
  const option = page.getByTestId('code-call').locator('option', { hasText: 'echo' })
  await page.getByTestId('code-call').selectOption({ label: (await option.innerText()).trim() })
  await page.getByTestId('code-language').getByText(language, { exact: true }).click()
  await expect(page.getByTestId('code-program')).toContainText('echo')
  await page.getByTestId('code-copy').click()
  await expect(page.getByTestId('code-copy')).toHaveText('Copied')
  const code = await page.evaluate(() => navigator.clipboard.readText())
  await expect(page.getByTestId('code-program')).toHaveText(code)
  expect(code).not.toContain(SECRET)
  await expect(page.getByTestId('code-copy')).toHaveText('Copy')
  return code
}

/** The result that a program of an SDK prints is the one in the page. */
const expectSame = (text: string) =>
  expect(JSON.parse(text)).toMatchObject({ content: [{ type: 'text', text: `Echo: ${SAID}` }] })

test('a call is shown as a program in each language, and the pasted program gets its result', async ({
  page,
  address,
  everythingUrl,
}) => {
  await openCode(page, address, everythingUrl)
  await expect(page.getByTestId('code-variables')).toContainText('X_KEY')
  expect(await violations(page)).toEqual([])

  for (const language of ['TypeScript 2', 'TypeScript 1']) {
    const code = await copied(page, language)
    // Its first line says how to install and run it.
    const [, packages, file] = /^\/\/ npm install ([^&]+) && node (\S+)\n/.exec(code)!
    expect(packages).toContain(
      language === 'TypeScript 1' ? '@modelcontextprotocol/sdk' : '@modelcontextprotocol/client',
    )
    expectSame(await printed([process.execPath, file!], { [file!]: code }, { X_KEY: SECRET }))
  }
  const curl = await copied(page, 'cURL')
  expect(await printed(['sh', 'example.sh'], { 'example.sh': curl }, { X_KEY: SECRET })).toContain('Echo: it’s')
  await page.getByTestId('code-comparison').locator('summary').click()
  await expect(page.getByTestId('code-comparison')).toContainText('2.4.0')
  expect(await violations(page)).toEqual([])
})

test('a program for Python, pasted into a new project, makes the same call with the same result (skipped without python3 and its package index)', async ({
  page,
  address,
  everythingUrl,
}) => {
  await openCode(page, address, everythingUrl)
  const code = await copied(page, 'Python')
  expect(code).toContain('client.call_tool("echo", {"message": ')
  const sdk = await pythonSdk(ROOT, patient)
  if ('missing' in sdk) return test.skip(true, sdk.missing)
  const env = { X_KEY: SECRET, PYTHONPATH: sdk.path }
  expectSame(await printed(['python3', 'example.py'], { 'example.py': code }, env))
})

test('a program for Go, pasted into a new module, makes the same call with the same result (skipped without go and its module proxy)', async ({
  page,
  address,
  everythingUrl,
}) => {
  test.slow()
  await openCode(page, address, everythingUrl)
  const code = await copied(page, 'Go')
  expect(code).toContain('session.CallTool(ctx, &mcp.CallToolParams{')
  const sdk = await goSdk(ROOT, patient)
  if ('missing' in sdk) return test.skip(true, sdk.missing)
  const files = { 'main.go': code, ...Object.fromEntries(['go.mod', 'go.sum'].map((name) => [name, readFileSync(join(sdk.path, name), 'utf8')])) } // prettier-ignore
  const env = { X_KEY: SECRET, GO111MODULE: 'on', GOFLAGS: '-mod=mod', GOWORK: 'off' }
  expectSame(await printed(['go', 'run', '.'], files, env))
})

test('of a process there is a program for each SDK, and cURL says what it lacks', async ({ page, address }) => {
  await page.goto(address)
  await connect(page, `${everythingStdio.command} ${everythingStdio.args.join(' ')}`)
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-code').click()
  await expect(page.getByTestId('code-program')).toContainText('StdioClientTransport({')
  await page.getByTestId('code-language').getByText('cURL').click()
  await expect(page.getByTestId('code-note')).toContainText('cURL')
  await expect(page.getByTestId('code-program')).toHaveCount(0)
})
