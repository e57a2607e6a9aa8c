import { describe, expect, test } from 'vitest'
import { readConnectLink } from '../connect/connect-link.ts'
import type { RecordedTarget } from '../../session-file/index.ts'
import { formLinkOf } from './form-link.ts'

const formOf = async (target: RecordedTarget, transport = 'Streamable HTTP') => {
  const link = await formLinkOf({ link: 's1', name: 'Recorded', transport, target })!()
  return readConnectLink(link)!
}

describe('the server of a recording in the connect form', () => {
  test('is its URL, with a field for the value of each header', async () => {
    const references = { names: ['TOKEN'], values: { Authorization: 'Bearer ${env:TOKEN}' } }
    const target = {
      kind: 'url',
      url: 'https://mcp.example/mcp',
      headers: ['Authorization', 'X-Team'],
      references,
    } as const
    expect(await formOf(target, 'HTTP+SSE')).toEqual({
      text: 'https://mcp.example/mcp',
      name: '',
      // No reference: a recording must not say which variables of this machine go to which host.
      headers: [
        { name: 'Authorization', value: '${AUTHORIZATION}' },
        { name: 'X-Team', value: '${X_TEAM}' },
      ],
      settings: { transport: 'http-sse' },
    })
  })

  test('is its command with arguments, directory and variables', async () => {
    const command = {
      kind: 'command',
      command: 'npx',
      args: ['-y', 'my server'],
      cwd: '/srv',
      env: ['API_KEY'],
    } as const
    const { text } = await formOf(command, 'stdio')
    expect(JSON.parse(text)).toEqual({
      mcpServers: {
        Recorded: { command: 'npx', args: ['-y', 'my server'], env: { API_KEY: '${API_KEY}' }, cwd: '/srv' },
      },
    })
  })

  test('is the URL of its own transport', async () => {
    expect(await formOf({ kind: 'custom', url: 'unix:/run/mcp.sock' })).toMatchObject({ text: 'unix:/run/mcp.sock' })
  })

  test.each([undefined, { kind: 'sample' } as const])('is nothing if the recording names %o', (target) => {
    expect(formLinkOf({ link: 's1', name: 'Recorded', ...(target ? { target } : {}) })).toBeUndefined()
  })
})
