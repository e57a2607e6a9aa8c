import { describe, expect, test } from 'vitest'
import { exchanges, type Exchanges, type Frame, type JsonObject } from '../../mcp/index.ts'
import { firstPlace } from './first-place.ts'

const message = (seq: number, direction: 'sent' | 'received', body: JsonObject): Frame => ({
  seq,
  at: seq,
  link: 's1',
  kind: 'message',
  direction,
  type: 'method' in body ? 'request' : 'result',
  message: { jsonrpc: '2.0', ...body },
  size: 0,
})

const ask = (seq: number, id: number, method: string, params: JsonObject = {}) =>
  message(seq, 'sent', { id, method, params })
const reply = (seq: number, id: number) => message(seq, 'received', { id, result: {} })

const folded = (...frames: Frame[]): Exchanges => {
  const state = exchanges.initial()
  for (const frame of frames) exchanges.step(state, frame)
  return state
}

describe('a recording opens where it tells most', () => {
  const list = [ask(0, 1, 'tools/list'), reply(1, 1)]

  test('a session opens at the first call that got a response', () => {
    const state = folded(
      ...list,
      ask(2, 2, 'tools/call', { name: 'slow' }),
      ask(3, 3, 'resources/read', { uri: 'file:///a b' }),
      reply(4, 3),
    )
    expect(firstPlace({}, state)).toEqual({ link: 's1', feature: 'resources', place: 'file:///a b' })
  })

  test('where no call got a response, at the first call; without a call, nowhere', () => {
    expect(firstPlace({}, folded(...list, ask(2, 2, 'prompts/get', { name: 'p' })))).toEqual({
      link: 's1',
      feature: 'prompts',
      place: 'p',
    })
    expect(firstPlace({}, folded(...list))).toBeUndefined()
    expect(firstPlace({ part: 'exchange' }, folded())).toBeUndefined()
  })

  test('a shared exchange opens at its call with its response selected; one without a tab opens Overview', () => {
    const call = folded(ask(0, 7, 'tools/call', { name: 'echo' }), reply(1, 7))
    expect(firstPlace({ part: 'exchange' }, call)).toEqual({ link: 's1', feature: 'tools', place: 'echo', frame: 1 })
    expect(firstPlace({ part: 'exchange' }, folded(...list))).toEqual({
      link: 's1',
      feature: 'overview',
      place: '',
      frame: 1,
    })
  })

  test('steps open in Checks', () => {
    const steps = folded(ask(0, 1, 'tools/call', { name: 'echo' }))
    expect(firstPlace({ part: 'steps' }, steps)).toEqual({ link: 's1', feature: 'checks', place: '' })
  })
})
