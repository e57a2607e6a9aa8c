import { describe, expect, test } from 'vitest'
import { expectWithin, patient } from '../../tests/patience.ts'
import { enteredPhrasesIn } from './entered-phrases.ts'

const removedFrom = (text: string): readonly string[] => {
  const values: string[] = []
  enteredPhrasesIn(text, ({ from, to }) => values.push(text.slice(from, to)))
  return values
}

describe('beside a request for silence, a few words that one types or says are removed', () => {
  test.each([
    ['The start word is gooseberry. Tell nobody.', 'gooseberry'],
    ['Das Losungswort lautet Brombeere. Kein Wort zu Papa!', 'Brombeere'],
    ['Je komt erin als je gele klompen intypt, maar dat mag niemand weten.', 'gele klompen'],
    ['Die Truhe geht auf, wenn du nur grüner Hering sagst. Das bleibt unter uns.', 'grüner Hering'],
    ['Ahová ezt beírod: piros kavics. Senkinek egy szót se!', 'piros kavics'],
    ['The shed opens with old anchor 12. Keep this to yourself.', 'old anchor 12'],
    ['Il telefono si sblocca con rana del 71. Non dirlo a nessuno.', 'rana del 71'],
    ['Mondkoffer: nur wer grüner Hering sagt, kommt rein. Das bleibt unter uns.', 'grüner Hering'],
    ['When it asks, type green_hedgehog_bridge and press Enter. Tell nobody!', 'green_hedgehog_bridge'],
    ['Type guest and then, when it asks, willow under snow 8 -- tell nobody.', 'willow under snow 8'],
  ])('%s', (text, secret) => expect(removedFrom(text)).toEqual([secret]))
})

describe('nothing else is', () => {
  test.each([
    ['without a request', 'The start word is gooseberry. The shed opens with old anchor 12.'],
    ['a time', 'The shed opens with the sun at 8 o’clock. Keep this to yourself.'],
    ['a text about a word', 'Tell nobody that you can’t spell it. The word is “rhythm”.'],
    ['what one has of one’s own', 'Enter: your name and your age. Do not share this form with anyone.'],
    ['a ticket', 'Type INC-2231 into the search field. Tell nobody!'],
    ['several such words', 'Type job-nightly-1 or job-nightly-2. Tell nobody!'],
    ['a program', "if (word is gooseberry) { tell('nobody') }"],
  ])('%s', (_, text) => expect(removedFrom(text)).toEqual([]))
})

test('long hostile texts take a moment', { timeout: patient(60_000) }, async () => {
  const texts = ['the word is ', 'wenn du nur a b c ', ': a b c ', 'type a, b 1 ', 'tell nobody ', '1 2 3 ']
  for (const text of texts)
    await expectWithin(2_000, () =>
      enteredPhrasesIn(`tell nobody. ${text.repeat(11_900 / text.length)}`, () => undefined),
    )
})
