import { expect, test } from 'vitest'
import type { ClientId } from '../../../../proxy/wire.ts'
import { CLIENT_NAMES } from '../clients.ts'
import type { ExportedServer } from './client-entry.ts'
import { mergeInto } from './merge.ts'

const SECRET = 'Zx81qLmN0pQrS7tUvW'
const CLIENTS = Object.keys(CLIENT_NAMES) as ClientId[]

test.each(CLIENTS)('an export for %s has no reference that two servers share, whatever their names', (client) => {
  for (const names of [
    ['my docs', 'my-docs'],
    ['docs', 'docs', 'docs_2'],
    ['文档', '服务'],
    ['', ''],
  ]) {
    const servers = names.map((name, at): ExportedServer => ({
      name,
      target: {
        kind: 'url',
        url: `https://e${at}.test/mcp?api_key=${SECRET}${at}`,
        headers: [['Authorization', `${at}`]],
      },
      settings: {},
    }))
    const { text } = mergeInto(client, '', servers, 'references')
    // Exported again, it stays as it is.
    expect(mergeInto(client, text, servers, 'references').text).toBe(text)
    const keys = text.match(/[\w-]*api[_-]key[_\w-]*(?=[}>])/gi)
    expect(new Set(keys).size).toBe(names.length)
  }
  const commands = ['a', 'b'].map((name): ExportedServer => ({
    name,
    target: { kind: 'command', command: name, args: ['--token', SECRET + name], env: {} },
    settings: {},
  }))
  expect(new Set(mergeInto(client, '', commands, 'references').text.match(/token[_-]?\d?(?=[}>])/gi)).size).toBe(2)
})
