/**
 * An untrusted entry of `prompts/list`, parsed so that an invalid item never spoils the list.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#prompt
 */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject, Seq } from '../../mcp/index.ts'
import { listingFold, namedItem, type Listed, type ListItem, type Taken } from '../lists/index.ts'

export interface PromptArgument {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly required: boolean
}

export interface PromptItem extends ListItem {
  readonly arguments: readonly PromptArgument[]
  readonly findings: readonly PromptFinding[]
}

/** A problem of an item, as a code for the catalogues, with its rule id. */
export interface PromptFinding {
  readonly code:
    | 'no-object'
    | 'no-name'
    | 'repeated-name'
    | 'arguments-no-array'
    | 'argument-no-object'
    | 'argument-no-name'
    | 'argument-repeated'
    | 'required-no-boolean'
    | 'too-many-arguments'
  readonly keyword: 'MUST' | 'SHOULD'
  readonly rule?: string
  /** JSON pointer into the item. */
  readonly pointer: string
  /** The value found, shortened. */
  readonly found: string
}

/** Most arguments that get a field. A prompt with more isn't meant for people. */
const ARGUMENTS_MAX = 200

const promptOf = (raw: Json, index: number, seq: Seq, taken: Taken): PromptItem => {
  const findings: PromptFinding[] = []
  const breach: Breach = (code, pointer, found) =>
    findings.push({ code, keyword: 'MUST', rule: 'SF-PROMPT-02', pointer, found: short(found) })
  const prompt = isObject(raw) ? raw : {}
  const item = namedItem(raw, index, seq, taken, [prompt.title])
  const { name, repeated } = item
  if (!isObject(raw)) breach('no-object', '', raw)
  else if (name === undefined) breach('no-name', '/name', prompt.name)
  if (repeated) findings.push({ code: 'repeated-name', keyword: 'SHOULD', pointer: '/name', found: short(name) })
  return { ...item, arguments: argumentsIn(prompt.arguments, breach), findings }
}

type Breach = (code: PromptFinding['code'], pointer: string, found: Json | undefined) => void

const argumentsIn = (raw: Json | undefined, breach: Breach): readonly PromptArgument[] => {
  if (raw === undefined) return []
  if (!Array.isArray(raw)) {
    breach('arguments-no-array', '/arguments', raw)
    return []
  }
  const found: PromptArgument[] = []
  const seen = new Set<string>()
  const list = raw as readonly Json[]
  if (list.length > ARGUMENTS_MAX) breach('too-many-arguments', '/arguments', list.length)
  for (const [at, argument] of list.slice(0, ARGUMENTS_MAX).entries()) {
    const pointer = `/arguments/${at}`
    if (!isObject(argument)) {
      breach('argument-no-object', pointer, argument)
      continue
    }
    const { name, title, description, required } = argument
    if (typeof name !== 'string' || name === '') {
      breach('argument-no-name', `${pointer}/name`, name)
      continue
    }
    // Two arguments with one name would be the same member of the request.
    if (seen.has(name)) {
      breach('argument-repeated', `${pointer}/name`, name)
      continue
    }
    seen.add(name)
    if (required !== undefined && typeof required !== 'boolean') {
      breach('required-no-boolean', `${pointer}/required`, required)
    }
    found.push({
      name,
      title: typeof title === 'string' ? title : '',
      description: typeof description === 'string' ? description : '',
      required: required === true,
    })
  }
  return found
}

const short = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80)

export const PROMPTS: Listed<PromptItem> = {
  method: 'prompts/list',
  member: 'prompts',
  changed: 'notifications/prompts/list_changed',
  itemOf: promptOf,
  nameOf: ({ name }) => name,
}

export const promptsFold = listingFold(PROMPTS)

/**
 * The parameters to send: only declared arguments. `arguments` is left out if empty, which all versions allow.
 * @param meta `_meta` written by the user
 */
export const paramsOf = (
  item: PromptItem,
  values: Readonly<Record<string, string>>,
  meta?: JsonObject,
): JsonObject | undefined => {
  if (item.name === undefined) return undefined
  const given = item.arguments.flatMap(({ name }) => (Object.hasOwn(values, name) ? [[name, values[name]!]] : []))
  return {
    name: item.name,
    ...(given.length > 0 ? { arguments: Object.fromEntries(given) as JsonObject } : {}),
    ...(meta ? { _meta: meta } : {}),
  }
}

/** Names of required arguments without a value. An empty string is a value. */
export const missingIn = (item: PromptItem, values: Readonly<Record<string, string>>): readonly string[] =>
  item.arguments.filter(({ name, required }) => required && !Object.hasOwn(values, name)).map(({ name }) => name)
