/** The Messages API: rejects what its documentation says it rejects, and responds according to the request. */
interface Block {
  readonly type: string
  readonly text?: string
  readonly id?: string
  readonly tool_use_id?: string
}

interface Message {
  readonly role: string
  readonly content: readonly Block[]
}

export const anthropicFault = (type: string, message: string) => ({ type: 'error', error: { type, message } })

/** @returns the response, or why the request is rejected */
export const anthropicAnswer = (body: Record<string, unknown>, fault: string): object | string => {
  const wrong = wrongIn(body)
  if (wrong !== undefined) return wrong
  const messages = body['messages'] as readonly Message[]
  const limit = body['max_tokens'] as number
  const tools = (body['tools'] ?? []) as readonly { readonly name: string }[]
  const choice = (body['tool_choice'] ?? { type: 'auto' }) as { readonly type: string }
  const last = messages.at(-1)!
  const calls = tools.length > 0 && choice.type !== 'none' && last.content.every(({ type }) => type !== 'tool_result')
  const heard = messages.map(({ role, content }) => `${role}[${content.map(({ type }) => type).join()}]`).join(' ')
  const said = `${body['model'] as string} heard ${heard}`
  const text = said.slice(0, limit)
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body['model'],
    content: calls
      ? [
          ...(fault === 'none' ? [{ type: 'thinking', thinking: 'Which tool?', signature: 'x' }] : []),
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_1', name: tools[0]!.name, input: { city: 'Paris' } },
        ]
      : [{ type: 'text', text }],
    stop_reason: calls ? 'tool_use' : text.length < said.length ? 'max_tokens' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: text.length },
  }
}

const wrongIn = ({ messages, model, max_tokens: limit, tools }: Record<string, unknown>): string | undefined => {
  if (typeof model !== 'string' || model === '') return 'model: Field required'
  if (!Number.isInteger(limit) || (limit as number) < 1) return 'max_tokens: Field required'
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  for (const { name } of (tools ?? []) as readonly { readonly name?: string }[]) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name ?? ''))
      return "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
  }
  let open = new Set<string>()
  for (const [at, { role, content }] of (messages as readonly Message[]).entries()) {
    if (role !== 'user' && role !== 'assistant') return `messages.${at}.role: Input should be 'user' or 'assistant'`
    if (content.some(({ type, text }) => type === 'text' && (text ?? '').trim() === '')) {
      return 'messages: text content blocks must contain non-whitespace text'
    }
    for (const { type, tool_use_id: id } of content) {
      if (type === 'tool_result' && !open.delete(id ?? '')) return `messages.${at}: unexpected \`tool_use_id\``
    }
    if (open.size > 0)
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`
    open = new Set(content.flatMap(({ type, id }) => (type === 'tool_use' ? [id ?? ''] : [])))
  }
  return open.size > 0
    ? 'messages: `tool_use` ids were found without `tool_result` blocks immediately after'
    : undefined
}
