/**
 * Codes that are said digit by digit, in words or in Chinese numerals: `two zero, otto…`, `七二〇九`, `右三十八左十二`. Three
 * numbers in a row are hardly prose, unless one counts; what stands around them says whether they open something.
 */
import { asksDiscretion } from './discretion-words.ts'
import { confides } from './confiding-words.ts'
import { ENTERING, HELD, OPENED, OPENING, plainLetters, saysToKeep } from './entry-words.ts'
import type { FoundInText } from './found-in-text.ts'
import { isProgramLine } from './handed-over.ts'
import { dictatedRuns, isCounting } from './number-words.ts'
import { namesOther } from './other-numbers.ts'
import { silences } from './silence.ts'

const RULE = 'context:prose'
/** Longer texts are documents. */
const LONGEST = 60_000
const IN_FRONT = 160
const BEHIND = 120
const MOST = 40

export const dictatedCodesIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 10) return
  let count = 0
  const silent = silences(text)
  for (const run of dictatedRuns(text)) {
    if (++count > MOST) return
    // Words: turns of a dial in digits have a search of their own.
    if (
      run.numbers < 3 ||
      ((text.slice(run.from, run.to).match(/(?<![\p{L}\p{N}])\p{L}/gu)?.length ?? 0) <= run.numbers &&
        /\d/.test(text.slice(run.from, run.to)))
    )
      continue
    // `double-oh seven six`
    const front =
      /(?:double|triple|twice|doppel|dopp(?:io|elt)|doble|duplo|dubbel|dubbelt|dobbelt|dwa razy|dvakrát|двойн\S{0,3}|два раза)[ -]$/iu.exec(
        text.slice(Math.max(0, run.from - 12), run.from),
      )
    // `Roma, Torino, Venezia`: letters are spelled with them, and trips and guests listed.
    const ordinary = run.numbers - run.letters < 2 || isCounting(text.slice(run.from, run.to))
    judge(text, run.from - (front?.[0].length ?? 0), run.to, run.numbers, found, ordinary, silent)
  }
  if (/[\p{Script=Han}〇零]/u.test(text))
    for (const { 0: row, index } of text.matchAll(NUMERALS)) {
      if (++count > MOST) return
      const digits = row.replace(/[，、,再然后又ら次にそして]+$/, '')
      const turns = !/^[〇零一二三四五六七八九]+$/.test(digits)
      judge(text, index, index + digits.length, turns ? 3 : digits.length, found, !turns && isOrdinary(digits), silent)
    }
}

/** Digits in a row as no number is written, and turns of a dial. */
const NUMERALS =
  /(?<![〇零一二三四五六七八九十百千万第\d])[〇零一二三四五六七八九]{3,10}(?![十百千万年月日号號個个人件条點点时時分秒円元块歳岁〇零一二三四五六七八九])|(?:[左右][转轉回りに到至拧]{0,2}[一二三四五六七八九十\d]{1,4}[度圈格回]?[，、,再然后又ら次にそして]{0,4}){2,6}/gu

/** A year, `七七八八`, telephone numbers of the police and others, and counting. */
const isOrdinary = (numerals: string): boolean =>
  /^(?:一[八九].|二[〇零][〇零一二三四]).$|^(.)\1(.)\2$|^一一[〇零九]$|^一二[〇零二]$/.test(numerals) ||
  '〇一二三四五六七八九'.includes(numerals.replaceAll('零', '〇')) ||
  '九八七六五四三二一〇'.includes(numerals.replaceAll('零', '〇'))

/** One counts: each is one more than the one before. */
const COUNTS =
  /^(?:one|eins|un|uno|um|een|en|ett|yksi|jeden|jedna|bir|satu|moja|один|одна|раз|едно|един|един|ένα|واحد|واحدة|एक|এক|一|mot|một)(?!\p{L})[^\p{L}]{1,4}(?:two|zwei|deux|dos|due|dois|twee|to|två|kaksi|dwa|dva|iki|dua|mbili|два|две|дві|δύο|δυο|اثنان|اثنين|दो|দুই|二|hai)(?!\p{L})/iu
/** A year, a time, a score, an amount. */
const MEANT =
  /^\s?(?:percent|per cent|prozent|pour cent|por ciento|percento|euros?|dollars?|pounds?|quid|hours?|minutes?|days?|people|years?|times|points?|degrees|kilomet\p{L}*|met(?:er|re)s?|stunden|minuten|tage|jahre|leute|uhr|heures?|jours?|personnes|ans|horas|días|dias|personas|años|ore|giorni|persone|anni|uur|dagen|mensen|jaar|timer|dage|timmar|dagar|år|tuntia|päivää|godzin|dni|osób|lat|hodin|dnů|lidí|saat|gün|kişi|yıl|jam|hari|orang|часов|дней|человек|лет|рублей|гривень|градус)(?!\p{L})/iu

const judge = (
  text: string,
  from: number,
  to: number,
  numbers: number,
  found: FoundInText,
  ordinary: boolean,
  silent: (at: number) => boolean,
): void => {
  const run = text.slice(from, to)
  const front = text.slice(Math.max(0, from - IN_FRONT), from)
  const back = text.slice(to, to + BEHIND)
  if (COUNTS.test(run) || MEANT.test(back) || namesOther(front)) return
  const begin = text.lastIndexOf('\n', from - 1) + 1
  if (isProgramLine(text.slice(begin, begin + 300).split('\n', 1)[0]!)) return
  const plain = plainLetters(`${front} ${back}`)
  const near = plainLetters(`${front.slice(-70)} ${back.slice(0, 40)}`)
  const enters = ENTERING.in(near) || OPENING.in(near)
  const thing = OPENED.in(plain) || HELD.in(plain)
  const kept = confides(plain) || saysToKeep(plain) || asksDiscretion(plain) || silent(from)
  // `six-one-eight`: nobody writes a number so.
  const joined = /^\p{L}+(?:[-–]\p{L}+){2,}$/u.test(run)
  const signs = Number(enters) + Number(thing) + Number(kept) + Number(joined)
  if (ordinary ? signs < 2 : signs === 0 && numbers < 4) return
  const sure = !ordinary && (signs > 1 || ((enters || kept) && numbers > 3))
  found({ from, to, rule: RULE, ...(sure ? {} : { doubtful: true as const }) })
}
