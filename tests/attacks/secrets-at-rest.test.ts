/**
 * Twenty kinds of secrets in twenty places of a typed connection: none may appear in IndexedDB, in the browser's
 * storage, in a link or in a file, in any encoding. The transports, the Trace and the store are real; the server echoes
 * everything it receives, in several encodings.
 */
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import { readConfig } from '../../web/app/connect/configs/read-config.ts'
import { understand } from '../../web/app/connect/connect-input.ts'
import { storable, valuesToKeep } from '../../web/app/connect/without-secrets.ts'
import { liveHead } from '../../web/app/sharing.ts'
import { saveRecent } from '../../web/app/remembered.ts'
import { saveServers, storedKeyOf, withRecent } from '../../web/app/storable.ts'
import { lineOf, type Target } from '../../web/app/connect/target.ts'
import {
  HttpSseTransport,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  type Bridge,
} from '../../web/mcp/index.ts'
import { SealedStorage, TypedValues } from '../../web/oauth/index.ts'
import { ConnectionSecrets } from '../../web/secrets/capture.ts'
import { linkOf } from '../../web/session-file/link.ts'
import { withoutTyped } from '../../web/session-file/mask-typed.ts'
import { outgoing } from '../../web/share/outgoing.ts'
import { readSession } from '../../web/session-file/read.ts'
import { redact } from '../../web/share/redact.ts'
import { SessionWriter } from '../../web/session-file/store-writer.ts'
import { SessionStore } from '../../web/session-file/store.ts'
import { headOf, sessionText } from '../../web/session-file/write.ts'
import { leaks } from '../sessions/leaks.ts'
import { KINDS, PLACES, type Kind } from './secret-kinds.ts'

/** Behaves like a browser's storage. */
const memory = () => {
  const all = new Map<string, string>()
  return {
    getItem: (key: string) => all.get(key) ?? null,
    setItem: (key: string, value: string) => void all.set(key, value),
    removeItem: (key: string) => void all.delete(key),
    key: (index: number) => [...all.keys()][index] ?? null,
    get length() {
      return all.size
    },
    dump: () => JSON.stringify([...all]),
  }
}

const deviceKey = crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

const spellings = (text: string): string =>
  [text, encodeURIComponent(text), JSON.stringify(text), Buffer.from(text).toString('base64')].join('\n')

/** A server that echoes everything it receives. */
const echoing: typeof fetch = (input, init) => {
  const said = [new Request(input).url, ...[...new Headers(init?.headers)].map(([name, value]) => `${name}: ${value}`)]
  const body = said.map(spellings).join('\n')
  return Promise.resolve(new Response(body, { status: 400, headers: { 'content-type': 'text/plain' } }))
}
const silent: typeof fetch = () => Promise.resolve(new Response('', { status: 400 }))

const bridgeTo = (target: Extract<Target, { kind: 'command' }>, echoes: boolean): Bridge =>
  ({
    spawn: (_: unknown, listener: (event: unknown) => void) => {
      queueMicrotask(() => {
        const { args, env } = target
        if (echoes)
          for (const text of [...args, ...Object.values(env)].flatMap((one) => spellings(one).split('\n')))
            listener({ type: 'stderr', text })
        listener({ type: 'exit', code: 1, signal: null, stderr: echoes ? [...args, ...Object.values(env)] : [] })
      })
      return Promise.resolve({ child: 'c1', pid: 1 })
    },
    write: () => Promise.resolve(),
    end: () => Promise.resolve(),
  }) as unknown as Bridge

const everything = async (): Promise<string> => {
  const parts: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const base = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error!)
    })
    for (const store of base.objectStoreNames) {
      const request = base.transaction(store).objectStore(store).getAll()
      parts.push(await new Promise((resolve) => (request.onsuccess = () => resolve(request.result))))
    }
    base.close()
  }
  return JSON.stringify(parts)
}

const connect = async (trace: Trace, target: Target, echoes: boolean): Promise<void> => {
  const options = { trace, link: 's1', clientInfo: { name: 'x', version: '0' }, capabilities: () => ({}) }
  const transports =
    target.kind === 'url'
      ? [StreamableHttpTransport, HttpSseTransport].map(
          (Transport) => new Transport({ url: target.url, headers: target.headers, fetch: echoes ? echoing : silent }),
        )
      : [new StdioBridgeTransport({ bridge: bridgeTo(target as never, echoes), spawn: target as never })]
  for (const transport of transports) await new Session({ ...options, transport }).open().catch(() => {})
}

/** Everything stored on or leaving the device after a connection to this target. */
const traces = async (target: Target, echoes: boolean): Promise<Record<string, string>> => {
  const trace = new Trace()
  const secrets = new ConnectionSecrets()
  secrets.know(target)
  trace.guard('s1', secrets)
  await connect(trace, target, echoes)
  expect(trace.length).toBeGreaterThan(1)

  const disk = memory()
  saveServers(disk, [{ link: 's1', name: 'n', target, launch: false, settings: {} }])
  saveRecent(disk, withRecent([], { name: 'n', target, settings: {} }, 1))
  disk.setItem('periscope.kept', storedKeyOf(target))
  disk.setItem('periscope.draft', storable(lineOf(target)) ?? '')

  // As if the user had chosen to remember the values.
  const { pairs, holdsSecret } = valuesToKeep(target)
  const sealed = await SealedStorage.open({ store: disk, key: () => deviceKey })
  const isKept = !holdsSecret && pairs.length > 0
  if (isKept) expect(await new TypedValues({ sealed }).keep(storedKeyOf(target), pairs)).toBeUndefined()
  expect(disk.dump().includes('periscope.credentials.')).toBe(isKept)

  const bench = {
    trace,
    servers: { all: [{ link: 's1', name: 'n', target, transport: undefined }] },
    connected: { connectionOf: () => ({}) as never },
  }
  const head = liveHead(bench, '0')
  const store = await SessionStore.open()
  const writer = new SessionWriter({ store, trace, head: () => head, budget: () => 1e9, newId: () => 'id', every: 1 })
  await writer.stop()
  store.close()
  const frames = [...trace]
  const out = await outgoing(await redact(headOf(head), frames), { part: 'session' })
  return {
    Trace: JSON.stringify(frames),
    IndexedDB: await everything(),
    localStorage: disk.dump(),
    'unredacted file': [...sessionText(headOf(head), frames)].join(''),
    file: [...sessionText(out.head, out.frames)].join(''),
    link: (await linkOf('https://periscope.example/', out)).url,
  }
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
})

const partOf = (kind: Kind, secret: string): string => kind.part?.(secret) ?? secret

describe('what is typed to connect with lies nowhere and leaves nowhere (SEC-15)', () => {
  test.each(PLACES)(
    '$name: none of twenty kinds of secrets',
    { timeout: patient(120_000) },
    async ({ target: make }) => {
      const found: string[] = []
      let tried = 0
      for (const kind of KINDS) {
        const secret = kind.make()
        const target = make(secret)
        if (!target) continue
        tried++
        for (const echoes of kind.word ? [false] : [false, true]) {
          globalThis.indexedDB = new IDBFactory()
          for (const [where, text] of Object.entries(await traces(target, echoes)))
            for (const leak of await leaks(text, [partOf(kind, secret)]))
              found.push(`${kind.name} in ${where}${echoes ? ', repeated by the server' : ''}: ${leak}`)
        }
      }
      expect(found).toEqual([])
      expect(tried).toBeGreaterThan(12)
    },
  )

  test('a pasted configuration: of each kind, in headers and variables, none is stored with the draft', () => {
    for (const kind of KINDS) {
      const secret = kind.make()
      for (const config of [
        { mcpServers: { a: { url: 'https://mcp.example/mcp', headers: { 'X-Custom': secret } } } },
        { mcpServers: { a: { command: 'npx', args: ['x', '--pass', secret], env: {} } } },
        { servers: { a: { command: 'npx', args: ['x'], env: { X: secret } } } },
      ]) {
        const text = JSON.stringify(config, null, 2)
        expect(understand(text, undefined, () => readConfig).kind).toBe('servers')
        expect(storable(text) ?? '', kind.name).not.toContain(partOf(kind, secret).slice(0, 8))
      }
    }
  })

  test('a session that was stored in clear by an earlier version is masked when it is opened', async () => {
    const secret = KINDS[3]!.make()
    const target: Target = {
      kind: 'url',
      url: `https://mcp.example/mcp?api_key=${secret}`,
      headers: [['X-Custom', secret]],
    }
    // Captured the old way: nothing masks frames before the Trace.
    const frames = [
      {
        kind: 'http',
        phase: 'request',
        method: 'POST',
        url: target.url,
        headers: [['x-custom', secret]],
        size: 0,
        purpose: 'message',
      },
      { kind: 'http', phase: 'end', request: 0, size: 9, body: `no such key: ${secret}` },
    ].map((frame, seq) => ({ seq, at: seq, link: 's1', ...frame }))
    const head = headOf({
      begunAt: '2026-01-01T00:00:00.000Z',
      tool: { name: 'mcp-periscope', version: '0' },
      servers: [{ link: 's1', name: 'n', target: { kind: 'url', url: target.url, headers: ['X-Custom'] } }],
    })
    const opened = await readSession([...sessionText(head, frames as never)])
    expect(await leaks(JSON.stringify(opened.frames), [secret])).toEqual([secret])
    expect(await leaks(JSON.stringify((await withoutTyped(opened)).frames), [secret])).toEqual([])
    const out = await outgoing(await redact(opened.head, opened.frames), { part: 'session' })
    expect(await leaks([...sessionText(out.head, out.frames)].join(''), [secret])).toEqual([])
  })
})
