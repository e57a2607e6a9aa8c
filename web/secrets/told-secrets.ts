/**
 * What somebody is told to say or to type, found by the form of the sentence: `gets in with …`, `it'll ask, answer …`,
 * `typed … at the prompt`, `the word that starts it is …`, `only who says “…” may pass`. An ordinary word is only listed.
 */
import { odd } from './confided-secrets.ts'
import { confides } from './confiding-words.ts'
import { OPENED, OPENING, plainLetters, saysToKeep } from './entry-words.ts'
import { describesField } from './field-descriptions.ts'
import type { FoundInText } from './found-in-text.ts'
import { isProgramLine } from './handed-over.ts'
import { isPlace, isPlaceholder } from './heuristics.ts'
import { namesOther } from './other-numbers.ts'

const RULE = 'context:prose'
/** Longer texts are documents. */
const LONGEST = 60_000
const AROUND = 200
/** More of one form are a list, or hostile. */
const MOST = 40

const TOKEN = '(?<told>[^\\s"\'`“”„«»「」,;()<>|]{4,40})'
const OPEN = '["\'“„«»`‘]?'

/** `the replica lets me in as ro / …`, `admin now gets in with …`. */
const GETS_IN = new RegExp(
  `(?<!\\p{L})(?:lets?|gets?|got|logs?|signs?) (?:\\p{L}{2,8} ){0,2}in(?:to \\S{2,30})?(?: only)?,? (?:with|using|by saying|(?<user>as [\\w.@-]{1,30})(?: ?[/:] ?| with | using )) ?${OPEN}${TOKEN}`,
  'giu',
)
/** Products and protocols that people sign in with. */
const PROTOCOLS = /open-?id|o-?auth|saml|sso|passkey|auth0|^2fa|^mfa|office-?365|365$|connect$/i
/** What a programmer writes beside a password that must not stay. */
const UNFINISHED = /\b(?:do not|don['’]?t|never) (?:push|commit|merge|check in)\b|\bremove before\b/i
/** `# it'll ask, answer …`. */
const ASKS = new RegExp(
  `(?<!\\p{L})(?:asks?|asked|prompts?|prompted|nags?|fragt|demande|pregunta|chiede|vraagt|spør|spørger|frågar|pyta|спросит|спрашивает)(?: (?:you|me|us|for (?:it|one|a word|a password|the password)|(?:who|what|why|where|wer|was|qui|quoi|quién|qué|chi|che|кто|что)(?: [\\p{L}’']{1,12}){1,5}))?[,:;–—-]{1,2} ?(?:then |just |simply )?(?:answer|type|enter|say|give|reply|respond|tippe|tipp|antworte|gib|tapez?|réponds|responde|escribe|rispondi|scrivi|antwoord|typ|svar|skriv|odpowiedz|wpisz|ответь|введи)(?: it| with| back| mit| ein)? ${OPEN}${TOKEN}`,
  'giu',
)
/** `[operator typed: … at the hidden prompt]`. */
const TYPED_AT =
  /(?<!\p{L})(?:typed|entered|keyed in|pasted|typing|types|eingegeben|tippte|tapé|saisi|tecleó|digitato|ingevoerd|skrev|wpisał\p{L}?|ввёл|ввел)\s?[:=]?\s?["'“„«]?(?<told>[^\s"'“”„«»]{4,64}|(?<=["“„«])[^"“”„«»\n]{4,64})["'”“»]? (?:at|into|in|on|to|for) (?:the |a |an )?(?:[\p{L}-]{2,16} ){0,2}(?:prompt|field|box)(?!\p{L})/giu
/** `matched "Password: "`, then `sending "…\r"`. */
const SENT =
  /(?<!\p{L})(?:send|sending|sent|write|writing|answering)(?: -- | |: ?|\()["'](?<told>[^"'\\\n]{3,60})(?:\\{1,2}[rn])+["']/giu
const PROMPTED = /(?:pass(?:word|phrase|code)|passwort|kennwort|mot de passe|contraseña|pin)[^\n"']{0,12}["'][^"']*$/iu

/** Nouns for what one says. */
const SPOKEN_NOUN =
  'word|phrase|countersign|answer|palabra|respuesta|mot|phrase|parola|risposta|palavra|resposta|wort|losung|satz|antwort|woord|antwoord|ord(?:et)?|svar(?:et)?|sana|sõna|słowo|odpowiedź|slovo|odpověď|riječ|reč|beseda|szó|kelime|kata|cuvântul|paraula|слово|ответ|відповідь|дума(?:та)?|λέξη'
const IS = "is|it's|was|es|est|c'est|ist|lautet|è|é|er|är|on|jest|to|brzmi|je|zní|это|є|е|είναι|adalah"
const SAID_WORD = "(?<told>\\p{L}[\\p{L}\\p{M}'’-]{3,20}(?: \\p{L}[\\p{L}\\p{M}'’-]{2,20})?)"
const CLAUSE_ENDS = '["”“»\'’]?(?=\\s?(?:[.!?,;\\n—–)]|$))'
/** `the word that starts the drop is …`, `la palabra, es …`. */
const WORD_IS = new RegExp(
  `(?<!\\p{L})(?:${SPOKEN_NOUN})(?<what> (?:that|which|to|for|at|der|das|die|zum|für|qui|pour|de|que|para|per|che|om|som|do|k|для|που)(?!\\p{L})[^.,;:!?\\n"“„«]{1,48}?)?,? (?:${IS}) (?:still |now |just |immer noch |toujours |todavía |ancora )?["“„«'‘]?${SAID_WORD}${CLAUSE_ENDS}`,
  'giu',
)
/** `they ask for our word. It's still …`. */
const ASKED_WORD = new RegExp(
  `(?<!\\p{L})asks? (?:\\p{L}{2,6} )?for (?:our|the|your|a|my) (?:word|phrase)[.,;:!?–—-]{1,2}\\s(?:it|that)['’]?s (?:still |now |just )?["“„«'‘]?${SAID_WORD}${CLAUSE_ENDS}`,
  'giu',
)
/** What a word is like, instead of the word. */
const SAID_OF =
  /^(?:(?:not|no|that|this|the|an?|very|too|so|always|never|also|only|still|now|here|there|yes|used|spoken|said|written|wrong|right|correct|incorrect|misspelled|valid|invalid|known|unknown|important|missing|required|optional|simple|difficult|clear|final|given|derived|borrowed|pronounced|spelled|followed|called|found|true|false|good|great|nicht|kein\p{L}*|ein\p{L}*|das|der|die|falsch|richtig|sehr|immer|pas|une?|le|la|les|très|toujours|bien|faux|correcte?|non|una?|el|los|muy|siempre|correcta|incorrecta|il|lo|molto|sempre|corretta|sbagliata|niet|een|het|ikke|inte|ett|det|nie|ne|není|nije|не|нет|это|δεν|bukan|tidak)(?: |$))/iu
/** `the word that describes it best is …`, `la palabra del día es …`. */
const DESCRIBES =
  /describ|best|most|day|week|month|year|english|for\b|beschreib|tages|jahres|décri|jour|semaine|mois|année|día|semana|mes\b|año|dia\b|ano\b|giorno|settimana|anno|dag|jaar|år|dnia|roku|дня|года|року/iu
const MAY_NAME = /that (?:starts?|opens?|unlocks?|lets?|gets?|stops?|begins?|launches|disarms?|ends?)/iu

/** Somebody lets others in, or hands something over. */
const GUARDS =
  /(?<!\p{L})(?:guards?|sentr|sentinel|bouncer|doorm[ae]n|porter|gatekeeper|wache|posten|pförtner|türsteher|schranke|sentinelle|vigile|portier|concierge|guardia|centinela|portero|sentinell|vedett|buttafuori|vakt|vagt|strażnik|wartown|hlídač|vrátn|охран|сторож|часов|φρουρ|bekçi|satpam|penjaga|collect (?:the|your|him|her)|pick(?:s|ed)? (?:up|him|her)|abhol|repartir avec|récupérer|recoger|ritirare|prelevare|ophalen|hämta|hente|odebra|vyzvedn|забрать|забира)/iu
/** Others may not. */
const ONLY =
  /(?<!\p{L})(?:only|whoever|anyone who|otherwise|or else|must|nur|sonst|wer|muss|müssen|seule?|sinon|quiconque|celui qui|doit|sólo|solo|si no|quien|debe|soltanto|chi|altrimenti|deve|alleen|anders|wie|bare|kun|bara|ellers|annars|tylko|inaczej|jen|jinak|samo|inače|csak|только|иначе|кто|лише|sadece|yoksa|hanya|kalau)(?!\p{L})/iu
const OTHERWISE =
  /(?<!\p{L})(?:otherwise|or else|sonst|sinon|si no|altrimenti|ellers|annars|inaczej|jinak|inače|иначе|yoksa|kalau tidak)(?!\p{L})/iu
const QUOTED = '["“„«»‘「『](?<told>[^"“”„«»‘’「」『』\\n]{3,40})[”“"«»’」』]'
const SAYS =
  'say|says|saying|utters?|whispers?|mentions?|names?|sag(?:t|en|e)|zu sagen|nenn(?:t|en)|ruf(?:t|en)|flüster(?:t|n)|prononc\\p{L}+|dit|dire|disant|murmure|dice|dicen|decir|diga|pronunci\\p{L}+|dica|dicono|zegt|zeggen|noemt|säger|säga|siger|sige|sier|si|powie|powiedzieć|řekne|říct|říci|povie|kaže|kazati|reći|mond(?:ja|ani)|скаж\\p{L}+|сказать|назов\\p{L}+|произнес\\p{L}+|πει|λέει|söyle\\p{L}*|menyebut\\p{L}*|mengucap\\p{L}*|bilang'
const SAID_AT = new RegExp(
  `(?<!\\p{L})(?:${SAYS})[ :]{1,2}${QUOTED}|${QUOTED.replace('told', 'behind')} (?:${SAYS})(?!\\p{L})`,
  'giu',
)

/** `今夜の合言葉は「…」`. */
const WATCHWORD =
  /(?:合い?言葉|あいことば|口令|暗[语語]|切口|接头暗号|암호|암구호)(?:は|が|是|为|為|：|:|는|은|=)\s?[「『“"‘'《](?<told>[^」』”"’'》\n]{2,30})[」』”"’'》](?!と(?:呼|い|言|は)|라는|이라는)/gu

const TONIGHT = /(?:今夜|今晩|今日|本日)の|^[^]{0,3}(?:口令|暗[语語]|切口|接头暗号|암구호)/u

type Sure = (value: string, match: RegExpExecArray, text: string) => boolean | undefined

/** `Context7`, `Auth0` are products. */
const isOdd = (value: string): boolean => odd(value) > 0 && !/^\p{Lu}\p{Ll}+\d$/u.test(value)
const isKept = (window: string): boolean => {
  const plain = plainLetters(window)
  return confides(plain) || saysToKeep(plain)
}
const windowOf = (text: string, { index, 0: all }: RegExpExecArray): string =>
  text.slice(Math.max(0, index - AROUND), index + all.length + AROUND)

/** `true`: removed; `false`: only reported; `undefined`: neither. */
const FORMS: readonly (readonly [pattern: RegExp, sure: Sure])[] = [
  [
    GETS_IN,
    (value, match, text) =>
      PROTOCOLS.test(value)
        ? undefined
        : isOdd(value) ||
            (match.groups!['user'] !== undefined &&
              /[/:] ?\S*$/.test(match[0]) &&
              /^\p{Ll}+$/u.test(value) &&
              (isKept(windowOf(text, match)) || UNFINISHED.test(windowOf(text, match))))
          ? true
          : undefined,
  ],
  [ASKS, (value) => (isOdd(value) ? true : undefined)],
  [
    TYPED_AT,
    (value, { 0: all }) =>
      /^(?:it|text|something|nothing|data|values?|commands?|anything|them|that|this|\p{L}{1,3})$/iu.test(value)
        ? undefined
        : /hidden|pass|sudo|pin\b|secret/i.test(all.slice(all.lastIndexOf(value) + value.length))
          ? true
          : undefined,
  ],
  [SENT, (_value, { index }, text) => (PROMPTED.test(text.slice(Math.max(0, index - 160), index)) ? true : undefined)],
  [
    WORD_IS,
    (value, match, text) =>
      SAID_OF.test(value) || DESCRIBES.test(match.groups!['what'] ?? '')
        ? undefined
        : MAY_NAME.test(match.groups!['what'] ?? '') || /^\p{L}+, /u.test(match[0])
          ? isKept(windowOf(text, match)) && !/\s/.test(value) && value.length > 4
          : undefined,
  ],
  // A motto is called so as well.
  [
    WATCHWORD,
    (_value, match, text) =>
      isKept(windowOf(text, match)) || TONIGHT.test(text.slice(Math.max(0, match.index - 3), match.index + 4)),
  ],
  [ASKED_WORD, (value) => (SAID_OF.test(value) ? undefined : true)],
  [
    SAID_AT,
    (value, match, text) => {
      const window = windowOf(text, match)
      if (value.split(/\s+/).length > 4 || !ONLY.test(window)) return undefined
      const guarded = GUARDS.test(window)
      const plain = plainLetters(window)
      if (!guarded && !(OPENED.in(plain) && OPENING.in(plain))) return undefined
      return isKept(window) || isOdd(value) || (guarded && OTHERWISE.test(window))
    },
  ],
]

export const toldIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 12) return
  for (const [pattern, sure] of FORMS) {
    let count = 0
    for (const match of text.matchAll(pattern)) {
      if (++count > MOST) break
      const written = (match.groups!['told'] ?? match.groups!['behind'])!
      const value = written.replace(/[.:!?\]}]+$/, '')
      if (value.length < 3 || isPlaceholder(value) || isPlace(value) || describesField(value)) continue
      const from = match.index + match[0].lastIndexOf(written)
      const begin = text.lastIndexOf('\n', from) + 1
      if (pattern !== SENT && isProgramLine(text.slice(begin, begin + 300).split('\n', 1)[0]!)) continue
      if (namesOther(text.slice(Math.max(0, from - 60), from))) continue
      const isSure = sure(value, match, text)
      if (isSure !== undefined)
        found({ from, to: from + value.length, rule: RULE, ...(isSure ? {} : { doubtful: true as const }) })
    }
  }
}
