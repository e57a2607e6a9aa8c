import { expect, test } from 'vitest'
import { foldAll, Trace, type Json } from '../../mcp/index.ts'
import { listChangedFold } from './list-changed-fold.ts'

test('each word that the list changed is remembered with its frame, for each connection apart (CF-ROOT-03)', () => {
  const trace = new Trace()
  const add = (direction: 'sent' | 'received', link: string, message: Json) =>
    trace.append({ kind: 'message', direction, type: 'notification', message, size: 1, link })
  const changed = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }
  add('sent', 'a', changed)
  add('received', 'a', changed)
  add('sent', 'a', { jsonrpc: '2.0', method: 'notifications/initialized' })
  add('sent', 'b', [changed])
  add('sent', 'a', changed)
  const told = foldAll(listChangedFold, trace)
  expect([...told].map(([link, words]) => [link, words.map(({ seq }) => seq)])).toEqual([
    ['a', [0, 4]],
    ['b', [3]],
  ])
})
