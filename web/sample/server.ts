/**
 * The sample server: a real MCP server inside the page, so that even a static copy of Periscope without a network can
 * demonstrate an inspector. It supports the handshake versions from 2025-03-26 on, over the loopback.
 *
 * Its content is the same every time; only `count-slowly` depends on time.
 */
import {
  ErrorCode,
  type Json,
  type JsonObject,
  type LoopbackServer,
  type RequestId,
  type Revision,
  isObject,
  isRequestId,
  read,
} from '../mcp/index.ts'
import { sampleData } from './data.ts'
import {
  VISITS,
  complete,
  prompt,
  promptsFor,
  read as readResource,
  resourcesFor,
  templatesFor,
} from './resources-and-prompts.ts'
import { BadArguments, Refusal, type SampleTool, type Shelf, text } from './tool.ts'
import { SAMPLE_TOOLS } from './tools.ts'

type Reply = { readonly result: JsonObject } | { readonly error: JsonObject }

/** The sample server's requests to the client that await a response. */
class ClientRequests {
  readonly #post: (message: JsonObject) => void
  readonly #open = new Map<string, (reply: Reply) => void>()
  #count = 0

  constructor(post: (message: JsonObject) => void) {
    this.#post = post
  }

  /** @throws the reason of `signal`; the request is then cancelled (UT-CANC-01) */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<Reply> {
    const id = `sample-${++this.#count}`
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (!this.#open.delete(id)) return
        this.#post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
        reject(new Error('cancelled'))
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#open.set(id, (reply) => {
        signal.removeEventListener('abort', stop)
        resolve(reply)
      })
      this.#post({ jsonrpc: '2.0', id, method, params })
    })
  }

  /** Ignores a response to a request that was never sent. */
  settle(message: JsonObject): void {
    const { id, result, error } = message
    if (typeof id !== 'string') return
    const resolve = this.#open.get(id)
    if (!resolve) return
    this.#open.delete(id)
    resolve(isObject(result) ? { result } : { error: isObject(error) ? error : {} })
  }
}

export interface SampleOptions {
  /** Resolves after `ms`; rejects when `signal` aborts. Tests pass their own. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Replaces the usual tools. */
  readonly tools?: readonly SampleTool[]
}

const SPOKEN: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25']
const NEWEST: Revision = '2025-11-25'
const PAGE = 10
/** Maximum number of tools that `add-tool` may add, so that a loop can't fill the memory. */
const ADDED_MAX = 50

/** The error code of `resources/read` for a missing resource, up to 2025-11-25. */
const NOT_FOUND = -32002
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const INSTRUCTIONS = `This server lives in the page and touches nothing outside it. A walk through:
1. Run "echo", then follow "show in trace" to see every message of the call.
2. Run "count-slowly" for progress; run it again and cancel it.
3. "weather" and "add" answer with structured content that is checked against their outputSchema.
4. "fail" and "break" show the two ways a call can go wrong.
5. "add-tool" changes the list while you look at it.
6. "ask-you" asks you, "ask-a-model" a model: the questions wait in the call and in the Inbox.
7. Subscribe to the resource "visits", then run "count-visit"; "write-log" fills the log.
8. Data sources, all in memory: objects ("put-object"), a REST API ("list-orders"), a database ("query") and code ("evaluate").`

export const createSampleServer = (options: SampleOptions = {}): LoopbackServer => ({
  connect(reply) {
    const connection = new Connection((message) => reply(JSON.stringify(message)), options)
    return { receive: (line) => connection.receive(line), close: () => connection.close() }
  },
})

/** @returns the result. @throws {Refusal} */
type Handler = (params: JsonObject, revision: Revision, signal: AbortSignal) => JsonObject | Promise<JsonObject>

class Connection {
  readonly #post: (message: Json) => void
  readonly #wait: NonNullable<SampleOptions['wait']>
  readonly #tools: readonly SampleTool[]
  readonly #added: SampleTool[] = []
  readonly #running = new Map<RequestId, AbortController>()
  readonly #clientRequests: ClientRequests
  readonly #subscribed = new Set<string>()
  readonly #data = sampleData()
  #level = 0
  #visits = 0
  #revision: Revision | undefined
  #closed = false

  constructor(post: (message: Json) => void, { wait = sleep, tools = SAMPLE_TOOLS }: SampleOptions) {
    this.#post = (message) => {
      if (!this.#closed) post(message)
    }
    this.#clientRequests = new ClientRequests(this.#post)
    this.#wait = wait
    this.#tools = tools
  }

  receive(line: string): void {
    const { type, message } = read(line)
    if (message === undefined) return this.#post(errorOf(undefined, new Refusal(ErrorCode.ParseError, 'Not JSON')))
    if (type === 'batch') return void this.#batch(message as readonly Json[])
    void this.#one(message).then((answer) => answer && this.#post(answer))
  }

  close(): void {
    this.#closed = true
    for (const controller of this.#running.values()) controller.abort()
    this.#running.clear()
  }

  /** Batches exist in 2025-03-26 only, and never hold `initialize` (BP-20 and following). */
  async #batch(messages: readonly Json[]): Promise<void> {
    if (this.#revision !== '2025-03-26' || messages.length === 0) {
      return this.#post(
        errorOf(undefined, new Refusal(ErrorCode.InvalidRequest, 'Batches are not part of this revision')),
      )
    }
    const answers = (await Promise.all(messages.map((message) => this.#one(message)))).filter(
      (answer) => answer !== undefined,
    )
    if (answers.length > 0) this.#post(answers)
  }

  async #one(message: Json): Promise<JsonObject | undefined> {
    if (!isObject(message) || typeof message.method !== 'string') {
      if (isObject(message) && ('result' in message || 'error' in message)) {
        this.#clientRequests.settle(message)
        return undefined
      }
      return errorOf(undefined, new Refusal(ErrorCode.InvalidRequest, 'Not a JSON-RPC request'))
    }
    const params = isObject(message.params) ? message.params : {}
    if (!('id' in message)) return void this.#notified(message.method, params)
    if (!isRequestId(message.id))
      return errorOf(undefined, new Refusal(ErrorCode.InvalidRequest, 'id must be a string or an integer'))
    const id = message.id
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const result = await this.#answer(message.method, params, controller.signal)
      // UT-CANC: a cancelled request gets no response.
      return controller.signal.aborted ? undefined : { jsonrpc: '2.0', id, result }
    } catch (thrown) {
      return controller.signal.aborted ? undefined : errorOf(id, thrown)
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id)
    }
  }

  #notified(method: string, params: JsonObject): void {
    if (method !== 'notifications/cancelled' || !isRequestId(params.requestId)) return
    this.#running.get(params.requestId)?.abort()
  }

  #answer(method: string, params: JsonObject, signal: AbortSignal): JsonObject | Promise<JsonObject> {
    if (method === 'ping') return {}
    if (method === 'initialize') return this.#initialize(params)
    if (!Object.hasOwn(this.#handlers, method))
      throw new Refusal(ErrorCode.MethodNotFound, `This server has no method ${method}`)
    if (this.#revision === undefined) throw new Refusal(ErrorCode.InvalidRequest, `${method} came before initialize`)
    return this.#handlers[method]!(params, this.#revision, signal)
  }

  /** The methods that require an open session. */
  readonly #handlers: Readonly<Record<string, Handler>> = {
    'tools/list': (params, revision) => this.#list(params, revision),
    'tools/call': (params, revision, signal) => this.#call(params, revision, signal),
    'resources/list': (_, revision) => resourcesFor(revision),
    'resources/templates/list': (_, revision) => templatesFor(revision),
    'resources/read': (params) => this.#read(params),
    'resources/subscribe': (params) => this.#subscribe(params, true),
    'resources/unsubscribe': (params) => this.#subscribe(params, false),
    'prompts/list': (_, revision) => promptsFor(revision),
    'prompts/get': (params) => this.#prompt(params),
    'completion/complete': (params) => complete(params, this.#data),
    'logging/setLevel': (params) => this.#setLevel(params),
  }

  #read({ uri }: JsonObject): JsonObject {
    const result = readResource(uri, { visits: this.#visits, data: this.#data })
    if (!result) throw new Refusal(NOT_FOUND, 'Resource not found', { uri: uri ?? null })
    return result
  }

  #subscribe({ uri }: JsonObject, on: boolean): JsonObject {
    if (typeof uri !== 'string') throw new Refusal(ErrorCode.InvalidParams, 'uri must be a string')
    if (on) this.#subscribed.add(uri)
    else this.#subscribed.delete(uri)
    return {}
  }

  #prompt({ name, arguments: given }: JsonObject): JsonObject {
    const result = prompt(name, given)
    if (isObject(result)) return result
    const why = typeof result === 'string' ? result : `There is no prompt ${JSON.stringify(name ?? null)}`
    throw new Refusal(ErrorCode.InvalidParams, why)
  }

  #setLevel({ level }: JsonObject): JsonObject {
    const at = typeof level === 'string' ? LEVELS.indexOf(level) : -1
    if (at < 0) throw new Refusal(ErrorCode.InvalidParams, `There is no level ${JSON.stringify(level ?? null)}`)
    this.#level = at
    return {}
  }

  #initialize(params: JsonObject): JsonObject {
    if (typeof params.protocolVersion !== 'string') {
      throw new Refusal(ErrorCode.InvalidParams, 'protocolVersion must be a string')
    }
    this.#revision = SPOKEN.find((revision) => revision === params.protocolVersion) ?? NEWEST
    return {
      protocolVersion: this.#revision,
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        logging: {},
      },
      serverInfo: {
        name: 'periscope-sample',
        ...(this.#revision >= '2025-06-18' ? { title: 'Sample server' } : {}),
        version: '1.0.0',
      },
      instructions: INSTRUCTIONS,
    }
  }

  #list({ cursor }: JsonObject, revision: Revision): JsonObject {
    const all = [...this.#tools, ...this.#added]
    const start = cursor === undefined ? 0 : offsetOf(cursor)
    if (start === undefined || (start > 0 && start >= all.length)) {
      throw new Refusal(ErrorCode.InvalidParams, 'This cursor is not one of ours, or the list has become shorter')
    }
    const end = start + PAGE
    return {
      tools: all.slice(start, end).map((tool) => declarationFor(tool, revision)),
      ...(end < all.length ? { nextCursor: cursorOf(end) } : {}),
    }
  }

  async #call(params: JsonObject, revision: Revision, signal: AbortSignal): Promise<JsonObject> {
    const tool = [...this.#tools, ...this.#added].find(({ declaration }) => declaration.name === params.name)
    if (!tool) throw new Refusal(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name ?? null)}`)
    if (params.arguments !== undefined && !isObject(params.arguments)) {
      throw new Refusal(ErrorCode.InvalidParams, 'arguments must be an object')
    }
    const token = isObject(params._meta) ? params._meta.progressToken : undefined
    try {
      const result = await tool.run({
        arguments: params.arguments ?? {},
        revision,
        shelf: this.#shelf,
        data: this.#data,
        wait: (ms) => this.#wait(ms, signal),
        ask: (method, request) => this.#clientRequests.ask(method, request, signal),
        log: (level, logger, data) => {
          if (LEVELS.indexOf(level) >= this.#level) this.#notify('notifications/message', { level, logger, data })
        },
        visit: () => {
          this.#visits++
          if (this.#subscribed.has(VISITS)) this.#notify('notifications/resources/updated', { uri: VISITS })
          return this.#visits
        },
        progress: (progress, total, message) => {
          if (!isRequestId(token) || signal.aborted) return
          this.#notify('notifications/progress', { progressToken: token, progress, total, message })
        },
      })
      const { structuredContent: _, ...older } = result
      return revision >= '2025-06-18' ? result : older
    } catch (thrown) {
      if (!(thrown instanceof BadArguments)) throw thrown
      // SF-TOOL-19: since 2025-11-25, the model should see what was wrong with its arguments.
      if (revision < '2025-11-25') throw new Refusal(ErrorCode.InvalidParams, thrown.message)
      return { content: [text(`Invalid arguments: ${thrown.message}`)], isError: true }
    }
  }

  readonly #shelf: Shelf = {
    add: (tool) => {
      const { name } = tool.declaration
      const taken = [...this.#tools, ...this.#added].some(({ declaration }) => declaration.name === name)
      if (taken || this.#added.length >= ADDED_MAX) return false
      this.#added.push(tool)
      this.#notify('notifications/tools/list_changed')
      return true
    },
    clear: () => {
      const { length } = this.#added.splice(0)
      if (length > 0) this.#notify('notifications/tools/list_changed')
      return length
    },
  }

  #notify(method: string, params?: JsonObject): void {
    this.#post({ jsonrpc: '2.0', method, ...(params ? { params } : {}) })
  }
}

const errorOf = (id: RequestId | undefined, thrown: unknown): JsonObject => {
  const { code, message, data } =
    thrown instanceof Refusal
      ? thrown
      : new Refusal(ErrorCode.InternalError, `The sample server failed: ${String(thrown)}`)
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

/** Opaque to the client, as a cursor should be. */
const cursorOf = (offset: number): string => btoa(`from ${offset}`)

const offsetOf = (cursor: Json): number | undefined => {
  if (typeof cursor !== 'string') return undefined
  try {
    const found = /^from (\d{1,6})$/.exec(atob(cursor))
    return found ? Number(found[1]) : undefined
  } catch {
    return undefined
  }
}

/** Omits members that the protocol version doesn't have yet: `title` and `outputSchema` were added in 2025-06-18. */
const declarationFor = ({ declaration }: SampleTool, revision: Revision): JsonObject => {
  if (revision >= '2025-06-18') return declaration
  const { title: _, outputSchema: __, ...older } = declaration as JsonObject
  return older
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('cancelled'))
    const stop = () => {
      clearTimeout(timer)
      reject(new Error('cancelled'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
