/**
 * How much a single token looks like a password that a person chose: words joined with digits, separators and signs, in
 * any script. Names of models, files, versions, keys and programs look similar and count as nothing.
 */
import { describesField, isFieldState } from './field-descriptions.ts'
import { isKeyCombination, isPlace, isPlaceholder } from './heuristics.ts'
import type { NameRule } from './secret-names.ts'
import { isCode, isOrdinary, passwordLikeness } from './passwords.ts'

/**
 * 0: hardly a password. 1: joined words, which may be a name as well. 2: words mixed with digits. 3: hardly anything but
 * a password.
 */
export type Chosen = 0 | 1 | 2 | 3

/** Longest and shortest token. */
const LEAST = 5
const MOST = 48

/** Names of formats, standards, programs and chips that mix letters and digits, wherever they stand. */
const FORMATS =
  /base(?:16|32|36|58|62|64|85)|utf-?\d|sha-?\d|\bmd[245]|oauth|ipv[46]|http[23]|h26[45]|x(?:86|64)|win(?:32|64)|u?int(?:8|16|32|64)|float(?:16|32|64)|\bmp[34]|i18n|l10n|a11y|k8s|neo4j|log4[a-z]|web3|es20\d\d|gpt|word2|seq2|text2|img2|p2p|b2b|b2c|what3|ed25519|secp\d|curve\d|aes\d|[rhe]s(?:256|384|512)|crc\d|nghttp|socks[45]|murmur|xxhash|postgre|sqlite|^1password/i
/** Names of parts, products and things that are counted: as a whole piece. */
const COUNTED = new RegExp(
  `(?:^|[-_./]|\\d)(?:${[
    'python|node|vue|html|css|rfc|iso|ieee|ansi|ascii|latin|usb|hdmi|llama|claude|gemini|mistral|qwen|phi|bert|flux|sora|opus|sonnet|haiku|turbo|mini|nano|pro|max|ultra|plus|lite|preview|beta|rc|alpha',
    's3|ec2|r2|gp[23]|t[234]|m[567]i?|c[567]\\w?|uuid|ulid|vlan|eth|wlan|tty|sda|nvme|arm|amd|intel|nvidia|rtx|gtx|ryzen|iphone|ipad|galaxy|pixel|windows|macos|ubuntu|debian|fedora|centos|android|mysql|mongo|mongodb|redis|kafka|docker|kubernetes|github|gitlab|bitbucket|google|amazon|azure|aws|auth|okta|npm|yarn|pnpm|webpack|react|angular|svelte|django|flask|spring|graphql|grpc|json|yaml|toml|xml|csv|pdf|png|jpe?g|webp|svg|gif|avif',
    'covid|vitamin|omega|apollo|boeing|airbus|route|highway|studio|level|grade|class|chapter|section|figure|fig|table|tab|page|part|step|phase|stage|sprint|round|week|month|year|day|quarter|item|index|version|build|release|test|example|sample|demo|user|client|server|worker|agent|task|issue|ticket|order|invoice|room|floor|building|street|track|channel|series|season|episode|model|module|group|team|unit|option|layer|tier|zone|region|cluster|sensor|device|port|slot|rack|disk|pod|shard|batch|job|run|line|column|row|cell|sheet|slide|frame|image|img|photo|video|audio|file|doc|document|chunk|vendor|main|bundle|param|arg|var|value|field|key|id|player|game|map|mission|quest|patient|case|trial|dose|study|article|rule|act|bill|court|exhibit|container|shipment|pallet|gate|dock|lane|flight|train|bus|car|star|planet|comet|galaxy|nebula|orbit|object|record|entry|event|message|node|edge|vertex|point|vector|matrix|layer|head|block|hash|address|account|wallet|contract|method|function|variable|constant|component|widget|button|screen|view|modal|dialog|form|input|output|result|response|request|query|draft|descriptor|schema|spec|type|kind|mode|state|status|code|error|warning|signal|thread|process|queue|topic|stream|buffer|cache|pool|set|list|array|tree|graph|plot|chart|axis|color|colour|font|style|theme|icon|logo|label|tag|branch|commit|patch|fix|bug|feature|feat|epic|story|milestone|plan|budget|report|survey|question|answer|choice|answer|exam|lesson|unit|course|book|volume|vol|note|memo|mail|call|meeting|camera|scan|lens|pump|valve|motor|engine|relay|switch|router|printer|scanner|monitor|display|laptop|desktop|phone|tablet|watch',
  ].join('|')})(?:\\d{0,4})(?=$|[-_./])`,
  'i',
)
/** Interfaces of switches: `GigabitEthernet0/1`, `xe-0/0/3`. */
const INTERFACE =
  /^(?:[A-Za-z]{0,20}Ethernet|Bundle-Ether|Port-?channel|Loopback|Tunnel|Vlan|Serial|(?:Ten|TwentyFive|Forty|Hundred)GigE?|[gx]e-|et-)\d{1,4}(?:\/\d{1,3}){0,4}(?:[.:]\d{1,4})?$/i

/** Pieces of compounds that are names of parts, settings and headers rather than words that somebody chose. */
export const COMPOUND =
  /^(?:content|www|proxy|transfer|location|retry|strict|accept|access|cache|user|x|set|get|last|if|no|non|pre|post|re|sub|multi|semi|anti|auto|self|cross|inter|read|write|well|high|low|long|short|real|open|full|half|one|two|first|second|third|end|start|front|back|up|down|on|off|in|out|over|under|all|any|key|value|type|name|list|file|data|base|test|code|time|date|day|client|server|web|app|api|url|uri|http|https|json|xml|html|css|js|ts|node|git|docker|cloud|data|model|token|auth|id|e|co|ex|vice|mid|pro|post|ultra|super|micro|nano|mega|bio|geo|neo|eco|tele|thermo|hydro|electro|cyber|meta|hyper|de|en|fr|es|it|pt|zh|ja|ko|ru|nl|sv|da|nb|nn|no|fi|pl|cs|hu|el|tr|us|uk|gb|eu|cn|jp|br)$/i

const LETTERS = /\p{L}/u
const DIGIT = /\p{N}/u
const SIGN_WITHIN = /[\p{L}\p{N}][!$^*?~#%&+]{1,3}[\p{L}\p{N}]/u
const FILE =
  /\.(?:[a-z]{1,4}|mp[34]|bz2|h5|m3u8|7z|[A-Z]{2,4}|html|json[lc5]?|yaml|toml|lock|scss|sass|less|svelte|astro|ipynb|parquet|feather|sqlite\d?|docx|xlsx|pptx|jpeg|webp|avif|tiff|mpeg|flac|woff2?|class|swift|scala|proto|graphql|properties|config|example|local|internal|test|invalid|localhost|service|socket|timer|plist|gradle|tfvars|tfstate|dockerfile|gitignore|editorconfig|npmrc|bashrc|zshrc|profile)$/

/** Programs, addresses, encodings, versions, references, measures, IDs: the cheap test. */
const STRANGE =
  // eslint-disable-next-line no-control-regex -- control characters distinguish bytes from text
  /[<>{}[\]()=;"'`\\|]|:\/\/|::|@v?\d[\d.]*[a-z]?(?:\+\w+)?$|\+(?:json|xml|yaml|zip|cbor|gzip|quic|proto)$|#L\d|#\d{2,}$|![rsa]$|\+\+|[\u0000-\u001f\ufffd]|%[\dA-F]{2}|\.{2}|\/{2}|^[@$~^%/.&*#]|[/:]$|^[A-Za-z\d+/]{20,}$|^(?=.*\d)[\da-f-]{7,}$/i
/** `10kg`, `24h`, `3rd`, `1920x1080`, `3.5mm`. */
const MEASURE = /^[+-]?\d[\d.,:/x×-]*\p{L}{1,5}(?:[/²³]\p{L}{0,3})?$/u

/** Likeness by signs within words: `birch!Lamp`, `salt&Pepper7`. */
const bySigns = (value: string): Chosen => {
  // Queries, globs, templates, addresses, references to issues and lines, methods of classes.
  if (FILE.test(value) || /^[A-Z][A-Za-z]+\$(?:\d+|[A-Z]\w*)$/.test(value)) return 0
  if (/[@=:]|^[\w.-]+\/|[-/.]\*|\*[-/.]|[\w-]+#\d+$|#L\d+|%[sdif]|&&|\?\?|\*\*|^[\w./-]+#[\w-]+$/.test(value)) return 0
  if (/^[\w.-]+\?[\w.-]+$/.test(value) && /[.-]/.test(value)) return 0
  const pieces = value.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece !== '')
  if (pieces.length > 6) return 0
  const words = pieces.filter((piece) => /\p{L}{3,}/u.test(piece)).length
  const digits = DIGIT.test(value)
  // `Q&A`, `C++20`, `AT&T`, `R&D`, `a+b`: names and formulas.
  if (words === 0 || (words < 2 && !digits)) return 0
  const firm = /[\p{L}\p{N}][!$?~^]{1,3}[\p{L}\p{N}]/u.test(value)
  if (firm && !/^[a-z]+\$[a-z]*$|^[A-Z]\w*\$[A-Z\d]/.test(value)) return 3
  if (/^[a-z]{4,}\$[a-z]{4,}$/.test(value)) return 2
  // `Smith&Sons`, `docker+compose`, `Array#map`, `2*x`: names, formulas.
  if (digits && words > 0 && /\p{Lu}/u.test(value) && !/^[\p{L}]+[+*]\d|^\d+[+*]/u.test(value)) return 3
  if (/^\p{Ll}{3,}[&+%#*]\p{Lu}\p{Ll}{2,}$/u.test(value)) return 2
  return words > 1 && /[&+%#*]/.test(value) && /\p{Lu}/u.test(value) && !/^\p{Lu}{2,}|[.-]/u.test(value)
    ? 1
    : digits && words > 1
      ? 2
      : 0
}

/** `ladder9ladder`, `r4inbow`, `BlueHeron88`, `quartz77`. */
const bySingleWord = (value: string): Chosen => {
  if (!DIGIT.test(value)) {
    // Words of another alphabet than ASCII joined by capitals: no name of a program has them.
    return /\P{ASCII}/u.test(value) && /\p{Ll}\p{Lu}\p{Ll}/u.test(value) ? 1 : 0
  }
  if (isTechnical(value)) return 0
  // Digits between letters: a join of words, or a letter written as a digit.
  if (/^\p{L}{3,16}\p{N}{1,4}\p{L}{2,16}$/u.test(value)) return 2
  if (/^\p{L}{1,2}[013457]\p{Ll}{3,14}$/u.test(value)) return 2
  if (/^\p{L}{1,12}[01345]\p{L}{0,6}[01345]\p{L}{1,12}$/u.test(value) && value.length > 6) return 2
  if (/^\p{Lu}?\p{Ll}{2,14}(?:\p{Lu}\p{Ll}{2,14}){1,3}\p{N}{1,6}$/u.test(value))
    return /\P{ASCII}|\d\d/u.test(value) ? 2 : 1
  if (/^\p{N}{1,4}\p{L}{4,16}\p{N}{0,4}$/u.test(value)) return 1
  return /^\p{L}{5,16}\p{N}{1,6}$/u.test(value) ? 1 : 0
}

/** `copper-Lantern5`, `Bridge/Moss/41`, `heron.Lake`, `Marsh_bell`: joined by separators. */
const byPieces = (value: string): Chosen => {
  // `3-day`, `4-Isobutylphenyl`: so many, or where.
  if (/^[-_./]|[-_./]{2}|^\d{1,3}[-.]/.test(value) || FILE.test(value)) return 0
  const pieces = value.split(/[-_./]/)
  if (pieces.length > 7 || pieces.some((piece) => /^[a-z]+(?:[A-Z][a-z]+)+(?:V?\d*)$/.test(piece))) return 0
  const words = pieces.filter((piece) =>
    /^[\p{L}\p{M}]*\p{L}{3}[\p{L}\p{M}\p{N}]*$|^\p{L}[\p{L}\p{N}]{2,}\p{L}\p{N}?$/u.test(piece),
  )
  if (words.length === 0) return 0
  const digits = DIGIT.test(value)
  const capitals = /\p{Lu}\p{Ll}|\p{Ll}\p{Lu}/u.test(value)
  if (isTechnical(value) || pieces.some((piece) => COMPOUND.test(piece) && !/^(?:in|de|no|on|en|es|it)$/.test(piece)))
    return 0
  // Too many pieces without a word are an ID.
  if (words.length < pieces.filter((piece) => !/^\p{N}+$/u.test(piece)).length / 2) return 0
  if (value.includes('/')) {
    // Only what isn't a path or a choice of two.
    if (
      /[-_.]/.test(value) ||
      !pieces.every((piece) => /^(?:\p{Lu}?\p{Ll}{2,}|\d{1,4}|\p{Lu}\p{Ll}*\d{1,4})$/u.test(piece))
    )
      return digits && capitals && pieces.length === 2 ? 1 : 0
    return digits && capitals ? 2 : capitals && pieces.length < 4 ? 1 : 0
  }
  if (digits) {
    const own = words.some((word) => word.length > 3)
    if (!own) return 0
    // Versions and years: `plum-3.2`, `2024-report`.
    if (/\d\.\d|^\d{4}[-_.]|[-_.](?:19|20)\d\d[-_.]/.test(value)) return 0
    if (capitals || /\P{ASCII}/u.test(value)) return 2
    return pieces.length > 1 && !/_\d+$/.test(value) ? 1 : 0
  }
  if (!capitals && !/\P{ASCII}/u.test(value)) return /^[a-z]{3,12}(?:-[a-z]{1,12}){2,5}$/.test(value) ? 1 : 0
  return words.some((word) => word.length > 3) ? 1 : 0
}

/** A name of a format, a program, a chip or a numbered thing. */
export const isTechnical = (value: string): boolean =>
  FORMATS.test(value) || COUNTED.test(value) || INTERFACE.test(value)

export const chosenLikeness = (value: string): Chosen => {
  if (value.length < LEAST || value.length > MOST || STRANGE.test(value) || !LETTERS.test(value)) return 0
  // Codes of capitals and digits: orders, flights, plates, models.
  if (/^\p{Lu}?\p{Ll}+$|^[a-z][a-z.-]*#\d+$/u.test(value) || MEASURE.test(value) || !/\p{Ll}|\p{Lo}/u.test(value))
    return 0
  const likeness = likenessOf(value)
  return likeness > 0 && (isPlaceholder(value) || isPlace(value) || isKeyCombination(value)) ? 0 : likeness
}

const likenessOf = (value: string): Chosen => {
  if (INTERFACE.test(value)) return 0
  const digits = DIGIT.test(value)
  const known = digits ? passwordLikeness(value) : undefined
  if (known === 'certain') return 3
  const signs = SIGN_WITHIN.test(value)
  if (signs) {
    const likeness = bySigns(value)
    if (likeness > 0) return likeness
  }
  // A sign at the end belongs to the sentence, unless digits are in front.
  if (digits && /^\p{L}{4,}\p{N}{2,}[!?#*$]$/u.test(value) && !isTechnical(value)) return 2
  if (signs || /[^\p{L}\p{M}\p{N}_./-]/u.test(value)) return 0
  const likeness = /[-_./]/.test(value) ? byPieces(value) : bySingleWord(value)
  if (likeness > 0) return isProgram(value) ? 0 : likeness
  return known === 'likely' && !isOrdinary(value) && !isCode(value) && !isTechnical(value) ? 2 : 0
}

/** Names of variables and members: `readFile`, `Content-Type`, `os.path.join`. */
const isProgram = (value: string): boolean =>
  /^(?:com|org|net|io|dev|edu|gov)\.|^[a-z]+(?:_[a-z\d]+)+$|^[a-z]+(?:[A-Z][a-z]+)+\d?$|^[\w$]+(?:\.[a-z_][A-Za-z_$]*)+$|^[a-z][\w$]*(?:\.[a-z_][\w$]*)+$|^[\p{Lu}\d_]+$/u.test(
    value,
  )

/** Words of messages and labels about a password, in the languages of forms. */
export const ABOUT_PASSWORD =
  /pass|pwd|secret|token|key\b|credential|character|letter|digit|symbol|number|must\b|should|required|requires|optional|invalid|valid\b|wrong|incorrect|match|short|long\b|weak|strong|common|blank|empty|missing|least|most\b|minimum|maximum|between|enter\b|choose|forgot|reset|change|update|your\b|please|used\b|stored|provided|failed|expire|login|log in|sign in|auth|account|user|field|value|string|default|e-?mail|leave|keep|see |read |from (?:the |a )?(?:env|config|file|key)|kenn|wort\b|zeichen|bitte|muss|mindestens|mot de|caract|obligatoire|doit|contrase|debe|senha|deve|caratter|tecken|merk|znak|символ|должен/i

/** Words for a password, in a label or a message. */
export const NAMES_PASSWORD =
  /pass ?(?:word|phrase|code)|kennwort|passwort|mot de passe|contrase|contras[eè]ny|senha|wachtwoord|has[lł][oae]|hasłem|[sş]ifre|парол|l[oö]senord|passord|adgangskod|salasan|hesl[oa]|jelsz|parol[aăei]|лозинк|lozink|zapork|gesl[oa]|gaslo|гасл|κωδικ|סיסמ|كلمة (?:المرور|السر)|رمز عبور|密码|密碼|パスワード|비밀번호|kata sandi|kata laluan|mật khẩu/iu

/** Under the name of a password: several words that form no message about it, as in `old boats rest by the pier`. */
export const isWordsOfPassword = ({ id, ambiguous }: NameRule, value: string): boolean =>
  (id === 'name:password' || id === 'name:recovery') &&
  ambiguous === undefined &&
  value.length < 80 &&
  /^[\p{L}\p{N}'’-]+(?: [\p{L}\p{M}\p{N}'’,-]+){2,7}[.!?]?$/u.test(value) &&
  !ABOUT_PASSWORD.test(value) &&
  !NAMES_PASSWORD.test(value) &&
  !describesField(value) &&
  !(/^\p{Lu}/u.test(value) && /\.$/.test(value))

/** What a text says of such a word instead. */
export const SAID_INSTEAD =
  /^(?:not?|nicht|non|kein\p{L}*|pas|ikke|inte|niet|nie|ei|нет|не) |\b(?:see|ask|siehe|voir|ver|vedi|zie|se|frag|forgot\w*|vergessen|required|yes|no|sealed|by phone)\b/iu

/** Anything but a sentence that ends: two to nine words. */
const FEW_WORDS = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*(?:[,&]? [\p{L}\p{M}\p{N}'’&+-]+){1,8}[!?]{0,2}$/u

/**
 * A few words at a place that ends for certain: a cell, a quotation, a block of YAML. The name is that of a password, or a
 * word for one with what it opens.
 */
export const areWordsInPlace = (rule: NameRule, value: string): boolean =>
  isWordsOfPassword(rule, value) ||
  ((rule.id === 'name:password' || rule.id === 'name:recovery') &&
    (rule.ambiguous === undefined || rule.worded === true) &&
    value.length < 80 &&
    FEW_WORDS.test(value) &&
    !ABOUT_PASSWORD.test(value) &&
    !NAMES_PASSWORD.test(value) &&
    !SAID_INSTEAD.test(value) &&
    !describesField(value) &&
    !isFieldState(value) &&
    !isFieldState(value.split(' ')[0]!) &&
    !isPlaceholder(value))

/** What programs call the parts of what they read. */
const OF_PROGRAM =
  /^(?:app|apps|args?|attr|auth|base|body|cache|cfg|client|code|conf(?:ig)?|const(?:ants)?|context|core|cred(?:ential)?s?|data|db|default|env|environ(?:ment)?|error|field|file|form|global|header|host|http|id|info|input|item|json|key|lib|local|login|mail|main|model|module|my|name|node|opt(?:ion)?s?|os|output|param(?:eter)?s?|pass(?:word|wd)?|path|private|prop(?:erty|erties)?|public|read|req(?:uest)?|res(?:ponse|ult|ource)?|secret|self|server|service|session|set(?:ting)?s?|spec|state|store|str(?:ing)?|sys(?:tem)?|temp|test|text|this|token|type|types|url|user(?:name)?|util|val(?:ue)?|var|vault|view|web|yaml)s?$/i
/**
 * `ravel.Moor.Ink`: words joined by dots, each with a capital but perhaps the first, of which no program is made. Two
 * words, as in `Tern.Gull`, may be a class and its member.
 */
export const areDottedWords = (value: string): 'sure' | 'perhaps' | undefined => {
  const pieces = value.split('.')
  if (pieces.length < 2 || pieces.length > 6 || value.length > 60) return undefined
  if (
    !pieces.every(
      (piece, at) =>
        /^\p{Lu}\p{Ll}{2,14}(?:\d{2,4})?$|^\d{1,4}$/u.test(piece) || (at === 0 && /^\p{Ll}{3,14}$/u.test(piece)),
    )
  )
    return undefined
  if (pieces.some((piece) => OF_PROGRAM.test(piece)) || !/\p{L}/u.test(pieces[0]!)) return undefined
  return pieces.length > 2 || /\p{Ll}\d{3,4}$/u.test(value) ? 'sure' : 'perhaps'
}
