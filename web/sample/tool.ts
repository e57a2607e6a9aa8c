/** A tool of the sample server: its declaration and its implementation. */
import type { Json, JsonObject, Revision } from '../mcp/index.ts'
import type { SampleData } from './data.ts'

export interface ToolCall {
  readonly arguments: JsonObject
  readonly revision: Revision
  /** Sends `notifications/progress`, if the client requested it. */
  progress(progress: number, total: number, message: string): void
  /** Resolves after `ms`. @throws if the call was cancelled meanwhile */
  wait(ms: number): Promise<void>
  /** Sends a request to the client. @returns its result or error @throws if the call was cancelled meanwhile */
  ask(method: string, params: JsonObject): Promise<{ readonly result: JsonObject } | { readonly error: JsonObject }>
  /** Sends `notifications/message`, if the client requested the level. */
  log(level: string, logger: string, data: JsonObject): void
  /** Counts a visit and notifies subscribers. @returns the number of visits */
  visit(): number
  /** What the connection's tools and resources read and change. */
  readonly data: SampleData
  /** The list of tools, for tools that change it. */
  readonly shelf: Shelf
}

/** The tools added during the connection. */
export interface Shelf {
  /** Adds a tool and notifies the client. @returns false if the name is in use */
  add(tool: SampleTool): boolean
  /** Removes the added tools and notifies the client. @returns their number */
  clear(): number
}

export interface SampleTool {
  /** For the newest supported protocol version; members that an older one lacks are omitted when sending. */
  readonly declaration: JsonObject & { readonly name: string; readonly inputSchema: JsonObject }
  run(call: ToolCall): JsonObject | Promise<JsonObject>
}

/** The arguments don't match the tool's schema. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments'
}

/** A JSON-RPC error for the client. Thrown by a tool, it ends the call instead of a result. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  readonly data: Json | undefined
  constructor(code: number, message: string, data?: Json) {
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

/** A result with structured content, repeated as text for clients that don't read it (SF-TOOL-17). */
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
