import { describe, expect, test } from 'vitest'
import { Frames, type Said } from '../../tests/sessions/frames.ts'
import { leaks } from '../../tests/sessions/leaks.ts'
import type { Frame, Json, JsonObject } from '../mcp/index.ts'
import { outgoing } from './outgoing.ts'
import { DEFAULT_REDACTIONS, type RedactionRule } from '../secrets/redaction.ts'
import { redact } from './redact.ts'
import type { RecordedServer } from '../session-file/index.ts'
import { headOf } from '../session-file/write.ts'

const SECRET = 'plainvalue9word'

const HEAD = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '0' }, servers: [] })

const answer = (result: JsonObject): readonly Frame[] => {
  const frames = new Frames()
  frames.message('received', { jsonrpc: '2.0', id: 1, result })
  return frames.all
}

const resultOf = async (result: JsonObject, options = {}): Promise<Json | undefined> => {
  const { frames } = await redact(HEAD, answer(result), options)
  return (frames[0] as Extract<Frame, { kind: 'message' }> & { message: JsonObject }).message.result
}

describe('nothing secret leaves (SEC-15)', () => {
  test('of a part, too: what is a secret elsewhere in the session is one in the part', async () => {
    const frames = new Frames()
    const secret = 'plainvalue9word'
    frames.call(1, { name: 'a', arguments: { password: secret } }, {})
    const seq = frames.call(2, { name: 'b' }, frames.say(`said ${secret}`))
    const out = await outgoing(await redact(HEAD, frames.all), { part: 'exchange', seq })
    expect(JSON.stringify(out.frames)).toContain('‹removed: name:password›')
    expect(await leaks(JSON.stringify(out), [secret])).toEqual([secret])
    const { changes: _, suspects: __, ...leaving } = out
    expect(await leaks(JSON.stringify(leaving), [secret])).toEqual([])
  })
})

test.each<readonly [string, Said]>([
  [
    'the tool of a call that left',
    {
      kind: 'message',
      direction: 'sent',
      type: 'request',
      size: 1,
      cleared: [{ tool: SECRET, origin: 'form', policy: 'never', by: 'policy' }],
    },
  ],
  [
    'the tool of a call that was held back',
    { kind: 'session', phase: 'held-back', tool: SECRET, origin: 'form', policy: 'ask', why: 'declined' },
  ],
  ['a line of a stream that is no field', { kind: 'stream', event: 'close', request: 0, why: 'ended', stray: SECRET }],
  ['the id of a call that was lost', { kind: 'process', event: 'lost', what: 'line', size: 9, requests: [SECRET, 7] }],
  ['the reason of a gap', { kind: 'stream', event: 'gap', request: 0, why: `lost ${SECRET}` }],
  ['the reason of an end', { kind: 'session', phase: 'closed', why: `said ${SECRET}` }],
])('a secret known from elsewhere leaves in no member of a frame: %s', async (_, draft) => {
  const frames = new Frames()
  frames.message('sent', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { password: SECRET } })
  frames.add(draft)
  const { frames: left } = await redact(HEAD, frames.all)
  expect(JSON.stringify(left[1])).toContain('‹removed: name:password›')
  expect(JSON.stringify(left)).not.toContain(SECRET)
})

test.each([
  ['GitHub', `ghp_${'a1B2'.repeat(9)}`],
  ['GitLab', `glpat-${'aB3d'.repeat(5)}`],
  ['Stripe', `sk_live_${'4eC39HqLyj'.repeat(2)}`],
  ['DigitalOcean', `dop_v1_${'0a1b2c3d'.repeat(8)}`],
  ['Telegram', `bot123456789:AA${'Eh4-'.repeat(8)}`],
])('a token of %s is removed where it is all there is, and behind a letter', async (_, token) => {
  const { structuredContent } = (await resultOf({
    structuredContent: { alone: token, behind: `x${token}`, line: `${token}\n` },
  })) as { structuredContent: Record<string, string> }
  for (const text of Object.values(structuredContent))
    expect(text).toMatch(/^(?:x|bot|xbot)?‹removed: pattern:[\w-]+›\n?$/)
})

describe('in texts of every kind', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['a command', 'mysql -u root -pS3cr3t-9x app', 'S3cr3t-9x'],
    ['a command with a pair', 'curl -u ada:S3cr3t-9x https://example.com', 'S3cr3t-9x'],
    ['.netrc', 'machine example.com login ada password sunshine', 'sunshine'],
    ['.pgpass', 'db.example.com:5432:app:ada:sunshine', 'sunshine'],
    ['SQL', "CREATE USER ada IDENTIFIED BY 'sunshine'", 'sunshine'],
    ['YAML', 'user: ada\npassword: sunshine\nport: 5432\n', 'sunshine'],
    ['properties', 'db.user=ada\ndb.password=sunshine\n', 'sunshine'],
    ['XML', '<user>ada</user><password>sunshine</password>', 'sunshine'],
    ['an attribute of XML', '<add key="DbPassword" value="sunshine"/>', 'sunshine'],
    ['Dockerfile', 'FROM node\nENV API_KEY s9dk2lq8zx\n', 's9dk2lq8zx'],
    ['Markdown', '| user | password |\n| --- | --- |\n| ada | sunshine |\n', 'sunshine'],
    ['CSV', 'user,password\nada,sunshine\nbob,rainfall\n', 'rainfall'],
    ['colours', '\u001b[32mPASSWORD\u001b[0m\u001b[90m=\u001b[0m\u001b[33mS3cr3t-9x\u001b[0m', 'S3cr3t-9x'],
    ['a sentence', 'The password for staging is Tr0ub4dor&3, ask Bob.', 'Tr0ub4dor&3'],
    ['an instruction', 'Log in as ada with Tr0ub4dor&3 and go on.', 'Tr0ub4dor&3'],
    ['a door', 'The door code is 4821#.', '4821#'],
    ['another language', 'contraseña: S3cr3t-9x', 'S3cr3t-9x'],
    ['codes', 'Recovery codes:\n  a1b2-c3d4\n  e5f6-g7h8\n', 'e5f6-g7h8'],
    ['a phrase of words', 'Seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow', 'winner thank year'], // prettier-ignore
  ]
  test.each(cases)('a secret goes: %s', async (_, text, secret) => {
    const { text: left } = (await resultOf({ text })) as { text: string }
    expect(left).toContain('‹removed: ')
    expect(left).not.toContain(secret)
  })

  test('a key that comes line by line on stderr', async () => {
    const frames = new Frames()
    const lines = [
      '-----BEGIN RSA PRIVATE KEY-----',
      'MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn',
      'x9Q==',
      '-----END RSA PRIVATE KEY-----',
    ]
    for (const text of ['starting', ...lines, 'listening']) frames.add({ kind: 'process', event: 'stderr', text })
    const { frames: clean } = await redact(HEAD, frames.all)
    const said = clean.map((frame) => (frame as { text: string }).text)
    expect(said).toEqual(["starting", "‹removed: pattern:private-key›", '‹removed: pattern:private-key›', '‹removed: pattern:private-key›', lines[3], 'listening']) // prettier-ignore
  })

  test.each([
    ['a folder', 'PWD=/home/ada/work\nOLDPWD=/home/ada\n'],
    ['a lexer', 'The token is an identifier: {"token":"identifier"}'],
    ['a package', 'pip install sk-learn-contrib-lightning'],
    ['a page', '<button accessKey="s">Save</button> {"cookies":"accepted","authentication":"OAuth 2.0"}'],
    ['a description', '{"passphrase":"my-passphrase"}'],
    ['a program', 'const password = await prompt("Password")\nif (password === undefined) return\n'],
    ['a report', 'pass: 120, fail: 3\ncommit da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ])('and nothing else: %s', async (_, text) => {
    expect(await resultOf({ text })).toEqual({ text })
  })
})

test('folders that name the user stay, so that a command can be run again, unless the rule for them is on', async () => {
  const frames = new Frames()
  const cwd = '/home/ada/work/secret-project'
  frames.add({
    kind: 'process',
    event: 'spawn',
    command: '/home/ada/.nvm/node',
    args: ['server.js'],
    cwd,
    env: [],
    pid: 1,
  })
  frames.add({ kind: 'process', event: 'stderr', text: `listening in ${cwd}/data` })
  frames.call(1, { name: 'read' }, frames.say('file:///home/ada/notes.txt and /usr/lib/node'))
  expect((await redact(HEAD, frames.all)).changes).toEqual([])
  const rules = DEFAULT_REDACTIONS.map((rule) => (rule.id === 'paths' ? { ...rule, off: false } : rule))
  const { frames: clean } = await redact(HEAD, frames.all, { rules })
  const left = JSON.stringify(clean)
  expect(left).not.toContain('ada')
  expect(left).not.toContain('secret-project')
  expect(left).toContain('file://‹removed: paths›/notes.txt and /usr/lib/node')
})

test('of a key as JSON (RFC 7517) the private members go, and the public ones stay', async () => {
  const [d, p] = ['X4cTteJY_gn4FYPsXB8rdXix5vwsg1FL', '83i7IvMGXoMXCskv73TKr8637FiO7Z27']
  const key = { kty: 'RSA', kid: 'k1', n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4', e: 'AQAB' }
  const removed = '‹removed: name:api-key›'
  expect(await resultOf({ keys: [{ ...key, d, p }], text: JSON.stringify({ ...key, d }), again: `d is ${d}` })).toEqual(
    {
      keys: [{ ...key, d: removed, p: removed }],
      text: JSON.stringify({ ...key, d: removed }),
      again: `d is ${removed}`,
    },
  )
  // Elsewhere, these letters can be the name of anything.
  expect(await resultOf({ d, p })).toEqual({ d, p })
})

describe('nothing else is lost', () => {
  test.each([
    ['the result of a test', 'user: ada\npass: true\nfail: 0'],
    ['a number of passes', 'user: ada\nruns: 14\npass: 1200'],
    [
      'a field that is missing',
      "1 error for Login\npassword\n  Field required [type=missing, input_value={'user': 'ada'}]",
    ],
    ['another field', "1 error for Login\nname\n  Too short [type=x, input_value='meadow', input_type=str]"],
  ])('an innocent text stays: %s', async (_, text) => {
    const { frames } = await redact(HEAD, answer({ content: [{ type: 'text', text }] }))
    expect(JSON.stringify(frames)).not.toContain('removed:')
  })

  test('the title of a property names it as well: only its default goes', async () => {
    const passphrase = { type: 'string', title: 'Passphrase', default: 'meadow-71' }
    const policy = { type: 'string', title: 'Passphrase policy', default: 'strict' }
    const inputSchema = { type: 'object', properties: { a: passphrase, b: policy } }
    expect(await resultOf({ tools: [{ name: 'x', inputSchema }] })).toMatchObject({
      tools: [
        { inputSchema: { properties: { a: { ...passphrase, default: '‹removed: name:password›' }, b: policy } } },
      ],
    })
  })

  test('a schema that has a property called password stays as it was, but for its default', async () => {
    const schema = {
      type: 'object',
      properties: {
        password: { type: 'string', default: 'sun-shine' },
        token: true,
        secret: { properties: { api_key: {} } },
      },
      required: ['password'],
    }
    const { frames, changes } = await redact(HEAD, answer({ tools: [{ name: 'x', inputSchema: schema }] }))
    const password = { ...schema.properties.password, default: '‹removed: name:password›' }
    const clean = { ...schema, properties: { ...schema.properties, password } }
    expect(frames).toMatchObject([{ message: { result: { tools: [{ name: 'x', inputSchema: clean }] } } }])
    expect(changes.map(({ pointer }) => pointer)).toEqual([
      '/message/result/tools/0/inputSchema/properties/password/default',
    ])
    // Data that only looks like a schema isn't treated as one.
    expect(await resultOf({ properties: { password: 'sun-shine' } })).toEqual({
      properties: { password: '‹removed: name:password›' },
    })
  })

  test('the names of two headers or variables of a server are no name and value', async () => {
    const servers: readonly RecordedServer[] = [
      { link: 's1', name: 'a', target: { kind: 'url', url: 'http://x/mcp', headers: ['Authorization', 'X-Key'] } },
      { link: 's2', name: 'b', target: { kind: 'command', command: 'b', args: [], env: ['PASSWORD', 'API_KEY'] } },
    ]
    const { head, changes } = await redact({ ...HEAD, servers }, [])
    expect([head.servers, changes]).toEqual([servers, []])
  })

  test('a secret among the names of headers goes', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const target = { kind: 'url', url: 'http://x/mcp', headers: ['X-Key', secret] } as const
    const { head, changes } = await redact({ ...HEAD, servers: [{ link: 's1', name: 'a', target }] }, [])
    expect(head.servers).toMatchObject([{ target: { headers: ['X-Key', '‹removed: pattern:github›'] } }])
    expect(changes).toMatchObject([{ pointer: '/servers/0/target/headers/1' }])
  })

  test('counts of tokens, cursors, metadata and variables are no secrets', async () => {
    const result = {
      ...{
        max_tokens: 5,
        total_tokens: '12',
        progressToken: 'a1b2c3d4',
        nextPageToken: 'x9y8z7w6',
        tokenizer: 'cl100k',
      },
      ...{ token_endpoint: 'https://as.example/token', token_type: 'Bearer', password: '{{password}}', api_key: '' },
    }
    expect(await resultOf(result)).toEqual(result)
  })
})

describe('what was removed', () => {
  const RESULT = { password: 'hunter2x', note: 'it is hunter2x', big: 1 }

  test('says so where it stood, and in the head by which rule; sizes stay', async () => {
    const out = await outgoing(await redact(HEAD, answer(RESULT)), { part: 'session' })
    expect(out.frames[0]).toHaveProperty('message.result', {
      password: '‹removed: name:password›',
      note: 'it is ‹removed: name:password›',
      big: 1,
    })
    expect(out.frames[0]).toHaveProperty('size', (answer(RESULT)[0] as { size: number }).size)
    expect(out.head.removed).toEqual([
      { seq: 0, pointer: '/message/result/password', rule: 'name:password' },
      { seq: 0, pointer: '/message/result/note', rule: 'name:password' },
    ])
  })

  test('each change can be taken back by itself, and a value that is no secret everywhere', async () => {
    const { changes } = await redact(HEAD, answer(RESULT))
    for (const { key, pointer } of changes) {
      const again = await redact(HEAD, answer(RESULT), { kept: new Set([key]) })
      expect(again.changes.map((one) => one.pointer)).toEqual(
        changes.map((one) => one.pointer).filter((one) => one !== pointer),
      )
    }
    expect(await resultOf(RESULT, { harmless: new Set(['hunter2x']) })).toEqual(RESULT)
  })

  test('each rule can be switched off, and own ones added: a name, a pattern, a pointer, a value', async () => {
    const off = DEFAULT_REDACTIONS.map((rule) => ({ ...rule, off: true }))
    const secret = { password: 'hunter2x', t: `ghp_${'a1'.repeat(18)}` }
    expect(await resultOf(secret, { rules: off })).toEqual(secret)
    const own: readonly RedactionRule[] = [
      { id: 'own:n', kind: 'name', names: ['patient number'] },
      { id: 'own:p', kind: 'pattern', pattern: 'INV-\\d+' },
      { id: 'own:q', kind: 'pointer', pointer: '/message/result/list/*/ssn' },
      { id: 'own:v', kind: 'value', value: 'Ada' },
    ]
    const result = { patientNumber: 'P1', text: 'see INV-77 of Ada', list: [{ ssn: 12, x: 1 }] }
    expect(await resultOf(result, { rules: own })).toEqual({
      patientNumber: '‹removed: own:n›',
      text: 'see ‹removed: own:p› of ‹removed: own:v›',
      list: [{ ssn: '‹removed: own:q›', x: 1 }],
    })
  })

  test('the exact text says the same as the value, with its numbers as they were written', async () => {
    const raw = '{"result": {"n": 12345678901234567890, "password": "hunter2x"}}'
    const frames = new Frames()
    frames.add({
      kind: 'message',
      direction: 'received',
      type: 'result',
      message: JSON.parse(raw) as Json,
      raw,
      size: raw.length,
    })
    const [frame] = (await redact(HEAD, frames.all)).frames as unknown as [{ raw: string; message: Json }]
    expect(frame.raw).toBe('{"result": {"n": 12345678901234567890, "password": "‹removed: name:password›"}}')
    expect(JSON.parse(frame.raw)).toEqual(frame.message)
  })

  test('a member that stands twice hides nothing', async () => {
    const raw = '{"result": {"password": "hunter2x", "password": ""}}'
    const frames = new Frames()
    frames.add({
      kind: 'message',
      direction: 'received',
      type: 'result',
      message: JSON.parse(raw) as Json,
      raw,
      size: raw.length,
    })
    expect(JSON.stringify((await redact(HEAD, frames.all)).frames)).not.toContain('hunter2x')
  })

  test('what was masked when it was captured stays as it is', async () => {
    const frames = new Frames()
    frames.call(1, { name: 'x' }, {}, undefined, [
      ['authorization', 'Bearer •••• (40 characters)'],
      ['mcp-session-id', 'abcdefgh… (36 characters)'],
    ])
    const { frames: clean, changes } = await redact(HEAD, frames.all)
    expect(changes).toEqual([])
    expect(clean).toEqual(frames.all)
  })

  test('what only looks made is named and left', async () => {
    const result = { answer: 'q8ZkP2vX7nLw4RtY6bHs1D' }
    const { frames, suspects } = await redact(HEAD, answer(result))
    expect(frames).toEqual(answer(result))
    expect(suspects).toMatchObject([
      { seq: 0, pointer: '/message/result/answer', rule: 'entropy', preview: 'q8Zk… (22)' },
    ])
  })

  test.each([
    ['Base64 with padding', 'The blob is Qk3sT9vLx2Wb8Zr4Yp7NcA== today', 'Qk3sT9vLx2Wb8Zr4Yp7NcA=='],
    ['what is assigned', 'Now MYAPP_THING=Zk38fQ0sLmW92xTa and more', 'Zk38fQ0sLmW92xTa'],
    ['what begins like an advisory', 'The blob is go-Xk29fQ7zLp2VbNw84TrYcE today', 'go-Xk29fQ7zLp2VbNw84TrYcE'],
  ])('what only looks made is named: %s', async (_, text, made) => {
    const { suspects } = await redact(HEAD, answer({ content: [{ type: 'text', text }] }))
    expect(suspects.map(({ value, rule }) => [value, rule])).toEqual([[made, 'entropy']])
  })

  test('codes below a heading are removed, also behind one that was used', async () => {
    const text = 'Recovery codes\n1. a1b2c3d4 used\n2. b2c3d4e5 (used)\n3. c3d4e5f6'
    const { changes } = await redact(HEAD, answer({ content: [{ type: 'text', text }] }))
    expect(changes.map(({ value }) => value)).toEqual(['a1b2c3d4', 'b2c3d4e5', 'c3d4e5f6'])
  })

  test.each([
    ['numbers with a meaning', 'Códigos de emergencia\n911 policía\n112 bomberos'],
    ['times and what is counted by them', '1700000000000=1234567\n1700000060000=1234999'],
    [
      'a cookie of a preference',
      '# Netscape HTTP Cookie File\n.a.example\tTRUE\t/\tFALSE\t1799999999\tsidebar_state\tcollapsed',
    ],
    ['words about a PIN', 'Kod PIN: ustalasz przy pierwszym logowaniu'],
    ['a kind of token', 'https://shop.example/search?key=price&token=word'],
    ['where a camera looks', '{"pan": 120, "tilt": 30}'],
    ['the key of a cache', 'restore-keys: linux-node-8812-npm'],
    [
      'words of a text',
      'Tokens: quickly hopping creatures jumped joyfully across sleepy canine bodies during sunny days',
    ],
  ])('ordinary values stay: %s', async (_, text) => {
    const { frames, changes } = await redact(HEAD, answer({ content: [{ type: 'text', text }] }))
    expect(changes).toEqual([])
    expect(frames).toEqual(answer({ content: [{ type: 'text', text }] }))
  })

  test('numbers of a person under the name nif are removed, those of a company stay', async () => {
    const { changes } = await redact(HEAD, answer({ nif: '12345678Z', companyNif: 'B12345674' }))
    expect(changes.map(({ value }) => value)).toEqual(['12345678Z'])
  })

  test.each([
    ['a sentence', 'The one for Lena is walnut5381 from today', 'walnut5381'],
    ['digits to enter', 'Bike is at the station, the lock opens at 6094', '6094'],
  ])('what only a reader recognises is named and left: %s', async (_, text, secret) => {
    const { frames, suspects } = await redact(HEAD, answer({ content: [{ type: 'text', text }] }))
    expect(frames).toEqual(answer({ content: [{ type: 'text', text }] }))
    expect(suspects.map(({ value, rule }) => [value, rule])).toEqual([[secret, 'said']])
  })

  const bid = 'Nobody outside the board may learn it: we bid 4,318,500 for the harbour crane, not a cent more'

  test.each([
    ['behind it', `${bid}. api_key=Zk38fQ0sLmW92xTa`, [`${bid}. api_key`]],
    ['in front of it', `api_key=Zk38fQ0sLmW92xTa ${bid}`, [bid]],
    ['within it', `${bid}. api_key=Zk38fQ0sLmW92xTa. The seller hopes for 5 million`, [`${bid}. api_key`, 'The seller hopes for 5 million']], // prettier-ignore
    ['within it, in JSON', JSON.stringify(`${bid}.\napi_key=Zk38fQ0sLmW92xTa.\nThe seller hopes for 5 million`), [`${bid}.\napi_key`, 'The seller hopes for 5 million']], // prettier-ignore
  ])('beside a removal %s, the rest of what was confided is still named', async (_, text, rest) => {
    const { changes, suspects } = await redact(HEAD, answer({ content: [{ type: 'text', text }] }))
    expect(changes.map(({ value }) => value)).toEqual(['Zk38fQ0sLmW92xTa'])
    expect(suspects.map(({ value }) => value)).toEqual(rest)
  })

  test.each([
    'storageKey',
    'localStorageKey',
    'STORAGE_KEY',
    'cacheKey',
    'sortKey',
    'queryKey',
    'i18n_key',
    'persistKey',
  ])('keys by which programs look something up stay: %s', async (name) => {
    for (const value of ['cart-8841-draft', 'user:42:settings', 'grp_71k2', 'home.title']) {
      const text = [`saved with ${name}: ${value}`, `const x = { ${name}: '${value}' }`, `${name}=${value}`].join('\n')
      const result = { [name]: value, content: [{ type: 'text', text }] }
      expect((await redact(HEAD, answer(result))).changes).toEqual([])
    }
  })

  test.each([
    ['storage_key', 'h7Kq2vXz9Lm4Rt8Yb3Nc6Wd1Pf5Gj0SaQeUiOoTtZz=='],
    ['storageKey', '3f9a1c77e0b24d5588aa01b2c3d4e5f6'],
    ['account_key', 'pelican-4471-dune'],
  ])('that of a store in the cloud is removed: %s', async (name, key) => {
    expect((await redact(HEAD, answer({ [name]: key }))).changes.map(({ value }) => value)).toEqual([key])
  })

  test('the closing of a letter and its writer stay', async () => {
    const text = 'Dear all,\nplease tell nobody what I say here.\n\nBest wishes\nHenrike\n'
    expect((await redact(HEAD, answer({ content: [{ type: 'text', text }] }))).changes).toEqual([])
  })

  test('which door was opened stays', async () => {
    const event = { type: 'unlock', door: 'loading-bay-2', at: '07:58:31', granted: true }
    expect((await redact(HEAD, answer({ events: [event] }))).changes).toEqual([])
  })

  test.each([
    ['a version', 'The build of release v12.4.1 uses node20 and takes 45 minutes'],
    ['a year', 'The door was closed in 2019 and opened again'],
    ['a commit', 'The fix is in commit 4fbf4d3c of the main branch'],
    ['an amount', 'The gate costs $4500 and the lock is 5 % cheaper'],
  ])('ordinary sentences name nothing: %s', async (_, text) => {
    expect((await redact(HEAD, answer({ content: [{ type: 'text', text }] }))).suspects).toEqual([])
  })

  test.each([
    ['IMAP', 'PBKG1 LOGIN ada@a.example "meadow.Larch.16"', 'meadow.Larch.16'],
    ['NNTP', 'AUTHINFO PASS meadow.Larch', 'meadow.Larch'],
    ['a pair quoted in part', "curl -u ada:'Meadow~2041' https://a.example", 'Meadow~2041'],
    ['a pair with a space', 'curl -u "ada:Meadow Larch~2041" https://a.example', 'Meadow Larch~2041'],
    ['a column of keys', 'room,wifi_key\n214,meadow.Larch.508', 'meadow.Larch.508'],
    [
      'a name and a dash',
      'Address – https://a.example, API raktas – SVszMDzMsx1wEcFDSDYUwTatjZb0, valid',
      'SVszMDzMsx1wEcFDSDYUwTatjZb0',
    ],
    ['a code in groups', 'Kode OTP Anda: 609 417. Berlaku 5 menit.', '609 417'],
    ['a list of private keys', `Private Keys\n====\n(0) 0x${'be57505c'.repeat(8)}\n`, 'be57505c'.repeat(8)],
    ['a table of HTML', '<tr><th>API key</th><td><code>kd82mfq0x1</code></td></tr>', 'kd82mfq0x1'],
    ['a definition list', '<dl><dt>Password</dt><dd>meadow</dd></dl>', 'meadow'],
    ['ODBC', 'Driver={X};Server=db;UID=sa;PWD={Meadow-71};Encrypt=yes', 'Meadow-71'],
    ['print_r', 'Array\n(\n    [host] => db\n    [db_pass] => meadow71\n)', 'meadow71'],
    ['a refusal', 'Incorrect API key provided: 8Gh2kQz7PwLm4RtY. Check it.', '8Gh2kQz7PwLm4RtY'],
    ['SNMP', 'rocommunity meadow71 10.0.0.0/8\n', 'meadow71'],
    [
      'Pydantic',
      "1 error for Login\nuser.password\n  Too short [type=x, input_value='meadow', input_type=str]",
      'meadow',
    ],
    ['INI', '[database]\nuser = app\nhost = db\npass = meadow', 'meadow'],
    ['base64 by its name', '{"password_base64": "bWVhZG93LTcx"}', 'bWVhZG93LTcx'],
    ['a deploy token', `uses ddp_${'a1B2'.repeat(9)} to deploy`, `ddp_${'a1B2'.repeat(9)}`],
  ])('a place says what it is: %s', async (_, text, secret) => {
    const { frames } = await redact(HEAD, answer({ content: [{ type: 'text', text }] }))
    expect(JSON.stringify(frames)).not.toContain(secret)
    expect(JSON.stringify(frames)).toContain('removed:')
  })

  test.each([
    ['days and no in Polish', { dni: 12345, nie: 33333 }],
    ['a package of Node', { dependencies: { passport: '10.12.345' } }],
  ])('a short number names nobody: %s', async (_, structuredContent) => {
    const frames = answer({ content: [], structuredContent })
    expect(JSON.stringify((await redact(HEAD, frames)).frames)).not.toContain('removed:')
  })

  // These never end if a pattern can read the dashes in several ways, or if each line is a head of all others.
  test.each([
    ['dashes', `|${'-'.repeat(500)}x`],
    ['heads', '| password | a |\n'.repeat(5000)],
  ])('a hostile table ends: %s', async (_, text) => {
    const frames = answer({ content: [{ type: 'text', text }] })
    expect((await redact(HEAD, frames)).frames).toHaveLength(frames.length)
  })
})

test.each([
  [{ 'grant_type=password&password=hunter2x9': '' }, 'hunter2x9'],
  [{ 'api_key:Zx81kQ99aaP0vvT4': 1 }, 'Zx81kQ99aaP0vvT4'],
])('a secret in the name of a member goes: %j', async (result, secret) => {
  expect(JSON.stringify(await resultOf(result))).not.toContain(secret)
})

test.each([
  ['PIN beside an address', 'User: ada\nAddress: 1 Main Street\nPIN: 482913', '482913'],
  ['password like a type', 'password: text1234', 'text1234'],
])('a %s goes', async (_, text, secret) => {
  expect(JSON.stringify(await resultOf({ content: [{ type: 'text', text }] }))).not.toContain(secret)
})

test('the points of a summary, whose name Windows has for a key, stay', async () => {
  const result = { keyContent: 'Main points', text: '关键内容：本文介绍海鸥的迁徙。' }
  expect(await resultOf(result)).toEqual(result)
})
