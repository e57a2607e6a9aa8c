/**
 * The kernel as the client under test of the official conformance suite. Headless: runs in Node and in a page.
 *
 * It does what any client would (connect, list what the server has, use it) and what the scenario's description asks
 * for. It never fakes a header or a message: everything on the wire comes from the kernel.
 */
import {
  headerPlan,
  isObject,
  isRevision,
  Session,
  StreamableHttpTransport,
  Trace,
  type Answers,
  type Json,
  type JsonObject,
  type Revision,
} from '../../web/mcp/index.ts'
import type { SignIn } from '../../web/oauth/sign-in.ts'
import { isAboutSignIn, isRefusal, signInFor } from './sign-in.ts'
import { argumentsFor, contentFor } from './values.ts'

export interface ConformanceRun {
  readonly serverUrl: string
  /** `MCP_CONFORMANCE_SCENARIO` */
  readonly scenario: string
  /** `MCP_CONFORMANCE_CONTEXT`: input that some scenarios need. */
  readonly context?: JsonObject
  /** The protocol version to use (`MCP_CONFORMANCE_PROTOCOL_VERSION`); absent: negotiated, as with any server. */
  readonly protocolVersion?: string
  /** Negotiate the protocol version anyway, and fail if it is a different one. */
  readonly detect?: boolean
  /** Default: the runtime's own. This is where a relay is plugged in. */
  readonly fetch?: typeof fetch
  /**
   * Opens the sign-in URL as a user would; resolves with the URL the browser was redirected to. Default: `fetch`
   * follows the redirects.
   */
  readonly authorize?: (url: URL) => Promise<URL>
  /** The redirect URI for `authorize`. */
  readonly redirectUri?: string
}

/**
 * Runs one scenario and resolves when it is done.
 * @throws {Error} that says what the scenario needed but didn't get
 */
export const runConformance = async (run: ConformanceRun): Promise<void> => {
  const act = ACTS[run.scenario] ?? (isAboutSignIn(run.scenario) ? callAll : undefined)
  if (!act) {
    throw new Error(`The scenario ${run.scenario || '(none)'} is not known here: add what it asks for to ACTS`)
  }
  const visit = new Visit(run)
  try {
    await signedIn(visit, async () => {
      await visit.open()
      await act(visit, run)
    })
  } catch (error) {
    throw new Error(`${run.scenario}: ${error instanceof Error ? error.message : String(error)}\n${visit.tail()}`, {
      cause: error,
    })
  } finally {
    await visit.session.close()
  }
}

/** A server that moves to another authorization server requires a second sign-in (AU-REG-12). */
const MOST_SIGN_INS = 2

/** Runs `work`, and again after each sign-in the server required; step-ups need no help. */
const signedIn = async ({ signIn }: Visit, work: () => Promise<void>): Promise<void> => {
  for (let signIns = 0; ; signIns++) {
    try {
      return await work()
    } catch (error) {
      if (!isRefusal(error) || signIns === MOST_SIGN_INS) throw error
      if (!(await signIn.begin('automatic'))) throw signIn.error ?? error
    }
  }
}

type Act = (visit: Visit, run: ConformanceRun) => Promise<void>

/** A tool with invalid header annotations must not be called over HTTP (TR-XH-06). */
const callable = (tool: JsonObject): boolean => headerPlan(tool.inputSchema).issues.length === 0

/** Enough for all scenarios with sign-in: the suite looks at what happens in between. */
const callAll: Act = async (visit) => {
  for (const tool of await visit.list('tools/list', 'tools')) {
    if (callable(tool)) await visit.callTool(nameOf(tool), argumentsFor(tool.inputSchema))
  }
}

/** By scenario name. */
const ACTS: Readonly<Record<string, Act>> = {
  // The suite looks at the handshake only.
  initialize: async () => {},

  tools_call: callAll,

  // The tool sends an elicitation; the response holds the defaults of its schema.
  'elicitation-sep1034-client-defaults': callAll,

  // The response arrives on a stream that is resumed after the retry time the server sent.
  'sse-retry': callAll,

  // The first request is rejected because of its protocol version and must be sent again.
  'request-metadata': async (visit) => void (await visit.list('tools/list', 'tools')),

  // Two of its tools request input. All run at once, and one more while each request is open: the state of one call
  // must not appear in another.
  'sep-2322-client-request-state': async (visit) => {
    const tools = (await visit.list('tools/list', 'tools')).map(nameOf)
    visit.whileAsked = () => visit.callTool('test_mrtr_unrelated', {})
    await Promise.all(tools.map((name) => visit.callTool(name, {})))
  },

  'http-standard-headers': async (visit) => {
    await callAll(visit, visit.run)
    for (const { uri } of await visit.list('resources/list', 'resources')) {
      await visit.session.request('resources/read', { uri: uri ?? '' })
    }
    for (const prompt of await visit.list('prompts/list', 'prompts')) {
      await visit.session.request('prompts/get', { name: nameOf(prompt) })
    }
  },

  // The suite names the tools to call and their arguments.
  'http-custom-headers': async (visit, { context }) => {
    const calls = context?.toolCalls
    if (!Array.isArray(calls)) throw new Error('the context names no toolCalls')
    const tools = new Set((await visit.list('tools/list', 'tools')).filter(callable).map(nameOf))
    for (const call of calls as readonly Json[]) {
      if (!isObject(call) || !isObject(call.arguments)) throw new Error('a call of the context has no arguments')
      if (!tools.has(nameOf(call))) throw new Error(`the tool ${nameOf(call)} is not there, or may not be called`)
      await visit.callTool(nameOf(call), call.arguments)
    }
  },

  // Eleven of its twelve tools must not be called.
  'http-invalid-tool-headers': callAll,

  // The schema references a URL that must not be fetched; calling the tool isn't part of the scenario.
  'json-schema-ref-no-deref': async (visit) => {
    for (const tool of await visit.list('tools/list', 'tools')) argumentsFor(tool.inputSchema)
  },

  // The schema of one tool is sent back through another.
  'json-schema-2020-12-preservation': async (visit) => {
    const tools = await visit.list('tools/list', 'tools')
    const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema
    if (schema === undefined) throw new Error('there is no tool json_schema_2020_12_tool with an inputSchema')
    await visit.callTool('json_schema_echo', { schema })
  },
}

/** The scenarios that `runConformance` supports. */
export const SCENARIOS: readonly string[] = Object.keys(ACTS)

const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '')

/** More pages than this can't be a valid list. */
const MOST_PAGES = 20
/** Link ID of the only connection. */
const LINK = 'conformance'
/** Number of frames shown after a failure, and characters of each. */
const TAIL = 40
const LONGEST_LINE = 2000

/** A connection of the client to a scenario's server. */
class Visit {
  readonly run: ConformanceRun
  /** Does nothing if the server requires no sign-in. */
  readonly signIn: SignIn
  session: Session
  /** Runs before a server request is answered. */
  whileAsked: (() => Promise<unknown>) | undefined
  readonly #trace = new Trace()
  readonly #pinned: Revision | undefined

  constructor(run: ConformanceRun) {
    const { protocolVersion, detect } = run
    this.run = run
    this.#pinned = protocolVersion === undefined || detect ? undefined : revisionOf(protocolVersion)
    this.signIn = signInFor(run, { trace: this.#trace, link: LINK, pinned: this.#pinned })
    this.session = this.#newSession()
  }

  #newSession(): Session {
    const { serverUrl: url, fetch } = this.run
    const pinned = this.#pinned
    return new Session({
      trace: this.#trace,
      link: LINK,
      transport: new StreamableHttpTransport({ url, authorizer: this.signIn.credential, ...(fetch ? { fetch } : {}) }),
      clientInfo: { name: 'mcp-periscope-conformance', title: 'Periscope', version: '0.1.0' },
      capabilities: () => ({ roots: {}, sampling: {}, elicitation: {} }),
      answers: this.#answers(),
      ...(pinned === undefined ? {} : { pinned }),
    })
  }

  /**
   * Does nothing if the session is open; replaces a session that couldn't be opened.
   * @throws {Error} if the negotiated protocol version isn't the expected one
   */
  async open(): Promise<void> {
    if (this.session.state === 'open') return
    if (this.session.state !== 'idle') this.session = this.#newSession()
    const { revision } = await this.session.open()
    const { protocolVersion } = this.run
    if (protocolVersion !== undefined && revision !== protocolVersion) {
      throw new Error(`the session speaks ${revision}, not ${protocolVersion}`)
    }
  }

  /** All pages of a list. */
  async list(method: string, key: string): Promise<JsonObject[]> {
    const found: JsonObject[] = []
    let cursor: Json | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const result = await this.session.request(method, cursor === undefined ? undefined : { cursor })
      const items = result[key]
      if (!Array.isArray(items)) throw new Error(`the result of ${method} has no ${key}`)
      found.push(...(items as readonly Json[]).filter(isObject))
      cursor = result.nextCursor
      if (typeof cursor !== 'string') return found
    }
    throw new Error(`${method} goes on after ${MOST_PAGES} pages`)
  }

  /** @throws {Error} if the tool reports an error */
  async callTool(name: string, input: JsonObject): Promise<JsonObject> {
    const result = await this.session.request('tools/call', { name, arguments: input })
    if (result.isError === true) throw new Error(`the tool ${name} failed: ${JSON.stringify(result.content)}`)
    return result
  }

  /** The responses of a user who accepts everything. */
  #answers(): Answers {
    return {
      'elicitation/create': async ({ requestedSchema }) => {
        await this.whileAsked?.()
        return { action: 'accept', content: contentFor(requestedSchema) }
      },
      'sampling/createMessage': () => ({
        role: 'assistant',
        content: { type: 'text', text: 'A periscope shows what is above the water.' },
        model: 'none',
        stopReason: 'endTurn',
      }),
      'roots/list': () => ({ roots: [] }),
    }
  }

  /** The last frames, one per line, for debugging. */
  tail(): string {
    return [...this.#trace]
      .slice(-TAIL)
      .map((frame) => JSON.stringify(frame).slice(0, LONGEST_LINE))
      .join('\n')
  }
}

/** @throws {Error} for an unknown protocol version */
const revisionOf = (version: string): Revision => {
  if (!isRevision(version)) throw new Error(`${version} is no revision of MCP that Periscope speaks`)
  return version
}
