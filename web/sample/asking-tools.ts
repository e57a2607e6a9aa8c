/** The sample server's tools that need more than arguments: they send requests, log, or change a resource. */
import type { JsonObject } from '../mcp/index.ts'
import { answer, failure, stringOf, text, type SampleTool, type ToolCall } from './tool.ts'

const FORM: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name of the boat', minLength: 2 },
    length: { type: 'number', title: 'Length in metres', minimum: 1, maximum: 400 },
    kind: { type: 'string', title: 'Kind', enum: ['sail', 'motor', 'submarine'], default: 'submarine' },
    armed: { type: 'boolean', title: 'Armed', default: false },
  },
  required: ['name'],
}

/** Sends a request to the client and reports the outcome as a result. */
const asked = async (call: ToolCall, method: string, params: JsonObject): Promise<JsonObject> => {
  const reply = await call.ask(method, params)
  if ('error' in reply) return failure(`The client refused: ${JSON.stringify(reply.error)}`)
  return answer(text(JSON.stringify(reply.result)))
}

const none: JsonObject = { type: 'object', properties: {} }

export const ASKING_TOOLS: readonly SampleTool[] = [
  {
    declaration: {
      name: 'ask-you',
      title: 'Ask you',
      description: 'Asks its user with a form (elicitation), and answers with what they said.',
      inputSchema: none,
      annotations: { readOnlyHint: true },
    },
    run: (call) => {
      if (call.revision < '2025-06-18') return failure('Elicitation came with revision 2025-06-18.')
      return asked(call, 'elicitation/create', { message: 'Which boat shall we name?', requestedSchema: FORM })
    },
  },
  {
    declaration: {
      name: 'ask-a-model',
      title: 'Ask a model',
      description: 'Asks the client for a completion of its model (sampling).',
      inputSchema: {
        type: 'object',
        properties: { question: { type: 'string', default: 'Why is the sea salty?' } },
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    run: (call) =>
      asked(call, 'sampling/createMessage', {
        messages: [{ role: 'user', content: text(stringOf(call, 'question', 'Why is the sea salty?')) }],
        systemPrompt: 'Answer in one sentence.',
        modelPreferences: { hints: [{ name: 'small' }], speedPriority: 0.8 },
        maxTokens: 200,
      }),
  },
  {
    declaration: {
      name: 'ask-for-roots',
      title: 'Ask for roots',
      description: 'Asks which folders it may see. It looks into none of them.',
      inputSchema: none,
      annotations: { readOnlyHint: true },
    },
    run: (call) => asked(call, 'roots/list', {}),
  },
  {
    declaration: {
      name: 'write-log',
      title: 'Write to the log',
      description: 'One message of each level, of which the client gets those it wants.',
      inputSchema: { type: 'object', properties: { words: { type: 'string', default: 'A ship in sight' } } },
      annotations: { readOnlyHint: true },
    },
    run: (call) => {
      const words = stringOf(call, 'words', 'A ship in sight')
      const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
      for (const level of levels) call.log(level, 'watch', { words, level })
      return answer(text(`${levels.length} messages were written`))
    },
  },
  {
    declaration: {
      name: 'count-visit',
      title: 'Count a visit',
      description: 'Changes the resource sample://visits, and tells those who subscribed to it.',
      inputSchema: none,
      annotations: { destructiveHint: false },
    },
    run: (call) => answer(text(`${call.visit()} visits`)),
  },
]
