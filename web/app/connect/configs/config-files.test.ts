import { expect, test } from 'vitest'
import { configFileOf, sortFiles, understandFile } from './config-files.ts'

const file = (name: string, text: string) => new File([text], name)
const cursor = file('mcp.json', '{ "mcpServers": { "docs": { "url": "https://a.example/mcp" } } }')
const codex = file('config.toml', '[mcp_servers.files]\ncommand = "node"\n[mcp_servers.docs]\ncommand = "deno"\n')

test('all of several dropped configurations are read, in their order; other files are left for others', async () => {
  const recording = file('session.json', '{ "log": { "entries": [] } }')
  const { config, others } = await sortFiles([cursor, recording, codex])
  expect(others).toEqual([recording])
  expect(config?.name).toBe('mcp.json, config.toml')
  const understood = understandFile(config!)
  expect(understood).toMatchObject({ kind: 'servers' })
  expect(understood.kind === 'servers' && understood.servers.map(({ name, target }) => [name, target?.kind])).toEqual([
    ['docs', 'url'],
    ['files', 'command'],
    ['docs', 'command'],
  ])
  expect(await sortFiles([recording])).toEqual({ config: undefined, others: [recording] })
})

test('a broken file among several is listed with its name, and the servers of the others stay', async () => {
  const broken = file('settings.json', '{ "mcpServers": { "a": }')
  for (const files of [
    [broken, cursor],
    [cursor, broken],
  ]) {
    const understood = understandFile((await configFileOf(files))!)
    expect(understood.kind === 'servers' && understood.servers.map(({ name, problem }) => [name, problem])).toEqual(
      files.map((each) => (each === broken ? ['settings.json', 'unreadable'] : ['docs', undefined])),
    )
  }
  // Alone, it says where it is broken.
  expect(understandFile((await configFileOf([broken]))!)).toMatchObject({ kind: 'problem', cause: 'json' })
  expect(understandFile((await configFileOf([broken, broken]))!)).toMatchObject({ kind: 'problem', cause: 'json' })
  expect(await configFileOf([])).toBeUndefined()
})
