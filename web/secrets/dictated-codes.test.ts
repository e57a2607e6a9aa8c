import { describe, expect, test } from 'vitest'
import { dictatedCodesIn } from './dictated-codes.ts'
import type { Assigned } from './found-in-text.ts'
import { watchwordsIn } from './watchwords.ts'

const found = (text: string, search: typeof dictatedCodesIn): readonly string[] => {
  const all: Assigned[] = []
  search(text, (one) => all.push(one))
  return all.map(({ from, to, doubtful }) => `${text.slice(from, to)}${doubtful ? ' ?' : ''}`)
}

describe('codes said in words', () => {
  test.each([
    ['Am Automaten neun-null-drei-acht eingeben, dann kommt das Geld.', 'neun-null-drei-acht'],
    ['O cofre da tia abre com quatro um sete zero.', 'quatro um sete zero'],
    ['ادخل المرآب واضغط خمسة ثلاثة صفر ثمانية ثم السهم.', 'خمسة ثلاثة صفر ثمانية'],
    ['自転車の鍵は八三〇五に合わせれば外れます。', '八三〇五'],
    ['书房的保险箱，左二十二右七左四十，拉开就行。', '左二十二右七左四十'],
  ])('are found: %s', (text, code) => expect(found(text, dictatedCodesIn)).toEqual([code]))

  test.each([
    'One two three, press the button and wait.',
    'Nous avons acheté deux baguettes, trois croissants et quatre pommes.',
    'The alphabet goes Alpha, Bravo, Charlie, Delta.',
    'この橋は一九三〇年に完成した。',
    'Ten, nine, eight, seven, six, five, four, three, two, one, liftoff!',
    'And five, six, seven, eight, step to the left.',
    'Roma, Torino, Venezia, Napoli: un viaggio in quattro tappe.',
    '准备工作已经做得七七八八了，剩下的明天再弄。',
    '小说《一九八四》写于战后。',
    '他数到一二三四五六七。',
  ])('nothing is found: %s', (text) => expect(found(text, dictatedCodesIn)).toEqual([]))
})

describe('what one says to be let in', () => {
  test('words in lines of their own are found', () => {
    const text = 'The porter only lets you up if you say to him:\nBRAMBLE\nEIGHTEEN\nSay it quietly.'
    expect(found(text, watchwordsIn)).toContain('BRAMBLE\nEIGHTEEN')
  })

  test('a sentence is reported', () => {
    const text = 'Si tu es en danger, téléphone et dis que le gâteau est au four. La police comprendra.'
    expect(found(text, watchwordsIn)).toEqual(['Si tu es en danger, téléphone et dis que le gâteau est au four. ?'])
  })

  test.each([
    'Der Pförtner sagte, dass der Aufzug morgen wieder fährt.',
    'If the answer is unclear, tell the user that the file is missing.',
    'The guard opened the gate when the bus arrived.',
  ])('nothing is reported: %s', (text) => expect(found(text, watchwordsIn)).toEqual([]))
})
