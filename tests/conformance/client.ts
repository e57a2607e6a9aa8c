/**
 * The kernel as the client under test of the official conformance suite. Headless: runs in Node and in a page.
 *
 * It does what any client would (connect, list what the server has, use it) and what the scenario asks for in its
 * description. It never fakes a header or a message: all that is on the wire is the kernel's own.
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
  /** `MCP_CONFORMANCE_CONTEXT`: what some scenarios ask for. */
  readonly context?: JsonObject
  /** The revision to speak (`MCP_CONFORMANCE_PROTOCOL_VERSION`); absent: found out, as for any server. */
  readonly protocolVersion?: string
  /** Find it out all the same, and fail where it is another one. */
  readonly detect?: boolean
  /** Default: the runtime's own. A relay lives inside this. */
  readonly fetch?: typeof fetch
  /**
   * Opens the address where a user would sign in; resolves with the address the browser came back to. Default: `fetch`
   * follows the redirects.
   */
  readonly authorize?: (url: URL) => Promise<URL>
  /** Where `authorize` comes back to. */
  readonly redirectUri?: string
}

/**
 * Does one scenario. Resolves when it is done.
 * @throws {Error} that says what did not go as the scenario needs it
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

/** A server that moves to another authorization server wants a second one (AU-REG-12). */
const MOST_SIGN_INS = 2

/** Does it, and once more each time that the server wanted a sign-in; step-ups need no help. */
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

/** A tool whose annotations for headers are wrong must not be called over HTTP (TR-XH-06). */
const callable = (tool: JsonObject): boolean => headerPlan(tool.inputSchema).issues.length === 0

/** All that the scenarios with sign-in need: what is looked at happens in between. */
const callAll: Act = async (visit) => {
  for (const tool of await visit.list('tools/list', 'tools')) {
    if (callable(tool)) await visit.callTool(nameOf(tool), argumentsFor(tool.inputSchema))
  }
}

/** By name of the scenario. */
const ACTS: Readonly<Record<string, Act>> = {
  // The handshake is all it looks at.
  initialize: async () => {},

  tools_call: callAll,

  // The tool asks; the answer holds the defaults of the schema it asks with.
  'elicitation-sep1034-client-defaults': callAll,

  // The answer comes on a stream that is begun again after the time the server named.
  'sse-retry': callAll,

  // The first request is refused for its version and must come again.
  'request-metadata': async (visit) => void (await visit.list('tools/list', 'tools')),

  // Two of its tools ask. All run at once, and one more in the middle of each question: what belongs to one call must
  // not show up with another.
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

  // The suite says which tools to call, and with what.
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

  // The schema refers to an address that must not be asked for; calling the tool is no part of it.
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

/** The scenarios that `runConformance` can do. */
export const SCENARIOS: readonly string[] = Object.keys(ACTS)

const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '')

/** More pages than this are no list. */
const MOST_PAGES = 20
/** Of the only connection. */
const LINK = 'conformance'
/** Frames shown when something went wrong, and characters of each. */
const TAIL = 40
const LONGEST_LINE = 2000

/** The client at the server of a scenario. */
class Visit {
  readonly run: ConformanceRun
  /** Signs nothing, and is asked nothing, where the server wants no sign-in. */
  readonly signIn: SignIn
  session: Session
  /** Done before a question is answered. */
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
   * Does nothing where the session is open; a new one takes the place of one that could not be opened.
   * @throws {Error} when another revision is spoken than the one to find out
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

  /** @throws {Error} when the tool says that it failed */
  async callTool(name: string, input: JsonObject): Promise<JsonObject> {
    const result = await this.session.request('tools/call', { name, arguments: input })
    if (result.isError === true) throw new Error(`the tool ${name} failed: ${JSON.stringify(result.content)}`)
    return result
  }

  /** Those of somebody who says yes to everything. */
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

  /** The last frames, one a line, for whoever looks for the cause. */
  tail(): string {
    return [...this.#trace]
      .slice(-TAIL)
      .map((frame) => JSON.stringify(frame).slice(0, LONGEST_LINE))
      .join('\n')
  }
}

/** @throws {Error} for a revision that nobody has heard of */
const revisionOf = (version: string): Revision => {
  if (!isRevision(version)) throw new Error(`${version} is no revision of MCP that Periscope speaks`)
  return version
}
