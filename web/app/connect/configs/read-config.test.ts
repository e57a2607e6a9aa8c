/** Real configurations, as the documentation of each client shows them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../../../tests/patience.ts'
import { DIALECTS } from './dialects.ts'
import { readConfig } from './read-config.ts'
import { understand } from '../connect-input.ts'
import type { ConfiguredServer } from '../configured-server.ts'
import { fillIn, placeholdersIn } from '../placeholders.ts'
import { missingIn } from '../references.ts'
import type { UrlTarget } from '../target.ts'

const read = (text: string) => {
  const understood = understand(text, undefined, () => readConfig)
  if (understood.kind !== 'servers') throw new Error(JSON.stringify(understood))
  return understood
}

const only = (text: string): ConfiguredServer => {
  const { servers } = read(text)
  expect(servers).toHaveLength(1)
  return servers[0]!
}

/** What matters of a server, in one line of text per fact. */
const facts = ({ name, target, problem, settings }: ConfiguredServer) => {
  if (!target) return { name, problem }
  const transport = settings?.transport
  if (target.kind === 'url') {
    const { url, headers } = target
    return {
      name,
      url,
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(transport ? { transport } : {}),
    }
  }
  if (target.kind !== 'command') throw new Error(target.kind)
  const { command, args, env, cwd } = target
  return {
    name,
    line: [command, ...args].join(' '),
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(cwd ? { cwd } : {}),
  }
}

const CLIENTS = [
  {
    client: 'Claude Desktop',
    text: `{"mcpServers": {"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/username/Desktop"]}}}`,
    dialect: 'mcpServers',
    servers: [{ name: 'filesystem', line: 'npx -y @modelcontextprotocol/server-filesystem /Users/username/Desktop' }],
  },
  {
    client: 'Claude Code, .mcp.json',
    text: `{"mcpServers": {"api-server": {"type": "http", "url": "https://api.example.com/mcp", "headers": {"Authorization": "Bearer \${API_KEY}"}}}}`,
    dialect: 'mcpServers',
    servers: [{ name: 'api-server', url: 'https://api.example.com/mcp', headers: { Authorization: 'Bearer ${API_KEY}' } }],
  },
  {
    client: 'Claude Code, ~/.claude.json',
    text: JSON.stringify({
      numStartups: 12,
      mcpServers: { github: { type: 'http', url: 'https://api.githubcopilot.com/mcp/' } },
      projects: {
        '/home/me/app': { allowedTools: [], mcpServers: { db: { type: 'stdio', command: 'node', args: ['db.js'], env: {} } } },
        '/home/me/empty': { mcpServers: {} },
      },
    }),
    dialect: 'claude.json',
    servers: [
      { name: 'github', url: 'https://api.githubcopilot.com/mcp/' },
      { name: 'db', line: 'node db.js', cwd: '/home/me/app' },
    ],
  },
  {
    client: 'Cursor',
    text: `{"mcpServers": {"server-name": {"command": "npx", "args": ["-y", "mcp-server"], "env": {"API_KEY": "\${env:API_KEY}"}, "envFile": ".env"}}}`,
    dialect: 'mcpServers',
    servers: [{ name: 'server-name', line: 'npx -y mcp-server', env: { API_KEY: '${env:API_KEY}' } }],
  },
  {
    client: 'VS Code, mcp.json',
    text: `{
  // Asked for once, then stored by VS Code.
  "inputs": [{ "type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true }],
  "servers": {
    "perplexity": { "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask"], "env": { "PERPLEXITY_API_KEY": "\${input:perplexity-key}" } },
    "fetch": { "type": "sse", "url": "http://localhost:3000/sse" },
  }
}`,
    dialect: 'servers',
    servers: [
      { name: 'perplexity', line: 'npx -y server-perplexity-ask', env: { PERPLEXITY_API_KEY: '${input:perplexity-key}' } },
      { name: 'fetch', url: 'http://localhost:3000/sse', transport: 'http-sse' },
    ],
  },
  {
    client: 'VS Code, settings.json with a flat key',
    text: `{"editor.fontSize": 13, "mcp.servers": {"a": {"command": "uvx", "args": ["mcp-server-time"]}}}`,
    dialect: 'servers',
    servers: [{ name: 'a', line: 'uvx mcp-server-time' }],
  },
  {
    client: 'VS Code, settings.json nested, and a workspace',
    text: `{"mcp": {"servers": {"a": {"command": "a"}}}, "settings": {"mcp": {"servers": {"b": {"command": "b"}}}}}`,
    dialect: 'servers',
    servers: [{ name: 'a', line: 'a' }, { name: 'b', line: 'b' }],
  },
  {
    client: 'Windsurf',
    text: `{"mcpServers": {"remote-http-mcp": {"serverUrl": "https://server.example/mcp", "headers": {"API_KEY": "Bearer \${env:AUTH_TOKEN}"}}}}`,
    dialect: 'mcpServers',
    servers: [{ name: 'remote-http-mcp', url: 'https://server.example/mcp', headers: { API_KEY: 'Bearer ${env:AUTH_TOKEN}' } }],
  },
  {
    client: 'Cline',
    text: `{"mcpServers": {"remote": {"type": "streamableHttp", "url": "https://your-server.example/mcp", "headers": {"Authorization": "Bearer t"}, "disabled": true, "autoApprove": [], "timeout": 60}}}`,
    dialect: 'mcpServers',
    servers: [{ name: 'remote', url: 'https://your-server.example/mcp', headers: { Authorization: 'Bearer t' }, transport: 'streamable-http' }],
  },
  {
    client: 'Zed',
    text: `{
  "theme": "One Dark",
  "context_servers": {
    "local": { "source": "custom", "command": "some-command", "args": ["arg-1"], "env": {} },
    "remote": { "url": "https://remote.example/mcp", "headers": { "Authorization": "Bearer <token>" } },
    "from-extension": { "source": "extension", "settings": { "token": "t" } }, // its command isn't here
  }
}`,
    dialect: 'context_servers',
    servers: [
      { name: 'local', line: 'some-command arg-1' },
      { name: 'remote', url: 'https://remote.example/mcp', headers: { Authorization: 'Bearer <token>' } },
      { name: 'from-extension', problem: 'extension' },
    ],
  },
  {
    client: 'Zed before 2025-06',
    text: `{"context_servers": {"old": {"command": {"path": "node", "args": ["index.js"], "env": {"A": "1"}}, "settings": {}}}}`,
    dialect: 'context_servers',
    servers: [{ name: 'old', line: 'node index.js', env: { A: '1' } }],
  },
  {
    client: 'Codex',
    text: `model = "gpt-5"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["LOCAL_TOKEN"]
startup_timeout_sec = 20

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_ENV_VALUE"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }
env_http_headers = { "X-Team" = "FIGMA_TEAM" }
enabled = false # off for now
`,
    dialect: 'mcp_servers',
    servers: [
      {
        name: 'context7',
        line: 'npx -y @upstash/context7-mcp',
        env: { LOCAL_TOKEN: '${env:LOCAL_TOKEN}', MY_ENV_VAR: 'MY_ENV_VALUE' },
      },
      {
        name: 'figma',
        url: 'https://mcp.figma.com/mcp',
        headers: { 'X-Figma-Region': 'us-east-1', 'X-Team': '${env:FIGMA_TEAM}', Authorization: 'Bearer ${env:FIGMA_OAUTH_TOKEN}' },
      },
    ],
  },
  {
    client: 'Gemini CLI',
    text: `{"mcp": {"allowed": ["pythonTools"]}, "mcpServers": {
      "pythonTools": {"command": "python", "args": ["-m", "my_mcp_server"], "cwd": "./mcp-servers/python", "env": {"API_KEY": "$EXTERNAL_API_KEY"}, "timeout": 15000, "trust": true},
      "httpServer": {"httpUrl": "http://localhost:3000/mcp", "headers": {"Authorization": "Bearer $TOKEN"}}
    }}`,
    dialect: 'mcpServers',
    servers: [
      { name: 'pythonTools', line: 'python -m my_mcp_server', env: { API_KEY: '${EXTERNAL_API_KEY}' }, cwd: './mcp-servers/python' },
      { name: 'httpServer', url: 'http://localhost:3000/mcp', headers: { Authorization: 'Bearer ${TOKEN}' }, transport: 'streamable-http' },
    ],
  },
  {
    client: 'LM Studio',
    text: `{"mcpServers": {"hf-mcp-server": {"url": "https://huggingface.co/mcp", "headers": {"Authorization": "Bearer <YOUR_HF_TOKEN>"}}}}`,
    dialect: 'mcpServers',
    servers: [{ name: 'hf-mcp-server', url: 'https://huggingface.co/mcp', headers: { Authorization: 'Bearer <YOUR_HF_TOKEN>' } }],
  },
  {
    client: 'opencode',
    text: `{"$schema": "https://opencode.ai/config.json", "mcp": {
      "local": {"type": "local", "command": ["bun", "x", "my-mcp-command"], "enabled": true, "environment": {"KEY": "{env:MY_KEY}"}},
      "remote": {"type": "remote", "url": "https://my-mcp-server.com", "headers": {"Authorization": "Bearer {env:TOKEN}"}}
    }}`,
    dialect: 'opencode',
    servers: [
      { name: 'local', line: 'bun x my-mcp-command', env: { KEY: '${env:MY_KEY}' } },
      { name: 'remote', url: 'https://my-mcp-server.com', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
    ],
  },
  {
    client: 'an array, as programs write it',
    text: `[{"name": "a", "command": "node", "args": ["a.js"]}, {"name": "b", "transport": {"type": "sse", "url": "https://e.com/sse"}}]`,
    dialect: 'array',
    servers: [{ name: 'a', line: 'node a.js' }, { name: 'b', url: 'https://e.com/sse', transport: 'http-sse' }],
  },
  {
    client: 'an array under mcpServers',
    text: `{"mcpServers": [{"name": "a", "command": "node"}]}`,
    dialect: 'mcpServers',
    servers: [{ name: 'a', line: 'node' }],
  },
] // prettier-ignore

describe('a configuration', () => {
  test.each(CLIENTS)('of $client is read', ({ text, dialect, servers }) => {
    const found = read(text)
    expect(found.dialect).toBe(dialect)
    expect(found.servers.map(facts)).toEqual(servers)
  })

  test('names what its client has turned off, and the project that a server is for', () => {
    const notes = CLIENTS.flatMap(({ text }) => read(text).servers.flatMap(({ name, notes: own }) => own.map((note) => ({ name, ...note })))) // prettier-ignore
    expect(notes.filter(({ kind }) => kind === 'disabled').map(({ name }) => name)).toEqual(['remote', 'figma'])
    expect(notes.filter(({ kind }) => kind === 'project')).toEqual([
      { name: 'db', kind: 'project', names: ['/home/me/app'] },
    ])
  })

  test("VS Code's inputs come with their description, default and choices, for the servers that refer to them", () => {
    const inputs = [
      { id: 'token', type: 'promptString', description: 'Token', password: true },
      { id: 'region', type: 'pickString', description: 'Region', options: ['eu', { label: 'US', value: 'us' }], default: 'eu' },
      { id: 'unused', type: 'promptString' },
    ] // prettier-ignore
    const env = { TOKEN: '${input:token}', REGION: '${input:region}' }
    const server = only(JSON.stringify({ inputs, servers: { a: { command: 'a', env } } }))
    expect(server.inputs).toEqual([
      { text: '${input:token}', description: 'Token' },
      { text: '${input:region}', description: 'Region', default: 'eu', options: ['eu', 'us'], isPublic: true },
    ])
  })

  test('of two inputs with one ID, the one beside the servers counts', () => {
    const list = (description: string) => [{ id: 'key', type: 'promptString', description, password: true }]
    const servers = { a: { command: 'a', env: { KEY: '${input:key}' } } }
    for (const text of [
      { inputs: list('top'), mcp: { inputs: list('own'), servers } },
      { inputs: list('top'), 'mcp.inputs': list('own'), 'mcp.servers': servers },
      { settings: { mcp: { inputs: list('own'), servers } }, mcp: { inputs: list('other') } },
    ]) {
      expect(only(JSON.stringify(text)).inputs).toEqual([{ text: '${input:key}', description: 'own' }])
    }
  })

  test('has WebSocket servers like those that are typed, and says that their headers are left out', () => {
    const entry = { type: 'ws', url: 'wss://a.example/mcp?team=${TEAM}#top', headers: { Authorization: 'Bearer x' } }
    expect(only(JSON.stringify({ mcpServers: { a: entry } }))).toMatchObject({
      target: { kind: 'custom', url: 'wss://a.example/mcp?team=${TEAM}' },
      notes: [
        { kind: 'ignored', names: ['headers'] },
        { kind: 'fill-in', names: ['${TEAM}'] },
      ],
    })
    for (const text of [
      '{"mcpServers":{"a":{"url":"ws://127.0.0.1:9/mcp","headers":{}}}}',
      'claude mcp add -t ws a ws://127.0.0.1:9/mcp',
      'claude mcp add a ws://127.0.0.1:9/mcp',
    ])
      expect(only(text)).toEqual({ name: 'a', target: { kind: 'custom', url: 'ws://127.0.0.1:9/mcp' }, notes: [] })
    expect(only('{"mcpServers":{"a":{"url":"ws://me:pass@127.0.0.1/mcp"}}}').problem).toBe('bad-url')
    expect(only('{"mcpServers":{"a":{"url":"http://localhost:${PORT}/mcp"}}}')).toMatchObject({
      target: { kind: 'url', url: 'http://localhost:${PORT}/mcp' },
      notes: [{ kind: 'fill-in', names: ['${PORT}'] }],
    })
  })

  test('a default after :- counts where nothing is entered', () => {
    const { target } = only(
      '{"url": "${BASE:-https://api.example}/mcp", "headers": {"X-Key": "${KEY:-}", "X-Mode": "${MODE:-fast}"}}',
    )
    expect(target).toMatchObject({ url: 'https://api.example/mcp' })
    expect(placeholdersIn(target!)).toEqual(['${KEY:-}', '${MODE:-fast}'])
    const headers = (values: Record<string, string>) => (fillIn(target!, values) as UrlTarget).headers
    expect(headers({})).toEqual([['X-Key', ''], ['X-Mode', 'fast']]) // prettier-ignore
    expect(headers({ '${MODE:-fast}': 'slow' })[1]).toEqual(['X-Mode', 'slow'])
    expect(missingIn(target!, { filled: {}, asIs: [] }, {})).toEqual([])
  })

  test.each([
    ['{"hello": 1, "world": 2}', { cause: 'no-servers', thing: 'hello, world' }],
    ['[]', { cause: 'no-servers', thing: '' }],
    ['[mcp_servers.a]\ncommand = npx', { as: 'toml', cause: 'toml', line: 2 }],
    ['[profiles.x]\nmodel = "o3"', { as: 'toml', cause: 'no-servers', thing: 'profiles' }],
    ['mcpServers:\n  - name: a\n    command: b', { cause: 'yaml' }],
    ['claude mcp add', { as: 'command', cause: 'add-usage', thing: 'claude mcp add' }],
    ['claude mcp add docs', { cause: 'add-usage' }],
    ['claude mcp add --what docs https://e.com', { cause: 'add-usage' }],
    ['claude mcp add a -- b | c', { cause: 'shell-operator' }],
    ['code --add-mcp nothing', { cause: 'add-usage', thing: 'code --add-mcp' }],
    ['cursor://anysphere.cursor-deeplink/mcp/install?name=a', { as: 'url', cause: 'install-link' }],
  ])('that contains no server says what was expected: %s', (text, problem) => {
    expect(understand(text, undefined, () => readConfig)).toMatchObject({ kind: 'problem', ...problem })
  })

  test.each(['\n', ' ', '[', '[a', '{', 'a:\n', '"', '[mcp_servers.a', "x = '''", '$', '\\', 'mcp_servers'])(
    'is read in linear time in a million characters of %j',
    async (piece) => {
      const text = piece.repeat(1_000_000 / piece.length)
      await expectWithin(5_000, () => understand(text, undefined, () => readConfig))
      await expectWithin(5_000, () => readConfig(text))
    },
  )

  test('never throws, whatever its text is', () => {
    const starts = ['', '{', '[mcp_servers.a]\n', 'claude mcp add ', 'vscode:mcp/install?', '```', 'mcp_servers = ']
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (start, text) => {
        expect(readConfig(start + text).kind).toBeTypeOf('string')
      }),
      { numRuns: 500 },
    )
  })
})

describe('a command line that adds a server to a client', () => {
  test.each([
    ['claude mcp add --transport http notion https://mcp.notion.com/mcp', { name: 'notion', url: 'https://mcp.notion.com/mcp' }],
    ['claude mcp add --transport sse asana https://mcp.asana.com/sse', { name: 'asana', url: 'https://mcp.asana.com/sse', transport: 'http-sse' }],
    [`claude mcp add -t http secure https://api.example.com/mcp --header "Authorization: Bearer $TOKEN" -H 'X-A: b'`, { name: 'secure', url: 'https://api.example.com/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-A': 'b' } }],
    ['claude mcp add --env AIRTABLE_API_KEY=YOUR_KEY --transport stdio airtable -- npx -y airtable-mcp-server', { name: 'airtable', line: 'npx -y airtable-mcp-server', env: { AIRTABLE_API_KEY: 'YOUR_KEY' } }],
    ['claude mcp add my-server -e A=1 B=2 --scope user -- npx server --header x', { name: 'my-server', line: 'npx server --header x', env: { A: '1', B: '2' } }],
    [`claude mcp add a --env 'A=x$HOME' -e "B=it's $HOME" -- sh -c 'echo $HOME' \\$C`, { name: 'a', line: 'sh -c echo $HOME $C', env: { A: 'x$HOME', B: "it's ${env:HOME}" } }],
    ['$ claude mcp add github npx -y @github/mcp --verbose', { name: 'github', line: 'npx -y @github/mcp --verbose' }],
    ['claude mcp add \\\n  --transport http \\\n  docs https://e.com/mcp', { name: 'docs', url: 'https://e.com/mcp' }],
    [`claude mcp add-json weather '{"type":"http","url":"https://api.weather.example/mcp","headers":{"Authorization":"Bearer \${TOKEN}"}}'`, { name: 'weather', url: 'https://api.weather.example/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } }],
    ['codex mcp add context7 --env A=1 -- npx -y @upstash/context7-mcp', { name: 'context7', line: 'npx -y @upstash/context7-mcp', env: { A: '1' } }],
    ['codex mcp add figma --url https://mcp.figma.com/mcp --bearer-token-env-var FIGMA', { name: 'figma', url: 'https://mcp.figma.com/mcp', headers: { Authorization: 'Bearer ${env:FIGMA}' } }],
    ['gemini mcp add -s user --transport http --header "Authorization: Bearer abc" secure-http https://api.example.com/mcp/', { name: 'secure-http', url: 'https://api.example.com/mcp/', headers: { Authorization: 'Bearer abc' } }],
    ['gemini mcp add --trust my-stdio -e API_KEY=123 /path/to/server arg1 arg2', { name: 'my-stdio', line: '/path/to/server arg1 arg2', env: { API_KEY: '123' } }],
    [`code --add-mcp '{"name":"my-server","command":"uvx","args":["mcp-server-fetch"]}'`, { name: 'my-server', line: 'uvx mcp-server-fetch' }],
    ['code --add-mcp "{\\"name\\":\\"my-server\\",\\"url\\":\\"https://e.com/mcp\\"}"', { name: 'my-server', url: 'https://e.com/mcp' }],
  ] as const)('%s', (text, expected) => {
    const found = read(text)
    expect(found.dialect).toBe('add')
    expect(found.servers.map(facts)).toEqual([expected])
  }) // prettier-ignore

  test.each([
    ['lines', 'claude mcp add -t http docs https://e.com/mcp\nclaude mcp add files -- npx -y files\n'],
    ['lines with prompts, comments and continuations', '$ claude mcp add -t http docs \\\n  https://e.com/mcp\n\n# local files\r\n  $ codex mcp add files \\\n -- npx -y files'],
    ['commands after one another', 'claude mcp add -t http docs https://e.com/mcp && claude mcp add files -- npx -y files'],
    ['lines of a code block', '```bash\nclaude mcp add -t http docs https://e.com/mcp\nclaude mcp add files -- npx -y files\n```'],
  ])('each of several %s is an entry', (_, text) => {
    expect(read(text).servers.map(facts)).toEqual([
      { name: 'docs', url: 'https://e.com/mcp' },
      { name: 'files', line: 'npx -y files' },
    ])
  }) // prettier-ignore

  test('of several, one that is broken is an entry with a problem', () => {
    const { servers } = read('claude mcp add a https://e.com/mcp -t http\nclaude mcp add b -- x | y\nclaude mcp add c -- z')
    expect(servers.map(({ name, problem }) => [name, problem])).toEqual([
      ['a', undefined],
      ['claude mcp add', 'unreadable'],
      ['c', undefined],
    ])
  }) // prettier-ignore

  test('other commands of these clients are run as they are', () => {
    for (const text of ['claude mcp serve', 'codex mcp', 'code tunnel', 'gemini mcp list']) {
      expect(
        understand(text, undefined, () => readConfig),
        text,
      ).toMatchObject({ kind: 'command' })
    }
  })
})

describe('a link that installs a server in a client', () => {
  const base64 = (value: unknown) => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))
  const postgres = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-postgres'] }

  test.each([
    ['Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=postgres&config=${base64(postgres)}`],
    ['Cursor on the web', `https://cursor.com/en/install-mcp?name=postgres&config=${base64(postgres)}`],
    ['Cursor, with the entry in its name', `cursor://anysphere.cursor-deeplink/mcp/install?name=postgres&config=${base64({ postgres })}`],
    ['VS Code', `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'postgres', ...postgres }))}`],
    ['VS Code on the web', `https://insiders.vscode.dev/redirect/mcp/install?name=postgres&config=${encodeURIComponent(JSON.stringify(postgres))}`],
    ['LM Studio', `lmstudio://add_mcp?name=postgres&config=${base64(postgres)}`],
    ['LM Studio on the web', `https://lmstudio.ai/install-mcp?config=${base64(postgres)}&name=postgres`],
  ])('of %s is read', (_, link) => {
    expect(facts(only(link))).toEqual({ name: 'postgres', line: 'npx -y @modelcontextprotocol/server-postgres' })
  }) // prettier-ignore
})

test('every dialect names its documentation, and when it was compared with it', () => {
  for (const { id, source, asOf } of DIALECTS) {
    expect([id, new URL(source).protocol]).toEqual([id, 'https:'])
    expect([id, asOf]).toEqual([id, expect.stringMatching(/^20\d\d-\d\d-\d\d$/)])
    expect([id, Date.parse(asOf) <= Date.now()]).toEqual([id, true])
  }
})
