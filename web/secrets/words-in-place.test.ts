import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { assignedIn } from './assignments.ts'
import { areWordsInPlace } from './chosen-words.ts'
import { COMPOSED_HINTS, composedKind, isAboutPasswords } from './composed-names.ts'
import { secretsInFiles } from './file-formats.ts'
import type { Assigned } from './found-in-text.ts'
import { DEFAULT_REDACTIONS } from './redaction-rules.ts'
import { Names } from './secret-names.ts'

const NAMES = new Names(DEFAULT_REDACTIONS, { hints: COMPOSED_HINTS, kindOf: composedKind, isAbout: isAboutPasswords })

const foundIn = (text: string): readonly Assigned[] => {
  const all: Assigned[] = []
  assignedIn(text, NAMES, (one) => all.push(one))
  secretsInFiles(text, NAMES, (one) => all.push(one))
  return all
}
const removedFrom = (text: string): readonly string[] =>
  foundIn(text).flatMap(({ from, to, doubtful }) => (doubtful ? [] : [text.slice(from, to)]))

describe('where the place of a password ends for certain, a few words are one', () => {
  test.each([
    ['a quotation in a file', 'ssid="Attic"\npsk="two owls at the gate"\n', ['two owls at the gate']],
    ['a quotation in a log', 'INFO cofre senhaMestra="gato na chuva" n=3', ['gato na chuva']],
    ['a quotation alone in its line', 'hostname "Tea"\nsv_password "apple crumble"\n', ['apple crumble']],
    ['a column of CSV', 'nom;mot de passe;poste\nzoe;soupe de courge;12\n', ['soupe de courge']],
    ['a column with tabs', 'room\twifi_password\tend\nLoft\tthree slow snails\t31\n', ['three slow snails']],
    ['INI with a comment', '[nas]\nuser = ada\npasswort = Kalter Kaffee ; bis Mai\nport = 22\n', ['Kalter Kaffee']],
    ['a variable in another language', 'склад=/mnt\nпароль_складу=борщ з грибами\nчас=ніч\n', ['борщ з грибами']],
    [
      'a folded block',
      'nas:\n  kennwort: >-\n    Die Katze wohnt\n    auf dem Dach\n  port: 22\n',
      ['Die Katze wohnt', 'auf dem Dach'],
    ],
    ['what one opens with it', 'Birou: etaj 2\nParola seif: Livada veche\nData: 11.10.2026\n', ['Livada veche']],
    [
      'a key of an encryption',
      'Volume: 3\nEncryption key: the old boat is green\nMounted: no\n',
      ['the old boat is green'],
    ],
    [
      'a phrase of recovery',
      'Wallet: 2\nRecovery phrase: the old boat is green\nLocked: no\n',
      ['the old boat is green'],
    ],
  ])('%s', (_, text, secrets) => expect([...new Set(removedFrom(text))]).toEqual(secrets))

  test.each([
    [
      'a message in a block',
      'login:\n  password: |\n    Your password has expired.\n    Choose a new one.\n  ok: Done\n',
    ],
    ['a label in a column', 'key;user;password\nfr;nom d’utilisateur;mot de passe du compte\n'],
    ['a message in a line', 'label "Name"\npassword "Enter the new word"\n'],
    ['who keeps a key', 'Volume: 3\nEncryption key: managed by the cloud provider\nMounted: no\n'],
    ['a program that stores passwords', 'editor = vim\npassword_manager = Blue Vault\nshell = zsh\n'],
  ])('%s stays', (_, text) => expect(removedFrom(text)).toEqual([]))

  test('a message about a password isn’t one', () => {
    const rule = NAMES.of('password', 'key')!
    for (const words of ['quiet harbour', 'gato con botas', 'never trust geese'])
      expect(areWordsInPlace(rule, words)).toBe(true)
    for (const words of [
      'at least twelve characters',
      'ask Tom',
      'not set',
      'neues Passwort wählen',
      'Introduzca su clave.',
    ])
      expect(areWordsInPlace(rule, words)).toBe(false)
  })
})

describe('values of other forms under their names', () => {
  test.each([
    ['the key of a server', 'tacacs server A\n address ipv4 10.1.1.1\n key pine.and.fir\n!\n', ['pine.and.fir']],
    ['the key of a server in one line', 'radius-server host 10.1.1.1 auth-port 1812 key slate_roof\n', ['slate_roof']],
    ['a header that a proxy adds', 'proxy_set_header X-Edge-Auth "from-the-edge";\n', ['from-the-edge']],
    ['a community', 'SNMP: on\nWrite Community : gravel-rw\nPort : 162\n', ['gravel-rw']],
    ['dots', ' Quiet boot ...... On and on\n Admin Password .. HERON52\n Fan ............. Auto mode\n', ['HERON52']],
    [
      'a code with a sign in it',
      ' Serial ........ ZX-1\n Engineer code . *41#2207\n Engineer code ... *41#2207\n',
      ['*41#2207'],
    ],
    ['signs of .properties', 'a.port=1\nkey-store-password=stone\\:arch\\=9\nb=2\n', ['stone\\:arch\\=9']],
    ['a ticket', 'https://id.example/in?login_ticket=maple-hill-42-tango&lang=de', ['maple-hill-42-tango']],
  ])('%s', (_, text, secrets) => expect([...new Set(removedFrom(text))]).toEqual(secrets))

  test.each([
    ['a key of something else', 'key chain OSPF\n key 1\n  key-string 7 x\n!\n'],
    ['a variable of a proxy', 'proxy_set_header X-Edge-Auth "$http_x_edge_auth";\n'],
    ['a community of people', 'Community: Westside gardeners\nMembers: 41\n'],
  ])('%s stays', (_, text) => expect(removedFrom(text)).toEqual([]))

  test('long hostile texts take a moment', async () => {
    const units = [
      'password: |\n  ',
      'password: >-\n  a b\n',
      'password "a b',
      'sv_password \t ',
      'tacacs server a\n key ',
      ' key ',
      'proxy_set_header X-A-Auth "',
      'a=\\:',
      'password;a b\n',
      'secretKey: a_b-',
      'secrets:\n- a_',
    ]
    await expectWithin(8_000, () => {
      for (const unit of units) foundIn(unit.repeat(59_000 / unit.length))
    })
  })
})
