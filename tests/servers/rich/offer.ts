/**
 * What the rich servers offer and request, the same for both SDKs: every feature of the protocol once, with titles,
 * icons, annotations and `_meta` wherever a protocol version allows them.
 */
import { PALETTE_NAMES, picture, sound } from '../../../web/sample/media.ts'

/** State that outlives a request. */
export interface RichState {
  /** `touch` changes `rich://counter`. */
  counter: number
}

export const makeState = (): RichState => ({ counter: 0 })

export const COUNTER = 'rich://counter'
export const LOGGER = 'rich.log'
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

const icon = (color: string) => ({
  src: `data:image/svg+xml;base64,${Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${color}"/></svg>`,
  ).toString('base64')}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
})

export const INFO = {
  name: 'rich',
  title: 'Everything at once',
  version: '1.2.3',
  description: 'Offers and asks all that the protocol has',
  websiteUrl: 'https://example.com/rich',
  icons: [icon('#0b6e8f')],
}

export const INSTRUCTIONS =
  '# Rich\n\nIt **offers** and *asks* everything:\n\n- `ask-form` asks you\n- `ask-model` asks a model'

type SchemaNode = { [keyword: string]: string | number | boolean | string[] | SchemaNode }

const text: SchemaNode = { type: 'string' }
const object = (properties: { [name: string]: SchemaNode }, required: string[] = []) => ({
  type: 'object' as const,
  properties,
  required,
})
const none = object({})

/** A request for this many rows gets string ids, which violates the outputSchema. */
const UNLUCKY = 13

export const TOOLS = [
  {
    name: 'ask-form',
    title: 'Ask with a form',
    description: 'Asks with every field a form may have',
    inputSchema: none,
    annotations: { readOnlyHint: true },
    icons: [icon('#17733f')],
    _meta: { 'example.com/group': 'questions' },
  },
  { name: 'ask-url', title: 'Ask by address', description: 'Asks to visit a page', inputSchema: none },
  { name: 'ask-model', title: 'Ask the model', description: 'Asks for a completion', inputSchema: none },
  { name: 'ask-roots', title: 'Ask for roots', description: 'Asks which folders it may see', inputSchema: none },
  { name: 'ask-all', title: 'Ask all at once', description: 'Three questions at the same time', inputSchema: none },
  {
    name: 'log',
    title: 'Write to the log',
    description: 'A message of every level, with `text` in it',
    inputSchema: object({ text }, ['text']),
  },
  { name: 'contents', title: 'All contents', description: 'A block of every type', inputSchema: none },
  {
    name: 'rows',
    title: 'Rows',
    description: `Structured content that is a table; ${UNLUCKY} rows are not what the outputSchema promises`,
    inputSchema: object({ n: { type: 'integer', minimum: 0, maximum: 10_000 } }),
    outputSchema: object(
      {
        rows: {
          type: 'array',
          items: object({ id: { type: 'integer' }, name: text, open: { type: 'boolean' } }, ['id', 'name']),
        },
      },
      ['rows'],
    ),
    annotations: { readOnlyHint: true, idempotentHint: true },
  },
  { name: 'touch', title: 'Touch', description: `Changes ${COUNTER}`, inputSchema: none },
]

export const rowsOf = (n: number) => ({
  rows: Array.from({ length: n }, (_, at) => ({
    id: n === UNLUCKY ? `#${at}` : at + 1,
    name: `row ${at + 1}`,
    open: at % 2 === 0,
  })),
})

export const say = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

const PDF = Buffer.from(
  '%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
).toString('base64')

export const CONTENTS = [
  { type: 'text' as const, text: 'Plain words', annotations: { audience: ['user' as const], priority: 0.9 } },
  { type: 'image' as const, data: picture(PALETTE_NAMES[0]!), mimeType: 'image/png' },
  { type: 'audio' as const, data: sound(440), mimeType: 'audio/wav' },
  { type: 'resource_link' as const, uri: 'rich://readme', name: 'readme', title: 'Read me', mimeType: 'text/markdown' },
  {
    type: 'resource' as const,
    resource: { uri: 'rich://data.json', mimeType: 'application/json', text: '{"a":[1,2,{"b":null}]}' },
  },
]

const LISTED = [
  {
    uri: 'rich://readme',
    name: 'readme',
    title: 'Read me',
    description: 'Markdown',
    mimeType: 'text/markdown',
    size: 48,
    icons: [icon('#b3261e')],
    annotations: {
      audience: ['user' as const, 'assistant' as const],
      priority: 1,
      lastModified: '2026-01-12T15:00:58Z',
    },
    _meta: { 'example.com/kind': 'note' },
  },
  { uri: 'rich://data.json', name: 'data', mimeType: 'application/json' },
  { uri: 'rich://picture', name: 'picture', mimeType: 'image/png' },
  { uri: 'rich://sound', name: 'sound', mimeType: 'audio/wav' },
  { uri: 'rich://paper.pdf', name: 'paper', mimeType: 'application/pdf' },
  { uri: 'rich://bytes', name: 'bytes', mimeType: 'application/octet-stream' },
  { uri: 'rich://wrong-type', name: 'wrong type', description: 'Says PNG and is PDF', mimeType: 'image/png' },
  { uri: 'rich://folder', name: 'folder', description: 'Several contents at once' },
  { uri: COUNTER, name: 'counter', description: 'Changes with the tool touch', mimeType: 'text/plain' },
]

/** Resources are paginated, so that clients must request all pages. */
const PAGE = 4

/** @throws {RangeError} for a cursor that was never issued */
export const resourcesPage = (cursor: string | undefined) => {
  const start = cursor === undefined ? 0 : Number(/^from (\d+)$/.exec(cursor)?.[1])
  if (!(start >= 0 && start < LISTED.length)) throw new RangeError(`No cursor ${cursor}`)
  const end = start + PAGE
  return { resources: LISTED.slice(start, end), ...(end < LISTED.length ? { nextCursor: `from ${end}` } : {}) }
}

export const TEMPLATES = [
  {
    uriTemplate: 'rich://notes/{folder}/{name}',
    name: 'note',
    title: 'A note',
    description: 'Names depend on the folder',
    mimeType: 'text/plain',
  },
]

/** @returns `undefined` if there is no such resource */
export const contentsOf = (uri: string, { counter }: RichState) => {
  const note = /^rich:\/\/notes\/([^/]+)\/([^/]+)$/.exec(uri)
  if (note) return [{ uri, mimeType: 'text/plain', text: `${note[2]} in ${note[1]}` }]
  switch (uri) {
    case 'rich://readme':
      return [
        { uri, mimeType: 'text/markdown', text: '# Read me\n\nA [link](https://example.com) and **bold** words.' },
      ]
    case 'rich://data.json':
      return [{ uri, mimeType: 'application/json', text: '{"a":[1,2,{"b":null}],"big":12345678901234567890}' }]
    case 'rich://picture':
      return [{ uri, mimeType: 'image/png', blob: picture(PALETTE_NAMES[1]!) }]
    case 'rich://sound':
      return [{ uri, mimeType: 'audio/wav', blob: sound(660) }]
    case 'rich://paper.pdf':
      return [{ uri, mimeType: 'application/pdf', blob: PDF }]
    case 'rich://bytes':
      return [{ uri, mimeType: 'application/octet-stream', blob: Buffer.from([0, 1, 2, 250, 255]).toString('base64') }]
    case 'rich://wrong-type':
      return [{ uri, mimeType: 'image/png', blob: PDF }]
    case 'rich://folder':
      return [
        { uri: 'rich://folder/one', mimeType: 'text/plain', text: 'one' },
        { uri: 'rich://folder/two', mimeType: 'text/plain', text: 'two' },
      ]
    case COUNTER:
      return [{ uri, mimeType: 'text/plain', text: String(counter) }]
    default:
      return undefined
  }
}

export const PROMPTS = [
  {
    name: 'review',
    title: 'Review code',
    description: 'The style depends on the language',
    arguments: [
      { name: 'language', title: 'Language', description: 'What it is written in', required: true },
      { name: 'style', description: 'Of the review' },
    ],
    icons: [icon('#805ad5')],
  },
  { name: 'mixed', title: 'All contents', description: 'Messages of every type' },
]

/** @returns `undefined` if there is no such prompt */
export const promptOf = (name: string, args: Readonly<Record<string, string>>) => {
  if (name === 'review') {
    const words = `Review this ${args['language'] ?? '?'}${args['style'] === undefined ? '' : `, ${args['style']}`}`
    return {
      description: 'A review',
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: words } }],
    }
  }
  if (name !== 'mixed') return undefined
  const roles = ['user', 'assistant'] as const
  return { messages: CONTENTS.map((content, at) => ({ role: roles[at % 2]!, content })) }
}

const LANGUAGES = ['c', 'clojure', 'cobol', 'python', 'rust', 'typescript']
const STYLES: Readonly<Record<string, readonly string[]>> = { python: ['pythonic', 'typed'], rust: ['safe', 'fast'] }
const NOTES: Readonly<Record<string, readonly string[]>> = { work: ['plan', 'report'], home: ['garden'] }

/** Values for an argument; some depend on the other arguments (SF-COMP, `context.arguments`). */
export const completionOf = (
  reference: string,
  argument: { readonly name: string; readonly value: string },
  context: Readonly<Record<string, string>>,
) => {
  const all =
    argument.name === 'language'
      ? LANGUAGES
      : argument.name === 'style'
        ? (STYLES[context['language'] ?? ''] ?? [])
        : argument.name === 'folder'
          ? Object.keys(NOTES)
          : argument.name === 'name' && reference.startsWith('rich:')
            ? (NOTES[context['folder'] ?? ''] ?? [])
            : []
  const values = all.filter((value) => value.startsWith(argument.value))
  return { completion: { values: values.slice(0, 3), total: values.length, hasMore: values.length > 3 } }
}

/** The four requests for input. */
export const MODEL = {
  messages: [
    { role: 'user' as const, content: { type: 'text' as const, text: 'The capital of France?' } },
    { role: 'assistant' as const, content: { type: 'text' as const, text: 'Do you mean now?' } },
    { role: 'user' as const, content: { type: 'text' as const, text: 'Yes, now.' } },
  ],
  systemPrompt: 'You answer in one word.',
  modelPreferences: {
    hints: [{ name: 'small' }],
    costPriority: 0.2,
    speedPriority: 0.9,
    intelligencePriority: 0.4,
  },
  temperature: 0.3,
  maxTokens: 64,
  stopSequences: ['.'],
}

export const FORM = {
  message: 'Tell us about yourself',
  requestedSchema: {
    type: 'object' as const,
    properties: {
      name: { type: 'string' as const, title: 'Name', minLength: 2, maxLength: 40 },
      mail: { type: 'string' as const, title: 'Mail', format: 'email' as const },
      born: {
        type: 'string' as const,
        title: 'Born',
        description: 'See https://example.com/why-we-ask',
        format: 'date' as const,
      },
      age: { type: 'integer' as const, title: 'Age', minimum: 0, maximum: 150, default: 42 },
      share: { type: 'number' as const, title: 'Share', minimum: 0, maximum: 1 },
      news: { type: 'boolean' as const, title: 'News', default: true },
      size: { type: 'string' as const, title: 'Size', enum: ['s', 'm', 'l'], default: 'm' },
      colour: {
        type: 'string' as const,
        title: 'Colour',
        oneOf: [
          { const: '#f00', title: 'Red' },
          { const: '#0f0', title: 'Green' },
        ],
      },
      days: {
        type: 'array' as const,
        title: 'Days',
        minItems: 1,
        items: { type: 'string' as const, enum: ['mon', 'tue', 'wed'] },
        default: ['mon'],
      },
    },
    required: ['name'],
  },
}

export const ADDRESS = {
  message: 'Please sign in there',
  url: 'https://example.com/sign-in?next=rich',
}
