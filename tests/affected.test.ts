import { describe, expect, test } from 'vitest'
import { affectedTests, journeysQuoting, quickTests } from './affected.ts'

const SOURCES = new Map([
  ['web/mcp/url.ts', ''],
  ['web/mcp/url.test.ts', `import { isUrl } from './url.ts'`],
  ['web/mcp/index.ts', `export { isUrl } from './url.ts'`],
  ['web/ui/Link.svelte', `<script lang="ts">import { isUrl } from '../mcp/index.ts'</script>`],
  ['web/ui/link.test.ts', `const { default: Link } = await import('./Link.svelte')`],
  ['web/ui/copy.test.ts', `import { copy } from './copy.ts'`],
])

test('a change concerns the tests that import it, through doors and components too, nearest first', () => {
  expect(affectedTests(SOURCES, ['web/mcp/url.ts'])).toEqual(['web/mcp/url.test.ts', 'web/ui/link.test.ts'])
  expect(affectedTests(SOURCES, ['web/ui/Link.svelte'])).toEqual(['web/ui/link.test.ts'])
})

test('a changed test concerns itself, and a text that nothing imports concerns none', () => {
  expect(affectedTests(SOURCES, ['web/ui/copy.test.ts', 'README.md'])).toEqual(['web/ui/copy.test.ts'])
})

test('imports in a circle end', () => {
  const circle = new Map([
    ['web/a.ts', `import './b.ts'`],
    ['web/b.ts', `import { a } from './a.ts'`],
    ['web/a.test.ts', `import {\n  a,\n} from './a.ts'`],
  ])
  expect(affectedTests(circle, ['web/b.ts'])).toEqual(['web/a.test.ts'])
})

describe('quick', () => {
  const sources = new Map([
    ...SOURCES,
    ['web/mcp/peer.case.ts', `import { inject } from 'vitest'\nexport const peer = () => inject('hostileUrl')`],
    ['web/mcp/far.test.ts', `import { isUrl } from './index.ts'\nimport { peer } from './peer.case.ts'`],
    ['web/mcp/close.test.ts', `import { isUrl } from './url.ts'\nimport { peer } from './peer.case.ts'`],
    ['web/mcp/patient.test.ts', `import { isUrl } from './index.ts'\ninject('slowness')`],
    ['tests/commands/play.test.ts', `import { isUrl } from '../../web/mcp/index.ts'`],
  ])
  const ARCHITECTURE = 'tests/architecture.test.ts'
  const VOICE = 'tests/voice.test.ts'

  test('leaves tests that start servers or programs to npm test, unless they import a changed file', () => {
    const { run, peers, later } = quickTests(sources, ['web/mcp/url.ts'])
    expect(run).toEqual([
      ARCHITECTURE,
      'web/mcp/url.test.ts',
      'web/mcp/close.test.ts',
      'web/mcp/patient.test.ts',
      'web/ui/link.test.ts',
    ])
    expect(peers).toBe(true)
    expect(later.map(({ name }) => name)).toEqual(['web/mcp/far.test.ts', 'tests/commands/play.test.ts'])
  })

  test('runs a changed test whatever it starts, and peers only for tests that need them', () => {
    expect(quickTests(sources, ['web/mcp/far.test.ts'])).toEqual({
      run: [ARCHITECTURE, 'web/mcp/far.test.ts'],
      peers: true,
      later: [],
    })
    expect(quickTests(sources, ['web/ui/copy.test.ts']).peers).toBe(false)
  })

  test('always runs the laws of the sources, and those of texts if a text or a component changed', () => {
    expect(quickTests(sources, ['README.md']).run).toEqual([ARCHITECTURE])
    expect(quickTests(sources, ['web/ui/text/en.ts']).run).toEqual([ARCHITECTURE, VOICE])
    expect(quickTests(sources, ['web/ui/Link.svelte']).run).toEqual([ARCHITECTURE, VOICE, 'web/ui/link.test.ts'])
  })

  test('runs the 25 nearest tests', () => {
    const many = new Map(Array.from({ length: 30 }, (_, at) => [`web/mcp/t${at}.test.ts`, `import './url.ts'`]))
    const { run, later } = quickTests(many, ['web/mcp/url.ts'])
    expect(run).toHaveLength(26)
    expect(later).toHaveLength(5)
  })
})

test('a journey that quotes a removed text is named with its command', () => {
  const sources = new Map([
    ['tests/e2e/share.spec.ts', `await expect(note).toContainText('Nothing is listening at 127.0.0.1:9')`],
    ['tests/e2e/keys.spec.ts', `await page.getByRole('button', { name: 'Save' }).click()`],
    ['tests/e2e/other.spec.ts', `await page.getByText('Saved at last').click()`],
  ])
  expect(journeysQuoting(sources, ['Nothing is listening at', 'Save'])).toEqual([
    {
      name: 'tests/e2e/share.spec.ts',
      reason: 'it quotes “Nothing is listening at”, which the change removes; run npm run test:e2e -- share.spec',
    },
    {
      name: 'tests/e2e/keys.spec.ts',
      reason: 'it quotes “Save”, which the change removes; run npm run test:e2e -- keys.spec',
    },
  ])
})
