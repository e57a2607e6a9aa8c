/** The handshake, and what it negotiated. */
import { eraOf, isObject, isRevision, REVISIONS, type Json } from '../../mcp/index.ts'
import { objectAt, type Observed, type LinkView } from '../link.ts'
import { group, show, step, type Say } from '../rule.ts'
import { keyFaults } from './meta.ts'
import { methodIn, rowsOf } from '../../mcp/schema/schema.ts'

const RULES = [
  'LC-05', 'LC-07', 'LC-09', 'SF-COMP-01', 'SF-LOG-01', 'SF-PROMPT-01', 'SF-RES-01', 'SF-RES-07', 'SF-TOOL-01', 'UT-PING-01', 'VN-06',
  'VN-07',
] as const // prettier-ignore
type Id = (typeof RULES)[number]

/** LC-05: what a server may send before `initialized`. Progress and cancellations belong to requests. */
const EARLY: ReadonlySet<string> = new Set([
  'ping',
  'notifications/message',
  'notifications/progress',
  'notifications/cancelled',
])

export const lifecycle = group(RULES, (view) => ({
  message(heard, say) {
    const { kind, method } = heard
    if (kind === 'answer') {
      if (method === 'initialize' && heard.answer === 'first') handshake(heard, say)
      else undeclaredFeature(heard, view, say)
      if (method === 'server/discover') extensionNames(heard, say)
      if (method === 'ping' && heard.error) {
        const what = `A ping must be answered with an empty result; found the error ${show(heard.error.code)}`
        say('UT-PING-01', what, { pointer: `${heard.at}/error`, related: heard.asked?.seq })
      }
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
    say('UT-PING-01', 'A ping must be answered promptly; no response came in time', { related: asked.seq, once: true })
  },
}))

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
  say('LC-09', what, { pointer })
  // BP-12 already reports requests.
  if (kind === 'notification') say('VN-07', `${what}, nor does an extension that both sides declared`, { pointer })
  return true
}

/** Methods that need a capability which their sender did not declare. */
const undeclaredCapability = ({ method, kind, revision, at }: Observed, view: LinkView, say: Say<Id>): void => {
  // Its URI doesn't show which subscription it belongs to (SF-RES-08).
  if (method === 'notifications/resources/updated' && !view.isModern && !view.subscribed) {
    say('SF-RES-07', 'An update, but no resource is subscribed', { pointer: `${at}/method` })
  }
  const row = methodIn(method!, revision!)
  if (!row?.capability || row.from === 'client' || !view.settled) return
  const pointer = `${at}/method`
  if (kind === 'request') {
    // Since 2026-07-28, servers send no requests; requests inside results are judged elsewhere (MRTR-09).
    if (view.isModern || declares(view.clientCapabilities, row.capability)) return
    return say('LC-09', `The client didn't declare ${row.capability}, which ${show(method)} requires`, { pointer })
  }
  const theirs = view.serverCapabilities
  if (!theirs || declares(theirs, row.capability)) return
  const what = `The server didn't declare ${row.capability}, which ${show(method)} requires`
  if (method === 'notifications/message') return say('SF-LOG-01', what, { pointer })
  say('LC-09', what, { pointer })
}

const declares = (capabilities: Readonly<Record<string, Json>>, path: string): boolean => {
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
  'resources/list': ['SF-RES-01', 'resources'],
  'resources/templates/list': ['SF-RES-01', 'resources'],
  'prompts/list': ['SF-PROMPT-01', 'prompts'],
  'completion/complete': ['SF-COMP-01', 'completions'],
}

/** A feature that works must be declared. An empty list means that it has no items. */
const undeclaredFeature = ({ method, result, asked }: Observed, view: LinkView, say: Say<Id>): void => {
  if (!result || method === undefined || !Object.hasOwn(FEATURES, method) || !view.serverCapabilities) return
  const [rule, capability] = FEATURES[method]!
  if (declares(view.serverCapabilities, capability)) return
  const lists = Object.values(result).filter(Array.isArray)
  if (lists.length > 0 && lists.every((list) => list.length === 0)) return
  const what = `The server responds to ${show(method)} but didn't declare ${capability}`
  say(rule, what, { related: asked!.seq, once: true })
}
