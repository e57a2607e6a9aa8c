/** The rich server on the official SDK v1: it sends requests of its own. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type LoggingLevel,
} from '@modelcontextprotocol/sdk/types.js'
import * as offer from './offer.ts'

/** What a session requested; the SDK's own record is private. */
interface Asked {
  readonly subscribed: Set<string>
  level: LoggingLevel | undefined
}

/** `resources/read` of a missing resource (SF-RES), up to 2025-11-25. */
const NOT_FOUND = -32002

export const makeServer = (state: offer.RichState): Server => {
  const server = new Server(offer.INFO, {
    instructions: offer.INSTRUCTIONS,
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
      experimental: { 'example.com/rich': { deep: true } },
    },
  })
  const asked: Asked = { subscribed: new Set(), level: undefined }
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offer.TOOLS }))
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    try {
      return offer.resourcesPage(params?.cursor)
    } catch (error) {
      throw new McpError(ErrorCode.InvalidParams, String(error))
    }
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: offer.TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const contents = offer.contentsOf(uri, state)
    if (!contents) throw new McpError(NOT_FOUND, 'Resource not found', { uri })
    return { contents }
  })
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => (asked.subscribed.add(params.uri), {}))
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => (asked.subscribed.delete(params.uri), {}))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: offer.PROMPTS }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = offer.promptOf(params.name, params.arguments ?? {})
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${params.name}`)
    return prompt
  })
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => {
    const { ref } = params
    return offer.completionOf('uri' in ref ? ref.uri : ref.name, params.argument, params.context?.arguments ?? {})
  })
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => ((asked.level = params.level), {}))
  addCalls(server, state, asked)
  return server
}

const addCalls = (server: Server, state: offer.RichState, asked: Asked): void => {
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId, sendNotification }) => {
    const { text = '', n = 3 } = (params.arguments ?? {}) as { text?: string; n?: number }
    const along = { relatedRequestId: requestId, timeout: 60_000 }
    const answered = async (question: Promise<unknown>) => offer.say(JSON.stringify(await question))
    switch (params.name) {
      case 'ask-form':
        return answered(server.elicitInput(offer.FORM, along))
      case 'ask-url':
        return answered(server.elicitInput({ mode: 'url', elicitationId: 'visit-1', ...offer.ADDRESS }, along))
      case 'ask-model':
        return answered(server.createMessage(offer.MODEL, along))
      case 'ask-roots':
        return answered(server.listRoots(undefined, along))
      case 'ask-all':
        return answered(
          Promise.all([
            server.elicitInput(offer.FORM, along),
            server.createMessage(offer.MODEL, along),
            server.listRoots(undefined, along),
          ]),
        )
      case 'log': {
        const least = offer.LEVELS.indexOf(asked.level ?? 'debug')
        for (const level of offer.LEVELS.slice(least)) {
          const told = { level, logger: offer.LOGGER, data: { text, level } }
          await sendNotification({ method: 'notifications/message', params: told })
        }
        return offer.say('logged')
      }
      case 'contents':
        return { content: offer.CONTENTS }
      case 'rows': {
        const structuredContent = offer.rowsOf(n)
        return { ...offer.say(JSON.stringify(structuredContent)), structuredContent }
      }
      case 'touch':
        state.counter++
        if (asked.subscribed.has(offer.COUNTER)) await server.sendResourceUpdated({ uri: offer.COUNTER })
        return offer.say(String(state.counter))
      default:
        throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`)
    }
  })
}
