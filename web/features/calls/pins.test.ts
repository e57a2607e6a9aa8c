import { describe, expect, test } from 'vitest'
import type { Frame } from '../../mcp/index.ts'
import { argumentsOf, pinOf, Pins, type Pin } from './pins.ts'
import { stringify } from '../../json/index.ts'

const AT = { server: 'http://a.test/mcp', serverName: 'a' }
const MARK = '‹removed: token›'

const request = (method: string, params: string): Frame => {
  const raw = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
  return {
    kind: 'message',
    seq: 1,
    link: 's1',
    at: 0,
    direction: 'sent',
    message: JSON.parse(raw) as object,
    raw,
  } as unknown as Frame
}
const disk = (held: string | null = null) => {
  let text = held
  return {
    text: () => text,
    getItem: () => text,
    setItem: (_: string, value: string) => void (text = value),
    removeItem: () => void (text = null),
  }
}
const pin = (name: string, more: Partial<Pin> = {}): Pin => ({
  ...AT,
  kind: 'tool',
  name,
  args: '{}',
  dropped: [],
  ...more,
})

describe('a pinned call', () => {
  test('is made of a tool, a prompt or a resource with its arguments, with numbers as they were written', () => {
    const tool = pinOf(request('tools/call', '{"name":"sum","arguments":{"a":12345678901234567890,"b":1.0}}'), AT)!
    expect(tool).toMatchObject({ kind: 'tool', name: 'sum', dropped: [] })
    expect(stringify(argumentsOf(tool))).toBe('{"a":12345678901234567890,"b":1.0}')
    expect(pinOf(request('prompts/get', '{"name":"p","arguments":{"city":"Paris"}}'), AT)).toMatchObject({
      kind: 'prompt',
      args: '{"city":"Paris"}',
    })
    expect(pinOf(request('resources/read', '{"uri":"file:///a"}'), AT)).toMatchObject({
      kind: 'resource',
      name: 'file:///a',
    })
  })

  test('leaves out what redaction removed, and says where it was', () => {
    const params = `{"name":"t","arguments":{"token":"${MARK}","deep":{"list":["${MARK}","b"]},"city":"Paris"}}`
    expect(pinOf(request('tools/call', params), AT)).toMatchObject({
      args: '{"deep":{"list":[null,"b"]},"city":"Paris"}',
      dropped: ['/token', '/deep/list/0'],
    })
    expect(pinOf(request('resources/read', `{"uri":"https://x/?key=${MARK}"}`), AT)).toBeUndefined()
  })

  test('is not made of other messages, or of arguments that are too large', () => {
    expect(pinOf(undefined, AT)).toBeUndefined()
    expect(pinOf(request('tools/list', '{"name":"x"}'), AT)).toBeUndefined()
    expect(pinOf(request('tools/call', '{"arguments":{}}'), AT)).toBeUndefined()
    const large = `{"name":"t","arguments":{"a":"${'x'.repeat(60_000)}"}}`
    expect(pinOf(request('tools/call', large), AT)).toBeUndefined()
  })
})

describe('the pinned calls of this browser', () => {
  test('are listed latest first, each call once, and by server', () => {
    const pins = new Pins(disk())
    expect(pins.add(pin('one'))).toBe(true)
    pins.add(pin('two'))
    pins.add(pin('one'))
    pins.add(pin('one', { server: 'http://b.test/mcp' }))
    expect(pins.all.map(({ name, server }) => `${name} ${server}`)).toEqual([
      'one http://b.test/mcp',
      'one http://a.test/mcp',
      'two http://a.test/mcp',
    ])
    pins.remove(pin('one'))
    expect(pins.has(pin('one'))).toBe(false)
    expect(pins.has(pin('one', { server: 'http://b.test/mcp' }))).toBe(true)
  })

  test('are read as far as they are valid', () => {
    const stored = [pin('good'), { ...pin('bad'), kind: 'raw' }, { ...pin('bad'), args: 7 }, null, 'text']
    expect(new Pins(disk(JSON.stringify(stored))).all).toEqual([pin('good')])
    expect(new Pins(disk('{not json')).all).toEqual([])
    expect(argumentsOf(pin('x', { args: '{not json' }))).toEqual({})
  })

  test('are not pinned if the browser stores nothing', () => {
    const pins = new Pins({ getItem: () => null, setItem: () => {}, removeItem: () => {} })
    expect(pins.add(pin('one'))).toBe(false)
  })
})
