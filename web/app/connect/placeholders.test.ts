import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../../tests/patience.ts'
import { fillIn, placeholdersIn, placeholdersOf } from './placeholders.ts'
import type { CommandTarget, UrlTarget } from './target.ts'

const url = (text: string, headers: UrlTarget['headers'] = []): UrlTarget => ({ kind: 'url', url: text, headers })
const command = (more: Partial<CommandTarget>): CommandTarget => ({
  kind: 'command',
  command: 'npx',
  args: [],
  env: {},
  ...more,
})

const WAYS = [
  '${env:API_KEY}',
  '${input:github_token}',
  '${API_KEY}',
  '${{ secrets.TOKEN }}',
  '{{api_key}}',
  '<YOUR_KEY>',
  '<your api key>',
  '{tenant}',
  'YOUR_API_KEY',
  'YOUR-TOKEN-HERE',
  'your_api_key',
  'your-token-here',
  'CHANGE_ME',
  'REPLACE_WITH_TOKEN',
  'xxx',
  'XXXXXXXX',
  'sk-xxxxxxxxxxxx',
  'ghp_XXXXXXXX',
]

describe('a placeholder', () => {
  test.each(WAYS)('%s is found wherever it is written, and nowhere sent once it is filled in', (text) => {
    const overHttp = url(`https://example.com/mcp?key=${encodeURI(text)}`, [['Authorization', `Bearer ${text}`]])
    const process = command({ command: text, args: ['--key', `key=${text}`], env: { KEY: text }, cwd: `/srv/${text}` })
    expect(placeholdersIn(url('https://example.com/mcp', [['X-Key', text]]))).toEqual([text])
    expect(placeholdersIn(process)).toEqual([text])
    for (const target of [overHttp, process]) {
      if (/ /.test(text) && target === overHttp) continue
      expect(placeholdersIn(target)).toEqual([text])
      const filled = fillIn(target, { [text]: 'a b&c' })
      expect(placeholdersIn(filled)).toEqual([])
      expect(JSON.stringify(filled)).not.toContain(text)
    }
    expect(fillIn(process, { [text]: 's3' })).toEqual(
      command({ command: 's3', args: ['--key', 'key=s3'], env: { KEY: 's3' }, cwd: '/srv/s3' }),
    )
  })

  test('is named with its place', () => {
    expect(placeholdersOf(url('https://example.com/<team>', [['X-Key', '{{key}}']]))).toEqual([
      { text: '<team>', place: 'url' },
      { text: '{{key}}', place: 'header', name: 'X-Key' },
    ])
    expect(placeholdersOf(command({ env: { KEY: 'YOUR_KEY' }, cwd: '${workspaceFolder}' }))).toEqual([
      { text: 'YOUR_KEY', place: 'variable', name: 'KEY' },
      { text: '${workspaceFolder}', place: 'directory' },
    ])
  })

  test('that is filled in is encoded in a URL, and one without a value leaves its exact text alone', () => {
    expect(fillIn(url('https://e.com/%7Btenant%7D?q=%7E'), { '{tenant}': 'a/b' })).toMatchObject({
      url: 'https://e.com/a%2Fb?q=%7E',
    })
    expect(fillIn(url('http://a:{{port}}/{{id}}'), { '{{port}}': '3000', '{{id}}': 'x y' })).toMatchObject({
      url: 'http://a:3000/x%20y',
    })
    expect(fillIn(url('https://e.com/%7Btenant%7D'), { other: 'x' })).toMatchObject({
      url: 'https://e.com/%7Btenant%7D',
    })
    expect(fillIn(url('https://e.com/%7Btenant%7D'), { '{tenant}': '' })).toMatchObject({
      url: 'https://e.com/%7Btenant%7D',
    })
  })

  test.each([
    'npx -y @modelcontextprotocol/server-filesystem /home/me/your-project',
    '{"json":{"a":1}}',
    'a < b > c',
    'axxxb maxxx example.com',
    'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x',
    'sk-1234567890',
    '$HOME',
    'xx',
  ])('is not seen in %s', (text) => {
    expect(placeholdersIn(command({ args: [text] }))).toEqual([])
  })

  test.each(['x', 'a', '{', '<a', '${', 'your-', 'YOUR_', 'xxx-', 'a_', '{{a'])(
    'is looked for in linear time in a million characters of %s',
    async (piece) => {
      const text = piece.repeat(1_000_000 / piece.length)
      await expectWithin(5_000, () => placeholdersIn(command({ args: [text] })))
    },
  )
})
