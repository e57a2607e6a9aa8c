/**
 * What opens something or lets somebody in, in sentences that ask for no silence: a typed code behind a verb of opening, a
 * quoted phrase that one must say, numbers in lines below such a verb. Only the digits on a card's back are removed; of the
 * rest only a reader knows what it is, so it is reported.
 */
import { AnyCase } from './any-case.ts'
import { SAYING } from './confidences.ts'
import { ENTERING, OPENED, OPENING, plainLetters } from './entry-words.ts'
import { describesField } from './field-descriptions.ts'
import type { FoundInText } from './found-in-text.ts'
import { isProgramLine } from './handed-over.ts'
import { isPlaceholder, isTypedCode } from './heuristics.ts'
import { namesOther } from './other-numbers.ts'
import { PROTECTED } from './protected-things.ts'

const RULE = 'context:prose'
/** Longer texts are documents. */
const LONGEST = 12_000
const MOST = 40

/** What programs write, and no message. */
const PROGRAM = /[{}<>|=`\\]|:\/\/|\]\(|\b(?:INFO|DEBUG|WARN|ERROR|TRACE)\b/

export const openersIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 20) return
  const doubt = (from: number, to: number): void => found({ from, to, rule: RULE, doubtful: true })
  if (/\d{3}/.test(text)) cardDigitsIn(text, found)
  if (/\p{N}/u.test(text)) codesIn(text, doubt)
  phrasesIn(text, doubt)
  if (text.includes('\n') && /\p{N}/u.test(text)) linesIn(text, doubt)
}

type Doubt = (from: number, to: number) => void

/** The digits themselves come last. */
const BACK = new AnyCase(
  `(?<!\\p{L})(?:${[
    '(?:three|3|last|security) (?:digits?|numbers?|figures)#(?:back|reverse)',
    '(?:drei|3) (?:ziffern|zahlen|stellen)#rückseite',
    '(?:trois|3) chiffres#(?:dos|verso)',
    '(?:tres|3) (?:dígitos|números|cifras)#(?:dorso|reverso|detrás)',
    '(?:tre|3) (?:cifre|numeri)#retro',
    '(?:três|3) (?:dígitos|números|algarismos)#(?:verso|trás)',
    '(?:drie|3) cijfers#(?:achter|rug)',
    '(?:tre|3) (?:sifre|siffer|siffror|tal)#(?:bag|bak)',
    '(?:trzy|3) cyfry#(?:tyle|odwroc|rewers)',
    '(?:три|3) цифр[ыи]#(?:оборот|звор|обрат)',
  ]
    .join('|')
    .replaceAll('#', '[^.!?\\n]{0,30}')})[^.!?\\n\\d]{0,40}?\\d{3,4}(?![\\d.,:/%-]*\\d|\\s?%)`,
)

/** `the three digits on the back of her Visa, 402` */
const cardDigitsIn = (text: string, found: FoundInText): void => {
  for (const { from, to } of BACK.in(text)) {
    const [digits] = /\d+$/.exec(text.slice(from, to))!
    // `The numbers go back to 2019.`
    if (!/^(?:19|20)\d\d$/.test(digits)) found({ from: to - digits.length, to, rule: RULE })
  }
}

/** Groups with dashes between them, in at least two places, or a number as long as a date. */
const CODE =
  /(?<![\p{L}\p{N}_./:#@=+-])(?:(?=[^\s]{0,12}\d)[A-Za-z\d]{1,5}(?:-[A-Za-z\d]{1,5}){2,6}|\d{6,8}|[A-Z]\d{3,5}[A-Z]?|\d{1,3}[A-Za-z]\d{1,3})(?![\p{L}\p{N}_/:@=-]|[.,]\d)/gu
const DATE = /^(?:(?:19|20)\d\d-\d\d-\d\d|\d{1,2}-\d{1,2}-(?:19|20)\d\d|(?:19|20)\d{6})$/
/** With it, or that is to say. In plain letters. */
const WITH =
  /(?<!\p{L})(?:with|by|using|keying|mit|per|also|namlich|avec|soit|con|cioe|o sea|com|ou seja|cu|adica|met|dus|med|altsa|alltsa|ar|su|z|ze|czyli|s|so|tedy|teda|sa|ile|dengan|bang|με|δηλαδη|с|со|з|із|тоесть|то есть|тобто|на|кодом|עם|ב|ب)\s?[,:]?\s?["'“„«‘]?$|[:：]\s?$|(?:ando|endo|indo|ant|end|juc)\s$/u

const codesIn = (text: string, doubt: Doubt): void => {
  let count = 0
  for (const { 0: code, index } of text.matchAll(CODE)) {
    if (++count > MOST) return
    const pieces = code.split('-')
    const single = pieces.length > 2 && pieces.some((piece) => /^\d+$/.test(piece))
    if (DATE.test(code) || !(single || isTypedCode(code) || /^\d{6,8}$/.test(code))) continue
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
    const clause = line.split(/[.!?;](?:\s|$)/).at(-1)!
    const near = plainLetters(clause.slice(-90))
    const front = plainLetters(text.slice(Math.max(0, index - 160), index))
    if (PROGRAM.test(clause) || isProgramLine(line) || namesOther(clause)) continue
    const behind = plainLetters(text.slice(index + code.length, index + code.length + 24).split(/[.!?;,\n]/, 1)[0]!)
    const entered = WITH.test(near) || ENTERING.in(near.trim().split(/\s+/).slice(-2).join(' '))
    const opens = OPENING.in(near) || OPENING.in(behind) || PROTECTED.in(near)
    if (entered && (opens || (OPENED.in(front) && ENTERING.in(near)))) doubt(index, index + code.length)
  }
}

const QUOTED = /["“„«»「『](?<said>[\p{L}\p{N}][^"“”„«»「」『』.!?:;,\n]{2,40})["”“»«」』]/gu
/** One must, or only so. In plain letters. */
const MUST =
  /(?<!\p{L})(?:must|has to|have to|only (?:if|when|who)|unless|otherwise|make sure|without (?:it|this|that)|muss|mussen|nur (?:wer|wenn)|sonst|doit|doivent|seulement si|sinon|sans (?:cela|ca)|debe|deben|tiene que|solo si|sin (?:eso|ello)|deve|devono|solo se|altrimenti|senza|tem de|tem que|so se|trebuie|altfel|moet|moeten|alleen (?:wie|als)|anders|skal|kun|bare|maste|bara|ellers|annars|taytyy|pitaa|vain jos|peab|ainult|jabut|jasaka|tikai|turi|tik|musi|tylko|inaczej|jen|inak|jinak|mora|samo|inace|kell|csak|sart|mutlaka|yoksa|harus|hanya|lazima|phai|πρεπει|μονο|должен|должна|должны|надо|нужно|только|иначе|без (?:этого|цього|неё)|повинен|треба|лише|інакше|трябва|само|мора|חייב|חייבת|צריך|רק|يجب|لازم|فقط|باید|चाहिए|ज़रूर)(?!\p{L})|必须|必須|一定|才|必ず|ないと|꼭|반드시|아니면|해야/u
const MESSAGE = 600

/** `kun få svar, hvis de siger »havre 31«`: beside a verb of saying, two to four words in quotation marks. */
const phrasesIn = (text: string, doubt: Doubt): void => {
  let count = 0
  for (const { 0: all, index, groups } of text.matchAll(QUOTED)) {
    if (++count > MOST) return
    const said = groups!['said']!.trim()
    const words = said.split(/\s+/)
    if (
      words.length < 2 ||
      words.length > 4 ||
      isPlaceholder(said) ||
      describesField(said) ||
      /^\p{Lu}.*\p{Lu}/u.test(said)
    )
      continue
    const begin = Math.max(text.lastIndexOf('\n', index) + 1, index - MESSAGE / 2)
    const line = text.slice(begin, index + MESSAGE / 2).split('\n', 1)[0]!
    if (PROGRAM.test(line) || isProgramLine(line)) continue
    const before = plainLetters(text.slice(begin, index)).trim().split(/\s+/).slice(-2).join(' ')
    const after = plainLetters(text.slice(index + all.length, index + all.length + 16))
    if (!SAYING.in(before) && !SAYING.in(after)) continue
    if (MUST.test(plainLetters(line)) || MUST.test(line))
      doubt(index + all.indexOf(said), index + all.indexOf(said) + said.length)
  }
}

/** `se abre marcando`, and the numbers in the next lines. */
const linesIn = (text: string, doubt: Doubt): void => {
  let count = 0
  for (const { 0: all, 1: above = '', 2: rows = '', index } of text.matchAll(
    /([^\r\n]{8,300}\p{L})[:：]?\r?\n((?:[*#]?\p{N}{1,6}(?:[ -]\p{N}{1,6}){0,5}[*#]?(?:\r?\n|$)){1,4})/gu,
  )) {
    if (++count > MOST) return
    const last = plainLetters(above).trim().split(/\s+/).slice(-2).join(' ')
    if (PROGRAM.test(above) || isProgramLine(above) || (rows.match(/\p{N}/gu)?.length ?? 0) < 4) continue
    if (!ENTERING.in(last) && !OPENING.in(last)) continue
    const plain = plainLetters(above)
    if (!OPENED.in(plain) && !PROTECTED.in(plain) && !OPENING.in(plain)) continue
    const from = index + all.length - rows.length
    doubt(from, from + rows.trimEnd().length)
  }
}
