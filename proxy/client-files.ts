/**
 * The configuration files of MCP clients on this machine, read when the page asks for them (rule 20). Only these places
 * are looked at, and nothing is interpreted: the page finds the servers.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { size } from './refusal.ts'
import type { ClientFile, ClientId } from './wire.ts'

/** Bytes of one file. Claude Code's own has its history as well. */
const MAX_FILE = 16 * 1024 * 1024

type Platform = 'darwin' | 'linux' | 'win32'

interface ClientPlace {
  readonly client: ClientId
  /** Relative to one of the folders in `Folders`; a string is the same on all platforms. */
  readonly path: string | Readonly<Partial<Record<Platform, string>>>
  /** The documentation that names the place. */
  readonly source: string
}

const CLINE = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'

const inVsCode = (file: string): ClientPlace['path'] => `{config}/Code/User/${file}`

const DOCS = {
  claudeDesktop: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  claudeCode: 'https://code.claude.com/docs/en/mcp',
  cursor: 'https://cursor.com/docs/mcp',
  vscode: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
  windsurf: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  cline: 'https://docs.cline.bot/mcp/adding-and-configuring-servers',
  zed: 'https://zed.dev/docs/ai/mcp',
  codex: 'https://developers.openai.com/codex/mcp',
  gemini: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
  lmStudio: 'https://lmstudio.ai/docs/app/mcp',
} as const

/** `{home}`, `{config}` and `{cwd}` are replaced by folders: see `foldersOf`. */
export const PLACES: readonly ClientPlace[] = [
  { client: 'claude-desktop', path: '{config}/Claude/claude_desktop_config.json', source: DOCS.claudeDesktop },
  { client: 'claude-code', path: '{home}/.claude.json', source: DOCS.claudeCode },
  { client: 'claude-code', path: '{cwd}/.mcp.json', source: DOCS.claudeCode },
  { client: 'cursor', path: '{home}/.cursor/mcp.json', source: DOCS.cursor },
  { client: 'cursor', path: '{cwd}/.cursor/mcp.json', source: DOCS.cursor },
  { client: 'vscode', path: inVsCode('mcp.json'), source: DOCS.vscode },
  { client: 'vscode', path: inVsCode('settings.json'), source: DOCS.vscode },
  { client: 'vscode', path: '{cwd}/.vscode/mcp.json', source: DOCS.vscode },
  { client: 'windsurf', path: '{home}/.codeium/windsurf/mcp_config.json', source: DOCS.windsurf },
  { client: 'cline', path: inVsCode(CLINE), source: DOCS.cline },
  { client: 'cline', path: '{home}/.cline/data/settings/cline_mcp_settings.json', source: DOCS.cline },
  {
    client: 'zed',
    path: {
      darwin: '{home}/.config/zed/settings.json',
      linux: '{config}/zed/settings.json',
      win32: '{config}/Zed/settings.json',
    },
    source: DOCS.zed,
  },
  { client: 'zed', path: '{cwd}/.zed/settings.json', source: DOCS.zed },
  { client: 'codex', path: '{codex}/config.toml', source: DOCS.codex },
  { client: 'codex', path: '{cwd}/.codex/config.toml', source: DOCS.codex },
  { client: 'gemini-cli', path: '{home}/.gemini/settings.json', source: DOCS.gemini },
  { client: 'gemini-cli', path: '{cwd}/.gemini/settings.json', source: DOCS.gemini },
  { client: 'lm-studio', path: '{home}/.lmstudio/mcp.json', source: DOCS.lmStudio },
  { client: 'lm-studio', path: '{home}/.cache/lm-studio/mcp.json', source: DOCS.lmStudio },
]

interface Surroundings {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly cwd: string
}

const foldersOf = ({ platform, env, home, cwd }: Surroundings): Readonly<Record<string, string>> => ({
  home,
  cwd,
  /** Where applications keep the user's settings. */
  config:
    platform === 'win32'
      ? env['APPDATA'] || join(home, 'AppData/Roaming')
      : platform === 'darwin'
        ? join(home, 'Library/Application Support')
        : env['XDG_CONFIG_HOME'] || join(home, '.config'),
  codex: env['CODEX_HOME'] || join(home, '.codex'),
})

/** The files to look for. If Periscope runs in the home directory, some places are named twice. */
export function clientPaths(around: Surroundings): readonly { readonly client: ClientId; readonly path: string }[] {
  const folders = foldersOf(around)
  const platform: Platform = around.platform === 'darwin' || around.platform === 'win32' ? around.platform : 'linux'
  const seen = new Set<string>()
  return PLACES.flatMap(({ client, path: template }) => {
    const written = typeof template === 'string' ? template : template[platform]
    const [, folder = '', rest = ''] = /^\{(\w+)\}\/(.*)$/.exec(written ?? '') ?? []
    const path = join(folders[folder] ?? '', rest)
    if (rest === '' || seen.has(path)) return []
    seen.add(path)
    return [{ client, path }]
  })
}

const OWN: Surroundings = { platform: process.platform, env: process.env, home: homedir(), cwd: process.cwd() }

/** The files that exist, each with its text or why it can't be read. Missing files are left out. */
export async function readClientFiles(around: Surroundings = OWN): Promise<readonly ClientFile[]> {
  const files = await Promise.all(
    clientPaths(around).map(async ({ client, path }): Promise<ClientFile | undefined> => {
      try {
        return { client, path, text: await textAt(path) }
      } catch (error) {
        const { code = 'unreadable', message } = error as NodeJS.ErrnoException
        return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { client, path, error: { code, message } }
      }
    }),
  )
  return files.filter((file) => file !== undefined)
}

/**
 * Follows symbolic links, because many people keep such files in a repository and link to them. Without `O_NONBLOCK`,
 * opening a named pipe would wait for its writer.
 */
async function textAt(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = await file.stat()
    if (!found.isFile()) throw unreadable('not-a-file', "This isn't a file.")
    if (found.size > MAX_FILE) {
      throw unreadable('too-large', `The file has ${size(found.size)}. The limit is ${size(MAX_FILE)}.`)
    }
    // Not more, although it may grow meanwhile.
    const { bytesRead, buffer } = await file.read(Buffer.alloc(found.size), 0, found.size, 0)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } finally {
    await file.close()
  }
}

const unreadable = (code: string, message: string): Error => Object.assign(new Error(message), { code })
