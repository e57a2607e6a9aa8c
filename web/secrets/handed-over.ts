/**
 * Chosen passwords that a text hands over: behind words of entering (`type …`, `and then …`), beside the name of a user,
 * in the line below a prompt, among the arguments of a program. What is hardly anything else but stands alone is only
 * reported.
 */
import { ACCESS, ENTERS_AFTER, ENTERS_BEFORE, FOLLOWS_BEFORE, LINKS_BEFORE, MODIFIES } from './access-words.ts'
import { chosenLikeness, type Chosen } from './chosen-words.ts'
import type { FoundInText } from './found-in-text.ts'
import { namesOther } from './other-numbers.ts'
import { endsWithLookup } from './secret-names.ts'

const RULE = 'context:prose'

/** Longer texts are documents and programs. */
const LONGEST = 60_000
const LONGEST_TOKEN = 64
const MOST_CANDIDATES = 2000
/** Characters around a candidate that say what it is about. */
const IN_FRONT = 240
const BEHIND = 110

const TOKEN = /[^\s"'`“”‘’„«»「」『』()<>[\]{},;|，。、：！？]{5,}/gu
/** Words of small letters, with a capital in front and punctuation behind: most of a text. */
const PLAIN = /^[\p{Lu}\p{Ll}]?\p{Ll}*[.:!?…]*$/u
const WORTH = /[\p{N}_./+&!$#*?~%^-]|\p{Ll}\p{Lu}/u

/** Accounts that many systems have. */
const USER =
  '(?:[\\w.+-]{1,40}@(?:[a-z][\\w.-]{0,60})?|\\w{0,10}admin\\w{0,8}|root|guest|gast|invit[eé]|invitado|ospite|demo|test\\w{0,6}|user\\d?|operator|manager|service|support|supervisor|staff|sa|postgres|oracle|pi|ubuntu|maintenance|kiosk|enable)'
const USER_BEFORE = new RegExp(`(?:^|[\\s(:])${USER}(?:\\s?[/|]\\s?|,\\s|;\\s?|\\t|\\s(?:->|→|—|–|-)\\s)$`, 'iu')
/** Any word may be a user in front of a slash with spaces or an arrow. */
const ANY_BEFORE =
  /(?:^|[\s(:])[\p{L}][\p{L}\p{N}._-]{1,30}(?:\s\/\s|\s?(?:→|->|⇒)\s)$|(?:net(?:work|z)?|ssid|w-?lan|wi-?fi|r[ée]seau|rete|rede)\s?(?:is |ist |est |=|:)?\s?["'„“]?[\p{L}\p{N}_-]{2,30}["'”“]?,\s$/iu
/** `# hanna, …` behind a setting. */
const COMMENTED = /#\s?[\p{L}][\p{L}\p{N}._-]{1,30},\s$/u
const USER_LINE = new RegExp(`^\\W{0,4}${USER}\\W{0,3}$`, 'iu')
/** Marks in front of what somebody typed. */
const ALONE_BEFORE = /^(?:\s*(?:[?>»*•-]|\d{1,2}[.)])?\s*["'`]?|[^\n]{0,60}[$#%>]\s)$/u
/** A list of cells: `accept|vlan20|…`. */
const CELL = /[^\s|;][|;]$/
const AFTER_CELL = /^(?:[|;]|$)/

/** In front of what was typed into the field of the user, or at a shell. */
const WRONG_FIELD =
  /(?:(?:no such|unknown|invalid|illegal|nonexistent) (?:user|login|account)(?: ?name)?|no (?:user|account|login) (?:called|named|with the name|found for)|user(?: ?name)? not found|benutzer (?:nicht gefunden|unbekannt)|unbekannter benutzer|utilisateur inconnu|usuario desconocido|utente sconosciuto)[:\s]{0,3}["'`«„“]?$/iu
const NOT_FOUND = /^["'`»”]?: (?:command )?not found|^["'`»”]? is not recognized/

export const handedOverIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 6) return
  let count = 0
  for (const { 0: raw, index } of text.matchAll(TOKEN)) {
    if (raw.length > LONGEST_TOKEN || PLAIN.test(raw) || !WORTH.test(raw)) continue
    if (++count > MOST_CANDIDATES) return
    const one = judged(text, raw, index)
    if (one) found({ from: one.from, to: one.from + one.value.length, rule: RULE, ...(one.doubtful ? DOUBTFUL : {}) })
  }
  if (COMMANDS.test(text)) commandLinesIn(text, found)
}

const DOUBTFUL = { doubtful: true } as const

interface Judged {
  readonly value: string
  readonly from: number
  readonly doubtful: boolean
}

const BETWEEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Punctuation around a token. A sign behind digits may belong to it. */
const bare = (raw: string): readonly [value: string, skipped: number] => {
  // Between words of a language without spaces: `用…登录`.
  if (BETWEEN.test(raw)) {
    const run = /[\x21-\x7e]{5,}/.exec(raw)
    if (run) return [run[0], run.index]
  }
  const begin = /^[*_~:.=-]+/.exec(raw)?.[0].length ?? 0
  const value = raw.slice(begin).replace(/[.,:;*_~…?]+$|(?<!\p{N})!+$/u, '')
  return [value, begin]
}

const judged = (text: string, raw: string, index: number): Judged | undefined => {
  const [whole, skipped] = bare(raw)
  const at = index + skipped
  const pair = pairOf(whole)
  let [value, from]: [string, number] = [whole, at]
  let likeness: Chosen = chosenLikeness(whole)
  let paired = false
  if (pair > 0) {
    const rest = whole.slice(pair).replace(ORACLE, '')
    const own = chosenLikeness(rest)
    if (own > 1 && ORACLE.test(whole)) return { value: rest, from: at + pair, doubtful: false }
    // `crew/Heron!Lake`: with a sign in it, the part behind the slash is the password.
    if (own === 3 || (own > likeness && own > 1) || (own > 1 && whole.charAt(pair - 1) === ':')) {
      ;[value, from, likeness, paired] = [rest, at + pair, own, true]
    }
  }
  if (likeness === 0) return undefined
  const begin = text.lastIndexOf('\n', from - 1) + 1
  const next = text.indexOf('\n', from)
  const end = next < 0 ? text.length : next
  const before = text.slice(Math.max(begin, at - 90), at)
  const after = text.slice(from + value.length, Math.min(end, from + value.length + 60))
  if (isProgramLine(text.slice(begin, Math.min(end, begin + 400)))) return undefined
  if (NAMED_ID.test(before) || endsWithLookup(before) || namesOther(before) || isSentence(value)) return undefined
  const found = (doubtful: boolean): Judged => ({ value, from, doubtful })
  // A link of Markdown.
  if (/\[$/.test(before) && after.startsWith('](')) return undefined
  if (WRONG_FIELD.test(before)) return found(likeness < 2)
  const hand = handOf(text, before, after, begin, at, paired)
  const isAbout = (): boolean => ACCESS.test(windowOf(text, from, value.length))
  if (NOT_FOUND.test(after)) return likeness > 1 && isAbout() ? found(false) : undefined
  if (likeness === 3) return found(!(hand >= 2.8 || isAbout()))
  // Alone in a line, only the line above tells.
  const alone = hand === 1.5
  // `"door": "loading-bay-2"`: which of them.
  if (alone && /-\d{1,2}$/.test(value) && OPENED_LINE.test(lineAbove(text, begin))) return undefined
  const about = alone ? isAboutLine(text, begin) : isAbout() || USER_LINE.test(lineAbove(text, begin))
  if (about && (alone || hand > 1 || (likeness === 2 && hand > 0))) return found(false)
  if (alone && SHOWN_LINE.test(lineAbove(text, begin))) return undefined
  if (alone && likeness === 2) return isAbout() ? found(true) : undefined
  if (likeness === 2) return about || (hand >= 2 && !paired) || hand === 1.4 ? found(true) : undefined
  return (about && hand >= 2) || hand > 2 || (alone && isAbout()) ? found(true) : undefined
}

/** `user/…@DATABASE`. */
const ORACLE = /@(?:\/\/)?[A-Z][\w.:/-]*$/

/** `"requestId": …`, `model=…`: its name says that it isn't one. */
const NAMED_ID =
  /(?:id|uuid|hash|ref|version|host|region|model|image|branch|tag|sku|serial|class|package|module|file|path|url|uri)["']?\s?[:=]\s?["']?$/i

/** How firmly it is handed over: 3 by a word of entering, 2.5 beside a user or in a cell, 2 as what follows, 1.5 alone in a line, 1.4 in
 * parentheses, 1 by `with` and the like. */
const handOf = (text: string, before: string, after: string, begin: number, from: number, paired: boolean): number => {
  if (MODIFIES.test(after)) return 0
  if (ENTERS_BEFORE.test(before) || ENTERS_AFTER.test(after)) return 3
  if (USER_BEFORE.test(before)) return 2.8
  if (COMMENTED.test(before)) return 2.5
  if (CELL.test(before) && AFTER_CELL.test(after)) return 2.5
  if (before.endsWith('(') && after.startsWith(')')) return 1.4
  if (/^[\s"'`”’»*_)<.!]{0,6}(?:<\/\w{1,8}>)?\s*$/.test(after) && begin >= from - 90 && ALONE_BEFORE.test(before)) {
    const above = lineAbove(text, begin)
    if (USER_LINE.test(above) || paired) return 2.8
    return TYPED_LINE.test(above) ? 2 : 1.5
  }
  if (paired || FOLLOWS_BEFORE.test(before) || ANY_BEFORE.test(before)) return 2
  // `ops …`: a user and nothing else.
  // `EHLO gauge-07` is a command of a protocol.
  if (
    begin >= from - 90 &&
    /^[\p{L}][\w.@-]{1,30}\s$/u.test(before) &&
    !/^(?!PASS)[A-Z]{3,8}\s$/.test(before) &&
    after.trim() === ''
  )
    return 2
  return LINKS_BEFORE.test(before) || /\($/.test(before) ? 1 : 0
}

const lineAbove = (text: string, begin: number): string => {
  if (begin === 0) return ''
  const from = text.lastIndexOf('\n', begin - 2) + 1
  return text.slice(Math.max(from, begin - 200), begin - 1)
}

/** Names of members for what somebody said or typed. */
const TYPED_LINE = /^\W{0,3}(?:typed|entered|said|spoken|heard|given|answered|replied|whispered|dictated)\W{0,3}$/i
/** A field of a form. */
const FIELD_LINE = /^\W{0,3}(?:input\W{0,3})?(?:\w{1,20}[-_])?(?:pass|pw|pwd|password|secret|pin|code)\W*$/i
/** Names of members for what is shown. */
const SHOWN_LINE =
  /(?:theme|style|colou?r|mode|name|title|label|device|model|version|id|host|url|page|path|type|kind|brand|product|city|country|company|team|plan|locale|lang|language|agent|ua|image|icon|font|skin|template|layout|status|state|role|group|region|category|tag|location|place|room|address)s?$/i

/** Names of members for what is opened. */
const OPENED_LINE = /^\W{0,3}(?:door|gate|lock|entrance|reader|barrier|locker|garage|terminal|turnstile)s?\W{0,3}$/i

const isAboutLine = (text: string, begin: number): boolean => {
  const above = lineAbove(text, begin)
  if (FIELD_LINE.test(above)) return true
  // An item of a list, and no question.
  if (SHOWN_LINE.test(above) || (/^\p{Lu}/u.test(above) && !/\s|[:?_]/.test(above))) return false
  return ACCESS.test(above) || USER_LINE.test(above)
}

/** Particles and inflections of Japanese between words: nobody chooses them. */
const isSentence = (value: string): boolean =>
  value.length > 8 &&
  /[\p{Script=Han}\p{Script=Katakana}](?:は|が|を|には|では|から|まで)[^\s]{2}/u.test(value) &&
  /(?:[うくぐすつぬぶむるた]|です|ます|ない)$/u.test(value)

/** What stands around it, up to an empty line. */
const windowOf = (text: string, from: number, length: number): string => {
  const front = text.slice(Math.max(0, from - IN_FRONT), from)
  const back = text.slice(from + length, from + length + BEHIND)
  const gap = front.lastIndexOf('\n\n')
  const end = back.indexOf('\n\n')
  return `${gap < 0 ? front : front.slice(gap)} ${end < 0 ? back : back.slice(0, end)}`
}

/** The index at which the secret begins in `user/…` or `user:…`; 0 for other texts. */
const pairOf = (value: string): number =>
  /^(?:sha|md|h)\d|[A-Za-z\d+/]{30}/i.test(value)
    ? 0
    : (/^[\p{L}][\p{L}\p{N}_.@$-]{1,40}[/:](?=[^/:]{4,48}$|[^/:]{4,48}@[A-Z/])/u.exec(value)?.[0].length ?? 0)

/** `.pin-input{width:2580px}`: rules of a style sheet in one line. */
const STYLES =
  /[\w\])*"'-]\s?\{\s{0,4}(?:--[\w-]+|-?[a-z]+(?:-[a-z]+)+|background|colou?r|border|margin|padding|font|width|height|top|left|right|bottom|inset|display|grid|flex|gap|opacity|outline|overflow|position|content|cursor|transform|transition|animation|fill|stroke|filter|order)\s?:\s?[^{}\n]{1,300}\}/

/** `If the guard asks, …`, `Let op: …`: a sentence that begins like a statement. */
const WORDS_ONLY = /^\s*(?:[^\s(){}[\]=<>;]+\s+){5}[^(){}[\]=<>;]*$/

/** `<kit> log in as root …`: who writes in a chat. */
const CHAT_LINE = /^\s*<[@+%~&]?[\w-]{2,20}> [^<>(){}=;]{3,300}$/

/** A line of a program, but not a comment. */
export const isProgramLine = (line: string): boolean => STYLES.test(line) || isStatement(line)
const isStatement = (line: string): boolean =>
  !CHAT_LINE.test(line) &&
  (/[;{]\s*$|^\s*(?:[})\]]|from \S+ import|#include|<\w+[ >]|@\w+)|=>|\)\s*;/.test(line) ||
    (/^\s*(?:[+-]?\s?import|const|let|var|return|def|func|class|if|for|while|public|private|export|use |package )/.test(
      line,
    ) &&
      !WORDS_ONLY.test(line))) &&
  !/^\s*(?:\/\/|#(?!include)|--|\*|\/\*|<(?:p|li|b|td|span|div|h\d|em|strong|dd)\b)/.test(line)

/** Programs that get a user or open something. */
const COMMANDS =
  /(?:^|[\s/._-])(?:\w{0,12}(?:unlock|vault|passwd|decrypt|login|logon)|(?:add|mk|new|create|make)[-_]?user|useradd|adduser|telnet|vnc\w{0,10}|set[-_]?pass\w{0,8}|wifi[-_]\w{1,12}|kinit)/im
const COMMAND_LINE =
  /^[ \t]*(?:[$#>] ?)?(?:sudo )?(?:(?:python3?|node|bash|sh|perl|ruby) )?((?:\S*\/)?(?:(?:\w{1,12}[-_.])?(?:unlock|vault|passwd|decrypt|login|logon)|(?:add|mk|new|create|make)[-_]?user|useradd|adduser|telnet|vnc\w{0,10}|set[-_]?pass\w{0,8}|wifi[-_]\w{1,12}|kinit)(?:[-_]\w{1,12})?(?:\.(?:sh|py|pl|rb|js|ps1|bat|cmd|exe))?)((?: [^\s-][^\s]{0,80}){1,5})[ \t]*$/gim
const OPENS = /unlock|vault|decrypt/i

/** The last of several arguments, without an option: `./new-user.sh trainee …`, `telnet host admin …`. */
const commandLinesIn = (text: string, found: FoundInText): void => {
  for (const { 0: all, 1: program = '', 2: rest = '', index } of text.matchAll(COMMAND_LINE)) {
    const words = rest.trim().split(' ')
    const value = words.at(-1)!
    const likeness = chosenLikeness(value)
    if (likeness === 0 || (words.length < 2 && !OPENS.test(program))) continue
    const from = index + all.lastIndexOf(value)
    const behindUser = USER_LINE.test(words.at(-2) ?? '')
    const sure =
      likeness > 1 ||
      behindUser ||
      OPENS.test(program) ||
      (/\p{N}/u.test(value) && /^\p{L}+$/u.test(words.at(-2) ?? ''))
    found({ from, to: from + value.length, rule: RULE, ...(sure ? {} : DOUBTFUL) })
  }
}
