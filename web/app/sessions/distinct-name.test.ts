import { expect, test } from 'vitest'
import type { RecordedServer, RecordedTarget } from '../../session-file/index.ts'
import { distinctName } from './distinct-name.ts'

const session = (servers: readonly RecordedServer[], name?: string) =>
  ({ head: { servers, ...(name === undefined ? {} : { name }) } }) as unknown as Parameters<typeof distinctName>[0]
const server = (target: RecordedTarget, name = 'docs'): RecordedServer => ({ link: 's1', name, target })
const url = (path: string): RecordedTarget => ({ kind: 'url', url: `https://e.com/${path}`, headers: ['X-Key'] })
const command = (cwd: string): RecordedTarget => ({ kind: 'command', command: 'node', args: ['a.js'], env: [], cwd })

test('a session has the URL of its server only if another one has the same name', () => {
  const [a, b, other] = [session([server(url('a'))]), session([server(url('b'))]), session([server(url('a'), 'other')])]
  const all = [a, b, other]
  expect(all.map((one) => distinctName(one, all))).toEqual([
    'docs · https://e.com/a',
    'docs · https://e.com/b',
    'other',
  ])
  // Twice the same server: nothing more is known of either.
  expect(distinctName(a, [a, session([server(url('a'))])])).toBe('docs')
})

test('a folder tells processes apart, the given name counts, and secrets of a URL are hidden', () => {
  const all = [session([server(command('/a'))]), session([server(command('/b'))])]
  expect(all.map((one) => distinctName(one, all))).toEqual(['docs · node a.js (/a)', 'docs · node a.js (/b)'])
  const given = [session([server(url('a'))], 'mine'), session([server(url('a?token=Zx81qLmN0pQrS7tUvW'))], 'mine')]
  expect(distinctName(given[0]!, given)).toBe('mine · https://e.com/a')
  expect(distinctName(given[1]!, given)).not.toContain('Zx81qLmN0pQrS7tUvW')
})
