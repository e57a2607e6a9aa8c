/** What every piece of garbage is made of. Plain data and pure functions: a test in a page uses them as well. */

/** A request that gets garbage. */
export interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params?: { readonly [key: string]: unknown }
}

export interface Garbage {
  readonly says: string
  /** The row of the checklist that it breaks. */
  readonly rule: string
  /** The era in which it is wrong, where the other allows it. */
  readonly era?: 'handshake' | 'modern'
  /**
   * What is sent instead of the answer: each a line, the data of an event, or (if it is the only one) a body. Where an
   * answer is to follow it is not among them, unless it has to be.
   */
  readonly make: (asked: Asked) => readonly (string | Uint8Array)[]
}

export type GarbageKinds = Readonly<Record<string, Garbage>>

/** An answer that would be well, but for `resultType` and the like: enough for any method. */
export const resultFor = (method: string): { [key: string]: unknown } => {
  const lists: Record<string, object> = {
    'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
    'resources/list': { resources: [] },
    'resources/templates/list': { resourceTemplates: [] },
    'prompts/list': { prompts: [] },
    'tools/call': { content: [{ type: 'text', text: 'garbage' }] },
    'prompts/get': { messages: [] },
    'resources/read': { contents: [] },
  }
  const list = Object.hasOwn(lists, method) ? lists[method] : {}
  return { ...list, resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
}

/** The member that holds the items of a list, or the like of it. */
export const memberOf = (method: string): string =>
  ({
    'tools/list': 'tools',
    'resources/list': 'resources',
    'resources/templates/list': 'resourceTemplates',
    'prompts/list': 'prompts',
    'prompts/get': 'messages',
    'resources/read': 'contents',
  })[method] ?? 'content'

export const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message })

export const answer = ({ id, method }: Asked, more: object = {}): string =>
  rpc({ id, result: resultFor(method), ...more })

/** One text that depends on the request. */
export const one = (says: string, rule: string, make: (asked: Asked) => string | Uint8Array): Garbage => ({
  says,
  rule,
  make: (asked) => [make(asked)],
})

/** Messages beside the answer. */
export const beside = (
  says: string,
  rule: string,
  make: (asked: Asked) => readonly object[],
  more: Partial<Garbage> = {},
): Garbage => ({ says, rule, make: (asked) => make(asked).map((message) => rpc(message)), ...more })

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A text whose `~` is these bytes. */
export const withBytes = (text: string, ...bytes: number[]): Uint8Array => {
  const [before = '', after = ''] = text.split('~')
  return Uint8Array.from([...utf8(before), ...bytes, ...utf8(after)])
}
