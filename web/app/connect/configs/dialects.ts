/**
 * Where clients keep their servers in a configuration, as data: one row per dialect, in the order in which they are
 * looked for. The entries themselves differ only in a few names, which `server-entry.ts` knows.
 */

/** A path of keys; `*` matches any key, such as the folder of a project. */
export type KeyPath = readonly string[]

interface DialectSpec {
  readonly id: string
  /** The name of the format, the same in every language. */
  readonly format: string
  /** Where the servers are. All of them count, because a file may use several. */
  readonly paths: readonly KeyPath[]
  /** The documentation of the format, and when the row was last compared with it. */
  readonly source: string
  readonly asOf: string
}

export const DIALECTS = [
  {
    id: 'claude.json',
    format: '~/.claude.json',
    // Counts only if there are projects; otherwise it is `mcpServers`, as most clients write it.
    paths: [['mcpServers'], ['projects', '*', 'mcpServers']],
    source: 'https://code.claude.com/docs/en/mcp',
    asOf: '2026-11-28',
  },
  {
    id: 'mcpServers',
    format: 'mcpServers',
    paths: [['mcpServers'], ['amp.mcpServers']],
    source: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
    asOf: '2026-11-28',
  },
  {
    id: 'context_servers',
    format: 'Zed context_servers',
    paths: [['context_servers']],
    source: 'https://zed.dev/docs/ai/mcp',
    asOf: '2026-11-28',
  },
  {
    id: 'mcp_servers',
    format: 'Codex mcp_servers',
    paths: [['mcp_servers']],
    source: 'https://developers.openai.com/codex/mcp',
    asOf: '2026-11-28',
  },
  {
    id: 'servers',
    format: 'VS Code servers',
    // `mcp.json`, `settings.json` (nested and flat), a `.code-workspace`, a `devcontainer.json`.
    paths: [
      ['servers'],
      ['mcp', 'servers'],
      ['mcp.servers'],
      ['settings', 'mcp', 'servers'],
      ['settings', 'mcp.servers'],
      ['customizations', 'vscode', 'mcp', 'servers'],
    ],
    source: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
    asOf: '2026-11-28',
  },
  {
    id: 'opencode',
    format: 'opencode mcp',
    paths: [['mcp']],
    source: 'https://opencode.ai/docs/mcp-servers',
    asOf: '2026-11-28',
  },
] as const satisfies readonly DialectSpec[]

/** `array`: servers without a map. `add`: the command line of a client. `link`: a link that installs a server in one. */
export type Dialect = (typeof DIALECTS)[number]['id'] | 'server.json' | 'single' | 'array' | 'add' | 'link'

/** Where VS Code keeps the inputs of the servers in a place. */
export const inputsPlace = (path: KeyPath): KeyPath => [
  ...path.slice(0, -1),
  path.at(-1) === 'mcp.servers' ? 'mcp.inputs' : 'inputs',
]
