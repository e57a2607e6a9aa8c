/** The tools of the modern peer: one for each feature that 2026-07-28 adds. */
import { setTimeout as pause } from 'node:timers/promises'
import type { McpServer } from '@modelcontextprotocol/server'
import {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type JsonSchemaType,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** Notifies all subscribers, over any transport. */
export interface Changes {
  toolsChanged(): void
  promptsChanged(): void
  resourcesChanged(): void
  resourceUpdated(uri: string): void
}

/** State that outlives a request, shared by all servers of one place. */
export interface PlaceState {
  /** `add-tool` adds one more. */
  extraTools: number
  /** `touch` changes the text of `mem://counter`. */
  counter: number
}

const codec = createRequestStateCodec<{ readonly name: string }>({ key: 'k'.repeat(32) })
export const verifyState = codec.verify.bind(codec)

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

export const object = <T>(properties: { [name: string]: JsonSchemaType }, required: string[] = []) =>
  fromJsonSchema<T>({ type: 'object', properties, required })

const field = (name: string, title: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string' as const, title } },
  required: [name],
})

/** Nested, with all three types and one optional property: what `Mcp-Param-*` headers may be built from. */
const ROUTED = {
  tenant: { type: 'string', 'x-mcp-header': 'Tenant' },
  priority: { type: 'integer', 'x-mcp-header': 'Priority' },
  dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
  place: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  note: { type: 'string' },
} as { [name: string]: JsonSchemaType }

export const addTools = (server: McpServer, state: PlaceState, changes: Changes): void => {
  server.registerTool(
    'echo',
    {
      title: 'Echo',
      description: 'Answers with the text',
      inputSchema: object<{ text: string }>({ text: { type: 'string' } }, ['text']),
    },
    ({ text }) => say(text),
  )
  server.registerTool(
    'add',
    {
      description: 'Answers with structured content',
      inputSchema: object<{ a: number; b: number }>({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
      outputSchema: object<{ sum: number }>({ sum: { type: 'number' } }, ['sum']),
    },
    ({ a, b }) => ({ ...say(String(a + b)), structuredContent: { sum: a + b } }),
  )
  server.registerTool('fail', { description: 'Answers with isError' }, () => ({
    ...say('It did not work'),
    isError: true,
  }))
  server.registerTool(
    'routed',
    { description: 'Mirrors arguments in Mcp-Param-* headers', inputSchema: object<object>(ROUTED, ['tenant']) },
    (args, { http }) => {
      const mirrored = [...(http?.req?.headers ?? [])].filter(([name]) => name.startsWith('mcp-'))
      return say(JSON.stringify({ arguments: args, headers: Object.fromEntries(mirrored) }))
    },
  )
  server.registerTool(
    'slow-count',
    {
      description: 'Counts to n, ms before each step: a progress and a log message per step',
      inputSchema: object<{ n: number; ms: number }>({ n: { type: 'integer' }, ms: { type: 'integer' } }, ['n', 'ms']),
    },
    async ({ n, ms }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      for (let progress = 1; progress <= n; progress++) {
        await pause(ms, undefined, { signal: mcpReq.signal })
        const params = {
          progressToken: progressToken!,
          progress,
          total: n,
          message: `Schritt ${progress} · 第${progress}步`,
        }
        if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params })
        await mcpReq.log('info', `step ${progress}`, 'slow-count')
      }
      return say(`counted to ${n}`)
    },
  )
  server.registerTool(
    'never',
    { description: 'Answers when it is cancelled, that is: to nobody' },
    async ({ mcpReq }) => {
      await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve, { once: true }))
      return say('too late')
    },
  )
  addAskingTools(server)
  server.registerTool('touch', { description: 'Changes mem://counter' }, () => {
    state.counter++
    changes.resourceUpdated('mem://counter')
    return say(String(state.counter))
  })
  server.registerTool('add-tool', { description: 'Adds one more tool; says that all three lists changed' }, () => {
    state.extraTools++
    changes.toolsChanged()
    changes.promptsChanged()
    changes.resourcesChanged()
    return say(String(state.extraTools))
  })
  for (let n = 1; n <= state.extraTools; n++) addExtraTool(server, n)
}

export const addExtraTool = (server: McpServer, n: number): void =>
  void server.registerTool(`extra-${n}`, { description: 'Was not always here' }, () => say(`extra ${n}`))

const addAskingTools = (server: McpServer): void => {
  server.registerTool('ask-twice', { description: 'Asks for a name, then for a colour' }, async ({ mcpReq }) => {
    const name = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'name')?.name
    const known = mcpReq.requestState<{ readonly name: string }>()
    const colour = acceptedContent<{ colour: string }>(mcpReq.inputResponses, 'colour')?.colour
    if (known && colour !== undefined) return say(`${known.name} likes ${colour}`)
    if (refused(mcpReq.inputResponses)) return say('Then not')
    if (name !== undefined)
      return inputRequired({
        inputRequests: {
          colour: inputRequired.elicit({ message: `Hello ${name}`, requestedSchema: field('colour', 'Colour') }),
        },
        requestState: await codec.mint({ name }),
      })
    return inputRequired({
      inputRequests: {
        name: inputRequired.elicit({ message: 'Who are you?', requestedSchema: field('name', 'Name') }),
      },
    })
  })
  server.registerTool('ask-model', { description: 'Asks for a completion of the model' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'model')
    if (answer.kind === 'sampling') return say(JSON.stringify(answer.result.content))
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'The capital of France?' } }]
    return inputRequired({ inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 100 }) } })
  })
  server.registerTool('ask-roots', { description: 'Asks for the roots' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'roots')
    if (answer.kind === 'roots') return say(answer.roots.map(({ uri }) => uri).join(' '))
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
  })
  server.registerTool('ask-url', { description: 'Asks to visit a page' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'visit')
    if (answer.kind === 'elicit') return say(answer.action)
    const visit = inputRequired.elicitUrl({ message: 'Please sign in', url: 'https://example.com/sign-in' })
    return inputRequired({ inputRequests: { visit } })
  })
}

const refused = (responses: ServerContext['mcpReq']['inputResponses']): boolean =>
  ['name', 'colour'].some((key) => {
    const answer = inputResponse(responses, key)
    return answer.kind === 'elicit' && answer.action !== 'accept'
  })
