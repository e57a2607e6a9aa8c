/** Results of a stateless server: their required members, `server/discover`, and the hints on caching. */
import { CACHEABLE, ErrorCode, isObject, META, type Seq, TASKS_EXTENSION } from '../../mcp/index.ts'
import { type LinkView, type Observed } from '../link.ts'
import { group, type Say, show } from '../rule.ts'
import { Recent } from '../recent.ts'

const RULES = ['BP-40', 'BP-42', 'BP-43', 'META-10', 'META-13', 'TEXT-03', 'VN-04'] as const
type Id = (typeof RULES)[number]

export const stateless = group(RULES, (view) => ({
  message(heard, say) {
    if (heard.kind !== 'answer') return
    bare(heard, view, say)
    if (heard.method === 'server/discover') discovered(heard, say)
    if (!heard.result || heard.revision !== '2026-07-28') return
    kind(heard, view, say)
    if (!isObject(heard.meta[META.serverInfo])) {
      say('META-13', `Results must name the server in _meta["${META.serverInfo}"]`, {
        pointer: `${heard.at}/result/_meta`,
        related: heard.asked?.seq,
        once: true,
      })
    }
  },
}))

/** Codes of other reasons, which may be checked first: headers, an unknown method, the protocol version. */
const BEFORE: ReadonlySet<unknown> = new Set<unknown>([
  ...[
    ErrorCode.InvalidParams,
    ErrorCode.MethodNotFound,
    ErrorCode.HeaderMismatch,
    ErrorCode.UnsupportedProtocolVersion,
  ],
])

/** META-10. A server that also has older versions may take the request for one of those. */
const bare = ({ asked, result, error, carrier, at }: Observed, view: LinkView, say: Say<Id>): void => {
  if (!asked?.bare || !view.isModern || asked.method === 'initialize' || (!result && !error)) return
  if (!asked.byHand && !(view.supported?.every((each) => each >= '2026-07-28') ?? false)) return
  const rule = 'A request whose _meta lacks the protocol version or the capabilities must be refused with -32602'
  const details = { pointer: `${at}/${error ? 'error/code' : 'result'}`, related: asked.seq }
  if (!error) return say('META-10', rule, details)
  if (!BEFORE.has(error.code)) return say('META-10', `${rule}; found ${show(error.code)}`, details)
  const status = view.oldSse ? undefined : carrier?.response?.status
  if (error.code === ErrorCode.InvalidParams && status !== undefined && status !== 400)
    say('META-10', `HTTP ${status} with -32602; expected 400`, details)
}

const kind = ({ result, method, asked, at }: Observed, view: LinkView, say: Say<Id>): void => {
  const type = result!.resultType
  const details = { pointer: `${at}/result/resultType`, related: asked?.seq }
  if (type === undefined) return say('BP-40', 'The result has no resultType, which counts as "complete"', details)
  if (typeof type !== 'string') return say('BP-40', `resultType must be a string; found ${show(type)}`, details)
  if (type === 'complete' || type === 'input_required') return
  if (type !== 'task') {
    const task = asked && view.extensions(asked).includes(TASKS_EXTENSION) ? ', "task"' : ''
    return say('BP-42', `resultType must be "complete", "input_required"${task}; found ${show(type)}`, details)
  }
  if (asked && !view.extensions(asked).includes(TASKS_EXTENSION)) {
    return say('BP-43', `resultType "task", but the request didn't declare ${TASKS_EXTENSION}`, details)
  }
  // Results of the task methods themselves are judged elsewhere (TEXT-12).
  if (method !== undefined && method !== 'tools/call' && !method.startsWith('tasks/')) {
    say('TEXT-03', `${show(method)} became a task; only tools/call can`, details)
  }
}

/** VN-04; the hints on caching are CACHE-01. */
const discovered = ({ result, asked, at, revision }: Observed, say: Say<Id>): void => {
  // What the server names decides which version is in force, so it can't decide whether this row applies.
  const isNewest = revision === '2026-07-28' || (asked?.revision === '2026-07-28' && result?.resultType !== undefined)
  if (!result || !isNewest || result.resultType === 'input_required') return
  const details = { related: asked?.seq, revision: '2026-07-28' } as const
  const { supportedVersions: versions, capabilities } = result
  if (!Array.isArray(versions) || versions.length === 0 || versions.some((each) => typeof each !== 'string')) {
    const what = `supportedVersions must list protocol versions; found ${show(versions)}`
    say('VN-04', what, { ...details, pointer: `${at}/result/supportedVersions` })
  } else if (asked?.revision !== undefined && !versions.includes(asked.revision)) {
    const what = `supportedVersions lacks ${asked.revision}, in which the server just answered`
    say('VN-04', what, { ...details, pointer: `${at}/result/supportedVersions` })
  }
  if (!isObject(capabilities)) {
    const what = `capabilities must be an object; found ${show(capabilities)}`
    say('VN-04', what, { ...details, pointer: `${at}/result/capabilities` })
  }
}

// Hints on how long a result stays fresh, and for whom.

export const caching = group(['CACHE-01', 'CACHE-09', 'SF-PAGE-07'], () => {
  /** The scope of the previous page, by method and next cursor. */
  const pages = new Recent<string, { readonly scope: unknown; readonly seq: Seq }>(1_000)
  return {
    message(heard, say) {
      const { kind, result, method, asked, at, frame, revision } = heard
      if (kind !== 'answer' || !result || method === undefined || !CACHEABLE.has(method)) return
      const related = asked?.seq
      const next = result.nextCursor
      if (typeof next === 'string' && asked?.cursor === next) {
        const what = 'nextCursor equals the cursor of the request, so the list never ends'
        say('SF-PAGE-07', what, { pointer: `${at}/result/nextCursor`, related })
      }
      if (revision !== '2026-07-28' || !isComplete(heard)) return
      const { ttlMs, cacheScope } = result
      if (typeof ttlMs !== 'number' || !Number.isInteger(ttlMs) || ttlMs < 0) {
        const what = `ttlMs must be an integer of 0 or more; found ${show(ttlMs)}`
        say('CACHE-01', what, { pointer: `${at}/result/ttlMs`, related })
      }
      if (cacheScope !== 'public' && cacheScope !== 'private') {
        const what = `cacheScope must be "public" or "private"; found ${show(cacheScope)}`
        say('CACHE-01', what, { pointer: `${at}/result/cacheScope`, related })
      }
      if (asked?.cursor !== undefined) {
        const before = pages.get(keyOf(method, asked.cursor))
        if (before && before.scope !== cacheScope) {
          const what = `The previous page is ${show(before.scope)}, this one is ${show(cacheScope)}`
          say('CACHE-09', what, { pointer: `${at}/result/cacheScope`, related: before.seq })
        }
      }
      if (typeof next === 'string') pages.set(keyOf(method, next), { scope: cacheScope, seq: frame.seq })
    },
  }
})

const isComplete = ({ result }: Observed): boolean =>
  result!.resultType === undefined || result!.resultType === 'complete'

const keyOf = (method: string, cursor: unknown): string => `${method} ${String(cursor).slice(0, 1_000)}`
