import { expect, test } from 'vitest'
import type { ClientFiles } from '../../../proxy/wire.ts'
import { understandFile } from './configs/config-files.ts'
import { findMachineServers } from './machine-servers.ts'

const proxy = { base: 'http://127.0.0.1:1/', token: 't' }

test('each file gives its servers or its problem, and settings without servers are no problem', async () => {
  const answer: ClientFiles = {
    files: [
      { client: 'cursor', path: '/c', text: '{"mcpServers":{"a":{"command":"x"}}}' },
      { client: 'zed', path: '/z', text: '{"theme":"One Dark"}' },
      { client: 'codex', path: '/x', error: { code: 'EACCES', message: 'permission denied' } },
    ],
  }
  const asked: [string, unknown][] = []
  const found = await findMachineServers(proxy, (url, init) => {
    asked.push([url as string, init?.headers])
    return Promise.resolve(Response.json(answer))
  })
  expect(asked).toEqual([['http://127.0.0.1:1/api/clients', { 'Periscope-Token': 't' }]])
  expect(found.map(({ understood, error }) => error?.code ?? understood?.kind)).toEqual([
    'servers',
    'nothing',
    'EACCES',
  ])
  await expect(findMachineServers(proxy, () => Promise.resolve(new Response('', { status: 404 })))).rejects.toThrow('404')
  // Its text is that of the browser, so the page has its own.
  await expect(findMachineServers(proxy, () => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow(TypeError)
  await expect(findMachineServers(proxy, () => Promise.resolve(new Response('<p>')))).rejects.toThrow('HTTP 200')
}) // prettier-ignore

test('a server is chosen by its name; a name that is missing says which there are', () => {
  const file = { name: 'f', text: '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}' }
  const only = (name: string) => understandFile({ ...file, only: name })
  expect(only('b')).toMatchObject({ servers: [{ name: 'b' }] })
  expect(only('c')).toMatchObject({ kind: 'problem', cause: 'no-such-server', thing: 'c', names: 'a, b' })
})

test('a broken file says where, but repeats nothing of its content', () => {
  const secret = 'Zx81qLmN0pQrS7tUvW'
  for (const text of [`{"a": "b" "${secret}"}`, `[mcp_servers.a]\nkey = ${secret}`, `{"a": ${secret}}`]) {
    const understood = understandFile({ name: 'f', text })
    expect(understood.kind).toBe('problem')
    expect(JSON.stringify(understood)).not.toContain(secret)
  }
})
