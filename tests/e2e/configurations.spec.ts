import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { everythingStdio } from '../servers/everything.ts'
import { longestWork } from '../main-thread.ts'
import { expect, isUnder, patient, startPeriscope, test, violations } from './stage.ts'

const SECRET = 'Zx81qLmN0pQrS7tUvW'

/** Everything that the page sends anywhere but to its own files, and every WebSocket that it opens. */
const requestsOf = (page: Page): string[] => {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!/^\/(?:assets\/|api\/(?:hello|launch)|[\w-]+\.\w+$|$)/.test(pathname)) sent.push(request.url())
  })
  page.on('websocket', (socket) => sent.push(socket.url()))
  return sent
}

/** Opens the page as someone does who follows a link while Periscope runs. */
const follow = async (page: Page, address: string, link: string) => {
  await page.goto(address)
  await expect(page.getByTestId('proxy-state')).toHaveAttribute('data-state', 'there')
  await page.evaluate((hash) => (location.hash = hash), link)
}

const dropped = (page: Page, name: string, text: string) => allDropped(page, [[name, text]])

const allDropped = (page: Page, files: readonly (readonly [name: string, text: string])[]) =>
  page.evaluate((all) => {
    const data = new DataTransfer()
    for (const [name, text] of all) data.items.add(new File([text], name))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  }, files)

test('a link fills in the form and connects only when the user does', async ({ page, address, everythingUrl }) => {
  const sent = requestsOf(page)
  await follow(page, address, `#/connect?url=${encodeURIComponent(everythingUrl)}&headers=X-Team&name=Docs`)
  await expect(page.getByTestId('connect-input')).toHaveValue(everythingUrl)
  await expect(page.getByTestId('link-note')).toBeVisible()
  await expect(page.getByTestId('fill-value')).toHaveCount(1)
  // A reload or Back must not fill it in again.
  expect(new URL(page.url()).hash).toBe('#/')
  expect(await violations(page)).toEqual([])
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('fill-value')).toBeFocused()
  expect(sent).toEqual([])
  await page.getByTestId('fill-value').fill('blue')
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  await expect(page.getByTestId('server-item')).toContainText('Docs')
})

test('a link with a configuration shows the command that it would run, and connects only when the user does', async ({
  page,
  address,
}) => {
  const { command, args } = everythingStdio
  const config = JSON.stringify({ mcpServers: { Docs: { command, args } } })
  const sent = requestsOf(page)
  await follow(page, address, `#/connect?config=${encodeURIComponent(config)}`)
  await expect(page.getByTestId('link-note')).toBeVisible()
  const server = page.getByTestId('found-server')
  await expect(server).toHaveCount(1)
  await expect(server.locator('b')).toHaveText('Docs')
  await expect(server.locator('code')).toHaveText([command, ...args].join(' '))
  expect(sent).toEqual([])
  await expect(page.getByTestId('server-item')).toHaveCount(0)
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible({ timeout: patient(15_000) })
  await expect(page.getByTestId('server-item')).toContainText('Docs')
})

test('a link chooses the transport, which the settings show', async ({ page, address }) => {
  await follow(page, address, '#/connect?url=http://127.0.0.1:9/sse&transport=sse')
  await expect(page.getByTestId('connect-input')).toHaveValue('http://127.0.0.1:9/sse')
  await page.getByTestId('connect-more').click()
  await expect(page.getByTestId('setting-transport')).toHaveAttribute('data-state', 'http-sse')
})

test.describe('a hostile link', () => {
  const evil = { command: 'sh', args: ['-c', 'touch /tmp/periscope-owned'], env: { A: 'b' } }
  const run = "sh -c 'touch /tmp/periscope-owned'"
  const markup = 'https://e.com/<svg/onload=alert(1)>'
  /** The link, the text that it leaves in the form, and the commands that it would run, to be read before connecting. */
  const links: Readonly<Record<string, readonly [query: string, text: RegExp | string, commands: readonly string[]]>> =
    {
      'with a command': [`config=${encodeURIComponent(JSON.stringify(evil))}`, /touch \/tmp\/periscope-owned/, [run]],
      'with many commands': [
        `config=${encodeURIComponent(JSON.stringify({ mcpServers: { a: evil, b: evil } }))}`,
        /touch \/tmp\/periscope-owned/,
        [run, run],
      ],
      'with a command that looks like a URL': ['url=sh%20-c%20evil', '', []],
      'with a script': ['url=javascript:alert(document.domain)', '', []],
      'with credentials': ['url=https://me:secret@e.com/mcp', '', []],
      'with markup': [`url=${encodeURIComponent(markup)}`, markup, []],
      'with markup that no URL has': [
        `url=${encodeURIComponent('https://e.com/<img src=x onerror=alert(1)>')}`,
        '',
        [],
      ],
      'with a broken configuration': ['config=%7B%22command', '', []],
      'with a deep configuration': [`config=${'['.repeat(3_000)}${']'.repeat(3_000)}`, '', []],
      'with a deep and broken configuration': [`config=${'['.repeat(50_000)}`, '', []],
      'with nothing': ['', '', []],
      'to a WebSocket': ['url=ws://127.0.0.1:9/mcp&name=x', 'ws://127.0.0.1:9/mcp', []],
      'to a WebSocket with credentials': ['url=wss://me:secret@e.com/mcp', '', []],
      'to a socket of this machine': ['url=unix:/var/run/docker.sock', 'unix:/var/run/docker.sock', []],
      'to a socket with a line end in its path': ['url=unix:/tmp/a%0Atouch%20b', '', []],
      'to a named pipe': ['url=npipe:docker_engine', 'npipe:docker_engine', []],
      'to a module that the proxy does not have': ['url=evil:run', '', []],
      'with a name that is markup': [
        `url=${markup}&name=${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
        markup,
        [],
      ],
      'with a name of another server': [
        `url=https://e.com/mcp&name=${encodeURIComponent(`GitHub\u202e\u0000${'x'.repeat(5_000)}`)}`,
        'https://e.com/mcp',
        [],
      ],
      'with headers that have values, line ends or forbidden names': [
        `url=https://e.com/mcp&headers=${encodeURIComponent('Authorization: Bearer x,A\r\nHost: evil,,__proto__,<b>,Cookie')}`,
        'https://e.com/mcp',
        [],
      ],
      'with thousands of headers': [
        `url=https://e.com/mcp&headers=${Array.from({ length: 5_000 }, (_, at) => `X-${at}`).join(',')}`,
        'https://e.com/mcp',
        [],
      ],
    }
  for (const [name, [query, text, commands]] of Object.entries(links)) {
    test(`${name} starts nothing and sends nothing`, async ({ page, address }) => {
      const sent = requestsOf(page)
      const dialogs: string[] = []
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message())
        void dialog.dismiss()
      })
      await follow(page, address, `#/connect?${query}`)
      // What fills in nothing is reported, and the form stays empty.
      await expect(page.getByTestId(text === '' ? 'notice' : 'link-note')).toBeVisible()
      await expect(page.getByTestId('link-note')).toHaveCount(text === '' ? 0 : 1)
      await expect(page.getByTestId('connect-input')).toHaveValue(text)
      await expect(page.getByTestId('found-server').locator('code')).toHaveText([...commands])
      // Nothing of a link is a value: each header that it names is asked for, and it names at most 20.
      expect(await page.getByTestId('fill-value').count()).toBeLessThanOrEqual(20)
      for (const value of await page.getByTestId('fill-value').all()) await expect(value).toHaveValue('')
      expect(new URL(page.url()).hash).toBe('#/')
      await page.reload()
      await expect(page.getByTestId('proxy-state')).toHaveAttribute('data-state', 'there')
      await expect(page.getByTestId('server-item')).toHaveCount(0)
      expect([sent, dialogs]).toEqual([[], []])
    })
  }
})

test('a configuration named at launch fills in the form with the named server, and shows none of its secrets', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-config-'))
  const file = join(folder, 'mcp.json')
  const { command, args } = everythingStdio
  const servers = {
    everything: { command, args, env: { TOKEN: SECRET, PLACE: '${PLACE}' } },
    other: { url: `https://e.com/mcp?api_key=${SECRET}` },
  }
  writeFileSync(file, JSON.stringify({ mcpServers: servers }))
  const periscope = await startPeriscope(['--config', file, '--server', 'everything'], [], { PLACE: 'here' })
  try {
    await page.goto(periscope.address)
    await expect(page.getByTestId('found-server')).toHaveCount(1)
    await expect(page.getByTestId('connect-input')).toHaveAttribute('placeholder', 'mcp.json')
    await expect(page.getByTestId('server-item')).toHaveCount(0)
    expect(await page.content()).not.toContain(SECRET)
    expect(await violations(page)).toEqual([])
    await page.reload()
    await expect(page.getByTestId('found-server')).toHaveCount(1)
    await page.getByTestId('fill-environment').click()
    await page.getByTestId('connect-button').click()
    await expect(page.getByTestId('tool-item').first()).toBeVisible({ timeout: patient(15_000) })
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(stored).not.toContain(SECRET)
  } finally {
    await periscope.close()
    rmSync(folder, { recursive: true })
  }
})

test('a dropped configuration goes into the form, a recording opens, and typing takes its place', async ({
  page,
  address,
}) => {
  const sent = requestsOf(page)
  await page.goto(address)
  await expect(page.getByTestId('proxy-state')).toHaveAttribute('data-state', 'there')
  await dropped(page, 'config.toml', `[mcp_servers.a]\ncommand = "npx"\nargs = ["--token", "${SECRET}"]\n\n[mcp_servers.b]\nurl = "http://127.0.0.1:9/mcp"\nbearer_token_env_var = "T"\n`)
  await expect(page.getByTestId('found-server')).toHaveCount(2)
  await expect(page.getByTestId('connect-understood')).toContainText('Codex')
  expect(await page.content()).not.toContain(SECRET)
  await dropped(page, 'mcp.json', '{ "mcpServers": { "a": { "command": } } }')
  await expect(page.getByTestId('connect-understood')).toContainText('line 1')
  await page.getByTestId('file-remove').click()
  await expect(page.getByTestId('connect-understood')).toHaveAttribute('data-state', 'nothing')
  await expect(page.getByTestId('connect-input')).toBeFocused()
  await dropped(page, 'settings.json', '{ "mcp.servers": { "only": { "command": "node" } } }')
  await expect(page.getByTestId('found-server')).toHaveCount(1)
  await page.getByTestId('connect-input').pressSequentially('http://127.0.0.1:9/mcp')
  await expect(page.getByTestId('connect-input')).toHaveValue('http://127.0.0.1:9/mcp')
  await expect(page.getByTestId('found-server')).toHaveCount(0)
  await dropped(page, 'notes.json', '{"neither": "a recording nor a configuration"}')
  await expect(page.getByTestId('notice')).toContainText('notes.json')
  expect(sent).toEqual([])
}) // prettier-ignore

test('the inputs of a configuration are asked for as it describes them, and their values reach the server', async ({
  page,
  address,
}) => {
  const inputs = [
    { type: 'promptString', id: 'code', description: 'Code of the team', password: true },
    { type: 'pickString', id: 'region', description: 'Region of the data', options: ['eu', 'us'], default: 'eu' },
  ]
  const env = { TEAM_CODE: '${input:code}', TEAM_REGION: '${input:region}' }
  await page.goto(address)
  await expect(page.getByTestId('proxy-state')).toHaveAttribute('data-state', 'there')
  await dropped(page, 'mcp.json', JSON.stringify({ inputs, servers: { docs: { ...everythingStdio, env } } }))
  const code = page.getByLabel('Code of the team')
  const region = page.getByLabel('Region of the data')
  await expect(code).toHaveAttribute('data-state', 'missing')
  await expect(region).toHaveAttribute('placeholder', 'default: eu')
  expect(
    await region.evaluate((field: HTMLInputElement) => Array.from(field.list!.options, ({ value }) => value)),
  ).toEqual(['eu', 'us'])
  expect(await violations(page)).toEqual([])
  // The default counts, and the other value is needed.
  await page.getByTestId('connect-input').press('Enter')
  await expect(code).toBeFocused()
  await code.fill('blue-lagoon')
  await region.fill('us')
  const drawn = (field: HTMLInputElement) => getComputedStyle(field).getPropertyValue('-webkit-text-security')
  expect([await code.evaluate(drawn), await region.evaluate(drawn)]).toEqual(['disc', 'none'])
  await region.fill('')
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid=tool-item][data-name=get-env]').click({ timeout: patient(15_000) })
  await page.getByTestId('tool-run').click()
  const result = page.getByTestId('tool-result')
  await expect(result).toContainText('blue-lagoon')
  await expect(result).toContainText(/TEAM_REGION\W+eu\W/)
})

test('several dropped or chosen configurations are all read, and so are several pasted command lines', async ({
  page,
  address,
}) => {
  const names = () => page.getByTestId('found-server').locator('b').allTextContents()
  const files = [
    ['mcp.json', '{ "mcpServers": { "docs": { "url": "http://127.0.0.1:9/mcp" } } }'],
    ['config.toml', `[mcp_servers.files]\ncommand = "npx"\nargs = ["--token", "${SECRET}"]\n`],
    ['settings.json', '{ "mcpServers": { "a": ${SECRET} } }'],
  ] as const
  await page.goto(address)
  await allDropped(page, files)
  await expect.poll(names).toEqual(['docs', 'files', 'settings.json'])
  await expect(page.getByTestId('found-server').last()).toContainText("can't be read")
  expect(await page.content()).not.toContain(SECRET)
  await page.getByTestId('file-remove').click()
  await page
    .getByTestId('config-file')
    .setInputFiles(files.slice(0, 2).map(([name, text]) => ({ name, mimeType: '', buffer: Buffer.from(text) })))
  await expect.poll(names).toEqual(['docs', 'files'])
  await page
    .getByTestId('connect-input')
    .fill('claude mcp add -t http one http://127.0.0.1:9/mcp\n# files\n$ claude mcp add two -- npx -y files')
  await expect.poll(names).toEqual(['one', 'two'])
})

test('the servers of other clients on this machine are listed on request, with what is wrong with a file', async ({
  page,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'periscope-home-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  write('.cursor/mcp.json', JSON.stringify({ mcpServers: { docs: { url: 'https://e.com/mcp', headers: { 'X-Key': SECRET } }, files: { command: 'npx', args: ['-y', 'files', '--api-key', SECRET] } } })) // prettier-ignore
  write('.codex/config.toml', '[mcp_servers.figma]\nurl = "https://mcp.figma.com/mcp"\n')
  write('.config/zed/settings.json', '{ "theme": "One Dark" }')
  write('.gemini/settings.json', '{ "mcpServers": { "a" 1 } }')
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: '', CODEX_HOME: '' }
  const periscope = await startPeriscope([], [], env)
  try {
    const sent = requestsOf(page)
    await page.goto(periscope.address)
    await expect(page.getByTestId('connect-machine')).toBeVisible()
    expect(sent).toEqual([])
    await page.getByTestId('connect-machine').click()
    const files = page.getByTestId('machine-file')
    await expect(files).toHaveCount(3)
    await expect(page.getByTestId('machine-server')).toHaveCount(3)
    await expect(files.and(page.locator('[data-client=gemini-cli]'))).toContainText('line 1')
    expect(await page.content()).not.toContain(SECRET)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Fill in docs' }).click()
    await expect(page.getByTestId('machine-servers')).toHaveCount(0)
    await expect(page.getByTestId('found-server')).toHaveCount(1)
    await expect(page.getByTestId('found-server')).toContainText('X-Key')
    await expect(page.getByTestId('server-item')).toHaveCount(0)
    expect(sent.filter((url) => !url.includes('/api/clients'))).toEqual([])
  } finally {
    await periscope.close()
    rmSync(home, { recursive: true })
  }
})

test('each of the ten clients has its servers listed with the file that they are in', async ({ page }) => {
  const home = mkdtempSync(join(tmpdir(), 'periscope-home-'))
  const json = (key: string, entry: object) => JSON.stringify({ [key]: entry })
  const process = { command: 'npx', args: ['-y', 'files', '--api-key', SECRET], env: { A_KEY: SECRET } }
  const config = { darwin: 'Library/Application Support', win32: 'AppData/Roaming' }[globalThis.process.platform as string] ?? '.config'
  const cline = `${config}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`
  const zed = globalThis.process.platform === 'win32' ? `${config}/Zed/settings.json` : '.config/zed/settings.json'
  /** The client, its file, the text, and the names of the servers. */
  const all: readonly (readonly [client: string, path: string, text: string, names: readonly string[]])[] = [
    ['claude-desktop', `${config}/Claude/claude_desktop_config.json`, json('mcpServers', { desktop: process }), ['desktop']],
    ['claude-code', '.claude.json', JSON.stringify({ mcpServers: { db: process }, projects: { '/a': { mcpServers: { db: process } } } }), ['db', 'db']],
    ['cursor', '.cursor/mcp.json', json('mcpServers', { cursor: { url: 'https://cursor.example/mcp', headers: { 'X-Key': SECRET } } }), ['cursor']],
    ['vscode', `${config}/Code/User/mcp.json`, `// Mine\n${json('servers', { code: { type: 'http', url: 'https://code.example/mcp' } })}`, ['code']],
    ['windsurf', '.codeium/windsurf/mcp_config.json', json('mcpServers', { surf: { serverUrl: 'https://surf.example/mcp' } }), ['surf']],
    ['cline', cline, json('mcpServers', { cline: { ...process, disabled: true } }), ['cline']],
    ['zed', zed, `// Zed\n${json('context_servers', { zed: { command: { path: 'node', args: ['zed.js'], env: {} } } })}`, ['zed']],
    ['codex', '.codex/config.toml', `[mcp_servers.codex]\ncommand = "codex"\nargs = ["--token", "${SECRET}"]\n`, ['codex']],
    ['gemini-cli', '.gemini/settings.json', json('mcpServers', { gemini: { httpUrl: 'https://gemini.example/mcp' } }), ['gemini']],
    ['lm-studio', '.lmstudio/mcp.json', json('mcpServers', { studio: { url: 'https://studio.example/mcp' } }), ['studio']],
  ]
  for (const [, path, text] of all) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, config), XDG_CONFIG_HOME: '', CODEX_HOME: '' }
  const periscope = await startPeriscope([], [], env)
  try {
    const sent = requestsOf(page)
    await page.goto(periscope.address)
    await page.getByTestId('connect-machine').click()
    await expect(page.getByTestId('machine-file')).toHaveCount(all.length)
    for (const [client, path, , names] of all) {
      const file = page.getByTestId('machine-file').and(page.locator(`[data-client=${client}]`))
      await expect(file).toContainText(join(home, path))
      await expect(file.getByTestId('machine-server').locator('b')).toHaveText([...names])
    }
    await expect(page.getByTestId('machine-problem')).toHaveCount(0)
    expect(await page.content()).not.toContain(SECRET)
    expect(await violations(page)).toEqual([])
    // Each one goes into the form, and nothing connects.
    for (const [client, , , names] of all) {
      await page.locator(`[data-client=${client}]`).getByTestId('machine-take').first().click()
      await expect(page.getByTestId('found-server').locator('b')).toHaveText([...names])
      await page.getByTestId('connect-machine').click()
    }
    expect(sent.filter((url) => !url.includes('/api/clients'))).toEqual([])
    await expect(page.getByTestId('server-item')).toHaveCount(0)
  } finally {
    await periscope.close()
    rmSync(home, { recursive: true })
  }
}) // prettier-ignore

test('servers are added to a file of 16 million characters, and it is shown, without holding the page', async ({
  page,
  browser,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(everythingUrl)
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-export').click()
  const preview = page.getByTestId('export-preview')
  await expect(preview).toContainText('mcpServers')
  const history = Array.from({ length: 100_000 }, (_, at) => `    "${at}": "${'long '.repeat(28)}"`).join(',\n')
  const text = `{\n  "mcpServers": {},\n  "history": {\n${history}\n  }\n}\n`
  expect(text.length).toBeGreaterThan(15_000_000)
  // From the disk: a buffer would be decoded in the page.
  const folder = mkdtempSync(join(tmpdir(), 'periscope-'))
  const path = join(folder, 'claude.json')
  writeFileSync(path, text)
  const longest = await longestWork(browser, page, async () => {
    await page.getByTestId('export-file-input').setInputFiles(path)
    await page.getByTestId('export-shows').getByText('Whole file').click()
    await expect(preview).toContainText('"history"', { timeout: patient(20_000) })
    await preview.getByTestId('show-rest').click()
    await expect(preview.locator('span')).toHaveCount(2)
    await expect(page.getByTestId('export-cut')).toContainText(/first 9\d,\d+ of 1[5-9],\d+,\d+ characters/)
  })
  // Nothing waits for it.
  expect(isUnder(50, longest), `${longest} ms`).toBe(true)
  // A copy would be a part of the file.
  await expect(page.getByTestId('export-copy')).toHaveCount(0)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-save').click()])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(saved).toContain(history)
  expect(saved).toContain(everythingUrl)
  rmSync(folder, { recursive: true })
})

test('a server is exported for another client: as a new file, into an existing one, as a command, and as a badge', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('config-file').setInputFiles({
    name: 'mcp.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ mcpServers: { docs: { url: everythingUrl, headers: { 'X-Key': SECRET } } } })),
  })
  // Until the file is read, Connect has nothing to connect to.
  await expect(page.getByTestId('found-server')).toHaveCount(1)
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-export').click()
  const dialog = page.getByTestId('export-dialog')
  const preview = page.getByTestId('export-preview')
  await expect(preview).toContainText('"X-Key": "${DOCS_X_KEY}"')
  await expect(page.getByTestId('export-command')).toContainText('claude mcp add --transport http docs')
  expect(await dialog.innerText()).not.toContain(SECRET)
  expect(await violations(page)).toEqual([])
  await page.getByTestId('export-client').selectOption('codex')
  await expect(preview).toContainText('[mcp_servers.docs]')
  await page.getByTestId('export-client').selectOption('cursor')
  await dialog.getByText('As entered').click()
  await expect(preview).toContainText(SECRET)
  await dialog.getByText('As references').click()
  await expect(preview).not.toContainText(SECRET)

  const existing = `{\n  // Mine\n  "mcpServers": {\n    "other": { "command": "x", "disabled": true, "env": { "A": "${SECRET}" } }, // keep\n  }\n}\n`
  const into = (name: string, text: string) =>
    page
      .getByTestId('export-file-input')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await into('broken.json', '{ "mcpServers": ')
  await expect(page.getByTestId('export-problem')).toContainText('broken.json')
  await into('cursor.json', existing)
  await expect(page.getByTestId('export-into')).toContainText('cursor.json')
  // The rest of the file isn't shown.
  expect(await dialog.innerText()).not.toContain(SECRET)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-save').click()])
  expect(download.suggestedFilename()).toBe('cursor.json')
  const saved = readFileSync(await download.path(), 'utf8')
  for (const line of existing.split('\n')) expect(saved).toContain(line)
  expect(saved).toContain('"X-Key": "${env:DOCS_X_KEY}"')
  // Unless the user wants to see it: then it is exactly what Save writes.
  await page.getByTestId('export-shows').getByText('Whole file').click()
  expect(await preview.evaluate(({ textContent }) => textContent)).toBe(saved)
  expect(await violations(page)).toEqual([])

  await page.getByTestId('export-client').selectOption('badge')
  await expect(page.getByTestId('badge-local')).toBeVisible()
  await page.getByTestId('badge-page').fill('https://periscope.example/')
  await expect(page.getByTestId('badge-local')).toHaveCount(0)
  await expect(page.getByTestId('badge-markdown')).toContainText('](https://periscope.example/#/connect?url=')
  expect(await dialog.innerText()).not.toContain(SECRET)
  expect(await violations(page)).toEqual([])
})
