/** Findings are computed once for all readers, as long as there is one. */
import { expect, test } from 'vitest'
import { Trace, type FrameDraft } from '../mcp/index.ts'
import { sharedLint } from './shared.ts'

const noRules = () => Promise.resolve([])

const settled = () => {
  const trace = new Trace()
  const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] }
  trace.append({ kind: 'session', phase: 'open', link: 's1', transport: 'x', peer } as unknown as FrameDraft)
  return trace
}

test('two readers get the same watch, which goes on while one is left, and begins anew after the last', async () => {
  const trace = settled()
  const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()]
  const [first, second] = await Promise.all([
    sharedLint(trace, one.signal, noRules),
    sharedLint(trace, two.signal, noRules),
  ])
  expect(second).toBe(first)
  one.abort()
  let told = 0
  second.subscribe(() => told++)
  trace.append({ kind: 'session', phase: 'closed', why: 'x', link: 's1' } as unknown as FrameDraft)
  await expect.poll(() => told).toBeGreaterThan(0)
  two.abort()
  expect(await sharedLint(trace, three.signal, noRules)).not.toBe(first)
  three.abort()
})

test('a reader that has left before anything could be judged keeps nothing waiting', async () => {
  const leaving = new AbortController()
  const waiting = sharedLint(new Trace(), leaving.signal, noRules)
  leaving.abort()
  await expect(waiting).rejects.toThrow('Nobody reads')
})
