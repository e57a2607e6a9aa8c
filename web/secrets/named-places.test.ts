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

describe('the value of a named secret is removed wherever the name stands', () => {
  test.each([
    ['a remark before the colon', 'Senha do interfone (síndico): 7190', '7190'],
    ['a remark in full-width brackets', 'コード(玄関):7719', '7719'],
    ['a time in front', '12:04:33 potvrdzovací kód (SMS): 661 048', '661 048'],
    ['dots that lead to it', 'Alarm PIN (installer) .... 1 9 4 4', '1 9 4 4'],
    [
      'a word in a form with dots',
      ' account ....... Joan\n duress_word ... marmalade\n panel ......... hallway',
      'marmalade',
    ],
    ['digits of another script', 'رمز ورود: ۸۳۰۲#', '۸۳۰۲#'],
    ['digits with hyphens', 'Codice disinserimento allarme: 5-9-0-2', '5-9-0-2'],
    ['digits and a letter', 'Code du portail (livreurs): 58B3', '58B3'],
    ['whose number it is', 'Alta de socio\nDNI madre: 12345678Z\n', '12345678Z'],
    ['letters without their strokes', 'X-Fodselsnr: 03119975246', '03119975246'],
    ['two words for one thing', 'break-glass-code: KESTREL-90', 'KESTREL-90'],
    ['whose PIN it is, behind a word for a code', 'kod_PIN_kierownika: 440917', '440917'],
    ['two words in one, with another in front', 'hooldussalakood: 70244', '70244'],
    ['a name that ends with a short word', 'relaypass=dune-Moth-77', 'dune-Moth-77'],
    [
      'a phrase in quotation marks behind it',
      '$ till unlockpassphrase "seven grey otters nap" 30',
      'seven grey otters nap',
    ],
    ['a label in front of it', 'Quiz\nExam passcode: cedar-lagoon\n', 'cedar-lagoon'],
    ['spaces in a file of settings', '[auth]\nhash = scrypt\npepper = amber-Finch-31\n', 'amber-Finch-31'],
    ['a cell with a comma beside it', 'armadietto,socio,combinazione\nA-4,"Rossi, Ada",12-33-08\n', '12-33-08'],
    ['a cell with a comma in both lines', '"Name, first",Passcode\n"Haddad, Leen",31-07-22\n', '31-07-22'],
    ['inches beside it', 'size,code of the safe,part\n12",4415-B,5"\n', '4415-B'],
    ['a column of numbers in groups', '| Bed | NHS No. |\n|---|---|\n| 4 | 943 476 5900 |', '943 476 5900'],
    ['a list without a colon', ' 7. HUBER Nora   Passport no. C03005988   nitrox: yes', 'C03005988'],
    ['a sentence', 'Kundin Meier (Reisepass Nr. C01X00T47) hat unterschrieben.', 'C01X00T47'],
    ['a field of a form', '<tr><td>Kod do furtki</td><td><input readonly value="4471"></td></tr>', '4471'],
    [
      'a parameter in another language',
      'https://api.example/v2?nyckel=6401141cb17c064357b2d8e8&x=1',
      '6401141cb17c064357b2d8e8',
    ],
    ['a word and a number', 'passord ved henting: Fjellrev 12', 'Fjellrev 12'],
    ['joined words', 'tură: marți\nparolă_curier: Zimbru-Albastru\nsaci: 3', 'Zimbru-Albastru'],
    ['an applet of IFTTT', 'POST https://maker.ifttt.com/trigger/porch/with/key/xJitMl5GgUtG', 'xJitMl5GgUtG'],
    ['a server of Shadowsocks', 'ss://Y2hhY2hhMjA6eXVMYW4@203.0.113.77:8388#dorm', 'Y2hhY2hhMjA6eXVMYW4'],
  ])('%s', (_, text, secret) => expect(removedFrom(text)).toContain(secret))
})

describe('what only resembles one stays', () => {
  test.each([
    'xdotool key ctrl+alt+F2',
    "In chapter 9 the password at the gate is 'nightingale', as every reader of the paperback knows.",
    'Så byter du lösenord: öppna Inställningar, välj Säkerhet.',
    'Code erreur (portail): 4471',
    'Tresor (Modell): 447190',
    'Hata kodu (kapı): 4471',
    'Passport office opens 2026-01-12',
    'Contents\nPasswords ....... overview\nTokens .......... glossary',
    'Senha de atendimento n.: 1024',
    '<td>Türcode</td><td><input type="submit" value="4471"></td>',
  ])('%s', (text) => expect(removedFrom(text)).toEqual([]))
})
