/** Error codes of JSON-RPC and MCP: reserved ranges, the `data` and the HTTP status that a code demands (BP-30 to BP-38). */
import { type Carrier, type LinkView, objectAt, type Observed, wordsOf } from '../link.ts'
import { group, type Say, show } from '../rule.ts'
import { ErrorCode, isObject, type Json, type JsonObject, type Seq } from '../../mcp/index.ts'
import { methodIn } from '../../mcp/schema/schema.ts'
import { declares } from './lifecycle.ts'
import { isMismatch, isSpoken, mismatchOf } from './http-heads.ts'

const CODE_RULES = [
  'BP-30',
  'BP-32',
  'BP-33',
  'BP-34',
  'BP-35',
  'BP-38',
  'SF-COMP-01',
  'SF-LOG-01',
  'SF-PROMPT-01',
  'SF-RES-01',
  'SF-RES-07',
  'SF-TOOL-01',
  'TASK-12',
  'TR-HDR-02',
  'TR-HDR-03',
  'TR-HDR-07',
  'TR-HDR-08',
  'TR-HDR-10',
  'TR-STDIO-15',
  'VN-25',
] as const
type CodeRule = (typeof CODE_RULES)[number]

const NAMES: Readonly<Record<number, string>> = {
  [ErrorCode.HeaderMismatch]: 'HeaderMismatch',
  [ErrorCode.MissingRequiredClientCapability]: 'MissingRequiredClientCapability',
  [ErrorCode.UnsupportedProtocolVersion]: 'UnsupportedProtocolVersion',
}
const KNOWN: ReadonlySet<number> = new Set(Object.values(ErrorCode))

/** The SDKs use -32000 to -32002, from earlier versions. */
const isNew = (code: number): boolean => code <= -32003 && code >= -32019

export const errorCodes = group(CODE_RULES, (view) => {
  /** The first result of each method. */
  const worked = new Map<string, Seq>()
  return {
    message(heard, say) {
      const code = heard.error?.code
      const { method } = heard
      if (heard.answer === 'first' && heard.result && method !== undefined && worked.size < MOST_WORKING) {
        if (!worked.has(method)) worked.set(method, heard.frame.seq)
      }
      if (heard.kind !== 'answer' || typeof code !== 'number' || !Number.isInteger(code)) return
      const related = heard.asked?.seq
      const pointer = `${heard.at}/error/code`
      const modern = (heard.revision ?? heard.asked?.revision) === '2026-07-28' || isOfNewer(heard, code)
      if (modern && NAMES[code]) named(heard, code, NAMES[code], say)
      else if (modern && code <= -32020 && code >= -32099) {
        const what = `The specification reserves -32020 to -32099 and doesn't define ${code}`
        say('BP-32', what, { pointer, related })
      } else if ((code >= -32768 && code < -32099 && !KNOWN.has(code)) || (modern && isNew(code))) {
        say('BP-38', `${code} is in the range that JSON-RPC reserves`, { pointer, related })
      }
      if (code === -32042) {
        const list = objectAt(heard.error, 'data')?.elicitations
        const found = Array.isArray(list) ? `${list.length} entries` : show(list)
        const ok = Array.isArray(list) && list.length > 0 && (list as readonly Json[]).every(isByUrl)
        if (!ok) {
          const what = `data.elicitations must list elicitations in "url" mode; found ${found}`
          say('BP-34', what, { pointer: `${heard.at}/error/data/elicitations`, related })
        }
      }
      meaning(heard, code, view, say)
      lost(heard, code, worked, say)
      resource(heard, code, view, say)
      version(heard, code, view, say)
      unknownMethod(heard, code, view, say)
      const status = heard.carrier?.response?.status
      // If a name was requested, the method may exist without that name.
      const lacks = code === ErrorCode.MethodNotFound && heard.asked?.subject === undefined
      if (modern && lacks && status !== undefined && status !== 404 && !view.oldSse) {
        say('VN-25', `HTTP ${status} with -32601; expected 404 for an unknown method`, { pointer, related })
      }
    },
    completed(_, carrier, say) {
      const [asked] = carrier.asked
      const status = carrier.response?.status
      if (!view.isModern || view.oldSse || carrier.method !== 'POST' || carrier.asked.length !== 1) return
      if (!asked || asked.state !== 'pending' || status === undefined || status < 400 || UNRELATED.has(status)) return
      if (!isUnknown(asked.method, view)) return
      const what = `HTTP ${status} without a JSON-RPC error to ${show(asked.method)}; expected 404 with -32601`
      say('VN-25', what, { related: asked.seq })
    },
  }
})

/**
 * A version that nobody knows was probed, and only a stateless server refuses it with this code: the connection has no
 * version yet.
 */
const isOfNewer = ({ asked, method }: Observed, code: number): boolean =>
  method === 'server/discover' && code === ErrorCode.UnsupportedProtocolVersion && asked !== undefined

/** Statuses that say nothing about the method: sign-in, load, and gateways. */
const UNRELATED: ReadonlySet<number> = new Set([401, 403, 407, 429, 502, 503, 504])

/** A method that neither the protocol nor an extension defines, or whose capability the server didn't declare. */
const isUnknown = (method: string, view: LinkView): boolean => {
  const here = methodIn(method, '2026-07-28', view.extensions())
  if (!here) return true
  const { capability } = here
  return (
    capability !== undefined && view.serverCapabilities !== undefined && !declares(view.serverCapabilities, capability)
  )
}

/**
 * VN-25 and BP-30: another code for a method that the server can't have. It may have a method of its own, so codes
 * about the content of a request prove nothing, except with 404.
 */
const unknownMethod = (heard: Observed, code: number, view: LinkView, say: Say<CodeRule>): void => {
  const { asked, carrier, revision, at } = heard
  if (!asked || revision === undefined || !view.settled || code === ErrorCode.MethodNotFound) return
  const isHttp = view.isModern && !view.oldSse && carrier?.response !== undefined
  const is404 = isHttp && carrier.response!.status === 404
  const details = { pointer: `${at}/error/code`, related: asked.seq }
  if (view.isModern ? !isUnknown(asked.method, view) : methodIn(asked.method, revision) !== undefined) return
  if (is404) return say('VN-25', `HTTP 404 with ${code}; an unknown method is -32601`, details)
  const words = wordsOf(heard.error)
  if (NO_METHOD.test(words)) {
    const what = `${show(words)} with ${code}; an unknown method is -32601`
    return say(isHttp ? 'VN-25' : 'BP-30', what, details)
  }
  if (code !== ErrorCode.InvalidRequest || asked.byHand) return
  say(isHttp ? 'VN-25' : 'BP-30', `${show(asked.method)} is refused with -32600; an unknown method is -32601`, details)
}

/** Says that the method is what the server lacks. */
const NO_METHOD =
  /\b(unknown|unsupported|unrecogni[sz]ed|no such) method\b|\bmethod (is )?(not (found|supported|implemented)|unknown|unsupported)\b/i

/** Methods that a declared capability always includes, by the row of the feature. Others a server may leave out. */
const INCLUDED: Readonly<Record<string, CodeRule>> = {
  'tools/list': 'SF-TOOL-01',
  'resources/list': 'SF-RES-01',
  'resources/subscribe': 'SF-RES-07',
  'prompts/list': 'SF-PROMPT-01',
  'completion/complete': 'SF-COMP-01',
  'logging/setLevel': 'SF-LOG-01',
  'tasks/list': 'TASK-12',
}

/** BP-30 and the rows of features: codes of JSON-RPC that contradict what is known about the request. */
const meaning = ({ id, at, asked, method, revision }: Observed, code: number, view: LinkView, say: Say<CodeRule>) => {
  if (!asked || method === undefined || revision === undefined) return
  const details = { pointer: `${at}/error/code`, related: asked.seq }
  if (code === ErrorCode.ParseError && id !== undefined && !asked.byHand) {
    return say('BP-30', `-32700 means that a message isn't JSON, but the error has the id of the request`, details)
  }
  const capability = Object.hasOwn(INCLUDED, method) ? methodIn(method, revision)?.capability : undefined
  if (code !== ErrorCode.MethodNotFound || capability === undefined || !view.settled) return
  if (!view.serverCapabilities || !declares(view.serverCapabilities, capability)) return
  say(INCLUDED[method]!, `-32601 to ${show(method)}, although the server declares ${capability}`, details)
}

/** Methods that a server has or hasn't. A ping has a row of its own, and an older server may respond to a probe. */
const WORKING = /^(tools|prompts|resources|completion|logging|tasks)\//
/** Methods that worked before, of one connection. */
const MOST_WORKING = 100

/** BP-30: -32601 to a method that the server has, as its earlier result shows. */
const lost = (
  { at, asked, method = '', error }: Observed,
  code: number,
  worked: ReadonlyMap<string, Seq>,
  say: Say<CodeRule>,
): void => {
  const before = worked.get(method)
  const words = wordsOf(error)
  // An unknown name, or a task that a tool doesn't support, is judged by its own row.
  const isAboutName = asked?.subject !== undefined && /\b(not found|unknown|no such|does not exist|task)/i.test(words)
  if (code !== ErrorCode.MethodNotFound || before === undefined || isAboutName || !WORKING.test(method)) return
  const what = `-32601 to ${show(method)}, which the server has: it returned a result before`
  say('BP-30', what, { pointer: `${at}/error/code`, related: before })
}

/** TR-HDR-02, TR-HDR-03: the code that says that the version in the header is the reason. */
const version = ({ at, asked, carrier, error }: Observed, code: number, view: LinkView, say: Say<CodeRule>): void => {
  const named = carrier?.headers.get('mcp-protocol-version')
  if (carrier && isMismatch(carrier, view)) {
    const isOther = code === ErrorCode.UnsupportedProtocolVersion && named !== undefined && !isSpoken(named, view)
    if (code === ErrorCode.HeaderMismatch || isOther) return
    const what = `${mismatchOf(carrier)}; expected -32020, found ${code}`
    return say('TR-HDR-02', what, { pointer: `${at}/error/code`, related: asked?.seq })
  }
  if (view.oldSse || named === undefined || carrier?.response?.status !== 400) return
  if (!view.isModern) {
    if (named !== view.revision || asked?.byHand || !/\bversion\b/i.test(wordsOf(error))) return
    const what = `The server negotiated ${named}, and refuses it`
    return say('TR-HDR-03', what, { pointer: `${at}/error`, related: asked?.seq })
  }
  // Such a header usually differs from the body, too, which is an error of its own.
  if (code === ErrorCode.UnsupportedProtocolVersion || code === ErrorCode.HeaderMismatch || isSpoken(named, view))
    return
  const what = `MCP-Protocol-Version ${show(named)} is refused with ${code}; expected -32022`
  say('TR-HDR-03', what, { pointer: `${at}/error/code`, related: asked?.seq })
}

const isByUrl = (entry: Json): boolean => isObject(entry) && entry.mode === 'url'

/** TR-HDR-10: HTTP clients write names in lower case, which a server that compares them letter by letter misses. */
const overlooked = (
  error: JsonObject | undefined,
  carrier: Carrier | undefined,
  pointer: string,
  related: Seq | undefined,
  say: Say<CodeRule>,
): void => {
  const words = wordsOf(error)
  const name =
    /\b(?:missing|requires?|required|absent|without|no)\b/i.test(words) && /\bmcp-[a-z0-9-]+/i.exec(words)?.[0]
  if (!name || !carrier?.headers.get(name.toLowerCase())) return
  say('TR-HDR-10', `${name} was sent, in whatever case; header names are case-insensitive`, { pointer, related })
}

/** The form of a header value that isn't plain ASCII (TR-HDR-08). */
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** TR-HDR-08: a header that says in its encoded form what the body says. */
const undecoded = ({ asked, carrier, at }: Observed, say: Say<CodeRule>): void => {
  const value = carrier?.headers.get('mcp-name')
  const encoded = value === undefined ? undefined : ENCODED.exec(value)?.[1]
  if (encoded === undefined || !asked?.subject || asked.byHand || decoded(encoded) !== asked.subject) return
  const what = `Mcp-Name is ${show(asked.subject)} in base64, as in the body; the server didn't decode it`
  say('TR-HDR-08', what, { pointer: `${at}/error`, related: asked.seq })
}

const decoded = (base64: string): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    return undefined
  }
}

const DEMANDS_NAME =
  /\bmcp-name\b.{0,30}\b(required|missing|absent|expected)\b|\b(missing|requires?|no)\b.{0,30}\bmcp-name\b/i

/** BP-33 */
const named = (heard: Observed, code: number, name: string, say: Say<CodeRule>): void => {
  const { error, carrier, at, asked } = heard
  const related = asked?.seq
  // The refused version may be one that nobody knows.
  const revision = '2026-07-28'
  const status = carrier?.response?.status
  if (status !== undefined && status !== 400) {
    const what = `HTTP ${status} with ${code} ${name}; expected 400`
    say('BP-33', what, { pointer: `${at}/error/code`, related, revision })
    if (code === ErrorCode.UnsupportedProtocolVersion)
      say('TR-HDR-03', what, { pointer: `${at}/error/code`, related, revision })
  }
  if (code === ErrorCode.HeaderMismatch && !asked?.byHand) {
    if (!carrier)
      say('TR-STDIO-15', `${code} ${name} on stdio, which has no headers`, { pointer: `${at}/error`, related })
    else if (asked?.subject === undefined && DEMANDS_NAME.test(wordsOf(error)))
      say('TR-HDR-07', `${show(asked?.method)} doesn't have Mcp-Name`, { pointer: `${at}/error`, related })
  }
  if (code === ErrorCode.HeaderMismatch) {
    overlooked(error, carrier, `${at}/error`, related, say)
    undecoded(heard, say)
  }
  const data = objectAt(error, 'data')
  const fault = (key: string, due: string) =>
    say('BP-33', `${name} requires data.${key}, ${due}; found ${show(data?.[key])}`, {
      pointer: `${at}/error/data/${key}`,
      related,
      revision,
    })
  if (code === ErrorCode.MissingRequiredClientCapability && !isObject(data?.requiredCapabilities))
    fault('requiredCapabilities', 'an object')
  if (code === ErrorCode.UnsupportedProtocolVersion && !Array.isArray(data?.supported))
    fault('supported', 'an array of protocol versions')
  if (code === ErrorCode.UnsupportedProtocolVersion && typeof data?.requested !== 'string')
    fault('requested', 'the requested protocol version')
}

/**
 * BP-35: the code for a missing resource changed. If the code is ambiguous, only the message text shows that the
 * resource is missing.
 */
const resource = (
  { error, method, at, asked, revision }: Observed,
  code: number,
  view: LinkView,
  say: Say<CodeRule>,
): void => {
  if (method !== 'resources/read' || revision === undefined) return
  const details = { pointer: `${at}/error/code`, related: asked?.seq }
  const words = wordsOf(error)
  // Without the capability, -32601 is right whatever its message says.
  const hasReads = declares(view.serverCapabilities ?? {}, 'resources') && !/\bmethod\b/i.test(words)
  const isMissing =
    (hasReads || code !== ErrorCode.MethodNotFound) &&
    /\b(not found|no such|does not exist|unknown resource)\b/i.test(words)
  if (revision === '2026-07-28') {
    if (code === -32002 || (isMissing && code !== ErrorCode.InvalidParams)) {
      say('BP-35', `Since 2026-07-28, a missing resource is -32602; found ${code}`, details)
    }
  } else if (isMissing && code !== -32002) {
    say('BP-35', `Up to 2025-11-25, a missing resource is -32002; found ${code}`, details)
  }
}
