import { describe, expect, test } from 'vitest'
import { expectWithin, patient } from '../../tests/patience.ts'
import { confidencesIn } from './confidences.ts'
import { describesField } from './field-descriptions.ts'
import { seedWordsIn } from './seed-words.ts'

const foundIn = (text: string) => {
  const [sure, doubtful]: [string[], string[]] = [[], []]
  confidencesIn(text, (one) => (one.doubtful ? doubtful : sure).push(text.slice(one.from, one.to)))
  return { sure, doubtful }
}

describe('what somebody confides', () => {
  test.each([
    ['Für die Kasse sagst du „blauer Hering“. Das bleibt unter uns.', 'blauer Hering'],
    ['Au portail, tape 77B31 et pousse. Garde ça pour toi.', '77B31'],
    ['Сейф: шесть, два, два, девять. Никому не говори.', 'шесть, два, два, девять'],
    ['Klucz leży pod doniczką z bratkami. Tylko dla ciebie.', 'pod doniczką z bratkami'],
    ['knock twice. then say gooseberry. burn this.', 'gooseberry'],
    ['Zavolám a poviem len „modrý sleď“. Nesmie to vedieť nikto okrem nás.', 'modrý sleď'],
    ['Telefonda "mavi ringa" diyor, hesabı öyle açıyorlar. Bunu kimseye söyleme.', 'mavi ringa'],
    ['金庫室に入る合言葉は二行です。\nあさぎり\n七七三\n他の人には絶対に教えないでください。', 'あさぎり'],
    ['The office safe: spin it 31 left, 7 right, 52 left.', '31 left, 7 right, 52 left'],
  ])('is a secret: %s', (text, secret) => {
    expect(foundIn(text).sure).toContain(secret)
  })

  test('is reported as a whole if nothing can be singled out', () => {
    const text = 'To open the vault, ask the guard whether the marzipan has arrived. Tell nobody, burn this.'
    expect(foundIn(text)).toEqual({ sure: [], doubtful: [text] })
  })

  test.each([
    'Никому не сообщайте пароль. Нажмите «Далее», чтобы открыть страницу 12.',
    'Sie sagte: „Die Tür war offen“, und niemand glaubte ihr.',
    'Der Schlüssel zum Erfolg liegt in der Vorbereitung; niemand weiß das besser.',
    'This e-mail is confidential. If you are not the recipient, delete this message. Ref. 2026-0412',
    'Never share your password. Press 1 for sales.',
  ])('is nothing in a policy, a story or a notice: %s', (text) => {
    expect(foundIn(text)).toEqual({ sure: [], doubtful: [] })
  })

  test('long hostile texts take a moment', { timeout: patient(60_000) }, async () => {
    const texts = [
      'keep it secret, say ',
      '"a" ',
      '1-2-3 ',
      'left, ',
      'one two ',
      'key under the ',
      'ключ под ',
      "don't tell: a\n",
    ]
    for (const text of texts)
      await expectWithin(2_000, () => {
        confidencesIn(`burn this. ${text.repeat(59_000 / text.length)}`, () => undefined)
        seedWordsIn(`twelve words: ${text.repeat(59_000 / text.length)}`, () => undefined)
      })
  })
})

test.each([
  'minimum 10 znaków',
  'обязательное поле',
  '8文字以上の半角英数字',
  'fältet är obligatoriskt',
  '32 hex digits',
])('a description of a field is no value: %s', (text) => {
  expect(describesField(text)).toBe(true)
})

test.each(['wachtwoord', 'old boats rest by the pier', 'хороший ёжик спит', '도토리8묵'])(
  'a phrase is no description: %s',
  (text) => {
    expect(describesField(text)).toBe(false)
  },
)
