import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clientPaths, PLACES, readClientFiles } from './client-files.ts'

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
