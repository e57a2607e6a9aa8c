import { describe, expect, test } from 'vitest'
import { Frames } from '../../tests/sessions/frames.ts'
import type { Json } from '../mcp/index.ts'
import { headOf } from '../session-file/write.ts'
import { redact } from './redact.ts'

const HEAD = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '0' }, servers: [] })

const leaving = async (value: Json): Promise<string> => {
  const frames = new Frames()
  frames.message('received', { jsonrpc: '2.0', id: 1, result: { value } })
  return JSON.stringify((await redact(HEAD, frames.all)).frames)
}

const WORD = 'copperkettle'
const KEY = 'b7c1e0ff3a9d4c55aa01b2c3d4e5f607'

describe('a shape of JSON tells a secret', () => {
  test.each<[string, Json, string]>([
    ['a pair with a prefix', { ParameterKey: 'DbPassword', ParameterValue: WORD }, WORD],
    ['a pair in capitals', [{ Name: 'API_KEY', Value: KEY }], KEY],
    ['a kind', { key: 'K1', value: WORD, type: 'secret' }, WORD],
    ['a mark', { sensitive: true, type: 'string', value: WORD }, WORD],
    ['a schema with a format', { type: 'object', properties: { x: { type: 'string', format: 'password', example: WORD } } }, WORD], // prettier-ignore
    ['a variant of a schema', { type: 'object', properties: { password: { anyOf: [{ type: 'string', default: WORD }] } } }, WORD], // prettier-ignore
    ['a manifest', { kind: 'Secret', stringData: { x: WORD } }, WORD],
    ['a table', { columns: ['id', 'password'], rows: [[7, WORD]] }, WORD],
    ['a table with its head in it', [['user', 'password'], ['ada', WORD]], WORD], // prettier-ignore
    ['flat headers', { rawHeaders: ['Host', 'x', 'X-API-Key', KEY] }, KEY],
    ['one for each user', { passwords: { ada: WORD } }, WORD],
    ['a user and a secret', { auth: ['ada', 'Vk7!mopRed44'] }, 'Vk7!mopRed44'],
    ['the same in one text', { login: 'ada:Vk7!mopRed44' }, 'Vk7!mopRed44'],
    ['a resource', { type: 'random_password', instances: [{ attributes: { result: WORD } }] }, WORD],
    ['a command', { command: ['sshpass', '-p', WORD, 'ssh', 'host'] }, WORD],
    ['an option in an array', { command: 'uvx', args: ['tide-mcp', '--token', WORD, '--port', '8080'] }, WORD],
    ['a network', { ssid: 'Stugan', wifi_nyckel: 'blåbärspaj', dold: false }, 'blåbärspaj'],
    ['the key of who leads a meeting', { meeting: { topic: 'Crew', host_key: '604218' } }, '604218'],
    ['ideographs beside values', { 站台: '倉庫', 帳號: 'ops', 通行碼: '藍鯨五號' }, '藍鯨五號'],
    ['a sign-in with Digest', { sent: 'Authorization: Digest username="a", realm="r", response="5e2b415aaa71caf5"' }, '5e2b415aaa71caf5'], // prettier-ignore
    ['lines', { steps: ['open https://example.com/login', 'type ada', 'type Vk7!mopRed44'] }, 'Vk7!mopRed44'],
  ])('%s', async (_, value, secret) => {
    const left = await leaving(value)
    expect(left).toContain('‹removed: ')
    expect(left).not.toContain(secret)
  })

  test.each<[string, Json]>([
    ['a pair without one', { name: 'color', value: '#4f46e5', secret: false }],
    ['names of columns', { columns: ['id', 'password'], rows: [] }],
    ['tokens of a design', { tokens: { primary: '#4f46e5', space4: '16px' } }],
    ['where secrets are kept', { secrets: { provider: 'vault', path: 'secret/data/app' } }],
    ['rules', { password: ['required', 'confirmed', 'min8'] }],
    ['ways to sign in', { auth: ['oauth2', 'basic'], login: ['google', 'github'] }],
    ['an event', { type: 'password_reset', result: 'sent' }],
    ['preferences', { cookies: [{ name: 'theme', value: 'dark-mode' }] }],
    ['labels', { i18n: { password: 'Hasło', token: 'Żeton', secret: 'Sekret' } }],
    ['labels of ideographs', { 登录: '登录', 密码: '请输入密码', 记住: true }],
    ['the key of a host', { host: 'git.example', host_key: 'ssh-ed25519' }],
    ['options that take no secret', { args: ['serve', '--token-file', '/run/t', '--token', '${TOKEN}'] }],
    ['a required member', { required: ['username', 'password'] }],
  ])('and nothing else: %s', async (_, value) => {
    expect(await leaving(value)).not.toContain('‹removed: ')
  })
})

describe('lines that come one by one form one text', () => {
  const said = async (...lines: string[]): Promise<readonly string[]> => {
    const frames = new Frames()
    for (const text of lines) frames.add({ kind: 'process', event: 'stderr', text })
    return (await redact(HEAD, frames.all)).frames.map((frame) => (frame as { text: string }).text)
  }

  test.each([
    ['YAML', ['[app] passwords:', `[app]   - ${WORD}`, '[app] port: 1'], WORD],
    [
      'a table',
      ['12:00:01 INFO | user | password |', '12:00:01 INFO |---|---|', `12:00:01 INFO | ada | ${WORD} |`],
      WORD,
    ],
    ['JSON', ['{', '  "argv": [', '    "acme",', '    "--password",', `    "${WORD}"`, '  ]', '}'], WORD],
  ])('%s', async (_, lines, secret) => {
    expect((await said(...lines)).join('\n')).not.toContain(secret)
  })

  test('a word that is one of them stays in other lines', async () => {
    const lines = await said('passwords:', '  - sunrise', 'done', ...Array<string>(80).fill('x'), 'sunrise at six')
    expect(lines[1]).toBe('  - ‹removed: name:password›')
    expect(lines.at(-1)).toBe('sunrise at six')
  })
})
