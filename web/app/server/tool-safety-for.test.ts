/** What the policy, the trust and the approvals of a server's tools belong to. */
import { expect, onTestFinished, test } from 'vitest'
import { Projection, Trace } from '../../mcp/index.ts'
import type { Target } from '../connect/index.ts'
import { storedKeyOf } from '../storable.ts'
import { toolSafetyFor } from './transport-for.ts'

const url = (url: string, ...headers: (readonly [string, string])[]): Target => ({ kind: 'url', url, headers })
const command = (args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd?: string): Target => ({
  kind: 'command',
  command: 'npx',
  args: [...args],
  env,
  ...(cwd === undefined ? {} : { cwd }),
})

/** The gate of a connection to a target, as the page makes it. */
const gateOf = (target: Target) => {
  const trace = new Trace()
  const safety = toolSafetyFor(storedKeyOf(target), target, {
    link: 's1',
    name: 'Peer',
    state: (fold) => new Projection(trace, fold),
  })
  onTestFinished(() => {
    safety.ownPolicy = undefined
    safety.withdraw('erase')
  })
  return safety
}

const KEY = 'sk-proj-9fQ2xV7bN4mK8rT1wZ6yL3cP5dH0jS'
const SAME: readonly (readonly [string, Target, Target])[] = [
  ['a header', url('https://gateway.example/mcp', ['X-Account', 'a']), url('https://gateway.example/mcp', ['X-Account', 'b'])],
  ['a key in the URL', url(`https://gateway.example/mcp?api_key=${KEY}`), url('https://gateway.example/mcp?api_key=other')],
  ['an environment variable', command(['some-server'], { TEAM: 'a' }), command(['some-server'], { TEAM: 'b' })],
  ['a key of the command', command(['some-server', `--api-key=${KEY}`]), command(['some-server', '--api-key=other'])],
] // prettier-ignore
const OTHER: readonly (readonly [string, Target, Target])[] = [
  ['the path', url('https://gateway.example/a'), url('https://gateway.example/b')],
  ['the query', url('https://gateway.example/mcp?team=a'), url('https://gateway.example/mcp?team=b')],
  ['an argument', command(['some-server', 'a']), command(['some-server', 'b'])],
  ['the working directory', command(['some-server'], {}, '/a'), command(['some-server'], {}, '/b')],
]

test.each(SAME)('connections that differ only in %s share policy, trust and approvals', (_, one, other) => {
  const [first, second] = [gateOf(one), gateOf(other)]
  expect(second.policy).toBe('unless-read-only')
  first.ownPolicy = 'never'
  first.approve('erase')
  expect(second.policy).toBe('never')
  expect(second.approved.map(({ tool }) => tool)).toEqual(['erase'])
})

test.each(OTHER)('connections that differ in %s have their own policy, trust and approvals', (_, one, other) => {
  const [first, second] = [gateOf(one), gateOf(other)]
  first.ownPolicy = 'never'
  first.approve('erase')
  expect(first.policy).toBe('never')
  expect(second.policy).toBe('unless-read-only')
  expect(second.approved).toEqual([])
})
