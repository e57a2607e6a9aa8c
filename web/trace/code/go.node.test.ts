/** Programs for Go, as Go's own tools see them. With the real SDK they run in `code.node.test.ts`. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import { readExactly, type Value, type ValueObject } from '../../json/index.ts'
import { goOf } from './go.ts'
import type { SentRequest } from './request.ts'

const HAS_GO = spawnSync('go', ['version']).status === 0
const HAS_GOFMT = spawnSync('gofmt', ['-h']).error === undefined

const HOSTILE = `'; touch x #\`id\` $(id) "\\ \n\r\t\u0000 %s {} json. os. \u202e\u2028 \ud800 */ // 😀`
const KEYS = Object.fromEntries(
  ['a', 'bb', 'é', '漢字', 'c'.repeat(39), 'd'.repeat(38), 'e'.repeat(120), 'f'.repeat(130), 'g', HOSTILE].map((key, at) => [key, at % 4 === 3 ? { key, list: ['x'.repeat(50), 'y'.repeat(50)] } : `${key}${at}`]),
) // prettier-ignore

const request = (method: string, params: ValueObject = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const over = (message: ValueObject, headers: readonly (readonly [string, string])[] = []): SentRequest => ({
  message,
  http: { url: 'http://a/mcp', headers },
})
const call = (args: Value, meta: ValueObject = {}) =>
  request('tools/call', { name: 'echo', arguments: args, _meta: meta })

const ref = { type: 'ref/prompt', name: 'p' }
const argument = { name: 'language', value: 'py' }
const stdio = { command: 'npx', args: ['-y', 'server', '--token', '••••'], cwd: '/work', env: ['API_KEY', 'B'] }
const headers = [
  ['authorization', 'Bearer ••••'],
  ['x-team', '${env:TEAM}'],
  ['x-a-long-name-of-a-header', 'blue'],
] as const

/** Requests by what is special about them: every method, every transport, and what could end a literal. */
const PROGRAMS: Readonly<Record<string, SentRequest>> = {
  list: over(request('tools/list')),
  page: over(request('tools/list', { cursor: 'c' })),
  resources: over(request('resources/list', { cursor: 'c' })),
  templates: over(request('resources/templates/list')),
  prompts: over(request('prompts/list')),
  call: over(call({ n: 1 })),
  secret: over(call({ password: '‹removed: password›', longer: 'x'.repeat(70) })),
  values: over(call([null, true, -0, 1.5, readExactly('123456789012345678901234567890'), [], {}, [{ a: [{}] }]])),
  keys: over(call(KEYS)),
  hostile: over(call({ [HOSTILE]: HOSTILE, __proto__: 1 }, { 'e.com/trace': HOSTILE, short: ['x'.repeat(50), 'y'.repeat(50)] })),
  meta: over(request('ping', { _meta: { 'e.com/a': 1, 'e.com/longer': [1, 2] } })),
  read: over(request('resources/read', { uri: 'file:///a' })),
  prompt: over(request('prompts/get', { name: 'p', arguments: { a: HOSTILE, 'b-longer': 'x'.repeat(80) } })),
  complete: over(request('completion/complete', { ref, argument })),
  template: over(
    request('completion/complete', {
      argument: { name: HOSTILE, value: 'x'.repeat(80) },
      context: { arguments: { a: 'b', longer: 'x'.repeat(80) } },
      ref: { type: 'ref/resource', uri: 'file:///{path}' },
    }),
  ),
  ping: over(request('ping')),
  level: over(request('logging/setLevel', { level: 'info' })),
  subscribe: over(request('resources/subscribe', { uri: 'a:1' })),
  unsubscribe: over(request('resources/unsubscribe', { uri: 'a:1' })),
  headers: over(call({}), headers),
  header: over(request('ping'), [['x-team', 'blue']]),
  params: over(call({ tenant: 'a' }), [['mcp-param-tenant', 'a']]),
  place: { message: call({}), http: { url: 'https://e.com/mcp?token=••••', headers: [] } },
  sse: { message: request('tools/list'), http: { url: 'http://a/', headers, stream: 'http://a/sse' } },
  stdio: { message: call({}), process: stdio },
  command: { message: request('ping'), process: { command: '${env:HOME}/server', args: [] } },
  words: { message: call({}), process: { command: HOSTILE, args: [HOSTILE, ''], cwd: '${env:HOME}/a', env: { A: '${env:B}', C: HOSTILE } } },
} // prettier-ignore

const programOf = (sent: SentRequest): string => {
  const { text, notes } = goOf(sent)
  expect(notes).toEqual([])
  return text!
}

test.skipIf(!HAS_GOFMT).each(Object.entries(PROGRAMS))(
  'a Go program is laid out as gofmt does it: %s (skipped without gofmt)',
  (_name, sent) => {
    const { status, stdout, stderr } = spawnSync('gofmt', ['-d'], { input: programOf(sent) })
    expect([stdout.toString(), stderr.toString(), status]).toEqual(['', '', 0])
  },
)

/** What `go vet` says of programs that are in a module with the declarations of the SDK. */
const vetted = async (programs: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-go-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const sdk = 'github.com/modelcontextprotocol/go-sdk'
  const stub = join(import.meta.dirname, '../../../tests/fixtures/go-sdk')
  await writeFile(join(folder, 'go.mod'), `module example\n\ngo 1.18\n\nrequire ${sdk} v1.7.0\n\nreplace ${sdk} => ${JSON.stringify(stub)}\n`) // prettier-ignore
  for (const [name, text] of Object.entries(programs)) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'main.go'), text)
  }
  const env = { ...process.env, GO111MODULE: 'on', GOFLAGS: '-mod=mod', GOWORK: 'off', GOPROXY: 'off', GOTOOLCHAIN: 'local', GOCACHE: join(tmpdir(), 'periscope-go-cache') } // prettier-ignore
  const { status, stdout, stderr } = spawnSync('go', ['vet', './...'], { cwd: folder, env, timeout: patient(200_000) })
  return `${stdout.toString()}${stderr.toString()}${status === 0 ? '' : `status ${status}`}`
}

describe.skipIf(!HAS_GO)('go vet, with the SDK’s declarations (skipped without go)', () => {
  test(
    'finds no wrong type, no unused import and no unused variable in a Go program, whatever is in it',
    async () => {
      const programs = Object.entries(PROGRAMS).map(([name, sent]) => [name, programOf(sent)] as const)
      expect(await vetted(Object.fromEntries(programs))).toBe('')
    },
    patient(240_000),
  )

  test(
    'would find them',
    async () => {
      const ping = programOf(PROGRAMS.ping!)
      const found = await vetted({
        field: programOf(PROGRAMS.call!).replace('Name:     ', 'Title:    '),
        imported: ping.replace('"fmt"', '"fmt"\n\t"os"'),
        type: programOf(PROGRAMS.level!).replace('"info"', '1'),
        unused: ping.replace('\terr = session', '\tunused := 1\n\terr = session'),
        results: ping.replace('\terr = session', '\tresult, err := session'),
      })
      for (const name of ['field', 'imported', 'type', 'unused', 'results'])
        expect(found).toContain(join(name, 'main.go'))
    },
    patient(240_000),
  )
})

test('a parameter that the SDK has no field for leaves no program', () => {
  for (const [method, params] of [
    ['own/method', {}],
    ['tools/list', { limit: 1 }],
    ['resources/read', { uri: 1 }],
    ['prompts/get', { name: 'p', arguments: { n: 1 } }],
    ['completion/complete', { ref: { ...ref, title: 'P' }, argument }],
    ['completion/complete', { ref, argument: { ...argument, more: 1 } }],
    ['completion/complete', { ref, argument, context: { arguments: { a: 1 } } }],
    ['logging/setLevel', { level: '‹removed: level›' }],
    // It must be a map, and this one can only be written as JSON.
    ['tools/call', { name: 'a', _meta: { '\ud800': 1 } }],
  ] as const)
    expect([method, goOf(over(request(method, params)))]).toEqual([method, { notes: ['method'] }])
})
