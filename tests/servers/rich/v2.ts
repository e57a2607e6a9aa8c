/** The rich server on the official SDK v2, for 2026-07-28: it requests input in results. */
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  Server,
  type InputRequests,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as offer from './offer.ts'

/** Notifies all subscribers. */
export interface Changes {
  resourceUpdated(uri: string): void
}

const INVALID_PARAMS = -32602

export const makeServer = (state: offer.RichState, changes: Changes): Server => {
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
  const invalid = (words: string) => new ProtocolError(INVALID_PARAMS, words)
  server.setRequestHandler('tools/list', () => ({ tools: offer.TOOLS }))
  server.setRequestHandler('resources/list', ({ params }) => {
    try {
      return offer.resourcesPage(params?.cursor)
    } catch (error) {
      throw invalid(String(error))
    }
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: offer.TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const contents = offer.contentsOf(uri, state)
    if (!contents) throw new ProtocolError(INVALID_PARAMS, 'Resource not found', { uri })
    return { contents }
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: offer.PROMPTS }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = offer.promptOf(params.name, params.arguments ?? {})
    if (!prompt) throw invalid(`There is no prompt ${params.name}`)
    return prompt
  })
  server.setRequestHandler('completion/complete', ({ params }) => {
    const { ref } = params
    return offer.completionOf('uri' in ref ? ref.uri : ref.name, params.argument, params.context?.arguments ?? {})
  })
  server.setRequestHandler('tools/call', ({ params }, context) =>
    call(params.name, (params.arguments ?? {}) as Arguments, context, state, changes),
  )
  return server
}

interface Arguments {
  readonly text?: string
  readonly n?: number
}

const QUESTIONS = {
  form: () => inputRequired.elicit(offer.FORM),
  url: () => inputRequired.elicitUrl(offer.ADDRESS),
  model: () => inputRequired.createMessage(offer.MODEL),
  roots: () => inputRequired.listRoots(),
}

const call = async (
  name: string,
  { text = '', n = 3 }: Arguments,
  { mcpReq }: ServerContext,
  state: offer.RichState,
  changes: Changes,
) => {
  const ask = (...keys: (keyof typeof QUESTIONS)[]) => {
    const answers = keys.map((key) => inputResponse(mcpReq.inputResponses, key))
    if (answers.some(({ kind }) => kind === 'missing')) {
      return inputRequired({
        inputRequests: Object.fromEntries<InputRequests[string]>(keys.map((key) => [key, QUESTIONS[key]()])),
      })
    }
    return offer.say(JSON.stringify(keys.length === 1 ? answers[0] : answers))
  }
  switch (name) {
    case 'ask-form':
      return ask('form')
    case 'ask-url':
      return ask('url')
    case 'ask-model':
      return ask('model')
    case 'ask-roots':
      return ask('roots')
    case 'ask-all':
      return ask('form', 'model', 'roots')
    case 'log':
      for (const level of offer.LEVELS) await mcpReq.log(level, { text, level }, offer.LOGGER)
      return offer.say('logged')
    case 'contents':
      return { content: offer.CONTENTS }
    case 'rows': {
      const structuredContent = offer.rowsOf(n)
      return { ...offer.say(JSON.stringify(structuredContent)), structuredContent }
    }
    case 'touch':
      state.counter++
      changes.resourceUpdated(offer.COUNTER)
      return offer.say(String(state.counter))
    default:
      throw new ProtocolError(INVALID_PARAMS, `There is no tool ${name}`)
  }
}
