import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connectLink, readConnectLink } from './connect-link.ts'
import { readConfig } from './configs/read-config.ts'
import { placeholdersIn } from './placeholders.ts'
import type { Target } from './target.ts'

const SECRET = 'Zx81qLmN0pQrS7tUvW'
const read = (query: string) => readConnectLink(`#/connect?${query}`)

describe('a link that fills in the form', () => {
  test('has a URL, a transport and the names of headers, whose values the form asks for', () => {
    expect(read('url=https%3A%2F%2Fe.com%2Fmcp%3Fa%3D1&transport=sse&headers=Authorization,%20X-Team&name=Docs')).toEqual({
      text: 'https://e.com/mcp?a=1',
      name: 'Docs',
      headers: [
        { name: 'Authorization', value: '${AUTHORIZATION}' },
        { name: 'X-Team', value: '${X_TEAM}' },
      ],
      settings: { transport: 'http-sse' },
    }) // prettier-ignore
  })

  test.each(['{"command":"node"}', Buffer.from('{"command":"node"}').toString('base64url')])(
    'has a configuration, laid out so that all of it can be read: %s',
    (config) => {
      expect(read(`config=${encodeURIComponent(config)}`)?.text).toBe('{\n  "command": "node"\n}')
    },
  )

  test.each([
    ['no URL', ''],
    ['a command as URL', 'url=rm%20-rf%20%2F'],
    ['a script', 'url=javascript:alert(1)'],
    ['a file', 'url=file:///etc/passwd'],
    ['credentials in the URL', 'url=https://me:pw@e.com/mcp'],
    ['a URL too long to read', `url=https://e.com/${'a'.repeat(5_000)}`],
    ['a configuration too long to read', `config=${encodeURIComponent(`{"command":"${'a'.repeat(200_000)}"}`)}`],
    ['a configuration that is a string', 'config=%22npx%20evil%22'],
    ['a configuration that is broken', 'config=%7B'],
    // Laid out, its indentation alone would have 18 million characters.
    ['a configuration too deep to read', `config=${'['.repeat(3_000)}${']'.repeat(3_000)}`],
  ])('fills in nothing with %s', (_, query) => {
    expect(read(query)).toBeUndefined()
  })

  test('has no say over values of headers, and none over other settings', () => {
    const names = ['X-A: injected', 'X-B%0d%0aX-C: d', 'X-D', 'x-d', '', ...Array.from({ length: 50 }, (_, at) => `H${at}`)]
    const form = read(`url=https://e.com/mcp&headers=${names.join(',')}&transport=evil&relay=true&certificates=e.com%20${Array(32).fill('0A').join(':')}`)!
    expect(form.settings).toEqual({})
    expect(form.headers).toHaveLength(20)
    expect(form.headers.map(({ name }) => name)).not.toContain('X-A: injected')
    expect(form.headers.every(({ name, value }) => /^[\w-]+$/.test(name) && /^\$\{\w+\}$/.test(value))).toBe(true)
  }) // prettier-ignore

  test('shows characters that are not seen: as escapes, so that they stay what they are', () => {
    const [bidi, tag] = ['\u202e', '\u{e0041}']
    const server = { command: `a${bidi}b`, args: [`${tag}\u200b文 é`] }
    const { text } = read(`config=${encodeURIComponent(JSON.stringify(server))}`)!
    expect(text).toContain(String.raw`a\u202eb`)
    expect(text).toContain(String.raw`\udb40\udc41\u200b文 é`)
    expect(JSON.parse(text)).toEqual(server)
    expect(read(`url=${encodeURIComponent(`https://e.com/${bidi}文`)}`)?.text).toBe('https://e.com/%E2%80%AE文')
    expect(read(`url=${encodeURIComponent(`unix:/tmp/${bidi}a`)}`)).toBeUndefined()
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        read(text)
        read(`config=${text}`)
        read(`url=${text}`)
      }),
    )
  })
})

describe('a link to a server', () => {
  test('over HTTP names its headers, and contains no secret', () => {
    const target: Target = {
      kind: 'url',
      url: `https://e.com/mcp?api_key=${SECRET}&mode=fast`,
      headers: [['Authorization', `Bearer ${SECRET}`]],
    }
    const link = connectLink({ name: 'Docs', target, settings: { transport: 'http-sse' } })
    expect(link).not.toContain(SECRET)
    expect(readConnectLink(link)).toMatchObject({
      name: 'Docs',
      headers: [{ name: 'Authorization' }],
      settings: { transport: 'http-sse' },
    })
    expect(readConnectLink(link)?.text).toContain('mode=fast')
  })

  test.each(['wss://e.com/mcp', 'unix:/run/mcp.sock', 'npipe:mcp'])(
    'over a custom transport is read as the same: %s',
    (url) => {
      const link = connectLink({ name: 'Mine', target: { kind: 'custom', url }, settings: {} })
      expect(readConnectLink(link)).toEqual({ text: url, name: 'Mine', headers: [], settings: {} })
    },
  )

  test('over a WebSocket contains no secret of its URL', () => {
    const target = { kind: 'custom', url: `wss://e.com/mcp?token=${SECRET}` } as const
    expect(connectLink({ name: '', target, settings: {} })).not.toContain(SECRET)
  })

  test('over stdio is read as the same command, with its variables as placeholders', () => {
    const target: Target = {
      kind: 'command',
      command: 'npx',
      args: ['-y', 'sérver', '--token', SECRET],
      env: { API_KEY: SECRET },
    }
    const link = connectLink({ name: 'Dócs', target, settings: {} })
    expect(Buffer.from(link.split('config=')[1]!, 'base64url').toString()).not.toContain(SECRET)
    const read = readConfig(readConnectLink(link)!.text)
    if (read.kind !== 'servers') throw new Error(read.kind)
    expect(read.servers[0]).toMatchObject({ name: 'Dócs', target: { command: 'npx', args: ['-y', 'sérver', '--token', ''] } })
    expect(placeholdersIn(read.servers[0]!.target!)).toEqual(['${API_KEY}'])
  }) // prettier-ignore
})
