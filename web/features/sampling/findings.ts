/**
 * What to know about a sampling request before responding: violations of its protocol version, such as `tool_use` without
 * `tool_result` (CF-SAMP-09), and how this client treats optional parameters. A schema alone can't judge a conversation.
 */
import { type Json, type JsonObject, isObject, linkFold, META } from '../../mcp/index.ts'
import { type Message, isTokens, readRequest, toolRounds, typeOf } from './request.ts'

export interface Finding {
  readonly code:
    | 'no-messages'
    | 'message-shape'
    | 'late-type'
    | 'late-array'
    | 'unknown-type'
    | 'no-max-tokens'
    | 'late-tools'
    | 'mixed-results'
    | 'misplaced-use'
    | 'misplaced-result'
    | 'unanswered-use'
    | 'unknown-result'
    | 'bad-choice'
    | 'choice-without-tools'
    | 'context'
    | 'priority'
    | 'many-rounds'
    | 'deprecated'
  /** Rule ID in web/lint/requirements.json. */
  readonly rule: string
  /** `breach`: the request violates its protocol version. `note`: allowed, but worth knowing. */
  readonly level: 'breach' | 'note'
  /** Index of the message. */
  readonly at?: number
  /** The type, id or value found. At most 100 characters. */
  readonly found?: string
}

/** CF-SAMP-11: more rounds of tool calls than this look like a loop, which rules leave to the user. */
export const MOST_ROUNDS = 10
/** Maximum number of problems reported; the rest are dropped. */
const MOST_FINDINGS = 50

const TYPES: Readonly<Record<string, string>> = {
  text: '2024-11-05',
  image: '2024-11-05',
  audio: '2025-03-26',
  tool_use: '2025-11-25',
  tool_result: '2025-11-25',
}

/** Whether `sampling.context` was declared (CF-SAMP-14), or the declaration is unknown. */
export const mayAskForContext = (declared: JsonObject | undefined): boolean =>
  declared === undefined || (isObject(declared.sampling) && declared.sampling.context !== undefined)

/**
 * @param revision of the session; absent: the latest version with all features
 * @param withContext whether the client declared `sampling.context`
 */
export const findingsOf = (params: JsonObject, revision = '2025-11-25', withContext = false): readonly Finding[] => {
  const { messages } = readRequest(params)
  const found: Finding[] = []
  const say = (
    code: Finding['code'],
    rule: string,
    level: Finding['level'],
    more: { readonly at?: number; readonly found?: Json | undefined } = {},
  ) => {
    const { at, found: what } = more
    const finding: Finding = { code, rule, level, at, found: what === undefined ? undefined : short(what) }
    if (found.length < MOST_FINDINGS) found.push(finding)
  }
  if (messages.length === 0) say('no-messages', 'CF-SAMP-07', 'breach')
  for (const [at, message] of messages.entries()) {
    const { role, blocks } = message
    if ((role !== 'user' && role !== 'assistant') || blocks.length === 0) {
      say('message-shape', 'CF-SAMP-07', 'breach', { at, found: message.raw })
    }
    if (isObject(message.raw) && Array.isArray(message.raw.content) && revision < '2025-11-25') {
      say('late-array', 'CF-SAMP-07', 'breach', { at })
    }
    for (const type of new Set(blocks.map((block) => typeOf(block) ?? ''))) {
      const since = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
      if (since === undefined) say('unknown-type', 'CF-SAMP-07', 'breach', { at, found: type })
      else if (revision < since) say('late-type', 'CF-SAMP-07', 'breach', { at, found: type })
    }
  }
  if (!isTokens(params.maxTokens)) say('no-max-tokens', 'CF-SAMP-03', 'breach', { found: params.maxTokens ?? null })
  if (revision < '2025-11-25') {
    if (params.tools !== undefined || params.toolChoice !== undefined) say('late-tools', 'LC-09', 'note')
  } else {
    for (const one of balance(messages)) say(one.code, 'CF-SAMP-09', 'breach', one)
    choice(params, say)
  }
  if (toolRounds(messages) > MOST_ROUNDS) {
    say('many-rounds', 'CF-SAMP-11', 'note', { found: String(toolRounds(messages)) })
  }
  const { includeContext: context, modelPreferences: preferences } = params
  if (context === 'thisServer' || context === 'allServers') {
    if (revision < '2025-11-25') say('context', 'CF-SAMP-04', 'note', { found: context })
    else if (!withContext) say('context', 'CF-SAMP-14', 'note', { found: context })
  }
  if (isObject(preferences)) {
    for (const name of ['costPriority', 'speedPriority', 'intelligencePriority']) {
      const value = preferences[name]
      if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= 1)) {
        say('priority', 'CF-SAMP-05', 'breach', { found: `${name}: ${short(value)}` })
      }
    }
  }
  if (revision >= '2026-07-28') say('deprecated', 'CF-SAMP-15', 'note')
  return found
}

/** Whether the conversation violates the rules for tool calls (CF-SAMP-09), which calls for error -32602. */
export const isUnbalanced = (findings: readonly Finding[]): boolean =>
  findings.some(({ rule, level }) => rule === 'CF-SAMP-09' && level === 'breach')

type Imbalance = Pick<Finding, 'code' | 'at' | 'found'>

/**
 * CF-SAMP-09: each tool_use of the assistant must have its tool_result in the very next user message, and such a
 * message must not contain anything else.
 */
export const balance = (messages: readonly Message[]): Imbalance[] => {
  const found: Imbalance[] = []
  let open = new Set<string>()
  let openAt = 0
  for (const [at, { role, blocks }] of messages.entries()) {
    const results = blocks.filter((block) => typeOf(block) === 'tool_result')
    const uses = blocks.filter((block) => typeOf(block) === 'tool_use')
    if (results.length > 0 && role === 'assistant') found.push({ code: 'misplaced-result', at })
    if (uses.length > 0 && role === 'user') found.push({ code: 'misplaced-use', at })
    if (results.length > 0 && results.length < blocks.length && role !== 'assistant') {
      found.push({ code: 'mixed-results', at })
    }
    for (const result of results) {
      const id = idIn(result, 'toolUseId')
      if (!open.delete(id)) found.push({ code: 'unknown-result', at, found: id })
    }
    for (const id of open) found.push({ code: 'unanswered-use', at: openAt, found: id })
    open = role === 'user' ? new Set() : new Set(uses.map((use) => idIn(use, 'id')))
    openAt = at
  }
  for (const id of open) found.push({ code: 'unanswered-use', at: openAt, found: id })
  return found
}

const choice = (
  { tools, toolChoice }: JsonObject,
  say: (code: Finding['code'], rule: string, level: Finding['level'], more?: { found?: Json }) => void,
): void => {
  if (toolChoice === undefined) return
  const mode = isObject(toolChoice) ? toolChoice.mode : toolChoice
  if (!isObject(toolChoice) || (mode !== undefined && !['auto', 'required', 'none'].includes(mode as string))) {
    say('bad-choice', 'CF-SAMP-10', 'breach', { found: mode ?? null })
  } else if (!Array.isArray(tools) || tools.length === 0) say('choice-without-tools', 'CF-SAMP-10', 'note')
}

const idIn = (block: Json, key: string): string => {
  const id = isObject(block) ? block[key] : undefined
  return typeof id === 'string' ? id : JSON.stringify(id ?? null)
}

const short = (value: Json): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}

/** The capabilities that the client declared: in `initialize`, or with its last request (2026-07-28, META-12). */
export const declaredFold = linkFold<JsonObject | undefined>(undefined, (before, frame) => {
  if (frame.kind !== 'message' || frame.direction !== 'sent' || frame.byHand || !isObject(frame.message)) return before
  const { method, params } = frame.message
  if (!isObject(params)) return before
  const declared =
    method === 'initialize' ? params.capabilities : isObject(params._meta) ? params._meta[META.capabilities] : undefined
  return isObject(declared) ? declared : before
})

/** The values from which the catalogues make the text of a finding. */
export const textValues = ({ code, rule, at, found = '' }: Finding) =>
  [code, at === undefined ? '' : String(at + 1), found, rule] as const
