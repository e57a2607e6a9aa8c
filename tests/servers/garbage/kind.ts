/** Building blocks of garbage. Plain data and pure functions, because tests in a page use them as well. */

/** A request that gets garbage. */
export interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params?: { readonly [key: string]: unknown }
}

export interface Garbage {
  readonly says: string
  /** The checklist row that it violates. */
  readonly rule: string
  /** The lifecycle it is invalid in, if the other one allows it. */
  readonly era?: 'handshake' | 'modern'
  /**
   * Sent instead of the response: each item is a line, the data of an event, or (if it is the only one) a body. A
   * correct response that follows isn't among them, unless it has to be.
   */
  readonly make: (asked: Asked) => readonly (string | Uint8Array)[]
}

export type GarbageKinds = Readonly<Record<string, Garbage>>

/** A valid result, `resultType` and the like included, good enough for any method. */
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

/** The member that holds a list's items, or its equivalent. */
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

/** A single text that depends on the request. */
export const one = (says: string, rule: string, make: (asked: Asked) => string | Uint8Array): Garbage => ({
  says,
  rule,
  make: (asked) => [make(asked)],
})

/** Messages beside the response. */
export const beside = (
  says: string,
  rule: string,
  make: (asked: Asked) => readonly object[],
  more: Partial<Garbage> = {},
): Garbage => ({ says, rule, make: (asked) => make(asked).map((message) => rpc(message)), ...more })

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A text with its `~` replaced by these bytes. */
export const withBytes = (text: string, ...bytes: number[]): Uint8Array => {
  const [before = '', after = ''] = text.split('~')
  return Uint8Array.from([...utf8(before), ...bytes, ...utf8(after)])
}
