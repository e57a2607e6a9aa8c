import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { spokenOfIn } from './spoken-of.ts'

const foundIn = (text: string): readonly (readonly [string, boolean])[] => {
  const all: (readonly [string, boolean])[] = []
  spokenOfIn(text, ({ from, to, doubtful }) => all.push([text.slice(from, to), doubtful !== true]))
  return all
}

describe('what a sentence says behind a word for a password', () => {
  test.each([
    ['a verb and another word', 'Hej, lozinka ti je tikvica31 i nemoj mijenjati jezik.', 'tikvica31'],
    ['a case of the word', 'Tere! Kontori arvuti avaneb parooliga Rukkilill6 , kasutajaks pane ladu.', 'Rukkilill6'],
    ['namely', 'Zaloguje się Pan jej hasłem, czyli Niezapominajka8 , a potem proszę je zmienić.', 'Niezapominajka8'],
    ['joined words in quotation marks', 'Pour entrer, le mot de passe c’est « carotte-bleue ».', 'carotte-bleue'],
    ['a combination', 'Seiful din birou se deschide cu cifrul 27-14-90 . Te rog.', '27-14-90'],
  ])('is removed: %s', (_, text, secret) => expect(foundIn(text)).toContainEqual([secret, true]))

  test.each([
    ['a word and a number', 'Dobrý deň, nové heslo do systému znie: Medvedík 5 . Staré už neplatí.', 'Medvedík 5'],
    [
      'quoted words behind a dash',
      'Wir nennen das vereinbarte Stichwort – „Blauer Reiher“ – und legen auf.',
      'Blauer Reiher',
    ],
  ])('is reported: %s', (_, text, secret) => expect(foundIn(text)).toContainEqual([secret, false]))

  test.each([
    'Hasło reklamowe: „Morze zawsze blisko”. Kod pocztowy: 30-062',
    'Losung für Mittwoch: Psalm 23,4. Lehrtext: Joh 10,11.',
    'Error: Invalid password\n  code: ERR_BAD_PASSWORD',
    'The password was changed yesterday; ask Tom for the new one in person.',
    'The password is stored in the vault of team-4.',
    'El código es Python3.',
    'Пароль должен быть не короче 12 символов.',
  ])('nothing is found in: %s', (text) => expect(foundIn(text)).toEqual([]))

  test('long hostile texts take a moment', async () => {
    const units = ['heslo je ab-1 ', 'parool: Abcd 12 ', 'le mot de passe est « ', 'a1-', '12-', 'password — "a b" ']
    await expectWithin(2_000, () => {
      for (const unit of units) foundIn(`password ${unit.repeat(19_000 / unit.length)}`)
    })
  })
})
