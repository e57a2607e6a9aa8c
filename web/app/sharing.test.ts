import { describe, expect, test } from 'vitest'
import { exchanges, Trace, type JsonObject } from '../mcp/index.ts'
import { headOf, readSession, sessionText } from '../session-file/index.ts'
import { outgoing } from '../share/outgoing.ts'
import { redact } from '../share/redact.ts'
import { focusOf, liveHead } from './sharing.ts'
import { FoldedTrace } from './folded-trace.ts'
import type { Target } from './connect/index.ts'

const reopened = async (target: Target, variables: readonly string[]) => {
  const bench = {
    trace: new Trace(),
    servers: { all: [{ link: 's1', name: 'n', target, transport: undefined, proxyVariables: variables }] },
    connected: { connectionOf: () => ({}) as never },
  }
  const out = await outgoing(await redact(headOf(liveHead(bench, '0')), []), { part: 'session' })
  const { head } = await readSession([...sessionText(out.head, out.frames)])
  return head.servers[0]!.target
}

test('a session that leaves keeps the references to environment variables, and no other value', async () => {
  const headers = [
    ['Authorization', 'Bearer ${env:TOKEN}'],
    ['X-Key', 'secret-91ab'],
    ['X-Mode', 'fast'],
  ] as const
  expect(await reopened({ kind: 'url', url: 'https://mcp.example/mcp', headers }, ['TOKEN'])).toEqual({
    kind: 'url',
    url: 'https://mcp.example/mcp',
    headers: ['Authorization', 'X-Key', 'X-Mode'],
    references: { names: ['TOKEN'], values: { Authorization: 'Bearer ${env:TOKEN}' } },
  })
  const env = { API_KEY: '${env:KEY}', OTHER: 'secret-91ab' }
  const command = { kind: 'command', command: 'npx', args: ['--token', '${env:T}', '--key=${env:KEY}'] } as const
  expect(await reopened({ ...command, env }, ['KEY', 'T'])).toEqual({
    ...command,
    env: ['API_KEY', 'OTHER'],
    references: { names: ['KEY', 'T'], values: { API_KEY: '${env:KEY}' } },
  })
})

test('the URL of a custom transport is kept, without its secrets', async () => {
  const url = 'unix:/run/mcp.sock'
  expect(await reopened({ kind: 'custom', url }, [])).toEqual({ kind: 'custom', url })
  const token = 'ws://mcp.example/mcp?token=hunter2-hunter2&x=1'
  expect(await reopened({ kind: 'custom', url: token }, [])).toEqual({
    kind: 'custom',
    url: 'ws://mcp.example/mcp?token=&x=1',
  })
})

test('what is sent literally is no reference in the file', async () => {
  const target: Target = { kind: 'command', command: 'npx', args: ['${env:T}'], env: {} }
  expect(await reopened(target, [])).toEqual({ kind: 'command', command: 'npx', args: ['${env:T}'], env: [] })
})

describe('what the user did or selected last', () => {
  /** A list, a call of `add`, and one of `echo`: frames 0 to 5. */
  const session = () => {
    const trace = new Trace()
    const folded = new FoldedTrace(trace)
    const found = folded.state(exchanges)
    const send = (id: number, method: string, params: JsonObject) => {
      const common = { kind: 'message', link: 's1', size: 1 } as const
      trace.append({ ...common, direction: 'sent', type: 'request', message: { jsonrpc: '2.0', id, method, params } })
      trace.append({ ...common, direction: 'received', type: 'result', message: { jsonrpc: '2.0', id, result: {} } })
    }
    send(1, 'tools/list', {})
    send(2, 'tools/call', { name: 'add', arguments: {} })
    send(3, 'tools/call', { name: 'echo', arguments: {} })
    return { trace, found: found.current }
  }
  const tools = { link: 's1', feature: 'tools' } as const

  test('is the result in the tab, even if the URL names no tool', () => {
    const { found } = session()
    expect(focusOf(found, { ...tools, place: 'add' })).toMatchObject({
      view: { place: 'add', seq: 3 },
      exchange: { subject: 'add' },
    })
    // The tab was opened by its name, and shows the tool that it showed last.
    expect(focusOf(found, { ...tools, place: '' })).toMatchObject({
      view: { place: 'echo', seq: 5 },
      exchange: { subject: 'echo' },
    })
  })

  test('is the last call where the tab shows no result', () => {
    const { found } = session()
    const { view, exchange } = focusOf(found, { link: 's1', feature: 'overview', place: '' })
    expect(view).toEqual({ link: 's1', feature: 'overview', place: '' })
    expect(exchange).toMatchObject({ subject: 'echo', response: 5 })
    expect(focusOf(found, { link: 's2', feature: 'tools', place: '' }).exchange).toBeUndefined()
  })

  test('is the frame selected in the trace, until a call is made after that', () => {
    const { trace, found } = session()
    const frame = trace.at(1)
    expect(focusOf(found, { ...tools, place: 'add' }, { frame, since: 6 })).toMatchObject({
      view: { place: 'add', seq: 1 },
      exchange: { method: 'tools/list' },
    })
    expect(focusOf(found, { ...tools, place: 'add' }, { frame, since: 4 })).toMatchObject({
      view: { place: 'add', seq: 3 },
      exchange: { subject: 'add' },
    })
  })
})
