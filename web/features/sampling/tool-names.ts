/**
 * Tool names for endpoints that allow only letters, digits, `_` and `-`, up to 64 characters. MCP allows more
 * (SF-TOOL-02), so names are replaced on the way out and restored on the way back.
 */
import type { JsonObject } from '../../mcp/index.ts'
import { isToolUse, stringOf } from './blocks.ts'
import { readRequest } from './request.ts'

const PERMITTED = /^[\w-]{1,64}$/

export class ToolNames {
  readonly #out = new Map<string, string>()
  readonly #back = new Map<string, string>()

  constructor(params: JsonObject) {
    const { tools, messages } = readRequest(params)
    const names = [
      ...tools.map(({ name }) => name),
      ...messages.flatMap(({ blocks }) => blocks.filter(isToolUse).map(({ name }) => stringOf(name))),
    ]
    // Names that can stay unchanged come first, so that no replacement takes one of them.
    for (const name of names) if (PERMITTED.test(name)) this.#pair(name, name)
    for (const name of names) if (!this.#out.has(name)) this.#pair(name, this.#free(name))
  }

  /** Names that were replaced. */
  get renamed(): readonly (readonly [string, string])[] {
    return [...this.#out].filter(([name, alias]) => name !== alias)
  }

  out(name: string): string {
    return this.#out.get(name) ?? name
  }

  back(alias: string): string {
    return this.#back.get(alias) ?? alias
  }

  #pair(name: string, alias: string): void {
    this.#out.set(name, alias)
    this.#back.set(alias, name)
  }

  #free(name: string): string {
    const plain = name.replace(/[^\w-]+/g, '_').slice(0, 60) || 'tool'
    let alias = plain
    for (let number = 2; this.#back.has(alias); number++) alias = `${plain.slice(0, 56)}_${number}`
    return alias
  }
}
