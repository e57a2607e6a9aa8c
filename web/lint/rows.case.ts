/** Tables of violations: each is cited by the row that names it, at that row's level; its clean sibling is silent. */
import { expect } from 'vitest'
import { isObject, type JsonObject, REVISIONS, type Revision } from '../mcp/index.ts'
import { judged, listed, modern, rulesAndShapes, Talk } from './talk.case.ts'

const CLIENT: JsonObject = {
  roots: {},
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
}
export const SERVER: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  logging: {},
  completions: {},
}

/** A conversation in one protocol version, told apart only where its lifecycle differs. */
export class Story {
  readonly talk: Talk
  readonly modern: boolean
  readonly client: JsonObject

  constructor(revision: Revision, server: JsonObject = SERVER, client: JsonObject = CLIENT) {
    this.client = client
    this.modern = revision === '2026-07-28'
    this.talk = this.modern ? new Talk().discover(server, client) : new Talk().shakeHands(revision, server, client)
  }

  /** A request without its response. @returns its ID */
  ask(method: string, params: JsonObject = {}): number {
    const { _meta, ...rest } = params
    const meta = isObject(_meta) ? _meta : {}
    return this.talk.ask(method, this.modern ? this.talk.envelope(rest, this.client, meta) : params)
  }

  answer(id: number, result: JsonObject, fresh = false): void {
    const hints: JsonObject = fresh ? { ttlMs: 60_000, cacheScope: 'private' } : {}
    this.talk.answer(id, this.modern ? modern({ ...hints, ...result }) : result)
  }

  call(method: string, params: JsonObject, result: JsonObject): void {
    this.answer(this.ask(method, params), result, method.endsWith('/list') || method === 'resources/read')
  }

  /** A request by the server: since 2026-07-28 in a result. */
  asks(method: string, params: JsonObject): void {
    if (!this.modern)
      return void this.talk.received({ jsonrpc: '2.0', id: `s${this.talk.trace.length}`, method, params })
    const inputRequests = { q: { method, params } }
    this.call('tools/call', { name: 't', arguments: {} }, { resultType: 'input_required', inputRequests })
  }

  /** `SF-PAGE-02 MUST`; notes on keys of other versions aside. */
  cites(): string[] {
    const found = listed(judged(this.talk, rulesAndShapes))
    return found.flatMap(({ rule, keyword }) => (keyword === 'MAY' ? [] : [`${rule} ${keyword}`]))
  }
}

export type Row = readonly [
  expected: string,
  revisions: readonly Revision[],
  violating: (story: Story) => void,
  clean: (story: Story) => void,
]

export const from = (revision: Revision): Revision[] => REVISIONS.filter((each) => each >= revision)
export const until = (last: Revision, first: Revision = '2024-11-05'): Revision[] =>
  REVISIONS.filter((each) => each >= first && each <= last)

/** One part of a message in two forms. */
export const pair = (say: (story: Story, more: JsonObject) => void, violating: JsonObject, clean: JsonObject = {}) =>
  [(story: Story) => say(story, violating), (story: Story) => say(story, clean)] as const

/**
 * For `test.each`: each row in each of its versions.
 * @returns what is expected, the version, and a check that the violation is cited and its clean sibling isn't
 */
export const eachOf = (
  rows: readonly Row[],
  server?: JsonObject,
  client?: JsonObject,
): (readonly [expected: string, revision: Revision, check: () => void])[] =>
  rows.flatMap(([expected, revisions, violating, clean]) =>
    revisions.map((revision) => {
      const check = () => {
        const [bad, good] = [new Story(revision, server, client), new Story(revision, server, client)]
        violating(bad)
        clean(good)
        expect(bad.cites()).toContain(expected)
        expect(good.cites()).toEqual([])
      }
      return [expected, revision, check] as const
    }),
  )
