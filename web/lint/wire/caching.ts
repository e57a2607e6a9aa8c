/** Hints on how long a result stays fresh, and for whom. */
import { type Seq } from '../../mcp/index.ts'
import type { Observed } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, show } from '../rule.ts'

const HINTED: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

export const caching = group(['CACHE-01', 'CACHE-09', 'SF-PAGE-07'], () => {
  /** The scope of the previous page, by method and next cursor. */
  const pages = new Recent<string, { readonly scope: unknown; readonly seq: Seq }>(1_000)
  return {
    message(heard, say) {
      const { kind, result, method, asked, at, frame, revision } = heard
      if (kind !== 'answer' || !result || method === undefined || !HINTED.has(method)) return
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
