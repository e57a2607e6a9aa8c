import { afterEach, describe, expect, inject, test } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import { Projection, Session, StreamableHttpTransport, Trace, exchanges } from '../../mcp/index.ts'
import type { Exchanges, Fold } from '../../mcp/index.ts'
import { followListing } from '../lists/list-pages.ts'
import { outcomeOf, readsFold, rereadOnUpdate } from './reads.ts'
import { RESOURCES, resourcesFold, TEMPLATES, templatesFold } from './resources-fold.ts'
import { canSubscribe, lostOf, subscribe, unsubscribe, updatesFold } from './subscriptions.ts'
import { expand, readTemplate } from './uri-template.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))))

const link = 'a'
/** A resource of the versed servers, changed by their tool `touch`. */
const COUNTER = 'mem://counter'

const connect = async (url: string, trace = new Trace()) => {
  const transport = new StreamableHttpTransport({ url })
  const session = new Session({ trace, link, transport, clientInfo: { name: 'test', version: '1' } })
  const projections = new Map<Fold<unknown>, Projection<unknown>>()
  const state = <State>(fold: Fold<State>): Projection<State> => {
    let projection = projections.get(fold)
    if (!projection) projections.set(fold, (projection = new Projection(trace, fold)))
    return projection as Projection<State>
  }
  state(updatesFold)
  await session.open()
  ends.push(() => session.close())
  const books: Exchanges = state(exchanges).current
  const watched = (uri: string) => state(updatesFold).current.get(link)?.watched.get(uri)
  const touch = () => session.request('tools/call', { name: 'touch', arguments: {} })
  const reads = (uri: string) =>
    (state(readsFold).current.get(link)?.get(uri) ?? []).map((rounds) => outcomeOf(rounds, books, trace)!)
  return { trace, session, state, watched, touch, reads }
}

describe.each([
  ['2025-11-25', () => `${inject('versedUrl')}/v1/2025-11-25/resources`],
  ['2024-11-05', () => `${inject('versedUrl')}/v1/2024-11-05/resources`],
  ['2026-07-28', () => `${inject('versedUrl')}/v2/resources`],
] as const)('a server of %s', (revision, url) => {
  test('is listed, read, subscribed to, heard of and left, all in the same words (SF-RES-07, SF-RES-09)', async () => {
    const { session, state, watched, touch, reads } = await connect(url())
    expect(session.peer?.revision).toBe(revision)
    expect(canSubscribe(session.peer!)).toBe(true)
    followListing(session, RESOURCES, state(resourcesFold))
    const [item] = await eventually(() => {
      const list = state(resourcesFold).current.get(link)
      expect(list?.state).toBe('ready')
      return list!.items
    })
    const uri = item!.uri!
    await session.request('resources/read', { uri })
    expect(reads(uri)[0]).toMatchObject({ exchange: { status: 'ok' }, result: { contents: [{ uri }] } })

    subscribe(session, [uri])
    await eventually(() => expect(watched(uri)?.status).toBe('on'))
    await touch()
    await eventually(() => expect(watched(uri)).toMatchObject({ heard: 1, last: { uri } }))

    unsubscribe(session, uri)
    await eventually(() => expect(watched(uri)?.status).toBe('off'))
    await touch()
    await session.ping()
    expect(watched(uri)?.heard).toBe(1)
    const sent = new Set(state(exchanges).current.all.map(({ method }) => method))
    const [asks, listens] = [sent.has('resources/subscribe'), sent.has('subscriptions/listen')]
    expect([asks, listens]).toEqual(session.peer?.era === 'stateless' ? [false, true] : [true, false])
  })

  test('is asked for another resource beside the first without losing that one (SUB-11)', async () => {
    const { session, watched, touch } = await connect(`${url()}-two`)
    subscribe(session, ['x://first'])
    await eventually(() => expect(watched('x://first')?.status).toBe('on'))
    subscribe(session, [COUNTER])
    expect(watched('x://first')?.status).toBe('on')
    await eventually(() => expect(watched(COUNTER)?.status).toBe('on'))
    await touch()
    await eventually(() => expect(watched(COUNTER)?.heard).toBe(1))
    expect([watched('x://first')?.status, watched('x://first')?.heard]).toEqual(['on', 0])
    if (session.peer?.era !== 'stateless') return
    await eventually(() =>
      expect(session.subscriptions.filter((one) => 'resourceSubscriptions' in one.filter)).toHaveLength(1),
    )
  })

  test('that is connected to again is subscribed to again only as far as its user had it', async () => {
    const first = await connect(`${url()}-again`)
    subscribe(first.session, [COUNTER, 'x://left'])
    await eventually(() => expect(first.watched('x://left')?.status).toBe('on'))
    unsubscribe(first.session, 'x://left')
    await eventually(() => expect(first.watched('x://left')?.status).toBe('off'))
    await first.session.close()
    const lost = lostOf(first.state(updatesFold).current.get(link))
    expect(lost).toEqual([COUNTER])

    const second = await connect(`${url()}-again`, first.trace)
    subscribe(second.session, lost)
    await eventually(() => expect(second.watched(COUNTER)?.status).toBe('on'))
    await second.touch()
    await eventually(() => expect(second.watched(COUNTER)?.heard).toBe(1))
  })

  test('is read again when it says that something changed', async () => {
    const { session, trace, state, watched, touch, reads } = await connect(`${url()}-reread`)
    const read = () => session.request('resources/read', { uri: COUNTER })
    await read()
    const stop = rereadOnUpdate({ trace, link, updates: state(updatesFold), uri: COUNTER, read })
    subscribe(session, [COUNTER])
    await eventually(() => expect(watched(COUNTER)?.status).toBe('on'))
    await touch()
    await eventually(() => expect(reads(COUNTER)).toHaveLength(2))
    await eventually(() => expect(reads(COUNTER)[1]?.exchange.status).toBe('ok'))
    const [before, after] = reads(COUNTER).map(({ result }) => JSON.stringify(result))
    expect(after).not.toBe(before)
    stop()
  })
})

test('server-everything: lists, templates, a read by template, and an update that comes by itself', async () => {
  const { session, state, watched, reads } = await connect(inject('everythingUrl'))
  followListing(session, RESOURCES, state(resourcesFold))
  followListing(session, TEMPLATES, state(templatesFold))
  await eventually(() => {
    expect(state(resourcesFold).current.get(link)?.items.length).toBeGreaterThan(0)
    expect(state(templatesFold).current.get(link)?.items.length).toBeGreaterThan(0)
  })
  const template = state(templatesFold)
    .current.get(link)!
    .items.find(({ uri }) => uri?.includes('text'))!
  const reading = readTemplate(template.uri!)
  if (!reading.ok) throw new Error(reading.fault.code)
  const [variable] = reading.template.variables
  const uri = expand(reading.template, { [variable!.name]: '7' })
  await session.request('resources/read', { uri })
  expect(reads(uri)[0]?.result?.contents).toMatchObject([{ uri, mimeType: 'text/plain' }])
  await expect(session.request('resources/read', { uri: 'demo://nowhere' })).rejects.toMatchObject({
    code: expect.any(Number) as number,
  })
  expect(reads('demo://nowhere')[0]?.error).toBeDefined()

  subscribe(session, [uri])
  await eventually(() => expect(watched(uri)?.status).toBe('on'))
  await session.request('tools/call', { name: 'toggle-subscriber-updates', arguments: {} })
  await eventually(() => expect(watched(uri)?.heard).toBeGreaterThan(0))
})
