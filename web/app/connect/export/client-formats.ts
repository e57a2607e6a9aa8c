/** How each client writes a server, as data: the file, the place in it, the names of the keys, and how values are referred to. */
import type { ClientId } from '../../../../proxy/wire.ts'

/** How a file refers to a value that it doesn't contain. `placeholder`: it can't, so the user replaces it. */
type ReferenceStyle = 'env' | 'shell' | 'input' | 'codex' | 'placeholder'

export interface ClientFormat {
  /** The name of a new file. */
  readonly file: string
  readonly notation: 'json' | 'toml'
  /** The keys of the servers' map. */
  readonly path: readonly string[]
  readonly references: ReferenceStyle
  /** The key of a URL over Streamable HTTP, and over HTTP+SSE. Absent: the client starts processes only. */
  readonly url?: { readonly http: string; readonly sse: string }
  /** The key of the headers. */
  readonly headers: 'headers' | 'http_headers'
  /** What `type` says of each transport; absent: the client has no `type`, or infers it. */
  readonly types?: { readonly stdio?: string; readonly http?: string; readonly sse?: string }
  /** It can't use HTTP+SSE. */
  readonly noSse?: true
  /** Processes may have a working directory. */
  readonly cwd?: true
  /** Names of servers have letters, digits, hyphens and underscores only. */
  readonly plainNames?: true
  /** Its own command that adds a server. */
  readonly command?: 'claude' | 'codex' | 'gemini' | 'code'
  /** Its documentation. */
  readonly source: string
}

const URL_ONLY = { http: 'url', sse: 'url' } as const

export const FORMATS: Readonly<Record<ClientId, ClientFormat>> = {
  'claude-desktop': {
    file: 'claude_desktop_config.json',
    notation: 'json',
    path: ['mcpServers'],
    references: 'placeholder',
    headers: 'headers',
    source: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  },
  'claude-code': {
    // It is `.mcp.json`, but browsers remove the dot from a download.
    file: 'mcp.json',
    notation: 'json',
    path: ['mcpServers'],
    references: 'shell',
    url: URL_ONLY,
    headers: 'headers',
    types: { http: 'http', sse: 'sse' },
    plainNames: true,
    command: 'claude',
    source: 'https://code.claude.com/docs/en/mcp',
  },
  cursor: {
    file: 'mcp.json',
    notation: 'json',
    path: ['mcpServers'],
    references: 'env',
    url: URL_ONLY,
    headers: 'headers',
    source: 'https://cursor.com/docs/mcp',
  },
  vscode: {
    file: 'mcp.json',
    notation: 'json',
    path: ['servers'],
    references: 'input',
    url: URL_ONLY,
    headers: 'headers',
    types: { stdio: 'stdio', http: 'http', sse: 'sse' },
    cwd: true,
    command: 'code',
    source: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
  },
  windsurf: {
    file: 'mcp_config.json',
    notation: 'json',
    path: ['mcpServers'],
    references: 'env',
    url: { http: 'serverUrl', sse: 'serverUrl' },
    headers: 'headers',
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  },
  cline: {
    file: 'cline_mcp_settings.json',
    notation: 'json',
    path: ['mcpServers'],
    references: 'placeholder',
    url: URL_ONLY,
    headers: 'headers',
    types: { http: 'streamableHttp', sse: 'sse' },
    source: 'https://docs.cline.bot/mcp/adding-and-configuring-servers',
  },
  zed: {
    file: 'settings.json',
    notation: 'json',
    path: ['context_servers'],
    references: 'placeholder',
    url: URL_ONLY,
    headers: 'headers',
    source: 'https://zed.dev/docs/ai/mcp',
  },
  codex: {
    file: 'config.toml',
    notation: 'toml',
    path: ['mcp_servers'],
    references: 'codex',
    url: URL_ONLY,
    headers: 'http_headers',
    noSse: true,
    cwd: true,
    plainNames: true,
    command: 'codex',
    source: 'https://developers.openai.com/codex/mcp',
  },
  'gemini-cli': {
    file: 'settings.json',
    notation: 'json',
    path: ['mcpServers'],
    references: 'shell',
    url: { http: 'httpUrl', sse: 'url' },
    headers: 'headers',
    cwd: true,
    plainNames: true,
    command: 'gemini',
    source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
  },
  'lm-studio': {
    file: 'mcp.json',
    notation: 'json',
    path: ['mcpServers'],
    references: 'placeholder',
    url: URL_ONLY,
    headers: 'headers',
    source: 'https://lmstudio.ai/docs/app/mcp',
  },
}
