import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { patient } from './patience.ts'
import { breaches } from './architecture.ts'

const root = join(import.meta.dirname, '..')

const readTree = (): Map<string, string> => {
  const tree = new Map<string, string>()
  for (const folder of ['web', 'proxy', 'tests', 'public']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
      if (!entry.isFile() || /(^|\/)(node_modules|test-results|\.[^/]+)\//.test(path)) continue
      // For other files only their existence matters, not their content.
      tree.set(path, /\.(ts|svelte)$/.test(path) ? readFileSync(join(root, path), 'utf8') : '')
    }
  }
  return tree
}

// Parses every source file, which can take this long on a busy machine.
test('the sources keep the laws of the house', { timeout: patient(240_000) }, () => {
  expect(breaches(readTree())).toEqual([])
})

test('a file that the README of a folder names is there', () => {
  const tree = [...readTree().keys()]
  const missing = tree
    .filter((path) => path.endsWith('/README.md'))
    .flatMap((path) => {
      const folder = path.slice(0, path.lastIndexOf('/'))
      const text = readFileSync(join(root, path), 'utf8')
        // A linked name may be in any folder, because the link gives the path.
        .replaceAll(/\[`[^`]*`\]\(([^)]*)\)/g, '')
      const names = Array.from(text.matchAll(/`([\w./-]+\.(?:ts|svelte))`/g), ([, name]) => name!)
      const isThere = (name: string) =>
        tree.some((file) => file.startsWith(`${folder}/`) && file.endsWith(`/${name}`)) ||
        tree.includes(join(folder, name).split(sep).join('/'))
      return names.filter((name) => !isThere(name)).map((name) => `${path}: there is no ${name}`)
    })
  expect(missing).toEqual([])
})

/** A small tree that follows all the rules, with some files replaced. */
const judge = (files: Record<string, string>): string[] =>
  breaches(
    new Map(
      Object.entries({
        'web/mcp/index.ts': "/** The kernel. */\nexport * from './trace.ts'",
        'web/mcp/trace.ts': 'export const trace = 1',
        'web/ui/index.svelte.ts': "/** Primitives. */\nexport { default as Tabs } from './Tabs.svelte'",
        'web/ui/Tabs.svelte': '<script lang="ts">const x = 1</script>{x}',
        'web/ui/live.svelte.ts': "import { createSubscriber } from 'svelte/reactivity'\ncreateSubscriber",
        'web/forms/index.ts': "/** Forms. */\nexport { model } from './model.ts'",
        'web/forms/model.ts': "import { trace } from '../mcp/index.ts'\nexport const model = trace",
        'web/features/feature.ts': "import type { Component } from 'svelte'\nexport type Feature = Component",
        'web/features/index.ts': "export { tools } from './tools/index.ts'",
        'web/features/tools/index.ts':
          "/** Tools. */\nimport type { Feature } from '../feature.ts'\nexport const tools = { panel: () => import('./ToolsPanel.svelte') }",
        'web/features/tools/ToolsPanel.svelte':
          '<script lang="ts">import { Tabs } from \'../../ui/index.svelte.ts\'</script><Tabs />',
        'web/features/roots/index.ts': '/** Roots. */\nexport const roots = 1',
        'web/features/calls/index.ts': '/** Calls. */\nexport const calls = 1',
        'web/features/text/en.ts': "const en = { open: 'Open', rows: (n: number) => `${n}` }\nexport default en",
        'web/features/text/zh-CN.ts': "export default { open: '打开', rows: (n: number) => `${n}` } satisfies object",
        'web/app/App.svelte': '<p>ok</p>',
        'web/main.ts': "import { mount } from 'svelte'\nimport App from './app/App.svelte'\nmount(App, document)",
        'proxy/wire.ts': 'export interface Hello {}',
        'proxy/main.ts': "import type { Hello } from './wire.ts'",
        'proxy/commands/call.ts': "import { trace } from '../../web/mcp/index.ts'",
        ...files,
      }),
    ),
  )

test('a tree that keeps all laws is found to be well', () => {
  expect(judge({})).toEqual([])
})

describe('a breach is found and named:', () => {
  test.each<[breach: string, path: string, text: string, expected: RegExp]>([
    ['a lower rank imports a higher', 'web/mcp/x.ts', "import '../forms/index.ts'", /rank 2 .* that is 3/],
    ['ranks are equal', 'web/forms/x.ts', "import type { T } from '../lint/index.ts'", /rank 3 .* that is 3/],
    ['… through export from', 'web/ui/x.ts', "export * from '../mcp/index.ts'", /rank 1 .* that is 2/],
    ['… through import()', 'web/forms/x.ts', "void import('../features/feature.ts')", /rank 3 .* that is 7/],
    ['… through a type', 'web/forms/x.ts', "export type X = import('../features/feature.ts').Feature", /that is 7/],
    ['… in a component', 'web/ui/X.svelte', '<script lang="ts">import "../mcp/index.ts"</script>', /that is 2/],
    ['… in its markup', 'web/ui/X.svelte', "{#await import('../mcp/index.ts')}{/await}", /that is 2/],
    ['a folder has no rank', 'web/stuff/index.ts', "/** S */ import '../mcp/index.ts'", /"stuff" has no rank/],
    ['a room is entered by a window', 'web/forms/x.ts', "import '../mcp/trace.ts'", /enter web\/mcp through index\.ts/],
    ['… of a feature', 'web/features/index.ts', "import './tools/x.ts'", /enter web\/features\/tools through/],
    ['a room has no door', 'web/app/connect/x.ts', '', /web\/app\/connect: has no door/],
    ['a door says nothing', 'web/forms/index.ts', "export { model } from './model.ts'", /first comment must say/],
    [
      'files import each other',
      'web/forms/model.ts',
      "import type { model as m } from './index.ts'\nexport const model = 1",
      /import cycle: web\/forms\/index\.ts -> web\/forms\/model\.ts/,
    ],
    [
      'a feature imports a feature',
      'web/features/roots/roots.ts',
      "import '../tools/index.ts'",
      /never imports a feature/,
    ],
    ['a feature imports the registry', 'web/features/roots/roots.ts', "import '../index.ts'", /imports all features/],
    ['a plain .ts imports Svelte', 'web/forms/x.ts', "import { tick } from 'svelte'", /is headless/],
    ['a plain .ts imports a component', 'web/ui/x.ts', "import Tabs from './Tabs.svelte'", /is headless/],
    ['a plain .ts imports runes', 'web/ui/x.ts', "import { live } from './live.svelte.ts'", /is headless/],
    ['a panel is not lazy', 'web/features/tools/x.ts', "import P from './ToolsPanel.svelte'", /is headless/],
    ['the page imports Node', 'web/forms/x.ts', "import { join } from 'node:path'", /no browser has/],
    ['the page imports the proxy', 'web/forms/x.ts', "import '../../proxy/main.ts'", /only types, and only from/],
    ['… or a value of its wire', 'web/forms/x.ts', "import { Hello } from '../../proxy/wire.ts'", /only types/],
    [
      'the proxy imports the page',
      'proxy/main.ts',
      "import type { X } from '../web/mcp/index.ts'",
      /nothing of the page/,
    ],
    [
      'a command imports interface',
      'proxy/commands/x.ts',
      "import '../../web/ui/live.svelte.ts'",
      /only what is headless/,
    ],
    ['sources import tests', 'web/forms/x.ts', "import '../../tests/x.ts'", /only tests import/],
    ['an import lacks its extension', 'web/mcp/index.ts', "/** The kernel. */ export * from './trace'", /no such file/],
    ['an import cannot be followed', 'web/forms/x.ts', 'void import(`./${name}.ts`)', /no such file/],
    ['a .ts is too long', 'web/forms/x.ts', '\n'.repeat(600) + '1', /601 lines, over the limit of 600/],
    ['a .svelte is too long', 'web/ui/X.svelte', '\n'.repeat(350) + '1', /351 lines, over the limit of 350/],
    ['a test is too long', 'web/forms/x.test.ts', '\n'.repeat(600) + '1', /601 lines, over the limit of 600/],
    ['a file has an empty name', 'web/forms/form-helper.ts', '', /"form-helper.ts" does not say/],
    ['a folder has one', 'web/forms/utils/x.ts', '', /"utils" does not say/],
    ['a class has one', 'web/forms/x.ts', 'class FormManager {}', /"FormManager" does not say/],
    ['a function has one', 'proxy/x.ts', 'const makeService = () => 1', /"makeService" does not say/],
    ['markup from text', 'web/ui/X.svelte', '{#if true}<b>{@html text}</b>{/if}', /\{@html\} renders/],
    ['a session is made without the gate', 'web/forms/x.ts', 'new Session({})', /without the gate/],
    ['… or a transport', 'web/app/x.ts', 'new LoopbackTransport(it)', /without the gate/],
    ['… by a panel', 'web/app/X.svelte', '<script>new WebSocketTransport(it)</script>', /without the gate/],
    ['… through the proxy', 'web/app/x.ts', 'new SocketBridgeTransport({ bridge })', /without the gate/],
    ['a message is sent beside the gate', 'web/mcp/x.ts', 'this.#transport.send({})', /beside the gate/],
    ['… through a getter', 'web/app/x.ts', 'host.transport().send({})', /beside the gate/],
    ['a silenced compiler', 'web/forms/x.ts', `// @ts-${'ignore'}\n1`, /silences the compiler/],
    [
      'a shared module has a hook',
      'web/forms/x.case.ts',
      'afterEach(() => {})',
      /afterEach of a shared module runs for/,
    ],
    ['a module has mutable state', 'web/forms/x.ts', 'let cache = 1', /"cache" is mutable/],
    [
      'a text is not translated',
      'web/features/text/zh-CN.ts',
      "export default { open: '打开' }",
      /"rows" is not translated/,
    ],
    ['a text has no source', 'web/features/text/en.ts', "export default { open: 'Open' }", /"rows" is not in .*en\.ts/],
    ['a language is missing', 'web/app/text/en.ts', 'export default {}', /there is no web\/app\/text\/zh-CN\.ts/],
  ])('%s', (_, path, text, expected) => {
    const files = {
      [path]: text,
      ...(text.includes('tests/x.ts') ? { 'tests/x.ts': '' } : {}),
      ...(text.includes('tools/x.ts') ? { 'web/features/tools/x.ts': '' } : {}),
      ...(text.includes('/lint/') ? { 'web/lint/index.ts': '/** The linter. */' } : {}),
    }
    const found = judge(files)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(expected)
  })
})

test('features share rooms of their own', () => {
  expect(judge({ 'web/features/tools/x.ts': "import { calls } from '../calls/index.ts'\ncalls" })).toEqual([])
})

test('tests may import anything', () => {
  expect(
    judge({ 'web/mcp/trace.test.ts': "import '../forms/model.ts'\nimport '../../proxy/main.ts'\nimport 'node:fs'" }),
  ).toEqual([])
})
