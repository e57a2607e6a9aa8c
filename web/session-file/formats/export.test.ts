import { Validator, type Schema } from '@cfworker/json-schema'
import fc from 'fast-check'
import { lexer, type Token } from 'marked'
import { describe, expect, inject, test } from 'vitest'
// A test may import from a higher rank: these are the readers that must accept the exported configurations.
import { readServers } from '../../app/connect/configs/read-servers.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { LoopbackTransport, Session, StreamableHttpTransport, Trace, type Finding, type FindingOrAdvice, type Frame, type Json, type Transport } from '../../mcp/index.ts' // prettier-ignore
import { FaultInjection } from '../../faults/index.ts'
import { createSampleServer } from '../../sample/server.ts'
import { SAMPLE_TOOLS } from '../../sample/tools.ts'
import type { RecordedServer, SessionHead } from '../file.ts'
import { headOf } from '../write.ts'
import { canExport, EXPORT_KINDS, exportAs } from './export.ts'

const head = (servers: readonly RecordedServer[] = [], name?: string): SessionHead =>
  headOf({
    begunAt: '2026-01-01T00:00:00.000Z',
    tool: { name: 'mcp-periscope', version: '0.1.0' },
    servers,
    ...(name === undefined ? {} : { name }),
  })

const record = async (transport: Transport): Promise<readonly Frame[]> => {
  const trace = new Trace()
  const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '1' }, capabilities: () => ({}), answers: {} }) // prettier-ignore
  await session.open()
  await session.request('tools/list')
  await session.request('tools/call', { name: 'echo', arguments: { message: 'Grüße' } })
  await session.request('tools/call', { name: 'nobody' }).catch(() => {})
  await session.close()
  return [...trace]
}

const number = (minimum: number): Schema => ({ type: 'number', minimum })
const text: Schema = { type: 'string' }
const pairs: Schema = {
  type: 'array',
  items: { type: 'object', required: ['name', 'value'], properties: { name: text, value: text } },
}
const object = (
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
  patternProperties: { '^_': {} },
  additionalProperties: false,
})
/** HAR 1.2: members that start with an underscore are free, all others must be these. */
const HAR: Schema = object({
  log: object(
    {
      version: { const: '1.2' },
      creator: object({ name: { type: 'string', minLength: 1 }, version: text }),
      entries: {
        type: 'array',
        items: object(
          {
            startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
            time: number(0),
            request: object(
              { method: text, url: { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:' }, httpVersion: text, cookies: { type: 'array', maxItems: 0 }, headers: pairs, queryString: pairs, headersSize: number(-1), bodySize: number(-1) },
              { postData: object({ mimeType: text, params: pairs, text }), comment: text },
            ),
            response: object({ status: { type: 'integer', minimum: 0 }, statusText: text, httpVersion: text, cookies: { type: 'array', maxItems: 0 }, headers: pairs, content: object({ size: number(0), mimeType: text }, { text }), redirectURL: text, headersSize: number(-1), bodySize: number(-1) }),
            cache: { type: 'object', maxProperties: 0 },
            timings: object({ send: number(0), wait: number(0), receive: number(0) }, { blocked: number(-1), dns: number(-1), connect: number(-1), ssl: number(-1) }),
          },
          { comment: text },
        ),
      },
    },
    { comment: text },
  ),
}) // prettier-ignore

interface Har {
  readonly log: {
    readonly comment: string
    readonly entries: readonly { readonly time: number; readonly comment?: string; readonly timings: Readonly<Record<string, number>>; readonly request: { readonly url: string } }[] // prettier-ignore
  }
}

const sample = () => new LoopbackTransport(createSampleServer({ tools: SAMPLE_TOOLS, wait: async () => {} }))

describe('as HAR 1.2', () => {
  test.each<[string, () => Transport]>([
    ['over HTTP', () => new StreamableHttpTransport({ url: inject('everythingUrl') })],
    ['without HTTP', sample],
  ])('a session %s is valid, says that it is a mapping, and its times add up', async (_, transport) => {
    const frames = await record(transport())
    const { text: written, name, mime } = await exportAs('har', head([], 'a/b: c'), frames)
    expect([name, mime]).toEqual(['a-b-c-2026-01-01T00-00-00.har', 'application/json'])
    const har = JSON.parse(written) as Har
    expect(new Validator(HAR, '2020-12', false).validate(har).errors).toEqual([])
    expect(har.log.comment).toContain('A mapping')
    expect(har.log.comment).toContain('session')
    for (const { time, timings, request, comment } of har.log.entries) {
      const sum = Object.values(timings).reduce((total, part) => total + Math.max(0, part), 0)
      expect(sum).toBeCloseTo(time)
      expect(parsedUrl(request.url), request.url).toBeDefined()
      if (!request.url.startsWith('http')) expect(comment).toContain('Not HTTP')
    }
    expect(har.log.entries.length).toBeGreaterThan(3)
  })

  test('says of an entry which faults were injected into it', async () => {
    const injection = new FaultInjection(() => Promise.resolve())
    injection.set({ seed: 1, faults: [{ kind: 'delay', ms: 5, method: 'tools/list' }] })
    const frames = await record(
      new StreamableHttpTransport({ url: inject('everythingUrl'), faults: { current: injection } }),
    )
    const { log } = JSON.parse((await exportAs('har', head(), frames)).text) as {
      log: { comment: string; entries: { request: { postData?: { text: string } }; comment?: string }[] }
    }
    const said = log.entries.filter(({ comment }) => comment?.includes('Faults were injected into it: delay.'))
    expect(said.map(({ request }) => (JSON.parse(request.postData!.text) as { method: string }).method)).toEqual([
      'tools/list',
    ])
  })

  test('says how long the parts of a relayed request took, which still add up', async () => {
    const frames = await record(new StreamableHttpTransport({ url: inject('everythingUrl') }))
    const timings = { dns: 0.25, connect: 0.5, tls: 0.125, firstByte: 1 }
    const relayed = frames.map((frame) =>
      frame.kind === 'http' && frame.phase === 'response' ? { ...frame, timings } : frame,
    )
    const har = JSON.parse((await exportAs('har', head([], 'a'), relayed)).text) as Har
    const measured = har.log.entries.filter((entry) => entry.timings['dns'] !== -1)
    expect(measured.length).toBeGreaterThan(3)
    for (const { time, timings: parts, request } of measured) {
      expect([request.url, parts]).toEqual([
        request.url,
        expect.objectContaining({ dns: 0.25, connect: 0.625, ssl: 0.125 }),
      ])
      const { ssl: _, ...others } = parts
      expect(Object.values(others).reduce((total, part) => total + Math.max(0, part), 0)).toBeCloseTo(time)
    }
  })

  test('the schema of this test finds what is wrong', () => {
    const validate = (value: unknown) => new Validator(HAR, '2020-12', false).validate(value).valid
    expect(validate({ log: { version: '1.2', creator: { name: 'x', version: '' }, entries: [] } })).toBe(true)
    expect(validate({ log: { version: '1.1', creator: { name: 'x', version: '' }, entries: [] } })).toBe(false)
    expect(validate({ log: { version: '1.2', creator: { name: 'x', version: '' }, entries: [], other: 1 } })).toBe(
      false,
    )
  })
})

describe('as a report in Markdown', () => {
  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1)) ![b](https://evil.example/x.png) <https://evil.example>',
    '```\n# heading\n<script>alert(1)</script>',
    '` `` ```',
    '| a | b |\n| --- | --- |',
    'https://evil.example/ www.evil.example @everyone #1 &lt;b&gt;',
    '\n\n# heading\n\n---\n* list\n> quote\n[x]: https://evil.example',
    '\u202eright to left\u2066 and \u200b nothing',
    '~~~\n<b>\n~~~',
    '   ',
    '\\`\\',
  ]

  const session = (hostile: string): readonly Frame[] => {
    const common = { link: hostile, size: 1 }
    const info = { name: hostile, version: hostile }
    const finding: Finding = { rule: hostile, keyword: 'MUST', explanation: hostile, pointer: hostile }
    const drafts = [
      { kind: 'session', phase: 'open', peer: { era: 'handshake', revision: '2025-11-25', info, capabilities: {}, evidence: [] }, transport: hostile, link: hostile },
      { kind: 'message', direction: 'sent', type: 'request', message: { jsonrpc: '2.0', id: 1, method: hostile, params: { name: hostile, a: hostile } }, ...common },
      { kind: 'message', direction: 'received', type: 'result', message: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: hostile }], [hostile]: hostile } }, findings: [finding], ...common },
      { kind: 'message', direction: 'sent', type: 'request', message: { jsonrpc: '2.0', id: 2, method: hostile }, ...common },
      { kind: 'message', direction: 'received', type: 'error', message: { jsonrpc: '2.0', id: 2, error: { code: 1, message: hostile } }, ...common },
      { kind: 'message', direction: 'sent', type: 'request', message: { jsonrpc: '2.0', id: 3, method: hostile }, ...common },
      { kind: 'session', phase: 'gave-up', request: 5, why: 'timeout', explanation: hostile, link: hostile },
    ] // prettier-ignore
    return drafts.map((draft, seq) => ({ ...draft, seq, at: seq }) as Frame)
  }

  const kinds = (tokens: readonly Token[]): string[] =>
    tokens.flatMap((token) => {
      const inner = (token as { tokens?: Token[] }).tokens ?? []
      const items = (token as { items?: Token[] }).items ?? []
      const cells = token.type === 'table' ? [...(token as unknown as { header: { tokens: Token[] }[] }).header, ...(token as unknown as { rows: { tokens: Token[] }[][] }).rows.flat()].flatMap((cell) => cell.tokens) : [] // prettier-ignore
      return [token.type, ...kinds(inner), ...kinds(items), ...kinds(cells)]
    })

  const ours = async () =>
    kinds(
      lexer((await exportAs('markdown', { ...head([], 'x'), bookmarks: [{ seq: 0, text: 'x' }] }, session('x'))).text),
    )

  const written = async (hostile: string) => {
    const servers: RecordedServer[] = [{ link: hostile, name: hostile }]
    return (
      await exportAs(
        'markdown',
        { ...head(servers, hostile), notes: hostile, bookmarks: [{ seq: 0, text: hostile }] },
        session(hostile),
      )
    ).text
  }

  test('notes on frames are in it, and bookmarks without a text are not', async () => {
    const bookmarks = [
      { seq: 1, text: 'too slow,\nsecond line' },
      { seq: 2, text: '' },
      { seq: 99_999, text: 'of no frame' },
    ]
    const { text } = await exportAs('markdown', { ...head([], 'x'), bookmarks }, session('x'))
    expect(text).toContain('## Notes\n\nFrame 1:\n\n```text\ntoo slow,\nsecond line\n```\n')
    expect(text).not.toContain('Frame 2:\n')
    expect(text).not.toContain('of no frame')
    const none = await exportAs('markdown', head([], 'x'), session('x'))
    expect(none.text).not.toContain('## Notes')
  })

  test('advice has a list of its own, and is no finding', async () => {
    const at = (keyword: FindingOrAdvice['keyword'], rule: string): FindingOrAdvice[] => [
      { rule, keyword, explanation: 'x' },
    ]
    const findings = new Map([
      [2, at('SHOULD', 'BP-35')],
      [4, at('ADVICE', 'ADV-01')],
    ])
    const { text } = await exportAs('markdown', head([], 'x'), session('x'), { findings })
    expect(text).toContain('Violations: 1 MUST, 1 SHOULD, 0 MAY. Advice: 1.')
    const [violations, advice] = text.split('## Violations')[1]!.split('## Advice')
    expect(violations).toContain('BP-35')
    expect(violations).not.toContain('ADV-01')
    expect(advice!.trim()).toBe('- Frame 4: Advice `ADV-01`: `x`')
    const none = await exportAs('markdown', head([], 'x'), session('x'))
    expect(none.text).not.toContain('Advice')
  })

  test.each(HOSTILE)('%j stands in code and nowhere else', async (hostile) => {
    const report = await written(hostile)
    const found = new Set(kinds(lexer(report)))
    for (const kind of ['html', 'link', 'image', 'escape', 'def', 'hr', 'blockquote']) expect(found).not.toContain(kind)
    expect(report).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/)
    // As many headings, tables and lists as in a harmless session: none was injected.
    const count = (all: readonly string[], kind: string) => all.filter((each) => each === kind).length
    const [here, plain] = [kinds(lexer(report)), await ours()]
    for (const kind of ['heading', 'table', 'list_item']) expect(count(here, kind)).toBe(count(plain, kind))
  })

  test('nothing that anybody says becomes markup', async () => {
    const piece = fc.constantFrom(
      '`',
      '``',
      '|',
      '\n',
      '<b>',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '#',
      ' ',
      '\\',
      '~~~',
      '---',
      'x',
      'http://a',
      '&amp;',
      '\r',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const found = new Set(kinds(lexer(await written(pieces.join('')))))
        for (const kind of ['html', 'link', 'image', 'escape', 'strong', 'em', 'def', 'hr'])
          expect(found).not.toContain(kind)
      }),
      { numRuns: 150 },
    )
  })

  test('tells calls with arguments and answers, and findings of rules beside those in the frames', async () => {
    const frames = await record(sample())
    const findings = new Map([[0, [{ rule: 'XX-01', keyword: 'SHOULD', explanation: 'slow' } as const]]])
    const { text: report, name } = await exportAs('markdown', head(), frames, { findings })
    expect(name).toMatch(/\.md$/)
    expect(report).toContain('`tools/call` `echo`: ok')
    expect(report).toContain('"message": "Grüße"')
    expect(report).toContain('- Frame 0: SHOULD `XX-01`: `slow`')
  })
})

const SERVERS: readonly RecordedServer[] = [
  { link: 's1', name: 'remote', transport: 'Streamable HTTP', target: { kind: 'url', url: 'https://example.com/mcp', headers: ['Authorization', 'X-Api-Key'] } },
  { link: 's2', name: 'older', transport: 'HTTP+SSE', target: { kind: 'url', url: 'http://127.0.0.1:3000/sse', headers: [] } },
  { link: 's3', name: 'npm one', transport: 'stdio', target: { kind: 'command', command: 'npx', args: ['-y', '@scope/server@1.2.3', '--verbose', '/data'], env: ['API_KEY'] } },
  { link: 's4', name: 'python', target: { kind: 'command', command: 'uvx', args: ['mcp-server-time'], env: [] } },
  { link: 's5', name: 'container', target: { kind: 'command', command: 'docker', args: ['run', '-i', '--rm', '-e', 'TOKEN', 'ghcr.io/a/b:1', 'serve'], env: ['TOKEN'] } },
  { link: 's6', name: 'script', target: { kind: 'command', command: 'node', args: ['my server.js'], cwd: '/home/x', env: ['A', 'B'] } },
  { link: 's7', name: 'remote', target: { kind: 'url', url: 'https://other.example/mcp', headers: [] } },
  { link: 's8', name: 'sample', target: { kind: 'sample' } },
] // prettier-ignore

describe('as a configuration of servers', () => {
  const same = (server: RecordedServer, target: unknown): void => {
    const { target: wanted } = server
    if (wanted?.kind === 'url') {
      expect(target).toMatchObject({ kind: 'url', url: wanted.url })
      expect((target as { headers: readonly (readonly [string, string])[] }).headers.map(([name]) => name)).toEqual(wanted.headers) // prettier-ignore
    } else if (wanted?.kind === 'command') {
      expect(target).toMatchObject({ kind: 'command', command: wanted.command, args: wanted.args })
      expect(Object.keys((target as { env: object }).env)).toEqual(wanted.env)
    }
  }

  test.each(['mcpServers', 'vscode'] as const)('%s: what is written is read as the same servers', async (kind) => {
    const written = JSON.parse((await exportAs(kind, head(SERVERS), [])).text) as Json
    const read = readServers(written)!
    expect(read.dialect).toBe(kind === 'vscode' ? 'servers' : kind)
    expect(read.servers.map(({ name }) => name)).toEqual(['remote', 'older', 'npm-one', 'python', 'container', 'script', 'remote-2']) // prettier-ignore
    for (const [at, server] of read.servers.entries()) {
      expect(server.problem).toBeUndefined()
      same(SERVERS[at]!, server.target)
    }
    // Everything that has to be filled in is reported.
    expect(read.servers[0]!.notes).toContainEqual({ kind: 'fill-in', names: expect.any(Array) as string[] })
    expect(read.servers[1]!.settings).toEqual({ transport: 'http-sse' })
  })

  test("VS Code's inputs are those that its servers ask for, hidden while they are typed", async () => {
    const { inputs, servers } = JSON.parse((await exportAs('vscode', head(SERVERS), [])).text) as { inputs: { id: string; password: boolean }[]; servers: Json } // prettier-ignore
    const asked = [...JSON.stringify(servers).matchAll(/\$\{input:([^}]+)\}/g)].map(([, id]) => id)
    expect(inputs.map(({ id }) => id)).toEqual(asked)
    expect(inputs.every(({ password }) => password)).toBe(true)
  })

  test.each(['s1', 's2', 's3', 's4', 's5'])('server.json of %s is read as the same server', async (link) => {
    const server = SERVERS.find((each) => each.link === link)!
    const written = JSON.parse((await exportAs('server.json', head(SERVERS), [], { link })).text) as Json
    const read = readServers(written)!
    expect(read.dialect).toBe('server.json')
    expect(read.servers).toHaveLength(1)
    expect(read.servers[0]!.problem).toBeUndefined()
    same(server, read.servers[0]!.target)
  })

  test('what a format cannot say is not offered', async () => {
    expect(canExport('server.json', head(SERVERS), 's6')).toBe(false)
    await expect(exportAs('server.json', head(SERVERS), [], { link: 's6' })).rejects.toThrow(RangeError)
    const none = head([{ link: 's1', name: 'sample', target: { kind: 'sample' } }])
    expect(EXPORT_KINDS.filter((kind) => canExport(kind, none))).toEqual(['json', 'har', 'markdown'])
  })

  test('names of any kind stay names', async () => {
    const servers = [{ ...SERVERS[3]!, name: '__proto__' }]
    const { mcpServers } = JSON.parse((await exportAs('mcpServers', head(servers), [])).text) as { mcpServers: object }
    expect(Object.keys(mcpServers)).toEqual(['__proto__'])
  })
})
