import { expect, test } from 'vitest'
import type { ClientId } from '../../../../proxy/wire.ts'
import { CLIENT_NAMES } from '../clients.ts'
import { readConfig } from '../configs/read-config.ts'
import { FORMATS } from './client-formats.ts'
import type { ExportedServer } from './client-entry.ts'
import { mergeInto } from './merge.ts'

/** Names that every object has as members. */
const NAMES = ['__proto__', 'constructor', 'toString', 'files']

const processesIn = (text: string) => {
  const read = readConfig(text)
  const servers = read.kind === 'servers' ? read.servers : []
  return servers.map(({ name, target }) => ({
    name,
    line: target?.kind === 'command' && [target.command, ...target.args],
  }))
}

test.each(Object.keys(CLIENT_NAMES) as ClientId[])('%s: every server of a group is exported, whatever its name', (client) => {
  const named = (name: string, command = 'npx'): ExportedServer => ({ name, target: { kind: 'command', command, args: [name], env: {} }, settings: {} })
  const servers = NAMES.map((name) => named(name))
  const { text } = mergeInto(client, '', servers, 'written')
  expect(processesIn(text).map(({ line }) => line)).toEqual(NAMES.map((name) => ['npx', name]))
  if (!FORMATS[client].plainNames) expect(processesIn(text).map(({ name }) => name)).toEqual(NAMES)
  expect(mergeInto(client, text, servers, 'written').text).toBe(text)
}) // prettier-ignore
