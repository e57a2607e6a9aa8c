import { describe, expect, test } from 'vitest'
import type { ClientId } from '../../../../proxy/wire.ts'
import { readConfig } from '../configs/read-config.ts'
import { CLIENT_NAMES } from '../clients.ts'
import type { Target } from '../target.ts'
import type { ExportedServer } from './client-entry.ts'
import { mergeInto } from './merge.ts'
import { addCommands } from './write-command.ts'

const SECRET = 'Zx81qLmN0pQrS7tUvW'
const CLIENTS = Object.keys(CLIENT_NAMES) as ClientId[]

const remote = (name: string, headers: Record<string, string>, url = `https://${name}.test/mcp`): ExportedServer => ({
  name,
  target: { kind: 'url', url, headers: Object.entries(headers) },
  settings: {},
})
const local = (name: string, env: Record<string, string>, args: string[] = []): ExportedServer => ({
  name,
  target: { kind: 'command', command: name, args, env },
  settings: {},
})

const serversIn = (text: string) => {
  const read = readConfig(text)
  if (read.kind !== 'servers') throw new Error(JSON.stringify(read))
  return read.servers
}
const targetIn = (text: string, name: string): Target => serversIn(text).find((one) => one.name === name)!.target!

/** What a server of a file has as a variable, or as a header, which may be a variable of a process that connects. */
const valueIn = (text: string, server: string, name: string): string => {
  const target = targetIn(text, server)
  if (target.kind === 'command') return target.env[name.toUpperCase().replaceAll('-', '_')]!
  if (target.kind !== 'url') throw new Error(target.kind)
  return target.headers.find(([header]) => header.toLowerCase() === name.toLowerCase())![1]
}

/** Exported again, in any order and one by one, it stays as it is. */
const expectStable = (client: ClientId, text: string, servers: readonly ExportedServer[]) => {
  for (const again of [servers, servers.toReversed(), ...servers.map((server) => [server])])
    expect(mergeInto(client, text, again, 'references').text).toBe(text)
}

test.each(CLIENTS)('an export for %s has no reference that two servers share, whatever their names', (client) => {
  for (const names of [
    ['my docs', 'my-docs'],
    ['docs', 'docs', 'docs_2'],
    ['文档', '服务'],
    ['', ''],
  ]) {
    const servers = names.map((name, at) => ({
      ...remote(name, { Authorization: `${at}` }, `https://e${at}.test/mcp?api_key=${SECRET}${at}`),
    }))
    const { text } = mergeInto(client, '', servers, 'references')
    // Exported again, it stays as it is.
    expect(mergeInto(client, text, servers, 'references').text).toBe(text)
    const keys = text.match(/[\w-]*api[_-]key[_\w-]*(?=[}>])/gi)
    expect(new Set(keys).size).toBe(names.length)
    const headers = serversIn(text).map(({ name }) => valueIn(text, name, 'Authorization'))
    expect(new Set(headers).size).toBe(names.length)
  }
  const commands = ['a', 'b'].map((name) => local(name, {}, ['--token', SECRET + name]))
  expect(new Set(mergeInto(client, '', commands, 'references').text.match(/token[_-]?\d?(?=[}>])/gi)).size).toBe(2)
})

describe.each(CLIENTS)('for %s', (client) => {
  const references = (servers: readonly ExportedServer[], before = '') => {
    const { text } = mergeInto(client, before, servers, 'references')
    expect(text).not.toContain(SECRET)
    return text
  }

  test('a variable of two commands has one reference only if its value is known to be the same', () => {
    const different = [local('a', { API_KEY: `${SECRET}1` }), local('b', { API_KEY: `${SECRET}2` })]
    const text = references(different)
    expect(valueIn(text, 'a', 'API_KEY')).toMatch(/API[_-]KEY/i)
    expect(valueIn(text, 'b', 'API_KEY')).toMatch(/B[_-]API[_-]KEY/i)
    expectStable(client, text, different)
    const same = references([local('a', { API_KEY: SECRET }), local('b', { API_KEY: SECRET })])
    expect(valueIn(same, 'a', 'API_KEY')).toBe(valueIn(same, 'b', 'API_KEY'))
    // Stored servers have no values, so these two may differ.
    const unknown = [local('a', { API_KEY: '' }), local('b', { API_KEY: '' })]
    const stored = references(unknown)
    expect(valueIn(stored, 'a', 'API_KEY')).not.toBe(valueIn(stored, 'b', 'API_KEY'))
    expectStable(client, stored, unknown)
  })

  test('a server that is added gets no reference that a server of the file has', () => {
    for (const [name, one, two] of [
      ['API_KEY', local('a', { API_KEY: `${SECRET}1` }), local('b', { API_KEY: `${SECRET}2` })],
      [
        'X-Key',
        remote('my docs', { 'X-Key': `${SECRET}1` }, 'https://one.test/'),
        remote('my_docs', { 'X-Key': `${SECRET}2` }, 'https://two.test/'),
      ],
    ] as const) {
      const before = references([one])
      const text = references([two], before)
      const written = serversIn(text).map((server) => server.name)
      const values = written.map((server) => valueIn(text, server, name))
      expect(new Set(values).size).toBe(2)
      expect(values[0]).toBe(valueIn(before, written[0]!, name))
      expectStable(client, text, [one, two])
    }
  })

  test('headers of servers with other names have references of their own', () => {
    const servers = ['docs', 'mail'].map((name) =>
      remote(name, { Authorization: `Bearer ${SECRET}${name}`, 'X-Key': SECRET, 'X-Login': `Basic ${SECRET}${name}` }),
    )
    const text = references(servers)
    const values = servers.flatMap(({ name }) =>
      ['Authorization', 'X-Key', 'X-Login'].map((header) => valueIn(text, name, header)),
    )
    expect(new Set(values).size).toBe(values.length)
    for (const value of values) expect(value).toMatch(/DOCS|MAIL/i)
    expectStable(client, text, servers)
    const lines = addCommands(client, servers, 'references').join('\n')
    const names = lines.match(/(?:DOCS|MAIL)_\w+/g) ?? []
    expect(new Set(names).size).toBe(names.length)
  })

  test('a value never gets the reference that another server uses on purpose', () => {
    const servers = [remote('docs', { 'X-Key': SECRET }), remote('team', { 'X-Key': '${env:DOCS_X_KEY}' })]
    const text = references(servers)
    expect(valueIn(text, 'docs', 'X-Key')).not.toBe(valueIn(text, 'team', 'X-Key'))
    // A variable of this page isn't one of the process, even if it is spelled alike.
    const page = references([
      local('a', { K: '{{api.key}}' }),
      local('b', { K: '{{api-key}}' }),
      local('c', { K: '{{api.key}}' }),
    ])
    expect(valueIn(page, 'a', 'K')).not.toBe(valueIn(page, 'b', 'K'))
    expect(valueIn(page, 'a', 'K')).toBe(valueIn(page, 'c', 'K'))
  })

  test('a header that is sent twice keeps both values, and headers with similar names stay apart', () => {
    const server: ExportedServer = {
      ...remote('docs', {}),
      target: { kind: 'url', url: 'https://docs.test/mcp', headers: [['X-A', 'one'], ['x-a', 'two'], ['X_A', 'three']] },
    } // prettier-ignore
    const { text } = mergeInto(client, '', [server], 'written')
    expect(text).toContain('"one, two"')
    expect(text).toContain('"three"')
    expect(text.match(/X_A(?:_2)?\b/g)?.length ?? 0).toBeGreaterThan(0)
  })

  test('a reference in the file stays, whatever its name is', () => {
    const server = local('a', { API_KEY: SECRET, OTHER: `${SECRET}2` })
    const before = references([server])
    // Codex passes on variables with their own names.
    const own = before.replaceAll(/(?<![\w"-])API_KEY(?=[}>])|api-key/g, (name) =>
      name === 'api-key' ? 'mine' : 'MINE',
    )
    expect(own === before).toBe(client === 'codex')
    expect(references([server], own)).toBe(own)
  })

  test('so does one within a URL or an argument of the file', () => {
    const servers = [
      remote('docs', {}, `https://docs.test/mcp?api_key=${SECRET}&v=1`),
      local('a', {}, ['--token', SECRET, `--key=${SECRET}2`]),
    ]
    const before = references(servers)
    const own = before
      .replaceAll(/(?:DOCS_)?API_KEY|docs-api-key/g, (name) => (name === 'docs-api-key' ? 'mine' : 'MINE'))
      .replaceAll(/(?<=[{:<"])(?:TOKEN|token)(?=[}>"])/g, (name) => (name === 'token' ? 'other' : 'OTHER'))
    expect(own).not.toBe(before)
    expect(references(servers, own)).toBe(own)
  })
})

describe('inputs of VS Code', () => {
  const file = (id: string, description: string, server: string) => `{
  "inputs": [{ "type": "promptString", "id": "${id}", "description": "${description}", "password": true }],
  "servers": { "${server}": { "url": "https://${server}.test/mcp?k=\${input:${id}}", "headers": { "X-Key": "\${input:${id}}" } } }
}`
  const exportedFrom = (text: string): ExportedServer[] =>
    serversIn(text).map(({ name, target, inputs }) => ({ name, target: target!, settings: {}, ...(inputs ? { inputs } : {}) })) // prettier-ignore
  const inputsIn = (text: string) => (JSON.parse(text) as { inputs: { id: string; description: string }[] }).inputs

  test('with one ID in two files stay two inputs, with their descriptions', () => {
    const [one, two] = [file('key', 'Key of Docs', 'docs'), file('key', 'Key of Mail', 'mail')]
    const servers = [...exportedFrom(one), ...exportedFrom(two)]
    for (const text of [
      mergeInto('vscode', '', servers, 'references').text,
      mergeInto('vscode', one, exportedFrom(two), 'references').text,
    ]) {
      expect(inputsIn(text)).toMatchObject([
        { id: 'key', description: 'Key of Docs' },
        { id: 'mail-key', description: 'Key of Mail', password: true },
      ])
      expect(targetIn(text, 'docs')).toMatchObject(exportedFrom(one)[0]!.target)
      expect(targetIn(text, 'mail')).toMatchObject({
        url: expect.stringContaining('${input:mail-key}') as string,
        headers: [['X-Key', '${input:mail-key}']],
      })
      expectStable('vscode', text, exportedFrom(text))
    }
    // Its own file stays as it is.
    expect(mergeInto('vscode', one, exportedFrom(one), 'references').text).toBe(one)
  })

  test('of the file are not used for a new value, even if they have the ID that it would get', () => {
    const before = file('mail-x-key', 'Something else', 'docs')
    const { text, notes } = mergeInto('vscode', before, [remote('mail', { 'X-Key': SECRET })], 'references')
    expect(inputsIn(text).map(({ id }) => id)).toEqual(['mail-x-key', 'mail-x-key-2'])
    expect(targetIn(text, 'mail')).toMatchObject({ headers: [['X-Key', '${input:mail-x-key-2}']] })
    expect(notes).toEqual([{ kind: 'asks', names: ['mail: X-Key'] }])
    // Left over from an export before, it asks for the same.
    const left = before.replace('Something else', 'mail: X-Key').replaceAll('${input:mail-x-key}', '')
    const again = mergeInto('vscode', left, [remote('mail', { 'X-Key': SECRET })], 'references').text
    expect(inputsIn(again)).toHaveLength(1)
  })

  test('that no changed value refers to are not added', () => {
    const before = `{"servers": {"docs": {"url": "https://docs.test/mcp", "headers": {"X-Key": "${SECRET}"}}}}`
    const text = mergeInto(
      'vscode',
      before,
      [remote('docs', { 'X-Key': SECRET }, 'https://docs.test/v2')],
      'references',
    ).text
    expect(text).toBe(before.replace('/mcp', '/v2'))
  })

  test('become variables of their server for other clients', () => {
    const servers = [
      ...exportedFrom(file('key', 'Key of Docs', 'docs')),
      ...exportedFrom(file('key', 'Key of Mail', 'mail')),
    ]
    const { text } = mergeInto('claude-code', '', servers, 'references')
    expect(text).not.toContain('input:')
    expect(targetIn(text, 'docs')).toMatchObject({ headers: [['X-Key', '${KEY}']] })
    expect(targetIn(text, 'mail')).toMatchObject({ headers: [['X-Key', '${MAIL_KEY}']] })
  })
})

test('a default stays where a client has defaults, in its spelling', () => {
  const { text } = mergeInto(
    'claude-code',
    '',
    [remote('a', { 'X-K': '${env:A_K:-d}', 'X-L': '${B:-e}' })],
    'references',
  )
  expect(targetIn(text, 'a')).toMatchObject({ headers: [['X-K', '${A_K:-d}'], ['X-L', '${B:-e}']] }) // prettier-ignore
})
