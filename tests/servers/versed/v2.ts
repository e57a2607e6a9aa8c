/** The versed server on the official SDK v2, for 2026-07-28: where v1 sends requests, it requests input in results. */
import { setTimeout as pause } from 'node:timers/promises'
import { inputRequired, inputResponse, ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server'
import { COUNTER, FORM, pageOf, QUESTION, resourcesOf, say, stepText, type VersedState } from './tools.ts'

/** Notifies all subscribers, over any transport. */
export interface Changes {
  toolsChanged(): void
  resourceUpdated(uri: string): void
}

const INVALID_PARAMS = -32602

export const makeServer = (state: VersedState, changes: Changes): Server => {
  const server = new Server(
    { name: 'versed', version: '2.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
  )
  server.setRequestHandler('tools/list', ({ params }) => {
    try {
      return pageOf(params?.cursor, state)
    } catch (error) {
      throw new ProtocolError(INVALID_PARAMS, String(error))
    }
  })
  server.setRequestHandler('resources/list', () => resourcesOf(state).list)
  server.setRequestHandler('resources/read', () => resourcesOf(state).contents)
  server.setRequestHandler('tools/call', ({ params }, context) =>
    call(params.name, (params.arguments ?? {}) as Arguments, context, state, changes),
  )
  return server
}

interface Arguments {
  readonly text?: string
  readonly n?: number
  readonly ms?: number
}

const call = async (
  name: string,
  { text = '', n = 0, ms = 0 }: Arguments,
  { mcpReq }: ServerContext,
  state: VersedState,
  changes: Changes,
) => {
  switch (name) {
    case 'echo':
      return say(text)
    case 'fail':
      return { ...say('It did not work'), isError: true }
    case 'slow-count': {
      const progressToken = mcpReq._meta?.progressToken
      for (let progress = 1; progress <= n; progress++) {
        await pause(ms, undefined, { signal: mcpReq.signal })
        if (progressToken === undefined) continue
        const told = { progressToken, progress, total: n, message: stepText(progress) }
        await mcpReq.notify({ method: 'notifications/progress', params: told })
      }
      return say(`counted to ${n}`)
    }
    case 'never':
      state.begun++
      await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve, { once: true }))
      state.cancelled++
      return say('nobody hears this')
    case 'waiting':
      return say(JSON.stringify([state.begun, state.cancelled]))
    case 'ask-model': {
      const answer = inputResponse(mcpReq.inputResponses, 'model')
      if (answer.kind === 'sampling') return say(JSON.stringify(answer.result.content))
      return inputRequired({ inputRequests: { model: inputRequired.createMessage(QUESTION) } })
    }
    case 'ask-user': {
      const answer = inputResponse(mcpReq.inputResponses, 'name')
      if (answer.kind === 'elicit') return say(JSON.stringify(answer.content ?? null))
      return inputRequired({ inputRequests: { name: inputRequired.elicit(FORM) } })
    }
    case 'ask-roots': {
      const answer = inputResponse(mcpReq.inputResponses, 'roots')
      if (answer.kind === 'roots') return say(answer.roots.map(({ uri }) => uri).join(' '))
      return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
    }
    case 'touch':
      state.counter++
      changes.resourceUpdated(COUNTER)
      return say(String(state.counter))
    case 'add-tool':
      state.extraTools++
      changes.toolsChanged()
      return say(String(state.extraTools))
    default:
      throw new ProtocolError(INVALID_PARAMS, `There is no tool ${name}`)
  }
}
