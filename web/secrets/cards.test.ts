import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { assignedIn } from './assignments.ts'
import { COMPOSED_HINTS, composedKind, isAboutPasswords } from './composed-names.ts'
import type { Assigned } from './found-in-text.ts'
import { DEFAULT_REDACTIONS } from './redaction-rules.ts'
import { Names } from './secret-names.ts'

const NAMES = new Names(DEFAULT_REDACTIONS, { hints: COMPOSED_HINTS, kindOf: composedKind, isAbout: isAboutPasswords })

const foundIn = (text: string): readonly Assigned[] => {
  const all: Assigned[] = []
  assignedIn(text, NAMES, (one) => all.push(one))
  return all
}
const removedFrom = (text: string): readonly string[] =>
  foundIn(text).flatMap(({ from, to, doubtful }) => (doubtful ? [] : [text.slice(from, to)]))

describe('beside other lines of a card, the name of a password takes the rest of its line', () => {
  test.each([
    ['several words', 'Palvelin: 10.2.0.4\nSalasana: sininen lautta\nRooli: lukija\n', 'sininen lautta'],
    ['one word with a mark', 'Vartotojas: sandėlis\nSlaptažodis: Nemunas!\n', 'Nemunas!'],
    [
      'words of a sentence',
      '[vault]\npassphrase = seven geese over the lake\nlock = yes\n',
      'seven geese over the lake',
    ],
    ['a word in YAML', 'smtp:\n  host: mail.example\n  password: marigold\n  port: 587\n', 'marigold'],
    ['a list in Markdown', '- **Host:** nas.example\n- **Password:** Quiet Harbour\n', 'Quiet Harbour'],
    ['full-width colons', '主机：10.1.1.8\n密码：春江花月夜\n', '春江花月夜'],
    ['a short name beside a user', 'Usuario: caja\nClave: limonero azul\n', 'limonero azul'],
    ['a pair among others', '[INFO] load bruker=lager kata_sandi=ikanpari rolle=leser', 'ikanpari'],
    ['an inventory', '[all]\nbox ansible_host=10.0.0.1 ansible_ssh_pass=Sandcastle\n', 'Sandcastle'],
  ])('%s', (_, text, secret) => expect(removedFrom(text)).toEqual([secret]))

  test.each([
    ['what became of it', 'Benutzer: lager\nKennwort: geändert\nRolle: leser\n'],
    ['where it is', 'host: nas\npassword: ${NAS_PASSWORD}\nport: 22\n'],
    ['whom to ask', 'Status: ready\nPassword: ask Tom\nOpen: 9 to 5\n'],
    ['labels', 'login.user=Utente\nlogin.password=Parola\nlogin.remember=Ricordami\n'],
    ['types', 'user: str\npassword: SecretText\nport: int\n'],
    ['a program', 'conn = open(\n  user: name,\n  password: word,\n)\n'],
    ['a sentence without a card', 'About passwords\n\nPassword: maple syrup\n\nThe end.'],
    ['the result of a test', 'user: ada\nruns: 14\npass: 1200'],
    ['pairs of a log', 'auth realm=shop password=mismatch method=pam'],
    ['the title of a commit', 'fix: wrong port\npassword: accept longer input\ndocs: typo\n'],
    ['the state of a task', 'Search: done\nPassword: blocked by QA\nLogin: ready\n'],
    ['where it comes from', 'host: nas\npassword: from vault\nport: 22\n'],
    ['a primary key', 'Usuario: nuevo\nClave: primaria\n'],
    ['what is not needed', '主机：10.1.1.8\n密码：不需要\n'],
    ['words beside no account', 'Search: quick\npassword: longer input wanted\nFilters: two\n'],
  ])('%s stays', (_, text) => expect(removedFrom(text)).toEqual([]))

  test('long hostile texts take a moment', async () => {
    const units = [
      'password : ',
      'password = ',
      'a: b\npassword: two words\n',
      'password: a b c d ',
      'user=b password=kite ',
    ]
    await expectWithin(4_000, () => {
      for (const unit of units) foundIn(unit.repeat(59_000 / unit.length))
    })
  })
})
