/**
 * A few words that somebody types, says or turns, beside a request for silence: behind a word for a word (`the launch word
 * is …`), between `als je …` and a verb at the end, behind a verb of entering and a colon, or with a number at their end.
 * Anything else that such sentences tell is only reported.
 */
import { FOLLOWS_BEFORE, LINKS_BEFORE } from './access-words.ts'
import { isTechnical } from './chosen-words.ts'
import { asksDiscretion } from './discretion-words.ts'
import { ENTERING, HELD, OPENED, OPENING, plainLetters, saysToKeep } from './entry-words.ts'
import { describesField } from './field-descriptions.ts'
import type { FoundInText } from './found-in-text.ts'
import { GREETING } from './greetings.ts'
import { isProgramLine } from './handed-over.ts'
import { isPlaceholder } from './heuristics.ts'
import { silences } from './silence.ts'

const RULE = 'context:prose'
/** Longer texts are documents. */
const LONGEST = 12_000
const MOST = 60
/** Characters around a phrase in which somebody asks for silence. */
const AROUND = 200

const WORD = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}'’-]{0,22}"
const END = '(?=\\s?(?:[.!?,;:)"”“»\\n—–]|--|$))'

/** `The launch word is heliotrope.` */
const WORD_IS = new RegExp(
  `(?<!\\p{L})(?:(?!(?:the|this|that|another|one|his|her|our|your|their|its|last|first|next|whole|other|same|only|key|wrong|new|old|actual|english|french|german|spanish|latin|greek)[- ])\\p{L}{3,14}[- ](?:word|phrase|signal)|\\p{L}{0,14}(?:wort|losung)|mot|palabra|parola|palavra|paraula|cuvânt(?:ul)?|woord|\\p{L}{0,10}ordet|sana|s[lł]owo|slovo|beseda|riječ|reč|sz[oó]|kelime|слово|дума|λέξη)(?: (?:for|to|für|zum|zur|pour|para|per|voor|for|för|do|na|pro|для|за) \\p{L}{2,14}(?: \\p{L}{2,14})?)?(?: (?:is|ist|lautet|heißt|est|es|è|é|este|luidt|är|er|on|to|brzmi|je|zní|jest|это|е|είναι) |: | [—–-] )["“„«‘]?(?<said>\\p{L}[\\p{L}\\p{M}'’-]{3,22}(?: \\p{L}[\\p{L}\\p{M}'’-]{2,22}){0,2})${END}`,
  'giu',
)
/** `als je … intypt`, `wenn du … eingibst`: clauses that end with their verb. */
const VERB_LAST = new RegExp(
  `(?<!\\p{L})(?:wenn|falls|sobald|indem|als|wanneer|zodra|doordat) (?:du|man|ihr|sie|er|je|jij|men|u|ze|hij)(?: (?:nur|einfach|bloß|dort|da|hier|dann|maar|gewoon|daar|er|alleen)){0,2} (?<said>${WORD}(?: ${WORD}){0,4}) (?:eingibst|eingibt|eingebt|eintippst|eintippt|tippst|tippt|sagst|sagt|nennst|nennt|flüsterst|flüstert|eingeben|eintippen|sagen|intypt|typt|invoert|invult|intikt|ingeeft|zegt|noemt|fluistert)(?!\\p{L})`,
  'giu',
)
/** `iemand die … zegt`, `wer … sagt`. */
const WHO_SAYS = new RegExp(
  `(?<!\\p{L})(?:(?:iemand|degene|diegene|kind|kinderen|mensen) die|alleen wie|jemand(?:em|en)?,? (?:der|die)|(?:demjenigen|denjenigen|der|dem),? der|nur wer) (?<said>${WORD}(?: ${WORD}){0,4}) (?:zegt|noemt|fluistert|zeggen|sagt|nennt|flüstert)(?!\\p{L})`,
  'giu',
)
/** Behind a colon up to the end of the clause, if a verb of entering is in front. */
const BEHIND_COLON = new RegExp(
  `[:：] ["“„«‘]?(?<said>\\p{L}[\\p{L}\\p{M}\\p{N}'’-]{2,22}(?: ${WORD}){1,5})${END}`,
  'giu',
)
/** Words and a number. */
const NUMBERED = /(?<![\p{L}\p{N}.,:/-])\p{N}{1,4}(?![\p{L}\p{N}%°€$£/-]|[.,:]\p{N})/gu

const NO_BEGINNING =
  /^(?:the|an?|your|my|this|that|these|his|her|their|our|it|you|we|i|they|please|not|no|nothing|something|everything|yes|to|der|die|das|dem|den|ein\p{L}*|dein\p{L}*|mein\p{L}*|nicht\p{L}*|etwas|alles|bitte|le|la|les|l'\p{L}+|un|une|ton|ta|votre|rien|el|los|las|una|tu|su|nada|il|lo|gli|uno|tuo|niente|o|os|as|um|uma|seu|het|een|de|je|jouw|niets|iets|dit|dat|det|den|din|ditt|noe|noget|något|to|twoj\p{L}*|swoj\p{L}*|nic|sv\p{L}{1,3}|az?|egy|ezt|azt|semmi\p{L}*|это|твой|свой|ваш\p{L}*|ничего|что)(?!\p{L})/iu
/** What comes in that many: no phrase. */
const COUNTED =
  /^\s?(?:[°%]|o.?clock|am|pm|uhr|heures?|h(?!\p{L})|ore|horas?|timer|tim|minut\p{L}*|min|sec\p{L}*|sek\p{L}*|stunden|tage?n?|days?|weeks?|months?|years?|jahre|jaar|euros?|eur|dollars?|kr|percent|prozent|people|personen|times|mal|keer|gånger|ganger|razy|krát|раз|час\p{L}*|минут\p{L}*|january|february|march|april|may|june|july|august|september|october|november|december|januar\p{L}*|februar\p{L}*|märz|mai|juni|juli|oktober|dezember)(?!\p{L})/iu

type Kept = (from: number, to: number) => boolean

export const enteredPhrasesIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 20) return
  const silent = silences(text)
  const kept: Kept = (from, to) => {
    if (silent(from)) return true
    const window = plainLetters(text.slice(Math.max(0, from - AROUND), to + AROUND))
    return saysToKeep(window) || asksDiscretion(window)
  }
  const report = (from: number, said: string): void => {
    if (NO_BEGINNING.test(said) || GREETING.test(said) || isPlaceholder(said) || describesField(said)) return
    const begin = text.lastIndexOf('\n', from) + 1
    if (isProgramLine(text.slice(begin, begin + 300).split('\n', 1)[0]!) || !kept(from, from + said.length)) return
    found({ from, to: from + said.length, rule: RULE })
  }
  for (const pattern of [WORD_IS, VERB_LAST, WHO_SAYS, BEHIND_COLON]) {
    let count = 0
    for (const { 0: all, index, groups } of text.matchAll(pattern)) {
      if (++count > MOST) break
      const said = groups!['said']!
      if (pattern === BEHIND_COLON && !ENTERING.in(lastWords(text.slice(Math.max(0, index - 48), index), 2))) continue
      report(index + all.lastIndexOf(said), said)
    }
  }
  numberedIn(text, report)
  joinedIn(text, silent, report)
}

/** `pulihora_pandaga_14`, `GB-47-lark`: joined by signs, with a number or more than two words. */
const JOINED =
  /(?<![\p{L}\p{N}_./:@#=\\-])(?=[^\s]{8,48})(?=[^\s]*\p{Ll}{3})\p{L}[\p{L}\p{N}]*(?:[-_][\p{L}\p{N}]+){1,5}(?![\p{L}\p{N}_/@:=(\\-]|\.\p{L})/gu
const OF_ORDER = /^\p{Lu}{2,6}-\d+$|^(?:covid|mp|usb|a|e|x)-/iu

/** The only one in its message, where somebody enters, says or opens something. */
const joinedIn = (
  text: string,
  silent: (at: number) => boolean,
  report: (from: number, said: string) => void,
): void => {
  const all = [...text.matchAll(JOINED)].filter(
    ({ 0: value, index }) =>
      (/_.*_/.test(value) || (/[-_]\p{N}+(?:[-_]|$)/u.test(value) && !isTechnical(value))) &&
      !OF_ORDER.test(value) &&
      silent(index),
  )
  if (all.length !== 1) return
  const { 0: value, index } = all[0]!
  const front = plainLetters(text.slice(Math.max(0, index - 90), index))
  const back = plainLetters(text.slice(index + value.length, index + value.length + 40))
  if (
    ENTERING.in(lastWords(front, 4)) ||
    FOLLOWS_BEFORE.test(text.slice(Math.max(0, index - 40), index)) ||
    ENTERING.in(back) ||
    OPENED.in(front) ||
    HELD.in(front)
  )
    report(index, value)
}

const numberedIn = (text: string, report: (from: number, said: string) => void): void => {
  let count = 0
  for (const { 0: number, index } of text.matchAll(NUMBERED)) {
    if (++count > MOST) return
    const to = index + number.length
    if (COUNTED.test(text.slice(to, to + 16))) continue
    const clause = text
      .slice(Math.max(0, index - 120), index)
      .split(/[.!?;\n]/)
      .at(-1)!
    // The nearest words in front of it that follow a verb, a comma or `with`.
    const words = [...clause.matchAll(/[\p{L}\p{M}'’]+/gu)].slice(-4)
    if (words.length === 0 || !/^ $/.test(clause.slice(-1))) continue
    for (const { index: at } of words.toReversed()) {
      const front = clause.slice(0, at)
      const [entered, opened] = [ENTERING.in(lastWords(front, 2)), OPENING.in(plainLetters(front))]
      const linked = LINKS_BEFORE.test(front) && (opened || OPENED.in(plainLetters(front)))
      const later = /, $/.test(front) && !/\p{N}/u.test(front) && ENTERING.in(plainLetters(front))
      if (!entered && !linked && !later) continue
      const said = text.slice(index - clause.length + at, to)
      if (/\s/.test(said) && !/[,:;()]/.test(said)) report(index - clause.length + at, said)
      break
    }
  }
}

const lastWords = (front: string, count: number): string =>
  plainLetters(front)
    .split(/[.!?;](?:\s|$)/)
    .at(-1)!
    .trim()
    .split(/\s+/)
    .slice(-count)
    .join(' ')
