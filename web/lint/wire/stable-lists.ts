/**
 * Lists that change without a notification.
 *
 * VN-09: since 2026-07-28, lists don't depend on the connection or on earlier calls. A list may still change for other
 * reasons, so only a change within the time for which the server said that it is fresh is reported, after another request
 * was answered, and without a notification.
 *
 * Before, a server that declares `listChanged` announces each change, provided there is a stream to do so.
 */
import { isObject, type Json, PageOrder, type Seq } from '../../mcp/index.ts'
import type { Observed } from '../link.ts'
import { group, type Say, show } from '../rule.ts'
import { declares } from './lifecycle.ts'

/** Items remembered per list; longer lists aren't compared. */
const MOST_ITEMS = 10_000
const MOST_STREAMS = 100

const RULES = ['SF-PROMPT-07', 'SF-RES-13', 'SF-TOOL-21', 'VN-09'] as const
type Id = (typeof RULES)[number]

interface List {
  /** The member with the items, which is also the name of the capability. */
  readonly member: string
  /** What identifies an item. */
  readonly key: string
  /** The notification of a change, and its row. */
  readonly changed: string
  readonly rule: Id
}

const LISTS: Readonly<Record<string, List>> = {
  'tools/list': {
    member: 'tools',
    key: 'name',
    changed: 'notifications/tools/list_changed',
    rule: 'SF-TOOL-21',
  },
  'prompts/list': {
    member: 'prompts',
    key: 'name',
    changed: 'notifications/prompts/list_changed',
    rule: 'SF-PROMPT-07',
  },
  'resources/list': {
    member: 'resources',
    key: 'uri',
    changed: 'notifications/resources/list_changed',
    rule: 'SF-RES-13',
  },
}

interface Whole {
  readonly items: ReadonlySet<string>
  readonly seq: Seq
  /** The time of frames until which the list is fresh. */
  readonly until: number
}

class Watched {
  readonly #walk = new PageOrder()
  #items = new Set<string>()
  #until = 0
  #last: Whole | undefined
  /** The first request that was answered since the last complete list; other lists and discovery aside. */
  called: string | undefined

  forget(): void {
    this.#last = undefined
  }

  /** @param announces an older server must send a notification of a change, and can */
  page({ result, asked, frame, at, revision }: Observed, list: List, announces: boolean, say: Say<Id>): void {
    const { member, key } = list
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
    const isModern = revision === '2026-07-28'
    if (!last || (isModern ? called === undefined : !announces)) return
    if (isModern && frame.at > last.until) return
    const odd = [...this.#items].find((id) => !last.items.has(id)) ?? [...last.items].find((id) => !this.#items.has(id))
    if (odd === undefined) return
    const change = `${show(odd)} ${last.items.has(odd) ? 'is missing' : 'appeared'}`
    const details = { pointer: `${at}/result/${member}`, related: last.seq }
    if (!isModern) return say(list.rule, `${change}, but no ${show(list.changed)} said so`, details)
    say('VN-09', `${change} after ${called}, while the list before was still fresh`, details)
  }
}

export const stableLists = group(RULES, (view) => {
  /** GET streams that are open, by the request that opened them. */
  const open = new Set<Seq>()
  /** Whether the server declared that it announces changes of a list, and has a stream to do so. */
  const announces = (member: string, { carrier }: Observed): boolean =>
    declares(view.serverCapabilities ?? {}, `${member}.listChanged`) && (!carrier || view.oldSse || open.size > 0)
  const lists = new Map(Object.keys(LISTS).map((method) => [method, new Watched()]))
  const forget = () => {
    for (const list of lists.values()) list.forget()
  }
  return {
    renewed: forget,
    // Other credentials may see other lists.
    auth: forget,
    stream({ event, request }, carrier) {
      if (carrier.rootMethod !== 'GET') return
      if (event === 'open' && open.size < MOST_STREAMS) open.add(request)
      if (event === 'close') open.delete(request)
    },
    message(heard, say) {
      const { kind, method = '', result, revision, asked } = heard
      if (kind === 'notification') {
        for (const [list, { changed }] of Object.entries(LISTS)) if (changed === method) lists.get(list)!.forget()
        return
      }
      if (kind !== 'answer' || heard.answer !== 'first' || revision === undefined) return
      if (asked && !method.endsWith('/list') && method !== 'server/discover') {
        const { subject } = asked
        const what = subject === undefined ? show(method) : `${show(method)} of ${show(subject)}`
        for (const list of lists.values()) list.called ??= what
      }
      if (Object.hasOwn(LISTS, method) && result && (result.resultType ?? 'complete') === 'complete')
        lists.get(method)!.page(heard, LISTS[method]!, announces(LISTS[method]!.member, heard), say)
    },
  }
})
