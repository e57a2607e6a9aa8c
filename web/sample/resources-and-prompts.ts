/** The sample server's features besides tools: resources, a template, prompts, and completions. The same every time. */
import { percentDecoded } from '../json/index.ts'
import { isObject } from '../mcp/index.ts'
import type { Json, JsonObject, Revision } from '../mcp/index.ts'
import { type SampleData, TABLES } from './data.ts'
import { picture, sound } from './media.ts'
import { text } from './tool.ts'

/** Changes with the tool `count-visit`. */
export const VISITS = 'sample://visits'

const README = `# The sample server

It lives **in this page**, and what you read came over the same protocol as from any other server.

- \`sample://notes/{shelf}/{title}\` is a template: its values complete
- subscribe to \`${VISITS}\`, then run the tool \`count-visit\`
`

const RESOURCES: readonly JsonObject[] = [
  {
    uri: 'sample://readme',
    name: 'readme',
    title: 'Read me',
    description: 'What there is to try',
    mimeType: 'text/markdown',
    size: README.length,
    annotations: { audience: ['user'], priority: 1 },
  },
  { uri: 'sample://tides.json', name: 'tides', mimeType: 'application/json' },
  { uri: 'sample://harbour', name: 'harbour', description: 'A picture', mimeType: 'image/png' },
  { uri: 'sample://horn', name: 'horn', description: 'A sound', mimeType: 'audio/wav' },
  {
    uri: 'sample://tables',
    name: 'tables',
    title: 'Tables of the database',
    description: 'Columns and numbers of rows, for the tool query',
    mimeType: 'application/json',
  },
  {
    uri: 'sample://orders',
    name: 'orders',
    title: 'Orders of the REST API',
    description: 'GET /orders: all orders, as cancel-order left them',
    mimeType: 'application/json',
  },
  { uri: VISITS, name: 'visits', description: 'Counts with count-visit', mimeType: 'text/plain' },
]

const TEMPLATES: readonly JsonObject[] = [
  {
    uriTemplate: 'sample://notes/{shelf}/{title}',
    name: 'note',
    title: 'A note',
    description: 'Which titles there are depends on the shelf',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'sample://objects/{key}',
    name: 'object',
    title: 'An object of the store',
    description: 'What put-object stored',
  },
  {
    uriTemplate: 'sample://orders/{id}',
    name: 'order',
    title: 'An order of the REST API',
    description: 'GET /orders/{id}. An unknown number is a resource that does not exist.',
    mimeType: 'application/json',
  },
]

const NOTES: Readonly<Record<string, readonly string[]>> = {
  harbour: ['boats', 'bridges'],
  sea: ['currents', 'storms', 'tides'],
}

const PROMPTS: readonly JsonObject[] = [
  {
    name: 'explain',
    title: 'Explain a word',
    description: 'For somebody who has never heard it',
    arguments: [
      { name: 'word', description: 'What to explain', required: true },
      { name: 'tone', description: 'How to say it' },
    ],
  },
  { name: 'look', title: 'Look at a picture', description: 'A conversation with a picture in it' },
]

const TONES = ['dry', 'friendly', 'poetic', 'short']
const WORDS = ['ballast', 'buoy', 'knot', 'periscope', 'tide']

/** Omits items that the protocol version doesn't have yet. */
const since = (items: readonly JsonObject[], revision: Revision): readonly JsonObject[] =>
  revision >= '2025-06-18' ? items : items.map(({ title: _, size: __, ...older }) => older)

export const resourcesFor = (revision: Revision): JsonObject => ({ resources: since(RESOURCES, revision) })
export const templatesFor = (revision: Revision): JsonObject => ({ resourceTemplates: since(TEMPLATES, revision) })
export const promptsFor = (revision: Revision): JsonObject => ({ prompts: since(PROMPTS, revision) })

/** What resources show of a connection. */
interface ServerState {
  readonly visits: number
  readonly data: SampleData
}

const tables = (): JsonObject =>
  Object.fromEntries(
    Object.entries(TABLES).map(([name, rows]) => [name, { columns: Object.keys(rows[0]!), rows: rows.length }]),
  )

/** @returns `undefined` if there is no such resource */
export const read = (uri: Json | undefined, { visits, data }: ServerState): JsonObject | undefined => {
  const contents = (content: JsonObject): JsonObject => ({ contents: [{ uri: uri!, ...content }] })
  switch (uri) {
    case 'sample://readme':
      return contents({ mimeType: 'text/markdown', text: README })
    case 'sample://tides.json':
      return contents({ mimeType: 'application/json', text: JSON.stringify({ high: ['03:12', '15:40'], unit: 'm' }) })
    case 'sample://harbour':
      return contents({ mimeType: 'image/png', blob: picture('forest') })
    case 'sample://horn':
      return contents({ mimeType: 'audio/wav', blob: sound(220) })
    case 'sample://tables':
      return contents({ mimeType: 'application/json', text: JSON.stringify(tables(), null, 2) })
    case 'sample://orders':
      return contents({ mimeType: 'application/json', text: JSON.stringify(data.orders, null, 2) })
    case VISITS:
      return contents({ mimeType: 'text/plain', text: String(visits) })
    default: {
      const [, id] = typeof uri === 'string' ? (/^sample:\/\/orders\/(\d+)$/.exec(uri) ?? []) : []
      const order = id === undefined ? undefined : data.orders.find((each) => each.id === Number(id))
      if (order) return contents({ mimeType: 'application/json', text: JSON.stringify(order, null, 2) })
      const [, key] = typeof uri === 'string' ? (/^sample:\/\/objects\/([^/]+)$/.exec(uri) ?? []) : []
      const object = key === undefined ? undefined : data.objects.get(percentDecoded(key))
      if (object) return contents({ mimeType: object.mimeType, text: object.content })
      const note = typeof uri === 'string' ? /^sample:\/\/notes\/([^/]+)\/([^/]+)$/.exec(uri) : null
      if (!note) return undefined
      const [shelf, title] = note.slice(1).map(percentDecoded)
      return contents({ mimeType: 'text/plain', text: `${title} stands on the shelf ${shelf}.` })
    }
  }
}

/** @returns `undefined` if there is no such prompt; a string with the reason if it can't be rendered */
export const prompt = (name: Json | undefined, given: Json | undefined): JsonObject | string | undefined => {
  const args = isObject(given) ? given : {}
  if (name === 'look') {
    return {
      messages: [
        { role: 'user', content: { type: 'image', data: picture('sunset'), mimeType: 'image/png' } },
        { role: 'user', content: text('What is on this picture?') },
        { role: 'assistant', content: text('A periscope above the waves, at sunset.') },
      ],
    }
  }
  if (name !== 'explain') return undefined
  if (typeof args.word !== 'string') return 'word must be a string'
  const tone = typeof args.tone === 'string' && args.tone !== '' ? `, in a ${args.tone} tone` : ''
  const words = `Explain “${args.word}” to somebody who has never heard it${tone}.`
  return { description: `Explains ${args.word}`, messages: [{ role: 'user', content: text(words) }] }
}

/** Values for an argument of a prompt or a template (SF-COMP). */
export const complete = (params: JsonObject, { objects, orders }: SampleData): JsonObject => {
  const argument = isObject(params.argument) ? params.argument : {}
  const context = isObject(params.context) && isObject(params.context.arguments) ? params.context.arguments : {}
  const begun = typeof argument.value === 'string' ? argument.value.toLowerCase() : ''
  const shelf = typeof context.shelf === 'string' && Object.hasOwn(NOTES, context.shelf) ? NOTES[context.shelf]! : []
  const all: readonly string[] =
    {
      word: WORDS,
      tone: TONES,
      shelf: Object.keys(NOTES),
      title: shelf,
      key: [...objects.keys()],
      id: orders.map(({ id }) => String(id)),
    }[typeof argument.name === 'string' ? argument.name : ''] ?? []
  const values = all.filter((value) => value.startsWith(begun))
  return { completion: { values, total: values.length, hasMore: false } }
}
