/** Checks the catalogues in both languages against the phrases in `voice.ts`. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { patient } from './patience.ts'
import { catalogueOf, catalogueTexts, faultsOf, joinsInCode, labelKeys } from './voice.ts'

const root = join(import.meta.dirname, '..')
const files = readdirSync(join(root, 'web'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const catalogues = files.filter((path) => /\/text\/(?:\w+\/)?(?:en|zh-CN)\.ts$/.test(path))

/** Statements of requirements: a catalogue in Chinese only, because `requirements.json` has the English. */
const STATEMENTS = 'web/lint/text/chinese-statements.ts'

/** Statements have code in backticks, which is shown as code. Elsewhere, backticks would reach the screen. */
const textsIn = (path: string) =>
  catalogueTexts(read(path)).map(({ key, text }) => ({
    key,
    text: path === STATEMENTS ? text.replaceAll(/`[^`]+`/g, '{}') : text,
  }))

/** Exceptions where the word is right: catalogue, key, rule. */
const ALLOWED: readonly (readonly [catalogue: string, key: string, rule: string])[] = [
  ['web/app/failures/text/en.ts', 'whatToDo', 'What …'],
  // A browser's address bar, and network addresses.
  ['web/oauth/text/en.ts', 'returnedHint', 'address'],
  ['web/oauth/text/faults/en.ts', 'faults.unsafe-url:why', 'address'],
  // The round-trip time of a ping.
  ['web/app/server/text/zh-CN.ts', 'chinese.roundTrip', '往返'],
  ['web/features/overview/text/zh-CN.ts', 'roundTrip', '往返'],
  // Refers to the requirement that has the rules.
  [STATEMENTS, 'SF-TOOL-23', 'rule id'],
]

const languageOf = (path: string) => (path.endsWith('/en.ts') ? 'en' : 'zh-CN')
const isAllowed = (path: string, key: string, rule: string) =>
  ALLOWED.some((each) => each[0] === path && each[1] === key && each[2] === rule)

test('there are catalogues to read, each in both languages', () => {
  expect(catalogues.length).toBeGreaterThan(40)
  expect(catalogues.filter((path) => path.endsWith('/en.ts')).map((path) => path.replace('/en.ts', ''))).toEqual(
    catalogues.filter((path) => path.endsWith('/zh-CN.ts')).map((path) => path.replace('/zh-CN.ts', '')),
  )
})

test.each([...catalogues, STATEMENTS])('%s has no phrase that must be read twice', (path) => {
  const faults = faultsOf(textsIn(path), languageOf(path))
    .filter(({ key, rule }) => !isAllowed(path, key, rule))
    .map(({ rule, instead, key, text }) => `${key}: “${rule}”, better: ${instead}\n  ${text}`)
  expect(faults).toEqual([])
})

test('every exception is still needed', () => {
  const unneeded = ALLOWED.filter(
    ([path, key, rule]) =>
      !faultsOf(textsIn(path), languageOf(path)).some((fault) => fault.key === key && fault.rule === rule),
  )
  expect(unneeded).toEqual([])
})

// Parses every component, which can take this long on a busy machine.
test('buttons, headings and other labels end without a full stop', { timeout: patient(120_000) }, () => {
  const labels = files
    .filter((path) => path.endsWith('.svelte'))
    .flatMap((path) => {
      const component = read(path)
      return [...labelKeys(component)].flatMap(([variable, keys]) => {
        const catalogue = catalogueOf(component, variable)
        if (catalogue === undefined) return []
        const folder = join(dirname(path), dirname(catalogue)).split(sep).join('/')
        return ['en', 'zh-CN'].flatMap((language) =>
          catalogueTexts(read(`${folder}/${language}.ts`))
            .filter(({ key }) => keys.has(key))
            .map(({ key, text }) => ({ where: `${folder}/${language}.ts ${key}`, text })),
        )
      })
    })
  expect(labels.filter(({ text }) => /[^.][.。]$/.test(text))).toEqual([])
})

/** Where the punctuation is that of HTTP or JSON, or of numbers beside it: file, and what it is beside. */
const ALLOWED_JOINS: readonly (readonly [file: string, beside: string])[] = [
  ['web/oauth/view/HttpText.svelte', '{visible(name, 200)}:'],
  ['web/ui/json/JsonRow.svelte', '<span class="colon">:'],
  ['web/ui/json/JsonRow.svelte', '({size})'],
]

// Parses every source, which can take this long on a busy machine.
test(
  'punctuation between texts is in the catalogues, because Chinese has its own',
  { timeout: patient(120_000) },
  () => {
    const joins = files
      .filter((path) => /\.(?:svelte|ts)$/.test(path) && !/\/text\/|\.(?:test|case)\.ts$/.test(path))
      .flatMap((path) => joinsInCode(read(path), path.endsWith('.svelte')).map((join) => ({ path, join })))
    const isAllowed = ({ path, join }: { readonly path: string; readonly join: string }) =>
      ALLOWED_JOINS.some(([file, beside]) => path === file && join.includes(beside))
    expect(joins.filter((each) => !isAllowed(each))).toEqual([])
    expect(
      ALLOWED_JOINS.filter(([file, beside]) => !joins.some(({ path, join }) => path === file && join.includes(beside))),
    ).toEqual([])
  },
)

test.each([
  ['<p>{texts.t.slowest}: <b>{x}</b></p>', 1],
  ['<p>{a} ({b})</p>', 2],
  ['<p>{texts.t.slowest} · {x}</p>', 0],
  ['<code>Retry-After: {x}</code>', 0],
  ['<i style:width="min({x}px, 9px)"></i>', 0],
  ['<i title="{texts.t.share} (S)"></i>', 1],
  ['<i title="{method} {url}" class="a: {b}"></i>', 0],
  ['<i title={`${t.limits}: ${unit}`}></i>', 1],
  ['<script>const a = `${texts.t.id}: ${id}`</script>', 1],
  ['<script>const a = `${key}: ${id}`</script>', 0],
] as const)('%s has %i of them', (component, count) => {
  expect(joinsInCode(component, true)).toHaveLength(count)
})

describe('the reader of catalogues', () => {
  const keysIn = (source: string) => catalogueTexts(source).map(({ key, text }) => `${key}: ${text}`)

  test('finds texts, parts of templates and constants, but not codes', () => {
    expect(
      keysIn(`
        import type { Fault } from './fault.ts'
        const kinds: Record<Fault, string> = { 'too-deep': 'Nested too deeply' }
        export default {
          one: 'One',
          many: (count: string) => (count === 'some code' ? 'A single one' : \`\${count} of \${kinds['too-deep']}\`),
        }`),
    ).toEqual(['kinds.too-deep: Nested too deeply', 'one: One', 'many: A single one', 'many: {} of {}'])
  })

  test.each([
    ['en', 'This is no JSON.', 'is no'],
    ['en', 'There is no session yet.', undefined],
    ['en', 'It works there, too.', ', too'],
    ['en', 'Loading …', 'space before …'],
    ['en', '{ "command": … }', undefined],
    ['en', 'What will run', 'What …'],
    ['en', 'What should the reader look at?', undefined],
    ['en', 'This tool supports no tasks (TASK-03).', 'rule id'],
    ['en', 'SHA-256 of the file', undefined],
    ['en', 'Run \\`npm ci\\`', 'backtick'],
    ['zh-CN', '服务器的应答', '应答'],
    ['zh-CN', '正在加载…', undefined],
  ] as const)('%s: %s', (language, text, rule) => {
    expect(faultsOf([{ key: 'x', text }], language).map((each) => each.rule)).toEqual(rule ? [rule] : [])
  })

  test('knows which texts are labels', () => {
    const component = `<script lang="ts">import { texts } from './text/texts.svelte.ts'</script>
      <h2>{texts.t.title}</h2><p>{texts.t.hint}</p>
      <button title={texts.t.why}>{#if true}{texts.t.save(1)}{/if}<span>{texts.t.note}</span></button>`
    expect([...(labelKeys(component).get('texts') ?? [])]).toEqual(['title', 'save'])
    expect(catalogueOf(component, 'texts')).toBe('./text/texts.svelte.ts')
  })
})
