/** What a text looks like: a secret, a placeholder, or something already masked. */

/** The replacement for a secret. */
export const markOf = (rule: string): string => `‹removed: ${rule.replace(/[‹›\s]+/g, ' ')}›`

const MASK = /‹removed: [^‹›]{1,200}›|•{3,}(?: \(\d{1,5}\+? characters\)|\(\d+\))?|… \(\d{1,5} characters\)/g

/** Spans that are already masked, here or at capture, in order. */
export const masksIn = (text: string): readonly (readonly [from: number, to: number])[] =>
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
    'null undefined none nil void true false yes no on off string str text number int integer boolean bool object array any',
    'required optional default example sample unknown missing invalid empty redacted hidden masked removed secret password',
    'token bearer basic digest oauth oauth2 apikey jwt api_key api-key include same-origin omit enabled disabled public',
    'private read write value values field key body header query cookie path self this other auto inherit always never',
    'bytes buffer uint8array type types enum password123 changeme placeholder expired valid revoked authorization',
    'authentication credentials credential session username user email passphrase code error',
  ].flatMap((line) => line.split(' ')),
)

const PLACEHOLDER =
  /^(?:<[^<>]*>|\[[^\]]*\]|\{[^}]*\}|\(.*\)|\$\{.*|\$[A-Za-z_]\w*|%[A-Z_]+%|%[sdv]|\{\{.*\}\}|x{3,}|X{3,}|\*+|\.{2,}|…|-+|_+|#+|\?+|your[-_ ].*|my[-_ ](?:token|key|secret|password|api).*|YOUR[-_ ].*|insert[-_ ].*|REPLACE.*|.{0,4}\.\.\.|.{0,10}…)$/s

/** @param name the secret's name: a label repeats it, as in `"password": "Password"` */
export const isPlaceholder = (value: string, name = ''): boolean => {
  const trimmed = value.trim()
  if (trimmed === '' || isMasked(trimmed)) return true
  const lower = trimmed.toLowerCase()
  return WORDS.has(lower) || PLACEHOLDER.test(trimmed) || plainWords(lower) === plainWords(name)
}

const plainWords = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Names of algorithms, versions, dates. */
const TERM =
  /^(?:utf-?\d+|sha-?\d+|md\d|base\d+|oauth\d?|[rhep]s\d+|ed\d+|v?\d+(?:\.\d+)*(?:-\w+)?|https?\d?|rfc-?\d+|h\d|x\d+|\d{4}-\d\d-\d\d.*|[\d:.,+/-]+(?:ms|s|m|h|kb|mb|gb|k)?)$/i

/** Digits and letters in one word: words of a natural or programming language rarely contain digits. */
export const looksMade = (value: string): boolean =>
  value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value) && !TERM.test(value) && !/^[\w.-]+\(/.test(value)

/** Distinctive enough to be removed wherever it occurs. */
export const isDistinct = (value: string): boolean => {
  if (value.length < 6 || isPlaceholder(value)) return false
  if (/^\d+$/.test(value)) return value.length >= 8
  if (/^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u.test(value)) return value.length >= 12
  if (value.length < 8 && TERM.test(value)) return false
  return true
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
