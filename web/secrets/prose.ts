/**
 * Secrets in sentences: `the password is …`, `log in as ada with …`, `door code 4821`, twelve words in a row. Only what
 * looks like a secret, behind words that speak of one.
 */
import { ACCESS } from './access-words.ts'
import { chosenLikeness, isWordsOfPassword } from './chosen-words.ts'
import { OPENED, plainLetters } from './entry-words.ts'
import { describesField } from './field-descriptions.ts'
import { isPlace, isPlaceholder, isRandomKey, looksSecret } from './heuristics.ts'
import { openersIn } from './openers.ts'
import { isOfAddress } from './other-numbers.ts'
import { OTHER_CODES } from './protected-things.ts'
import { isSecretWord, trimmed } from './passwords.ts'
import { confidedIn } from './confided-secrets.ts'
import { confidencesIn } from './confidences.ts'
import { dictatedCodesIn } from './dictated-codes.ts'
import { dictatedSignsIn } from './dictated-signs.ts'
import { enteredPhrasesIn } from './entered-phrases.ts'
import { handedOverIn } from './handed-over.ts'
import { linksIn } from './link-secrets.ts'
import { passingWordsIn } from './passing-words.ts'
import { passwordMessagesIn } from './password-messages.ts'
import { seedWordsIn, wordRowsIn } from './seed-words.ts'
import { passwordsIn } from './sign-in-texts.ts'
import { spokenOfIn } from './spoken-of.ts'
import { spokenIn } from './spoken-secrets.ts'
import { toldIn } from './told-secrets.ts'
import { watchwordsIn } from './watchwords.ts'
import type { FoundInText } from './found-in-text.ts'

const RULE = 'context:prose'

/** Words for a secret that are always followed by it, not by something of that kind. */
const SECRET =
  'pass ?words?|passwd|pwd|pass ?phrases?|pass ?codes?|passwort|kennwort|mot de passe|contrase[nñ]a|senha|wachtwoord|has[lł]o|' +
  'парол[ьяе]|пароля|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|l[oö]senord(?:et)?|passord(?:et)?|adgangskoden?|tunnuslaus\\p{L}{0,4}|κωδικ[όο][ςν]?(?: πρόσβασης)?|contrasenya|contrasinal|slaptažodis|lozinka|лозинка|รหัสผ่าน|رمز عبور|كلمة المرور|סיסמה|parola d.ordine|codice segreto|salasana|[sş]ifre|parola|heslo|' +
  'credentials?|creds|secrets?|secret keys?|api[ -]?keys?|access keys?|(?:access|api|auth|bearer|refresh|session|bot|personal access)[ -]tokens?|' +
  '合言葉|合い言葉|あいことば|暗语|切口|tokens?|private keys?|license keys?|licence keys?|product keys?|activation (?:codes?|keys?)|serial(?: numbers?| keys?)?|' +
  'recovery (?:keys?|codes?)|unlock codes?|master keys?|encryption keys?|psk|pre-shared keys?|wi-?fi keys?|network keys?|deploy keys?|' +
  'schlüssel|clave|clé|chiave|chave'
/** Words for a secret made of digits. */
const DIGITS =
  'pin(?: codes?)?|(?:pin|port|dör|dørs?|port|ovi|tür)[- ]?kod(?:en?|i|e)?|otp|totp|(?:one[- ]time|verification|security|confirmation|login|sign-in|sms|2fa|mfa|access|entry|door|gate|alarm|garage|safe|locker|vault|keypad|building|unlock|disarm|lockbox|voicemail|authenticator)[- ](?:codes?|passwords?|pins?|combinations?)|combination|cvv2?|cvc2?|ssn|social security number|card number|puk|puk code|code pin|pincode|passcode|código|pin-code|' +
  "code d[e’'] ?(?:v[ée]rification|s[ée]curit[ée]|confirmation|connexion|acc[èe]s|validation)|digicode|code secret|(?:best[äa]tigungs|sicherheits|verifizierungs|zugangs|einmal|anmelde|tür|freischalt)-?code|einmalpasswort|c[óo]digo de (?:verificaci[óo]n|seguridad|confirmaci[óo]n|acceso|verifica[çc][ãa]o|seguran[çc]a|acesso)|codice (?:di (?:verifica|sicurezza|conferma|accesso)|otp)|(?:verificatie|beveiligings|toegangs)code|kod (?:weryfikacyjny|dost[ęe]pu|potwierdzaj[ąa]cy)|код (?:подтверждения|доступа|безопасности|для входа|проверки)|код|пин-?код|验证码|驗證碼|校验码|动态码|認証コード|確認コード|暗証番号|ワンタイムパスワード|인증 ?(?:번호|코드)|확인 코드|doğrulama kodu|güvenlik kodu|onay kodu|mã xác (?:minh|thực)|kode verifikasi|verifierings?kod|bekreftelseskode|ov[ěe]ř?ovací kód|κωδικ[όο]ς επαλήθευσης|رمز التحقق|رمز یکبار ?مصرف|קוד אימות"

/** Between the words for a secret and the secret itself. */
const LINK =
  '(?:[)\\]"\'`*]{0,3}(?: (?:for|of|to|on|at|in|from|für|de|del|pour|para|per|von|zum|zur|dla|для|behind)(?: [^\\s:=,;.!?]{1,40}){1,5}?)?(?: ?(?:\\([^()\\n]{0,40}\\)))?' +
  '[ \\t]*(?:(?:is|are|was|were|will be|remains?|has been|set to|changed to|reset to|ist|lautet|war|es|est|era|é|è|är|er|on|jest|to|это|równa się|là|adalah|olarak)(?:(?= )|:)|[:：=]|->|=>|→|—|–|-(?= )|[~～|»⇒➜➔⟶﹕]|>>|:{2}|是|为|為|は|が|を|는|은|이|가)[ \\t]*' +
  '(?:(?:now|still|currently|just|simply|set to|changed to|reset to|always|the following|this|as follows|jetzt|ahora)[:,]? *){0,2}|[ \\t]+(?=["\'`*“‘«「])|[ \\t]+(?=[^\\s]*\\d))'

const QUOTES = '["\'`*“”‘’«»「」„_]{0,3}'
const VALUE = '(?<value>[^\\s"\'`<>“”‘’«»「」,;]{3,300})'

const NAMED = new RegExp(
  // Not within `arn:…:secret:…`.
  `(?<![\\p{L}\\p{N}_-]|\\w:)(?:${SECRET})\\d?(?:(?![\\p{L}\\p{N}_-])|(?=[은는이가을를はがをの是为為]))${LINK}\\s?${QUOTES}(?:(?<=[«„])\\s)?${VALUE}`,
  'giu',
)
const NUMBERED = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${DIGITS})(?:(?![\\p{L}\\p{N}_-])|(?=[은는이가을를はがをの是为為]))(?:${LINK}|[ \\t#]{1,2})\\s?${QUOTES}[[(【]?(?<value>[#*]?\\d(?:[ -]?\\d){2,18}[#*]?|[A-Z0-9]{1,4}-?\\d{3,8})(?![\\w-])`,
  'giu',
)
/** The secret comes first: `use … as the password`. */
const BEFORE = new RegExp(
  `(?<=(?:^|[\\s(])${QUOTES})(?<value>[^\\s"'\`<>“”‘’«»,;]{4,200})${QUOTES}(?: (?:is|as|was|for|being|=) | — | - | \\()(?:(?:the|my|your|our|their|his|her|a|an|its|new|old|current|default|temporary|initial|shared|admin|root|staging|production|das|el|la|le) ){0,3}(?:${SECRET}|${DIGITS})(?![\\p{L}\\p{N}_-])`,
  'giu',
)
/** Of these words, what follows in quotes is the secret even if it is a word. */
const PASSWORD =
  /pass|合言葉|合い言葉|あいことば|暗语|切口|pwd|kennwort|tunnuslaus|salasan|l[oö]senord|adgangs|has[lł]|κωδικ|contrase|contrase|senha|wachtwoord|парол|密码|密碼|口令|パスワード|비밀번호|şifre|heslo/i
const MOST_SEARCHED = 500_000
/** In every text that speaks of a secret. */
const SPEAKS =
  /pass|合い?言葉|あいことば|暗语|切口|pwd|parola|kodeord|jelsz|lozink|geslo|codice|kod|код|验证|驗證|校验|动态|認証|確認|인증|확인|mã xác|κωδ|رمز|קוד|ov[ěe]ř|kennw|geheim|contrase|senha|wachtw|has[lł]o|парол|密|口令|パスワ|暗証|비밀|암호|senord|adgangs|salasan|[sş]ifre|heslo|cred|secret|key|token|serial|code|código|psk|schlüs|clave|clé|chiave|chave|pin|otp|cv[vc]|ssn|social sec|card n|puk|combination|log[- ]?[io]n|logged|sign|authent|get in|let .{0,9}in|unlock|access|anmeld|einlogg|connexi|sesi|acced|zaloguj|войти|вход|登|ログイン|로그인|account|console|portal|vpn|wi-?fi|ssid|network|router|admin|root|sudo|ss[hl]|ftp|rdp|vault|licen|activ|redeem|crypt/i

export const secretsInProse = (text: string, found: FoundInText): void => {
  if (text.length > MOST_SEARCHED) return
  const add = (value: string, from: number, rule = RULE): void => found({ from, to: from + value.length, rule })
  if (SPEAKS.test(text)) {
    sentences(text, add, (value, from) => found({ from, to: from + value.length, rule: RULE, doubtful: true }))
    if (text.includes('\n')) linesBelow(text, add)
  }
  passwordsIn(text, found)
  secretsAmong(text, found)
  confidencesIn(text, found)
  dictatedCodesIn(text, found)
  dictatedSignsIn(text, found)
  enteredPhrasesIn(text, found)
  watchwordsIn(text, found)
  openersIn(text, found)
  spokenOfIn(text, found)
  passwordMessagesIn(text, found)
  if (text.length > 47) {
    seedPhrases(text, add)
    seedWordsIn(text, add)
    wordRowsIn(text, (value, from, sure) =>
      found({ from, to: from + value.length, rule: RULE, ...(sure ? {} : { doubtful: true as const }) }),
    )
  }
  licenceKeys(text, add)
  if (/\d{4}/.test(text)) cardNumbersIn(text, found)
  if (text.includes('\n')) promptedIn(text, add)
}

/** What a person hands over, says, or puts into a link. */
export const secretsAmong = (text: string, found: FoundInText): void => {
  handedOverIn(text, found)
  spokenIn(text, found)
  confidedIn(text, found)
  toldIn(text, found)
  passingWordsIn(text, found)
  linksIn(text, found)
  for (const { 0: value, index } of /A[KS]IA/.test(text) ? text.matchAll(BESIDE_KEY_ID) : [])
    found({ from: index, to: index + value.length, rule: 'pattern:aws' })
}

/** AWS: 40 characters behind the ID of a key, in a list of arguments or in the next line. */
const BESIDE_KEY_ID =
  /(?<=\bA[KS]IA[A-Z2-7]{16}["']?[\s,:;|/]{1,8}(?:[\w ]{1,24}[:=]\s?)?["']?)[A-Za-z\d/+]{40}(?![A-Za-z\d/+=])/g

const ITS_NAME = new RegExp(`^(?:${SECRET})$`, 'iu')

/** The serial number of a thing, unlike that of a licence. */
const isOfThing = (match: string, value: string, text: string): boolean =>
  /^serial(?! keys?)/i.test(match) &&
  !/^[A-Z\d]{3,8}(?:-[A-Z\d]{3,8}){2,}$/i.test(value) &&
  !/licen|activ|regist|unlock code|software|install|product key|lizenz|freischalt|crack/i.test(text)

const FICTION =
  /\b(?:novels?|book club|paperback|fairy ?tales?|short story|protagonist|heroine|film|movie|screenplay|(?:in|of) (?:chapter|episode|act|scene) \w+|the reader|romanfigur|krimi|märchen|spielfilm|buchclub|conte de fées|polar|protagoniste|novela|cuento|película|protagonista|romanzo|fiaba|romance policial|filme|sprookje|eventyr|elokuva|romaani|powieś\p{L}+|baś\p{L}+|film\p{L}{0,2}|pohádk\p{L}+|regény\p{L}*)\b|роман\p{L}{0,2}(?![\p{L}])|сказк|фильм|повест|小说|小說|电影|電影|小説|映画|소설|영화/iu
const isOfFiction = (text: string, at: number): boolean => {
  const begin = Math.max(text.lastIndexOf('\n', at) + 1, at - 200)
  return FICTION.test(text.slice(begin, at + 160).split('\n', 1)[0]!)
}

const sentences = (text: string, add: Add, doubt: (value: string, from: number) => void): void => {
  for (const match of text.matchAll(NAMED)) {
    const value = trimmed(match.groups!['value']!)
    // A label: `wachtwoord: "Wachtwoord"`.
    if (ITS_NAME.test(value) || describesField(value) || isOfThing(match[0], value, text)) continue
    // `Password for 'https://…`: a URL; `{{ .Values.password | b64enc }}`: a template.
    if (value.startsWith('//') || isInTemplate(text, match.index)) continue
    const from = match.index + match[0].length - match.groups!['value']!.length
    const quote = /["'`*“”‘’«»「]/.test(text.charAt(from - 1)) && !/^["'`*“”‘’«»「]/.test(match[0])
    const given = /\b(?:using|with|mit|avec|con|com) $/i.test(text.slice(Math.max(0, match.index - 8), match.index))
    const plain = quote && PASSWORD.test(match[0]) && (given || /[:=]|\b(?:is|was|ist|es|est|è|é)\b/.test(match[0]))
    const whole = plain ? quotedPhrase(text, from) : undefined
    if (whole !== undefined) add(whole, from)
    else if (isSecretWord(value, plain && /["'`*“”‘’«»」]/.test(text.charAt(from + value.length)))) {
      // In a novel or a film, a word is a part of the story.
      if (/^\p{L}+$/u.test(value) && isOfFiction(text, match.index)) doubt(value, from)
      else add(value, from)
    }
  }
  for (const match of text.matchAll(NUMBERED)) {
    const value = match.groups!['value']!
    if (/^(?:19|20)\d\d$/.test(value) && !/pin|code|cvv/i.test(match[0])) continue
    const front = match[0].slice(0, -value.length)
    // `código del curso`: a code of something that nobody opens.
    const [, about] = OF.exec(front) ?? []
    if (
      about !== undefined &&
      (OTHER_CODES.in(plainLetters(about)) || (!ACCESS.test(about) && !OPENED.in(plainLetters(about))))
    )
      continue
    if (CODE_OF_OTHER.test(text.slice(Math.max(0, match.index - 24), match.index))) continue
    // An Indian postal code.
    if (/^pin(?: ?code)?\W/i.test(match[0]) && /^[1-9]\d{2} ?\d{3}$/.test(value) && isOfAddress(text, match.index))
      continue
    add(value, match.index + match[0].length - value.length)
  }
  for (const match of text.matchAll(BEFORE)) {
    const value = trimmed(match.groups!['value']!)
    if (isSecretWord(value, false) && !/^v?\d+\.\d+\.\d/.test(value)) add(value, match.index)
  }
}

/** `Пощенски код`: directly in front of a code. */
const CODE_OF_OTHER =
  /(?<!\p{L})(?:почтов|поштов|поштанск|пощенск|телефон|междугород|штрих|клавиатурн|исходн|двоичн)\p{L}{0,5}[ -]$/iu

/** What a bare `code` in other languages is of. */
const OF =
  /^(?:c[óo]digo|код|code)\s(?:(?:del?|do|da|de la|of|du|для)\s)?([^:=]{3,40}?)\s?(?:[:：=]|\b(?:is|es|é|est)\b)/iu

/** The line above names what stands alone in this one: `Copy the enrollment token:`. */
const NAMED_ABOVE = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${SECRET})(?![\\p{L}\\p{N}_-])`, 'iu')
const BELOW =
  /[:：][ \t]{0,8}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t>*•"'`-]{0,12}([^\s"'`<>]{8,400})["'`]?[ \t]{0,8}(?=\r?\n|$)/gu

const linesBelow = (text: string, add: Add): void => {
  for (const { 0: all, 1: value = '', index } of text.matchAll(BELOW)) {
    const above = text.slice(Math.max(text.lastIndexOf('\n', index - 1) + 1, index - 200), index)
    // A generated password has signs that a key doesn't.
    const made = PASSWORD.test(above) && looksSecret(value) && !isPlace(value) && !/[(){}<>;]/.test(value)
    if (NAMED_ABOVE.test(above) && (made || (value.length > 15 && isRandomKey(value))))
      add(value, index + all.lastIndexOf(value))
  }
}

/** A prompt that asks for a passphrase or says what it unlocks. */
const PROMPT =
  /(?:pass(?:word|phrase|code)|unlock|decrypt|passwort|kennwort|entsperr|mot de passe|d[ée]verrouill|contrase|desbloque|senha|sblocc|wachtwoord|ontgrendel|l[öo]senord|adgangskode|passord|has[łl]|odblok|heslo|odem[ky]|jelsz|parol|[şs]ifre|пароль|разблок|密码|密碼|解锁|パスワード|비밀번호)[^\n]{0,80}$/iu
/** Headings and sentences about passwords. */
const NO_PROMPT = /^\s*#|\b(?:must|should|shall|how to|forgot(?:ten)?)\b|polic(?:y|ies)|parser/i
const TYPED = /^(?:[>?] ?)?(?<typed>[\p{L}\p{N}][^\s<>{}[\]()=:]{0,24}(?:,? [\p{L}\p{N}][^\s<>{}[\]()=:]{0,24}){0,6})$/u
/** What a program says rather than what somebody typed. */
const REPORTED =
  /(?:\b(?:error|fail\w*|incorrect|invalid|wrong|denied|again|success\w*|ok|done|unlocked|decrypted|waiting|try|please|enter|retype|confirm|repeat|verify|password|passphrase|required|not|is|was|has|have|you|your|the|for|from|and|or|with|key|file|user|login|last|mounted|set up|connected|welcome|permission)\b)|\.$/i

/** What was typed behind a prompt, in a line of its own. */
const promptedIn = (text: string, add: Add): void => {
  let above = ''
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const asked =
      above.length < 200 && /[:>…]\s*$/.test(above) && !NO_PROMPT.test(above) && PROMPT.test(above.trimEnd())
    above = line
    if (!asked || line.length > 90) continue
    const typed = TYPED.exec(line.trim())?.groups!['typed']
    if (typed === undefined || typed.length < 5 || REPORTED.test(typed) || isPlaceholder(typed) || isPlace(typed))
      continue
    // One word may be anything; several, or a mixed one, are what one types.
    if (
      /\s/.test(typed)
        ? /^\p{Ll}/u.test(typed) || line.startsWith('> ')
        : chosenLikeness(typed) > 0 || looksSecret(typed)
    )
      add(typed, index + line.indexOf(typed))
  }
}

/** Several words in quotes: a passphrase, and no message. */
const quotedPhrase = (text: string, from: number): string | undefined => {
  const [phrase] =
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’,!?-]*(?: [\p{L}\p{M}\p{N}'’,!?-]+){1,7}(?=["'`”»“」])/u.exec(
      text.slice(from, from + 90),
    ) ?? []
  return phrase !== undefined && isWordsOfPassword({ id: 'name:password' }, phrase) ? phrase : undefined
}

const isInTemplate = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 80), at)
  return before.lastIndexOf('{{') > before.lastIndexOf('}}')
}

type Add = (value: string, from: number, rule?: string) => void

const SEED_COUNTS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24])
/** Words that are in every sentence of this length and in no seed phrase (BIP 39). */
const NO_SEED_WORD =
  /\b(?:the|and|for|are|not|was|has|its|were|been|our|your|their|from|which|but|had|his|her|him|she|them|these|those|would|could|should|than|more|also|any|each|such|does|did|being|into)\b/

/** Lists of words that restore nothing. */
const LISTED =
  /vocabular|vokabel|vocabulair|rhym|reim|describe|synonym|antonym|adjective|verbs?\b|nouns?\b|spelling|colou?rs?\b|farben|couleurs|colores|colori|foods?\b|animals?|fruits?|ingredients|zutaten|ingredientes|alphabet|keywords?|stop ?words|tags?\b|lyrics|dictionary|exercise|learn|lesson|\d\s(?:palabras|palavras|parole|mots|wörter)\)/i

/** Twelve or more short words and nothing else, as wallets show them (BIP 39). */
const seedPhrases = (text: string, add: Add): void => {
  for (const { 0: run, index } of text.matchAll(
    /(?<![\p{L}\p{N}])(?:(?:\d{1,2}[.):] ?)?[a-z]{3,8}(?:[ ,]{1,2}|\s?[\r\n]\s?|(?![\p{L}\p{N}]))){12,30}/gu,
  )) {
    const words = run.match(/[a-z]{3,8}/g) ?? []
    const before = text.slice(Math.max(0, index - 120), index)
    const wallet = /seed|mnemonic|recovery|wallet|phrase|backup|paper/i.test(before)
    const told = wallet || /words/i.test(before)
    if (!wallet && LISTED.test(before)) continue
    if (NO_SEED_WORD.test(run)) continue
    if (!SEED_COUNTS.has(words.length) && !(told && words.length > 11 && words.length < 26)) {
      // A word of the sentence in front: `restore it with abandon ability …`.
      continue
    }
    if (new Set(words).size < words.length * 0.6) continue
    const value = run.trimEnd().replace(/[,.]$/, '')
    if (told || text.trim().length < run.length + 60) add(value, index)
  }
}

/** Groups of capitals and digits, behind words for a licence. */
const licenceKeys = (text: string, add: Add): void => {
  for (const { 0: key, index } of text.matchAll(/(?<![\w-])(?:[A-Z0-9]{4,8}-){2,7}[A-Z0-9]{4,8}(?![\w-])/g)) {
    if (!/\d/.test(key) || /^\d{4}-\d\d\d\d-/.test(key)) continue
    const before = text.slice(Math.max(0, index - 80), index)
    if (
      /licen[cs]e|serial|activat|product key|unlock|redeem|recovery|bitlocker|voucher|gift|coupon|registration|schlüssel|clave|key/i.test(
        before,
      ) ||
      /^(?:\d{6}-){7}\d{6}$/.test(key)
    )
      add(key, index)
  }
}

const CARD_NUMBER =
  /(?<![\p{L}\p{N}_./:#=&-])[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,4}(?![\p{L}\p{N}_/-]|[.,]\d)|(?<![\p{L}\p{N}_./:#=&-])3[47]\d{2}[ -]?\d{6}[ -]?\d{5}(?![\p{L}\p{N}_/-]|[.,]\d)/gu
const ISSUED = /^(?:4|5[0-8]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|6(?:011|4[4-9]|5|2|0|7))/
const MOST_NUMBERS = 200

/** Characters around a number. */
const AROUND_CARD = 60
const PAYS =
  /(?<!\p{L})(?:exp(?:ir\p{L}*)?|valid (?:thru|until|to)|cv[vc]2?|visa|master ?card|maestro|amex|american express|discover|jcb|diners|union ?pay|mir|elo|(?:credit|debit|payment|bank) ?cards?|cards?|charg(?:e|ed|ing)|refund(?:ed)?|paid|pay(?:ing|ment)?|billed|(?:kredit|debit|bank|giro)?karten?|abgebucht|belastet|bezahlt|gültig bis|cartes?|d[ée]bit[ée]e?|pay[ée]e?|tarjetas?|pagad[oa]|cobrad[oa]|caduca|cart[ãa]o|cart[õo]es|cobrou|carta|carte|pagato|addebitat[oa]|scad(?:e|enza)|plătit|kaart|betaald|kort(?:et)?|betalt|betalat|belastat|kortti|kortin|maksettu|kaardi\p{L}*|kart[auęyoiě]\p{L}{0,2}|zapłac\p{L}+|zaplac\p{L}+|plaćen\p{L}*|plačan\p{L}*|kártya|kártyá\p{L}+|fizet\p{L}+|kart\p{L}{0,4}|ödeme|ödendi|kartu|dibayar|thẻ|карт\p{L}{1,3}|оплач\p{L}+|оплат\p{L}+|спис\p{L}+|плате\p{L}+|κάρτα\p{L}?|κάρτας|πληρ\p{L}+|כרטיס|שולם|بطاقة|البطاقة|کارت|कार्ड|কার্ড|บัตร)(?!\p{L})|カード|支払|卡|카드|결제|\b(?:0[1-9]|1[0-2])\s?\/\s?(?:20)?[2-4]\d\b/iu
/** What else has such a number, and cards that documentation shows. */
const OTHER_NUMBER =
  /(?:order|bestell|auftrag|commande|pedido|ordine|invoice|tracking|parcel|shipment|imei|iccid|isbn|ean|gtin|upc|barcode|serial|ticket|trace|request|session|user|account|transaction|reference|ref|id|uid|phone|tel)\W{0,3}(?:no|nr|num|number|nummer|id)?\W{0,4}$/i
const SHOWN_CARD =
  /^(?:4242424242424242|4111111111111111|4012888888881881|4000\d{12}|5555555555554444|5105105105105100|2223003122003222|37828224631000[05]|371449635398431|6011111111111117|6011000990139424|3530111333300000|4444333322221111|5454545454545454|5200828282828210)$/

/**
 * Payment card numbers in a sentence. Their first digits and their check digit (ISO/IEC 7812) must be valid, and words
 * about payment, or an expiry month, must be next to them.
 */
const cardNumbersIn = (text: string, found: FoundInText): void => {
  let count = 0
  for (const { 0: written, index } of text.matchAll(CARD_NUMBER)) {
    if (++count > MOST_NUMBERS) return
    const digits = written.replace(/\D/g, '')
    if (!ISSUED.test(digits) || SHOWN_CARD.test(digits) || !hasCheckDigit(digits)) continue
    const to = index + written.length
    const front = text.slice(Math.max(0, index - AROUND_CARD), index)
    if (OTHER_NUMBER.test(front) || !PAYS.test(`${front} ${text.slice(to, to + AROUND_CARD)}`)) continue
    found({ from: index, to, rule: 'context:prose' })
  }
}

/** The last digit follows from the others (ISO/IEC 7812-1, annex B). */
const hasCheckDigit = (digits: string): boolean => {
  if (digits.length < 13 || new Set(digits).size < 4) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.charAt(digits.length - 1 - at))
    const value = at % 2 === 1 ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
