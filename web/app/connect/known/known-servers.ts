/**
 * Known servers to try, as data. Commands and URLs are those of each server's own documentation at `AS_OF`; the reference
 * servers that were archived in 2025 aren't listed, but what replaced them is. Update an entry together with the date.
 */
import type { ConfigInput } from '../configured-server.ts'
import { placeholderFor } from '../placeholders.ts'
import type { Target } from '../target.ts'

/** When the list was last compared with its sources. */
export const AS_OF = '2026-11-28'

/** What must be there before it can be used. */
export type Need = 'node' | 'node-22' | 'uv' | 'key' | 'sign-in' | 'folder' | 'repository' | 'database'

export type KnownId =
  | 'everything'
  | 'filesystem'
  | 'memory'
  | 'sequential-thinking'
  | 'git'
  | 'fetch'
  | 'time'
  | 'github'
  | 'postgres'
  | 'sqlite'
  | 'brave-search'
  | 'slack'
  | 'sentry'
  | 'playwright'

export interface KnownServer {
  /** Its sentence in the catalogues as well. */
  readonly id: KnownId
  readonly name: string
  readonly target: Target
  readonly needs: readonly Need[]
  /** Where one gets the key that it needs. */
  readonly key?: string
  readonly source: string
  readonly inputs?: readonly ConfigInput[]
}

const REFERENCE = 'https://github.com/modelcontextprotocol/servers/tree/main/src'

const command = (line: string, variables: readonly string[] = []): Target => {
  const [program = '', ...args] = line.split(' ')
  return { kind: 'command', command: program, args, env: Object.fromEntries(variables.map((name) => [name, placeholderFor(name)])) } // prettier-ignore
}

/** A value that isn't secret, so it is shown while it is typed. */
const open = (text: string): readonly ConfigInput[] => [{ text, isPublic: true }]

/** A secret, and where one gets it. */
const secret = (name: string, description: string): readonly ConfigInput[] => [
  { text: placeholderFor(name), description },
]

const GITHUB_KEY = 'https://github.com/settings/personal-access-tokens'
const BRAVE_KEY = 'https://api-dashboard.search.brave.com/app/keys'
const SLACK_KEY = 'https://api.slack.com/apps'

export const KNOWN_SERVERS: readonly KnownServer[] = [
  {
    id: 'everything',
    name: 'Everything',
    target: command('npx -y @modelcontextprotocol/server-everything'),
    needs: ['node'],
    source: `${REFERENCE}/everything`,
  },
  {
    id: 'filesystem',
    name: 'Filesystem',
    target: command('npx -y @modelcontextprotocol/server-filesystem <directory>'),
    needs: ['node', 'folder'],
    source: `${REFERENCE}/filesystem`,
    inputs: open('<directory>'),
  },
  {
    id: 'memory',
    name: 'Memory',
    target: command('npx -y @modelcontextprotocol/server-memory'),
    needs: ['node'],
    source: `${REFERENCE}/memory`,
  },
  {
    id: 'sequential-thinking',
    name: 'Sequential Thinking',
    target: command('npx -y @modelcontextprotocol/server-sequential-thinking'),
    needs: ['node'],
    source: `${REFERENCE}/sequentialthinking`,
  },
  {
    id: 'git',
    name: 'Git',
    target: command('uvx mcp-server-git --repository <repository>'),
    needs: ['uv', 'repository'],
    source: `${REFERENCE}/git`,
    inputs: open('<repository>'),
  },
  {
    id: 'fetch',
    name: 'Fetch',
    target: command('uvx mcp-server-fetch'),
    needs: ['uv'],
    source: `${REFERENCE}/fetch`,
  },
  {
    id: 'time',
    name: 'Time',
    target: command('uvx mcp-server-time'),
    needs: ['uv'],
    source: `${REFERENCE}/time`,
  },
  {
    id: 'github',
    name: 'GitHub',
    target: {
      kind: 'url',
      url: 'https://api.githubcopilot.com/mcp/',
      headers: [['Authorization', `Bearer ${placeholderFor('GITHUB_PERSONAL_ACCESS_TOKEN')}`]],
    },
    needs: ['key'],
    key: GITHUB_KEY,
    source: 'https://github.com/github/github-mcp-server',
    inputs: secret('GITHUB_PERSONAL_ACCESS_TOKEN', GITHUB_KEY),
  },
  {
    id: 'postgres',
    name: 'PostgreSQL (DBHub)',
    target: command('npx -y @bytebase/dbhub@latest --transport stdio', ['DSN']),
    needs: ['node-22', 'database'],
    source: 'https://github.com/bytebase/dbhub',
    inputs: [{ text: '${DSN}', description: 'postgres://user:password@localhost:5432/dbname?sslmode=disable' }],
  },
  {
    id: 'sqlite',
    name: 'SQLite (DBHub)',
    target: command('npx -y @bytebase/dbhub@latest --transport stdio --dsn sqlite:///<file>'),
    needs: ['node-22', 'database'],
    source: 'https://github.com/bytebase/dbhub',
    inputs: open('<file>'),
  },
  {
    id: 'brave-search',
    name: 'Brave Search',
    target: command('npx -y @brave/brave-search-mcp-server --transport stdio', ['BRAVE_API_KEY']),
    needs: ['node', 'key'],
    key: BRAVE_KEY,
    source: 'https://github.com/brave/brave-search-mcp-server',
    inputs: secret('BRAVE_API_KEY', BRAVE_KEY),
  },
  {
    id: 'slack',
    name: 'Slack',
    target: command('npx -y slack-mcp-server@latest --transport stdio', ['SLACK_MCP_XOXP_TOKEN']),
    needs: ['node', 'key'],
    key: SLACK_KEY,
    source: 'https://github.com/korotovsky/slack-mcp-server',
    inputs: secret('SLACK_MCP_XOXP_TOKEN', SLACK_KEY),
  },
  {
    id: 'sentry',
    name: 'Sentry',
    target: { kind: 'url', url: 'https://mcp.sentry.dev/mcp', headers: [] },
    needs: ['sign-in'],
    source: 'https://docs.sentry.io/product/sentry-mcp',
  },
  {
    id: 'playwright',
    name: 'Playwright',
    target: command('npx -y @playwright/mcp@latest'),
    needs: ['node'],
    source: 'https://github.com/microsoft/playwright-mcp',
  },
]
