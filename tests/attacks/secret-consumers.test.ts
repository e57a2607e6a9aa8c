/**
 * One list of names, and everything that uses it: code that captures, stores, shows, exports or records must hide the
 * value of every listed name, however its words are joined. A consumer with its own list would fail here.
 */
import { describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import { withoutSecrets, storable } from '../../web/app/connect/without-secrets.ts'
import { lineOf, type Target } from '../../web/app/connect/target.ts'
import { liveHead } from '../../web/app/sharing.ts'
import { saveRecent } from '../../web/app/remembered.ts'
import { saveServers, storedKeyOf, withRecent } from '../../web/app/storable.ts'
import { Session, StreamableHttpTransport, Trace, type FrameDraft } from '../../web/mcp/index.ts'
import { ConnectionSecrets, KnownSecrets } from '../../web/secrets/capture.ts'
import { maskHeaders, maskUrl, mayBeSecretName } from '../../web/secrets/index.ts'
import { DEFAULT_REDACTIONS } from '../../web/secrets/redaction.ts'
import { exportAs } from '../../web/session-file/formats/export.ts'
import { linkOf } from '../../web/session-file/link.ts'
import { withoutTyped } from '../../web/session-file/mask-typed.ts'
import { readSession } from '../../web/session-file/read.ts'
import { headOf, sessionText } from '../../web/session-file/write.ts'
import { outgoing } from '../../web/share/outgoing.ts'
import { redact } from '../../web/share/redact.ts'
import { leaks } from '../sessions/leaks.ts'

interface Row {
  readonly name: string
  readonly value: string
}

/** Names that the rules list for every place, if a header, parameter or variable can have them. */
const LISTED = DEFAULT_REDACTIONS.flatMap((rule) =>
  rule.kind === 'name' && rule.where === undefined ? rule.names.filter((name) => /^[a-z ]+$/.test(name)) : [],
)

const SPELLINGS: Readonly<Record<string, (words: readonly string[]) => string>> = {
  snake_case: (words) => words.join('_'),
  camelCase: ([first = '', ...rest]) => first + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(''),
  'Kebab-Case': (words) => ['X', ...words.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('-'),
  UPPER_CASE: (words) => ['MY', ...words].join('_').toUpperCase(),
}

/** Letters and digits, as a generator makes them. Each value is unique. */
const valueOf = (number: number): string =>
  `q${(number * 7919 + 104729).toString(36)}Zk4Tw9${(number * 31 + 1296).toString(36)}Vb2Xn7Rp`

const rowsIn = (spelling: string): Row[] =>
  LISTED.map((name, at) => ({ name: SPELLINGS[spelling]!(name.split(' ')), value: valueOf(at) }))

const uri = encodeURIComponent
const head = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '0' }, servers: [] })
const query = (rows: readonly Row[]): string =>
  `https://mcp.example/mcp?${rows.map(({ name, value }) => `${uri(name)}=${uri(value)}`).join('&')}`
const record = (rows: readonly Row[]) => Object.fromEntries(rows.map(({ name, value }) => [name, value]))
const pairs = (rows: readonly Row[]) => rows.map(({ name, value }) => [name, value] as const)

const recorded = (...drafts: FrameDraft[]) => {
  const trace = new Trace()
  for (const draft of drafts) trace.append(draft)
  return [...trace]
}
const request = (fields: object) =>
  ({
    kind: 'http',
    phase: 'request',
    link: 's1',
    method: 'POST',
    size: 0,
    purpose: 'message',
    url: 'https://x.example/',
    headers: [],
    ...fields,
  }) as FrameDraft
const message = (value: object) =>
  ({
    kind: 'message',
    link: 's1',
    direction: 'received',
    type: 'result',
    size: 1,
    message: { jsonrpc: '2.0', id: 1, result: value },
  }) as unknown as FrameDraft

const stderr = (text: string): FrameDraft => ({ kind: 'process', event: 'stderr', link: 's1', text })

/** Behaves like a browser's storage. */
const memory = () => {
  const all = new Map<string, string>()
  return {
    getItem: (key: string) => all.get(key) ?? null,
    setItem: (key: string, value: string) => void all.set(key, value),
    removeItem: (key: string) => void all.delete(key),
    dump: () => JSON.stringify([...all]),
  }
}

const stored = (target: Target): string => {
  const disk = memory()
  saveServers(disk, [{ link: 's1', name: 'n', target, launch: false, settings: {} }])
  saveRecent(disk, withRecent([], { name: 'n', target, settings: {} }, 1))
  disk.setItem('key', storedKeyOf(target))
  return disk.dump()
}

const headText = (target: Target): string =>
  JSON.stringify(
    liveHead(
      {
        trace: new Trace(),
        servers: { all: [{ link: 's1', name: 'n', target, transport: undefined }] },
        connected: { connectionOf: () => ({}) as never },
      },
      '0',
    ),
  )

/** Goes through the transport, to a server that echoes the request. */
const captured = async (target: Extract<Target, { kind: 'url' }>): Promise<string> => {
  const trace = new Trace()
  const secrets = new ConnectionSecrets()
  secrets.know(target)
  trace.guard('s1', secrets)
  const echo: typeof fetch = (input, init) => {
    const said = [
      new Request(input).url,
      ...[...new Headers(init?.headers)].map(([name, value]) => `${name}: ${value}`),
    ]
    return Promise.resolve(new Response(said.join('\n'), { status: 400, headers: { 'content-type': 'text/plain' } }))
  }
  const transport = new StreamableHttpTransport({ url: target.url, headers: target.headers, fetch: echo })
  await new Session({ trace, link: 's1', transport, clientInfo: { name: 'x', version: '0' } }).open().catch(() => {})
  expect(trace.length).toBeGreaterThan(1)
  return JSON.stringify([...trace])
}

const told = (rows: readonly Row[], ...drafts: FrameDraft[]): string => {
  const secrets = new ConnectionSecrets()
  secrets.know({ env: record(rows) })
  return JSON.stringify(drafts.map((draft) => secrets.mask(draft)))
}

const shared = async (frames: ReturnType<typeof recorded>): Promise<string> => {
  const out = await outgoing(await redact(head, frames), { part: 'session' })
  const parts = [[...sessionText(out.head, out.frames)].join(''), (await linkOf('https://periscope.example/', out)).url]
  for (const kind of ['json', 'har', 'markdown'] as const) parts.push((await exportAs(kind, out.head, out.frames)).text)
  return parts.join('\n')
}

const reopened = async (frames: ReturnType<typeof recorded>, headers: readonly string[]): Promise<string> => {
  const target = { kind: 'url', url: 'https://x.example/', headers }
  const opened = await readSession([
    ...sessionText(headOf({ ...head, servers: [{ link: 's1', name: 'n', target }] } as never), frames as never),
  ])
  return JSON.stringify((await withoutTyped(opened)).frames)
}

const url = (rows: readonly Row[]) => ({ kind: 'url', url: query(rows), headers: [] }) as const
const withHeaders = (rows: readonly Row[]) =>
  ({ kind: 'url', url: 'https://mcp.example/mcp', headers: pairs(rows) }) as const
const command = (args: readonly string[], env = {}): Target => ({
  kind: 'command',
  command: 'npx',
  args: ['x', ...args],
  env,
})
const options = (rows: readonly Row[]) => rows.map(({ name, value }) => `--${name}=${value}`)
const words = (rows: readonly Row[]) => rows.flatMap(({ name, value }) => [`--${name}`, value])

type Consumer = (rows: readonly Row[]) => string | Promise<string>

const CONSUMERS: Readonly<Record<string, Consumer>> = {
  // Capture.
  'trace: headers': (rows) => JSON.stringify(maskHeaders(pairs(rows))),
  'trace: URL': (rows) => maskUrl(query(rows)),
  'trace: typed headers, repeated by the server': (rows) => captured(withHeaders(rows)),
  'trace: typed URL, repeated by the server': (rows) => captured(url(rows)),
  'trace: variables on stderr': (rows) => told(rows, ...rows.map(({ value }) => stderr(`bad: ${value}`))),
  'trace: variables in an error': (rows) =>
    told(
      rows,
      ...rows.map(
        ({ value }) =>
          ({ kind: 'session', phase: 'failed', link: 's1', explanation: `bad: ${value}` }) as unknown as FrameDraft,
      ),
    ),
  'trace: options of the command': (rows) =>
    told([], {
      kind: 'process',
      event: 'spawn',
      link: 's1',
      command: 'npx',
      args: options(rows),
      cwd: '/',
      env: [],
      pid: 1,
    } as unknown as FrameDraft),
  'sign-in: headers': (rows) => JSON.stringify(new KnownSecrets().headers(pairs(rows))),
  'sign-in: URL': (rows) => new KnownSecrets().url(query(rows)),
  'sign-in: form': (rows) => new KnownSecrets().text(query(rows).split('?')[1]!, 'application/x-www-form-urlencoded'),
  'sign-in: JSON': (rows) => new KnownSecrets().text(JSON.stringify(record(rows))),
  // Stored on the device.
  'recent servers: URL': (rows) => stored(url(rows)),
  'recent servers: headers': (rows) => stored(withHeaders(rows)),
  'recent servers: variables': (rows) => stored(command([], record(rows))),
  'recent servers: --name=value': (rows) => stored(command(options(rows))),
  'recent servers: --name value': (rows) => stored(command(words(rows))),
  'draft: URL': (rows) => storable(query(rows)) ?? '',
  'draft: command': (rows) => storable(lineOf(command(words(rows)))) ?? '',
  'head of a session: URL': (rows) => headText(url(rows)),
  'head of a session: options': (rows) => headText(command(options(rows))),
  'a session of an earlier version': (rows) =>
    reopened(
      recorded(request({ url: query(rows), headers: pairs(rows) })),
      rows.map(({ name }) => name),
    ),
  // Leaves the device: file, link, HAR, report, JSON.
  'shared: headers': (rows) => shared(recorded(request({ headers: pairs(rows) }))),
  'shared: URL': (rows) => shared(recorded(request({ url: query(rows) }))),
  'shared: members of a result': (rows) => shared(recorded(message(record(rows)))),
  'shared: JSON in a text': (rows) =>
    shared(recorded(message({ content: [{ type: 'text', text: JSON.stringify(record(rows)) }] }))),
  'shared: pairs of name and value': (rows) => shared(recorded(message({ list: rows }))),
  'shared: assignments on stderr': (rows) =>
    shared(recorded(...rows.map(({ name, value }) => stderr(`${name}=${value}`)))),
  'shared: body of a form': (rows) => shared(recorded(request({ body: query(rows).split('?')[1]! }))),
}

describe.each(Object.keys(SPELLINGS))('names in %s', (spelling) => {
  const rows = rowsIn(spelling)

  test('are secret if ambiguous names count as well', () => {
    expect(rows.filter(({ name }) => !mayBeSecretName(name)).map(({ name }) => name)).toEqual([])
  })

  test('are all left out of what is remembered of a connection', () => {
    const { dropped } = withoutSecrets(url(rows))
    expect(rows.filter(({ name }) => !dropped.includes(name)).map(({ name }) => name)).toEqual([])
  })

  test.each(Object.entries(CONSUMERS))('%s', { timeout: patient(60_000) }, async (_, hidden) => {
    const text = await hidden(rows)
    const found = await leaks(
      text,
      rows.map(({ value }) => value),
    )
    expect(rows.filter(({ value }) => found.includes(value)).map(({ name }) => name)).toEqual([])
  })
})
