import { afterEach, expect, inject, test } from 'vitest'
import { exchanges, Projection, Session, StreamableHttpTransport, Trace } from '../../mcp/index.ts'
import { contextBlock } from './context-block.ts'
import { framesOf, itemOf, sourcesOf } from './sources.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))))

test('a resource is that of its last read that succeeded, and a prompt that of its request, as the server sent them', async () => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url: `${inject('richUrl')}/v1/sources` })
  const session = new Session({ trace, link: 'a', transport, clientInfo: { name: 'test', version: '1' } })
  await session.open()
  ends.push(() => session.close())
  const all = new Projection(trace, exchanges).current
  const frameAt = (seq: number) => trace.at(seq)
  const uris = new Set(['rich://data.json', 'rich://none', 'rich://unread'])
  const sources = (results: ReadonlySet<number> = new Set()) => sourcesOf(all, 'a', uris, results)

  await session.request('resources/read', { uri: 'rich://data.json' })
  const read = sources()[0]?.exchange?.request
  await expect(session.request('resources/read', { uri: 'rich://none' })).rejects.toThrow()
  const call = session.call('prompts/get', { name: 'review', arguments: { language: 'c' } })
  await call.result

  const found = sources(new Set([call.seq!]))
  expect(found.map(({ id, exchange }) => [id, exchange?.status])).toEqual([
    ['resource rich://data.json', 'ok'],
    ['resource rich://none', 'error'],
    ['resource rich://unread', undefined],
    [`prompt ${call.seq}`, 'ok'],
  ])
  expect(framesOf(found, frameAt)).toHaveLength(4)
  expect(found[0]?.exchange?.request).toBe(read)
  const items = found.map((source) => itemOf(source, frameAt))
  expect(items.map((item) => item?.kind)).toEqual(['resource', undefined, undefined, 'prompt'])
  expect(
    contextBlock(
      items.filter((item) => item !== undefined),
      new Set(),
    ),
  ).toBe(
    'Resource: rich://data.json\nMIME type: application/json\n\n```\n{"a":[1,2,{"b":null}],"big":12345678901234567890}\n```\n\n' +
      'Prompt: review\nArguments: {"language":"c"}\n\nRole: user\n\n```\nReview this c\n```\n',
  )
  expect(sourcesOf(all, 'b', uris).every(({ exchange }) => exchange === undefined)).toBe(true)
})
