import { describe, expect, test } from 'vitest'
import { Frames } from '../../tests/sessions/frames.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import { headOf } from '../session-file/write.ts'
import { redact } from './redact.ts'

const HEAD = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '0' }, servers: [] })

const leaving = async (fill: (frames: Frames) => unknown) => {
  const frames = new Frames()
  fill(frames)
  const { frames: left, suspects } = await redact(HEAD, frames.all)
  return { left: JSON.stringify(left), suspects: suspects.map(({ value }) => value) }
}

const result = (value: Json) => (frames: Frames) =>
  frames.message('received', { jsonrpc: '2.0', id: 1, result: { value } })
const header =
  (name: string, value: string) =>
  (frames: Frames): unknown =>
    frames.call(1, { name: 'x' }, frames.say('ok'), undefined, [[name, value]])
const command =
  (...[program = '', ...args]: readonly string[]) =>
  (frames: Frames): unknown =>
    frames.add({ kind: 'process', event: 'spawn', command: program, args, cwd: '/srv', env: [], pid: 1 })
const stderr =
  (...lines: readonly string[]) =>
  (frames: Frames): void => {
    for (const text of lines) frames.add({ kind: 'process', event: 'stderr', text })
  }
const tool = (inputSchema: JsonObject, name = 'x') =>
  result([{ name, description: '', inputSchema: { type: 'object', ...inputSchema } }])

const KEY = 'b7c1e0ff3a9d4c55aa01b2c3d4e5f607'

describe('one part of a frame tells what another one is', () => {
  test.each<[string, (frames: Frames) => unknown, string]>([
    ['messages', result([{ from: 'Ole', text: 'what opens the gate?' }, { from: 'Ida', text: "it's Kirsche-weit" }]), 'Kirsche-weit'], // prettier-ignore
    [
      'a cell behind a user',
      result([
        ['hmi', 'operator', 'Forelle9'],
        ['tv', 'admin', '–'],
      ]),
      'Forelle9',
    ],
    ['an item behind a user', tool({ properties: { send: { examples: [['admin', 'Halm.Tau', 'exit']] } } }, 'telnet'), 'Halm.Tau'], // prettier-ignore
    [
      'a question and its answer',
      result({ asked: 'name of first pet', replied: 'Rollo the Great' }),
      'Rollo the Great',
    ],
    ['the field of a page', result({ steps: [['goto', 'https://x.example/login'], ['fill', '#pass', 'Rabarber_suppe2']] }), 'Rabarber_suppe2'], // prettier-ignore
    ['the name of a header', header('X-Door', 'north;open;4-19-88-2'), '4-19-88-2'],
    ['the comment of a header', header('User-Agent', 'kiosk/2 (otto, then Maulesel77 if asked)'), 'Maulesel77'],
    ['a row in a header', header('X-Radius-Reply', 'accept|vlan20|mossy7owls'), 'mossy7owls'],
    ['a program', command('./open-vault.sh', 'archive', 'Mond_ueber_Kiel'), 'Mond_ueber_Kiel'],
    ['a program and a user', command('telnet', '10.4.4.4', 'admin', 'vj3-limonade'), 'vj3-limonade'],
    [
      'the line of a prompt',
      stderr('Username for https://git.example: ada', '? ringelspitz3', 'Cloning'),
      'ringelspitz3',
    ],
    [
      'a question on stderr',
      stderr('[stt] the vault word is', '[stt] bravo nine nine lantern'),
      'bravo nine nine lantern',
    ],
  ])('%s', async (_, fill, secret) => {
    expect((await leaving(fill)).left).not.toContain(secret)
  })

  test.each<[string, (frames: Frames) => unknown, string]>([
    [
      'pairs',
      result([
        ['TZ', 'UTC'],
        ['MAILER_API_KEY', KEY],
      ]),
      KEY,
    ],
    [
      'short names of members',
      result([
        { n: 'theme', v: 'dark' },
        { n: 'connect.sid', v: `s%3A${KEY}Aq` },
      ]),
      KEY,
    ],
    ['a password of credentials', result({ credentials: { username: 'ada', password: 'otterland' } }), 'otterland'],
    ['beside a user', result({ user: 'ada', pass: 'otterland' }), 'otterland'],
    ['a label in another alphabet', result('用户名：ada\n密码：otterland\n'), 'otterland'],
    ['a label with accents', result('Användare: ada\nLösenord: otterland\n'), 'otterland'],
    ['a router', result('hostname r1\nenable secret 0 otterland\n'), 'otterland'],
    ['a package registry', result('//registry.example/:_password=otterland\n'), 'otterland'],
    ['a secret of credentials', result({ credentials: { user: 'sensor', secret: 'frogpond' } }), 'frogpond'],
    ['the bytes of a key', result({ dataKeyPlaintextHex: KEY.repeat(2) }), KEY],
    ['keys of a machine', result(`<machineKey validationKey="${KEY.toUpperCase()}" validation="SHA1" />`), KEY.toUpperCase()], // prettier-ignore
    [
      'a member of a form',
      result('https://x.example/?user[email]=a%40b.example&user[password]=lantern&go=1'),
      'lantern',
    ],
    ['a name as programs write it', result('signature mismatch (webhookSecret "nq7oj4h0kuz82non" gave another)'), 'nq7oj4h0kuz82non'], // prettier-ignore
    ['a passphrase', result({ passphrase: 'seven mules to Bamako' }), 'seven mules'],
    [
      'a password that Maven encrypted',
      result('<password>{COQLCE6DU6GtcS5PbAQ8xw9vcVtHKQ==}</password>'),
      'COQLCE6DU6',
    ],
    ['an archive', header('Content-Disposition', 'attachment; filename="pay_open_with_Eiche-2468.zip"'), 'Eiche-2468'],
    ['a dial-in account', result('branch3\t*\tSeegras_tief\t10.7.0.3\n'), 'Seegras_tief'],
  ])('its name, in another shape: %s', async (_, fill, secret) => {
    expect((await leaving(fill)).left).not.toContain(secret)
  })

  test('what may be an ordinary name is listed but kept', async () => {
    const { left, suspects } = await leaving(header('From', 'Night crew <night@depot.example> (pistachio-8-Roma)'))
    expect(left).toContain('pistachio-8-Roma')
    expect(suspects).toEqual(['pistachio-8-Roma'])
  })

  test.each<[string, (frames: Frames) => unknown]>([
    ['preferences', header('Cookie', 'theme=dark; lang=de; tz=Europe%2FBerlin')],
    ['a deleted cookie', header('Cookie', 'sid=deleted')],
    ['which key it is', header('X-Key-Id', '2026-11-rotation')],
    ['a digest', header('Repr-Digest', `sha-256=${'B4LvHXPDyftsBZ9mS9kG0vkkFUj6l0DB'}=`)],
    ['a label in another language', result({ 'login.password': 'Passwort', password: 'Mot de passe' })],
    ['where it is kept', result({ DB_PASSWORD: 'op://Werk/orders/password', x: 'arn:aws:secretsmanager:eu-west-1:1:secret:orders/pg-Ab12Cd' })], // prettier-ignore
    [
      'the key of documentation',
      result(`\`AKIA${'IOSFODNN7EXAMPLE'}\` and \`wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\``),
    ],
    ['a prompt without input', stderr("Password for 'https://ci@git.example': ", 'fatal: could not read Password')],
    ['columns to sort by', command('sort', '--key=2,2n', 'numbers.txt')],
    ['a commit', command('git', 'checkout', '--detach', '703c2f418ac9f21c55b36079dce33049195cb7da')],
    ['a workspace', command('server', '--workspace', 'c4475560-8b8f-4401-a672-ef64ea71d46c', '--no-auth')],
    ['keys to press', result('| Key | Action |\n|---|---|\n| Ctrl+Shift+P | Palette |\n| F2 | Rename |\n')],
    ['a public key', result('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIsFZ8iroRwSccqLPRrQjOlTZlJO7GS4J ada@laptop')],
    [
      'a device that signed in',
      result({ event: 'login', device: 'Galaxy-S23', city: 'Frankfurt-Oder', ua: 'Chrome-124' }),
    ],
    [
      'rights',
      result({
        rows: [
          ['admin', 'Read-Only'],
          ['guest', 'Full-Access'],
        ],
      }),
    ],
    ['a question of a quiz', result({ question: 'What is the capital of France?', answer: 'Paris' })],
  ])('and nothing else: %s', async (_, fill) => {
    const { left, suspects } = await leaving(fill)
    expect(left).not.toContain('‹removed: ')
    expect(suspects).toEqual([])
  })
})
