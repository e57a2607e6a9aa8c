/** Keys of `_meta`: their syntax, and which prefixes are reserved. */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import type { Observed } from '../link.ts'
import { group, show, step, type Say } from '../rule.ts'

const RULES = ['META-02', 'META-03', 'META-04', 'META-05', 'META-07', 'META-15'] as const
type Id = (typeof RULES)[number]

/** Keys checked per object, and items per list. */
const MOST_KEYS = 200
const MOST_ITEMS = 2_000

const LABEL = /^[a-z]([a-z\d-]*[a-z\d])?$/i
const NAME = /^[a-z\d]([a-z\d._-]*[a-z\d])?$/i

/** Keys defined by the core specification and the project's own extensions. */
const DEFINED =
  /^io\.modelcontextprotocol\/(related-task|model-immediate-response|protocolVersion|clientCapabilities|clientInfo|logLevel|serverInfo|subscriptionId|tasks|ui|skills)$/

export const meta = group(RULES, () => ({
  message({ message, at, revision }, say) {
    // Before 2025-06-18, there are no rules on keys.
    if (revision === undefined || revision < '2025-06-18') return
    for (const part of ['params', 'result'] as const) {
      const holder = message[part]
      if (!isObject(holder)) continue
      const pointer = `${at}/${part}`
      within(holder, pointer, revision, say)
      for (const key in holder) {
        const list = holder[key]
        if (!Array.isArray(list)) continue
        const items = list as readonly Json[]
        for (let index = 0; index < items.length && index < MOST_ITEMS; index++) {
          const item = items[index]
          if (isObject(item)) within(item, `${pointer}/${key}/${index}`, revision, say)
        }
      }
    }
  },
}))

const within = (holder: JsonObject, above: string, revision: Observed['revision'], say: Say<Id>): void => {
  const keys = Object.hasOwn(holder, '_meta') ? holder._meta : undefined
  if (!isObject(keys)) return
  let left = MOST_KEYS
  for (const key in keys) {
    if (left-- <= 0) return
    const pointer = step(`${above}/_meta`, key)
    judgeKey(key, pointer, revision, say)
    const fault = traceFault(key, keys[key])
    if (fault !== undefined) say('META-15', fault, { pointer })
  }
}

const judgeKey = (key: string, pointer: string, revision: Observed['revision'], say: Say<Id>): void => {
  for (const { rule, explanation } of keyFaults(key, revision)) say(rule, explanation, { pointer })
}

/** Violations of a key under the protocol versions that have rules on keys. */
export const keyFaults = (
  key: string,
  revision: Observed['revision'],
): readonly { readonly rule: Id; readonly explanation: string }[] => {
  const faults: { rule: Id; explanation: string }[] = []
  const slash = key.indexOf('/')
  const name = key.slice(slash + 1)
  if (name !== '' && (name.length > 1_000 || !NAME.test(name))) {
    const explanation = `The name of a key must begin and end with a letter or digit; found ${show(name)}`
    faults.push({ rule: 'META-05', explanation })
  }
  if (slash === -1) return faults
  const prefix = key.slice(0, slash)
  const labels = prefix.split('.', 20)
  if (prefix.length > 1_000 || !labels.every((label) => LABEL.test(label))) {
    const explanation = `The prefix of a key must consist of labels separated by dots; found ${show(prefix)}`
    return [...faults, { rule: 'META-02', explanation }]
  }
  if (DEFINED.test(key)) return faults
  const isOurs = (label: string | undefined) => label === 'modelcontextprotocol' || label === 'mcp'
  const once = labels.some((label, index) => isOurs(label) && index < labels.length - 1)
  if (revision === '2025-06-18' ? once : isOurs(labels[1])) {
    const rule = revision === '2025-06-18' ? 'META-03' : 'META-04'
    const explanation = `The prefix ${show(prefix)} is reserved for the protocol, which doesn't define this key`
    faults.push({ rule, explanation })
  } else if (labels.length > 1 && isTop(labels.at(-1)!) && !isTop(labels[0]!)) {
    const explanation = `The prefix of a key is in reverse order, like com.example; found ${show(prefix)}`
    faults.push({ rule: 'META-07', explanation })
  }
  return faults
}

/** Top-level domains that prefixes begin with. Two letters are a country. */
const isTop = (label: string): boolean => /^([a-z]{2}|com|org|net|edu|gov|info|app|dev|cloud|tech)$/i.test(label)

/** META-15: W3C Trace Context and Baggage. */
const traceFault = (key: string, value: Json | undefined): string | undefined => {
  if (key !== 'traceparent' && key !== 'tracestate' && key !== 'baggage') return undefined
  if (typeof value !== 'string') return `${key} must be a string; found ${show(value)}`
  const text = value.slice(0, 10_000)
  if (key === 'traceparent') {
    const [, version, trace, span] = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/.exec(text) ?? []
    const zero = /^0*$/
    const ok = trace !== undefined && version !== 'ff' && !zero.test(trace) && !zero.test(span!)
    return ok ? undefined : `traceparent must be version-trace-parent-flags in lower-case hex; found ${show(value)}`
  }
  const members = text.split(',', 200).map((member) => member.trim())
  const member = key === 'tracestate' ? /^[a-z\d][a-z\d_\-*/@]*=[^,=]*$/ : /^[^\s"(),/:;<=>?@[\]{}]+\s*=/
  const odd = members.find((each) => each !== '' && !member.test(each))
  return odd === undefined ? undefined : `${key} must be a list of name=value pairs; found ${show(odd)}`
}
