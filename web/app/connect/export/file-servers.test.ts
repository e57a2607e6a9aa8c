/** A name alone doesn't say which server of a file is meant: projects and arrays may have several of one name. */
import { describe, expect, test } from 'vitest'
import { difference } from '../../../../tests/line-difference.ts'
import { projectOf } from '../configured-server.ts'
import { readConfig } from '../configs/read-config.ts'
import type { Target } from '../target.ts'
import type { ExportedServer } from './client-entry.ts'
import { MergeError, mergeInto } from './merge.ts'

const serversIn = (text: string): ExportedServer[] => {
  const read = readConfig(text)
  if (read.kind !== 'servers') throw new Error(JSON.stringify(read))
  return read.servers.flatMap((server) => {
    const { name, target, settings = {} } = server
    const project = projectOf(server)
    return target ? [{ name, target, settings, ...(project === undefined ? {} : { project }) }] : []
  })
}

/** As the list of recent servers has it. */
const withoutProject = ({ project: _, ...server }: ExportedServer): ExportedServer => server

const withArgument = (server: ExportedServer, value: string): ExportedServer =>
  server.target.kind === 'command' ? { ...server, target: { ...server.target, args: [value] } } : server
const withUrl = (server: ExportedServer, url: string): ExportedServer => ({
  ...server,
  target: { ...server.target, url } as Target,
})

const into = (text: string, servers: readonly ExportedServer[]) =>
  mergeInto('claude-code', text, servers, 'written').text

const PROJECTS = `{
  "mcpServers": {
    "db": { "command": "node", "args": ["user.js"] },
    "docs": { "type": "http", "url": "https://user.example/mcp" }
  },
  "projects": {
    "/a": {
      "allowedTools": [],
      "mcpServers": {
        "db": { "command": "node", "args": ["a.js"] },
        "docs": { "type": "http", "url": "https://a.example/mcp" },
        "same": { "command": "node", "args": ["same.js"] }
      }
    },
    "/b": {
      "mcpServers": {
        "db": { "command": "node", "args": ["b.js"] },
        "docs": { "type": "http", "url": "https://b.example/mcp" },
        "same": { "command": "node", "args": ["same.js"] }
      },
      "history": []
    }
  }
}
`
const WITHOUT_USER = PROJECTS.replace(/^ {2}"mcpServers": \{\n.*\n.*\n {2}\},\n/m, '')

describe('servers of one name in several projects', () => {
  test.each([
    ['with the servers of the user', PROJECTS],
    ['without', WITHOUT_USER],
  ])('stay as they are if nothing changed, %s', (_, text) => {
    expect(into(text, serversIn(text))).toBe(text)
    expect(into(text, serversIn(text).map(withoutProject))).toBe(text)
    expect(into(text, serversIn(text).toReversed())).toBe(text)
    for (const server of serversIn(text)) {
      expect(into(text, [server])).toBe(text)
      expect(into(text, [withoutProject(server)])).toBe(text)
    }
  })

  test.each([PROJECTS, WITHOUT_USER])('change where the changed one is, and nowhere else', (text) => {
    for (const [scope, file] of [[undefined, 'user.js'], ['/a', 'a.js'], ['/b', 'b.js']] as const) {
      const server = serversIn(text).find(({ name, project }) => name === 'db' && project === scope)
      if (!server) continue
      const change = { gone: [expect.stringContaining(file)], added: [expect.stringContaining('"new.js"')] }
      const changed = withArgument(server, 'new.js')
      expect(difference(text, into(text, [changed]))).toEqual(change)
      // A command has the folder of its project, so the project itself needn't be known.
      expect(into(text, [withoutProject(changed)])).toBe(into(text, [changed]))
      const all = serversIn(text).map((one) => (one.name === 'db' && one.project === scope ? changed : one))
      expect(into(text, all)).toBe(into(text, [changed]))
      expect(into(text, all.map(withoutProject))).toBe(into(text, [changed]))
    }
  }) // prettier-ignore

  test('have URLs that change in their project', () => {
    for (const [index, scope] of [undefined, '/a', '/b'].entries()) {
      const changed = serversIn(PROJECTS).map((one) =>
        one.name === 'docs' && one.project === scope ? withUrl(one, 'https://new.example/mcp') : one,
      )
      const merged = into(PROJECTS, changed)
      expect(difference(PROJECTS, merged)).toEqual({
        gone: [expect.stringContaining(`https://${['user', 'a', 'b'][index]}.example/mcp`)],
        added: [expect.stringContaining('https://new.example/mcp')],
      })
      // Alone, and with the others, which are recognized by their URLs.
      expect(into(PROJECTS, [changed.find(({ target }) => target.kind === 'url' && target.url.includes('new'))!])).toBe(merged) // prettier-ignore
      expect(into(PROJECTS, changed.map(withoutProject))).toBe(merged)
    }
  })

  test('are the only one of its project with the folder that it is started in', () => {
    const [same] = serversIn(PROJECTS).filter(({ name }) => name === 'same')
    const elsewhere = { ...withoutProject(same!), target: { ...same!.target, cwd: '/c' } as Target }
    const merged = into(PROJECTS, [elsewhere])
    expect(difference(PROJECTS, merged).added.join(' ')).toContain('"same": {')
    expect(serversIn(merged).filter(({ name }) => name === 'same').map(({ project }) => project)).toEqual([undefined, '/a', '/b']) // prettier-ignore
  })
})

const LISTS = [
  `{
  "mcpServers": [
    // mine
    { "name": "db", "command": "node", "args": ["db.js"], "autoStart": true },
    { "name": "docs", "url": "https://e.com/mcp" } // last
  ],
  "theme": "dark"
}
`,
  `[
  { "id": "db", "command": "node", "args": ["db.js"] },
  { "id": "docs", "url": "https://e.com/mcp" },
  { "id": "docs", "url": "https://f.com/mcp" }
]
`,
  '{"servers": [{"command": "node", "args": ["db.js"]}, {"command": "node", "args": ["two.js"]}]}',
]

describe('an array of servers', () => {
  test.each(LISTS)('stays as it is if nothing changed: %s', (text) => {
    const client = text.startsWith('{"servers"') ? 'vscode' : 'cursor'
    expect(mergeInto(client, text, serversIn(text), 'references').text).toBe(text)
    const named = serversIn(text).map((server, at) => ({ ...server, name: server.name || `named here ${at}` }))
    expect(mergeInto(client, text, named, 'references').text).toBe(text)
  })

  test.each(LISTS)('has the change in its element: %s', (text) => {
    const client = text.startsWith('{"servers"') ? 'vscode' : 'cursor'
    const servers = serversIn(text)
    const changed = servers.with(0, withArgument(servers[0]!, 'new.js'))
    expect(mergeInto(client, text, changed, 'references').text).toBe(text.replace('db.js', 'new.js'))
  })

  test.each(LISTS)('gets a new server as its last element: %s', (text) => {
    const client = text.startsWith('{"servers"') ? 'vscode' : 'cursor'
    const target: Target = { kind: 'command', command: 'uvx', args: ['a'], env: { A_KEY: 'x' } }
    const fresh = ['one', 'two'].map((name) => ({ name, target, settings: {} }))
    const merged = mergeInto(client, text, fresh, 'references').text
    expect(serversIn(merged).map(({ name }) => name)).toEqual([...serversIn(text).map(({ name }) => name), 'one', 'two']) // prettier-ignore
    const { gone } = difference(text, merged)
    expect(gone.filter((line) => !merged.includes(line.replace(/( \/\/.*)?$/, ',$1')) && !text.startsWith('{"servers"'))).toEqual([]) // prettier-ignore
    expect(merged).toContain(text.startsWith('[') ? '"id": "one"' : '"name": "one"')
    // And once only.
    expect(mergeInto(client, merged, fresh, 'references').text).toBe(merged)
  })

  test('of anything else is no configuration', () => {
    for (const text of ['[1]', '[{}]', '[{"command": "a"}, 2]'])
      expect(() => mergeInto('cursor', text, [], 'written')).toThrow(MergeError)
  })
})
