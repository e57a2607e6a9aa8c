/**
 * What people write to each other about a password, in which only a reader recognizes it: a correction (`not … but …`), a
 * change (`it's now …`), the value in front of the word (`type …, that's the password`), the answer to a question in a chat.
 * All of it is only reported.
 */
import { AnyCase } from './any-case.ts'
import { NAMES_PASSWORD, SAID_INSTEAD } from './chosen-words.ts'
import { ENTERING, plainLetters } from './entry-words.ts'
import { describesField, isFieldState } from './field-descriptions.ts'
import type { FoundInText } from './found-in-text.ts'
import { isProgramLine } from './handed-over.ts'
import { isPlace, isPlaceholder } from './heuristics.ts'
import { speaksOfSecret } from './spoken-of.ts'

const RULE = 'context:prose'
/** Longer texts are documents. */
const LONGEST = 6000
const MOST = 20
/** Characters in front in which the word for a secret stands, in the same sentence or in the one before. */
const IN_FRONT = 110

/** One to four words, up to a mark or the end of the line. Classes such as `\p{L}` would take long to compile. */
const WORD = String.raw`[^\s"“”„«»‘「」,.:;!?()<>{}[\]=|\\/—–]{1,25}`
const WORDS = String.raw`["“„«»‘'「]?${WORD}(?: ${WORD}){0,3}["”“»’'」]?`
const END = String.raw`(?=\s?(?:[.,;!?)\n—–]|$))`

/** In the order of their languages: no … but. */
const CORRECTED = new AnyCase(
  String.raw`(?<!\p{L})(?:(?:is|was|it['’]s|isn['’]t) not|isn['’]t|wasn['’]t|nicht|n['’]est pas|n['’]était pas|no (?:es|era)|não (?:é|era)|non (?:è|era)|nu (?:e|este)|niet|ikke|inte|ekki|ei ole|nie(?: jest)?|není|nije|ni|nem|не|не е|није|δεν είναι|değil|bukan(?:lah)?|không phải(?: là)?) ${WORDS},? (?:but|sondern|mais|sino|mas|ma|ci|maar|men|utan|heldur|vaan|tylko|lecz|ale|nýbrž|već|nego|ampak|hanem|а|але|αλλά|ama|(?:te)?tapi|melainkan|mà là) ${WORDS}${END}`,
)
const CORRECTED_HAN = /不是[^\s，,。！]{2,20}[，,]\s?(?:而)?是(?<said>[^\s，,。！]{2,20})/gu
/** Now it is, from now on. */
const NOW = new AnyCase(
  String.raw`(?<!\p{L})(?:it(?:['’]s| is) now|now it(?:['’]s| is)|(?:jetzt|nun) (?:ist|lautet|heißt) (?:es|er|sie)|maintenant,? (?:c['’]est|il est)|désormais,? c['’]est|ahora es|ahora sería|agora é|(?:adesso|ora) è|acum (?:e|este)|nu (?:is het|är det|er det)|nå er det|núna er það|nyt se on|nüüd on(?: see)?|teraz (?:to|jest|brzmi)|teď (?:je|zní)|teraz je|sada je|zdaj je|mostantól|теперь(?: он| это)?|тепер(?: він| це)?|сега е|сада је|τώρα είναι|giờ là|bây giờ là|sekarang(?: jadi)?|artık|از امروز|ab heute|from today(?: on)?) ${WORDS}${END}`,
)
/** Behind the value: that is. */
const THAT_IS = new AnyCase(
  String.raw`(?<=[\p{L}\p{M}\p{N}]["”“»’']?), ?(?:that['’]s|that is|this is|das ist|c['’]est|es|é|è|ésa es|dit is|dat is|det er|det är|það er|se on|see on|to je|to jest|toto je|ez a|bu|это|це|това е|то је|αυτό είναι|yan ang|itu|đó là)(?: (?:the|das|le|la|el|o|a|il|het|de|as|ang)){0,1} [\p{L}\p{M}]{3,16}`,
)
/** `Type … when the tool asks for …`. */
const WHEN = new AnyCase(
  String.raw`(?<!\p{L})(?:type|enter|tippe|gib|tape[rz]?|saisi[rs]+e?z?|teclea|escribe|digita|digite|typ|skriv|tast|wpisz|zadej|zadaj|upiši|vpiši|введи(?:те)?|введіть|въведи) ${WORDS}(?: ${WORD})? (?:when|once|if|wenn|sobald|quand|lorsque|si|cuando|quando|se|als|wanneer|når|när|gdy|jeśli|až|když|keď|kad|ko|amikor|când|когда|если|коли|когато) [^.!?\n]{3,60}`,
)
/** `then … as the password …`, at the end of what somebody says. */
const AS = new AnyCase(
  String.raw`(?<!\p{L})(?:as|als|comme|como|come|som|jako|kao|kot|ca|как) (?:(?:the|das|de|het|la|el|o|il) )?(?:password|passphrase|passwort|kennwort|mot de passe|contraseña|senha|password|wachtwoord|lösenord|passord|kodeord|adgangskode|hasło|heslo|lozinku|geslo|parolă|пароль) ${WORDS}(?=[.!]?(?:\n|$))`,
)
/** What a password reads, in languages that join its name to others. */
const READS = new AnyCase(
  String.raw`\p{L}{3,14}(?:passwort|kennwort|wachtwoord|lösenord(?:et)?|passord(?:et)?|kodeord(?:et)?|adgangskoden?|salasana) (?:lautet|heißt|luidt|lyder|kuuluu) (?:jetzt |nu |nå )?["“„«]?\p{L}{4,25}["”“»]?(?= und | en | og | och | ja |[.,;!]|$)`,
)

/** Words with which no password begins, but a sentence about one does. */
const NO_BEGINNING =
  /^(?:["“„«»‘'「])?(?:the|an?|my|your|our|his|her|their|this|that|it|he|she|they|we|you|i|not|no|so|too|very|more|less|only|also|again|only|always|never|here|there|longer|shorter|possible|easier|better|up to|in|on|at|for|from|to|by|with|der|die|das|den|dem|ein\p{L}*|mein\p{L}*|dein\p{L}*|zu|sehr|mehr|nur|auch|wieder|möglich|le|les|un|une|des|mon|ton|trop|très|plus|possible|los|las|una?|mi|tu|muy|más|posible|o|os|as|um|uma|mais|possível|il|lo|gli|uno|più|possibile|het|een|mijn|jouw|te|meer|mogelijk|det|den|en|ett?|for|för|mer|kan|på|i|to|jest|bardzo|można|už|je|moc|možné|już|я|ты|вы|он|она|они|мы|это|не|очень|можно|надо|нужно|уже|только|его|её|их|на|в|с|для)(?!\p{L})/iu

const isSaid = (words: string): boolean => {
  const own = words.replace(/^["“„«»‘'「]|["”“»’'」]$/g, '')
  return (
    own.length > 3 &&
    !NO_BEGINNING.test(own) &&
    !isFieldState(own) &&
    !isFieldState(own.split(' ')[0]!) &&
    !describesField(own) &&
    !isPlaceholder(own) &&
    !isPlace(own) &&
    !NAMES_PASSWORD.test(own) &&
    !SAID_INSTEAD.test(own) &&
    !/^\p{N}{1,3}(?: \p{L}+)?$/u.test(own)
  )
}

const LAST_WORDS = new RegExp(`${WORDS}$`, 'u')

export const passwordMessagesIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 16 || !(speaksOfSecret(text) || NAMES_PASSWORD.test(text))) return
  const speaksBefore = (at: number): boolean =>
    speaksOfSecret(text.slice(Math.max(0, at - IN_FRONT), at)) && !isOfProgram(lineAt(text, at))
  const report = (words: string, from: number): void => {
    if (isSaid(words)) found({ from, to: from + words.length, rule: RULE, doubtful: true })
  }
  /** The words at the end of a match. */
  const lastOf = (forms: AnyCase, speaks: (from: number, to: number) => boolean): void => {
    let count = 0
    for (const { from, to } of forms.in(text)) {
      if (++count > MOST) return
      if (!speaks(from, to)) continue
      // At most four words belong to it, and those of the form are among them.
      const all = text.slice(from, to)
      const words = lastWords(all, forms)
      report(words, to - words.length)
    }
  }
  lastOf(CORRECTED, (from) => speaksBefore(from))
  for (const { 0: all, index, groups } of text.matchAll(CORRECTED_HAN))
    if (speaksBefore(index)) report(groups!['said']!, index + all.length - groups!['said']!.length)
  lastOf(NOW, (from) => speaksBefore(from))
  lastOf(AS, () => true)
  lastOf(READS, () => true)
  valuesBefore(text, report)
  whenAsked(text, report)
  if (text.includes('\n')) answersIn(text, report)
}

/** A line of a program or a comment in one. */
const isOfProgram = (line: string): boolean => isProgramLine(line) || /^\s*(?:\/\/|\/?\*|#|--\s|;)/.test(line)

const lineAt = (text: string, at: number): string => {
  const begin = text.slice(0, at).lastIndexOf('\n') + 1
  return text.slice(begin, begin + 300).split('\n', 1)[0]!
}

/** Behind the last word of a form. */
const JOINTS: ReadonlyMap<AnyCase, RegExp> = new Map([
  [
    CORRECTED,
    /^[^]* (?:but|sondern|mais|sino|mas|ma|ci|maar|men|utan|heldur|vaan|tylko|lecz|ale|nýbrž|već|nego|ampak|hanem|а|але|αλλά|ama|(?:te)?tapi|melainkan|mà là) /iu,
  ],
  [
    NOW,
    /^(?:(?:it|now|jetzt|nun|maintenant|désormais|ahora|agora|adesso|ora|acum|nu|nå|núna|nyt|nüüd|teraz|teď|sada|zdaj|mostantól|теперь|тепер|сега|сада|τώρα|giờ|bây giờ|sekarang|artık|از امروز|ab heute|from today)(?: on(?: see)?)?,?(?:['’]s|(?: (?:now|it|is|it['’]s|ist|lautet|heißt|es|er|sie|c['’]est|il est|sería|é|è|e|este|is het|är det|er det|er það|se on|to|jest|brzmi|je|zní|он|это|він|це|е|је|είναι|là|jadi)(?!\p{L}))*)*)+ /iu,
  ],
  [
    AS,
    /^.*?(?:password|passphrase|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|lösenord|passord|kodeord|adgangskode|hasło|heslo|lozinku|geslo|parolă|пароль) /iu,
  ],
  [READS, /^\S+ \S+ (?:jetzt |nu |nå )?/u],
])
const lastWords = (all: string, form: AnyCase): string => all.slice(JOINTS.get(form)?.exec(all)?.[0].length ?? 0)

type Report = (words: string, from: number) => void

/** `zadej znovu …, to je heslo`: behind a verb of entering. */
const valuesBefore = (text: string, report: Report): void => {
  let count = 0
  for (const { from, to } of THAT_IS.in(text)) {
    if (++count > MOST) return
    if (!speaksOfSecret(text.slice(from + 2, to))) continue
    const clause = text
      .slice(Math.max(0, from - 60), from)
      .split(/[.!?;,:\n]/)
      .at(-1)!
    const [words = ''] = LAST_WORDS.exec(clause) ?? []
    const pieces = words.split(' ')
    const verb = pieces.findLastIndex((piece) => ENTERING.in(plainLetters(piece)))
    const front = clause.slice(0, -words.length || undefined)
    if (verb < 0 && !ENTERING.in(plainLetters(front))) continue
    const own = pieces.slice(verb + 1).join(' ')
    report(own, from - own.length)
  }
}

/** `Type … when it asks for its passphrase`. */
const whenAsked = (text: string, report: Report): void => {
  let count = 0
  for (const { from, to } of WHEN.in(text)) {
    if (++count > MOST) return
    const all = text.slice(from, to)
    const verb = all.indexOf(' ') + 1
    const when = all.search(
      / (?:when|once|if|wenn|sobald|quand|lorsque|si|cuando|quando|se|als|wanneer|når|när|gdy|jeśli|až|když|keď|kad|ko|amikor|când|когда|если|коли|когато) /iu,
    )
    if (when > verb && speaksOfSecret(all.slice(when))) report(all.slice(verb, when), from + verb)
  }
}

/** Who says something in a chat. */
const CHAT =
  /^[ \t]*(?:\[[^\]\n]{1,24}\] ?)?(?:\d{1,2}[:.]\d\d(?:[:.]\d\d)? )?[\p{L}][\p{L}\p{M}\p{N} ._-]{0,18}[:：] (?<said>\S[^\n]{1,160})$/u
const ASKS =
  /[?？]\s*$|(?<!\p{L})(?:asks?|wants?|fragt|will|verlangt|demande|veut|pide|pede|chiede|vraagt|frågar|spør|spørger|ville ha|pyytää|pyta|prosi|żąda|chce|pýta|ptá|traži|zahteva|kéri|cere|просит|спрашивает|требует|просить|питає|иска|тражи|ζητ)(?!\p{L})/iu
/** Nobody knows it, or somebody else does. */
const NO_ANSWER =
  /[?？]|:\/\/|(?<!\p{L})(?:know|idea|sure|ask|see|check|wait|moment|second|sorry|thanks|thank|yes|no|ok(?:ay)?|weiß|ahnung|frag|schau|moment|danke|sais|demande|voir|merci|sé|pregunta|gracias|sei|pergunta|obrigad[oa]|so|chiedi|grazie|weet|vraag|bedankt|vet|fråga|tack|ved|spørg|spør|takk|tak|wiem|zapytaj|dzięki|nevím|zeptej|díky|знаю|спроси|спасибо|дякую|policy|reset|forgot\w*)(?!\p{L})/iu

/** One line asks for a password, and the next one, of somebody else, says it. */
const answersIn = (text: string, report: Report): void => {
  let asked = false
  let count = 0
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const said = line.length < 240 ? CHAT.exec(line)?.groups!['said'] : undefined
    if (said === undefined) {
      asked = false
      continue
    }
    if (asked && ++count <= MOST && !NO_ANSWER.test(said)) {
      const own = said.split(/[,，.。!！]/, 1)[0]!.trim()
      if (own.split(' ').length < 6) report(own, index + line.indexOf(said) + said.indexOf(own))
    }
    asked = speaksOfSecret(said) && ASKS.test(said)
  }
}
