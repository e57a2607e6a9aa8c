/** The modern peer: how the official SDK v2 implements 2026-07-28, the same over HTTP and stdio. */
import { inputRequired, inputResponse, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { addTools, object, verifyState, type Changes, type PlaceState } from './tools.ts'

export const makeState = (): PlaceState => ({ extraTools: 0, counter: 0 })

/** ms for which lists and resources declare themselves fresh. */
const TTL = 60_000

export const makeServer = (state: PlaceState, changes: Changes): McpServer => {
  const server = new McpServer(
    { name: 'modern', title: 'Modern peer', version: '2.4.0', websiteUrl: 'https://example.com' },
    {
      instructions: 'Ask it anything: it asks back.',
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
      cacheHints: { 'tools/list': { ttlMs: TTL, cacheScope: 'public' }, 'resources/read': { ttlMs: 0 } },
      requestState: { verify: verifyState },
    },
  )
  addTools(server, state, changes)
  addResources(server, state)
  addPrompts(server)
  return server
}

const addResources = (server: McpServer, state: PlaceState): void => {
  server.registerResource('readme', 'mem://readme', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'Grüße, 世界 🎈' }],
  }))
  server.registerResource('counter', 'mem://counter', { description: 'Changes with the tool touch' }, ({ href }) => ({
    contents: [{ uri: href, text: String(state.counter) }],
  }))
  server.registerResource(
    'secret',
    'mem://secret',
    { description: 'Asks for the word first' },
    ({ href }, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'word')
      if (answer.kind === 'elicit') return { contents: [{ uri: href, text: JSON.stringify(answer.content ?? null) }] }
      const requestedSchema = { type: 'object' as const, properties: { word: { type: 'string' as const } } }
      return inputRequired({ inputRequests: { word: inputRequired.elicit({ message: 'The word?', requestedSchema }) } })
    },
  )
  const template = new ResourceTemplate('mem://item/{id}', {
    list: undefined,
    complete: { id: (value) => ['one', 'two', 'three'].filter((id) => id.startsWith(value)) },
  })
  server.registerResource('item', template, { description: 'Any item' }, ({ href }, { id }) => ({
    contents: [{ uri: href, text: `item ${String(id)}` }],
  }))
}

const addPrompts = (server: McpServer): void => {
  const say = (words: string) => ({
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: words } }],
  })
  server.registerPrompt('hello', { description: 'No arguments' }, () => say('Hello'))
  server.registerPrompt(
    'review',
    {
      description: 'With an argument',
      argsSchema: object<{ language: string }>({ language: { type: 'string', description: 'What it is written in' } }, [
        'language',
      ]),
    },
    ({ language }) => say(`Review this ${language}`),
  )
  server.registerPrompt('greet', { description: 'Asks for a name first' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'name')
    if (answer.kind === 'elicit') return say(`Greet ${JSON.stringify(answer.content?.['name'] ?? null)}`)
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } }
    return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: 'Whom?', requestedSchema }) } })
  })
}
