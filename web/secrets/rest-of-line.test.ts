import { describe, expect, test } from 'vitest'
import { assignedIn } from './assignments.ts'
import { COMPOSED_HINTS, composedKind, isAboutPasswords } from './composed-names.ts'
import { secretsInFiles } from './file-formats.ts'
import type { Assigned } from './found-in-text.ts'
import { secretsInProse } from './prose.ts'
import { DEFAULT_REDACTIONS } from './redaction-rules.ts'
import { Names } from './secret-names.ts'

const NAMES = new Names(DEFAULT_REDACTIONS, { hints: COMPOSED_HINTS, kindOf: composedKind, isAbout: isAboutPasswords })

const foundIn = (text: string): readonly Assigned[] => {
  const all: Assigned[] = []
  assignedIn(text, NAMES, (one) => all.push(one))
  secretsInFiles(text, NAMES, (one) => all.push(one))
  secretsInProse(text, (one) => all.push(one))
  return all
}
const removedFrom = (text: string): readonly string[] =>
  foundIn(text).flatMap(({ from, to, doubtful }) => (doubtful ? [] : [text.slice(from, to)]))

describe('what one types, turns or says is removed behind its name', () => {
  test.each([
    ['marks at the end of a line of settings', 'port=8080\nrcon.password=creeperSoup!!\nmode=fast', 'creeperSoup!!'],
    ['a PIN with letters', 'loginPin: q7Wf2', 'q7Wf2'],
    ['capitals and digits in turn', 'steamcmd: Two-factor code: R7KQ2 (sent)', 'R7KQ2'],
    ['an ID with letters around it', 'zadať odblokovací kód: U-8812-V\n', 'U-8812-V'],
    ['turns of a dial', '* safe combination: R32-L7-R51\n', 'R32-L7-R51'],
    ['turns of a dial with spaces', 'safe dial: R14 L3 R40\n', 'R14 L3 R40'],
    ['an answer of several words', 'securityAnswer: "Biscuit the goat"\n', 'Biscuit the goat'],
    ['words that a family says', '* Palabra clave familiar: zapatilla lunar\n', 'zapatilla lunar'],
    [
      'a comment among settings',
      'conn a\n  left=10.0.0.1\n  # cheie precomună: castravete/murat/77\n  ike=aes256\n',
      'castravete/murat/77',
    ],
    ['a head of columns in a comment', '#          call      passcode\nIGLOGIN OE7XQZ-10 21458\n', '21458'],
    ['a tone code behind dots', '  DTMF code ......... *8D41\n', '*8D41'],
    ['the password of a cashier', 'abertura operador=117 senha_operador=3390 fundo=200,00', '3390'],
  ])('%s', (_, text, secret) => {
    expect(removedFrom(text)).toContain(secret)
  })
})

describe('what only looks like it stays', () => {
  test.each([
    ['the width of a pulse', 'servo pw=1500 us, period=20 ms'],
    ['an empty variable above another one', 'API_KEY=\nSESSION_STORE=memory\n'],
    ['an option behind a variable', 'docker run -e DB_PASSWORD -p 5432:5432 postgres:16'],
    ['a rule about passwords', 'Lösenordet är för kort. Minst tolv tecken krävs.'],
    ['a keyword', 'Palabra clave: verano\n'],
    ['an answer that is missing', 'Security answer: not set\n'],
    ['colours', 'color combination: R255-G128-B64\n'],
  ])('%s', (_, text) => {
    expect(removedFrom(text)).toEqual([])
  })
})

describe('the number of a card is removed beside words of paying', () => {
  test.each([
    ['charged to 5105161218894601 exp 09/27 at check-in', ['5105161218894601']],
    // Its check digit is wrong.
    ['charged to 5105161218894602 exp 09/27 at check-in', []],
    ['Tracking 5105161218894601 arrived in the warehouse.', []],
    ['Use the test card 4242 4242 4242 4242 with any date.', []],
  ])('%s', (text, secrets) => {
    expect(removedFrom(text)).toEqual(secrets)
  })
})
