import { describe, expect, test } from 'vitest'
import { silenceIn } from './silence.ts'

const reported = (text: string): readonly string[] => {
  const all: string[] = []
  silenceIn(text, ({ from, to }) => all.push(text.slice(from, to)))
  return all
}

describe('sentences that ask for silence are reported with those beside them', () => {
  test.each([
    ['We drive by the mill. Nobody else must hear of it. Bring the boat.'],
    ['Give me your word that you keep quiet: the boat leaves from the old jetty.'],
    ['Das darf nicht nach außen dringen, wir treffen uns am Steinbruch. Kein Wort zu Papa!'],
    ['Jure que tu te tairas. Le coffre est dans le tonneau bleu.'],
    ['Giura che starai zitto. I soldi sono nel barile blu.'],
    ['Przysięgnij, że będziesz milczeć. Pieniądze są w niebieskiej beczce.'],
    ['Поклянись, что будешь молчать. Деньги лежат в синей бочке.'],
    ['Bu dışarı sızmamalı: Bursa şubesini kapatıyoruz.'],
    ['قسم بخور که ساکت می‌مانی. پول در بشکه آبی است.'],
    ['कसम खाओ कि चुप रहोगे। पैसे नीले ड्रम में हैं।'],
    ['千万瞒着我妈，我们在老磨坊碰头。'],
    ['母さんにはばれないようにして。会うのは古い水車小屋。'],
    ['Apa kwamba utanyamaza. Pesa ziko kwenye pipa la bluu.'],
    ['Búra pé wàá dákẹ́. Owó wà nínú àgbá aláwọ̀ búlúù.'],
  ])('%s', (text) => expect(reported(text)).toEqual([text]))
})

describe('nothing is reported of', () => {
  test.each([
    'We never share your personal data with third parties. You can delete your account at any time.',
    'Nobody knows how old the bridge is. Mum says that her grandfather saw it built.',
    'Niemand weiß, wie alt die Burg wirklich ist. Forscher vermuten das zwölfte Jahrhundert.',
    'Никто не знает, будет ли завтра дождь. Мама сказала, что не придёт.',
    'The company has stayed with one family for four generations.',
    '下载安装包并运行安装程序。更新期间不要关闭窗口。',
  ])('%s', (text) => expect(reported(text)).toEqual([]))
})
