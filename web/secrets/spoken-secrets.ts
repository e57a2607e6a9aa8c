/**
 * Secrets that are said rather than written: phrases (`the words are …`, `…, all lower case`), dictated letters and
 * digits, combinations of locks and keypads, answers to security questions. Only beside words of getting in.
 */
import { AnyCase } from './any-case.ts'
import { ACCESS } from './access-words.ts'
import { NAMES_PASSWORD } from './chosen-words.ts'
import type { FoundInText } from './found-in-text.ts'
import { describesField } from './field-descriptions.ts'
import { isPlaceholder } from './heuristics.ts'
import { GREETING } from './greetings.ts'

const RULE = 'context:prose'
const LONGEST = 60_000
const IN_FRONT = 220
const BEHIND = 90

type Report = (value: string, from: number, doubtful?: boolean) => void

export const spokenIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 8) return
  const report: Report = (value, from, doubtful) =>
    found({ from, to: from + value.length, rule: RULE, ...(doubtful ? { doubtful } : {}) })
  if (QUESTION.test(text)) answersIn(text, report)
  if (/\d/.test(text)) combinationsIn(text, report)
  if (SPELLED.test(text)) dictatedIn(text, report)
  if (MAY_SAY.test(text)) phrasesIn(text, report)
}

const around = (text: string, from: number, to: number): string =>
  `${text.slice(Math.max(0, from - IN_FRONT), from)} ${text.slice(to, to + BEHIND)}`

/** What a phrase never begins with, because it is a sentence. */
const NO_BEGINNING =
  /^(?:darf|dürfen|kann|können|muss|müssen|soll|sollen|kommt|geht|mag|wird|may|can|must|should|gets|goes|will|peut|doit|va|puede|debe|può|deve|pode|mag|moet|får|skal|ska|kan|może|musi|může|smí|může|może|может|должен|пройд\p{L}*|to|that|the|an?|your|you|my|our|their|his|her|its|it|this|these|those|there|what|who|why|how|when|where|which|if|in|on|at|for|from|of|by|with|not|no|yes|so|please|i|we|he|she|they|is|are|was|were|be|been|hello|hi|hey|thanks?|thank|sorry|ok(?:ay)?|goodbye|something|anything|nothing|never|always|only|all|any|some|each|every|both|either|neither|only|then|and|or|but|nur|dass|das|die|der|dem|den|ein\p{L}{0,2}|nicht|kein\p{L}{0,2}|was|wer|wie|wenn|ob|ja|nein|bitte|le|la|les|un|une|des|que|qui|si|ne|pas|oui|non|el|los|las|una|lo|il|gli|uno|che|os|as|um|uma|het|een|niet|dat|wat|den|det|en|et|at|att|ikke|inte|że|nie|tak|не|да|нет|что|это)$/iu
/** Words of sentences about secrets, or of sentences at all. */
const NO_PHRASE =
  /(?<![\p{L}])(?:the|and|by|with|of|for|from|to|in|on|at|as|or|an?|no|only|if|is|are|was|were|will|would|can|could|should|must|has|have|had|not|you|your|they|them|their|that|this|which|what|when|because|niet|nicht|noch|nog|pas|encore|ancora|ainda|todav[ií]a|nie|ikke|inte|password|passphrase|passcode|token|secret|key|keys|code|codes|credentials?|certificate|error|invalid|valid|failed|success\w*|required|user|username|email|account|file|files|mode|server|client|button|page|link|menu|app|using|after|before|again|cannot|yourself|und|ist|oder|nicht|sie|werden|wird|est|sont|vous|avec|pour|para|por|con|sua|seu)(?![\p{L}])/iu

const WORD = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}'’-]{0,18}"
/** Behind these, what one says follows: behind a noun only if a verb or a colon does, because a sentence may begin with it. */
const SAYING =
  'asks?,? (?:just |simply )?(?:type|enter|put in)|(?:two|three|four|five|six|\\d) words(?=:)|for (?:a|the|your) (?:words?|phrase)(?=:)|(?:words?|phrase)(?=:)|(?:pass|safe|code|watch|vault|gate|magic|secret|key|challenge|door|alarm)?[- ]?(?:words?|phrase|sentence) (?:is|are|was|were)(?: now| still)?|(?:we|you|they|guests?|staff|simply|just|and|to|must|should|then|please|who) (?:say|whisper|answer|reply|mention)|says|saying|tell (?:him|them|her|it)|told (?:him|them|her)|answer(?:ed)?(?: is| was| with)?|repl(?:y|ied|ies)(?: is| was| with)?|respond(?:ed|s)?(?: with)?|countersign(?: is)?|' +
  '(?:losung(?:swort)?|parole|codewort|kennwort|stichwort|zauberwort)(?: ist| lautet| heißt|(?=\\s?:))|sag(?:st|t|en sie)?|antworte[nt]?(?: mit)?|(?:die )?w[öo]rter sind|' +
  'mot (?:de passe|magique|secret)(?: est|(?=\\s?:))|dites|dis(?:-lui|-leur)?|réponds|répondez|palabra (?:clave|secreta|mágica)(?: es|(?=\\s?:))|diga|decir|responde(?:r)?|parola (?:d.ordine|segreta|magica)(?: è|(?=\\s?:))|rispondi|wachtwoord(?: is|(?=\\s?:))|zeg(?: je)?|lösenord(?:et)?(?: är|(?=\\s?:))|säg|sig|(?<=(?:^|[.!?,;:] |(?<!\\p{L})(?:og|å|må|skal|kan|bare|kun|så|du|vi|dere) ))si|kodeord(?:et)?(?: er|(?=\\s?:))|tunnussana(?: on|(?=\\s?:))|sano|hasło(?: to|(?=\\s?:))|powiedz|heslo(?: je|(?=\\s?:))|řekni|jelszó(?=\\s?:)|mondd|кодовое слово(?=\\s?[:—–-])|скажи(?:те)?|пароль(?=\\s?[:—–-])|сказати|σύνθημα|πες'
const SAID = new RegExp(
  `(?<![\\p{L}])(?:${SAYING})\\s?[:,]?\\s(?:(?<quote>["“„«‘'])(?<quoted>[^"”“»’'\\n]{4,60})["”“»’']|(?<plain>${WORD}(?: ${WORD}){1,5})(?=\\s?(?:[.!?;,\\n"”)(—–]|$)))`,
  'giu',
)
/** `unlocked … with "…"`. */
const QUOTED =
  /(?<![\p{L}])(?:unlock\p{L}*|open(?:s|ed)?|decrypt\p{L}*|mount(?:s|ed)?|restor\p{L}+|log(?:s|ged)? ?in|logged|authenticat\p{L}+|sign(?:s|ed)? in|disarm\p{L}*|entsperr\p{L}*|öffne\p{L}*|anmeld\p{L}*|ouvr\p{L}*|déverrouill\p{L}*|abr\p{L}+|apr\p{L}+|desbloque\p{L}*|sblocc\p{L}*)[^"“„«\n]{0,50}\s(?:with|using|by saying|mit|avec|con|com|met|med)\s(?:the (?:words?|phrase|sentence)\s)?["“„«](?<quoted>[^"”“»\n]{6,60})["”“»]/giu
/** How a phrase is written: `…, all lower case`. */
const WRITTEN =
  /\s?(?:,|—|–|-|\(|\.)\s?(?:it'?s |that'?s |alles |all |tout |todo |tutto |wszystko |alt |allt )?(?:together |zusammen )?(?:in |en )?(?:lower ?case|small letters|upper ?case|capital letters|capitals|one word|single word|no spaces?|with(?:out)? (?:the )?spaces?(?: between)?|kleingeschrieben|klein geschrieben|kleinbuchstaben|klein\b|zusammengeschrieben|ohne leerzeichen|mit leerzeichen|minuscules?|en majuscules|sans espaces?|min[uú]sculas?|sin espacios|minuscolo|minuscole|senza spazi|min[uú]sculas|sem espaços|kleine letters|zonder spaties|små bokstäver|små bokstaver|små bogstaver|małymi literami|bez spacji|malými písmeny|pienillä|kisbetűvel|строчными|маленькими|без пробелов|με μικρά)/giu
const MAY_SAY = new AnyCase(
  `${SAID.source.replace(/\(\?<\w+>/g, '(?:')}|${QUOTED.source.replace(/\(\?<\w+>/g, '(?:')}|${WRITTEN.source}`,
)

/** `Byter du lösenord: …`: how one gets another one follows. */
const CHANGED =
  /(?<![\p{L}])(?:chang(?:e|es|ed|ing)|reset(?:s|ting)?|forg[eo]t(?:ten)?|updat(?:e|ing)|renew|recover|wechsel\p{L}*|änder\p{L}*|vergess\p{L}*|zurücksetz\p{L}*|chang(?:er|ez|é)|modifi\p{L}+|réinitialis\p{L}+|oubli\p{L}*|cambi\p{L}+|restablec\p{L}+|olvid\p{L}+|alter(?:ar|e|ação)|mud(?:ar|e|ança)|redefin\p{L}+|esquec\p{L}+|modific\p{L}+|reimpost\p{L}+|dimentic\p{L}+|schimb\p{L}*|uitat|wijzig\p{L}*|verander\p{L}*|vergeten|byt(?:a|er|t|te)?|ändra\p{L}*|glöm\p{L}*|skift\p{L}*|ændr\p{L}+|glem\p{L}*|endr\p{L}+|vaihd\p{L}*|vaihta\p{L}*|unohd\p{L}*|unohtu\p{L}*|muut\p{L}+|zmie\p{L}+|zmian\p{L}|zapomn\p{L}+|změn\p{L}*|zmen\p{L}*|zabud\p{L}*|promij?en\p{L}*|zaborav\p{L}*|spremen\p{L}*|módos\p{L}*|változt\p{L}*|elfelej\p{L}*|değiş\p{L}*|unut\p{L}*|смен\p{L}*|измен\p{L}*|забы\p{L}*|зміни\p{L}*|промен\p{L}*|забрав\p{L}*|αλλα\p{L}*|ξεχ\p{L}*|mengubah|ubah|ganti|mengganti|lupa|đổi|quên)(?: \p{L}{1,12}){0,4}\s?$/iu
/** What one does in a program. */
const IN_PROGRAM =
  /^(?:open|go|tap|click|choose|select|visit|follow|contact|see|use|öppna|gå|välj|klicka|tryck|åbn|gå|vælg|klik|tryk|åpne|velg|klikk|trykk|öffne\p{L}*|gehe\p{L}*|wähle\p{L}*|klicke\p{L}*|tippe\p{L}*|ouvr(?:ez|ir|e)|allez|aller|choisis\p{L}*|cliqu\p{L}+|appuy\p{L}+|abr(?:a|e|ir)|vaya|ve|vá|elij\p{L}+|seleccion\p{L}+|selecion\p{L}+|escolh\p{L}+|pulse|toque|haga|clique|apri(?:re|te)?|vai|vada|scegli\p{L}*|selezion\p{L}+|tocca|deschide\p{L}*|alege\p{L}*|ga|kies|klik|tik|avaa|valitse|siirry|napsauta|ava|vali|mine|otwórz|wejdź|przejdź|wybierz|kliknij|dotknij|otevř\p{L}+|otvor\p{L}*|přejd\p{L}+|vyber\p{L}*|zvol\p{L}*|klikn\p{L}+|ťukn\p{L}+|odaber\p{L}+|izaber\p{L}+|odpri\p{L}*|izber\p{L}+|nyissa|válassz\p{L}*|kattints\p{L}*|koppints\p{L}*|açın|gidin|seçin|tıklayın|dokunun|откро\p{L}+|перейд\p{L}+|выбер\p{L}+|нажм\p{L}+|відкри\p{L}+|перейд\p{L}+|вибер\p{L}+|отвор\p{L}+|избер\p{L}+|ανοίξ\p{L}+|επιλέξ\p{L}+|buka|pilih|ketuk|klik|mở|chọn|nhấn)(?: |$)/iu

/** `för kort`: what a password is. */
const TOO =
  /^(?:too|zu|trop|demasiado|troppo|muito|demasiado|massa|prea|te|för|for|altfor|alltför|liian|liiga|pārāk|per|za|zbyt|příliš|príliš|pre|preveč|túl|çok|terlalu|quá|слишком|занадто|надто|твърде|прекалено|πολύ|יותר) \p{L}+$/iu

/** `changed yesterday`: what became of it. */
const BECAME = new AnyCase(
  String.raw`^(?:changed|reset|updated|renewed|rotated|revoked|replaced|sent|stored|saved|lost|leaked|expired|ge[äa]ndert|zur[üu]ckgesetzt|erneuert|verschickt|gespeichert|abgelaufen|modifié|changé|réinitialisé|renouvelé|envoyé|expiré|cambiad[ao]|modificad[ao]|restablecid[ao]|renovad[ao]|enviad[ao]|alterad[ao]|trocad[ao]|redefinid[ao]|cambiat[ao]|modificat[ao]|reimpostat[ao]|rinnovat[ao]|inviat[ao]|schimbat[ăa]?|gewijzigd|veranderd|verstuurd|vernieuwd|ændret|endret|ändrat|bytt|skiftet|sendt|skickat|vaihdettu|muudetud|zmieni\p{L}+|wysłan\p{L}|změněn\p{L}|zmenen\p{L}|promijenjen\p{L}|spremenjen\p{L}|измен\p{L}+|сменён\p{L}*|сменен\p{L}*|змінен\p{L}*|değiştirildi|diubah|diganti) `,
)

const isPhraseSaid = (phrase: string): boolean => {
  const words = phrase.split(/\s+/)
  return (
    words.length > 1 &&
    words.length < 8 &&
    !NO_BEGINNING.test(words[0]!) &&
    !NO_PHRASE.test(phrase) &&
    !TOO.test(phrase) &&
    !BECAME.test(phrase) &&
    !IN_PROGRAM.test(phrase) &&
    !NAMES_PASSWORD.test(phrase) &&
    !describesField(phrase) &&
    !/^[\p{N} .,:-]+$/u.test(phrase) &&
    !isPlaceholder(phrase)
  )
}

const phrasesIn = (text: string, report: Report): void => {
  for (const match of text.matchAll(SAID)) {
    const { quoted, plain } = match.groups!
    const phrase = quoted ?? plain!
    const from = match.index + match[0].lastIndexOf(phrase)
    if (quoted === undefined ? !isPhraseSaid(phrase) : !isQuotedPhrase(phrase)) continue
    if (quoted === undefined && CHANGED.test(text.slice(Math.max(0, match.index - 60), match.index))) continue
    if (ACCESS.test(around(text, from, from + phrase.length))) report(phrase, from)
  }
  for (const match of text.matchAll(QUOTED)) {
    const phrase = match.groups!['quoted']!
    if (isQuotedPhrase(phrase) && phrase.includes(' ')) report(phrase, match.index + match[0].lastIndexOf(phrase))
  }
  for (const { index } of text.matchAll(WRITTEN)) {
    const front = text.slice(Math.max(0, index - 70), index)
    const phrase =
      /(?:^|[,:;.\n"“„«(—–]\s?|(?<![\p{L}])(?:is|are|with|say|it's|ist|mit|est|avec|es|con|è|is|met|med|er|är|to|jest|je|это)\s)(?<phrase>[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*(?:[ -][\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*){0,6})["”“»]?$/iu.exec(
        front,
      )?.groups?.['phrase']
    if (phrase === undefined || phrase.length < 5 || NO_BEGINNING.test(phrase.split(' ')[0]!) || NO_PHRASE.test(phrase))
      continue
    const from = index - front.length + front.lastIndexOf(phrase)
    if (
      ACCESS.test(around(text, from, index + 1).replace(WRITTEN, ' ')) ||
      OPEN_WITH.test(front + text.slice(Math.max(0, index - 200), index))
    )
      report(phrase, from)
  }
}

const OPEN_WITH =
  /(?<![\p{L}])(?:open|opens|opened|öffne\p{L}*|ouvr\p{L}+|abr\p{L}+|apr\p{L}+)\s(?:it|up|es|la|lo)?\s?(?:with|mit|avec|con|com)(?![\p{L}])/iu

const isQuotedPhrase = (phrase: string): boolean =>
  !GREETING.test(phrase) &&
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ,'’!?-]*\p{L}{3}[\p{L}\p{M}\p{N} ,'’!?.-]*$/u.test(phrase) &&
  !/\b(?:password|passphrase|token|certificate|credentials?|invalid|error|failed|mode|sso|oauth|api|key|e-?mail|success|yes|no|ok|required|username|user)\b|[{}<>=]|^\p{L}+$|^(?:sign|log) ?(?:in|up|out)\b/iu.test(
    phrase,
  ) &&
  !isPlaceholder(phrase)

// Dictated.

const ALPHABET =
  'alpha|alfa|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whisk(?:e)?y|x-?ray|yankee|zulu|anton|berta|cäsar|dora|emil|friedrich|gustav|heinrich|ida|julius|kaufmann|ludwig|martha|nordpol|otto|quelle|richard|samuel|siegfried|theodor|ulrich|viktor|wilhelm|xanthippe|ypsilon|zeppelin'
const NUMBERS =
  'ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|zero|one|two|three|four|five|six|seven|eight|nine|niner|null|eins|zwo|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zéro|deux|trois|quatre|cinq|sept|huit|neuf|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|due|tre|quattro|cinque|sei|sette|otto|nove|um|dois|três|quatro|sete|oito|nul|een|twee|drie|vijf|zes|zeven|negen|nolla|noll|ett|två|fyra|fem|sex|sju|åtta|nio|fire|syv|otte|ni|jeden|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|ноль|один|два|три|четыре|пять|шесть|семь|восемь|девять'
const JOINERS =
  'capital|upper ?case|lower ?case|small|double|triple|dash|hyphen|underscore|dot|space|hash|star|exclamation mark|bindestrich|punkt|tiret|majuscule|guion|trattino'
const SPELLED = new AnyCase(
  `(?<![\\p{L}])(?:${ALPHABET}|${NUMBERS})[ ,.-]{1,3}(?:(?:${JOINERS}) )?(?:${ALPHABET}|${NUMBERS}|\\p{L}(?![\\p{L}]))|(?<![\\p{L}\\p{N}])\\p{L}[- ][\\p{L}\\p{N}][- ][\\p{L}\\p{N}][- ][\\p{L}\\p{N}](?![\\p{L}\\p{N}])`,
)
const DICTATED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:(?:${JOINERS}) )?(?:${ALPHABET}|${NUMBERS}|[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])(?:[,.]? |-|, ?)){2,24}(?:${ALPHABET}|${NUMBERS}|[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])(?<more> \\p{Ll}{4,14}(?=\\s?(?:[.!,;\\n]|$)))?`,
  'giu',
)
const NAMED_LETTER = new RegExp(`(?<![\\p{L}])(?:${ALPHABET})(?![\\p{L}])`, 'giu')
const NAMED_DIGIT = new RegExp(`(?<![\\p{L}])(?:${NUMBERS})(?![\\p{L}])`, 'giu')
const SPELLS =
  /spell|letter by letter|dictat|buchstabier|épel|deletre|sillab|soletr|bokstaver|literuj|hláskuj|betűz|по буквам|διαβάζω/iu

const dictatedIn = (text: string, report: Report): void => {
  for (const { 0: run, index } of text.matchAll(DICTATED)) {
    const letters = run.match(NAMED_LETTER)?.length ?? 0
    const digits = run.match(NAMED_DIGIT)?.length ?? 0
    const pieces = run.split(/[\s,.-]+/).length
    const context = around(text, index, index + run.length)
    const told = ACCESS.test(context)
    if (letters + digits < 3) {
      // `h-e-r-o-n-4`
      if (pieces > 4 && SPELLS.test(context) && !/^(?:[\p{L}] ){1,2}[\p{L}]$/u.test(run)) report(run, index, !told)
      continue
    }
    if (told || SPELLS.test(context)) report(run, index, !(letters > 0 || digits > 3 || pieces > 3))
    else if (letters > 2 && pieces > 3) report(run, index, true)
  }
}

// Combinations.

const LOCK =
  /(?<![\p{L}])(?:combination|combo\b|locks?\b|padlock|safe\b|vault|cabinet|locker|keypad|key ?(?:box|safe)|turn (?:it )?(?:to the )?(?:left|right)|doors?\b|gates?\b|strongbox|tresor|schloss|schlie(?:ß|ss)fach|zahlenschloss|kombination|t[uü]r\b|tor\b|cadenas|coffre|porte\b|portail|combinaison|candado|caja fuerte|combinaci[oó]n|puerta|lucchetto|cassaforte|combinazione|cadeado|cofre|kluis|hangslot|cijferslot|deur\b|kassask[aå]p|kodlås|lås\b|dør|dörr|sejf|k[łl][óo]dk|zamek|trezor|z[aá]mek|sz[eé]f|lakat|kasa\b|kilit|сейф|замок|двер|ворот|χρηματοκ|λουκέτο)|保险|金庫|금고/iu
const TURNED =
  /combination|combo\b|turn (?:it )?(?:to the )?(?:left|right)|lock\b|locks\b|schloss|kombination|cadenas|combin|candado|lucchetto|cadeado|hangslot|slot\b|lås|zam[eko]|z[aá]mek|lakat|kilit|замок|λουκέτο/iu
const KEYED =
  /(?<![\p{L}])(?:keypad|doors?\b|gates?\b|alarm|garage|entrance|lock|panel|intercom|bridge|conference|dial|phone|voice ?mail|voice prompts?|extension|host|join|meeting|pin\b|t[uü]r\b|tor\b|alarmanlage|einwahl|anrufbeantworter|mailbox|digicode|portail|porte\b|alarme|clavier|puerta|teclado|alarma|tastier|cancello|allarme|deur|poort|alarm|dør|dörr|ovi|drzwi|domofon|dve[rř]|kapu|ajt[oó]|двер|домофон|кноп|kap[ıi])/iu
const KEYS =
  /(?<![\p{L}\p{N}.,:/$€£#-])(?:[*#]?(?:\d{3,10}|\d{1,4}(?:[ -]\d{1,4}){1,4})[#*]|\d{2,6}[#*]\d{2,6}[#*]?)(?![\p{L}\p{N}#*])/gu
const PRESSED = /press|enter|dial|hit|type|punch|tap|key|drück|tipp|compos|marc|digit|tast|wciś|нажм|набер|按/iu
const GROUPS = /(?<![\p{L}\p{N}.,:/$€£+-])\d{1,2}(?:\s?[-–]\s?\d{1,2}){2,4}(?![\p{L}\p{N}-]|[.:/]\d)/gu
const NOT_DATED =
  /(?:\b(?:on|since|until|from|by|born|dated|am|seit|vom|le|du|el|il|dal|op|den|dnia|от|с)|[\p{N}-]{4,10})\s$/iu

const combinationsIn = (text: string, report: Report): void => {
  if (/[#*]/.test(text))
    for (const { 0: keys, index } of text.matchAll(KEYS)) {
      // `*2024*` is emphasis, `2500*` a footnote.
      const starred = keys.endsWith('*')
      if (starred && (keys.startsWith('*') || !PRESSED.test(text.slice(Math.max(0, index - 40), index)))) continue
      if (KEYED.test(around(text, index, index + keys.length))) report(keys, index)
    }
  if (!LOCK.test(text)) return
  for (const { 0: groups, index } of text.matchAll(GROUPS)) {
    const context = around(text, index, index + groups.length)
    if (!LOCK.test(context) || NOT_DATED.test(text.slice(Math.max(0, index - 14), index))) continue
    const count = groups.split(/[-–]/).length
    // `4-2-3-1`: how a team plays.
    if (!/\d\d/.test(groups)) continue
    if (count > 3 || TURNED.test(context)) report(groups.trim(), index)
    else report(groups.trim(), index, true)
  }
}

// Answers to security questions.

const ASKED =
  "(?:mother'?s?|maternal|mum'?s|wife'?s)[ _-]?maiden(?:[ _-]?name)?|maiden[ _-]?name|(?:first|childhood|favou?rite|family)[ _-]?pet(?:'?s)?(?:[ _-]?name)?|name of (?:your |the |my )?first (?:pet|school|teacher|dog|cat)|first[ _-](?:school|teacher|car|dog|cat)|(?:favou?rite|best)[ _-](?:teacher|book|film|movie|colou?r|food)|(?:street|house|town) (?:you|i|he|she) grew up(?: (?:in|on))?|(?:city|town|place) of birth|born in which city|childhood (?:nickname|friend|hero)|memorable (?:word|name|place|date)|" +
  'geburtsname (?:der|ihrer|deiner) mutter|mädchenname(?: (?:der|ihrer|deiner) mutter)?|(?:erstes|ihr erstes|dein erstes|name (?:des|ihres|deines) ersten) haustier(?:s|es)?|nom de jeune fille(?: de (?:votre|ta|la|ma) mère)?|premier animal(?: de compagnie)?|apellido de soltera(?: de (?:su|tu|la) madre)?|primera mascota|cognome da nubile(?: di tua madre)?|primo animale|meisjesnaam(?: van (?:je|uw) moeder)?|eerste huisdier|nazwisko panieńskie(?: matki)?|девичья фамилия(?: матери)?|кличка (?:первого )?питомца'
const QUESTION = new RegExp(ASKED, 'iu')
/** A text that asks such a question. */
export const isSecurityQuestion = (text: string): boolean =>
  text.length < 200 &&
  (QUESTION.test(text) ||
    /^(?:maiden|pet|mother|mmn)$|(?:security|secret) question|sicherheitsfrage|question (?:secrète|de sécurité)|pregunta (?:secreta|de seguridad)|domanda (?:segreta|di sicurezza)|секретный вопрос/iu.test(
      text,
    ))

const ANSWERED = new RegExp(
  `(?:${ASKED})["'’”]?\\s?(?:\\?\\s?(?:["'”]?\\s?[-–—:,]?\\s?(?:a(?:nswer)?|antwort|réponse|respuesta|risposta|antwoord|ответ)?\\s?[:=]?\\s?)?|[:=→–—]\\s?|(?:is|was|ist|war|lautet|est|était|es|era|è|jest|—)\\s)(?:answered |replied |said )?["'“„«]?(?<answer>\\p{Lu}[\\p{L}\\p{M}'’-]{2,24}(?: (?:(?:von|van|de|der|den|del|la|le|du|di|af|av|zu) ){0,2}\\p{Lu}[\\p{L}\\p{M}'’-]{1,24}){0,3})`,
  'giu',
)

const answersIn = (text: string, report: Report): void => {
  for (const match of text.matchAll(ANSWERED)) {
    const answer = match.groups!['answer']!
    if (
      !/^\p{Lu}/u.test(answer) ||
      /^(?:The|A|An|This|That|What|Your|My|Is|It|Not|None|Required|String|Answer|Question|Please|Unknown|Invalid|Wrong|Correct)\b/i.test(
        answer,
      )
    )
      continue
    report(answer, match.index + match[0].lastIndexOf(answer))
  }
}
