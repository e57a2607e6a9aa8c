/** The sample server's data sources: an object store, a REST API, a database and code execution. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { validator } from '../../tests/validator.ts'
import { featureRules } from '../features/lint-rules.ts'
import { deferredChecks, findings } from '../lint/index.ts'
import { shapes } from '../lint/shapes.ts'
import { levels, listed } from '../lint/talk.case.ts'
import { LoopbackTransport, Session, Trace, type Json, type JsonObject } from '../mcp/index.ts'
import { createSampleServer } from './server.ts'

const open = async (): Promise<Session> => {
  const session = new Session({
    trace: new Trace(),
    link: 'sample',
    transport: new LoopbackTransport(createSampleServer()),
    clientInfo: { name: 'test', version: '1' },
  })
  onTestFinished(() => session.close())
  await session.open()
  return session
}

const call = (session: Session, name: string, args: JsonObject = {}) =>
  session.request('tools/call', { name, arguments: args })

const valueOf = ({ structuredContent }: JsonObject) => structuredContent as JsonObject
const failureOf = ({ isError, content }: JsonObject): string =>
  isError === true ? (content as { text: string }[])[0]!.text : ''

describe('the object store', () => {
  test('returns what was put, as a tool and as a resource, until it is deleted', async () => {
    const session = await open()
    const content = 'a\n"b" <c> é'
    await call(session, 'put-object', { key: 'my/é key', content, mimeType: 'text/x-own' })
    const { objects } = valueOf(await call(session, 'list-objects', { prefix: 'my/' })) as { objects: JsonObject[] }
    expect(objects).toEqual([{ key: 'my/é key', size: content.length, mimeType: 'text/x-own', uri: expect.any(String) as Json }]) // prettier-ignore
    const { uri } = objects[0]!
    const resource = { uri, mimeType: 'text/x-own', text: content }
    expect((await call(session, 'get-object', { key: 'my/é key' })).content).toEqual([{ type: 'resource', resource }])
    expect((await session.request('resources/read', { uri: uri! })).contents).toEqual([resource])
    const { completion } = await session.request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'sample://objects/{key}' },
      argument: { name: 'key', value: 'my' },
    })
    expect(completion).toMatchObject({ values: ['my/é key'] })
    await call(session, 'delete-object', { key: 'my/é key' })
    expect(failureOf(await call(session, 'get-object', { key: 'my/é key' }))).toContain('no object')
    await expect(session.request('resources/read', { uri: uri! })).rejects.toMatchObject({ code: -32002 })
  })

  test('is full at some point, and each connection has its own', async () => {
    const [one, other] = [await open(), await open()]
    for (let at = 0; at < 197; at++) expect(failureOf(await call(one, 'put-object', { key: `k${at}`, content: '' }))).toBe('') // prettier-ignore
    expect(failureOf(await call(one, 'put-object', { key: 'one more', content: '' }))).toContain('full')
    expect(failureOf(await call(one, 'put-object', { key: 'k0', content: 'x'.repeat(20_001) }))).toContain('20000')
    expect((valueOf(await call(other, 'list-objects')).objects as Json[]).length).toBe(3)
  })
})

describe('the REST API', () => {
  test('comes in pages that together are all orders', async () => {
    const session = await open()
    const ids: Json[] = []
    for (let page: Json | undefined = 1; page !== undefined;) {
      const { orders, nextPage } = valueOf(await call(session, 'list-orders', { page, perPage: 10 }))
      ids.push(...(orders as JsonObject[]).map(({ id }) => id!))
      page = nextPage
    }
    expect(ids).toEqual(Array.from({ length: 23 }, (_, at) => at + 1))
    expect(failureOf(await call(session, 'list-orders', { page: 99 }))).toMatch(/^404 /)
  })

  test('reports status codes of failed requests as tool errors', async () => {
    const session = await open()
    expect(failureOf(await call(session, 'get-order', { id: 99 }))).toMatch(/^404 /)
    const { orders } = valueOf(await call(session, 'list-orders', { status: 'shipped' })) as { orders: JsonObject[] }
    expect(failureOf(await call(session, 'cancel-order', { id: orders[0]!.id! }))).toMatch(/^409 /)
    expect(valueOf(await call(session, 'cancel-order', { id: 1 }))).toMatchObject({ id: 1, status: 'cancelled' })
    expect(valueOf(await call(session, 'get-order', { id: 1 }))).toMatchObject({ status: 'cancelled' })
  })

  test('is a list and a template of resources, which show what its tools changed', async () => {
    const session = await open()
    const read = async (uri: string): Promise<Json> => {
      const { contents } = await session.request('resources/read', { uri })
      expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) as Json }])
      return JSON.parse((contents as { text: string }[])[0]!.text) as Json
    }
    const { resources } = await session.request('resources/list')
    expect((resources as JsonObject[]).map(({ uri }) => uri)).toContain('sample://orders')
    const { resourceTemplates } = await session.request('resources/templates/list')
    expect((resourceTemplates as JsonObject[]).map(({ uriTemplate }) => uriTemplate)).toContain('sample://orders/{id}')
    const { completion } = await session.request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'sample://orders/{id}' },
      argument: { name: 'id', value: '2' },
    })
    expect(completion).toMatchObject({ values: ['2', '20', '21', '22', '23'] })

    await call(session, 'cancel-order', { id: 2 })
    const orders = (await read('sample://orders')) as JsonObject[]
    expect(orders).toHaveLength(23)
    const order = valueOf(await call(session, 'get-order', { id: 2 }))
    expect(order.status).toBe('cancelled')
    expect([orders[1], await read('sample://orders/2')]).toEqual([order, order])
    for (const unknown of ['99', '0', '2x', ''])
      await expect(read(`sample://orders/${unknown}`), unknown).rejects.toMatchObject({ code: -32002 })
  })
})

describe('the database', () => {
  test.each<[string, Json]>([
    ["SELECT name FROM ships WHERE kind = 'sail' ORDER BY length DESC", [{ name: 'Gorch Fock' }, { name: 'Belem' }]],
    ['select COUNT(*) from voyages where days > 20 and days <= 61', [{ count: 3 }]],
    ["SELECT destination, days FROM voyages WHERE ship <> 'Nautilus' ORDER BY days LIMIT 1;", [{ destination: 'Mid-Atlantic Ridge', days: 9 }]], // prettier-ignore
    ["SELECT * FROM ships WHERE name = 'O''Brien'", []],
    ['SELECT id FROM ships LIMIT 0', []],
  ])('answers %s', async (sql, rows) => {
    expect(valueOf(await call(await open(), 'query', { sql }))).toEqual({ rows, count: (rows as Json[]).length })
  })

  test.each([
    ['DROP TABLE ships', 'Only SELECT'],
    ['SELECT * FROM ships; DELETE FROM ships', 'Unexpected DELETE'],
    ['SELECT * FROM constructor', 'no table constructor'],
    ['SELECT __proto__ FROM ships', 'not __proto__'],
    ["SELECT * FROM ships WHERE name = 'open", 'Unexpected'],
    ['SELECT * FROM ships WHERE', 'Expected a name instead of the end'],
    ['SELECT * FROM ships LIMIT -1', 'LIMIT'],
    ['', 'Only SELECT'],
  ])('refuses %s with a tool error', async (sql, why) => {
    expect(failureOf(await call(await open(), 'query', { sql }))).toContain(why)
  })
})

describe('code execution', () => {
  test.each<[string, number[]]>([
    ['1 + 2 * 3', [7]],
    ['-2 ^ 2\n2 ^ 3 ^ 2\n(1 + 2) * -3', [-4, 512, -9]],
    ['x = 3\nrepeat 4 x = x * 2\nsqrt(x + 1) # a comment\nmax(1, x, 2) % 5', [7, 3]],
    ['', []],
  ])('runs %j', async (program, output) => {
    expect(valueOf(await call(await open(), 'evaluate', { program }))).toMatchObject({ output })
  })

  test.each([
    ['repeat 99999999 x = 1', 'stopped after 10000 steps'],
    ['repeat 101 1', 'more than 100 results'],
    [`${'('.repeat(60)}1${')'.repeat(60)}`, 'nested too deeply'],
    [`${'-'.repeat(60)}1`, 'nested too deeply'],
    ['1 / 0', 'division by zero'],
    ['9 ^ 9 ^ 9', 'not a finite number'],
    ['fetch(1)', 'unknown function fetch'],
    ['constructor(1)', 'unknown function constructor'],
    ['a = 1\nb', 'Line 2: b has no value yet'],
    ['"x"', 'unexpected'],
  ])('stops %j with a tool error', async (program, why) => {
    expect(failureOf(await call(await open(), 'evaluate', { program }))).toContain(why)
  })
})

test('the lint finds nothing in what the data sources declare and send', async () => {
  const session = await open()
  for (let cursor: Json | undefined = ''; cursor !== undefined;)
    cursor = (await session.request('tools/list', cursor === '' ? {} : { cursor })).nextCursor
  for (const list of ['resources/list', 'resources/templates/list', 'prompts/list']) await session.request(list)
  for (const uri of ['sample://tables', 'sample://orders', 'sample://orders/2'])
    await session.request('resources/read', { uri })
  for (const [name, args] of Object.entries<JsonObject>({
    'put-object': { key: 'a', content: 'b' },
    'list-objects': {},
    'get-object': { key: 'a' },
    'delete-object': { key: 'a' },
    'list-orders': {},
    'get-order': { id: 2 },
    'cancel-order': { id: 2 },
    query: { sql: 'SELECT * FROM ships' },
    evaluate: { program: '1' },
  }))
    expect(failureOf(await call(session, name, args))).toBe('')
  const fold = findings({ levels, shapes, features: featureRules(validator) })
  const state = fold.initial()
  for (const frame of session.trace) {
    fold.step(state, frame)
    await deferredChecks(state)
  }
  expect(listed(state).map(({ rule, keyword, explanation }) => `${keyword} ${rule}: ${explanation}`)).toEqual([])
})
