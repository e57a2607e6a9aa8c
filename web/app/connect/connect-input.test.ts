import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfig } from './configs/read-config.ts'
import { MAX_INPUT, understand as understandWith, type Surroundings } from './connect-input.ts'
import { storable } from './without-secrets.ts'
import { commandLine } from './target.ts'

const understand = (text: string, around?: Surroundings) => understandWith(text, around, () => readConfig)

const https = { protocol: 'https:' }

describe('a URL', () => {
  test('http and https are understood, with or without the scheme', () => {
    expect(understand('https://mcp.example.com/v1/mcp')).toEqual({ kind: 'url', url: 'https://mcp.example.com/v1/mcp' })
    expect(understand('localhost:3001/mcp')).toEqual({ kind: 'url', url: 'http://localhost:3001/mcp', guessed: true })
    expect(understand('127.0.0.1:8000')).toEqual({ kind: 'url', url: 'http://127.0.0.1:8000/', guessed: true })
    expect(understand('[::1]:8000/mcp')).toMatchObject({ url: 'http://[::1]:8000/mcp' })
    expect(understand('myhost:3001/mcp')).toMatchObject({ url: 'http://myhost:3001/mcp' })
    expect(understand('mcp.example.com/sse')).toMatchObject({ url: 'https://mcp.example.com/sse' })
    expect(understand('  http://localhost:1/a?b=c  ')).toMatchObject({ url: 'http://localhost:1/a?b=c' })
  })

  test('names that are files or packages stay commands', () => {
    for (const text of [
      './server',
      'server.js',
      'run.sh',
      'uvx',
      'dist/index.js',
      'C:\\tools\\server.exe',
      '/usr/bin/server',
    ]) {
      expect(understand(text), text).toMatchObject({ kind: 'command', command: text })
    }
  })

  test('other schemes are named, not tried', () => {
    expect(understand('ftp://x/y')).toMatchObject({ kind: 'problem', as: 'url', cause: 'scheme', thing: 'ftp:' })
    expect(understand('javascript:alert(1)')).toMatchObject({ cause: 'scheme', thing: 'javascript:' })
    expect(understand('file:///etc/x')).toMatchObject({ cause: 'file' })
    expect(understand('http://')).toMatchObject({ cause: 'url' })
    expect(understand('http://a b/c')).toMatchObject({ cause: 'url' })
    expect(understand('http://me:pw@host/mcp')).toMatchObject({ cause: 'credentials' })
  })

  test('a placeholder can be the host, the port, or both', () => {
    for (const url of [
      'http://a:{{port}}/mcp?x=1',
      'https://a:${PORT}',
      'http://[::1]:{port}/mcp',
      'http://{{host}}:{{port}}/',
    ])
      expect(understand(`${url}#x`), url).toEqual({ kind: 'url', url })
    expect(understand('ws://127.0.0.1:${input:port}/')).toEqual({
      kind: 'custom',
      url: 'ws://127.0.0.1:${input:port}/',
    })
    expect(understand('http://{{host}}/mcp')).toMatchObject({ kind: 'url' })
    expect(understand('http://me:pw@a:{{port}}/mcp')).toMatchObject({ cause: 'credentials' })
    for (const text of ['http://a:{{port', 'http://a:{{port}}0/mcp', 'http://:{{port}}/mcp'])
      expect(understand(text), text).toMatchObject({ kind: 'problem', cause: 'url' })
    expect(understand(`http://a${':{'.repeat(100_000)}`)).toMatchObject({ kind: 'problem', cause: 'url' })
  })

  test('from an https page, plain http is explained as mixed content, except on this machine', () => {
    expect(understand('http://192.168.1.5:3001/mcp', https)).toMatchObject({
      cause: 'mixed-content',
      thing: '192.168.1.5:3001',
    })
    expect(understand('http://localhost:3001/mcp', https)).toMatchObject({ kind: 'url' })
    expect(understand('https://192.168.1.5/mcp', https)).toMatchObject({ kind: 'url' })
    expect(understand('http://192.168.1.5:3001/mcp')).toMatchObject({ kind: 'url' })
  })
})

describe('custom transports', () => {
  test.each([
    ['ws://localhost:3000/mcp', 'ws://localhost:3000/mcp'],
    ['WSS://Example.com/mcp?token=a#part', 'wss://example.com/mcp?token=a'],
    ['unix:/run/mcp.sock', 'unix:/run/mcp.sock'],
    ['unix:///run/my mcp.sock', 'unix:/run/my mcp.sock'],
    ['npipe:mcp-server', 'npipe:mcp-server'],
    ['npipe:\\\\.\\pipe\\mcp', 'npipe:\\\\.\\pipe\\mcp'],
  ])('%s is one', (text, url) => {
    expect(understand(text)).toEqual({ kind: 'custom', url })
  })

  test('incomplete ones are explained', () => {
    expect(understand('ws://')).toMatchObject({ kind: 'problem', cause: 'url' })
    expect(understand('ws://a b/c')).toMatchObject({ cause: 'url' })
    expect(understand('ws://me:pw@host/mcp')).toMatchObject({ cause: 'credentials-websocket' })
    expect(understand('unix:')).toMatchObject({ cause: 'socket' })
    expect(understand('unix:relative.sock')).toMatchObject({ cause: 'socket' })
    expect(understand('npipe:')).toMatchObject({ cause: 'socket' })
  })

  test('from an https page, ws: is explained as mixed content, except on this machine', () => {
    expect(understand('ws://192.168.1.5/mcp', https)).toMatchObject({ cause: 'mixed-content', thing: '192.168.1.5' })
    expect(understand('ws://localhost:3001/mcp', https)).toMatchObject({ kind: 'custom' })
    expect(understand('wss://192.168.1.5/mcp', https)).toMatchObject({ kind: 'custom' })
  })

  test('the name of a module of the proxy is one only while the proxy has the module', () => {
    const own = { protocol: 'http:', transports: ['tcp'] }
    expect(understand('tcp:localhost:4000', own)).toEqual({ kind: 'custom', url: 'tcp:localhost:4000' })
    expect(understand('tcp:localhost:4000')).toMatchObject({ kind: 'command' })
  })
})

describe('JSON', () => {
  const servers = (text: string) => {
    const understood = understand(text)
    if (understood.kind !== 'servers') throw new Error(JSON.stringify(understood))
    return understood
  }

  test('mcpServers, one entry per server', () => {
    const text = JSON.stringify({
      mcpServers: {
        everything: { command: 'npx', args: ['-y', 'x'], env: { KEY: 'k' }, cwd: '/w' },
        remote: { url: 'https://e.com/mcp', headers: { Authorization: 'Bearer x' } },
        bad: { args: ['x'] },
        worse: 7,
        odd: { command: 'a', args: 'b' },
        strange: { url: 'ftp://x' },
      },
    })
    expect(servers(text)).toMatchObject({
      dialect: 'mcpServers',
      servers: [
        {
          name: 'everything',
          target: { kind: 'command', command: 'npx', args: ['-y', 'x'], env: { KEY: 'k' }, cwd: '/w' },
        },
        { name: 'remote', target: { kind: 'url', url: 'https://e.com/mcp', headers: [['Authorization', 'Bearer x']] } },
        { name: 'bad', problem: 'no-target' },
        { name: 'worse', problem: 'no-object' },
        { name: 'odd', problem: 'bad-args' },
        { name: 'strange', problem: 'bad-url' },
      ],
    })
  })

  test("VS Code's servers, with the inputs that must be filled in by hand", () => {
    const found = servers(
      JSON.stringify({
        inputs: [{ id: 'key', type: 'promptString', password: true }],
        servers: {
          a: { type: 'stdio', command: 'node', args: ['s.js'], env: { KEY: '${input:key}' } },
          b: { type: 'sse', url: 'https://e.com/sse' },
        },
      }),
    )
    expect(found.dialect).toBe('servers')
    expect(found.servers[0]!.notes).toEqual([{ kind: 'fill-in', names: ['${input:key}'] }])
    expect(found.servers[1]).toMatchObject({ settings: { transport: 'http-sse' }, notes: [{ kind: 'legacy-sse' }] })
  })

  test('the transport is taken from what the entry says, where it says one; `http` leaves it open as its client does', () => {
    const of = (type: string) =>
      servers(JSON.stringify({ servers: { a: { type, url: 'https://e.com/x' } } })).servers[0]!
    expect(of('sse').settings).toEqual({ transport: 'http-sse' })
    for (const type of ['streamable-http', 'streamableHttp']) {
      expect(of(type).settings).toEqual({ transport: 'streamable-http' })
    }
    for (const type of ['http', 'stdio', '']) expect(of(type).settings).toBeUndefined()
    const remotes = servers(JSON.stringify({ name: 'x', remotes: [{ type: 'sse', url: 'https://e.com/sse' }] }))
    expect(remotes.servers[0]).toMatchObject({ settings: { transport: 'http-sse' }, notes: [{ kind: 'legacy-sse' }] })
  })

  test("the registry's server.json: every package and every remote", () => {
    const found = servers(
      JSON.stringify({
        name: 'io.github.me/thing',
        packages: [
          {
            registryType: 'npm',
            identifier: '@me/thing',
            version: '1.2.3',
            transport: { type: 'stdio' },
            packageArguments: [
              { type: 'positional', valueHint: 'dir', isRequired: true },
              { type: 'named', name: '--mode', value: 'fast' },
            ],
            environmentVariables: [{ name: 'KEY', isRequired: true, isSecret: true }, { name: 'OPTIONAL' }],
          },
          { registryType: 'pypi', identifier: 'thing', version: '2', transport: { type: 'stdio' } },
          {
            registryType: 'oci',
            identifier: 'docker.io/me/thing:3',
            environmentVariables: [{ name: 'KEY', value: 'v' }],
          },
          { registryType: 'mcpb', identifier: 'https://e.com/x.mcpb' },
          {
            registryType: 'npm',
            identifier: 'http-thing',
            transport: { type: 'streamable-http', url: 'http://localhost:{port}' },
          },
        ],
        remotes: [
          { type: 'streamable-http', url: 'https://e.com/mcp', headers: [{ name: 'X-Key', isRequired: true }] },
        ],
      }),
    )
    expect(found.dialect).toBe('server.json')
    expect(
      found.servers.map(
        ({ target, problem }) =>
          problem ?? (target?.kind === 'command' ? commandLine(target.command, target.args) : target),
      ),
    ).toEqual([
      "npx -y @me/thing@1.2.3 '<dir>' --mode fast",
      'uvx thing@2',
      'docker run -i --rm -e KEY docker.io/me/thing:3',
      'unknown-package',
      'needs-http',
      { kind: 'url', url: 'https://e.com/mcp', headers: [['X-Key', '<X-Key>']] },
    ])
    expect(found.servers[0]!.notes).toEqual([{ kind: 'fill-in', names: ['<dir>', '<KEY>'] }])
  })

  test('one bare server, a bare map, and members without their braces', () => {
    expect(servers('{"command":"node","args":["s.js"]}')).toMatchObject({
      dialect: 'single',
      servers: [{ target: { command: 'node' } }],
    })
    expect(servers('{"url":"http://localhost:1/mcp"}')).toMatchObject({ dialect: 'single' })
    expect(servers('{"a":{"command":"node"}}')).toMatchObject({ dialect: 'mcpServers', servers: [{ name: 'a' }] })
    expect(servers('"a": {"command":"node"},')).toMatchObject({ servers: [{ name: 'a' }] })
    expect(servers('```json\n{"mcpServers":{"a":{"command":"node"}}}\n```')).toMatchObject({ servers: [{ name: 'a' }] })
  })

  test('a whole command line in `command` is split, a path with spaces is not', () => {
    expect(servers('{"command":"npx -y thing"}').servers[0]!.target).toMatchObject({
      command: 'npx',
      args: ['-y', 'thing'],
    })
    expect(servers('{"command":"C:\\\\Program Files\\\\x.exe"}').servers[0]!.target).toMatchObject({
      command: 'C:\\Program Files\\x.exe',
    })
  })

  test('comments, trailing commas, single quotes and bare names are forgiven', () => {
    const text = `// from my notes\n{ mcpServers: { 'a': { "command": 'node', "args": ["s.js",], /* later */ }, }, }`
    expect(servers(text)).toMatchObject({ servers: [{ name: 'a', target: { command: 'node', args: ['s.js'] } }] })
  })

  test('text that is no JSON is told with line and column', () => {
    expect(understand('{\n  "mcpServers": {\n    "a" 1\n  }\n}')).toMatchObject({
      kind: 'problem',
      as: 'json',
      cause: 'json',
      line: 3,
      column: 9,
    })
    expect(understand('{"a": ')).toMatchObject({ kind: 'problem', cause: 'json', line: 1 })
    expect(understand('{"hello": 1}')).toMatchObject({ kind: 'problem', cause: 'no-servers' })
    expect(understand('[]')).toMatchObject({ kind: 'problem', cause: 'no-servers' })
  })
})

describe('anything else', () => {
  test('is a command, with the words it would be started with', () => {
    expect(understand('API_KEY=x npx -y thing')).toEqual({
      kind: 'command',
      command: 'npx',
      args: ['-y', 'thing'],
      env: { API_KEY: 'x' },
    })
    expect(understand('')).toEqual({ kind: 'nothing' })
    expect(understand('node a | b')).toMatchObject({ kind: 'problem', as: 'command', cause: 'shell-operator' })
  })

  test('no input makes it throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.webUrl()), (text) => {
        expect(understand(text).kind).toBeTypeOf('string')
      }),
      { numRuns: 500 },
    )
    expect(understand('x'.repeat(MAX_INPUT + 1))).toMatchObject({ kind: 'problem', cause: 'too-long' })
  })

  test('any JSON under mcpServers gives one entry per key and never throws', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (map) => {
        const understood = understand(JSON.stringify({ mcpServers: map }))
        expect(understood.kind === 'servers' && understood.servers.length).toBe(
          Object.keys(JSON.parse(JSON.stringify(map)) as object).length,
        )
      }),
    )
  })
})

describe('what of a draft may be stored', () => {
  const SECRET = 'hunter2-hunter2'

  test('harmless text is stored as it is', () => {
    for (const text of ['https://e.com/mcp?x=1', 'npx -y thing --mode fast', '', '{"command":"node"}', 'npx | x'])
      expect(storable(text)).toBe(text)
  })

  test('no value of a header, variable, secret argument or secret parameter', () => {
    const drafts = [
      `API_KEY=${SECRET} npx x`,
      `npx x --api-key=${SECRET}`,
      `npx x --token ${SECRET}`,
      `npx x --header "Authorization: Bearer ${SECRET}"`,
      `https://e.com/mcp?api_key=${SECRET}`,
      `https://me:${SECRET}@e.com/mcp`,
      `https://me:${SECRET}`,
      `{"mcpServers":{"a":{"command":"x","env":{"K":"${SECRET}"}}}}`,
      `{"mcpServers":{"a":{"command":"x","env":{"K":"${SECRET}"`,
      `{"url":"https://e.com","headers":{"X":"${SECRET}"}}`,
      `npx x --api-key "${SECRET}`,
      `npx x --token ${SECRET} | y`,
    ]
    for (const draft of drafts) expect(storable(draft) ?? '', draft).not.toContain(SECRET)
  })
})
