/** Real configurations, as the documentation of each client shows them: import, change, export; only the change differs. */
import { describe, expect, test } from 'vitest'
import type { ClientId } from '../../../../proxy/wire.ts'
import { readConfig } from '../configs/read-config.ts'
import { CLIENT_NAMES } from '../clients.ts'
import { difference } from '../../../../tests/line-difference.ts'
import type { Target } from '../target.ts'
import { clientEntry, type ExportedServer, type Values } from './client-entry.ts'
import { FORMATS } from './client-formats.ts'
import { MergeError, mergeInto } from './merge.ts'
import { addCommands } from './write-command.ts'

const SECRET = 'Zx81qLmN0pQrS7tUvW'
const CLIENTS = Object.keys(CLIENT_NAMES) as ClientId[]

const serversIn = (text: string): ExportedServer[] => {
  const read = readConfig(text)
  if (read.kind !== 'servers') throw new Error(JSON.stringify(read))
  return read.servers.flatMap(({ name, target, settings = {} }) => (target ? [{ name, target, settings }] : []))
}

const url = (target: Target, to: string): Target => ({ ...target, url: to }) as Target
const header = (target: Target, name: string, value: string): Target =>
  target.kind === 'url' ? { ...target, headers: [...target.headers, [name, value]] } : target
const variable = (target: Target, name: string, value: string): Target =>
  target.kind === 'command' ? { ...target, env: { ...target.env, [name]: value } } : target
const argument = (target: Target, at: number, value: string): Target =>
  target.kind === 'command'
    ? { ...target, args: target.args.map((arg, index) => (index === at ? value : arg)) }
    : target

interface RoundTrip {
  readonly client: ClientId
  readonly text: string
  readonly name: string
  readonly change: (target: Target) => Target
  readonly gone: readonly string[]
  readonly added: readonly string[]
}

const ROUND_TRIPS: readonly RoundTrip[] = [
  {
    client: 'claude-desktop',
    text: `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/Users/username/Desktop"
      ]
    }
  }
}
`,
    name: 'filesystem',
    change: (target) => argument(target, 2, '/Users/username/Documents'),
    gone: ['"/Users/username/Desktop"'],
    added: ['"/Users/username/Documents"'],
  },
  {
    client: 'claude-code',
    text: `{
  "mcpServers": {
    "api-server": {
      "type": "http",
      "url": "\${API_BASE_URL:-https://api.example.com}/mcp",
      "headers": {
        "Authorization": "Bearer \${API_KEY}"
      },
      "timeout": 600000
    }
  }
}`,
    name: 'api-server',
    change: (target) => header(target, 'X-Team', 'blue'),
    gone: ['"Authorization": "Bearer ${API_KEY}"'],
    added: ['"Authorization": "Bearer ${API_KEY}",', '"X-Team": "${API_SERVER_X_TEAM}"'],
  },
  {
    client: 'claude-code',
    text: `{
  "numStartups": 12,
  "mcpServers": {
    "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" }
  },
  "projects": {
    "/home/me/app": {
      "mcpServers": {
        "db": { "type": "stdio", "command": "node", "args": ["db.js"], "env": { "PASSWORD": "${SECRET}" } }
      }
    }
  }
}`,
    name: 'db',
    change: (target) => argument(target, 0, 'db2.js'),
    gone: [`"db": { "type": "stdio", "command": "node", "args": ["db.js"], "env": { "PASSWORD": "${SECRET}" } }`],
    added: [`"db": { "type": "stdio", "command": "node", "args": ["db2.js"], "env": { "PASSWORD": "${SECRET}" } }`],
  },
  {
    client: 'cursor',
    text: `{
  "mcpServers": {
    "server-name": {
      "command": "npx",
      "args": ["-y", "mcp-server"],
      "env": {
        "API_KEY": "${SECRET}"
      },
      "envFile": ".env"
    }
  }
}`,
    name: 'server-name',
    change: (target) => variable(target, 'MODE', 'fast'),
    gone: [`"API_KEY": "${SECRET}"`],
    added: [`"API_KEY": "${SECRET}",`, '"MODE": "${env:MODE}"'],
  },
  {
    client: 'vscode',
    text: `{
	// Asked for once.
	"inputs": [
		{ "type": "promptString", "id": "key", "description": "Key", "password": true },
	],
	"servers": {
		/* local */
		"perplexity": {
			"type": "stdio",
			"command": "npx",
			"args": ["-y", "server-perplexity-ask"],
			"env": { "PERPLEXITY_API_KEY": "\${input:key}" }, // from above
			"dev": { "watch": "src/**/*.ts" },
		},
		"fetch": { "url": "https://e.com/mcp" },
	},
}`,
    name: 'fetch',
    change: (target) => url(target, 'https://e.com/v2/mcp'),
    gone: ['"fetch": { "url": "https://e.com/mcp" },'],
    added: ['"fetch": { "url": "https://e.com/v2/mcp" },'],
  },
  {
    client: 'windsurf',
    text: `{
  "mcpServers": {
    "remote": {
      "serverUrl": "https://server.example/mcp",
      "headers": {
        "API_KEY": "Bearer \${env:AUTH_TOKEN}"
      },
      "disabledTools": ["x"]
    }
  }
}`,
    name: 'remote',
    change: (target) => url(target, 'https://other.example/mcp'),
    gone: ['"serverUrl": "https://server.example/mcp",'],
    added: ['"serverUrl": "https://other.example/mcp",'],
  },
  {
    client: 'cline',
    text: `{
  "mcpServers": {
    "local-server": {
      "command": "node",
      "args": ["/path/to/server.js"],
      "env": {
        "API_KEY": "${SECRET}"
      },
      "alwaysAllow": ["tool1", "tool2"],
      "disabled": false
    }
  }
}`,
    name: 'local-server',
    change: (target) => argument(target, 0, '/path/to/other.js'),
    gone: ['"args": ["/path/to/server.js"],'],
    added: ['"args": ["/path/to/other.js"],'],
  },
  {
    client: 'zed',
    text: `// Zed settings
{
  "theme": "One Dark",
  "context_servers": {
    "old": {
      "command": { "path": "node", "args": ["index.js"], "env": {} },
      "settings": {}
    },
    // by hand
    "remote": {
      "enabled": true,
      "url": "https://remote.example/mcp",
      "headers": { "Authorization": "Bearer ${SECRET}" }
    }
  },
  "vim_mode": true
}
`,
    name: 'old',
    change: (target) => argument(target, 0, 'main.js'),
    gone: ['"command": { "path": "node", "args": ["index.js"], "env": {} },'],
    added: ['"command": { "path": "node", "args": ["main.js"], "env": {} },'],
  },
  {
    client: 'codex',
    text: `model = "gpt-5" # the default

[mcp_servers.context7]
command = "npx"
args = [
  "-y", # no prompt
  "@upstash/context7-mcp",
]
startup_timeout_sec = 20

[mcp_servers.context7.env]
MY_ENV_VAR = "${SECRET}"

# Design
[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }

[profiles.fast]
model = "o4-mini"
`,
    name: 'figma',
    change: (target) => url(header(target, 'X-Team', 'blue'), 'https://mcp.figma.com/v2'),
    gone: ['url = "https://mcp.figma.com/mcp"'],
    added: ['url = "https://mcp.figma.com/v2"', 'env_http_headers = { X-Team = "FIGMA_X_TEAM" }'],
  },
  {
    client: 'codex',
    text: `[mcp_servers.a]
command = 'node'
args = ["a.js"] # mine

[mcp_servers.a.env]
# Keep
A = "1"
`,
    name: 'a',
    change: (target) => argument(target, 0, 'b.js'),
    gone: ['args = ["a.js"] # mine'],
    added: ['args = ["b.js"] # mine'],
  },
  {
    client: 'gemini-cli',
    text: `{
  "theme": "GitHub",
  "mcpServers": {
    "pythonTools": {
      "command": "python",
      "args": ["-m", "my_mcp_server", "--port", "8080"],
      "cwd": "./mcp-servers/python",
      "env": {
        "DATABASE_URL": "$DB_CONNECTION_STRING",
        "API_KEY": "\${EXTERNAL_API_KEY}"
      },
      "timeout": 15000
    },
    "httpServer": { "httpUrl": "http://localhost:3000/mcp" }
  }
}`,
    name: 'pythonTools',
    change: (target) => argument(target, 3, '8081'),
    gone: ['"args": ["-m", "my_mcp_server", "--port", "8080"],'],
    added: ['"args": ["-m", "my_mcp_server", "--port", "8081"],'],
  },
  {
    client: 'lm-studio',
    text: `{
  "mcpServers": {
    "hf-mcp-server": {
      "url": "https://huggingface.co/mcp",
      "headers": {
        "Authorization": "Bearer <YOUR_HF_TOKEN>"
      }
    }
  }
}`,
    name: 'hf-mcp-server',
    change: (target) => url(target, 'https://huggingface.co/mcp?login'),
    gone: ['"url": "https://huggingface.co/mcp",'],
    added: ['"url": "https://huggingface.co/mcp?login",'],
  },
]

describe('a round trip through a configuration', () => {
  test('is tried for every client', () => {
    expect(new Set(ROUND_TRIPS.map(({ client }) => client))).toEqual(new Set(CLIENTS))
  })

  test.each(ROUND_TRIPS)('of $client changes nothing if nothing changed', ({ client, text }) => {
    for (const values of ['references', 'written'] as const)
      expect(mergeInto(client, text, serversIn(text), values).text).toBe(text)
    // Windows
    const crlf = text.replaceAll('\n', '\r\n')
    expect(mergeInto(client, crlf, serversIn(crlf), 'references').text).toBe(crlf)
  })

  test.each(ROUND_TRIPS)('of $client: only the change differs', ({ client, text, name, change, gone, added }) => {
    const server = serversIn(text).find((each) => each.name === name)!
    const changed = { ...server, target: change(server.target) }
    const merged = mergeInto(client, text, [changed], 'references').text
    expect(difference(text, merged)).toEqual({ gone, added })
    // It is read back as what was meant, with references instead of new values.
    expect(serversIn(merged).map((each) => each.name)).toEqual(serversIn(text).map((each) => each.name))
    const again = mergeInto(client, merged, serversIn(merged), 'references').text
    expect(again).toBe(merged)
  })

  test.each(ROUND_TRIPS)('of $client: another server is added, and the others stay as they are', ({ client, text }) => {
    const target: Target = { kind: 'url', url: 'https://new.example/mcp', headers: [['X-Key', SECRET + SECRET]] }
    const merged = mergeInto(client, text, [{ name: 'new one', target, settings: {} }], 'references').text
    expect(merged).not.toContain(SECRET + SECRET)
    const { gone } = difference(text, merged)
    // A comma may follow what was last.
    expect(gone.filter((line) => !merged.includes(`${line},`))).toEqual([])
    expect(serversIn(merged)).toHaveLength(serversIn(text).length + 1)
  })

  test('a server that was stored without its values keeps those in the file', () => {
    const text = `{"mcpServers": {"a": {"url": "https://e.com/mcp", "headers": {"Authorization": "Bearer ${SECRET}"}}}}`
    const target: Target = { kind: 'url', url: 'https://e.com/v2', headers: [['Authorization', '']] }
    expect(mergeInto('cursor', text, [{ name: 'a', target, settings: {} }], 'references').text).toBe(
      text.replace('/mcp"', '/v2"'),
    )
  })

  test('a server of another kind replaces what belongs to the old one, and unknown keys stay', () => {
    const text = `{"mcpServers": {"a": {"command": "node", "args": ["a.js"], "env": {"A": "1"}, "disabled": true}}}`
    const target: Target = { kind: 'url', url: 'https://e.com/mcp', headers: [] }
    const merged = mergeInto('cline', text, [{ name: 'a', target, settings: {} }], 'references').text
    expect(JSON.parse(merged)).toEqual({
      mcpServers: { a: { disabled: true, type: 'streamableHttp', url: 'https://e.com/mcp' } },
    })
  })

  test.each(['{"mcpServers": {', '[1]', '"text"', '{"mcpServers": {"a": {}} x}'])('a broken file is left alone: %s', (text) => {
    expect(() => mergeInto('cursor', text, [], 'references')).toThrow(MergeError)
  }) // prettier-ignore

  test('a file of settings gets the servers where it has them already', () => {
    const target: Target = { kind: 'command', command: 'node', args: [], env: {} }
    const servers = [{ name: 'b', target, settings: {} }]
    for (const text of ['{"mcp.servers": {"a": {"command": "a"}}}', '{"mcp": {"servers": {"a": {"command": "a"}}}}']) {
      expect(serversIn(mergeInto('vscode', text, servers, 'references').text).map(({ name }) => name)).toEqual([
        'a',
        'b',
      ])
    }
  })
})

describe('a new configuration', () => {
  const remote: ExportedServer = {
    name: 'Docs',
    target: {
      kind: 'url',
      url: `https://e.com/mcp?api_key=${SECRET}`,
      headers: [['Authorization', `Bearer ${SECRET}`], ['X-Ref', '${env:TEAM}'], ['X-Key', SECRET]], // prettier-ignore
    },
    settings: {},
  }
  const local: ExportedServer = {
    name: 'files',
    target: {
      kind: 'command',
      command: 'npx',
      args: ['-y', 'files', '--token', SECRET, '--ref', '${env:TEAM}'],
      env: { API_KEY: SECRET, HOME_PAGE: '${env:TEAM}' },
      cwd: '/work',
    },
    settings: {},
  }
  const both = [remote, local]
  const written = (client: ClientId, values: Values) => mergeInto(client, '', both, values).text

  test.each(CLIENTS)('for %s contains no secret, unless the user wants the values written', (client) => {
    expect(written(client, 'references')).not.toContain(SECRET)
    expect(written(client, 'written')).toContain(`Bearer ${SECRET}`)
    expect(written(client, 'written')).toContain(`"${SECRET}"`)
  })

  test.each(CLIENTS)('for %s is read back as the same servers', (client) => {
    const read = serversIn(written(client, 'written'))
    expect(read.map(({ name }) => name)).toEqual(['Docs', 'files'])
    if (FORMATS[client].url) {
      expect(read[0]!.target).toMatchObject({ url: `https://e.com/mcp?api_key=${SECRET}` })
      const names = (read[0]!.target as Extract<Target, { kind: 'url' }>).headers.map(([name]) => name)
      expect(names.toSorted()).toEqual(['Authorization', 'X-Key', 'X-Ref'])
    }
    expect(read[1]!.target).toMatchObject({ command: 'npx', args: expect.arrayContaining(['--token', SECRET]) as string[] })
  }) // prettier-ignore

  const references = (client: ClientId, server: ExportedServer) => clientEntry(client, server, 'references')!

  test('refers to values as each client does', () => {
    const headersOf = (client: ClientId) => references(client, remote).entry.headers
    expect(headersOf('claude-code')).toEqual({ Authorization: 'Bearer ${DOCS_AUTHORIZATION}', 'X-Ref': '${TEAM}', 'X-Key': '${DOCS_X_KEY}' }) // prettier-ignore
    expect(headersOf('cursor')).toEqual({ Authorization: 'Bearer ${env:DOCS_AUTHORIZATION}', 'X-Ref': '${env:TEAM}', 'X-Key': '${env:DOCS_X_KEY}' }) // prettier-ignore
    expect(headersOf('vscode')).toEqual({ Authorization: 'Bearer ${input:docs-authorization}', 'X-Ref': '${input:team}', 'X-Key': '${input:docs-x-key}' }) // prettier-ignore
    expect(headersOf('zed')).toEqual({ Authorization: 'Bearer <DOCS_AUTHORIZATION>', 'X-Ref': '<TEAM>', 'X-Key': '<DOCS_X_KEY>' }) // prettier-ignore
    expect(references('codex', remote).entry).toMatchObject({
      bearer_token_env_var: 'DOCS_AUTHORIZATION',
      env_http_headers: { 'X-Ref': 'TEAM', 'X-Key': 'DOCS_X_KEY' },
    })
    expect(references('codex', local).entry).toMatchObject({ env_vars: ['API_KEY'], env: { HOME_PAGE: '<HOME_PAGE>' } })
    expect(references('vscode', remote).inputs).toHaveLength(4)
    expect(references('vscode', remote).inputs.every(({ password }) => password === true)).toBe(true)
  })

  const relative: ExportedServer = {
    name: 'my server',
    target: {
      kind: 'command',
      command: 'node',
      args: ['dist/index.js', '--config=../shared/a.json', '@scope/pkg', 'https://e.com/a.js', './data:/data', '-y'],
      env: {},
    },
    settings: {},
  }
  const entryWith = (client: ClientId, more: object, directory?: string) => {
    const server = { ...relative, target: { ...relative.target, ...more } as Target }
    return clientEntry(client, server, 'written', directory)!
  }

  test('has absolute paths where the folder is known, and says so otherwise', () => {
    expect(entryWith('cursor', {}, '/home/me/work').entry).toEqual({
      command: 'node',
      args: ['/home/me/work/dist/index.js', '--config=/home/me/shared/a.json', '@scope/pkg', 'https://e.com/a.js', '/home/me/work/data:/data', '-y'],
    }) // prettier-ignore
    expect(entryWith('zed', { command: '.\\run.exe', args: ['.\\a\\b.py', 'c.py'] }, 'C:\\work').entry).toEqual({
      command: 'C:\\work\\run.exe',
      args: ['C:\\work\\a\\b.py', 'c.py'],
    })
    // Only an interpreter reads a plain name as a file.
    expect(entryWith('zed', { args: ['server.js'] }, '/w').entry.args).toEqual(['/w/server.js'])
    expect(entryWith('zed', { command: 'npx', args: ['chart.js'] }, '/w').entry.args).toEqual(['chart.js'])
    const unknown = entryWith('cursor', { args: ['dist/index.js', '--flag'] })
    expect(unknown.entry.args).toEqual(['dist/index.js', '--flag'])
    expect(unknown.notes).toEqual([{ kind: 'relative', paths: ['dist/index.js'] }])
  })

  test.each<[line: string, written: string]>([
    ['uv --directory /opt/weather run src/server.py', 'uv --directory /opt/weather run src/server.py'],
    ['uv --directory=weather run server.py', 'uv --directory=/w/weather run server.py'],
    ['uv run server.py', 'uv run /w/server.py'],
    ['.venv/bin/python app.py', '/w/.venv/bin/python /w/app.py'],
    ['npx -y tsx src/a.ts', 'npx -y tsx /w/src/a.ts'],
    ['node -r dotenv/config.js dist/x.js --repo vercel/next.js', 'node -r dotenv/config.js /w/dist/x.js --repo vercel/next.js'],
    ['npx -y some-server --repo vercel/next.js -c ./c.json', 'npx -y some-server --repo vercel/next.js -c /w/c.json'],
    ['npx -y files . ..', 'npx -y files /w /'],
    ['npx -y files ../../x --spec=api.example.com/openapi.json', 'npx -y files /x --spec=api.example.com/openapi.json'],
    ['docker run -i image node dist/index.js', 'docker run -i image node dist/index.js'],
    ['ssh host node ./index.js', 'ssh host node ./index.js'],
    ['python -m package server.py', 'python -m package server.py'],
  ])('takes a word for a path only if it is one: %s', (line, written) => {
    const [command = '', ...args] = line.split(' ')
    const { entry } = entryWith('cursor', { command, args }, '/w')
    expect([entry.command, ...(entry.args as string[])]).toEqual(written.split(' '))
  }) // prettier-ignore

  test('leaves the command line of a shell as it is', () => {
    const args = ['-c', './a && ls ../../b']
    expect(entryWith('cursor', { command: 'sh', args }, '/w').entry.args).toEqual(args)
  })

  test.each(CLIENTS)('for %s has a reference of its own for each of two servers with one name', (client) => {
    const servers = ['one', 'two'].map((value): ExportedServer => ({
      name: 'docs',
      target: { kind: 'url', url: `https://${value}.test/mcp`, headers: [['Authorization', value]] },
      settings: {},
    }))
    const { text, notes } = mergeInto(client, '', servers, 'references')
    const named = notes.flatMap((note) => ('names' in note ? note.names : []))
    expect(named).toHaveLength(2)
    expect(new Set(named).size).toBe(2)
    expect(text).not.toMatch(/"(?:one|two)"/)
    const lines = addCommands(client, servers, 'references')
    expect(new Set(lines.map((line) => /[A-Z\d_]*AUTHORIZATION/.exec(line)?.[0])).size).toBe(lines.length)
  })

  test.each(CLIENTS)('for %s stays as it is when the same servers are exported into it again', (client) => {
    for (const [values, cwd] of [['references', undefined], ['written', 'sub']] as const) {
      const servers = ['files', 'my files'].map((name) => ({ ...relative, name, target: { ...relative.target, ...(cwd && { cwd }) } as Target }))
      const { text } = mergeInto(client, '', servers, values, '/w')
      expect(text).not.toContain('"dist/index.js"' + (FORMATS[client].cwd && cwd ? '!' : ''))
      expect(mergeInto(client, text, servers, values, '/w').text).toBe(text)
    }
  }) // prettier-ignore

  test('never overwrites another server whose name another one would get', () => {
    const named = (name: string, command: string): ExportedServer => ({ name, target: { kind: 'command', command, args: [], env: {} }, settings: {} }) // prettier-ignore
    const text = '{"mcpServers": {"a-b": {"command": "mine"}, "server": {"command": "other"}}}'
    const servers = [named('a b', 'one'), named('a-b', 'mine'), named('天气', 'two')]
    const { text: merged } = mergeInto('claude-code', text, servers, 'written')
    const commands = serversIn(merged).map(({ name, target }) => [name, target.kind === 'command' && target.command])
    expect(commands).toEqual([['a-b', 'mine'], ['server', 'other'], ['a-b-2', 'one'], ['server-2', 'two']]) // prettier-ignore
    const twice = mergeInto('claude-code', '', [named('a-b', 'one'), named('a-b', 'two')], 'written')
    expect(twice.notes).toEqual([])
  })

  test('keeps paths relative to a working directory that the client sets itself', () => {
    const inFolder = { args: ['dist/index.js'], cwd: 'sub' }
    expect(entryWith('vscode', inFolder, '/w').entry).toMatchObject({ args: ['dist/index.js'], cwd: '/w/sub' })
    expect(entryWith('cursor', inFolder, '/w').entry.args).toEqual(['/w/sub/dist/index.js'])
    expect(entryWith('cursor', inFolder).notes).toContainEqual({ kind: 'relative', paths: ['dist/index.js'] })
  })

  test('leaves the paths and the name of a server alone that the file has already', () => {
    const text = '{"mcpServers": {"my server": {"command": "node", "args": ["dist/index.js", "a"]}}}'
    const changed = { ...relative, target: { ...relative.target, args: ['dist/index.js', 'b', 'c'] } as Target }
    const { text: merged, notes } = mergeInto('claude-code', text, [changed], 'written', '/w')
    expect(serversIn(merged)).toMatchObject([{ name: 'my server', target: { args: ['dist/index.js', 'b', 'c'] } }])
    expect(notes).toEqual([])
  })

  test.each(CLIENTS)('for %s has names that the client accepts, each once', (client) => {
    const servers = ['my docs', 'my docs', '天气', ''].map((name) => ({ ...relative, name }))
    const { text, notes } = mergeInto(client, '', servers, 'written', '/w')
    const plain = FORMATS[client].plainNames
    expect(serversIn(text).map(({ name }) => name)).toEqual(
      plain ? ['my-docs', 'my-docs-2', 'server', 'server-2'] : ['my docs', 'my docs 2', '天气', 'server'],
    )
    const renamed = notes.flatMap((note) => (note.kind === 'renamed' ? [note.written] : []))
    expect(renamed).toEqual(plain ? ['my-docs', 'my-docs-2', 'server'] : [])
  })

  test('says what a client cannot do', () => {
    expect(references('claude-desktop', remote).notes[0]).toEqual({ kind: 'bridge' })
    expect(references('zed', local).notes).toContainEqual({ kind: 'no-directory', directory: '/work' })
    expect(references('codex', { ...remote, settings: { transport: 'http-sse' } }).notes).toContainEqual({ kind: 'no-sse' }) // prettier-ignore
    expect(references('cursor', remote).notes).toEqual([
      { kind: 'environment', names: ['DOCS_API_KEY', 'DOCS_AUTHORIZATION', 'TEAM', 'DOCS_X_KEY'] },
    ])
  })
})

describe("a client's own command", () => {
  const remote: ExportedServer = {
    name: 'my docs',
    target: { kind: 'url', url: 'https://e.com/mcp?a=1', headers: [['Authorization', `Bearer ${SECRET}`]] },
    settings: {},
  }
  const local: ExportedServer = {
    name: 'files',
    target: { kind: 'command', command: 'npx', args: ['-y', "it's", '--verbose'], env: { MODE: 'a b' } },
    settings: {},
  }

  test.each([
    ['claude-code', remote, 'references', "claude mcp add --transport http my-docs 'https://e.com/mcp?a=1' --header 'Authorization: Bearer ${MY_DOCS_AUTHORIZATION}'"],
    ['claude-code', local, 'written', "claude mcp add files --env 'MODE=a b' -- npx -y 'it'\\''s' --verbose"],
    ['codex', remote, 'references', "codex mcp add my-docs --url 'https://e.com/mcp?a=1' --bearer-token-env-var MY_DOCS_AUTHORIZATION"],
    ['codex', local, 'written', "codex mcp add files --env 'MODE=a b' -- npx -y 'it'\\''s' --verbose"],
    ['codex', local, 'references', undefined],
    ['gemini-cli', { ...remote, settings: { transport: 'http-sse' } }, 'references', "gemini mcp add --transport sse --header 'Authorization: Bearer ${MY_DOCS_AUTHORIZATION}' my-docs 'https://e.com/mcp?a=1'"],
    ['vscode', local, 'written', `code --add-mcp '{"name":"files","type":"stdio","command":"npx","args":["-y","it'\\''s","--verbose"],"env":{"MODE":"a b"}}'`],
    ['vscode', remote, 'references', undefined],
    ['zed', local, 'written', undefined],
  ] as const)('of %s is written', (client, server, values, line) => {
    expect(addCommands(client, [server], values)).toEqual(line === undefined ? [] : [line])
  }) // prettier-ignore

  test.each(['claude-code', 'codex', 'gemini-cli', 'vscode'] as const)('of %s is read back as the same server', (client) => {
    for (const server of [remote, local]) {
      const [line] = addCommands(client, [server], 'written')
      if (line === undefined) continue
      const [read] = serversIn(line)
      const { target } = server
      expect(read!.target).toEqual(target.kind === 'url' ? { ...target, headers: expect.any(Array) as unknown } : target)
    }
  }) // prettier-ignore

  test.each(['claude-code', 'codex', 'gemini-cli', 'vscode'] as const)('of %s never replaces the server of another one', (client) => {
    const names = ['my docs', 'my-docs', 'my docs', 'my docs 2', '']
    const servers = names.map((name, at) => ({ ...local, name, target: { kind: 'command', command: 'npx', args: [`${at}`], env: {} } }) as const)
    const read = addCommands(client, servers, 'written').flatMap(serversIn)
    expect(read.map(({ target }) => target)).toEqual(servers.map(({ target }) => target))
    expect(new Set(read.map(({ name }) => name)).size).toBe(names.length)
    // The commands and a new file agree.
    const file = serversIn(mergeInto(client, '', servers, 'written').text)
    expect(read.map(({ name }) => name)).toEqual(file.map(({ name }) => name))
  }) // prettier-ignore
})
