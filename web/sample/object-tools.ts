/** The sample server's object store: keys like paths, with a text behind each. */
import { answer, failure, stringOf, structured, text, type SampleTool } from './tool.ts'

/** Limits of the store, so that a loop can't fill the memory. */
const MOST_OBJECTS = 200
const LONGEST_KEY = 200
const LONGEST_CONTENT = 20_000

const KEY = {
  type: 'string',
  description: 'Like a path: charts/harbour.csv',
  minLength: 1,
  maxLength: LONGEST_KEY,
} as const

const uriOf = (key: string): string => `sample://objects/${encodeURIComponent(key)}`

const missing = (key: string) => failure(`There is no object with the key ${JSON.stringify(key)}.`)

const LISTED = {
  type: 'object',
  properties: {
    objects: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          key: { type: 'string' },
          size: { type: 'integer', description: 'Characters' },
          mimeType: { type: 'string' },
          uri: { type: 'string' },
        },
        required: ['key', 'size', 'mimeType', 'uri'],
      },
    },
  },
  required: ['objects'],
} as const

export const OBJECT_TOOLS: readonly SampleTool[] = [
  {
    declaration: {
      name: 'list-objects',
      title: 'List objects',
      description: 'Lists the objects of the store whose keys begin with a prefix.',
      inputSchema: {
        type: 'object',
        properties: { prefix: { type: 'string', description: 'Such as charts/', default: '' } },
      },
      outputSchema: LISTED,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    run: (call) => {
      const prefix = stringOf(call, 'prefix', '')
      const objects = [...call.data.objects]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, { content, mimeType }]) => ({ key, size: content.length, mimeType, uri: uriOf(key) }))
      return structured({ objects })
    },
  },
  {
    declaration: {
      name: 'get-object',
      title: 'Get an object',
      description: 'Returns the content of an object as an embedded resource.',
      inputSchema: { type: 'object', properties: { key: KEY }, required: ['key'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    run: (call) => {
      const key = stringOf(call, 'key')
      const found = call.data.objects.get(key)
      if (!found) return missing(key)
      return answer({ type: 'resource', resource: { uri: uriOf(key), mimeType: found.mimeType, text: found.content } })
    },
  },
  {
    declaration: {
      name: 'put-object',
      title: 'Put an object',
      description: 'Stores a text under a key, in place of what was there. Reloading the page empties the store.',
      inputSchema: {
        type: 'object',
        properties: {
          key: KEY,
          content: { type: 'string', maxLength: LONGEST_CONTENT },
          mimeType: { type: 'string', default: 'text/plain' },
        },
        required: ['key', 'content'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    run: (call) => {
      const [key, content] = [stringOf(call, 'key'), stringOf(call, 'content')]
      const { objects } = call.data
      if (key === '' || key.length > LONGEST_KEY) return failure(`A key has 1 to ${LONGEST_KEY} characters.`)
      if (content.length > LONGEST_CONTENT) return failure(`An object has ${LONGEST_CONTENT} characters at most.`)
      if (!objects.has(key) && objects.size >= MOST_OBJECTS)
        return failure('The store is full. Delete an object first.')
      objects.set(key, { content, mimeType: stringOf(call, 'mimeType', 'text/plain') })
      return answer(text(`Stored ${key} (${content.length} characters).`))
    },
  },
  {
    declaration: {
      name: 'delete-object',
      title: 'Delete an object',
      description: 'Deletes an object from the store.',
      inputSchema: { type: 'object', properties: { key: KEY }, required: ['key'] },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    run: (call) => {
      const key = stringOf(call, 'key')
      return call.data.objects.delete(key) ? answer(text(`Deleted ${key}.`)) : missing(key)
    },
  },
]
