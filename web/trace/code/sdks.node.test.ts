import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import { pythonSdk } from '../../../tests/python-sdk.ts'
import { SDKS, type SdkFeature, type SdkId } from './sdks.ts'

const listed = (id: SdkId) => SDKS.find((sdk) => sdk.id === id)!.version
const supports = (id: SdkId, feature: SdkFeature) => SDKS.find((sdk) => sdk.id === id)!.supports[feature]
const installed = (name: string): string =>
  (
    JSON.parse(
      readFileSync(join(inject('root'), 'node_modules/@modelcontextprotocol', name, 'package.json'), 'utf8'),
    ) as {
      version: string
    }
  ).version

test('the comparison of the SDKs is about the versions that its programs are run with', () => {
  expect([listed('typescript-2'), listed('typescript-1')]).toEqual([installed('client'), installed('sdk')])
})

/** Names that a module of a package exports; `undefined` if the package has no such module. */
const exportsOf = async (module: string): Promise<readonly string[] | undefined> =>
  import(/* @vite-ignore */ module).then(Object.keys, () => undefined)

const ONE = '@modelcontextprotocol/sdk'
const TWO = '@modelcontextprotocol/client'

/** The export of each TypeScript package that a feature needs. */
const NEEDED: Readonly<Partial<Record<SdkFeature, readonly [one: readonly [string, string], two: readonly [string, string]]>>> = {
  stdio: [[`${ONE}/client/stdio.js`, 'StdioClientTransport'], [`${TWO}/stdio`, 'StdioClientTransport']],
  'streamable-http': [[`${ONE}/client/streamableHttp.js`, 'StreamableHTTPClientTransport'], [TWO, 'StreamableHTTPClientTransport']],
  'http-sse': [[`${ONE}/client/sse.js`, 'SSEClientTransport'], [TWO, 'SSEClientTransport']],
  'web-socket': [[`${ONE}/client/websocket.js`, 'WebSocketClientTransport'], [TWO, 'WebSocketClientTransport']],
  'sign-in': [[`${ONE}/client/auth.js`, 'auth'], [TWO, 'auth']],
} // prettier-ignore

test('a transport of a TypeScript SDK is in the comparison if, and only if, its package exports it', async () => {
  for (const [feature, modules] of Object.entries(NEEDED)) {
    for (const [at, id] of (['typescript-1', 'typescript-2'] as const).entries()) {
      const [module, name] = modules[at]!
      const has = (await exportsOf(module))?.includes(name) ?? false
      expect([id, feature, supports(id, feature as SdkFeature)]).toEqual([id, feature, has ? 'yes' : 'no'])
    }
  }
})

test('its columns of the TypeScript SDKs have the protocol versions of the packages', async () => {
  const [one, two] = [await import('@modelcontextprotocol/sdk/types.js'), await import('@modelcontextprotocol/client')]
  for (const [id, { SUPPORTED_PROTOCOL_VERSIONS: all }] of [['typescript-1', one], ['typescript-2', two]] as const) {
    const [oldest, newest] = SDKS.find((sdk) => sdk.id === id)!.versions
    // 2024-10-07 was never released. Those without a handshake are in a list of their own.
    const released = all.filter((version) => version >= '2024-11-05').toSorted()
    expect([id, released[0], supports(id, 'stateless') === 'no' ? released.at(-1) : newest]).toEqual([id, oldest, newest])
  }
}) // prettier-ignore

const python = await pythonSdk(inject('root'), patient)
test.skipIf('missing' in python)('and so is its column of the Python SDK', () => {
  const folder = 'path' in python ? python.path : ''
  expect(readdirSync(folder)).toContain(`mcp-${listed('python')}.dist-info`)
})

test.skipIf('missing' in python)('and a transport is in that column if, and only if, it has a module', () => {
  const modules = readdirSync(join('path' in python ? python.path : '', 'mcp/client'))
  for (const [feature, name] of Object.entries({
    stdio: 'stdio.py',
    'streamable-http': 'streamable_http.py',
    'http-sse': 'sse.py',
    'web-socket': 'websocket.py',
    'sign-in': 'auth',
  }))
    expect([feature, supports('python', feature as SdkFeature)]).toEqual([feature, modules.includes(name) ? 'yes' : 'no']) // prettier-ignore
})
