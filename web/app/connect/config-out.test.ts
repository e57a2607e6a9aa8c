import { expect, test } from 'vitest'
import { readConfig } from './configs/read-config.ts'
import { mcpJson } from './config-out.ts'
import { clientEntry } from './export/client-entry.ts'
import { placeholdersIn } from './placeholders.ts'
import type { Target } from './target.ts'

const server = (name: string, target: Target, settings = {}) => ({ name, target, settings })
const filesystem: Target = {
  kind: 'command',
  command: 'npx',
  args: ['-y', 'server-filesystem', '/my data'],
  env: { API_KEY: '' },
  cwd: '/work',
}
const docs: Target = { kind: 'url', url: 'https://docs.example/mcp', headers: [['X-Api-Key', '']] }

test('servers are written so that they are read back as the same servers, with placeholders for what is not stored', () => {
  const understood = readConfig(mcpJson([server('files', filesystem), server('docs', docs)]))
  if (understood.kind !== 'servers') throw new Error(understood.kind)
  const [files, web] = understood.servers
  expect(files).toMatchObject({ name: 'files', target: { ...filesystem, env: { API_KEY: '${API_KEY}' } } })
  expect(web).toMatchObject({ name: 'docs', target: { ...docs, headers: [['X-Api-Key', '${X_API_KEY}']] } })
  expect(placeholdersIn(files!.target!)).toEqual(['${API_KEY}'])
  expect(placeholdersIn(web!.target!)).toEqual(['${X_API_KEY}'])
})

test('two servers of one name both stay, HTTP+SSE is named, and the sample server is left out', () => {
  const written = JSON.parse(
    mcpJson([server('a', filesystem), server('a', docs, { transport: 'http-sse' }), server('s', { kind: 'sample' })]),
  ) as { mcpServers: Record<string, { type?: string }> }
  expect(Object.keys(written.mcpServers)).toEqual(['a', 'a 2'])
  expect(written.mcpServers['a 2']!.type).toBe('sse')
})

test('references to variables of an environment become references that other clients understand', () => {
  const target = {
    kind: 'url',
    url: 'https://{{host}}/mcp',
    headers: [['Authorization', 'Bearer {{api.key}}']],
  } as const
  const process = {
    kind: 'command',
    command: 'node',
    args: ['server.js', '--port={{port}}'],
    env: { TOKEN: '{{token}}' },
  } as const
  const servers = [target, process].map((each) => ({ name: each.kind, target: each, settings: {} }))
  expect(JSON.parse(mcpJson(servers))).toEqual({
    mcpServers: {
      url: { type: 'http', url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${API_KEY}' } },
      command: { command: 'node', args: ['server.js', '--port=${PORT}'], env: { TOKEN: '${TOKEN}' } },
    },
  })
  const [remote, local] = servers
  for (const values of ['references', 'written'] as const) {
    expect(clientEntry('cursor', remote!, values)?.entry).toMatchObject({
      url: 'https://${env:HOST}/mcp',
      headers: { Authorization: 'Bearer ${env:API_KEY}' },
    })
    expect(clientEntry('vscode', local!, values)?.entry).toMatchObject({
      args: ['server.js', '--port=${input:port}'],
      env: { TOKEN: '${input:token}' },
    })
  }
})
