/** A feature is one folder and one line in `index.ts`. This test names what an incomplete one lacks. */
import { afterEach, describe, expect, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { viewFolds } from '../app/recordings/recording-moment.ts'
import { titleOf } from '../app/labels.svelte.ts'
import { METHODS, rowsOf } from '../mcp/schema/methods.ts'
import { REVISIONS } from '../mcp/revision.ts'
import { language, type Language } from '../ui/index.svelte.ts'
import type { Feature, TabFeature } from './feature.ts'
import { features, tabFeatures } from './index.ts'
import { featureSources, foldsAskedFor, type Sources } from './folds.case.ts'

const LANGUAGES: readonly Language[] = ['en', 'zh-CN']
const DOORS = ['index.ts', 'index.svelte.ts', 'lazy.ts']

/** Incomplete features may lack what the types require. */
type Unfinished = Partial<TabFeature> & { readonly id: string }

interface House {
  readonly features: readonly Unfinished[]
  readonly sources: Sources
}

/** What is missing, one line each; empty if every feature is complete. */
const lacks = async (house: House): Promise<string[]> => {
  const found = unlisted(house)
  for (const feature of house.features) {
    const own = [
      ...doorLacks(feature, house),
      ...(await foldLacks(feature, house)),
      ...(await answerLacks(feature, house)),
    ]
    if ('panel' in feature || 'title' in feature || 'key' in feature) own.push(...(await tabLacks(feature, house)))
    found.push(...own.map((lack) => `${feature.id}: ${lack}`))
  }
  return found
}

/** Folders that declare a feature, or rules, missing from the lists. */
const unlisted = ({ features, sources }: House): string[] =>
  [...sources].flatMap(([path, text]) => {
    const [, folder, file] = /^([^/]+)\/([^/]+)\.ts$/.exec(path) ?? []
    if (file === undefined) return []
    if (file === 'lint' && !sources.get('lint-rules.ts')?.includes(`'./${path}'`))
      return [`${folder}: its lint.ts is not in web/features/lint-rules.ts`]
    const declares = (file === 'index' || file === folder) && /: (Tab)?Feature =/.test(text)
    if (!declares || features.some(({ id }) => id === folder)) return []
    return [`${folder}: it has no line in web/features/index.ts`]
  })

const doorLacks = ({ id }: Unfinished, { sources }: House): string[] => {
  if (DOORS.some((door) => sources.has(`${id}/${door}`))) return []
  return [`no door: web/features/${id}/index.ts`]
}

const foldLacks = async (feature: Unfinished, { sources }: House): Promise<string[]> => {
  const made = new Set([...(await viewFolds()), ...((await feature.folds?.()) ?? [])])
  const own = new Map([...sources].filter(([path]) => path.startsWith(`${feature.id}/`)))
  return [...(await foldsAskedFor(own))].flatMap(([name, fold]) =>
    made.has(fold!) ? [] : [`it reads ${name}, which recordings do not fold: name it in \`folds\``],
  )
}

const answerLacks = async (feature: Unfinished, house: House): Promise<string[]> => {
  const found: string[] = []
  for (const [method, { view }] of Object.entries(feature.answers ?? {})) {
    if (!isAsked(method)) found.push(`it answers ${method}, which no server sends`)
    if (!(await loads(view))) found.push(`it answers ${method} without a card`)
    for (const { id, answers } of house.features) {
      if (id !== feature.id && answers?.[method]) found.push(`${id} answers ${method} as well`)
    }
  }
  const answered = new Set(house.features.flatMap(({ answers }) => Object.keys(answers ?? {})))
  const declared = new Set(REVISIONS.flatMap((revision) => Object.keys(feature.declares?.(revision) ?? {})))
  for (const [method, rows] of Object.entries(METHODS)) {
    const capability = rows.find(({ kind }) => kind === 'input')?.capability
    if (capability !== undefined && declared.has(capability) && !answered.has(method))
      found.push(`it declares ${capability}, and nothing answers ${method}`)
  }
  return found
}

const isAsked = (method: string): boolean =>
  rowsOf(method).some(({ kind, from }) => kind !== 'notification' && from !== 'client')

const tabLacks = async (feature: Unfinished, { features, sources }: House): Promise<string[]> => {
  const { id, title, key, panel } = feature
  const found: string[] = []
  for (const each of LANGUAGES) {
    const own = title?.[each]
    if (!own) found.push(`no title in ${each}`)
    else if (each === 'zh-CN' && !/\p{Script=Han}/u.test(own)) found.push(`its title in ${each} is not Chinese`)
    for (const other of features)
      if (own && other.id !== id && other.title?.[each] === own) found.push(`${other.id} has its title in ${each}`)
    if (!sources.has(`${id}/text/${each}.ts`)) found.push(`no texts in ${each}`)
  }
  if (key === undefined) found.push('no key')
  // After `g`, n adds a server and a digit selects one.
  else if (!/^[a-mo-z]$/.test(key)) found.push(`${key} is not a letter that is free after g`)
  for (const other of features)
    if (key !== undefined && other.id !== id && other.key === key) found.push(`g ${key} opens ${other.id}`)
  if (!(await loads(panel))) found.push('no panel')
  return found
}

const loads = async (component: (() => Promise<{ readonly default: unknown }>) | undefined): Promise<boolean> => {
  const loaded = await component?.().catch(() => undefined)
  return typeof loaded?.default === 'function'
}

const sources = featureSources()

test('every feature is whole', { timeout: patient(120_000) }, async () => {
  expect(await lacks({ features, sources })).toEqual([])
})

describe('what a half-finished feature lacks is named:', () => {
  /** A complete feature. */
  const half: TabFeature & { readonly answers: NonNullable<Feature['answers']> } = {
    id: 'half',
    title: { en: 'Half', 'zh-CN': '一半' },
    key: [...'abcdefghijklmopqrstuvwxyz'].find((free) => tabFeatures.every(({ key }) => key !== free))!,
    answers: {},
    panel: () => import('./inbox/InboxPanel.svelte'),
  }
  const files = {
    'half/index.ts': "export { half } from './half.ts'",
    'half/half.ts': 'export const half: TabFeature = {}',
    'half/text/en.ts': '',
    'half/text/zh-CN.ts': '',
  }
  /** All sources except the features without a tab, so that the test feature may answer their requests. */
  const others = new Map([...sources].filter(([path]) => !/^(sampling|elicitation)\//.test(path)))
  const judge = (change: object, more: Record<string, string> = {}, without?: string): Promise<string[]> => {
    const all = new Map([...others, ...Object.entries({ ...files, ...more })])
    if (without) all.delete(without)
    return lacks({ features: [...tabFeatures, { ...half, ...change }], sources: all })
  }
  const panelThatReads = (name: string, from: string) => ({
    'half/HalfPanel.svelte': `<script lang="ts">import { ${name} } from '${from}'; live(server.state(${name}))</script>`,
  })

  test.each<
    [lack: string, change: object, files: Record<string, string>, without: string | undefined, named: string[]]
  >([
    ['nothing', {}, {}, undefined, []],
    ['its title', { title: undefined }, {}, undefined, ['half: no title in en', 'half: no title in zh-CN']],
    ['its title in English', { title: { 'zh-CN': '一半' } }, {}, undefined, ['half: no title in en']],
    ['its title in Chinese', { title: { en: 'Half' } }, {}, undefined, ['half: no title in zh-CN']],
    [
      'a translated title',
      { title: { en: 'Half', 'zh-CN': 'Half' } },
      {},
      undefined,
      ['half: its title in zh-CN is not Chinese'],
    ],
    ['its English texts', {}, {}, 'half/text/en.ts', ['half: no texts in en']],
    ['its Chinese texts', {}, {}, 'half/text/zh-CN.ts', ['half: no texts in zh-CN']],
    ['its key', { key: undefined }, {}, undefined, ['half: no key']],
    ['a free key', { key: 't' }, {}, undefined, ['tools: g t opens half', 'half: g t opens tools']],
    ['… of the page', { key: 'n' }, {}, undefined, ['half: n is not a letter that is free after g']],
    ['its panel', { panel: undefined }, {}, undefined, ['half: no panel']],
    ['its door', {}, {}, 'half/index.ts', ['half: no door: web/features/half/index.ts']],
    [
      'a fold of its panel',
      {},
      panelThatReads('signIns', '../../mcp/sign-in-fold.ts'),
      undefined,
      ['half: it reads signIns, which recordings do not fold: name it in `folds`'],
    ],
    ['no fold that others name', {}, panelThatReads('logsFold', '../logs/logs-fold.ts'), undefined, []],
    [
      'a card',
      { answers: { 'sampling/createMessage': { gist: () => '' } } },
      {},
      undefined,
      ['half: it answers sampling/createMessage without a card'],
    ],
    [
      'somebody who asks',
      { answers: { 'tools/call': { view: () => import('./roots/RootsRequest.svelte'), gist: () => '' } } },
      {},
      undefined,
      ['half: it answers tools/call, which no server sends'],
    ],
    [
      'an answer to what it declares',
      { declares: () => ({ sampling: {} }) },
      {},
      undefined,
      ['half: it declares sampling, and nothing answers sampling/createMessage'],
    ],
    [
      'a line of its rules',
      {},
      { 'half/lint.ts': 'export const halfRules: FeatureRules = {}' },
      undefined,
      ['half: its lint.ts is not in web/features/lint-rules.ts'],
    ],
  ])('%s', { timeout: patient(120_000) }, async (_, change, files, without, named) => {
    expect(await judge(change, files, without)).toEqual(named)
  })

  test('its line', async () => {
    const all = new Map([...sources, ...Object.entries(files)])
    expect(await lacks({ features, sources: all })).toEqual(['half: it has no line in web/features/index.ts'])
  })

  test('a method that is not answered yet', { timeout: patient(120_000) }, async () => {
    const answers = { 'roots/list': { view: () => import('./roots/RootsRequest.svelte'), gist: () => '' } }
    expect(await judge({ answers })).toEqual([
      'roots: half answers roots/list as well',
      'half: roots answers roots/list as well',
    ])
  })
})

describe('the tabs', () => {
  afterEach(() => void (language.current = 'en'))

  test('have their titles in the language of the moment', () => {
    const english = tabFeatures.map(titleOf)
    expect(english).toContain('Tests')
    language.current = 'zh-CN'
    expect(tabFeatures.map(titleOf)).toContain('测试')
    expect(new Set([...english, ...tabFeatures.map(titleOf)]).size).toBe(2 * tabFeatures.length)
  })
})
