/**
 * Passwords and codes that no name tells, only that the text is about getting in: `log in as ada with …`, a line below an
 * address, `ada / …`, `The safe opens with …`. Words for it in many languages, and what a password looks like.
 */
import type { FoundInText } from './found-in-text.ts'
import { isPlaceholder, isPlace, looksSecret } from './heuristics.ts'
import { isProgramLine } from './handed-over.ts'
import { namesOther } from './other-numbers.ts'
import { isCode, isOrdinary, isPassphrase, looksTyped, passwordLikeness, trimmed } from './passwords.ts'
import { isOtherLabel } from './protected-things.ts'
import { endsWithLookup } from './secret-names.ts'

const RULE = 'context:prose'

/** Words that stand between spaces, and others that are found anywhere: `\b` is for ASCII only. */
const spoken = (words: string, anywhere: string): RegExp => new RegExp(`\\b(?:${words})\\b|${anywhere}`, 'i')

/** Words of a line in which somebody is told how to get in. */
const SURE = spoken(
  'log(?:ged|ging|s)?[- ]?(?:in|on|into)|sign(?:ed|ing|s)?[- ]?(?:in|into)|login|credentials?|creds|password|passphrase|passcode|authenticat\\w+|get (?:you )?in|let(?:s)? you in|unlocks?|secret|wi-?fi|ssid|licen[cs]e|activat\\w+|redeem\\w*|decrypt\\w*|root|sudo|vpn|' +
    'anmeld\\w+|angemeldet|melde? dich|einlogg\\w+|logg\\w* dich|zugangsdaten|zugang|entsperr\\w+|passwort|kennwort|' +
    'connecte(?:z|r)?|connexion|identifiants?|mot de passe|d[eé]verrouill\\w+|identifie-toi|' +
    'inicia(?:r)? sesi[oó]n|inicie sesi[oó]n|entra con|entrar con|acced[ea]\\w*|con[eé]ctate|' +
    'accedi|entra come|collegati|autenticati|entre com|acesse|conecte-se|faça login|inloggen|log in met|aanmelden|' +
    'zaloguj\\w*|logowani\\w+|logga in|log p[aå]|giriş|oturum|přihlas\\w*|bejelentkez\\w+',
  'войди|войти|зайди|зайти|вход|логин|залогин|парол|учетн|учётн|авториз|увійди|登录|登錄|登陆|登入|账号|帳號|帐号|口令|密码|密碼|' +
    'ログイン|サインイン|パスワード|暗証|接続|로그인|접속|계정|비밀번호|σύνδεση|تسجيل الدخول|התחבר',
)
const SIGN_IN = spoken(
  'logon|user ?name|access(?: it| the)?|account|accounts|console|portal|network|router|admin|ssh|sftp|ftp|rdp|keypass|keepass|1password|bitwarden|lastpass|vault|safe|password manager|pass(?:word|phrase|code)?|pin|token|key|serial|encrypt\\w*|paste|typing|type|enter|use|using|with|prompt|' +
    'compte|konto|cuenta|conta|usuario|utente|utilisateur|benutzer|mit|avec|con|(?<=\\s)com(?=\\s)|tape[rz]?|saisi\\w+|teclea|escribe|digita|digite|gib|tippe',
  'введи|аккаунт|输入|輸入|使用|入力|입력|используй',
)
/** What one asks a friend to do with a password. */
const SECRECY = spoken(
  "do(?:n'?t| not) (?:tell|share|post|forward|pass|show)|keep (?:it|this|that) (?:to yourself|safe|secret|private|quiet|between us)|between (?:us|you and me)|psst|hush|for your eyes|memori[sz]e (?:it|this)|changed it to|nicht weitersagen|unter uns|entre nous|entre nosotros|no se lo digas|non dirlo|behalt es für dich",
  'никому|между нами|别告诉|保密|内緒|秘密に|비밀로',
)
const LONG = 20_000
/** Long texts are only searched if they have one of these words. */
const SPEAKS =
  /pass|pwd|kennw|cred|secret|key|token|serial|pin|log[- ]?[io]n|log\w* (?:in|on|dich)|logga|logg|sign|authent|get in|let .{0,9}in|lock|access|zugang|anmeld|melde|einlogg|connec|conec|coneç|conéct|identif|sesi|acced|acess|entra|entre|collega|autentic|zalog|inlog|aanmeld|giriş|oturum|přihlas|bejelent|sperr|account|compte|konto|cuenta|conta|usuario|utente|utilis|benutz|user|console|portal|vpn|wi-?fi|ssid|network|router|admin|root|sudo|ss[hl]|ftp|rdp|vault|safe|prompt|licen|activ|redeem|crypt|paste|typ|enter|us[ei]|with|tell|psst|keep|between|hush|memor|eyes|to yourself|changed it| [/|] |\t| {2}\S|tresor|door|gate|alarm|garage|coffre|puerta|caja|porta|\P{ASCII}|@/iu

const MASK_LINE = /^[\s•·*●∙_.-]{3,}$/
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z][\w-]+$/
const WORD = /(?<=^|[\s"'`(:/=>|])[^\s"'`(),;|<>]{6,64}(?=$|[\s"'`),.;|<])/g
/** Languages without spaces between words are a boundary, too. */
const WORD_OF_ANY =
  /(?<=^|[\s"'`(:/=“‘«|>，。：、\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[^\s"'`(),;“”‘’«»|<>，。：、\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{6,64}(?=$|[\s"'`),.;“”‘’«»|<，。、\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/gu

const SPEAKER = /^[\s>*•-]{0,6}(?:\[[^\]\n]{1,20}\]\s*)?(?:[\p{L}\p{N}_.-]{1,20}:\s+)?["'`“]?/u
/** Directly in front of what one has to type. */
const HAND_OVER =
  /(?:\b(?:with|use|enter|type|try|it's|its|is|then|paste|and|mit|avec|con|com|et|y|e|und|met|med|tape[rz]?|gib|tippe)|[是为用с输入力])\s*["'`“]?$/iu

type Report = (value: string, from: number, doubtful?: true) => void

export const passwordsIn = (text: string, found: FoundInText): void => {
  if (text.length > LONG && !SPEAKS.test(text)) return
  const report: Report = (value, from, doubtful) =>
    found({ from, to: from + value.length, rule: RULE, ...(doubtful ? { doubtful } : {}) })
  if (/\d{4}|\d{3}[ -]\d{3}/.test(text)) codesIn(text, report)
  if (/[\da-f]{32}/i.test(text)) keysIn(text, report)
  if (/\d/.test(text)) linesOf(text, report)
}

/** Lines in front that still say what a line is about. */
const MOST_NEAR = 3

/** A number beside letters or signs: what is made up only of digits, or has none, is no password. */
const MIXED = /[A-Za-z!@#$%^&*?~_\P{ASCII}-]\d|\d[A-Za-z!@#$%^&*?~_-]/u

const linesOf = (text: string, report: Report): void => {
  const near: string[] = []
  let listed = 0
  for (const { 0: line, index } of text.matchAll(/[^\n]{2,600}/g)) {
    if (near.length > 0 && /\n\s*\n$/.test(text.slice(Math.max(0, index - 3), index))) near.length = 0
    if (MIXED.test(line) && !isProgram(line)) {
      if (SEPARATED.test(line)) usersIn(line, index, report, listed)
      listed = LISTED.test(line) ? listed + 1 : 0
      wordsOf(line, index, near, report)
    } else listed = 0
    if (MASK_LINE.test(line)) continue
    near.push(line)
    if (near.length > MOST_NEAR) near.shift()
  }
  oneTimeLists(text, report)
}

const wordsOf = (line: string, index: number, near: readonly string[], report: Report): void => {
  let context: { sure: boolean; signIn: boolean; near: boolean; secrecy: boolean } | undefined
  for (const { 0: word, index: at } of line.matchAll(/\P{ASCII}/u.test(line) ? WORD_OF_ANY : WORD)) {
    if (!MIXED.test(word) || /^[\d.,:TZ+-]+$/.test(word)) continue
    const value = trimmed(word)
    // `usersIn` takes the part behind the address.
    if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+[:/|]/.test(value)) continue
    const likeness = passwordLikeness(value)
    if (likeness === undefined && !near.at(-1)?.includes('@')) continue
    // `"requestId": "…"`: its name says that it isn't one.
    if (
      /(?:id|uuid|hash|ref|version|name|etag|host|region|model|network|ssid|netzwerk|r[ée]seau|rete|netwerk|nätverk|nettverk|netværk|verkko|sieć|síť|hálózat)["']?\s?[:=]\s?["']?$/i.test(
        line.slice(Math.max(0, at - 24), at),
      ) ||
      endsWithLookup(line.slice(Math.max(0, at - 48), at))
    )
      continue
    const begin = at > 60 ? 0 : SPEAKER.exec(line)![0].length
    const alone = at <= begin && line.slice(at + value.length).trim().length < 3
    const email = alone && EMAIL.test(near.at(-1)?.trim().split(/\s/).at(-1) ?? '')
    if (likeness === undefined && !(email && looksSecret(value) && !isCode(value) && !isOrdinary(value))) continue
    if (!context) {
      // `password=…` speaks of its own value, not of the words behind it.
      const words = line.replace(/[\w.-]+=\S*/g, ' ')
      const sure = SURE.test(words)
      context = {
        sure,
        signIn: sure || SIGN_IN.test(words),
        near: near.some((one) => SURE.test(one) || DOOR.test(one)),
        secrecy: SECRECY.test(words),
      }
    }
    const handed = alone || HAND_OVER.test(line.slice(0, at))
    const typed = looksTyped(value) && looksSecret(value)
    if (
      email ||
      (likeness === 'certain' && (context.signIn || context.secrecy || (context.near && handed))) ||
      (likeness === 'likely' && (context.sure || (context.near && handed && typed)))
    )
      report(value, index + at)
    else if (likeness === 'certain' && !value.includes('/')) report(value, index + at, true)
  }
}

const COMMON_USER =
  /^(?:admin\w{0,8}|administrator|root|guest|test\w{0,6}|demo|user\d?|sa|postgres|mysql|oracle|ubuntu|pi|viewer|editor|owner|operator|support|dev|ops|deploy\w{0,3}|jenkins|service|svc[\w-]{0,20}|ftp\w{0,4}|backup|manager|superuser|sysadmin|staff|anonymous)$/i
const USER =
  /(?<=^|[\s:>|(*\][-])([\w.+-]{2,40}(?:@[\w-]{1,60}(?:\.[\w-]{1,40}){1,4})?)(\s?[/|]\s|\s{2,}|\t|,\s?|;\s?|:|\s(?:[-–—=→]+>?)\s|\s)([^\s"'`(),;“”«»|<>]{5,64})(?=\s*$|[\s,.;)|])/g
/** In every line that may have one. */
const SEPARATED = /[@/|\t,;]| {2}| [-–—=→]|[a-z]:\S/i
/** A line of a list of users. */
const LISTED = /^\W{0,6}[\w.@+-]{2,60}(?:\s{2,}|\t+|\s?[/|,;:]\s?)\S{6,64}\s*$/

/** `ada / …`, `ada@example.com:…`, `admin  …`. */
const usersIn = (line: string, index: number, report: Report, listed: number): void => {
  for (const { 1: user = '', 2: between = '', 3: word = '', index: at, 0: all } of line.matchAll(USER)) {
    if (!/\d/.test(word) || (between === ' ' && !user.includes('@'))) continue
    const value = trimmed(word)
    const likeness = passwordLikeness(value)
    const email = user.includes('@')
    const common = COMMON_USER.test(user)
    const spaced = between.includes('/') || between.includes('|') || /\s[-–—→]/.test(between)
    if (between === ' ' && !(email && likeness === 'certain')) continue
    if (between === ':' && !email && !common) continue
    const weak =
      email && !/^\d+$|\/|\.\w{2,4}$/.test(value) && (looksSecret(value) || looksTyped(value)) && !isOrdinary(value)
    const takes =
      (email && (likeness !== undefined || weak)) ||
      (common && likeness !== undefined) ||
      (likeness === 'certain' && ((spaced && !isPassphrase(value)) || between.includes('/') || listed > 0)) ||
      (likeness === 'likely' && between.includes('/') && looksTyped(value))
    if (takes && !isCode(value)) report(value, index + at + all.length - word.length)
  }
}

/** Codes in lines of their own, all of one shape, behind a line that says what they are for. */
const oneTimeLists = (text: string, report: Report): void => {
  // Begins with the rare colon at the end of a line, and looks back for the rest of it.
  for (const { 0: end, index } of text.matchAll(
    /[:：][ \t]{0,8}\r?\n(?:[ \t]{0,8}\r?\n)?(?=[^\n]{0,8}[\w-]{6,40}[ \t]{0,8}\r?\n)/g,
  )) {
    const all = text.slice(Math.max(text.lastIndexOf('\n', index - 1) + 1, index - 300), index)
    if (
      !SURE.test(all) &&
      !/リカバリー|バックアップコード|[恢復复]码|恢復碼|备用|備用|복구 ?코드|백업 ?코드|резервн|восстановлен|відновлен|wiederherstell|récupérat|recuperac|recupero|herstel|återställ|gjenoppret|gendannel|palautus|odzyskiw|zapasow|záložn|obnov|kurtarma|yedek|khôi phục|dự phòng|pemulihan|\b(?:once|recover\w*|backup)\b|(?:codes?|kody|códigos|codici|коды)(?![\p{L}])/iu.test(
        all,
      )
    )
      continue
    const rows: (readonly [value: string, from: number])[] = []
    let at = index + end.length
    for (let count = 0; count < 40; count++) {
      const [whole, bullet = '', value = ''] =
        /^([ \t]*(?:[-*•]|\d{1,2}[.)])?[ \t]*)([A-Za-z\d]{2,12}(?:[- ][A-Za-z\d]{2,12}){0,5})[ \t]*(?:\r?\n|$)/.exec(
          text.slice(at, at + 120),
        ) ?? []
      if (whole === undefined || shapeOf(value) !== shapeOf(rows[0]?.[0] ?? value)) break
      rows.push([value, at + bullet.length])
      at += whole.length
    }
    const digits = rows.filter(([value]) => /\d/.test(value)).length
    if (rows.length > 1 && digits >= rows.length / 2 && rows[0]![0].length > 5)
      for (const [value, from] of rows) report(value, from)
  }
}

const shapeOf = (code: string): string => code.replace(/[A-Za-z\d]/g, 'x')

/** What a code opens. */
const DOOR = spoken(
  'safe|vault|doors?|gate|lockers?|lock ?box|locks?|padlock|(?:bike|key|parts) (?:cage|shed|rack)|barrier|turnstile|shed|voice ?mail|mailbox|elevator|server room|meeting room|alarm|garage|cabinet|keypad|entrance|strongbox|letterbox|building|' +
    'tresor|t[uü]r|schlie[sß]fach|garagentor|coffre(?:-fort)?|porte|alarme|portail|digicode|caja fuerte|puerta|port[oó]n|alarma|cassaforte|cancello|porta|cofre|portão|kluis|deur|sejf|drzwi|kassask[aå]p',
  'сейф|двер|ворот|домофон|сигнализац|保险[箱柜]|保險|门禁|门锁|大门|金庫|ドア|玄関|금고|현관|도어락',
)
const SIGNING = spoken(
  'your\\b.{0,24}\\bcode|(?:votre|ton|dein|ihr|su|tu|tuo|seu|twój)\\b.{0,24}\\b(?:code|c[oó]digo|codice|kod)|(?:finish|complete|continue|confirm|proceed|verif\\w+)\\b.{0,30}\\b(?:sign|log|identity|account|number|device|email|phone)\\w*(?: ?in)?|(?:sign|log)(?:ging|ing)?[- ]?in\\b.{0,40}\\b(?:code|enter|use|type)|(?:code|enter|use|type)\\b.{0,60}\\b(?:sign|log)(?:ging|ing)?[- ]?in|verification code|confirmation code|(?:never|do not|don.t) share (?:it|this|the code)|to confirm the (?:transfer|payment|transaction)|security code|login code|one[- ]time|2fa|two[- ]factor|' +
    'anmeldung|best[aä]tigungs\\w*|sicherheitscode|einmal\\w+|verifizierung\\w*|connexion|v[eé]rification|code de confirmation|verificaci[oó]n|iniciar sesi[oó]n|codice di \\w+|verifica|verificação|c[oó]digo de acceso|verificatiecode|weryfikac\\w+|doğrulama',
  'ваш.{0,20}код|[您你]的.{0,8}码|подтвержден|код для входа|код доступа|код входа|验证码|驗證碼|校验码|認証|確認コード|인증',
)
const NUMBER =
  /(?=[\dGg])(?<![\p{N}\p{Script=Latin}\p{Script=Cyrillic}.,/#$€£+-]|\d[:])(?:G-)?(\d{4,8}|\d{3}[ -]\d{3})(?![\p{N}%]|[.,:/-]\d|\s?(?:ms|px|[kmg]b|s|x|users?|items?|tokens?|rows?|files?|requests?|times|seconds?|minutes?|hours?|attempts?|days?|lines?|bytes?|people|employees|characters|usd|eur)\b)/giu
const BEFORE_NUMBER =
  /(?:\b(?:with|by|enter(?:ing)?|type|typing|dial|use|using|code|is|press|punch in|key in|combo|combination|mit|gib|lautet|ist|eingeben|avec|est|con|com|es|é|è|tape[rz]?|saisi\w+|compose[rz]?|digita|digite|marca|introdu\w+|ingresa|inser\w+|met|to|of|le|il|el|o|jest|kodem)|[:：=→]|код\S*|введи\S*|набери\S*|(?<=\s)с|[是为為用は는은を]|输入|輸入|入力)\s{0,2}["'“「*`]{0,3}$/iu
/** `482913 is your code`. */
const AFTER_NUMBER =
  /^["'”」*`]{0,3}\s?(?:\b(?:is|ist|est|es|è|é)\b|to (?:finish|complete|sign|log|verify|confirm|continue)|as (?:the|your|a)\b|是|は|이)/iu

/** `durationSec=1200`: the value of a member with another name. */
const COUNTS = /(?:^|[\s,;({[])(?!\w*(?:code|pin|pass|combo|combination|key|secret|otp)\s?=)[A-Za-z_][\w.-]*=$/i

const codesIn = (text: string, report: Report): void => {
  for (const { 0: line, index } of text.matchAll(/[^\n]{6,400}/g)) {
    if (!/\d{4}|\d{3}[ -]\d{3}/.test(line)) continue
    let about: boolean | undefined
    for (const { 0: all, 1: value = '', index: at } of line.matchAll(NUMBER)) {
      if (/^(?:19|20)\d\d$/.test(value) && !/\b(?:code|pin)\b/i.test(line)) continue
      // A port.
      if (/:\/\/[^\s/]*:$/.test(line.slice(0, at))) continue
      const before = line.slice(Math.max(0, at - 24), at)
      if (
        /\b(?:port|http|status|error|exit|line|version|country|area|dialing|discount|promo|product|source|region|room|suite|building|street|zip|postal|rfc|iso|pid|pr|issue|ticket|order)\s?(?:code)?\s?(?:is\s)?[#:]?\s?$|(?:code postal|c[óo]digo postal|codice postale|postcode|plz|postleitzahl)[^\d]{0,8}$/i.test(
          before,
        )
      )
        continue
      if (namesOther(before) || isProgramLine(line) || COUNTS.test(before) || isOtherLabel(line.slice(0, at))) continue
      if (!BEFORE_NUMBER.test(before) && !AFTER_NUMBER.test(line.slice(at + all.length, at + all.length + 40))) continue
      about ??= DOOR.test(line) || SIGNING.test(line)
      if (!about) break
      report(value, index + at + all.length - value.length)
    }
  }
}

/** Keys in hexadecimal are like hashes, so the words in front have to say what one does with it. */
const KEY =
  /(?<=\b(?:with|using|key|secret|import|private key|seed|mit|avec|con|с)\s{1,2}["'`]?)(?:0x)?[\da-f]{32,128}(?![\da-f])/gi
const KEY_USE =
  /\b(?:sign(?:s|ed|ing)?|hmac|verify|decrypt\w*|encrypt\w*|unlock\w*|unseal|seal|authenticat\w*|import|restore|spend|webhook)\b/i
const NO_KEY =
  /sha-?\d|md5|checksum|digest|commit|hash|fingerprint|etag|revision|\btx\b|transaction|block|\bpublic\b|\bid\b/i

const keysIn = (text: string, report: Report): void => {
  for (const { 0: key, index } of text.matchAll(KEY)) {
    const begin = Math.max(text.lastIndexOf('\n', index) + 1, index - 200)
    const line = text.slice(begin, index + key.length + 100).split('\n')[0]!
    if (KEY_USE.test(line) && !NO_KEY.test(line.replace(key, '')) && !isPlaceholder(key) && !isPlace(key))
      report(key, index)
  }
}

const isProgram = (line: string): boolean =>
  /[;{]\s*$|^\s*(?:[})\]]|import|const|let|var|return|def|func|class|if|for|\/\/|#include|<\w+)|=>|\)\s*;/.test(line)
