/* eslint-disable svelte/prefer-svelte-reactivity -- the screen reads the rules, not the map that finds them */
/** The rules that the user muted for a server: their problems are listed apart and not counted anywhere. */
import { SvelteSet } from 'svelte/reactivity'
import type { Trace } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'

/** The name under which they are stored. */
const STORED = 'muted-rules'
const MOST = 500

type MutingServer = Pick<ServerView, 'trace' | 'link' | 'kept'>

export class MutedRules {
  readonly #rules = new SvelteSet<string>()
  readonly #kept: ServerView['kept']

  constructor({ kept }: Pick<ServerView, 'kept'>) {
    this.#kept = kept
    const stored = kept?.get(STORED)
    if (!Array.isArray(stored)) return
    for (const rule of stored.slice(0, MOST) as unknown[]) if (typeof rule === 'string') this.#rules.add(rule)
  }

  has(rule: string): boolean {
    return this.#rules.has(rule)
  }

  /** Reactive. */
  get all(): readonly string[] {
    return [...this.#rules]
  }

  set(rule: string, muted: boolean): void {
    if (muted) this.#rules.add(rule)
    else this.#rules.delete(rule)
    this.#kept?.set(STORED, [...this.#rules])
  }
}

/** By connection. */
type ByLink = Map<string, MutedRules>
const known = new WeakMap<Trace, ByLink>()

/** Shared by all readers of a server. In a recording, muting lasts as long as the page. */
export const mutedRulesOf = (server: MutingServer): MutedRules => {
  let byLink = known.get(server.trace)
  if (!byLink) known.set(server.trace, (byLink = new Map<string, MutedRules>()))
  let rules = byLink.get(server.link)
  if (!rules) byLink.set(server.link, (rules = new MutedRules(server)))
  return rules
}
