/** Servers on the official SDKs, each reached only by its URL or its command: what a user does first. */
import { afterAll, describe, expect, inject, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import {
  Bridge,
  exchanges,
  foldAll,
  isObject,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  type Json,
  type JsonObject,
  type Revision,
  type Transport,
} from './index.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const at = (url: string) => (): Transport => new StreamableHttpTransport({ url })

const command =
  (...words: string[]) =>
  (): Transport => {
    const [script = '', ...args] = words
    const spawn = { command: inject('nodePath'), args: [`${inject('root')}/${script}`, ...args] }
    return new StdioBridgeTransport({ bridge, spawn })
  }

interface Server {
  readonly what: string
  readonly transport: () => Transport
  readonly revision: Revision
  /** The transport that was used in the end. */
  readonly over: string
  readonly name: string
  readonly lists: Readonly<Record<string, number>>
  readonly call: JsonObject
}

const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'
const V1_LISTS = { tools: 13, resources: 7, resourceTemplates: 2, prompts: 4 }
const V2_LISTS = { tools: 12, resources: 3, resourceTemplates: 1, prompts: 3 }

const SERVERS: readonly Server[] = [
  {
    what: 'the SDK v1 over stdio',
    transport: command(EVERYTHING, 'stdio'),
    revision: '2025-11-25',
    over: 'stdio',
    name: 'mcp-servers/everything',
    lists: V1_LISTS,
    call: { name: 'echo', arguments: { message: 'Grüße 🎈' } },
  },
  {
    what: 'the SDK v1 over HTTP',
    transport: at(inject('everythingUrl')),
    revision: '2025-11-25',
    over: 'Streamable HTTP',
    name: 'mcp-servers/everything',
    lists: V1_LISTS,
    call: { name: 'echo', arguments: { message: 'Grüße 🎈' } },
  },
  {
    what: 'the SDK v1 over HTTP+SSE',
    transport: at(inject('sseUrl')),
    revision: '2025-11-25',
    over: 'HTTP+SSE',
    name: 'cutting',
    lists: { tools: 4 },
    call: { name: 'echo', arguments: { text: 'Grüße 🎈' } },
  },
  {
    what: 'the SDK v2 over stdio',
    transport: command('tests/servers/modern-stdio.mjs'),
    revision: '2026-07-28',
    over: 'stdio',
    name: 'modern',
    lists: V2_LISTS,
    call: { name: 'echo', arguments: { text: 'Grüße 🎈' } },
  },
  {
    what: 'the SDK v2 over HTTP',
    transport: at(inject('modernUrl')),
    revision: '2026-07-28',
    over: 'Streamable HTTP',
    name: 'modern',
    lists: V2_LISTS,
    call: { name: 'echo', arguments: { text: 'Grüße 🎈' } },
  },
]

/** The lists of a capability, by the key of their results. */
const LISTS: readonly (readonly [capability: string, method: string, key: string])[] = [
  ['tools', 'tools/list', 'tools'],
  ['resources', 'resources/list', 'resources'],
  ['resources', 'resources/templates/list', 'resourceTemplates'],
  ['prompts', 'prompts/list', 'prompts'],
]

const listed = async (session: Session, method: string, key: string): Promise<readonly Json[]> => {
  const all: Json[] = []
  let cursor: Json | undefined
  do {
    const page = await session.request(method, cursor === undefined ? {} : { cursor })
    all.push(...(page[key] as readonly Json[]))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return all
}

describe('with no setting by hand', () => {
  test.each(SERVERS)(
    '$what is inspected at $revision: LC-07, VN-04, TR-SSE-05',
    async ({ transport, revision, over, name, lists, call }) => {
      const trace = new Trace()
      const clientInfo = { name: 'test', version: '0' }
      const session = new Session({ trace, link: 's1', transport: transport(), clientInfo, patience: patient(60_000) })
      const peer = await session.open()
      expect(peer).toMatchObject({ revision, info: { name } })
      expect([...trace].find((frame) => frame.kind === 'session' && frame.phase === 'open')).toMatchObject({
        transport: over,
      })
      const found: Record<string, number> = {}
      for (const [capability, method, key] of LISTS) {
        if (isObject(peer.capabilities[capability])) found[key] = (await listed(session, method, key)).length
      }
      expect(found).toEqual(lists)
      const { content } = await session.request('tools/call', call)
      expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('Grüße 🎈') as string }])
      await session.close()
      expect(foldAll(exchanges, trace).pending).toBe(0)
    },
  )
})
