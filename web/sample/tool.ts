/**
 * What a tool of the sample server is: its declaration, and what it does with its arguments.
 */
import type { JsonObject, Revision } from '../mcp/index.ts'

export interface ToolCall {
  readonly arguments: JsonObject
  readonly revision: Revision
  /** Sends `notifications/progress`, where the client asked for it. */
  progress(progress: number, total: number, message: string): void
  /** Resolves after `ms`. @throws when the call was cancelled meanwhile */
  wait(ms: number): Promise<void>
  /** Asks the client. @returns its result or its error @throws when the call was cancelled meanwhile */
  ask(method: string, params: JsonObject): Promise<{ readonly result: JsonObject } | { readonly error: JsonObject }>
  /** Sends `notifications/message`, where the client wants the level. */
  log(level: string, logger: string, data: JsonObject): void
  /** Counts a visit, and tells those who subscribed. @returns how many there were */
  visit(): number
  /** The list of tools, for the tools that change it. */
  readonly shelf: Shelf
}

/** The tools that were added while the connection lives. */
export interface Shelf {
  /** Adds a tool and tells the client. @returns false when the name is taken */
  add(tool: SampleTool): boolean
  /** Takes the added tools away and tells the client. @returns how many there were */
  clear(): number
}

export interface SampleTool {
  /** As in the newest revision served; what an older one lacks is left out on the wire. */
  readonly declaration: JsonObject & { readonly name: string; readonly inputSchema: JsonObject }
  run(call: ToolCall): JsonObject | Promise<JsonObject>
}

/** The arguments are not what the tool takes. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments'
}

/** The tool ends the call with a JSON-RPC error instead of a result. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  readonly data: JsonObject
  constructor(code: number, message: string, data: JsonObject) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const text = (words: string): JsonObject => ({ type: 'text', text: words })

/** A result of content blocks. */
export const answer = (...content: readonly JsonObject[]): JsonObject => ({ content })

/** The tool ran and reports a failure (SF-TOOL-18). */
export const failure = (words: string): JsonObject => ({ content: [text(words)], isError: true })

/** A result with structured content, and the same as text for clients that do not read it (SF-TOOL-17). */
export const structured = (value: JsonObject): JsonObject => ({
  content: [text(JSON.stringify(value))],
  structuredContent: value,
})

export const stringOf = (call: ToolCall, name: string, fallback?: string): string => {
  const value = call.arguments[name] ?? fallback
  if (typeof value !== 'string') throw new BadArguments(`${name} must be a string`)
  return value
}

export const choiceOf = <Choice extends string>(
  call: ToolCall,
  name: string,
  choices: readonly Choice[],
  fallback?: Choice,
): Choice => {
  const value = stringOf(call, name, fallback)
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) throw new BadArguments(`${name} must be one of ${choices.join(', ')}`)
  return choice
}

export const numberOf = (
  call: ToolCall,
  name: string,
  { fallback, minimum = -Infinity, maximum = Infinity, integer = false }: Bounds = {},
): number => {
  const value = call.arguments[name] ?? fallback
  const ofKind = integer ? Number.isInteger(value) : typeof value === 'number'
  if (!ofKind) throw new BadArguments(`${name} must be ${integer ? 'an integer' : 'a number'}`)
  const number = value as number
  if (number < minimum || number > maximum) throw new BadArguments(`${name} must be from ${minimum} to ${maximum}`)
  return number
}

interface Bounds {
  readonly fallback?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly integer?: boolean
}
