/** What a text looks like: a secret, a placeholder, or something already masked. */
import { describesField, isFieldState } from './field-descriptions.ts'

/** The replacement for a secret. */
export const markOf = (rule: string): string => `‹removed: ${rule.replace(/[‹›\s]+/g, '-')}›`

/** With the ID of a rule in it, and no other words, which somebody may hide in such a mark. */
const MASK =
  /‹(?:removed: |已移除：)[a-z][a-z\d:._-]{0,59}›|•{3,}(?: \(\d{1,5}\+? (?:characters|个字符)\)|\(\d+\))?|… \(\d{1,5} (?:characters|个字符)\)/g

/** Spans that are already masked, here or at capture, in order. */
export const hiddenIn = (text: string): readonly (readonly [from: number, to: number])[] =>
  text.includes('‹') || text.includes('•') || text.includes('…')
    ? Array.from(text.matchAll(MASK), ({ 0: mask, index }) => [index, index + mask.length] as const)
    : []

/** Nothing of it is left to remove. A session ID keeps its first eight characters when captured. */
export const isMasked = (text: string): boolean =>
  (text.includes('‹') || text.includes('•') || text.includes('…')) &&
  /^(?:[A-Za-z]+ )?[\x20-\x7e]{0,8}$/.test(text.replace(MASK, ''))

/** Placeholder words in the position of a secret. */
const WORDS: ReadonlySet<string> = new Set(
  [
    'undefined void true false yes no on off string str text number int integer boolean bool object array any',
    'default example sample redacted removed secret password token bearer basic digest oauth oauth2 apikey jwt',
    'api_key api-key include same-origin omit public private read write value values field key body header query',
    'cookie path self this other auto inherit always never bytes buffer uint8array type types enum password123',
    'changeme placeholder revoked authorization benötigt notwendig nascosto needed ok done used accepted rejected',
    'deleted passwort kennwort contraseña senha motdepasse wachtwoord hasło heslo пароль şifre demo negotiate',
    'ntlm dpop gnap authentication credentials credential session username user email passphrase code error',
    'word words char chars line lines sentence',
  ].flatMap((line) => line.split(' ')),
)

const PLACEHOLDER =
  /^(?:<[^<>]*>|\[[^\]]*\]|\{(?![A-Za-z\d+/=]{24,}\}$)[^}]*\}|\(.*\)|\$\{.*|\$\(.*|\$[A-Za-z_]+\d*(?:_\w*)?|%[A-Z_]+%|%[sdv]|\{\{.*\}\}|x{3,}|X{3,}|\*+|\.{2,}|…|-+|_+|#+|\?+|your[-_ ].*|(?:VOTRE|TON|DEIN|DEINE|IHR|TU|SU|SEU|SUA|TUO|TUA|JE|JOUW|UW|DIN|DITT|TW[OÓ]J[AE]?|VA[SŠ][EA]?|TV[OA]J[EA]?)_\p{Lu}[\p{Lu}_]*|.{0,8}[-_](?:your|my)[-_](?:api[-_]?)?(?:key|token|secret|password).*|ENC\[.*|my[-_ ](?:token|key|secret|password|api).*|YOUR[-_ ].*|(?:insert|put[-_ ]your)[-_ ].*|REPLACE.*|[\w-]{0,10}(?:\.\.\.|…)\w{0,6}|.{0,10}…)$/su

/** @param name the secret's name: a label repeats it, as in `"password": "Password"` */
export const isPlaceholder = (value: string, name = ''): boolean => {
  const trimmed = value.trim()
  if (trimmed === '' || isMasked(trimmed)) return true
  const lower = trimmed.toLowerCase()
  if (
    /^0{6,}\d?$|^change[-_ ]?me(?:[-_ .!].{0,12})?$|x{6,}|\*{4,}|^\W{1,2}$|^0x[\da-f]{1,8};?$|^(?:\\u[\da-f]{4})+$/i.test(
      trimmed,
    )
  )
    return true
  if (/^[^\p{L}\p{N}_]{3}$/u.test(trimmed)) return true
  // A colour, as of design tokens.
  if (/^#(?:[\da-f]{6}|[\da-f]{8}|(?=.{0,3}[a-f])[\da-f]{3,4})$/i.test(trimmed)) return true
  // When a token expires; an address of a network card under `mac`.
  if (/^\d{4}-\d\d-\d\d(?:[T ][\d:.]{5,12}(?:Z| ?UTC| ?GMT|[+-]\d\d:?\d\d)?)?$/.test(trimmed)) return true
  if (/^(?:[\da-f]{2}[:-]){5}[\da-f]{2}$/i.test(trimmed)) return true
  if (REFERENCE.test(trimmed) || ABSENT.test(trimmed) || isAlgorithm(trimmed) || COLUMN_TYPE.test(trimmed)) return true
  if (isFieldState(trimmed) || isValidation(trimmed)) return true
  return (
    WORDS.has(lower) ||
    PLACEHOLDER.test(trimmed) ||
    (STAND_IN.test(trimmed) && SECRET_WORD.test(trimmed)) ||
    (name !== '' && plainWords(lower) === plainWords(name))
  )
}

/** `required|string|min:8`: what a value must be. */
const VALIDATES =
  /(?:^|\|)(?:required|nullable|sometimes|present|filled|string|confirmed|bail|prohibited|exclude|trim|optional)(?:\||$)/
const isValidation = (value: string): boolean =>
  value.includes('|') &&
  value.length < 200 &&
  VALIDATES.test(value) &&
  value.split('|').every((piece) => /^[a-z][a-z_]{1,30}(?::[^|]{0,60})?$/.test(piece))

/** `ecdsa-with-SHA384`, `Argon2id`, `AES-256-GCM`: how something is encrypted, signed or hashed. */
const ALGORITHM =
  /^(?:rsa|dsa|ecdsa|eddsa|ecdhe?|dhe?|ed\d{3,5}|[xp]\d{3}|sha\d{0,3}|md[245]|ripemd\d*|aes\d*|3?des|rc[24]|gcm|ccm|cbc|ctr|ecb|siv|chacha20|x?salsa20|xchacha20|poly1305|argon2(?:id|i|d)?|bcrypt|scrypt|yescrypt|pbkdf2|hkdf|hmac|cmac|blake[23][bs]?|keccak\d*|whirlpool|sm[234]|gost\w{0,8}|secp\d+[kr]\d|prime\d+v\d|brainpool\w+|curve\d+|kyber\d*|ml|kem|dilithium\d?|ntlm(?:v2)?|scram|totp|hotp|u2f|fido2?|webauthn|x509|pkcs\d*|pss|oaep|mgf\d|tls|ssl|v?\d{1,4}|with|and|and_|plus)$/i
const isAlgorithm = (value: string): boolean =>
  value.length > 4 &&
  value.length < 60 &&
  /^[A-Za-z]/.test(value) &&
  value.split(/[-_/+]/).every((piece) => ALGORITHM.test(piece))

/** `varchar255`, `int4`: types of columns. */
const COLUMN_TYPE =
  /^(?:n?varchar2?|n?char|string|text|u?int(?:eger)?|bigint|smallint|tinyint|uuid|float|double|decimal|numeric|bool(?:ean)?|bytea?|blob|binary|varbinary|timestamp(?:tz)?|datetime|serial|jsonb?)(?:\(\d{1,5}(?:, ?\d{1,2})?\))?$|^(?:n?varchar2?_?\d{1,4}|n?char\d{1,3}|(?:u?int|float)(?:2|4|8|16|32|64|128|256)|serial[248])$/i

/** Words that say that there is none: `not set`, `n/a`. */
const ABSENT =
  /^(?:(?:not|none|never|no longer)[ _-](?:yet[ _-])?(?:set|configured|provided|available|applicable|given|specified|found|shown|stored|needed|required|used|supported)|n\/a)$/i

/** Where a secret is kept: `op://Vault/item/password`. Keys that documentation shows end in `EXAMPLE`. */
const REFERENCE =
  /^(?:(?:op|vault|keychain|keyring|bws|pass|env|doppler|infisical|gcp-?sm|aws-?sm|ssm|akv|secrets?|secretsmanager|ref\+\w+):\/\/[\w./@#?=:+-]+|arn:aws[\w-]*:\S+|projects\/[\w-]+\/secrets\/\S+|env:[A-Z_][A-Z\d_]*|@Microsoft\.KeyVault\(.*|(?:vault|secrets?|ssm|sops|keyvault|kms|ref|file):[\w.-]*\/[\w./-]+(?:#[\w.-]+)?|[A-Za-z\d/+]{8,40}EXAMPLE(?:KEY)?)$/

const plainWords = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** `my-passphrase`, `your_api_key`, `example-token`: a name for a secret in documentation. */
const STAND_IN =
  /^(?:(?:my|your|example|sample|test|dummy|fake|demo|placeholder|insert|enter)[-_ .]?|(?:the|a|an|some|any|this|put|new|old)[-_ .])(?:[a-z]{1,14}[-_ .]?){0,3}$/i
const SECRET_WORD = /pass|secret|token|key|pwd|credential|code|pin/i

/** Names of algorithms, versions, dates. */
const TERM =
  /^(?:utf-?\d+|sha-?\d+|md\d|base\d+|oauth\d?|[rhep]s\d+|ed\d+|v?\d+(?:\.\d+)*(?:-\w+)?|https?\d?|rfc-?\d+|h\d|x\d+|\d{4}-\d\d-\d\d.*|[\d:.,+/-]+(?:ms|s|m|h|kb|mb|gb|k)?)$/i

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const PATH =
  /^(?:(?:~|\.{1,2})?\/(?:[\p{L}\p{M}\p{N}_.@ -]{1,40}\/)*[\p{L}\p{M}\p{N}_.@ -]{0,40}|[A-Za-z]:[\\/][^*?"<>|\n]{0,300}|\\\\[\w.-]+\\[^*?"<>|\n]{0,300})$/u
/** A URL without a name, a password or a query. */
const URL_ONLY = /^(?:https?|file|wss?):\/\/[^\s@?]*$/
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/

/** The hash of a package in the store of Nix. */
const STORED = /(?<=\/(?:nix|gnu)\/store\/)[a-z\d]{32}-/g
/** What a shell shows in front of a command: `ada@host:~/folder$`. */
const SHELL = /^[\w.-]+@[\w.-]+:(?:~|\/)\S*$/

/** A file or a folder: the value of `PWD`, and of names such as `--key`. */
export const isPath = (value: string): boolean => {
  const path = value.includes('/store/') ? value.replace(STORED, '') : value
  return PATH.test(path) && !/[\w@ -]{33,}/.test(path)
}

/** Weaknesses and advisories, IDs of traces and accounts, public keys: published, so never a secret. */
const PUBLIC_ID =
  /^(?:(?:CVE|CAN)-\d{4}-\d{3,8}|(?:CWE|CAPEC|EUVD|JVNDB|OSV|MAL|PYSEC|RUSTSEC|GO|GSD|RH[SBE]A|DSA|USN|TALOS|ZDI|VU|ICSA?|MS|KB|XSA)[-#]\d[\d:.-]{0,23}|SNYK-[A-Z]{2,12}-[A-Z\d]{1,40}-\d{3,10}|GHSA(?:-[a-z\d]{4}){3}|[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}|(?:(?:Root|Parent|Self)=)?1-[\da-f]{8}-[\da-f]{24}|[\da-f]{16}(?:[\da-f]{16})?-[\da-f]{16}(?:-[01d](?:-[\da-f]{16})?)?|(?:[\da-f]{8,32}:){2}[\da-f]{1,16}:[\da-f]{1,2}|0x[\da-f]{40}|age1[a-z\d]{50,60})$/i
export const isPublicId = (value: string): boolean => PUBLIC_ID.test(value)

/** The files that ssh-keygen makes. */
const KEY_FILE = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.pub)?$/

/** Where a secret is or whose, but not the secret. */
export const isPlace = (value: string): boolean =>
  KEY_FILE.test(value) ||
  SHELL.test(value) ||
  isPath(value.replace(/(?::\d{1,7}){1,2}$|(?::|,)(?:r[ow]|z|cached|delegated|nocopy)(?:,(?:r[ow]|z))*$/i, '')) ||
  URL_ONLY.test(value) ||
  EMAIL.test(value)

/** Words of letters, and numbers and versions between them: `Apache-2.0`, `OAuth 2.0`, `gpt-4o-mini`. */
const isSlug = (value: string): boolean =>
  !/[-_.]{2}/.test(value) && value.split(/[-_./:,;\s]+/).every((piece) => SLUG_PIECE.test(piece))

const SLUG_PIECE =
  /^(?:\p{Lu}?\p{Ll}{0,14}|\p{Lu}{1,12}|(?:\p{Lu}?\p{Ll}+){1,4}|v?\d{1,4}\p{Ll}{0,2}|\p{L}{1,5}\d{1,2})$/u

/** `Ctrl+Shift+P`, `Cmd-K`, `Strg+C`. */
const KEYS =
  /^(?:(?:ctrl|control|cmd|command|alt|altgr|option|opt|shift|meta|super|hyper|win|windows|fn|mod|strg|umschalt|maj|may[uú]s|[⌘⌥⇧⌃])[+-])+[^\s]{1,12}$/i

export const isKeyCombination = (value: string): boolean => KEYS.test(value)

/** Characters that each stand for a syllable or a word, with a digit: `도토리8묵`. */
const SHORT_MIXED =
  /^(?=.*\d)(?=(?:.*[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]){3})(?!.*(?:第|년|월|일|개|명|원|층|호|번|장|年|月|日|時|分|秒|个|個|号|號|円|元|人|件|回|位|桁|文字))[\p{L}\p{N}]+$/u

/** Nobody would say or type this but as a secret or an ID: letters and digits mixed, or symbols within. */
export const looksSecret = (value: string): boolean => {
  if (value.length > 3 && value.length < 6 && SHORT_MIXED.test(value)) return !isPlaceholder(value)
  if (value.length < 6 || value.length > 16_384 || isPlace(value)) return false
  // A sentence of a language without spaces.
  if (/[。、！？]/.test(value)) return false
  if (UUID.test(value)) return true
  if (/^[\d\s.,:+-]+$/.test(value)) return /^\d{12,}$/.test(value)
  if (TERM.test(value) || isKeyCombination(value)) return false
  if (isNoise(value)) return true
  // `gpt-4o-mini` and `Apache 2.0` are names; `khwoo-maswvr-9869` isn't.
  if (/\s/.test(value) || isSlug(value))
    return value.length >= 12 && value.length < 80 && /\p{L}{4,}\d{2,}$|[-_.](?!(?:19|20)\d\d)\d{4}$/u.test(value)
  if (
    /^[\w.-]+\(/.test(value) ||
    (/^[\w$]+(?:\.[\w$]+)+$/.test(value) && value.split('.').every((part) => isSlug(part)))
  )
    return false
  if (/\d/.test(value) && /\p{L}/u.test(value)) return true
  if (/\p{L}[^\p{L}\p{N}\s._:/,;-]+[\p{L}\p{N}]/u.test(value) && value.length >= 8) return !/[<>(){}[\]=&]/.test(value)
  // Capitals in places where no name of a program has them.
  if (
    value.length >= 10 &&
    /^[A-Za-z]+$/.test(value) &&
    (value.match(/[a-z](?=[A-Z])/g) ?? []).length > value.length / 4
  )
    return true
  return (
    value.length >= 16 &&
    /^[\w+/=~-]+$/.test(value) &&
    bitsOf(value) >= 3.5 &&
    /\p{Ll}\p{Lu}+\p{Ll}+\p{Lu}{2}|\p{Lu}{2}\p{Ll}\p{Lu}/u.test(value)
  )
}

/** Letters, digits and a lot of signs without any order, as salts and keys of WordPress. */
const isNoise = (value: string): boolean =>
  value.length >= 24 &&
  value.length <= 200 &&
  new Set(value.match(/[^A-Za-z\d\s]/g)).size > 7 &&
  /\d/.test(value) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  !/[A-Za-z]{5}|\n/.test(value) &&
  bitsOf(value) > 4.3

const FUNCTION_WORD =
  /\b(?:is|are|was|be|est|ist|es|sont|sind|obligatoire|erforderlich|obligatorio|must|should|may|can|cannot|the|a|an|of|to|at|in|on|or|and|not|no|for|from|with|by|your|this|that|it|if|when|than|too|please|enter|use)\b/i

/** Words about a secret rather than a passphrase: `must have 8 characters`. */
const isSentence = (value: string): boolean =>
  /\s\S+\s|\.$/.test(value) && /\s/.test(value) && FUNCTION_WORD.test(value)

/** What a person responds to the question of a service; the caller knows that it is the name of a secret. */
export const isAnswerName = (name: string): boolean =>
  /answer|antwort|r[ée]ponse|respuesta|risposta|resposta|r[ăa]spuns|antwoord|svar(?!i)|vastaus|atbild|atsakym|odpowied[źz]|odpov[ěe][ďd]|odgovor|v[áa]lasz|cevap|yan[ıi]t|jawaban|ответ|відповідь|отговор|одговор|απ[άα]ντηση|תשובה|جواب|إجابة|پاسخ|उत्तर|答|답/iu.test(
    name,
  )
/** A name or some words, and no message about one. */
export const isAnswer = (value: string): boolean =>
  /^\p{L}[\p{L}\p{M}\p{N} .,'’&-]{1,60}$/u.test(value) &&
  value.split(' ').length < 8 &&
  !isPlaceholder(value) &&
  !describesField(value) &&
  !ABSENT.test(value) &&
  !/\b(?:must|should|enter|required|your|here|answer|réponse|respuesta|risposta|resposta|antwort|antwoord|svar|hint|incorrect|wrong|match|matches|not set|saved|updated)\b/iu.test(
    value,
  )

/** Words in a row that form no sentence. */
export const isPhrase = (value: string, least: number): boolean => {
  const words = value.split(/[\s-]+/)
  return (
    words.length >= least &&
    new Set(words).size > words.length / 2 &&
    !FUNCTION_WORD.test(value) &&
    !words.some((word) => WORDS.has(word)) &&
    !/\b(?:characters?|letters?|least|longer|minimum|change|reset|forgot|contain|between|here|above|below|have|has|you|we|after|before|stored|set|was|will|do|does|wrong|match(?:es)?|incorrect|failed|successfully|updated|changed|again|new|old)\b/.test(
      value,
    )
  )
}

/** In groups of one length, as recovery keys are shown: `Hj74 H61g 01Dc TZkv`. */
const GROUPS =
  /^[A-Za-z\d]{3,8}(?: [A-Za-z\d]{3,8}){3,15}$|^[\dA-F]{2}(?: [\dA-F]{2}){11,31}$|^[\da-f]{2}(?: [\da-f]{2}){11,31}$/
/** A key of eight bytes or more, as people enter it: `C1D9 5E2A 7F08 B364`. */
const HEX_GROUPS = /^(?=[^A-F]*[A-F])(?=\D*\d)[\dA-F]{4}(?: [\dA-F]{4}){3,15}$/i
const ungrouped = (value: string): string =>
  GROUPS.test(value) && new Set(value.split(' ').map(({ length }) => length)).size === 1
    ? value.replaceAll(' ', '')
    : value

/** Long and without order; not a UUID or a hash, which are names of things. */
export const isRandomKey = (written: string): boolean => isRandom(ungrouped(written))
const isRandom = (value: string): boolean =>
  value.length >= 20 &&
  /^[\w+/=.~|?:-]+$/.test(value) &&
  !UUID.test(value) &&
  !/^[\da-f]{40,}$/i.test(value) &&
  !isSlug(value) &&
  bitsOf(value) >= 3.3 &&
  (/\d/.test(value) || /\p{Ll}\p{Lu}+\p{Ll}+\p{Lu}/u.test(value))

/** `^6.0.0`: a package may have any name. */
const VERSION = /^[\^~>=<v ]{0,3}\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?$/
/** Words of a language that has no spaces between them. */
const LABEL = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、：]{2,}$/u

/** One or two digits; the sizes of a policy, as in `min=12;classes=3`; a key that pages publish. */
const NO_SECRET = /^\d{1,2}$|^(?:[a-z_-]{2,20}=\d{1,4}[;,]? ?){2,}$|^pk_(?:test|live)_\w+$/i

/** The digits zero of scripts that have digits of their own. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x17e0, 0x1810, 0xff10,
]
/** `৪৮২০৬১`: the digits of a script as those of ASCII. */
export const asciiDigits = (text: string): string =>
  text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!
    const zero = ZEROS.find((one) => code >= one && code < one + 10)
    return zero === undefined ? digit : String(code - zero)
  })

/** What a page keeps in its storage, under a key with the ID of a user in it. */
const KEPT =
  /^(?:users?|app|apps|account|cart|basket|cache|config|data|draft|form|history|lang|locale|layout|list|page|pref(?:erence)?s?|profile|progress|project|score|session|settings?|state|store|tab|theme|ui|view|visit(?:or)?|window)$/i

/** `cart-8841-draft`, `user:42:settings`, `grp_71k2`: a short key, or words and numbers. */
const isComposedKey = (value: string): boolean =>
  value.length < 16 ||
  value.split(/[-_:./@#]+/).every((piece) => /^(?:\p{L}{0,24}|v?\d{1,13}|[\da-z]{1,6})$/u.test(piece))

/** What one types at a door, reads from a message or turns at a dial: `58B3`, `q7Wf2`, `*8D41`, `K7-MZ40-QX`, `R32-L7-R51`. */
export const isTypedCode = (written: string): boolean => {
  // `*73#0912`
  if (/^[*#]\d{1,6}[*#]\d{2,8}[#*]?$/.test(written)) return true
  const value = written.replace(/^[#*]|[#*]$/g, '')
  if (value.length < 4 || value.length > 24) return false
  const digits = (value.match(/\d/g) ?? []).length
  if (/^[A-Za-z\d]{4,6}$/.test(value))
    return (
      (/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d[A-Za-z]/.test(value)) ||
      /^\d{1,4}[A-Z]{1,2}\d{1,4}$/.test(value) ||
      // Letters and digits change places more than once, or both kinds of letters do.
      (digits > 0 && /[A-Z]\d+[A-Z]|\d[A-Z]+\d|\d[a-z]\d[a-z]/.test(value))
    )
  const pieces = value.split(/[-–. /]/)
  // A turn of a dial: its direction and a number.
  if (
    pieces.length > 2 &&
    pieces.length < 7 &&
    pieces.every((piece) => /^(?:\p{L}{1,2}\d{1,3}|\d{1,3}\p{L}{1,2})$/u.test(piece))
  )
    return true
  if (
    !pieces.every(
      (piece) =>
        /^(?:[A-Z]{0,4}\d{0,6}[A-Z]{0,4}|[a-z]{0,3}\d{1,6}[a-z]{0,3}|[A-Z]?[½¼¾])$/.test(piece) && piece !== '',
    )
  )
    return false
  if (pieces.length > 3 && digits > 0 && pieces.every((piece) => piece.length === 1)) return true
  if (/[½¼¾]/.test(value)) return pieces.length > 2
  // `C4-19`
  if (pieces.length === 2 && digits > 2 && pieces.some((piece) => /^(?:[A-Z]\d{1,2}|\d{1,2}[A-Z])$/.test(piece)))
    return true
  // An ID has one word in front of its number.
  return pieces.length > 2 && pieces.length < 6 && digits > 2 && !/^\d+(?:\.\d+)+$/.test(value)
}

/** Whether a value under this name is a secret, and not a word, a label or a path. */
export const isSecretOf = (
  {
    id,
    ambiguous,
    digits,
    number,
    random,
    looksUp,
  }: {
    readonly id?: string
    readonly ambiguous?: true
    readonly digits?: true
    readonly number?: true
    readonly random?: true
    readonly looksUp?: true
  },
  written: string,
): boolean => {
  const value = asciiDigits(written)
  if (
    isPlace(value) ||
    describesField(value) ||
    isSentence(value) ||
    (id !== 'name:identity' && VERSION.test(value)) ||
    LABEL.test(value) ||
    NO_SECRET.test(value)
  )
    return false
  if (random) return isRandomKey(value)
  if (number) return /^[#*]?\d(?:[ -]?\d){3,7}[#*]?$/.test(value)
  if (looksUp && isComposedKey(value)) return false
  // The tax number of a person, not that of a company. Whatever else the name means there, a random key is a secret.
  if (id === 'name:nif')
    return /^(?:\d{8}|[KLMXYZ]\d{7})[ -]?[A-Z]$|^[123]\d{2}[ .]?\d{3}[ .]?\d{3}$/i.test(value) || isRandomKey(value)
  // `4821`, `2580#`, `7791-KX`
  // Fewer digits count something: `dni` are days in Polish, `nie` is no.
  if (id === 'name:identity' && (value.match(/\d/g) ?? []).length < (/^\d*$/.test(value) ? 7 : 5)) return false
  if (id === 'name:identity' && /^\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(value)) return false
  // `65 170839 J 003`
  if (
    id === 'name:identity' &&
    value.length < 30 &&
    /^[A-Z\d](?:[ ./-]?[A-Z\d]){6,25}$/.test(value) &&
    (value.match(/\d/g) ?? []).length > 6
  )
    return true
  if (digits && /^[#*]?[A-Z]{0,3}\d(?:[ ./-]?\d){2,22}(?:[#*]\d{0,2}|[A-Z])?$|^\d{3,6}-?[A-Z]{1,3}$/.test(value))
    return true
  // `QQ 12 34 56 C`, but in a column of codes, `KLM-1042` is a product.
  if (digits && id?.startsWith('name:') && /^[A-Z]{0,3}[ -]?\d(?:[ ./-]?\d){2,22}[ -]?[A-Z]?$/.test(value)) return true
  if ((id === 'name:pin' || id === 'name:redeem-code') && digits && isTypedCode(value)) return true
  // A security ID of Windows, the ID of a resource of Twilio.
  if (id === 'name:cookie' && /^S-1-\d|^(?!SK)[A-Z]{2}[\da-f]{32}$|^.{1,7}$/.test(value)) return false
  // `vole-9931-xx-c`
  if (
    id === 'name:key' &&
    /^(?=.{10})[a-z\d]+(?:-[a-z\d]+){2,7}$/i.test(value) &&
    /(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{3,6}(?!\d)/.test(value) &&
    !value.split('-').some((piece) => KEPT.test(piece))
  )
    return true
  if ((id === 'name:key' || id === 'name:api-key') && !looksUp && HEX_GROUPS.test(value)) return true
  return ambiguous === undefined || looksSecret(value) || (GROUPS.test(value) && isRandomKey(value))
}

/** Distinctive enough to be removed wherever it occurs, if the user typed it as a secret. */
export const isDistinct = (value: string): boolean => {
  if (value.length < 6 || isPlaceholder(value)) return false
  if (/^\d+$/.test(value)) return value.length >= 8
  if (/^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u.test(value)) return value.length >= 12
  if (value.length < 8 && TERM.test(value)) return false
  return true
}

/** Long and random enough to be removed wherever it occurs, though only its name in somebody's text says it is a secret. */
export const isUnique = (value: string): boolean => {
  if (!isDistinct(value) || isPlace(value)) return false
  if (looksSecret(value) || value.length >= 16) return true
  return !isSlug(value) && value.length >= 8
}

/** Shannon entropy in bits per character. */
export const bitsOf = (text: string): number => {
  const counts = new Map<string, number>()
  for (const unit of text) counts.set(unit, (counts.get(unit) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** The part of a secret that may be shown for a decision: at most its first four characters. */
export const previewOf = (value: string): string => {
  const shown = value.slice(0, Math.min(4, Math.floor(value.length / 4))).replace(/\s/g, ' ')
  return `${shown}… (${value.length})`
}

/** Authentication schemes in use (RFC 9110 section 11.1): the secret follows them. */
const SCHEME = /^(?:Bearer|Basic|Token|DPoP|Digest|ApiKey|Negotiate|Key|AWS4-HMAC-SHA256) +(?=\S)/i

/** Length of the scheme in front of a credential. */
export const schemeLength = (value: string): number => SCHEME.exec(value)?.[0].length ?? 0
