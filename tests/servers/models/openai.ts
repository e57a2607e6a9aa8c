/** Chat Completions: rejects what the documentation says it rejects, and responds according to the request. */
interface Message {
  readonly role?: string
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly id?: string }[]
  readonly tool_call_id?: string
}

export const openaiFault = (type: string, message: string) => ({ error: { message, type, param: null, code: null } })

/** @returns the response, or why the request is rejected */
export const openaiAnswer = (body: Record<string, unknown>, fault: string): object | string => {
  const wrong = wrongIn(body)
  if (wrong !== undefined) return wrong
  const messages = body['messages'] as readonly Message[]
  const limit = Number(body['max_tokens'] ?? body['max_completion_tokens'])
  const tools = (body['tools'] ?? []) as readonly { readonly function: { readonly name: string } }[]
  const last = messages.at(-1)
  const calls =
    tools.length > 0 && body['tool_choice'] !== 'none' && messages.slice(-2).every(({ role }) => role !== 'tool')
  const said = `${body['model'] as string} heard ${messages.map(({ role }) => role).join(', ')}: ${textOf(last)}`
  const text = fault === 'wordy' ? said : said.slice(0, limit)
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: `${body['model'] as string}-0613`,
    choices: [
      {
        index: 0,
        finish_reason: calls ? 'tool_calls' : text.length < said.length ? 'length' : 'stop',
        message: calls
          ? {
              role: 'assistant',
              content: null,
              tool_calls: tools.slice(0, 1).map(({ function: { name } }, at) => ({
                id: `call_abc${at}`,
                type: 'function',
                function: { name, arguments: fault === 'wrong-arguments' ? '{"city": ' : '{"city":"Paris"}' },
              })),
            }
          : { role: 'assistant', content: text, refusal: null },
      },
    ],
    // Each character counts as a token.
    usage: { prompt_tokens: 10, completion_tokens: text.length, total_tokens: 10 + text.length },
  }
}

const wrongIn = ({ messages, model, tools }: Record<string, unknown>): string | undefined => {
  if (typeof model !== 'string' || model === '') return 'you must provide a model parameter'
  if (!Array.isArray(messages) || messages.length === 0) return "[] is too short - 'messages'"
  for (const tool of (tools ?? []) as readonly { readonly function?: { readonly name?: string } }[]) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.function?.name ?? '')) return "Invalid 'tools[0].function.name'"
  }
  let open = new Set<string>()
  for (const message of messages as readonly Message[]) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) return "messages with role 'tool' must follow 'tool_calls'"
      if (typeof message.content !== 'string') return "'content' of a tool message must be a string"
      continue
    }
    if (open.size > 0) return "An assistant message with 'tool_calls' must be followed by tool messages"
    open = new Set((message.tool_calls ?? []).map(({ id }) => id ?? ''))
  }
  return open.size > 0 ? "An assistant message with 'tool_calls' must be followed by tool messages" : undefined
}

const textOf = (message: Message | undefined): string =>
  typeof message?.content === 'string'
    ? message.content
    : ((message?.content ?? []) as readonly { readonly type: string; readonly text?: string }[])
        .map(({ type, text }) => text ?? `[${type}]`)
        .join(' ')
