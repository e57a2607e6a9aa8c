/** Requests as programs: what a shell, Node, Python and Go make of one is the request that was recorded. */
import { execFile, spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { everythingStdio } from '../../../tests/servers/everything.ts'
import { patient } from '../../../tests/patience.ts'
import { goSdk } from '../../../tests/go-sdk.ts'
import { pythonSdk } from '../../../tests/python-sdk.ts'
import { HereWebSocket } from '../../../tests/web-socket-here.ts'
import { isList, isRecord, NumberText, readExactly, type Value } from '../../json/index.ts'
import {
  exchanges,
  HttpSseTransport,
  type JsonObject,
  Projection,
  Session,
  StreamableHttpTransport,
  Trace,
  type Transport,
  WebSocketTransport,
} from '../../mcp/index.ts'
import { framesOfRequest, sentRequest } from './recorded.ts'
import { goOf, goValue } from './go.ts'
import { curlOf, fetchOf } from './http.ts'
import { pythonOf, pythonValue } from './python.ts'
import type { SentRequest } from './request.ts'
import { SDKS } from './sdks.ts'
import { javascriptValue, typescript1Of, typescript2Of } from './typescript.ts'

const run = promisify(execFile)
const has = (program: string, ...words: string[]) => spawnSync(program, words).status === 0
const HAS_CURL = has('curl', '--version')
const HAS_PYTHON = has('python3', '--version')
const HAS_GO = has('go', 'version')

/** A folder like that of a new project in which the packages were installed. */
const project = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-code-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // As `npm init` writes it.
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
  await symlink(join(inject('root'), 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

const GO = { GO111MODULE: 'on', GOFLAGS: '-mod=mod', GOWORK: 'off' }

/** What a Go program prints, in a new module that requires the SDK. @param sdk the folder of its `go.mod` and `go.sum` */
const printedByGo = async (sdk: string, code: string, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const folder = await project()
  for (const name of ['go.mod', 'go.sum']) await copyFile(join(sdk, name), join(folder, name))
  await writeFile(join(folder, 'main.go'), code)
  const options = { cwd: folder, env: { ...process.env, ...GO, ...env }, timeout: patient(120_000) }
  return (await run('go', ['run', '.'], options)).stdout
}

/** What a program prints. */
const printed = async (program: string, name: string, code: string, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const folder = await project()
  await writeFile(join(folder, name), code)
  const { stdout } = await run(program, [...(program === 'go' ? ['run'] : []), name], {
    cwd: folder,
    env: { ...process.env, ...env },
    timeout: patient(120_000),
    maxBuffer: 10_000_000,
  })
  return stdout
}

/** The name under which the first line of a program runs it. */
const nameIn = (code: string): string => /^\/\/ npm install [^&]+ && node (\S+)\n/.exec(code)![1]!

/** The responses within what `curl` prints: JSON, or the events of a stream. */
const resultOf = (body: string): JsonObject => {
  const events = body.startsWith('{')
    ? [body]
    : body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []))
  const response = events.map((text) => JSON.parse(text) as JsonObject).find((message) => 'result' in message)
  return response!.result as JsonObject
}

/** A call that the page's client makes, its result, and the request as recorded. */
const recorded = async (transport: Transport, method: string, params: JsonObject) => {
  const trace = new Trace()
  const all = new Projection(trace, exchanges)
  const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '0' } })
  await session.open()
  const result = await session.request(method, params)
  await session.close()
  const exchange = all.current.all.findLast((each) => each.method === method)!
  return { result, sent: sentRequest(framesOfRequest(exchange.request, trace, { exchanges: all.current }))! }
}

/** The parts of a result that every SDK hands over. */
const seen = ({ content, structuredContent, contents, messages, completion, tools }: JsonObject) => ({
  content,
  structuredContent,
  contents,
  messages,
  completion,
  names: (tools as readonly JsonObject[] | undefined)?.map(({ name }) => name),
})

const TEXT = `it's "$HOME" \`id\` \${x} \\n \u2028 \u202e 😀`
const ECHO = ['tools/call', { name: 'echo', arguments: { message: TEXT, text: TEXT } }] as const

const COMPLETED = {
  ref: { type: 'ref/prompt', name: 'completable-prompt' },
  argument: { name: 'name', value: '' },
  context: { arguments: { department: 'Sales' } },
}
const READ = [
  ['resources/read', { uri: 'demo://resource/static/document/startup.md' }],
  ['prompts/get', { name: 'args-prompt', arguments: { city: TEXT } }],
] as const

const PEERS = [
  [
    'over HTTP with a handshake',
    () => new StreamableHttpTransport({ url: inject('everythingUrl') }),
    [
      ECHO,
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['prompts/list', {}],
      ...READ,
      ['completion/complete', COMPLETED],
      ['logging/setLevel', { level: 'error' }],
      ['ping', {}],
    ],
  ],
  [
    'over HTTP without one',
    () => new StreamableHttpTransport({ url: inject('modernOnlyUrl') }),
    [
      ECHO,
      ['tools/call', { name: 'routed', arguments: { tenant: 'a b é', priority: 3 } }],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'mem://item/{id}' }, argument: { name: 'id', value: 't' } },
      ],
    ],
  ],
  ['over HTTP+SSE', () => new HttpSseTransport({ url: inject('sseUrl') }), [ECHO]],
] as const

const RUNNABLE = [
  ['TypeScript 2', typescript2Of, process.execPath, undefined, (text: string) => JSON.parse(text) as JsonObject],
  ['TypeScript 1', typescript1Of, process.execPath, undefined, (text: string) => JSON.parse(text) as JsonObject],
  ['cURL', curlOf, 'sh', 'example.sh', resultOf],
] as const

describe.each(PEERS)('%s', (peer, transport, calls) => {
  test.each(RUNNABLE)(
    'a program for %s gets the same result in a new project',
    async (language, write, program, name, read) => {
      if (language === 'cURL' && !HAS_CURL) return
      for (const [method, params] of calls) {
        const { result, sent } = await recorded(transport(), method, params)
        const code = write(sent)
        if (code.text === undefined) {
          expect([language, peer, code.notes]).toEqual(['cURL', 'over HTTP+SSE', ['transport']])
          return
        }
        if (code.notes.includes('version')) {
          expect([language, peer]).toEqual(['TypeScript 1', 'over HTTP without one'])
          return
        }
        expect(seen(read(await printed(program, name ?? nameIn(code.text), code.text)))).toEqual(seen(result))
      }
    },
    patient(90_000),
  )

  test.skipIf(!HAS_PYTHON)(
    'a program for Python gets the same result with the SDK (skipped without python3 and its package index)',
    async ({ skip }) => {
      const sdk = await pythonSdk(inject('root'), patient)
      if ('missing' in sdk) return skip(sdk.missing)
      for (const [at, [method, params]] of calls.entries()) {
        const { result, sent } = await recorded(transport(), method, params)
        const { http } = sent
        // Headers of the user are sent by a client of their own.
        const own = http && { ...http, headers: [...http.headers, ['x-team', 'blue'] as const] }
        const code = pythonOf(at === 0 && own ? { ...sent, http: own } : sent)
        if (at === 0) expect(code.text).toContain('"x-team"')
        expect(code.notes).toEqual([])
        const text = await printed('python3', 'example.py', code.text!, { PYTHONPATH: sdk.path })
        expect(seen(JSON.parse(text) as JsonObject)).toEqual(seen(result))
      }
    },
    patient(240_000),
  )

  test.skipIf(!HAS_GO)(
    'a program for Go gets the same result with the SDK (skipped without go and its module proxy)',
    async ({ skip }) => {
      const sdk = await goSdk(inject('root'), patient)
      if ('missing' in sdk) return skip(sdk.missing)
      for (const [method, params] of calls) {
        const { result, sent } = await recorded(transport(), method, params)
        const code = goOf(sent)
        expect(code.notes).toEqual([])
        expect(seen(JSON.parse(await printedByGo(sdk.path, code.text!)) as JsonObject)).toEqual(seen(result))
      }
    },
    patient(600_000),
  )
})

describe('over WebSocket', () => {
  test(
    'a program for TypeScript 1, whose SDK alone has one, gets the same result',
    async () => {
      const url = `${inject('webSocketUrl')}/v1/2025-11-25/code`
      const transport = new WebSocketTransport({ url, WebSocket: HereWebSocket })
      const { result, sent } = await recorded(transport, 'tools/call', { name: 'echo', arguments: { text: TEXT } })
      const { text, notes } = typescript1Of(sent)
      expect(notes).toEqual([])
      // Node 20 has it behind a flag, as the program says.
      const flags = globalThis.WebSocket === undefined ? { NODE_OPTIONS: '--experimental-websocket' } : {}
      expect(seen(JSON.parse(await printed(process.execPath, nameIn(text!), text!, flags)) as JsonObject)).toEqual(seen(result)) // prettier-ignore
      for (const { id, write } of SDKS)
        expect([id, write(sent).text === undefined]).toEqual([id, id !== 'typescript-1'])
      expect(fetchOf(sent).notes).toEqual(['transport'])
    },
    patient(90_000),
  )

  test('a secret of its URL is a variable', () => {
    const { text } = typescript1Of({ message: call({}).message, webSocket: 'wss://e.com/mcp?token=••••' })
    expect(text).toContain('new URL(`wss://e.com/mcp?token=${process.env.TOKEN}`)')
  })
})

describe('over stdio', () => {
  const sent: SentRequest = {
    message: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get-env', arguments: {} } },
    process: { ...everythingStdio, env: ['API_KEY'] },
  }

  test.each(RUNNABLE.slice(0, 2))(
    'a program for %s starts the process with its variables',
    async (_language, write, program, name, read) => {
      const code = write(sent).text!
      const result = read(await printed(program, name ?? nameIn(code), code, { API_KEY: 'from-the-shell' }))
      expect(JSON.stringify(seen(result))).toContain('from-the-shell')
      expect(write(sent).text).not.toContain('from-the-shell')
    },
    patient(240_000),
  )

  test.skipIf(!HAS_PYTHON)(
    'a program for Python starts the process with its variables (skipped without python3 and its package index)',
    async ({ skip }) => {
      const sdk = await pythonSdk(inject('root'), patient)
      if ('missing' in sdk) return skip(sdk.missing)
      const code = pythonOf(sent).text!
      expect(code).not.toContain('from-the-shell')
      const text = await printed('python3', 'example.py', code, { PYTHONPATH: sdk.path, API_KEY: 'from-the-shell' })
      expect(JSON.stringify(seen(JSON.parse(text) as JsonObject))).toContain('from-the-shell')
    },
    patient(240_000),
  )

  test.skipIf(!HAS_GO)(
    'a program for Go starts the process with its variables (skipped without go and its module proxy)',
    async ({ skip }) => {
      const sdk = await goSdk(inject('root'), patient)
      if ('missing' in sdk) return skip(sdk.missing)
      const code = goOf(sent).text!
      expect(code).not.toContain('from-the-shell')
      const text = await printedByGo(sdk.path, code, { API_KEY: 'from-the-shell' })
      expect(JSON.stringify(seen(JSON.parse(text) as JsonObject))).toContain('from-the-shell')
    },
    patient(600_000),
  )

  test('there is neither cURL nor fetch, and Python and Go start the process', () => {
    expect([curlOf(sent), fetchOf(sent)]).toEqual([{ notes: ['transport'] }, { notes: ['transport'] }])
    expect(pythonOf(sent).text).toContain('env={"API_KEY": os.environ["API_KEY"]}')
    expect(goOf(sent).text).toContain('command.Env = append(os.Environ(), "API_KEY="+os.Getenv("API_KEY"))')
  })
})

const HOSTILE: readonly string[] = [
  `'; touch x #\`id\` $(id) $HOME "\\ \n\r\t\b\f\v\u0000 \${process.exit(1)} %s {} \u202e\u2066 \u2028\u2029\u0085 \ufeff`,
  '"""\'\'\'`*/ // <!-- </script> # \\u0041 \\',
  '\ud800 \udc00\ud800 \u{e0001}\u{1f600}é\u007f\u009f',
  '__proto__',
  '',
]

const nested = (depth: number): Value => (depth === 0 ? 1 : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) })

const VALUES: readonly Value[] = [
  ...HOSTILE,
  Object.fromEntries(HOSTILE.map((text, at) => [text, at])),
  readExactly('{"__proto__": {"a": 1}, "constructor": null, "": [[], {}, [{}]]}'),
  readExactly('[0, -0, 1.0, -1.5e-7, 1e21, 9007199254740991, 9007199254740993, -9223372036854775809, 1E400, 123456789012345678901234567890]'), // prettier-ignore
  [true, false, null],
  nested(59),
  nested(90),
  [Array.from({ length: 200 }, (_, at) => ({ name: `row ${at}`, at }))],
]

/** A value of a JSON document that keeps the spelling of numbers. */
const anyValue = fc.json({ maxDepth: 4, stringUnit: 'binary' }).map((text) => readExactly(text))

/** Numbers are equal if they are the same number, however it is written. @param exact integers of any size count */
const comparable = (value: Value, exact: boolean): unknown => {
  if (value instanceof NumberText || typeof value === 'number') {
    const text = value instanceof NumberText ? value.text : String(value)
    return exact && /^-?\d+$/.test(text) ? `n${BigInt(text)}` : `n${Number(text) === 0 ? 0 : Number(text)}`
  }
  if (isList(value)) return value.map((each) => comparable(each, exact))
  if (isRecord(value)) return Object.entries(value).map(([key, each]) => [key, comparable(each, exact)]).sort() // prettier-ignore
  return value
}

/** Random values, the same in each run of a file; a program for each would take hours. */
const many = (): readonly Value[] => [...VALUES, ...fc.sample(anyValue, { numRuns: 300, seed: 7 })]

describe('a literal is the value that was sent', () => {
  test(
    'in JavaScript',
    async () => {
      const values = many()
      const code = `console.log(JSON.stringify([\n${values.map((value) => javascriptValue(value)).join(',\n')}\n]))`
      expect(code).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u)
      const got = JSON.parse(await printed(process.execPath, 'values.mjs', code)) as Value[]
      for (const [at, value] of values.entries()) {
        // JSON has no infinities.
        const wanted = JSON.stringify(comparable(value, false)).replaceAll('"nInfinity"', 'null')
        expect(JSON.stringify(comparable(got[at]!, false))).toBe(wanted)
      }
    },
    patient(240_000),
  )

  test.skipIf(!HAS_PYTHON)(
    'in Python, with integers of any size (skipped without python3)',
    async () => {
      const values = many().filter((value) => !JSON.stringify(comparable(value, true)).includes('nInfinity'))
      const code = `import json\nfor value in [\n${values.map((value) => pythonValue(value)).join(',\n')}\n]:\n    print(json.dumps(value))\n`
      expect(code).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u)
      const lines = (await printed('python3', 'values.py', code)).trimEnd().split('\n')
      for (const [at, value] of values.entries())
        expect(comparable(readExactly(lines[at]!), true)).toEqual(comparable(value, true))
    },
    patient(240_000),
  )

  test.skipIf(!HAS_GO)(
    'in Go, with every number as it was (skipped without go)',
    async () => {
      const values = many()
      const code = `package main\n\nimport (\n\t"encoding/json"\n\t"os"\n)\n\nfunc main() {\n\toutput := json.NewEncoder(os.Stdout)\n\toutput.SetEscapeHTML(false)\n${values.map((value) => `\tif err := output.Encode(${goValue(value, '\t')}); err != nil {\n\t\tpanic(err)\n\t}\n`).join('')}}\n`
      const lines = (await printed('go', 'values.go', code, { GO111MODULE: 'off', GOFLAGS: '', GOCACHE: join(tmpdir(), 'periscope-go-cache') })).trimEnd().split('\n') // prettier-ignore
      for (const [at, value] of values.entries())
        expect(comparable(readExactly(lines[at]!), true)).toEqual(comparable(value, true))
    },
    patient(120_000),
  )

  test('in Go, as far as its grammar says', () => {
    for (const value of many()) expect(goLiteral(goValue(value))).toEqual(comparable(value, true))
  })
})

/** Reads an expression that `goValue` writes, by Go's rules for strings; throws at anything else. */
const goLiteral = (code: string): unknown => {
  const TOKEN =
    /\s*(map\[string\]any\{|\[\]any\{|json\.RawMessage\(|json\.Number\(|[})]|,|:|"(?:[^"\\\n]|\\(?:[abfnrtv\\"]|u[\da-f]{4}|U[\da-f]{8}))*"|true|false|nil|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/y
  const next = (): string => {
    const [, token] = TOKEN.exec(code) ?? []
    if (token === undefined) throw new Error(`not Go: ${code.slice(0, 80)}`)
    return token
  }
  const text = (token: string): string => {
    if (/\\u[dD][89a-fA-F]/.test(token.replaceAll('\\\\', ''))) throw new Error('half of a pair isn’t allowed')
    return JSON.parse(token.replaceAll(/\\U([\da-f]{8})|\\./g, (all, point?: string) => point === undefined ? all : String.fromCodePoint(Number.parseInt(point, 16)))) as string // prettier-ignore
  }
  const value = (token: string): unknown => {
    if (token.startsWith('"')) return text(token)
    if (token.startsWith('json.')) {
      const inner = text(next())
      expect(next()).toBe(')')
      return comparable(readExactly(inner), true)
    }
    if (token.endsWith('{')) {
      const items: unknown[] = []
      for (let each = next(); each !== '}'; each = next()) {
        if (each === ',') continue
        if (token.startsWith('[')) items.push(value(each))
        else {
          expect(next()).toBe(':')
          items.push([text(each), value(next())])
        }
      }
      return token.startsWith('[') ? items : items.sort()
    }
    const words: Record<string, unknown> = { true: true, false: false, nil: null }
    return Object.hasOwn(words, token) ? words[token] : comparable(readExactly(token), true)
  }
  return value(next())
}

const call = (args: JsonObject, headers: readonly (readonly [string, string])[] = []): SentRequest => ({
  message: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo', arguments: args, _meta: { progressToken: 7 } } },
  http: {
    url: 'http://127.0.0.1:1/mcp',
    headers: [['content-type', 'application/json'], ['accept', 'application/json, text/event-stream'], ...headers],
  },
}) // prettier-ignore

/** A header can't hold line ends and others beyond Latin-1. */
const ASCII = HOSTILE[0]!.replace(/[^ -~]/g, '').trim()

/** A server that records what arrives. */
const recorder = async () => {
  const seen: { headers: Record<string, unknown>; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part)).on('end', () => {
      seen.push({ headers: request.headers, body })
      response.end('{}')
    }) // prettier-ignore
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

test.each([
  ['a cURL script', curlOf, 'sh', 'example.sh', HAS_CURL],
  ['fetch', fetchOf, process.execPath, 'example.mjs', true],
] as const)(
  '%s sends exactly the recorded request, whatever is in it',
  async (_name, write, program, file, able) => {
    if (!able) return
    const server = await recorder()
    const { message, http } = call({ values: VALUES } as JsonObject, [['authorization', 'Bearer •••• (40 characters)'], ['x-note', ASCII]]) // prettier-ignore
    const code = write({ message, http: { ...http!, url: `${server.url}?a=1&b=%20` } }).text!
    expect(code).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u)
    await printed(program, file, code, { AUTHORIZATION: 'secret-token' })
    const [{ headers, body }] = server.seen as [(typeof server.seen)[0]]
    expect(comparable(readExactly(body), true)).toEqual(comparable(message, true))
    expect(headers).toMatchObject({ authorization: 'Bearer secret-token', 'x-note': ASCII })
  },
  patient(240_000),
)

describe('a secret', () => {
  const args = { password: '‹removed: password›', note: 'the key is ‹removed: api-key› now' }
  const sent = call(args, [
    ['authorization', 'Bearer •••• (40 characters)'],
    ['x-api-key', '${env:MY_KEY}'],
  ])
  const masked: SentRequest = { ...sent, http: { ...sent.http!, url: 'https://me:••••@e.com/mcp?token=••••&a=1' } }

  test.each(SDKS.map(({ name, write }) => [name, write] as const))('is a variable with its name in %s', (_name, write) => {
    const { text } = write(masked)
    for (const name of ['AUTHORIZATION', 'MY_KEY', 'PASSWORD', 'TOKEN']) expect(text).toMatch(new RegExp(`\\b${name}\\b`))
    expect(text).not.toMatch(/•|‹removed/)
  }) // prettier-ignore

  test('within a message reaches the server from the environment', async () => {
    const server = await recorder()
    const code = curlOf({ ...sent, http: { ...sent.http!, url: server.url } }).text!
    await printed('sh', 'example.sh', code, { PASSWORD: 'p', MY_KEY: 'k', NOTE: 'x', SECRET: 's', AUTHORIZATION: 'a' })
    const { params } = JSON.parse(server.seen[0]!.body) as { params: { arguments: JsonObject } }
    expect(params.arguments.password).toBe('p')
    expect(server.seen[0]!.headers['x-api-key']).toBe('k')
  })

  test('that is only text in an argument stays text', () => {
    expect(typescript2Of(call({ a: '${env:HOME}' })).text).toContain('"${env:HOME}"')
  })
})

describe('for Python', () => {
  test.skipIf(!HAS_PYTHON)('programs compile, whatever they contain (skipped without python3)', async () => {
    const headers = [['authorization', 'Bearer ••••'], ['x-note', ASCII]] as const // prettier-ignore
    const hostile = Object.fromEntries(VALUES.map((value, at) => [`${HOSTILE[at % HOSTILE.length]}${at}`, value]))
    const { message } = call(hostile as JsonObject)
    const programs = [
      call(hostile as JsonObject),
      call(hostile as JsonObject, headers),
      { message, http: { url: 'http://a/', headers, stream: 'http://a/sse' } },
      { message, process: { command: HOSTILE[0]!, args: HOSTILE, cwd: HOSTILE[1]!, env: ['A', 'B'] } },
    ].map((sent) => pythonOf(sent).text!)
    for (const code of programs) {
      const { status, stderr } = spawnSync('python3', ['-c', 'import sys; compile(sys.stdin.read(), "example.py", "exec")'], { input: code }) // prettier-ignore
      expect([status, stderr.toString()]).toEqual([0, ''])
    }
  })

  test('the function of the method gets its parameters, and own methods have none', () => {
    const { text } = pythonOf(call({ list: [1, true, null] }))
    expect(text).toContain('client.call_tool("echo", {"list": [1, True, None]})')
    expect(pythonOf({ ...call({}), message: { jsonrpc: '2.0', id: 1, method: 'own/method' } })).toEqual({ notes: ['method'] }) // prettier-ignore
  })

  test('a parameter that its function does not take leaves no program', () => {
    const completion = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'b' } }
    for (const [method, params] of [
      ['tools/list', { limit: 1 }],
      ['tools/call', { name: 'a', inputResponses: {} }],
      ['completion/complete', { ...completion, ref: { type: 'ref/own', name: 'p' } }],
      ['completion/complete', { ...completion, ref: { ...completion.ref, more: 1 } }],
      ['completion/complete', { ...completion, context: { more: 1 } }],
      ['completion/complete', { ...completion, _meta: { 'e.com/a': 1 } }],
    ] as const)
      expect([method, pythonOf({ ...call({}), message: { jsonrpc: '2.0', id: 1, method, params } })]).toEqual([method, { notes: ['method'] }]) // prettier-ignore
  })
})

test('a session that is only known by its beginning is a variable as a whole', () => {
  const headers = [['mcp-session-id', 'f5d6da41… (36 characters)']] as const
  const { text } = fetchOf(call({}, headers))
  expect(text).toContain('${process.env.MCP_SESSION_ID}')
  expect(text).not.toContain('f5d6da41')
})

test('what an SDK cannot do is said beside its program', () => {
  const task: SentRequest = { ...call({}), message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', task: {} } } } // prettier-ignore
  const stateless: SentRequest = { ...call({}), http: { url: 'http://a/', headers: [['mcp-protocol-version', '2026-07-28']] } } // prettier-ignore
  const large = { ...call({}), message: { ...call({}).message, params: { name: 'a', arguments: { n: new NumberText('9007199254740993') } } } } // prettier-ignore
  expect([pythonOf(task), goOf(task)]).toEqual([{ notes: ['tasks'] }, { notes: ['tasks'] }])
  expect([typescript1Of(stateless).notes, typescript2Of(stateless).notes]).toEqual([['version'], []])
  expect([typescript2Of, pythonOf, goOf, curlOf].map((write) => write(large).notes)).toEqual([['numbers'], [], [], []])
})
