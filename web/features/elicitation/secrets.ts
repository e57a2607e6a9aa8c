/**
 * Whether a form requests a secret, which forms must not do (CF-FORM-09). A heuristic on words, wrong both ways at
 * times, so it only warns. Field names are judged alone; sentences only if a field could take a secret.
 */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'

export interface SecretSign {
  /** Name of the property; `undefined` for the message. */
  readonly key: string | undefined
  /** The words that matched. */
  readonly word: string
}

/** Match anywhere. Applied to lower-case words separated by single spaces. */
const STRONG = [
  'pass ?words?(?! (?:polic(?:y|ies)|length|strength|rules?|manager|less|free|hint|expiry|reset|protected|changed|change date|age))',
  'pass ?(?:phrases?|codes?)',
  'passwd',
  'pwd',
  '(?:api|access|secret|private|signing|encryption|decryption|ssh|auth|account|license|licence|master|shared|security|service|deploy|recovery|gpg|pgp|consumer|app|webhook)(?: secret)? ?keys?(?! (?:name|type|algorithm|size|length|count))',
  '(?:client|app|api|webhook|shared|signing|consumer) secrets?',
  'secrets?(?! (?:santa|name|manager|garden|ingredient|level))',
  'credentials?(?! (?:type|name|provider))',
  '(?:access|api|auth|authentication|authorization|bearer|refresh|session|security|id|personal access|oauth|git ?hub|git ?lab|slack|bot|csrf|jwt|device|login|secret|registration) tokens?(?! (?:count|type|limits?|expiry|lifetime|name|budget|usage))',
  'jwt',
  'pin (?:code|number|no)',
  '(?:card|bank|your|atm|sim|security|account|debit|credit) pin',
  '(?:credit|debit|bank|payment) ?cards?(?: (?:number|no|details?|data))?(?! (?:type|brand|network|issuer))',
  'card (?:number|no|num|details)',
  'cvv2?',
  'cvc2?',
  '(?:card )?(?:security|verification|authenticator|authentication|two factor|2fa|mfa|otp|sms|login|recovery|backup|one time) codes?',
  'one time (?:password|passcode|pin)s?',
  '2fa',
  'mfa(?! (?:enabled|type|method|policy))',
  't?otp',
  'ssn',
  'social (?:security|insurance)(?: (?:number|no))?',
  '(?:seed|recovery|mnemonic) (?:phrase|words)',
  'mnemonic phrase',
  'security (?:question|answer)',
  'bank account(?: (?:number|no|details))?',
]
/** Match only as the whole name of a field. */
const WHOLE = [
  'tokens?',
  'pin',
  'key',
  'secret key',
  'pass',
  'otp',
  'code secret',
  '(?:my|your|the|user) (?:token|pin|key)',
]
/** Match in a sentence that asks for them. */
const ASKED = '(?:token|pin|secret|key)(?! (?:count|limit|type|name|features?|points?|results?|size|budget))'
const ASKING = '(?:enter|provide|paste|type|input|give|supply|share|send|confirm|submit|need|what is|tell us)'

const CHINESE =
  /密码(?!学|强度|长度|策略|规则|复杂度|管理器|提示|重置|有效期)|密碼(?!學|強度|長度|政策)|口令(?!长度|策略)|[密秘私金]钥|[密私金]鑰|助记词|助記詞|(?<!无)(?:访问|身份|授权|认证|登录|安全)?(?:令牌|权杖|權杖)(?!桶|环|数|类型|上限|预算|总|用量|长度)|验证码|驗證碼|校验码|动态码|动态口令|安全码|授权码|恢复码|(?<![会學学]员?生?)(?:信用卡|银行卡|储蓄卡|信用卡)(?:卡?号|号码)?(?!类型|品牌)|银行账[号户]|卡号|身份证(?:号|号码)|社保号|密保|凭[证据](?!类型|名称)|憑證|CVV|PIN ?[码碼]/iu
const CHINESE_FINE = /会员卡号|学生卡号|图书卡号|饭卡号|门禁卡号|无密码/gu

const strong = new RegExp(`(?<![\\p{L}\\p{N}])(?:${STRONG.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
const whole = new RegExp(`^(?:${WHOLE.join('|')})$`, 'u')
const asked = new RegExp(`(?<![\\p{L}\\p{N}])${ASKING} (?:\\p{L}+ ){0,4}?(${ASKED})(?![\\p{L}\\p{N}])`, 'gu')
/** Negations before a match: the text says that it doesn't ask for it. */
const NOT = /(?:\bnot\b|\bnever\b|n't\b|\bdont\b|\bwithout\b|\bno\b|\bavoid\b|\bexcept\b|\bnon\b)[^.!?;]*$/u
const NOT_CHINESE = /(?:不要|请勿|切勿|勿|无需|不需要|不必|不会|無需|請勿)[^。！？；，]{0,12}$/u
/** Characters examined per text. */
const LONGEST = 5000

/** Signs of requested secrets in a form-mode elicitation; at most one per field, and one for the message. */
export const secretsIn = (params: JsonObject): SecretSign[] => {
  const schema = isObject(params.requestedSchema) ? params.requestedSchema : {}
  const properties = isObject(schema.properties) ? schema.properties : {}
  const signs: SecretSign[] = []
  const open = Object.entries(properties)
    .slice(0, 400)
    .filter(([, property]) => takesSecret(property))
  for (const [key, property] of open) {
    const word = secretOfField(key, property as JsonObject, Object.keys(properties))
    if (word !== undefined) signs.push({ key, word })
  }
  if (open.length > 0 && typeof params.message === 'string') {
    const word = secretInSentence(params.message)
    if (word !== undefined) signs.push({ key: undefined, word })
  }
  return signs
}

/** Booleans and choices from a list aren't secrets; a number may be a PIN. */
const takesSecret = (property: Json | undefined): boolean =>
  isObject(property) &&
  property.type !== 'boolean' &&
  property.type !== 'array' &&
  property.enum === undefined &&
  property.oneOf === undefined &&
  !['date', 'date-time'].includes(property.format as string)

const secretOfField = (key: string, property: JsonObject, siblings: readonly string[]): string | undefined => {
  if (property.format === 'password' || property.writeOnly === true) return 'format'
  const { title, description } = property
  const number = property.type === 'integer' || property.type === 'number'
  for (const name of [key, title]) {
    if (typeof name !== 'string') continue
    const words = wordsOf(name)
    // A dictionary entry has a key and a value; a number of tokens is a limit. Neither is a secret.
    const fine = (words === 'key' && siblings.includes('value')) || (number && /^(?:tokens?|key)$/.test(words))
    const word = fine ? undefined : (secretInSentence(name) ?? whole.exec(words)?.[0])
    if (word !== undefined) return word
  }
  return typeof description === 'string' ? secretInSentence(description) : undefined
}

/** @returns the words in a sentence or title that ask for a secret */
export const secretInSentence = (text: string): string | undefined => {
  const words = wordsOf(text.slice(0, LONGEST))
  for (const [expression, group] of [
    [strong, 0],
    [asked, 1],
  ] as const) {
    for (const match of words.matchAll(expression)) if (!NOT.test(words.slice(0, match.index))) return match[group]
  }
  const chinese = text.slice(0, LONGEST).replace(CHINESE_FINE, '')
  const found = CHINESE.exec(chinese)
  return found && !NOT_CHINESE.test(chinese.slice(0, found.index)) ? found[0] : undefined
}

/**
 * Normalises a name: `userAPIKey`, `user_api-key` and `User API key` become the same words. Sentence punctuation stays.
 */
const wordsOf = (text: string): string =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[_\-/]+/g, ' ')
    .replace(/’/g, "'")
    .replace(/[^\p{L}\p{N}'.!?;]+/gu, ' ')
    .trim()
