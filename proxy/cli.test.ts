import { describe, expect, test } from 'vitest'
import { readCommandLine } from './cli.ts'
import { COMMANDS, helpFor } from './commands/options.ts'

const serve = { kind: 'serve', host: '127.0.0.1', port: 6275, portRequired: false, open: true }

const HELP = helpFor('periscope')

describe('the command line', () => {
  test('needs nothing', () => expect(readCommandLine([])).toEqual(serve))

  test('takes the URL of a server', () => {
    expect(readCommandLine(['https://example.com/mcp', '--no-open'])).toEqual({
      ...serve,
      open: false,
      launch: { url: 'https://example.com/mcp' },
    })
  })

  test.each(['ws://localhost:3000/mcp', 'unix:/run/mcp.sock'])('takes %s', (url) => {
    expect(readCommandLine([url])).toEqual({ ...serve, launch: { url } })
  })

  test('passes on everything after -- unchanged, including options and a second --', () => {
    expect(readCommandLine(['--port', '7000', '--', 'npx', '-y', 'server', '--port', '1', '--', '--help'])).toEqual({
      ...serve,
      port: 7000,
      portRequired: true,
      launch: { command: 'npx', args: ['-y', 'server', '--port', '1', '--', '--help'] },
    })
  })

  test('takes IPv6 addresses with and without brackets', () => {
    expect(readCommandLine(['--host', '[::1]'])).toMatchObject({ host: '::1' })
    expect(readCommandLine(['--host', '::'])).toMatchObject({ host: '::' })
  })

  test.each([
    [['npx', '-y', 'a'], /Unknown option `-y`.*after `--`: periscope -- npx -y a\n/],
    [['--port', '8080', 'npx', '-y'], /after `--`: periscope --port 8080 -- npx -y\n/],
    [['--port', '1', '-y', 'npx', 'a'], /after `--`: periscope --port 1 -- COMMAND -y npx a\n/],
    [['-y', '--', 'npx'], /options of a server's command after `--`\.\n/],
    [['npx', 'server'], /`npx` isn't a URL.*periscope -- npx server\n/],
    [['--watch', 'src/**', 'node', 'a b.js'], /: periscope --watch 'src\/\*\*' -- node 'a b\.js'\n/],
    [['--port=1', 'node', 'a.js', '--port', '2'], /: periscope --port=1 -- node a\.js --port 2\n/],
    [['node', "it's", '', '--', '-x'], /: periscope -- node 'it'\\''s' '' -- -x\n/],
    [['verify', 'a.jsonl', '--json', 'npx', '-y'], /: periscope verify a\.jsonl --json -- npx -y\n/],
    [['verify', 'a.jsonl', 'node', 'b.js'], /`node` was also given.*: periscope verify a\.jsonl -- node b\.js\n/],
    [['verify', 'a.jsonl', 'b.jsonl'], /Only one file is allowed, but `b\.jsonl` was also given\.\n/],
    [['record', '--out', 'a', 'node', 'b.js'], /`node` isn't a URL.*: periscope record --out a -- node b\.js\n/],
    [['record', '--out', 'a', 'npx', '-y'], /: periscope record --out a -- npx -y\n/],
    [['localhost:3000/mcp'], /no scheme.*http:\/\/localhost:3000\/mcp/],
    [['example.com/mcp'], /no scheme.*https:\/\/example\.com\/mcp/],
    [['ftp://example.com'], /must begin with http/],
    [['http://'], /`http:\/\/` isn't a complete URL/],
    [['http://a.example', 'http://b.example'], /Only one URL/],
    [['http://a.example', '--', 'npx'], /Both the URL/],
    [['--'], /No command follows/],
    [['--frobnicate'], /Unknown option `--frobnicate`/],
    [['--port'], /`--port` needs a value/],
    [['--port', 'http'], /`--port http` isn't a port/],
    [['--port', '65536'], /isn't a port/],
    [['--port=-1'], /isn't a port/],
    [['--host', 'http://x'], /isn't an address/],
    [['--host', '127.0.0.1:80'], /isn't an address/],
    [['--no-open=yes'], /doesn't take a value/],
    [['--config'], /`--config` needs a value, for example --config mcp\.json/],
    [['--server', 'a'], /--server works only with --config/],
    [['--config', 'mcp.json', 'http://a.example'], /Both --config and a server/],
    [['--config', 'mcp.json', '--', 'npx'], /Both --config and a server/],
    [['--client-cert', 'a.pem'], /--client-cert works only with the https URL/],
    [['--client-cert', 'a.pem', 'http://a.example'], /--client-cert works only with the https URL/],
    [['--client-key', 'a.key', 'https://a.example'], /--client-key works only with --client-cert/],
    [['--watch', 'src', 'http://a.example'], /--watch works only with a command/],
    [['--watch'], /`--watch` needs a value, for example --watch 'src/],
    [['--watch=', '--', 'node'], /`--watch` needs a value/],
    [['--watch', 'a.ts', 'b.ts', '--', 'node'], /`b\.ts` isn't a URL\. If it comes from the glob.*quote the glob/],
    [
      ['--wach', 'x', '--', 'node', 'a.js'],
      /Unknown option `--wach`\. Did you mean --watch\? Run: periscope --watch x -- node a\.js\n/,
    ],
    [['--wach=x', 'node', 'a.js'], /Did you mean --watch\? Run: periscope --watch=x -- node a\.js\n/],
    [['--prot', '4000'], /Unknown option `--prot`\. Did you mean --port\? Run: periscope --port 4000\n/],
    [['-port', '4000'], /Did you mean --port\? Run: periscope --port 4000\n/],
    [['http://a.example', '--Port', '4000'], /Did you mean --port\? Run: periscope http:\/\/a\.example --port 4000\n/],
    [['node', 'a.js', '--prot', '4000'], /after `--`: periscope -- node a\.js --prot 4000\n/],
    [['--inspect', '--', 'node'], /Unknown option `--inspect`\. Put the options of a server's command after `--`\.\n/],
    [['open', 'a.jsonl', '--noopen'], /Did you mean --no-open\? Run: periscope open a\.jsonl --no-open\n/],
    [['play', 'a.jsonl', '--dealys'], /Did you mean --delays\?/],
    [['verify', 'a', '--haeder', 'K: secret', '--var=a=secret'], /: periscope verify a --header 'K: …' '--var=a=…'\n/],
  ])('explains the mistake in %j', (argv, message) => {
    expect(readCommandLine(argv)).toMatchObject({ kind: 'usage-error', message: expect.stringMatching(message) })
  })

  test.each(
    (['serve', 'open', 'verify', 'record', 'play'] as const).flatMap((name) =>
      Object.keys(COMMANDS[name].options).map((option) => [name, option] as const),
    ),
  )('recognizes a typo in an option of %s: --%s', (name, option) => {
    const typos = [option.slice(0, 1) + option.slice(2), option.slice(1, 2) + option.slice(0, 1) + option.slice(2)]
    // Two letters may be anything.
    for (const typo of typos.filter((each) => each.length > 2)) {
      const read = readCommandLine([...(name === 'serve' ? [] : [name]), `--${typo}`])
      expect(read).toMatchObject({ kind: 'usage-error', message: expect.stringContaining(`Did you mean --${option}?`) })
    }
  })

  test('names the commands of a clone in a clone: npm takes the first `--`, and its lines stay out of results', () => {
    const own = 'npm start --'
    const messageFor = (...argv: string[]) => {
      const read = readCommandLine(argv, own)
      return read.kind === 'usage-error' ? read.message : read.kind
    }
    expect(messageFor('node', 'server.js')).toBe(
      "periscope: `node` isn't a URL. To run it as a command, put `--` before it: npm start -- -- node server.js\n" +
        'See `npm start -- --help`.',
    )
    expect(messageFor('npx', '-y')).toContain(': npm start -- -- npx -y\n')
    expect(messageFor('open')).toContain('Name its file: npm start -- open demo.periscope.jsonl\n')
    expect(messageFor('play')).toMatch(/: npm --silent start -- play demo.*\nUsage: npm --silent start -- play FILE/)
    expect(helpFor(own)).toMatch(/^Usage: npm start -- \[URL [^]*\n {2}npm start -- -- npx -y /)
    expect(helpFor(own)).not.toMatch(/^ +periscope /m)
  })

  test('takes a configuration, and the name of one of its servers', () => {
    expect(readCommandLine(['--config', 'mcp.json'])).toEqual({ ...serve, config: { file: 'mcp.json' } })
    expect(readCommandLine(['--server', 'a b', '--config=x.toml'])).toEqual({
      ...serve,
      config: { file: 'x.toml', server: 'a b' },
    })
  })

  test('takes a certificate for an https server', () => {
    expect(readCommandLine(['--client-cert', 'a.pem', '--client-key', 'a.key', 'https://a.example/mcp'])).toEqual({
      ...serve,
      launch: { url: 'https://a.example/mcp' },
      clientCertificate: { cert: 'a.pem', key: 'a.key' },
    })
  })

  test('takes the files to watch for a command', () => {
    expect(readCommandLine(['--watch', 'src/**/*.ts', '--watch', 'server.js', '--', 'node', 'server.js'])).toEqual({
      ...serve,
      launch: { command: 'node', args: ['server.js'] },
      watch: ['src/**/*.ts', 'server.js'],
    })
  })

  test('opens a recording, with the options of the page before or after it', () => {
    expect(readCommandLine(['open', '--port', '7000', 'demo.jsonl', '--no-open'])).toEqual({
      ...serve,
      port: 7000,
      portRequired: true,
      open: false,
      recording: 'demo.jsonl',
    })
    for (const server of [['http://a.example'], ['--', 'npx']]) {
      expect(readCommandLine(['open', 'demo.jsonl', ...server])).toMatchObject({ kind: 'usage-error' })
    }
  })

  test.each(['open', 'verify', 'record', 'play'])('explains %s in the help and in its usage errors', (command) => {
    expect(HELP).toMatch(new RegExp(`^ +periscope ${command} .*FILE`, 'm'))
    expect(readCommandLine([command, '--help'])).toEqual({ kind: 'help' })
    expect(readCommandLine([command])).toMatchObject({
      kind: 'usage-error',
      message: expect.stringMatching(new RegExp(`^periscope ${command}: .*\\nUsage: periscope ${command} `)),
    })
  })

  test('lists every option in the help, within 120 columns', () => {
    const options = Object.values(COMMANDS).flatMap((command) => Object.keys(command.options))
    expect(options.filter((name) => !HELP.includes(`\n  --${name}`))).toEqual([])
    expect(HELP.split('\n').filter((line) => line.length > 120)).toEqual([])
  })
})
