/**
 * Codes and odd words that a text confides: digits or a token that no sentence has, beside two of three signs: a word of
 * typing or opening next to it, a word for what is opened, a phrase of keeping it to oneself. With one of them it is only
 * reported.
 */
import { ENTERS_AFTER, FOLLOWS_BEFORE, LINKS_BEFORE, MODIFIES } from './access-words.ts'
import { COMPOUND, chosenLikeness, isTechnical } from './chosen-words.ts'
import { asksDiscretion } from './discretion-words.ts'
import { ENTERING, HELD, OPENED, OPENING, plainLetters, saysToKeep } from './entry-words.ts'
import type { FoundInText } from './found-in-text.ts'
import { isProgramLine } from './handed-over.ts'
import { asciiDigits, isKeyCombination, isPlace, isPlaceholder } from './heuristics.ts'
import { namesOther } from './other-numbers.ts'
import { silences } from './silence.ts'

const RULE = 'context:prose'

/** Longer texts are documents and programs. */
const LONGEST = 60_000
const MOST_CANDIDATES = 400
/** A text with more numbers in it is a log or a list. */
const MOST_NUMBERS = 120
/** Characters around a candidate that say what it is about. */
const IN_FRONT = 200
const BEHIND = 130
/** Characters in which a word of typing belongs to the candidate. */
const NEAR = 64
const NEAR_BEHIND = 36

export const confidedIn = (given: string, found: FoundInText): void => {
  if (given.length > LONGEST || given.length < 8) return
  // `…?text=open+the+gate+with+4821`
  const joined = /[?&]\w+=[^\s&?]*\w\+\w[^\s&?]*\w\+\w/.test(given) ? given.replaceAll('+', ' ') : given
  // `۴۸۲۶`: each digit stays where it was.
  const text = /(?!\d)\p{Nd}/u.test(joined) ? asciiDigits(joined) : joined
  const report = ({ from, to, doubtful }: Judged): void =>
    found({ from, to, rule: RULE, ...(doubtful ? { doubtful: true } : {}) })
  // Most texts have no such phrase, and looking for it around each candidate takes long.
  let keeps: boolean | undefined
  const isKept = (plain: string): boolean => saysToKeep(plain) || asksDiscretion(plain)
  const silent = silences(text)
  const kept: Kept = (window, at) => ((keeps ??= isKept(plainLetters(text))) && isKept(window)) || silent(at)
  if (/\d/.test(text)) digitsIn(text, report, kept)
  tokensIn(text, report, kept)
}

interface Judged {
  readonly from: number
  readonly to: number
  readonly doubtful: boolean
}

type Report = (one: Judged) => void
type Kept = (window: string, at: number) => boolean

/** What stands around a candidate: its line, and what is near in the lines beside it. */
interface Around {
  /** In its line, the nearest characters. */
  readonly front: string
  readonly back: string
  /** In plain letters: all that is around it. */
  readonly window: () => string
}

const aroundOf = (text: string, from: number, to: number): Around => {
  const front = text.slice(Math.max(0, from - IN_FRONT), from)
  const back = text.slice(to, to + BEHIND)
  return {
    front: front.slice(Math.max(front.lastIndexOf('\n') + 1, front.length - NEAR)),
    back: back.slice(0, NEAR_BEHIND).split('\n', 1)[0]!,
    window: () => plainLetters(`${front} ${back}`),
  }
}

// Digits.

const DIGITS =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_.,:/$€£+=@%&\\-]|\p{N} )(?:G-|[#*])?(?:\d{4,8}|\d{1,3}(?:[-–#*](?:\r?\n)?\d{1,3}){2,4}|\d{1,6}[#*]\d{1,6}|(?=[A-Z\d]{4,8}(?![\p{L}\d]))(?=[A-Z]{0,7}\d)(?=\d{0,7}[A-Z])[A-Z\d]{4,8}|\d{1,3}[\p{Script=Cyrillic}]\d{2,5}|\d{3,6}[A-Z]|[A-Z]\d{2,5}[A-Z]\d{0,3}|[A-Z]\d{3,5}|\d(?: \d){2,7}|\d\d(?: \d\d){1,3}|\d{3} \d{3}(?: \d{3})?|\d{3}-\d{3}|\d{3,6}-\d{1,4})[#*]?(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_%°€$£/]|[.,:]\p{N}|-\p{N}| ?(?:%|€|\$|£|°))/gu
/** A word of the sentence stands directly in front. */
const IN_SENTENCE = /\p{L}[\p{M}]?[^\p{L}\p{N}\n<>{}[\]=]{0,5}$/u
/** Numbers of something else. */
const COUNTED =
  /(?<!\p{L})(?:ports?|http|status|error|fehler|erreur|line|zeile|ligne|linje|page|seite|version|build|tel|phone|telefon|tlf|ext|room|raum|zimmer|salle|sala|suite|floor|unit|bus|train|zug|flight|vol|ticket|issue|order|invoice|rechnung|facture|factura|fattura|faktura|bestell\w*|commande|pedido|ordine|article|artikel|case|ref\w*|serial|model|modell|isbn|rfc|iso|din|nr|no|n°|num\w*|nummer|numer|pid|id|zip|plz|postal|code postal|year|jahr|since|seit|depuis|desde|dal|until|bis|im|anno|año|rok|год|г|pr|chapter|section|kapitel|street|straße|account|konto|member|customer|kunde|client|user|mat|row|rows|top|over|about|nearly|almost|approx|mehr als|plus de|mas de|unter|bei|etwa|circa|ca|around|only|all|of|the|last|next|first|\d)[.:#№\s-]{0,3}$/iu
const UNITS =
  /^\s?(?:ms|s|px|[kmg]b|kg|g|mg|km|m|cm|mm|l|ml|eur|usd|gbp|kr|sek|nok|dkk|zł|kč|ft|lei|₽|руб|грн|w|kw|v|hz|rpm|people|users?|items?|rows?|files?|times?|mal|fois|veces|volte|gånger|requests?|lines?|bytes?|tokens?|seconds?|minutes?|hours?|days?|sekunden|minuten|stunden|tage|jahre|years?|visitors?|steps?|points?|words?|characters?|chars?|pages?|seiten|attempts?|entries|records?|rooms?|units?|puffs?)(?![\p{L}\p{N}_])|^\s?[円元원块塊枚个個人]/iu
/** In front of what wheels are turned to. */
export const SET_TO =
  /(?<!\p{L})(?:to|on|at|auf|op|på|til|till|sur|à|en|al?|em|su|na|in|la|do|uz|pe|до|на|в|σε|στο|על|ל|على|إلى|روی|पर|kwa|ke|sang|về)\s$|[到至为為に]\s?$|(?:으로|로)\s?$/iu
/** `1-2-3`, `4-5-6`, `3-2-1` */
const COUNTING = /^(?:[01][-–])?1[-–]2[-–]3|^(?:4[-–]5[-–]6|7[-–]8[-–]9|(?:5[-–]4[-–])?3[-–]2[-–]1)$/
const YEAR = /^(?:19|20)\d\d$/

const digitsIn = (text: string, report: Report, isKept: Kept): void => {
  let count = 0
  for (const { 0: digits, index } of text.matchAll(DIGITS)) {
    if (++count > MOST_NUMBERS) return
    const to = index + digits.length
    const { front, back, window: around } = aroundOf(text, index, to)
    if (
      !IN_SENTENCE.test(front.slice(-9)) ||
      COUNTED.test(front.slice(-16)) ||
      namesOther(front) ||
      UNITS.test(back) ||
      /^\d0{3,}$/.test(digits)
    )
      continue
    const [before, after] = [plainLetters(front), plainLetters(back)]
    const keyed = KEYED.test(front.slice(-48))
    const typed = keyed || ENTERING.in(before) || ENTERING.in(after) || isVietnamese(front)
    const opener = lastWords(before, 1)
    const opens =
      (OPENING.in(before) && LINKED.test(front.slice(-20))) ||
      OPENING.in(after) ||
      // `geht mit … auf`
      (/^ (?:wieder )?auf(?!\p{L})/u.test(back) && /\p{L} mit $/u.test(front)) ||
      (OPENING.in(opener) && OPENED.in(opener))
    const window = around()
    const proof = PROOF.test(window) || MESSAGES.test(window)
    const said = proof && SAYS.test(before)
    const thing = OPENED.in(window) || HELD.in(window) || proof || GET_IN.test(window)
    if (!typed && !opens && !thing) continue
    const kept = isKept(window, index)
    const signs = Number(typed || opens || said) + Number(thing) + Number(kept)
    if (/^(?:19|20)\d\d-(?:19|20)?\d\d$/.test(digits) || (/^1\d{3}-\d\d$/.test(digits) && !kept)) continue
    if (YEAR.test(digits) && signs < 3 && !(typed && (kept || (signs > 1 && ENTERING.in(lastWords(before, 3))))))
      continue
    if (signs === 0 || isProgramLine(lineOf(text, index))) continue
    // `Connection 48213 opened` has two signs as well, but nothing that says what the number is for.
    const direct =
      said ||
      keyed ||
      ENTERING.in(lastWords(before, 3)) ||
      ENTERING.in(firstWords(after, 2)) ||
      isVietnamese(front) ||
      (opens && LINKED.test(front.slice(-20)))
    // A key, a cell of a table, an instruction of a machine: `F12`, `B105`, `G280`.
    const cell = /^[A-Z]{1,3}\d+$/.test(digits)
    // Keys one by one: `punch 3-9-1`.
    const single =
      /^\d(?:[-–]\d){2,7}$/.test(digits) &&
      !COUNTING.test(digits) &&
      (ENTERING.in(lastWords(before, 2)) || (digits.length > 6 && thing && SET_TO.test(front.slice(-12))))
    const sure = kept || single || (direct && !cell && !COUNTING.test(digits))
    if (signs > 1 || single) report({ from: index, to, doubtful: !sure })
    else if (kept || ENTERING.in(lastWords(before, 3))) report({ from: index, to, doubtful: true })
  }
}

/** A key pressed, wheels turned, a lock set. */
const KEYED =
  /(?<!\p{L})(?:tu fais|vous faites|on fait|faire|(?:still|stell|stelle|set|zet|ställ|stille|indstil|nastav|ustaw|nastaw|állítsd|ayarla|aseta|keera|mets|mettez|imposta|pon|coloca|выстави|постав)(?: \p{L}{2,8}){0,2} (?:to|på|auf|op|na|sur|su|en|em|на)) ?$|(?<!\p{L})(?:wheels?|dials?|tumblers?|r[äa]dchen|r[äa]der|zahlenr[äa]der|molettes?|roulettes|ruedas?|ruedecillas|ruedecitas|rotelle|rotelline|ghiere|rodas|rodinhas|wieltjes|hjul\p{L}*|k[oó][lł]k\p{L}*|kole[cč]\p{L}*|kota[cč]\p{L}*|kol[eé]sik\p{L}*|kerekek|teker\p{L}*|çark\p{L}*|колесик\p{L}*|колёсик\p{L}*|диск\p{L}*|roti[țt]e\p{L}*)(?: \p{L}{1,14}){0,4}? (?:show|read|say|m[üu]ssen|zeigen|sollen|afficher|affichent|indiquer|marquer|marcar|marquen|mostrar|segnare|indicare|mostrare|aangeven|tonen|visa|vise|pokazywa[ćc]|wskazywa[ćc]|ukazovat|mutat\p{L}*|göster\p{L}*|показыва\p{L}*|arate) ?$|(?<!\p{L})(?:key in|keyed(?: in)?|(?<=[,;] )key|(?:then|and|just|simply|please|to) key|(?:wheels?|dials?|tumblers?|digits|r[äa]dchen|r[äa]der|ziffern|zahlenr[äa]der|molettes?|roulettes|ruedas?|ruedecillas|rotelle|ghiere|rodas|rodinhas|cijfers|wieltjes|hjul\p{L}*|k[oó][lł]k\p{L}*|kole[cč]\p{L}*|kota[cč]\p{L}*|kol[eé]sik\p{L}*|кол[её]сик\p{L}*|диск(?:и|ах)|lock(?:'s)?|padlock(?:'s)?)(?: (?:is|are|still|set|turned|stands?)){0,2} (?:to|on|at|auf|sur|en|a|su|em|til|till|på|na|op|на)) ?$/iu
/** One gets in, in words that name no door. */
const GET_IN =
  /\bto (?:get|let yourself|come|go) in(?:side)?\b|pour entrer|um (?:rein|hinein|herein)\p{L}*|para entrar|per entrare|om binnen te komen|for (?:å|at) komme inn?d?|för att komma in|żeby wejść|чтобы (?:войти|зайти)/iu
/** Messages that somebody listens to. */
const MESSAGES =
  /\b(?:hear|check|listen to|pick up|retrieve) (?:\p{L}+['’]?s? ){0,2}(?:voice ?)?messages?\b|voice ?mail|messagerie|répondeur|anrufbeantworter|mailbox abh|buzón de voz|segreteria|telefonsvar|poczt\p{L}* głosow|hlasov\p{L}+ schránk|автоответчик|голосов\p{L}+ почт/iu

/** What a code follows. */
const LINKED =
  /(?:(?<!\p{L})(?:with|using|by|code|is|to|mit|auf|per|med|på|met|op|avec|par|sur|con|com|al?|s|se|z|ze|na|su|cu|cu codul|με|στο|с|со|на|за|з|із|ile|dengan|bằng|by|pomocą|sarjalla|koodilla|numerolla|(?:bằng|với) mã|cifrul|kodem|kódem|kódom|kodom|кодом|шифром)|[:：=→–—])\s?["“„«'#*]?\s?$/iu
/** `What did we text you? It says …` */
const SAYS = /\b(?:it|sms|text|message) (?:says?|said)\s?$/
/** Somebody has to prove who they are. */
const PROOF =
  /\bverif|\bprove it|confirm (?:it|your|who)|identit|texted you|text you|read (?:me |it |us |them )?out|bestatig|bevestig|bekreft|bekræft|bekrafta|potwierdz|потвержд|подтвержд|підтвердж|доказ|確認|验证|驗證|인증/u
export const isVietnamese = (front: string): boolean => /[õậấ]/.test(front) && VIETNAMESE.test(front)
/** Without its accents, it would be an English word. */
const VIETNAMESE = /(?<!\p{L})(?:gõ|nhập|bấm|nhấn)\s[^.!?\n]{0,20}$/iu

/** The first words of what follows, up to the end of the sentence. */
const firstWords = (back: string, count: number): string =>
  back
    .split(/[.!?;](?:\s|$)/, 1)[0]!
    .trim()
    .split(/\s+/)
    .slice(0, count)
    .join(' ')

/** The last words of a clause. */
const lastWords = (front: string, count: number): string =>
  front
    .split(/[.!?;](?:\s|$)/)
    .at(-1)!
    .trim()
    .split(/\s+/)
    .slice(-count)
    .join(' ')

/** `… eintippen`, but not `… of the type`. */
const typesBehind = (after: string): boolean => !/^(?:the|an?|of|to|in|is)\b/.test(after) && ENTERING.in(after)

const lineOf = (text: string, at: number): string => {
  const begin = text.lastIndexOf('\n', at - 1) + 1
  return text.slice(begin, begin + 300).split('\n', 1)[0]!
}

// Tokens.

const TOKEN = /[^\s"'`“”‘’„«»「」『』()<>[\]{},;|，。、：！？]{5,}/gu
const PLAIN = /^[\p{Lu}\p{Ll}]?\p{Ll}*[.:!?…]*$/u
/** A word, or nothing, is in front: no sign of a program. */
const HANDED =
  /(?:^|[\p{L}\p{M}\p{N},:;.)!?]\s{1,3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}：，])["'“„«‘「『(]{0,2}$/u
/** Joined words: `pelican-parade`, `Zubr_w_lesie`, `quietMonsoon`. */
const JOINED = /^\p{L}{2,}(?:[-_&+!#]\p{L}+){1,4}$|^\p{Ll}{3,}\p{Lu}\p{Ll}{3,}$/u
const MIXED =
  /^\p{L}{3,}[-_.]\p{N}{1,6}[-_.]\p{L}{2,}$|^(?=.*\p{L}{3})\p{L}[\p{L}\p{M}]*[-_.]?\p{N}{1,6}[!?]?$|^\p{N}{1,4}\p{L}{4,}$/u

const tokensIn = (text: string, report: Report, isKept: Kept): void => {
  let count = 0
  for (const { 0: raw, index: at } of text.matchAll(TOKEN)) {
    if (raw.length > 64 || PLAIN.test(raw)) continue
    const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(raw)
      ? /[\x21-\x7e]{5,}/.exec(raw)
      : null
    const skipped = unspaced ? unspaced.index : (/^[*_~:.=-]+/.exec(raw)?.[0].length ?? 0)
    const value = (unspaced ? unspaced[0] : raw.slice(skipped)).replace(/[.,:;*~…?]+$|(?<!\p{N})!+$/u, '')
    const index = at + skipped
    // `threeSmallGoats` is the name of a variable, unless somebody confides it.
    const camel = /^\p{Ll}{2,}(?:\p{Lu}\p{Ll}{2,}){2,4}$/u.test(value)
    const oddness =
      odd(value) || (camel && isKept(plainLetters(text.slice(index, index + value.length + BEHIND)), index) ? 1 : 0)
    if (oddness === 0) continue
    if (++count > MOST_CANDIDATES) return
    const to = index + value.length
    const { front, back, window: around } = aroundOf(text, index, to)
    // What one types has no article: `enter the Frozen-North`.
    if (
      !HANDED.test(front.slice(-8)) ||
      namesOther(front) ||
      /\b(?:the|an?|your|my|this|that)\s*$/i.test(front.slice(-8))
    )
      continue
    const before = plainLetters(front)
    const after = plainLetters(back)
    const direct =
      isVietnamese(front) ||
      KEYED.test(front.slice(-48)) ||
      ENTERING.in(lastWords(before, 3)) ||
      typesBehind(
        after
          .split(/[.!?;,]/, 1)[0]!
          .trim()
          .split(/\s+/)
          .slice(0, 2)
          .join(' '),
      )
    const linked = !direct && LINKS_BEFORE.test(front) && (OPENING.in(before) || OPENED.in(before))
    const follows = !direct && (FOLLOWS_BEFORE.test(front) || SECOND_FIELD.test(before))
    if ((!direct && !linked && !follows) || MODIFIES.test(back) || isProgramLine(lineOf(text, index))) continue
    const window = around()
    const kept = isKept(window, index)
    const thing = OPENED.in(window)
    // `displayName`: what a tool's description lists.
    const isIdentifier = /^\p{Ll}+\p{Lu}\p{Ll}+$/u.test(value)
    const sure =
      isIdentifier && !kept
        ? false
        : direct
          ? kept ||
            (thing && (oddness > 1 || asks(window))) ||
            (asks(window) && (oddness > 1 || ENTERS_AFTER.test(back)))
          : follows
            ? (kept && (thing || oddness > 1 || HELD.in(window))) || asks(window) || (thing && oddness > 2)
            : (kept && (thing || oddness > 1)) || (thing && oddness > 2 && !COLON.test(front))
    if (sure) report({ from: index, to, doubtful: false })
    // `Achievement unlocked: Master-Chef`
    else if (linked && !kept && COLON.test(front)) continue
    else if (oddness > 1 ? direct || thing : direct && thing) report({ from: index, to, doubtful: true })
  }
}

const COLON = /[:=][^\p{L}]*$/u

/** What goes into the next field: `w drugim polu …`. */
const SECOND_FIELD =
  /(?:second (?:box|field|line)|(?:drugi\w*|drugim|druhe\w*) pol\w*|segundo campo|segunda casilla|zweite[ns]? feld|deuxieme (?:case|champ)|secondo campo|tweede veld|vakje|andra faltet|andet felt|andre felt\w*|втор\w+ пол\w+|друг\w+ пол\w+|апо κατω|απο κατω|sen peraan|下面那?[一]?[栏格欄]填?|其次|次の欄)[:,]?\s?["“„«']?$/u

/** 3: mixed as passwords are; 2: perhaps; 1: only joined words, or a word and a number. */
export const odd = (value: string): 0 | 1 | 2 | 3 => {
  if (value.length < 5 || isPlace(value) || isPlaceholder(value) || isKeyCombination(value) || isTechnical(value))
    return 0
  const likeness = chosenLikeness(value)
  if (likeness > 0) return likeness > 1 ? 3 : 2
  if (MIXED.test(value)) return 1
  return JOINED.test(value) && !value.split(/[-_&+!#]/).some((piece) => COMPOUND.test(piece)) ? 1 : 0
}

/** Somebody, or a machine, asks for it. */
const asks = (window: string): boolean =>
  /\basks?\b|prompt|get into|(?<!\p{L})(?:user(?: ?name)?|usuario|benutzer\w*|nutzername|gebruiker\w*|bruger\w*|bruker\w*|anvandar\w*|utente|utilisateur|utilizador|uzytkownik\w*|uzivatel\w*|felhasznalo\w*|kullanici\w*|логин\w*|user is|admin|root|como entro|wie komm\w* ich|comment (?:j|on) entr|come entro|hoe kom|hvordan (?:kommer|logger))(?!\p{L})|when (?:it|he|she) |\b(?:log|sign|get|let) (?:\w+ )?in\b|spørger|spør|fragt|vraagt|demande|pregunta|pide|chiede|pyta|ptá|спрашив|спросит|спитає/u.test(
    window,
  )
