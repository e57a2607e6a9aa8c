import { expect, test } from 'vitest'
import { affectedTests } from './affected.ts'

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
