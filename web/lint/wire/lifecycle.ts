/** The handshake, and what it negotiated. */
import { eraOf, ErrorCode, isObject, isRevision, REVISIONS, type Json } from '../../mcp/index.ts'
import { objectAt, type Observed, type LinkView, wordsOf } from '../link.ts'
import { group, show, step, type Say } from '../rule.ts'
import { keyFaults } from './meta.ts'
import { methodIn, rowsOf } from '../../mcp/schema/schema.ts'

const RULES = [
  'TR-HDR-03', 'VN-01', 'CF-ELIC-01', 'CF-ROOT-01', 'CF-SAMP-01', 'CF-SAMP-08', 'CF-URL-08', 'LC-05', 'LC-07', 'LC-09', 'SF-COMP-01', 'SF-LOG-01', 'SF-PROMPT-01',
  'SF-PROMPT-07', 'SF-RES-01', 'SF-RES-07', 'SF-RES-13', 'SF-TOOL-01', 'SF-TOOL-21', 'TASK-01', 'TASK-02', 'TASK-12', 'TEXT-01', 'UT-PING-01', 'UT-PING-04', 'VN-04',
  'VN-06', 'VN-07', 'VN-29',
] as const // prettier-ignore
type Id = (typeof RULES)[number]

/** LC-05: what a server may send before `initialized`. Progress and cancellations belong to requests. */
const EARLY: ReadonlySet<string> = new Set([
  'ping',
  'notifications/message',
  'notifications/progress',
  'notifications/cancelled',
])

export const lifecycle = group(RULES, (view) => {
  /** What counts only if the server turns out to be stateless: an older one may refuse it (VN-21). */
  let early: ((say: Say<Id>) => void)[] = []
  /** VN-01, VN-04, VN-29 and TR-HDR-03, told once a result shows that the server is stateless. */
  const stateless = (heard: Observed, say: Say<Id>): void => {
    const { result, error, answer } = heard
    if (view.isModern && typeof result?.resultType === 'string') for (const tell of early.splice(0)) tell(say)
    else if (error && answer === 'first' && early.length < MOST_EARLY && !heard.asked?.byHand)
      for (const [rule, what] of earlyFaults(heard, view))
        early.push((later) => later(rule, what, { related: heard.frame.seq, once: true }))
  }
  return {
    renewed: () => void (early = []),
    message(heard, say) {
      const { kind, method } = heard
      if (kind === 'answer') {
        if (method === 'initialize' && heard.answer === 'first') handshake(heard, say)
        else undeclaredFeature(heard, view, say)
        if (method === 'server/discover') discovered(heard, view, say)
        stateless(heard, say)
        if (method === 'initialize') unnamedVersions(heard, view, say)
        if (method === 'ping') pinged(heard, view, say)
        if (method === 'tasks/list' || method === 'tasks/result') served(heard, view, say)
        return
      }
      if (!view.isModern && !view.initialized && view.revision !== undefined && !EARLY.has(method!)) {
        say('LC-05', `${show(method)} came before the client sent notifications/initialized`)
      }
      if (!unknownMethod(heard, say)) undeclaredCapability(heard, view, say)
    },
    gaveUp({ why }, asked, say) {
      // A lost connection isn't the server's silence.
      if (asked.method !== 'ping' || why !== 'timeout') return
      say('UT-PING-01', 'A ping must be answered promptly; no response came in time', {
        related: asked.seq,
        once: true,
      })
    },
  }
})

const MOST_EARLY = 10

/** What a server says that wants a handshake first. */
const NO_HANDSHAKE =
  /\b(not|n't|never|before) (yet )?(been )?initiali[sz]ed\b|\b(initialize|discover|handshake)\b.{0,20}\b(first|required|before)\b|\bbefore (initiali[sz]ation|initialize|the handshake)\b/i

/** What is wrong with a refusal if the server is stateless, which isn't known yet. */
const earlyFaults = (
  { method, error, asked, carrier }: Observed,
  view: LinkView,
): readonly (readonly [rule: Id, what: string])[] => {
  const code = error!.code
  const words = wordsOf(error)
  if (method === 'initialize') {
    const supported = objectAt(error, 'data')?.supported
    if (view.isModern || Array.isArray(supported)) return []
    return [['VN-29', `${NAMES_VERSIONS}; found ${show(supported)}`]]
  }
  if (method !== 'server/discover') {
    const isStateless = asked?.revision !== undefined && eraOf(asked.revision) === 'stateless'
    if (!isStateless || !NO_HANDSHAKE.test(words)) return []
    return [['VN-01', `${show(method)} was refused because no handshake came first`]]
  }
  if (!view.isModern && code === ErrorCode.MethodNotFound)
    return [['VN-04', 'A 2026-07-28 server must implement server/discover, which this one refused']]
  const named = carrier?.headers.get('mcp-protocol-version')
  const isOther = code !== ErrorCode.UnsupportedProtocolVersion && code !== ErrorCode.HeaderMismatch
  if (view.settled || named === undefined || isRevision(named) || !isOther || carrier?.response?.status !== 400)
    return []
  if (!/\bversion\b/i.test(words)) return []
  return [['TR-HDR-03', `MCP-Protocol-Version ${show(named)} was refused with ${show(code)}; expected -32022`]]
}

/** TEXT-01: methods of the older tasks, which the extension replaced. */
const served = ({ method, result, at, asked }: Observed, view: LinkView, say: Say<Id>): void => {
  if (!result || !view.isModern || asked?.revision !== '2026-07-28') return
  const what = `The tasks extension has no ${method!}, so it must be refused with -32601; found a result`
  say('TEXT-01', what, { pointer: `${at}/result`, related: asked.seq })
}

/** The kernel reports a result that isn't an object, but not that a ping is what it responds to. */
const pinged = ({ message, result, error, at, asked }: Observed, view: LinkView, say: Say<Id>): void => {
  const related = asked?.seq
  if (view.isModern) {
    // Such a ping is written manually.
    if (error?.code === ErrorCode.MethodNotFound || (error && typeof error.code !== 'number')) return
    const found = error ? `the error ${show(error.code)}` : 'a result'
    const what = `2026-07-28 has no ping, so it must be refused with -32601; found ${found}`
    return say('UT-PING-04', what, { pointer: `${at}/${error ? 'error' : 'result'}`, related })
  }
  const [extra] = Object.keys(result ?? {}).filter((key) => key !== '_meta')
  if (extra !== undefined) {
    const what = `A ping must be answered with an empty result; found ${show(extra)} in it`
    say('UT-PING-01', what, { pointer: step(`${at}/result`, extra), related })
  }
  if (result) return
  const [member, found] = error ? ['error', `the error ${show(error.code)}`] : ['result', show(message.result)]
  say('UT-PING-01', `A ping must be answered with an empty result; found ${found}`, {
    pointer: `${at}/${member}`,
    related,
  })
}

const NAMES_VERSIONS = 'The initialize error must name the supported versions in data.supported'

/** VN-29. During detection, a server that refuses `initialize` isn't known to be modern yet. */
const unnamedVersions = ({ error, at, asked }: Observed, view: LinkView, say: Say<Id>): void => {
  if (!view.isModern || !error) return
  const supported = objectAt(error, 'data')?.supported
  if (Array.isArray(supported) && supported.some((each) => typeof each === 'string')) return
  say('VN-29', `${NAMES_VERSIONS}; found ${show(supported)}`, { pointer: `${at}/error`, related: asked?.seq })
}

const discovered = (heard: Observed, view: LinkView, say: Say<Id>): void => {
  const { error, at, asked } = heard
  extensionNames(heard, say)
  if (!view.isModern || error?.code !== ErrorCode.MethodNotFound) return
  say('VN-04', 'A 2026-07-28 server must implement server/discover', { pointer: `${at}/error`, related: asked?.seq })
}

/** VN-06: keys as in `_meta`, with a prefix; values that are objects. */
const extensionNames = ({ result, asked, at }: Observed, say: Say<Id>): void => {
  const extensions = objectAt(objectAt(result, 'capabilities'), 'extensions')
  if (!extensions) return
  const related = asked?.seq
  for (const [name, settings] of Object.entries(extensions).slice(0, MOST_EXTENSIONS)) {
    const pointer = step(`${at}/result/capabilities/extensions`, name)
    const fault = keyFaults(name, '2026-07-28').find(({ rule }) => rule !== 'META-04')
    if (fault) say('VN-06', fault.explanation, { pointer, related })
    else if (!/^[^/]+\/[^/]/.test(name))
      say('VN-06', `The id of an extension needs a prefix; found ${show(name)}`, { pointer, related })
    if (!isObject(settings))
      say('VN-06', `The settings of an extension must be an object; found ${show(settings)}`, { pointer, related })
  }
}

/** Extensions checked. */
const MOST_EXTENSIONS = 200

const NEWEST = REVISIONS.at(-1)!

const handshake = ({ result, error, asked, at }: Observed, say: Say<Id>): void => {
  const offered = asked!.revision
  const related = asked!.seq
  if (result) {
    const named = result.protocolVersion
    const pointer = `${at}/result/protocolVersion`
    if (typeof named !== 'string') {
      const what = `The response to initialize has no valid protocolVersion: ${show(named)}`
      return say('LC-07', what, { pointer, related })
    }
    if (isRevision(named) && eraOf(named) === 'stateless') {
      return say('LC-07', `${named} doesn't use initialize, so initialize can't negotiate it`, { pointer, related })
    }
    // There may be protocol versions newer than those known here.
    if (!isRevision(named) && !(/^\d{4}-\d{2}-\d{2}$/.test(named) && named > NEWEST)) {
      say('LC-07', `${show(named)} isn't a protocol version`, { pointer, related })
    }
    return
  }
  const supported = objectAt(error, 'data')?.supported
  if (offered !== undefined && Array.isArray(supported) && (supported as readonly Json[]).includes(offered)) {
    const pointer = `${at}/error/data/supported`
    say('LC-07', `The server rejected ${offered} but lists it as supported`, { pointer, related })
  }
}

/** @returns whether the protocol version lacks this method, so that no further check applies */
const unknownMethod = ({ method, kind, revision, at }: Observed, say: Say<Id>): boolean => {
  if (revision === undefined || method === undefined) return true
  const extensions = rowsOf(method).flatMap(({ extension }) => extension ?? [])
  const here = methodIn(method, revision, extensions)
  const pointer = `${at}/method`
  if (here) {
    if (here.from !== 'client') return false
    const what = `Only clients send ${show(method)}`
    say('LC-09', what, { pointer })
    if (kind === 'notification') say('VN-07', what, { pointer })
    return true
  }
  const rows = rowsOf(method)
  const until = rows.at(-1)?.until
  const where =
    rows.length === 0
      ? 'no protocol version has it'
      : until === undefined
        ? `only versions from ${rows[0]!.since} have it`
        : rows[0]!.since === until
          ? `only ${until} has it`
          : `only ${rows[0]!.since} to ${until} have it`
  const what = `${revision} has no ${kind} ${show(method)}; ${where}`
  if (revision === '2026-07-28' && method === 'notifications/elicitation/complete') {
    say('CF-URL-08', what, { pointer })
    return true
  }
  say('LC-09', what, { pointer })
  // BP-12 already reports requests.
  if (kind === 'notification') say('VN-07', `${what}, nor does an extension that both sides declared`, { pointer })
  return true
}

/** Methods that need a capability which their sender did not declare. */
const undeclaredCapability = (heard: Observed, view: LinkView, say: Say<Id>): void => {
  const { method, kind, revision, at } = heard
  // Its URI doesn't show which subscription it belongs to (SF-RES-08).
  if (method === 'notifications/resources/updated' && !view.isModern) {
    const { uri } = heard.params
    if (view.subscribed.size === 0) {
      say('SF-RES-07', 'An update, but no resource is subscribed', { pointer: `${at}/method` })
    } else if (typeof uri === 'string' && ![...view.subscribed].some((each) => isRelated(uri, each))) {
      const what = `An update of ${show(uri)}, which has nothing in common with a subscribed resource`
      say('SF-RES-07', what, { pointer: `${at}/params/uri` })
    }
  }
  const row = methodIn(method!, revision!)
  if (!row?.capability || row.from === 'client' || !view.settled) return
  const pointer = `${at}/method`
  if (kind === 'request') {
    // Since 2026-07-28, servers send no requests; requests inside results are judged elsewhere (MRTR-09).
    if (view.isModern) return
    if (declares(view.clientCapabilities, row.capability)) return undeclaredPart(heard, view, say)
    const rule = Object.hasOwn(ASKED, method!) ? ASKED[method!]! : 'LC-09'
    return say(rule, `The client didn't declare ${row.capability}, which ${show(method)} requires`, { pointer })
  }
  const theirs = view.serverCapabilities
  if (!theirs || declares(theirs, row.capability)) return
  const what = `The server didn't declare ${row.capability}, which ${show(method)} requires`
  const [feature] = row.capability.split('.')
  const rule = Object.hasOwn(TOLD, method!) ? TOLD[method!]! : 'LC-09'
  const whole = Object.hasOwn(WHOLE, feature!) && !declares(theirs, feature!) ? WHOLE[feature!] : undefined
  say(whole ?? rule, what, { pointer })
}

/** SF-RES-08: an update may name a part of the subscribed resource. A template or wildcard may match any URI. */
const isRelated = (uri: string, subscribed: string): boolean =>
  uri.startsWith(subscribed) || subscribed.startsWith(uri) || /[{*]/.test(subscribed)

/** The rows of features that aren't declared at all, not even without their part. */
const WHOLE: Readonly<Record<string, Id>> = {
  tools: 'SF-TOOL-01',
  resources: 'SF-RES-01',
  prompts: 'SF-PROMPT-01',
}

/** The rows of undeclared requests and notifications; others are LC-09. */
const ASKED: Readonly<Record<string, Id>> = {
  'roots/list': 'CF-ROOT-01',
  'sampling/createMessage': 'CF-SAMP-01',
  'elicitation/create': 'CF-ELIC-01',
}
const TOLD: Readonly<Record<string, Id>> = {
  'notifications/message': 'SF-LOG-01',
  'notifications/tools/list_changed': 'SF-TOOL-21',
  'notifications/resources/list_changed': 'SF-RES-13',
  'notifications/prompts/list_changed': 'SF-PROMPT-07',
}

/** A declared request that uses a part which its sender would have to declare separately (since 2025-11-25). */
const undeclaredPart = ({ method, params, revision, at }: Observed, view: LinkView, say: Say<Id>): void => {
  if (revision === undefined || revision < '2025-11-25') return
  const { clientCapabilities: ours } = view
  const lacks = (path: string, rule: Id, member: string): void => {
    if (!declares(ours, path)) say(rule, `The client didn't declare ${path}`, { pointer: `${at}/params/${member}` })
  }
  if (method === 'sampling/createMessage') {
    for (const member of ['tools', 'toolChoice']) {
      if (params[member] !== undefined) return lacks('sampling.tools', 'CF-SAMP-08', member)
    }
    if (params.task !== undefined) lacks('tasks.requests.sampling.createMessage', 'TASK-02', 'task')
  }
  if (method !== 'elicitation/create') return
  if (params.task !== undefined) lacks('tasks.requests.elicitation.create', 'TASK-02', 'task')
  // `{}` means form mode.
  if (params.mode === 'url') lacks('elicitation.url', 'CF-ELIC-01', 'mode')
  else if (declares(ours, 'elicitation.url')) lacks('elicitation.form', 'CF-ELIC-01', 'mode')
}

/** Whether capabilities contain this dotted path. */
export const declares = (capabilities: Readonly<Record<string, Json>>, path: string): boolean => {
  let here: Json | undefined = capabilities
  for (const key of path.split('.')) {
    const inside = objectAt({ here: here ?? null }, 'here')
    if (!inside || !Object.hasOwn(inside, key)) return false
    here = inside[key]
  }
  return here !== false && here !== null
}

const FEATURES: Readonly<Record<string, readonly [Id, string]>> = {
  'tools/list': ['SF-TOOL-01', 'tools'],
  'tools/call': ['SF-TOOL-01', 'tools'],
  'resources/list': ['SF-RES-01', 'resources'],
  'resources/templates/list': ['SF-RES-01', 'resources'],
  'resources/read': ['SF-RES-01', 'resources'],
  'prompts/list': ['SF-PROMPT-01', 'prompts'],
  'prompts/get': ['SF-PROMPT-01', 'prompts'],
  'completion/complete': ['SF-COMP-01', 'completions'],
  'resources/subscribe': ['SF-RES-07', 'resources.subscribe'],
  'resources/unsubscribe': ['SF-RES-07', 'resources.subscribe'],
  'logging/setLevel': ['SF-LOG-01', 'logging'],
  'tasks/list': ['TASK-12', 'tasks.list'],
  'tasks/cancel': ['TASK-01', 'tasks.cancel'],
  'tasks/get': ['TASK-01', 'tasks'],
  'tasks/result': ['TASK-01', 'tasks'],
}

const LISTS = /^(tools|prompts|resources(\/templates)?)\/list$/

/** A feature that works must be declared. An empty list means that it has no items. */
const undeclaredFeature = ({ method, result, asked }: Observed, view: LinkView, say: Say<Id>): void => {
  if (!result || method === undefined || !Object.hasOwn(FEATURES, method) || !view.serverCapabilities) return
  const [rule, capability] = FEATURES[method]!
  if (declares(view.serverCapabilities, capability)) return
  // A server without tasks has no list of them either.
  const lists = LISTS.test(method) ? Object.values(result).filter(Array.isArray) : []
  if (lists.length > 0 && lists.every((list) => list.length === 0)) return
  const what = `The server responds to ${show(method)} but didn't declare ${capability}`
  say(rule, what, { related: asked!.seq, once: true })
}
