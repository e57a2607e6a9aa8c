/** A server's lists, as every feature with a list handles them when a session starts. */
import { describe, expect, test } from 'vitest'
import {
  LoopbackTransport,
  Projection,
  Session,
  Trace,
  type Fold,
  type JsonObject,
  type LoopbackServer,
} from '../../mcp/index.ts'
import type { Feature, ServerView } from '../feature.ts'
import { onlyKey } from './list-items.ts'
import type { Listing } from './listing-fold.ts'
import { prompts } from '../prompts/index.ts'
import { promptsFold } from '../prompt-commands/prompts-fold.ts'
import { resourcesFold, templatesFold } from '../resources/resources-fold.ts'
import { resources } from '../resources/index.ts'
import { tools } from '../tools/index.ts'
import { toolsFold } from '../tools/tools-fold.ts'

interface Kind {
  readonly feature: Feature
  readonly capability: string
  readonly method: string
  readonly member: string
  readonly fold: Fold<ReadonlyMap<string, Listing<unknown>>>
  readonly itemOf: (at: number) => JsonObject
  readonly changed: string
}

const KINDS: readonly (readonly [string, Kind])[] = [
  [
    'tools',
    {
      feature: tools,
      capability: 'tools',
      method: 'tools/list',
      member: 'tools',
      fold: toolsFold,
      itemOf: (at) => ({ name: `t${at}`, inputSchema: { type: 'object' } }),
      changed: 'notifications/tools/list_changed',
    },
  ],
  [
    'resources',
    {
      feature: resources,
      capability: 'resources',
      method: 'resources/list',
      member: 'resources',
      fold: resourcesFold,
      itemOf: (at) => ({ name: `r${at}`, uri: `x://${at}` }),
      changed: 'notifications/resources/list_changed',
    },
  ],
  [
    'templates',
    {
      feature: resources,
      capability: 'resources',
      method: 'resources/templates/list',
      member: 'resourceTemplates',
      fold: templatesFold,
      itemOf: (at) => ({ name: `r${at}`, uriTemplate: `x://${at}/{a}` }),
      changed: 'notifications/resources/list_changed',
    },
  ],
  [
    'prompts',
    {
      feature: prompts,
      capability: 'prompts',
      method: 'prompts/list',
      member: 'prompts',
      fold: promptsFold,
      itemOf: (at) => ({ name: `p${at}` }),
      changed: 'notifications/prompts/list_changed',
    },
  ],
]

/** A server with one list of three pages and opaque cursors, and the requests it received. */
const listing = ({ capability, method: mine, member, itemOf, changed }: Kind, declared: boolean) => {
  const asked: { method: string; cursor: unknown }[] = []
  const pages = new Map<unknown, readonly [from: number, next?: string]>([
    [undefined, [0, '']],
    ['', [2, '=%20 ü']],
    ['=%20 ü', [4]],
  ])
  let said: (text: string) => void = () => {}
  const tell = (message: JsonObject) => said(JSON.stringify({ jsonrpc: '2.0', ...message }))
  let items = 5
  const server: LoopbackServer = {
    connect(reply) {
      said = reply
      return {
        receive(text) {
          const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params?: JsonObject }
          if (id === undefined) return
          asked.push({ method, cursor: params?.cursor })
          const answer = (result: JsonObject) => tell({ id, result })
          if (method === 'initialize') {
            const capabilities: JsonObject = declared ? { [capability]: { listChanged: true } } : {}
            return answer({
              protocolVersion: '2025-11-25',
              capabilities,
              serverInfo: { name: 'lists', version: '1' },
            })
          }
          if (method !== mine) return tell({ id, error: { code: -32601, message: 'Not here' } })
          const page = pages.get(params?.cursor)
          if (!page) return tell({ id, error: { code: -32602, message: 'No such cursor' } })
          const [from, nextCursor] = page
          const shown = Array.from({ length: Math.min(2, items - from) }, (_, at) => itemOf(from + at))
          answer({ [member]: shown, ...(nextCursor === undefined ? {} : { nextCursor }) })
        },
        close() {},
      }
    },
  }
  return {
    server,
    asked: () => asked.filter(({ method }) => method === mine).map(({ cursor }) => cursor),
    grow: () => {
      items++
      tell({ method: changed })
    },
  }
}

const connected = async (kind: Kind, declared: boolean) => {
  const list = listing(kind, declared)
  const trace = new Trace()
  const clientInfo = { name: 'test', version: '1' }
  const transport = new LoopbackTransport(list.server)
  const session = new Session({ trace, link: 'a', transport, clientInfo, pinned: '2025-11-25' })
  const projections = new Map<Fold<unknown>, Projection<unknown>>()
  const state = <State>(fold: Fold<State>): Projection<State> => {
    const known = projections.get(fold) ?? new Projection<unknown>(trace, fold)
    projections.set(fold, known)
    return known as Projection<State>
  }
  state(kind.fold)
  const peer = await session.open()
  kind.feature.opened!({ link: 'a', trace, session, peer, state } as unknown as ServerView)
  return { ...list, session, shown: () => state(kind.fold).current.get('a') }
}

describe.each(KINDS)('%s', (_, kind) => {
  test('are had in all their pages, and again when the server says that they changed (SF-PAGE-07, SF-RES-02, SF-PROMPT-06, SF-PROMPT-07)', async () => {
    const { asked, grow, shown, session } = await connected(kind, true)
    await expect.poll(() => shown()?.state).toBe('ready')
    expect([shown()!.items.length, asked()]).toEqual([5, [undefined, '', '=%20 ü']])
    grow()
    await expect.poll(() => shown()!.items.length).toBe(6)
    expect(asked().slice(3)).toEqual([undefined, '', '=%20 ü'])
    await session.close()
  })

  test('are not asked for where the server did not declare them (SF-RES-01, SF-PROMPT-01, SF-PROMPT-06)', async () => {
    const { asked, session } = await connected(kind, false)
    await session.ping().catch(() => {})
    expect(asked()).toEqual([])
    await session.close()
  })
})

test('an item is chosen for the user only if complete lists have no other', () => {
  const list = (state: 'ready' | 'loading' | 'error', ...keys: string[]) => ({
    state,
    complete: state === 'ready',
    items: keys.map((key) => ({ key })),
  })
  expect(onlyKey(list('ready', 'a'))).toBe('a')
  expect(onlyKey(list('ready', 'a', 'b'))).toBe('')
  expect(onlyKey(list('ready'))).toBe('')
  // The next page may have more.
  expect(onlyKey(list('loading', 'a'))).toBe('')
  expect(onlyKey(undefined)).toBe('')
  expect(onlyKey(list('ready', 'a'), undefined)).toBe('')
  expect(onlyKey(list('ready', 'a'), list('ready', 'b'))).toBe('')
  // A server without templates may refuse their list.
  expect(onlyKey(list('ready', 'a'), list('error'))).toBe('a')
  // The pages that failed may have more.
  expect(onlyKey(list('error', 'a'))).toBe('')
})
