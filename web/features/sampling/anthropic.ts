/**
 * Anthropic's Messages API.
 * @see https://docs.anthropic.com/en/api/messages
 */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import {
  countOf,
  EndpointError,
  idsIn,
  isToolResult,
  isToolUse,
  mediaIn,
  resultParts,
  textIn,
  withPath,
  type EndpointFormat,
  type ModelRequest,
} from './endpoint-format.ts'
import { readRequest, stringOf, typeOf } from './request.ts'

const STOP: Readonly<Record<string, string>> = {
  end_turn: 'endTurn',
  max_tokens: 'maxTokens',
  stop_sequence: 'stopSequence',
  tool_use: 'toolUse',
}

const CHOICE: Readonly<Record<string, string>> = { auto: 'auto', required: 'any', none: 'none' }

export const anthropic: EndpointFormat = {
  address: (base, what) =>
    withPath(base, /\/(messages|models)$/, (path) => {
      const root = path.endsWith('/v1') ? path : `${path}/v1`
      return `${root}/${what === 'chat' ? 'messages' : 'models'}`
    }),
  headers: (key) => ({
    ...(key === '' ? {} : { 'x-api-key': key }),
    'anthropic-version': '2023-06-01',
    // Allows calls from a browser: declares that the key belongs to the user.
    'anthropic-dangerous-direct-browser-access': 'true',
  }),
  encode: (request) => {
    const { params, model, limit, names } = request
    const { messages, system, temperature, stopSequences, tools, toolChoice } = readRequest(params)
    return {
      model,
      max_tokens: limit,
      ...(system === undefined || system === '' ? {} : { system }),
      messages: messages.flatMap(({ role, blocks }) => {
        const content = blocks.flatMap((block) => contentOf(block, request))
        return content.length === 0 ? [] : [{ role: role === 'assistant' ? 'assistant' : 'user', content }]
      }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(stopSequences.length === 0 ? {} : { stop_sequences: stopSequences }),
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map(({ name, description, schema }) => ({
              name: names.out(name),
              ...(description === undefined ? {} : { description }),
              input_schema: schema ?? { type: 'object' },
            })),
            tool_choice: { type: CHOICE[toolChoice ?? 'auto'] ?? 'auto' },
          }),
    }
  },
  decode: (answer, { names, note }) => {
    if (!Array.isArray(answer.content)) throw new EndpointError('shape', { said: 'content' })
    const blocks = (answer.content as readonly Json[]).flatMap((block): JsonObject[] => {
      const text = textIn(block)
      if (text !== undefined) return [{ type: 'text', text }]
      if (isToolUse(block)) {
        const { id, name, input } = block
        if (!isObject(input)) throw new EndpointError('bad-arguments', { said: stringOf(name) })
        return [{ type: 'tool_use', id: stringOf(id), name: names.back(stringOf(name)), input }]
      }
      const type = typeOf(block) ?? '?'
      note({ code: /thinking/.test(type) ? 'thoughts-left-out' : 'block-left-out', found: `assistant: ${type}` })
      return []
    })
    const usage = isObject(answer.usage) ? answer.usage : {}
    const reason = stringOf(answer.stop_reason)
    const [input, output] = [countOf(usage.input_tokens), countOf(usage.output_tokens)]
    return {
      blocks,
      model: stringOf(answer.model) || undefined,
      stopReason: reason === '' ? undefined : (STOP[reason] ?? reason),
      used: { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) },
    }
  },
  models: idsIn,
}

const contentOf = (block: Json, request: ModelRequest): JsonObject[] => {
  const text = textIn(block)
  // The API rejects blank text.
  if (text !== undefined) return text.trim() === '' ? [] : [{ type: 'text', text }]
  const type = typeOf(block)
  if (type === 'image') {
    const image = imageOf(block)
    if (image) return [image]
  }
  if (isToolUse(block)) {
    const { id, name, input } = block
    return [{ type: 'tool_use', id: stringOf(id), name: request.names.out(stringOf(name)), input: input ?? {} }]
  }
  if (isToolResult(block)) {
    const content = resultParts(block).flatMap(({ text, image }): JsonObject[] => {
      if (text !== undefined) return text.trim() === '' ? [] : [{ type: 'text', text }]
      const picture = image === undefined ? undefined : imageOf(image)
      return picture ? [picture] : []
    })
    return [
      {
        type: 'tool_result',
        tool_use_id: stringOf(block.toolUseId),
        ...(content.length === 0 ? {} : { content }),
        ...(block.isError === true ? { is_error: true } : {}),
      },
    ]
  }
  request.note({ code: 'block-left-out', found: type ?? '?' })
  return []
}

const imageOf = (block: Json): JsonObject | undefined => {
  const media = mediaIn(block)
  return media && { type: 'image', source: { type: 'base64', media_type: media.mime, data: media.data } }
}
