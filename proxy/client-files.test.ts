import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clientPaths, PLACES, readClientFiles } from './client-files.ts'
import type { ClientId } from './wire.ts'

const machine = () => {
  const root = mkdtempSync(join(tmpdir(), 'periscope-clients-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [home, cwd] = [join(root, 'home'), join(root, 'work')]
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    return join(root, path)
  }
  return { root, write, around: { platform: 'linux', env: {}, home, cwd } }
}

const on = (platform: string, env: Record<string, string> = {}) =>
  clientPaths({ platform, env, home: '/h', cwd: '/w' }).map(
    ({ client, path }) => `${client} ${path.replaceAll('\\', '/')}`,
  )

test('each client has a place on each platform, with its documentation', () => {
  for (const platform of ['darwin', 'linux', 'win32', 'freebsd']) {
    expect(new Set(clientPaths({ platform, env: {}, home: '/h', cwd: '/w' }).map(({ client }) => client)).size).toBe(10)
  }
  expect(PLACES.every(({ source }) => source.startsWith('https://'))).toBe(true)
})

const CLINE = 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'
const MAC = '/h/Library/Application Support'
const WINDOWS = '/h/AppData/Roaming'

/** The same on every platform, or on macOS, Linux and Windows. */
const LOCATIONS: Readonly<Record<ClientId, readonly (string | readonly [mac: string, linux: string, windows: string])[]>> = {
  'claude-desktop': [
    [`${MAC}/Claude/claude_desktop_config.json`, '/h/.config/Claude/claude_desktop_config.json', `${WINDOWS}/Claude/claude_desktop_config.json`],
  ],
  'claude-code': ['/h/.claude.json', '/w/.mcp.json'],
  cursor: ['/h/.cursor/mcp.json', '/w/.cursor/mcp.json'],
  vscode: [
    [`${MAC}/Code/User/mcp.json`, '/h/.config/Code/User/mcp.json', `${WINDOWS}/Code/User/mcp.json`],
    [`${MAC}/Code/User/settings.json`, '/h/.config/Code/User/settings.json', `${WINDOWS}/Code/User/settings.json`],
    '/w/.vscode/mcp.json',
  ],
  windsurf: ['/h/.codeium/windsurf/mcp_config.json'],
  cline: [
    [`${MAC}/${CLINE}`, `/h/.config/${CLINE}`, `${WINDOWS}/${CLINE}`],
    '/h/.cline/data/settings/cline_mcp_settings.json',
  ],
  zed: [
    ['/h/.config/zed/settings.json', '/h/.config/zed/settings.json', `${WINDOWS}/Zed/settings.json`],
    '/w/.zed/settings.json',
  ],
  codex: ['/h/.codex/config.toml', '/w/.codex/config.toml'],
  'gemini-cli': ['/h/.gemini/settings.json', '/w/.gemini/settings.json'],
  'lm-studio': ['/h/.lmstudio/mcp.json', '/h/.cache/lm-studio/mcp.json'],
} // prettier-ignore

test.each(['darwin', 'linux', 'win32'])('on %s, exactly these files are looked for', (platform) => {
  const at = ['darwin', 'linux', 'win32'].indexOf(platform)
  const expected = Object.entries(LOCATIONS).flatMap(([client, paths]) =>
    paths.map((path) => `${client} ${typeof path === 'string' ? path : path[at]!}`),
  )
  expect(on(platform)).toEqual(expected)
})

test('places follow the platform and its variables', () => {
  expect(on('darwin')).toContain('claude-desktop /h/Library/Application Support/Claude/claude_desktop_config.json')
  expect(on('darwin')).toContain('zed /h/.config/zed/settings.json')
  expect(on('win32', { APPDATA: '/a' })).toContain('vscode /a/Code/User/mcp.json')
  expect(on('linux', { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/c' })).toEqual(
    expect.arrayContaining(['zed /x/zed/settings.json', 'codex /c/config.toml', 'claude-code /w/.mcp.json']),
  )
})

test('only files at these places are read, each once, and missing ones are left out', async () => {
  const { write, around } = machine()
  const cursor = write('home/.cursor/mcp.json', '{"mcpServers":{}}')
  const project = write('work/.mcp.json', '{"a":1}')
  write('home/.ssh/id_ed25519', 'private')
  expect(await readClientFiles(around)).toEqual([
    { client: 'claude-code', path: project, text: '{"a":1}' },
    { client: 'cursor', path: cursor, text: '{"mcpServers":{}}' },
  ])
  const files = await readClientFiles({ ...around, cwd: around.home })
  expect(files.map(({ path }) => path)).toEqual([cursor])
})

test('a linked file is followed; a folder, a pipe and a file that is too large are reported, and the others are read', async () => {
  const { root, write, around } = machine()
  const dotfiles = write('dotfiles/mcp.json', '{"linked":true}')
  const pipe = write('home/.claude.json', '')
  rmSync(pipe)
  execFileSync('sh', ['-c', `mkfifo '${pipe}'`])
  mkdirSync(join(root, 'home/.gemini/settings.json'), { recursive: true })
  truncateSync(write('home/.codex/config.toml', ''), 17 * 1024 * 1024)
  mkdirSync(join(root, 'home/.lmstudio'))
  symlinkSync(dotfiles, join(root, 'home/.lmstudio/mcp.json'))
  const files = await readClientFiles(around)
  expect(files.map(({ client, text, error }) => [client, text ?? error?.code])).toEqual([
    ['claude-code', 'not-a-file'],
    ['codex', 'too-large'],
    ['gemini-cli', expect.stringMatching(/not-a-file|EISDIR/)],
    ['lm-studio', '{"linked":true}'],
  ])
  // Tests never read the files of the one who runs them.
  expect(files.every(({ path }) => !path.startsWith(homedir()) || root.startsWith(homedir()))).toBe(true)
})
