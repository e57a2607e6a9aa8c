/** Requests that are valid, and that a server refuses all the same. */
import { ErrorCode, eraOf, isObject, type Json, ListWalk } from '../../mcp/index.ts'
import type { Observed } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, type Say, show } from '../rule.ts'

const RULES = ['SF-COMP-02', 'SF-PAGE-03', 'SF-TOOL-08', 'TR-HDR-03', 'TR-HDR-07', 'TR-STDIO-15', 'VN-01'] as const
type Id = (typeof RULES)[number]

/** Tools without required arguments, per list. */
const MOST_TOOLS = 10_000
/** Refusals that may turn out to be those of a stateless server. */
const MOST_EARLY = 10

/** What a server says that wants a handshake first. */
const NO_HANDSHAKE =
  /\b(not|n't|never|before) (yet )?(been )?initiali[sz]ed\b|\b(initialize|discover|handshake)\b.{0,20}\b(first|required|before)\b|\bbefore (initiali[sz]ation|initialize|the handshake)\b/i

const DEMANDS_NAME =
  /\bmcp-name\b.{0,30}\b(required|missing|absent|expected)\b|\b(missing|requires?|no)\b.{0,30}\bmcp-name\b/i
const REFUSES_VERSION =
  /\b(unsupported|unknown|invalid|bad|not supported)\b.{0,40}\bversion\b|\bversion\b.{0,40}\b(not supported|unsupported|unknown)\b/i

export const validRefused = group(RULES, (view) => {
  const walk = new ListWalk()
  /** Tools that require no argument. */
  const undemanding = new Recent<string, true>(MOST_TOOLS)
  /** Lists whose last page gave the empty cursor. */
  const emptyCursors = new Set<string>()
  /** What counts only if the server turns out to be stateless: an older one may refuse it (VN-21). */
  let early: ((say: Say<Id>) => void)[] = []

  const learn = ({ method, result, asked }: Observed): void => {
    if (method?.endsWith('/list')) {
      if (result!.nextCursor === '') emptyCursors.add(method)
      else emptyCursors.delete(method)
    }
    if (method !== 'tools/list' || !Array.isArray(result!.tools)) return
    if (walk.step(asked?.cursor, result!.nextCursor) === 'first') undemanding.clear()
    for (const tool of (result!.tools as readonly Json[]).slice(0, MOST_TOOLS)) {
      if (!isObject(tool) || typeof tool.name !== 'string' || !isObject(tool.inputSchema)) continue
      const { required, minProperties, ...rest } = tool.inputSchema
      const isPlain = !('anyOf' in rest || 'oneOf' in rest || 'allOf' in rest || '$ref' in rest)
      if ((required === undefined || (Array.isArray(required) && required.length === 0)) && !minProperties && isPlain)
        undemanding.set(tool.name, true)
    }
  }

  const stateless = (heard: Observed, words: string): void => {
    const { asked, method, frame, carrier } = heard
    const related = frame.seq
    const later = (report: (say: Say<Id>) => void) => void (early.length < MOST_EARLY && early.push(report))
    const named = carrier?.headers.get('mcp-protocol-version')
    if (asked?.revision !== undefined && eraOf(asked.revision) === 'stateless' && NO_HANDSHAKE.test(words)) {
      if (method === 'server/discover' || method === 'initialize') return
      const what = `${show(method)} carries all that it needs, and was refused for want of a handshake`
      later((say) => say('VN-01', what, { related, once: true }))
    }
    const code = heard.error?.code
    if (method !== 'server/discover' || named === undefined || asked?.revision !== undefined || view.settled) return
    if (carrier?.response?.status !== 400 || code === ErrorCode.UnsupportedProtocolVersion) return
    if (code === ErrorCode.HeaderMismatch || !/\bversion\b/i.test(words)) return
    const what = `MCP-Protocol-Version ${show(named)} was refused with ${show(code)}; expected -32022`
    later((say) => say('TR-HDR-03', what, { related, once: true }))
  }

  return {
    renewed() {
      early = []
      emptyCursors.clear()
    },
    message(heard, say) {
      const { kind, method = '', asked, answer, result, error, at, carrier } = heard
      if (kind !== 'answer' || answer !== 'first' || !asked || asked.byHand) return
      if (result) {
        if (view.isModern && typeof result.resultType === 'string') {
          for (const report of early.splice(0)) report(say)
        }
        return learn(heard)
      }
      const code = error?.code
      const words = typeof error?.message === 'string' ? error.message.slice(0, 500) : ''
      const details = { pointer: `${at}/error`, related: asked.seq }
      stateless(heard, words)
      if (code === ErrorCode.HeaderMismatch && !carrier && view.isModern) {
        say('TR-STDIO-15', `${code} HeaderMismatch to ${show(method)}, but stdio has no headers`, details)
      }
      if (code === ErrorCode.HeaderMismatch && carrier && asked.subject === undefined && DEMANDS_NAME.test(words)) {
        say('TR-HDR-07', `Mcp-Name isn't part of ${show(method)}, but the server demands it: ${show(words)}`, details)
      }
      const version = carrier?.headers.get('mcp-protocol-version')
      if (!view.isModern && version !== undefined && version === view.revision && carrier?.response?.status === 400) {
        const what = `The server negotiated ${version} and refuses it: ${show(words)}`
        if (REFUSES_VERSION.test(words)) say('TR-HDR-03', what, details)
      }
      if (asked.cursor === '' && emptyCursors.has(method)) {
        say('SF-PAGE-03', `The server refused the cursor "" that it had returned: ${show(words)}`, details)
      }
      if (code !== ErrorCode.InvalidParams) return
      if (
        method === 'completion/complete' &&
        /\b(unknown|invalid|unsupported)\b.{0,20}\bref(erence)?\b.{0,12}\btype\b/i.test(words)
      ) {
        say('SF-COMP-02', `A valid ref was refused: ${show(words)}`, details)
      }
      if (
        method === 'tools/call' &&
        asked.isBare &&
        undemanding.has(asked.subject ?? '') &&
        /\barguments?\b/i.test(words)
      ) {
        const what = `${show(asked.subject)} requires no arguments, but a call without them was refused`
        say('SF-TOOL-08', what, details)
      }
    },
  }
})
