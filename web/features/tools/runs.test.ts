import { expect, test } from 'vitest'
import type { Frame, JsonObject, Session } from '../../mcp/index.ts'
import { maskOf } from '../../secrets/index.ts'
import type { VariableSource } from '../feature.ts'
import { ToolRun } from './runs.svelte.ts'

const MASK = maskOf(10)
const message = (seq: number, token: string, more: object = {}) =>
  ({
    seq,
    kind: 'message',
    direction: 'sent',
    message: { id: seq, method: 'tools/call', params: { name: 'x', arguments: { token } } },
    ...more,
  }) as unknown as Frame

test('a call of several rounds is repeated as it was written, and the mask of a secret is never sent', () => {
  // Two rounds of one call, and another call, as the trace has them.
  const frames = new Map([message(0, MASK), message(5, MASK, { follows: 0 }), message(8, MASK)].map((each) => [each.seq, each])) // prettier-ignore
  const trace = { at: (seq: number) => frames.get(seq) }
  const sent: unknown[] = []
  const session = {
    call: (_: string, params: JsonObject) => {
      sent.push(params.arguments)
      return { seq: 5, result: Promise.resolve({}), cancel: () => {} }
    },
  } as unknown as Session
  const variables = {
    forSending: () => ({ value: { token: 's3cret-dev' }, used: [], faults: [] }),
  } as unknown as VariableSource
  const server = { trace, variables } as unknown as Parameters<ToolRun['repeat']>[1]

  const run = new ToolRun()
  run.start(session, 'x', { token: '{{token}}' }, { fits: true, variables })
  expect([0, 5, 8].map((seq) => run.writtenAt(trace, seq))).toEqual([
    { token: '{{token}}' },
    { token: '{{token}}' },
    undefined,
  ])
  expect(run.repeat(session, server, 0)).toBe(true)
  expect(run.repeat(session, server, 8)).toBe(false)
  expect(new ToolRun().repeat(session, server, 0)).toBe(false)
  expect(sent).toEqual([{ token: 's3cret-dev' }, { token: 's3cret-dev' }])
})
