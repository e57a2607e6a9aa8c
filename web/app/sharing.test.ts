import { expect, test } from 'vitest'
import { Trace } from '../mcp/index.ts'
import { headOf, readSession, sessionText } from '../session-file/index.ts'
import { outgoing } from '../share/outgoing.ts'
import { redact } from '../share/redact.ts'
import { liveHead } from './sharing.ts'
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
