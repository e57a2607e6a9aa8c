import { expect, test } from 'vitest'
import { foldAll, Trace, type Json, type JsonObject } from '../../mcp/index.ts'
import { requiredVisits, visitsFold } from './folds.ts'

const told = (...messages: Json[]) => {
  const trace = new Trace()
  for (const message of messages)
    trace.append({ kind: 'message', direction: 'received', type: 'notification', message, size: 1, link: 'a' })
  return foldAll(visitsFold, trace).get('a')
}
const asks = (elicitationId: Json, mode = 'url'): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'elicitation/create',
  params: { mode, message: 'x', url: 'https://a.example', elicitationId },
})
const done = (elicitationId?: Json): JsonObject => ({
  jsonrpc: '2.0',
  method: 'notifications/elicitation/complete',
  params: elicitationId === undefined ? {} : { elicitationId },
})

test('a completion is told apart by its id; unknown ids, the second time and no id are ignored (CF-URL-05)', () => {
  const visits = told(asks('1'), asks('2'), done('1'), done('3'), done('1'), done(), done(7))!
  expect(visits.byId.get('1')).toMatchObject({ seq: 2 })
  expect(visits.byId.has('2')).toBe(true)
  expect(visits.byId.get('2')).toBeUndefined()
  expect(visits.ignored.map(({ seq, why }) => [seq, why])).toEqual([
    [3, 'unknown'],
    [4, 'again'],
    [5, 'no-id'],
    [6, 'no-id'],
  ])
})

test('an id that was named by -32042 alone is known too, in a batch as well (BP-34)', () => {
  const data = { elicitations: [{ mode: 'url', url: 'https://a.example', message: 'x', elicitationId: '9' }] }
  const error = { jsonrpc: '2.0', id: 1, error: { code: -32042, message: 'x', data } }
  const visits = told([error, done('9')])!
  expect(visits.byId.get('9')).toMatchObject({ seq: 0 })
  expect(visits.ignored).toEqual([])
})

test('a form has no id to be completed by', () => {
  expect(told(asks('1', 'form'), done('1'))!.ignored).toHaveLength(1)
})

test('each elicitation of -32042 is shown with what is wrong with it, whatever stands there (BP-34)', () => {
  const elicitations: Json = [{ mode: 'url', url: 'u', elicitationId: '1' }, { mode: 'form' }, 7]
  expect(requiredVisits({ elicitations }).map(({ faults }) => faults)).toEqual([
    [],
    ['not-url', 'no-id'],
    ['not-object'],
  ])
  const senseless: (Json | undefined)[] = [undefined, null, 7, {}, { elicitations: {} }]
  expect(senseless.flatMap((data) => requiredVisits(data))).toEqual([])
})
