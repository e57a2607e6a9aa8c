/**
 * VN-09: since 2026-07-28, lists don't depend on the connection or on earlier calls. A list may still change for other
 * reasons, so only a change within the time for which the server said that it is fresh is reported, after another request
 * was answered, and without a notification.
 */
import { isObject, type Json, ListWalk, type Seq } from '../../mcp/index.ts'
import type { Observed } from '../link.ts'
import { group, type Say, show } from '../rule.ts'

/** Items remembered per list; longer lists aren't compared. */
const MOST_ITEMS = 10_000

/** The member with the items, what identifies an item, and the notification of a change. */
const LISTS: Readonly<Record<string, readonly [member: string, key: string, changed: string]>> = {
  'tools/list': ['tools', 'name', 'notifications/tools/list_changed'],
  'prompts/list': ['prompts', 'name', 'notifications/prompts/list_changed'],
  'resources/list': ['resources', 'uri', 'notifications/resources/list_changed'],
}

interface Whole {
  readonly items: ReadonlySet<string>
  readonly seq: Seq
  /** The time of frames until which the list is fresh. */
  readonly until: number
}

class Watched {
  readonly #walk = new ListWalk()
  #items = new Set<string>()
  #until = 0
  #last: Whole | undefined
  /** The first request that was answered since the last complete list; other lists and discovery aside. */
  called: string | undefined

  forget(): void {
    this.#last = undefined
  }

  page(
    { result, asked, frame, at }: Observed,
    [member, key]: readonly [string, string, string],
    say: Say<'VN-09'>,
  ): void {
    const place = this.#walk.step(asked?.cursor, result!.nextCursor)
    const items = result![member]
    if (place === 'elsewhere' || !Array.isArray(items)) return
    if (place === 'first') {
      this.#items = new Set()
      this.#until = Infinity
    }
    for (const item of items as readonly Json[]) {
      const id = isObject(item) ? item[key] : undefined
      if (typeof id === 'string' && this.#items.size < MOST_ITEMS) this.#items.add(id)
    }
    const { ttlMs } = result!
    this.#until = Math.min(this.#until, typeof ttlMs === 'number' ? frame.at + ttlMs : 0)
    if (result!.nextCursor !== undefined) return
    const last = this.#last
    const { called } = this
    this.#last = this.#items.size < MOST_ITEMS ? { items: this.#items, seq: frame.seq, until: this.#until } : undefined
    this.called = undefined
    if (!last || called === undefined || frame.at > last.until) return
    const odd = [...this.#items].find((id) => !last.items.has(id)) ?? [...last.items].find((id) => !this.#items.has(id))
    if (odd === undefined) return
    const what = `${show(odd)} ${last.items.has(odd) ? 'is missing' : 'appeared'} after ${called}`
    say('VN-09', `${what}, while the list before was still fresh`, {
      pointer: `${at}/result/${member}`,
      related: last.seq,
    })
  }
}

export const stableLists = group(['VN-09'], () => {
  const lists = new Map(Object.keys(LISTS).map((method) => [method, new Watched()]))
  const forget = () => {
    for (const list of lists.values()) list.forget()
  }
  return {
    renewed: forget,
    // Other credentials may see other lists.
    auth: forget,
    message(heard, say) {
      const { kind, method = '', result, revision, asked } = heard
      if (kind === 'notification') {
        for (const [list, [, , changed]] of Object.entries(LISTS)) if (changed === method) lists.get(list)!.forget()
        return
      }
      if (kind !== 'answer' || heard.answer !== 'first' || revision !== '2026-07-28') return
      if (asked && !method.endsWith('/list') && method !== 'server/discover') {
        const { subject } = asked
        const what = subject === undefined ? show(method) : `${show(method)} of ${show(subject)}`
        for (const list of lists.values()) list.called ??= what
      }
      if (Object.hasOwn(LISTS, method) && result && (result.resultType ?? 'complete') === 'complete')
        lists.get(method)!.page(heard, LISTS[method]!, say)
    },
  }
})
