/** A connection as code: what is pasted into a new project makes the same call. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { everythingStdio } from '../servers/everything.ts'
import { connect, expect, field, patient, test, violations } from './stage.ts'

const run = promisify(execFile)
const SECRET = 'Zx81qLmN0pQrS7tUvW'

const printed = async (program: string, name: string, code: string, env: Record<string, string>): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-code-'))
  try {
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, name), code)
    const { stdout } = await run(program, [name], { cwd: folder, env: { ...process.env, ...env }, timeout: patient(30_000) }) // prettier-ignore
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a call is shown as a program in each language, and the pasted program gets its result', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  await page.getByTestId('config-file').setInputFiles({
    name: 'mcp.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ mcpServers: { docs: { url: everythingUrl, headers: { 'X-Key': SECRET } } } })),
  })
  // Until the file is read, Connect has nothing to connect to.
  await expect(page.getByTestId('found-server')).toHaveCount(1)
  await page.getByTestId('connect-button').click()
  await page.getByTestId('tool-item').first().waitFor()
  await page.locator('[data-testid=tool-item][data-name="echo"]').click()
  await field(page, 'message').fill('it’s "here"')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toContainText('Echo: it’s')
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-code').click()
  const program = page.getByTestId('code-program')
  await expect(program).toContainText('client.listTools()')
  await expect(page.getByTestId('code-variables')).toContainText('X_KEY')
  expect(await violations(page)).toEqual([])

  const option = page.getByTestId('code-call').locator('option', { hasText: 'echo' })
  await page.getByTestId('code-call').selectOption({ label: (await option.innerText()).trim() })
  const language = (name: string) => page.getByTestId('code-language').getByText(name, { exact: true }).click()
  for (const [name, program_, file] of [
    ['TypeScript 2', process.execPath, 'example.mjs'],
    ['cURL', 'sh', 'example.sh'],
  ] as const) {
    await language(name)
    await page.getByTestId('code-copy').click()
    await expect(page.getByTestId('code-copy')).toHaveText('Copied')
    const code = await page.evaluate(() => navigator.clipboard.readText())
    expect(code).not.toContain(SECRET)
    expect(await printed(program_, file, code, { X_KEY: SECRET })).toContain('Echo: it’s')
    await expect(page.getByTestId('code-copy')).toHaveText('Copy')
  }
  await language('Python')
  await expect(program).toContainText('client.call_tool("echo", {"message": ')
  await language('Go')
  await expect(program).toContainText('session.CallTool(ctx, &mcp.CallToolParams{')
  await page.getByTestId('code-comparison').locator('summary').click()
  await expect(page.getByTestId('code-comparison')).toContainText('2.4.0')
  expect(await violations(page)).toEqual([])
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
