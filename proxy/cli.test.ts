import { describe, expect, test } from 'vitest'
import { HELP, readCommandLine } from './cli.ts'

const serve = { kind: 'serve', host: '127.0.0.1', port: 6275, portAsked: false, open: true }

describe('the command line', () => {
  test('needs nothing', () => expect(readCommandLine([])).toEqual(serve))

  test('takes the URL of a server', () => {
    expect(readCommandLine(['https://example.com/mcp', '--no-open'])).toEqual({
      ...serve,
      open: false,
      launch: { url: 'https://example.com/mcp' },
    })
  })

  test('hands on everything behind -- untouched, options and further -- too', () => {
    expect(readCommandLine(['--port', '7000', '--', 'npx', '-y', 'server', '--port', '1', '--', '--help'])).toEqual({
      ...serve,
      port: 7000,
      portAsked: true,
      launch: { command: 'npx', args: ['-y', 'server', '--port', '1', '--', '--help'] },
    })
  })

  test('takes IPv6 addresses with and without brackets', () => {
    expect(readCommandLine(['--host', '[::1]'])).toMatchObject({ host: '::1' })
    expect(readCommandLine(['--host', '::'])).toMatchObject({ host: '::' })
  })

  test.each([
    [['npx', '-y'], /no option `-y`.*behind `--`/],
    [['npx', 'server'], /`npx` is not a URL.*periscope -- npx server/],
    [['localhost:3000/mcp'], /no scheme.*http:\/\/localhost:3000\/mcp/],
    [['example.com/mcp'], /no scheme.*https:\/\/example\.com\/mcp/],
    [['ftp://example.com'], /must begin with http/],
    [['http://'], /`http:\/\/` is not a whole URL/],
    [['http://a.example', 'http://b.example'], /One URL is enough/],
    [['http://a.example', '--', 'npx'], /Both the URL/],
    [['--'], /No command stands behind/],
    [['--frobnicate'], /no option `--frobnicate`/],
    [['--port'], /`--port` needs a value/],
    [['--port', 'http'], /`--port http` is not a port/],
    [['--port', '65536'], /is not a port/],
    [['--port=-1'], /is not a port/],
    [['--host', 'http://x'], /is not an address/],
    [['--host', '127.0.0.1:80'], /is not an address/],
    [['--no-open=yes'], /takes no value/],
  ])('says what is wrong with %j', (argv, message) => {
    const wish = readCommandLine(argv)
    expect(wish).toMatchObject({ kind: 'mistake', message: expect.stringMatching(message) })
  })

  test.each(['open', 'verify', 'record', 'play'])('explains %s in its help, and shows it when asked', (command) => {
    expect(HELP).toMatch(new RegExp(`^ +periscope ${command} .*FILE`, 'm'))
    expect(readCommandLine([command, '--help'])).toEqual({ kind: 'help' })
    expect(readCommandLine([command])).toMatchObject({
      kind: 'mistake',
      message: expect.stringMatching(new RegExp(`^periscope ${command}: .*\\nUsage: periscope ${command} `)),
    })
  })
})
