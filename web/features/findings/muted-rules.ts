/** The rules that the user muted for a server: their problems are listed apart and not counted anywhere. */
import { Signal, type Trace } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'

/** The name under which they are stored. */
const STORED = 'muted-rules'
const MOST = 500

export class MutedRules {
  #rules: ReadonlySet<string>
  readonly #kept: ServerView['kept']
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe

  constructor({ kept }: Pick<ServerView, 'kept'>) {
    this.#kept = kept
    const stored = kept?.get(STORED)
    const rules: readonly unknown[] = Array.isArray(stored) ? stored.slice(0, MOST) : []
    this.#rules = new Set(rules.filter((rule) => typeof rule === 'string'))
  }

  /** A new set after each change. */
  get current(): ReadonlySet<string> {
    return this.#rules
  }

  set(rule: string, muted: boolean): void {
    const rules = new Set(this.#rules)
    if (muted) rules.add(rule)
    else rules.delete(rule)
    this.#rules = rules
    this.#kept?.set(STORED, [...rules])
    this.#changes.emit()
  }
}

const known = new WeakMap<Trace, Map<string, MutedRules>>()

/** Shared by all readers of a server. In a recording, muting lasts as long as the page. */
export const mutedRulesOf = (server: Pick<ServerView, 'trace' | 'link' | 'kept'>): MutedRules => {
  let byLink = known.get(server.trace)
  if (!byLink) known.set(server.trace, (byLink = new Map<string, MutedRules>()))
  let rules = byLink.get(server.link)
  if (!rules) byLink.set(server.link, (rules = new MutedRules(server)))
  return rules
}
