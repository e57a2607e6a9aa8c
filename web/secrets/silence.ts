/**
 * Sentences that ask for silence, in some 75 languages: that nobody may learn it, that it must not get about, that it
 * stays in the family, that one swears to be silent. With the sentences beside them they are reported as a whole, and
 * never removed: only a reader knows what is to be kept.
 */
import { plainLetters } from './entry-words.ts'
import type { Assigned, FoundInText } from './found-in-text.ts'
import { isProgramLine } from './handed-over.ts'
import { EUROPEAN, UNSPACED, WORLDWIDE } from './silence-words.ts'

const [NOBODY, LEARN, NOT, BETRAY, OTHERS, PHRASE, BURN, NOTE, SWEAR, SILENT, STAY, INSIDE] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
] as const

/** Groups that have to stand within so many words of one another. */
const CUES: readonly { readonly groups: readonly number[]; readonly within: number }[] = [
  { groups: [PHRASE], within: 1 },
  { groups: [NOBODY, LEARN], within: 5 },
  { groups: [NOT, BETRAY], within: 5 },
  { groups: [NOT, LEARN, OTHERS], within: 9 },
  { groups: [BURN, NOTE], within: 4 },
  { groups: [SWEAR, SILENT], within: 6 },
  { groups: [STAY, INSIDE], within: 5 },
]

interface Stem {
  readonly language: number
  readonly group: number
  /** The beginnings of its words; with a dot, the word as a whole. */
  readonly words: readonly string[]
}

/** The stems of all languages by the first two letters. */
const stemsOf = (
  lines: readonly (readonly [number, string])[],
  form: (text: string) => string,
): Map<string, Stem[]> => {
  const all = new Map<string, Stem[]>()
  for (const [language, line] of lines)
    for (const [group, written] of line.split('|').entries())
      for (const one of written.trim().split(/\s+/)) {
        const words = form(one).split('_').filter(Boolean).map(ended)
        const key = words[0]?.slice(0, 2)
        if (key === undefined) continue
        const stems = all.get(key)
        if (stems) stems.push({ language, group, words })
        else all.set(key, [{ language, group, words }])
      }
  return all
}
/** One or two letters begin too many words. */
const ended = (word: string): string => (word.length < 3 && !/[.\p{Script=Hangul}]/u.test(word) ? `${word}.` : word)

const exactly = (text: string): string => text.toLowerCase().normalize('NFC')
const LINES = `${EUROPEAN}${WORLDWIDE}`
  .trim()
  .split(/\n+/)
  .map((line, at) => [at, line] as const)
const PLAIN_STEMS = stemsOf(
  LINES.filter(([, line]) => !line.startsWith('=')),
  plainLetters,
)
const EXACT_STEMS = stemsOf(
  LINES.filter(([, line]) => line.startsWith('=')).map(([at, line]) => [at, line.slice(1)] as const),
  exactly,
)
const WITHOUT_SPACES = new RegExp(UNSPACED, 'u')
const HAS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’‘ʻ.-][\p{L}\p{M}\p{N}]+)*/gu
/** Conjunctions, articles and prepositions that Hebrew and Arabic write as one word with what follows. */
const PREFIXED = /^(?:[وف]?(?:بال|كال|لل|ال|[بلكس])|[وف]|[ושהבלכמ]{1,2})(?=[\u0590-\u06ff]{3})/u

/** What must not be, or is not allowed. In plain letters. */
const FORBIDS =
  /(?<!\p{L})(?:must\p{L}*|may not|can.?t ever|cannot|should\p{L}*|darf\p{L}*|durf\p{L}*|soll\p{L}*|muss\p{L}*|doi[tsv]\p{L}*|debe\p{L}*|puede\p{L}*|deve\p{L}*|pode\p{L}*|pot|pugui|moet\p{L}*|mag|ma|skal|faar|far|ska|saa|tohi|nedrikst\p{L}*|netur\p{L}*|negal\p{L}*|moze\p{L}*|moga|wolno|powin\p{L}*|smi|nesm\p{L}*|smie\p{L}*|sme|smej\p{L}*|smij\p{L}*|бива|трябва|може|смее\p{L}*|сме|смеју|долж\p{L}*|нельзя|повин\p{L}*|можна|паві\p{L}*|нельга|duhet|s.duhet|πρεπει|trebui\p{L}*|behar|rhaid|mor|tridx|ghandu|szabad|tudhat\p{L}*|\p{L}*(?:mamali|memeli|mamal[iı]d[iı]r|memelidir|mamalidir|məməlidir|mamali)|керек|тиіс|kerak|نباید|باید|dive|चाहिए|चाहिये|नये|नको|हुदैन|அக்|கூடாது|אסור|יכול|يجب|ينبغي|يجوز|boleh|hapaswi|\p{L}*takiwi|kada|gbodo|չպետք|moenie|akumele|akufanele|պետք|უნდა|rajtas)(?!\p{L})|چاہ|표|돼|được/u
/** That it shall be so. In plain letters. */
const WISHES =
  /(?<!\p{L})(?:this|that|it|let|keep|das|dies|es|dit|hou\p{L}*|det|den|hold|behold|hall|cela|ca|que|quede|quedi|deve|fique|resti|pidä|pida|tama|hoia|jaagu|lai|patur\p{L}*|tegul|pasilik\p{L}*|niech\p{L}*|zatrzymaj|zachow\p{L}*|to|toto|tohle|at|nech\p{L}*|naj|obdrzi|ovo|neka|нека|ова|пусть|хаи|нехаи|хай|нехай|няхай|gjë|kjo|mbaje|ας|αυτο|sa|asta|hau|\p{L}*dadila|cadwa|hyn|coinnigh|maradjon|ez|tartsd|kalsin|kalsın|qalsın|қалсын|qolsin|بماند|बात|रहे|बात|থাকুক|यह|ل\p{L}+|libaki|ibaki\p{L}*|zauna|ya|ko|makuhlale|թող|დარჩეს|restu|din|biar\p{L}*|manatili)(?!\p{L})|בוא|ישאר|יישאר|رہے|ਰਹੇ|રહે|राहू|रहोस|ட்டும்|ഇരിക്ക|ఉండాలి|ಇರಲಿ|ليبق|자/u
/** `Nobody knows whether …` says nothing of who may. In plain letters. */
const KNOWN =
  /(?<!\p{L})(?:knows?|needs to know|wei(?:ss|ß)|sait|sabe|sa|sap|weet|ved|vet|veit|tieda|tea|zina|nezina|zino|nezino|wie|vi|nevi|vie|nevie|ve|zna|зна|знае|знает|знают|знає|ведае|ξερει|stie|sem tudja|tudja|biliyor|bilmiyor|bilir|bilmir|біледі|білмейді|biladi|bilmaydi|می.?داند|نمی.?داند|نمیدونه|nizane|dizane|जानता|जानते|नहीं पता|יודע|יודעים|يعرف|يعلم|daki|gwybod a|a fhios|jaf|scias|գիտի|գիտե|იცის)(?!\p{L})|জানে না|জানে|नहीं पता|माहीत|не знає|khong ai biet/u
const NO_ONE =
  '(?:no ?(?:body|one)|niemand|keiner|personne|nadie|nessuno|ningun?o?|ningu|ninguem|ingen|enginn|kukaan|keegi|neviens|niekas|nikt|nikdo|nikto|nihce|nitko|niko|inork|nimeni|senki|kimse|hech kim|hec kim|neniu|нико[йиј]?|никто|ніхто|κανεις|κανενας|ешкім|ешким|هیچ.?کس|لا احد|אף אחד|khong ai|किसी को|किसी|কেউ|誰にも)[^.!?。\\n]{0,16}?'
const UNKNOWN = new RegExp(`${NO_ONE}(?:${KNOWN.source})|わかりません|分かりません`, 'u')

/** @returns whether a sentence asks for silence */
const asksForSilence = (sentence: string): boolean => {
  if (HAS_UNSPACED.test(sentence) && WITHOUT_SPACES.test(sentence)) return true
  const exact = exactly(sentence).replace(/[’‘ʻ]/g, "'").match(WORD) ?? []
  return (
    cued(
      exact.map((word) => plainLetters(word)),
      PLAIN_STEMS,
      sentence,
    ) ||
    (/[^\p{ASCII}]/u.test(sentence) && cued(exact, EXACT_STEMS, sentence))
  )
}

const matches = (word: string | undefined, stem: string): boolean =>
  word !== undefined &&
  (stem.endsWith('.') ? word.length === stem.length - 1 && stem.startsWith(word) : word.startsWith(stem))

interface Hit {
  readonly group: number
  readonly at: number
}

const cued = (words: readonly string[], stems: ReadonlyMap<string, readonly Stem[]>, sentence: string): boolean => {
  const hits = new Map<number, Hit[]>()
  for (const [at, word] of words.entries()) {
    const bare = word.replace(PREFIXED, '')
    for (const begun of bare === word ? [word] : [word, bare])
      for (const { language, group, words: all } of stems.get(begun.slice(0, 2)) ?? NONE) {
        if (!matches(begun, all[0]!) || !all.every((stem, more) => more === 0 || matches(words[at + more], stem)))
          continue
        if (group === PHRASE) return true
        const own = hits.get(language)
        if (own) own.push({ group, at })
        else hits.set(language, [{ group, at }])
      }
  }
  for (const own of hits.values())
    if (
      own.length > 1 &&
      CUES.some((cue) => stand(own, cue.groups, cue.within) && isMeant(cue.groups[0]!, cue.groups, sentence))
    )
      return true
  return false
}
const NONE: readonly Stem[] = []

const isMeant = (first: number, { length }: readonly number[], sentence: string): boolean => {
  const plain = plainLetters(sentence)
  if (first === NOBODY) return FORBIDS.test(plain) || !(UNKNOWN.test(plain) || UNKNOWN.test(sentence))
  if (first === NOT && length > 2) return FORBIDS.test(plain) || FORBIDS.test(sentence)
  return first !== STAY || WISHES.test(plain) || WISHES.test(sentence)
}

/** Whether each group has a word of its own, none further from the others than that. */
const stand = (hits: readonly Hit[], groups: readonly number[], within: number): boolean =>
  hits.some(({ group, at }) => {
    if (group !== groups[0]) return false
    const taken = new Set([at])
    return groups.slice(1).every((other) => {
      const near = hits.find((one) => one.group === other && !taken.has(one.at) && Math.abs(one.at - at) <= within)
      if (near) taken.add(near.at)
      return near !== undefined
    })
  })

/** What companies and licences promise or forbid: no secret of its own. In plain letters. */
const LEGAL =
  /(?<!\p{L})(?:personal (?:data|information)|your (?:data|information|privacy)|user data|third[- ]part(?:y|ies)|privacy|licen[cs]\p{L}*|copyright|warrant\p{L}*|terms of|e-?mail address\p{L}*|personenbezogen\p{L}*|datenschutz\p{L}*|dritte[nr]?|ihre daten|lizenz\p{L}*|donnees|tiers|vie privee|datos|terceros|privacidad|dados|terceiros|dati personali|terzi|gegevens|derden|personoplysn\p{L}*|personuppgift\p{L}*|personopplysn\p{L}*|tredjepart\p{L}*|tredje part|henkilotie\p{L}*|isikuandm\p{L}*|dan\p{L}* osobow\p{L}*|osobni\p{L}* udaj\p{L}*|osobn\p{L}* udaj\p{L}*|osobn\p{L}* podat\p{L}*|tretim\p{L}*|szemelyes adat\p{L}*|kisisel veri\p{L}*|date\p{L}* personale|персональн\p{L}*|личн\p{L}* данн\p{L}*|третьим|третім|персональн\p{L}* дан\p{L}*|лични данни|προσωπικ\p{L}*|data pribadi|pihak ketiga)(?!\p{L})|个人信息|個人情報|第三方|第三者|개인정보|제3자|隐私|ข้อมูลส่วนบุคคล/u
const NAMES_SECRET =
  /(?<!\p{L})(?:pass ?words?|passphrases?|passcodes?|pins?|otps?|tokens?|api keys?|credentials?|keys?|codes?|passwor[td]\p{L}*|kennw\p{L}*|mots? de passe|contrasen\p{L}*|claves?|senhas?|wachtwoord\p{L}*|losenord\p{L}*|adgangskod\p{L}*|passord\p{L}*|salasan\p{L}*|has[lł]\p{L}*|hesl\p{L}*|lozink\p{L}*|jelsz\p{L}*|parol\p{L}*|sifre\p{L}*|парол\p{L}*|лозинк\p{L}*|код\p{L}*|κωδικ\p{L}*|kode|kata sandi|codigo\p{L}*|codice|kod\p{L}*|kood\p{L}*|kodas)(?!\p{L})|סיסמ|قود|كلمة المرور|رمز|密码|密碼|口令|验证码|驗證碼|パスワード|暗証番号|認証コード|비밀번호|인증번호|รหัส|पासवर्ड|ओटीपी/u
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|at \S+ \(|\d{1,3}% \|)|\b(?:INFO|DEBUG|WARN|ERROR|TRACE)\b.{0,40} - |\blevel=\w+/iu

/** Longer texts are documents and programs. */
const LONGEST = 12_000
const LONGEST_PASSAGE = 700
const BEFORE = 3
const BEHIND = 3
const MOST_PASSAGES = 8
/** A sentence, up to the mark that ends it, or a line. */
const SENTENCE =
  /(?:[^\n.!?。！？।۔։]|[.!?](?![\s"'”’»)」』]|$)){1,600}(?:[.!?。！？।۔։]+["'”’»)」』]*|\n|$|(?=[^\n]))/gu

interface Sentence {
  readonly from: number
  readonly to: number
  readonly text: string
}

export const silenceIn = (text: string, found: FoundInText): void => {
  if (text.length < 12 || text.length > LONGEST || !/\p{L}{2}/u.test(text)) return
  const sentences: Sentence[] = []
  for (const { 0: sentence, index } of text.matchAll(SENTENCE))
    if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push({ from: index, to: index + sentence.length, text: sentence })
  let [done, count] = [0, 0]
  for (const [at, { text: sentence }] of sentences.entries()) {
    if (at < done || !isAsked(sentence)) continue
    let [first, last] = [at, at]
    let length = sentence.length
    const takes = (other: number): boolean => {
      const one = sentences[other]
      if (!one || other < done || LOG_LINE.test(one.text) || isProgramLine(one.text)) return false
      length += one.text.length
      return length <= LONGEST_PASSAGE
    }
    while (last - at < BEHIND && takes(last + 1)) last++
    while (at - first < BEFORE && takes(first - 1)) first--
    done = last + 1
    const passage = text.slice(sentences[first]!.from, sentences[last]!.to)
    if (!saysMore(passage)) continue
    if (NAMES_SECRET.test(plainLetters(passage)) && !/\p{N}|["“„«「『]/u.test(passage)) continue
    const skipped = passage.search(/\S/)
    const from = sentences[first]!.from + skipped
    found({ from, to: from + passage.trim().length, rule: 'context:prose', doubtful: true })
    if (++count >= MOST_PASSAGES) return
  }
}

/** Whether a position is among sentences that ask for silence. They are looked for once, and only if somebody asks. */
export const silences = (text: string): ((at: number) => boolean) => {
  let passages: Assigned[] | undefined
  return (at) => {
    if (!passages) {
      const all: Assigned[] = (passages = [])
      silenceIn(text, (one) => all.push(one))
    }
    return passages.some(({ from, to }) => from <= at && at < to)
  }
}

const isAsked = (sentence: string): boolean =>
  !isProgramLine(sentence) &&
  // A ship, and no Icelandic hush.
  asksForSilence(sentence.replace(/(?<!\p{L})USS (?=\p{Lu}\p{Ll})/gu, '')) &&
  !LEGAL.test(plainLetters(sentence))

/** That nobody knows something, or what happens to data. */
export const tellsNothing = (text: string): boolean => {
  const plain = plainLetters(text)
  return UNKNOWN.test(plain) || UNKNOWN.test(text) || LEGAL.test(plain)
}

/** `Keep it secret!` alone keeps nothing. */
const saysMore = (passage: string): boolean =>
  (passage.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) > 4 || HAS_UNSPACED.test(passage)
