/**
 * Words that let somebody pass, by the form of the sentence in some 20 languages: what is quoted beside a verb of saying if
 * somebody is in danger, is handed over, let in or has to prove who they are; `mine's …` behind a question for a word; the
 * right answer for internal use; what answers a question of what to type.
 */
import { asksDiscretion, asksToDestroy } from './discretion-words.ts'
import { odd } from './confided-secrets.ts'
import { ENTERING, plainLetters, saysToKeep } from './entry-words.ts'
import { describesField } from './field-descriptions.ts'
import type { FoundInText } from './found-in-text.ts'
import { GREETING } from './greetings.ts'
import { isProgramLine } from './handed-over.ts'
import { isPlace, isPlaceholder } from './heuristics.ts'

const RULE = 'context:prose'
/** Longer texts are documents. */
const LONGEST = 12_000
const AROUND = 220
const MOST = 40

const word = (words: string): string => `(?<!\\p{L})(?:${words.split(' ').join('|')})(?!\\p{L})`

/** In plain letters. */
const SAYS = new RegExp(
  word(
    'say says said saying whisper whispers mention mentions answer answers utter utters sag sage sagt sagst sagen gesagt nennt nennen fluster\\p{L}* dis dit dites dire disent dise prononc\\p{L}* murmur\\p{L}* di diga digan dice dicen dicho decir digas responde dici dica dicono detto dire dissesse disser dito diz dizem dizer diga falar zeg zegt zeggen gezegd noemt sager saga sag sagt sa sig siger sige sagt sier si sagde sagte sano sanoo sanovat powie powiedza powiedz powiedzial\\p{L}* powiedziec mowi rekne reknou rekni rict rekl\\p{L}* povie povedia povedat kaze kazu reci rekne rekao mond mondja mondjak mondta mondani soyle\\p{L}* diyen derse bilang menyebut mengucap\\p{L}* mengatakan скаж\\p{L}* сказа\\p{L}* назов\\p{L}* произн\\p{L}* говор\\p{L}* каже кажут\\p{L}* казал\\p{L}* πει πουν λεει πεις πες spune spun spuna zice zica spus',
  ),
  'u',
)
const SAYS_UNSPACED =
  /^[」』”"]?と(?:言|い|答|告|ささや|囁)|^[」』”"]?(?:이?라고|하고) ?(?:말|답|하면)|(?:说|說|喊|答|讲|講)(?:出)?[:：]?$/u
/** Somebody is forced or threatened. In plain letters. */
const DANGER =
  /(?<!\p{L})(?:duress|threaten\p{L}*|forced|forcing|held up|hostage|robbed|robbery|bedroht|bedrohung|gezwungen|zwingt|uberfall\p{L}*|uberfallen|menac\p{L}*|contrainte|forcent|oblige\p{L}*|braquage|obligan|amenaz\p{L}*|coaccion\p{L}*|atraco|minacci\p{L}*|costring\p{L}*|costrett\p{L}*|rapina|ameac\p{L}*|coag\p{L}*|assalto|bedreig\p{L}*|gedwongen|dwang|overval\p{L}*|hot|hotad|hotar|tvingad?|tvinger|rån|truet|truer|tvunget|uhk\p{L}*|uhat\p{L}*|pakot\p{L}*|zagroz\p{L}*|zmusz\p{L}*|napad\p{L}*|grozi|hroz\p{L}*|ohrozen\p{L}*|nut[ií]|prepaden\p{L}*|prijet\p{L}*|prisil\p{L}*|fenyeget\p{L}*|kenyszer\p{L}*|tehdit\p{L}*|zorla\p{L}*|soygun|ancam\p{L}*|paksa\p{L}*|угро\p{L}*|заставля\p{L}*|принужд\p{L}*|ограблен\p{L}*|погрож\p{L}*|змушу\p{L}*|заплаш\p{L}*|απειλ\p{L}*|αναγκαζ\p{L}*|ληστ\p{L}*)(?!\p{L})|脅|強要|胁迫|威胁|劫持|협박|강요|위협/u
/** Help that comes then. In plain letters. */
const HELP =
  /(?<!\p{L})(?:police|help|quietly|silently|alarm|polizei|hilfe|leise|secours|aide|discretement|sans bruit|silenc\p{L}*|policia|ayuda|polizia|aiuto|ajuda|politie|hulp|polis\p{L}*|hjalp|hjælp|politi\p{L}*|apu\p{L}*|policj\p{L}*|pomoc|cicho|policie|policii|potichu|polici\p{L}*|rendor\p{L}*|segitseg|yardim|polisi|bantuan|полици\p{L}*|помощь|тихо|поліці\p{L}*|допомог\p{L}*|αστυνομ\p{L}*|βοηθει\p{L}*)(?!\p{L})|警察|助け|报警|경찰/u
/** Only to those who say it. In plain letters. */
const ONLY =
  /(?<!\p{L})(?:only|nobody but|no one but|none but|nur|niemand\p{L}* ausser|erst|seulement|uniquement|n(?:e |['’])\p{L}+(?: \p{L}+){0,2} qu['’ea]\p{L}*|laisse passer que|que (?:ceux|celui|celle|si)|solo|unicamente|so|somente|apenas|soltanto|solamente|alleen|enkel|bara|endast|kun|bare|vain|tylko|jedynie|jen|jenom|pouze|len|iba|samo|csak|sadece|yalniz\p{L}*|hanya|cuma|только|лише|тильки|само|μονο|doar|numai)(?!\p{L})|だけ|しか|只|만/u
/** Somebody is let in, or handed over. In plain letters. */
const PASSES =
  /(?<!\p{L})(?:lets?|letting|admit\p{L}*|release\p{L}*|hand\p{L}* (?:\p{L}+ )?(?:over|out|to)|pick\p{L}* up|let through|through|gebt|geben|gib|mitgeben|mit|herausgeb\p{L}*|aushandig\p{L}*|(?:rein|hinein|herein|durch)\p{L}*|lassen|lasst|laisse\p{L}*|laisser|remet\p{L}*|confi\p{L}*|entrer|passer|entreg\p{L}*|deja\p{L}*|dejen|pasar|entrar|recog\p{L}*|consegn\p{L}*|lascia\p{L}*|affid\p{L}*|entrare|passare|deix\p{L}*|passar|laat|laten|geef|meegeven|erdoor|binnen|slapp\p{L}*|slipp\p{L}*|lamna|utlever\p{L}*|udlever\p{L}*|lukk\p{L}*|paasta\p{L}*|luovut\p{L}*|wpuszcza\p{L}*|przepuszcza\p{L}*|wpusc\p{L}*|wyda\p{L}*|oddaj\p{L}*|oddac|pous\p{L}*|pust\p{L}*|vydej\p{L}*|vydat|vpust\p{L}*|pustaj\p{L}*|predaj\p{L}*|enged\p{L}*|beenged\p{L}*|kiad\p{L}*|gec\p{L}*|birak\p{L}*|teslim|masuk|lewat|serahkan|впуска\p{L}*|пропуска\p{L}*|пуска\p{L}*|отда\p{L}*|выда\p{L}*|видава\p{L}*|віддава\p{L}*|пуща\p{L}*|αφην\p{L}*|παραδ\p{L}*|pred\p{L}*|lasa\p{L}*|lasam|treac\p{L}*)(?!\p{L})|通し|入れて|通れ|让|放|進|들여보|통과/u
/** Somebody proves who they are. In plain letters. */
const PROVES =
  /(?<!\p{L})(?:prov(?:e|es|ed|ing)|identif\p{L}*|verif\p{L}*|ausweis\p{L}*|auszuweisen|beweis\p{L}*|prouv\p{L}*|prob\p{L}*|demostr\p{L}*|acredit\p{L}*|provar\p{L}*|comprov\p{L}*|prova\p{L}*|dimostr\p{L}*|bewij\p{L}*|bevis\p{L}*|legitimer\p{L}*|todist\p{L}*|udowodni\p{L}*|potwierdzi\p{L}*|proka\p{L}*|dokaz\p{L}*|igazol\p{L}*|bizonyit\p{L}*|kanitla\p{L}*|membuktikan|доказ\p{L}*|подтверд\p{L}*|довес\p{L}*|підтверд\p{L}*|αποδει\p{L}*|dovedi\p{L}*|dovedeasca)(?!\p{L})|本人|证明|證明|증명/u

const isKept = (plain: string): boolean => saysToKeep(plain) || asksDiscretion(plain)
const QUOTED =
  /(?:[“„«‘「『"]\s?|(?<![\p{L}\p{N}])')(?<said>\p{L}[^"“”„«»‘’'「」『』\n<>{}=|\\/]{1,70}(?:'[^"“”„«»‘’'「」『』\n<>{}=|\\/]{1,50})??)(?:\s?[”“»」』"]|['’](?!\p{L}))/gu
/** What programs and prompts say. In plain letters. */
const OF_PROGRAM =
  /(?<!\p{L})(?:user|users|assistant|model|llm|prompt|json|api|endpoint|function|command line|click|button|browser|nutzer|utilisateur\p{L}*|usuario\p{L}*|utente|пользовател\p{L}*)(?!\p{L})|用户|ユーザー/u

export const passingWordsIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 12) return
  const report = (from: number, value: string, doubtful = false): void => {
    if (value.trim().length > 2 && !isPlaceholder(value) && !isPlace(value) && !describesField(value))
      found({ from, to: from + value.length, rule: RULE, ...(doubtful ? { doubtful: true as const } : {}) })
  }
  quotedIn(text, report)
  ownIn(text, report)
  answersIn(text, report)
  repliesIn(text, report)
}

type Report = (from: number, value: string, doubtful?: boolean) => void

const quotedIn = (text: string, report: Report): void => {
  let count = 0
  for (const { 0: all, index, groups } of text.matchAll(QUOTED)) {
    if (++count > MOST) return
    const said = groups!['said']!.trimEnd()
    if (said.split(/\s+/).length > 8 || GREETING.test(said)) continue
    const from = index + all.indexOf(said)
    const end = index + all.length
    const front = plainLetters(text.slice(Math.max(0, index - 48), index))
      .split(/[.!?;](?:\s|$)/)
      .at(-1)!
    const back = text.slice(end, end + 24)
    const says =
      SAYS.test(front) ||
      SAYS.test(plainLetters(back).split(/[.!?;,](?:\s|$)/, 1)[0]!) ||
      SAYS_UNSPACED.test(back) ||
      SAYS_UNSPACED.test(front)
    if (!says) continue
    const begin = text.lastIndexOf('\n', index) + 1
    if (isProgramLine(text.slice(begin, begin + 300).split('\n', 1)[0]!)) continue
    const window = plainLetters(`${text.slice(Math.max(0, index - AROUND), index)} ${text.slice(end, end + AROUND)}`)
    if (OF_PROGRAM.test(window)) continue
    const kept = isKept(window)
    const danger = DANGER.test(window)
    const passes = ONLY.test(window) && PASSES.test(window)
    if ((danger && (kept || HELP.test(window))) || (kept && (passes || PROVES.test(window) || PASSES_IF.test(window))))
      report(from, said)
    else if (danger || (passes && GIVEN.test(window))) report(from, said, !(passes && /\s/.test(said)))
    else if (passes && PROVES.test(window)) report(from, said, true)
  }
}
/** Whoever says so gets in, without a word for `only`. */
const PASSES_IF = /通して|入れて|通れ|入れる|就(?:让|放|能|可以)|들여보|통과|들어/u
/** A child, or a parcel, that not everybody gets. In plain letters. */
const GIVEN =
  /(?<!\p{L})(?:release|hand|hands|pick(?:s|ed)? up|gebt|gib|mitgeben|mit dem|remet\p{L}*|confi\p{L}*|entreg\p{L}*|consegn\p{L}*|affid\p{L}*|meegeven|geef|lamna|utlever\p{L}*|udlever\p{L}*|luovut\p{L}*|wyda\p{L}*|oddaj\p{L}*|vydej\p{L}*|vydat|predaj\p{L}*|kiad\p{L}*|teslim|serahkan|отда\p{L}*|выда\p{L}*|віддава\p{L}*|παραδ\p{L}*)(?!\p{L})/u

const OWN = new RegExp(
  `(?<!\\p{L})(?:mine(?:['’]s| is)|ours is|meins (?:ist|lautet|heißt)|meine ist|unser(?:e|es) ist|le mien,? (?:c['’]est|est)|la mienne,? (?:c['’]est|est)|le nôtre (?:c['’]est|est)|el mío es|la mía es|la nuestra es|el nuestro es|il mio è|la mia è|la nostra è|il nostro è|o meu é|a minha é|a nossa é|o nosso é|de mijne is|die van mij is|het mijne is|mitt är|min är|mit er|min er|minun on|moje to|moim jest|moja to|moje je|mé je|moja je|az enyém|benimki|моё|мое|мой|моя|моє|моето е|το δικό μου είναι|al meu e(?:ste)?)[ :–—-]{1,3}["“„«']?(?<own>\\p{L}[\\p{L}\\p{M}\\p{N}'’-]{3,24}(?: \\p{L}[\\p{L}\\p{M}\\p{N}'’-]{2,20}){0,2})["”“»']?(?=\\s?(?:[.,;:!?()\\n–—]|$))`,
  'giu',
)
/** What somebody asks for. In plain letters. */
const WORD_ASKED =
  /(?<!\p{L})(?:memorable|pass ?word|pass ?phrase|code ?word|safe ?word|secret word|(?:for|the|a|my|our|your) words?|magic word|merkwort|kennwort|losungswort|codewort|passwort|losung|wort|mot|palabra|contrasen\p{L}*|parola|palavra|senha|woord|wachtwoord|ordet|kodeord|losenord\p{L}*|tunnussana|sana|has[lł]o|has[lł]a|s[lł]owo|heslo|slovo|lozink\p{L}*|rijec|jelszo\p{L}*|szo|sifre\p{L}*|kelime\p{L}*|слов\p{L}*|пароль|пароля|дума|λεξη|cuvant\p{L}*)(?!\p{L})/u

const ownIn = (text: string, report: Report): void => {
  let count = 0
  for (const { 0: all, index, groups } of text.matchAll(OWN)) {
    if (++count > MOST) return
    const own = groups!['own']!
    const front = plainLetters(text.slice(Math.max(0, index - 120), index))
    if (!WORD_ASKED.test(front)) continue
    const window = `${front} ${plainLetters(text.slice(index + all.length, index + all.length + AROUND))}`
    report(index + all.lastIndexOf(own), own, !(isKept(window) && (!/\s/.test(own) || odd(own) > 0)))
  }
}

const ANSWER = new RegExp(
  `(?<!\\p{L})(?:(?:right|correct|expected|proper|agreed|valid|secret) (?:answer|reply|response|word|phrase)|(?:richtige|korrekte|vereinbarte|erwartete) (?:antwort|losung)|(?:bonne|juste|vraie) r[ée]ponse|r[ée]ponse (?:correcte|convenue|attendue)|respuesta (?:correcta|acordada|esperada|v[áa]lida)|risposta (?:giusta|corretta|esatta|concordata)|resposta (?:certa|correta|combinada)|(?:juiste|goede|afgesproken) antwoord|r[äa]tta svaret|rätt svar|rigtige svar|riktige svaret|oikea vastaus|(?:w[łl]a[śs]ciwa|poprawna|prawid[łl]owa|uzgodniona) odpowied[źz]|spr[áa]vn[áa] odpov[ěe][dď]|(?:ta[čc]an|ispravan|pravilen|pravi) odgovor|helyes v[áa]lasz|do[ğg]ru cevap|jawaban (?:yang )?benar|правильн\\p{L}+ (?:ответ|відповідь)|верн\\p{L}+ ответ|σωστή απάντηση|r[ăa]spunsul corect)(?!\\p{L})[^.!?\\n"“„«'‘]{0,48}?["“„«'‘]\\s?(?<answer>[\\p{L}\\p{N}][^"“”„«»'’‘\\n]{2,60}?)\\s?["”“»'’]`,
  'giu',
)
const INSIDE =
  '(?:internal\\p{L}*|intern|interne\\p{L}*|interno|interna|internt|sisai\\p{L}*|wewnetrzn\\p{L}*|intern[ií]\\p{L}*|belso|dahili|внутренн\\p{L}*|внутришн\\p{L}*|служебн\\p{L}*|εσωτερικ\\p{L}*)'
const FOR_ONLY =
  '(?:only|use|eyes|for|nur|gebrauch|verwendung|usage|seulement|solo|uso|uniquement|gebruik|alleen|bruk|brug|kun|endast|bara|kaytto\\p{L}*|vain|wy[lł]acznie|tylko|uzytk\\p{L}*|pouze|jen|pouzit\\p{L}*|len|samo|uporab\\p{L}*|csak|hasznalat\\p{L}*|kullanim\\p{L}*|только|лише|использован\\p{L}*|користуван\\p{L}*|пользован\\p{L}*|χρηση)'
/** Only for those inside. In plain letters. */
const INTERNAL = new RegExp(
  `(?<!\\p{L})(?:${INSIDE}[ :,]{1,2}(?:\\p{L}{1,4} )?${FOR_ONLY}|${FOR_ONLY} (?:\\p{L}{1,4} )?${INSIDE}|staff only|eyes only|confidential|vertraulich|confidentiel\\p{L}*|confidencial\\p{L}*|riservat\\p{L}*|vertrouwelijk|fortrolig\\p{L}*|konfidentiell\\p{L}*|luottamuksell\\p{L}*|poufn\\p{L}*|duvern\\p{L}*|povjerljiv\\p{L}*|bizalmas|gizli|rahasia|конфиденциальн\\p{L}*)(?!\\p{L})|社内|内部|내부`,
  'u',
)

const answersIn = (text: string, report: Report): void => {
  let count = 0
  for (const { 0: all, index, groups } of text.matchAll(ANSWER)) {
    if (++count > MOST) return
    const answer = groups!['answer']!
    const to = index + all.length
    const window = plainLetters(`${text.slice(Math.max(0, index - AROUND), index)} ${text.slice(to, to + AROUND)}`)
    if (!INTERNAL.test(window) && !isKept(window)) continue
    report(index + all.lastIndexOf(answer), answer, answer.length < 5)
  }
}

/** A question of what to type, and nothing but a word or a few in the next line. */
const repliesIn = (text: string, report: Report): void => {
  let asked = false
  let count = 0
  for (const { 0: line, index } of text.matchAll(/[^\r\n]{2,200}/g)) {
    const value = line.trim()
    if (asked && /^[^\s?？]{5,48}$/u.test(value) && !/[:.,]$/.test(value)) {
      const behind = plainLetters(text.slice(index + line.length, index + line.length + 200))
      const oddness = odd(value)
      if (oddness > 0 || /^\p{L}+(?:-\p{L}+){2,6}$/u.test(value))
        report(index + line.indexOf(value), value, !(asksToDestroy(behind) || isKept(behind) || oddness > 1))
    }
    if (++count > 400) return
    const plain = plainLetters(line)
    // `from`, `text`: the names of members between two messages.
    if (!(asked && /^[a-z_]{2,12}$/.test(value)) && !(asked && /^\p{L}{2,12}$/u.test(value)))
      asked = /[?？]\s*["”»]?\s*$/.test(value) && (ENTERING.in(plain) || PUTS.test(plain)) && ASKS.test(plain)
  }
}
const PUTS =
  /(?<!\p{L})(?:put|pongo|pone|mets|met|metto|ponho|setze|skriver|wpisac|piszemy|zadat|zadam|пишу|вводить)(?!\p{L})/u
/** A machine asks for it. In plain letters. */
const ASKS =
  /(?<!\p{L})(?:asks?|prompts?|wants|nas|router|server|kiosk|tablet\p{L}*|wifi|wi-fi|laptop|vault|door|gate|panel|login|log in|fragt|verlangt|demande|veut|pregunta|pide|chiede|vuole|pergunta|pede|vraagt|wil|fragar|sporger|spor|kysyy|pyta|chce|pta|kerdezi|soruyor|tanya|спрашивает|просит|питає|ρωταει|intreaba)(?!\p{L})/u
