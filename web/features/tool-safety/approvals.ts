/**
 * The user's policy and approved tools, by server, on this device. They survive the tab: a policy that is gone after a
 * reload would be forgotten in the habit of pressing Run. The name of a server is its URL or command line without
 * secrets, as for recent servers. Definitions are kept whole, because a later change is shown against them.
 */
import { isObject, Signal, type Json } from '../../mcp/index.ts'
import { storedJson, type Store } from '../../ui/index.ts'
import { isSameDefinition, type Definition } from './definition.ts'
import { isToolPolicy, type Approval, type ToolPolicy } from './policy.ts'

export interface ApprovedTool {
  readonly tool: string
  readonly definition: Definition
  /** ms since the epoch. */
  readonly at: number
}

/** What the user decided about one server. */
interface ServerApprovals {
  /** Absent: the default. */
  readonly policy?: ToolPolicy
  readonly approved: readonly ApprovedTool[]
}

const NAME = 'periscope.tool-safety'
/** The user's default for servers without a policy of their own. */
const DEFAULT = 'periscope.tool-policy'
const MOST_SERVERS = 100
const MOST_TOOLS = 500
/** Characters of all servers as JSON; the storage of a page holds 5 million. */
const LONGEST = 1_500_000

type Servers = readonly (readonly [server: string, approvals: ServerApprovals])[]

const NONE: ServerApprovals = { approved: [] }

export class Approvals {
  readonly #store: Store
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  /** The text that was read last, and its value: a run of tests asks for each of its calls. */
  #read: { readonly text: string; readonly servers: Servers } = { text: '', servers: [] }
  /** What the browser doesn't store: it is full, or storage is denied. It then ends with the page. */
  #unstored: string | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Read each time, because another tab may have withdrawn an approval. */
  of(server: string): ServerApprovals {
    return this.#servers.find(([name]) => name === server)?.[1] ?? NONE
  }

  get default(): ToolPolicy | undefined {
    const stored = this.#store.getItem(DEFAULT)
    return isToolPolicy(stored) ? stored : undefined
  }
  set default(policy: ToolPolicy | undefined) {
    if (policy) this.#store.setItem(DEFAULT, policy)
    else this.#store.removeItem(DEFAULT)
    this.#changes.emit()
  }

  /** @param policy `undefined`: the default */
  setPolicy(server: string, policy: ToolPolicy | undefined): void {
    const { policy: _, ...rest } = this.of(server)
    this.#write(server, policy ? { ...rest, policy } : rest)
  }

  approve(server: string, tool: string, definition: Definition): void {
    const before = this.of(server)
    const others = before.approved.filter((one) => one.tool !== tool)
    const approved = [...others, { tool, definition, at: Date.now() }].slice(-MOST_TOOLS)
    this.#write(server, { ...before, approved })
  }

  withdraw(server: string, tool: string): void {
    const before = this.of(server)
    this.#write(server, { ...before, approved: before.approved.filter((one) => one.tool !== tool) })
  }

  /** Policy and approved tools. */
  forget(server: string): void {
    this.#write(server, NONE)
  }

  get #servers(): Servers {
    const text = this.#unstored ?? this.#store.getItem(NAME) ?? ''
    if (text !== this.#read.text) this.#read = { text, servers: readServers({ getItem: () => text }) }
    return this.#read.servers
  }

  #write(server: string, approvals: ServerApprovals): void {
    const others = this.#servers.filter(([name]) => name !== server)
    const isEmpty = approvals.approved.length === 0 && approvals.policy === undefined
    let next = isEmpty ? others : [...others, [server, approvals] as const].slice(-MOST_SERVERS)
    // Servers decided about longest ago go first; never the one that this is about.
    while (next.length > 1 && JSON.stringify(next).length > LONGEST) next = next.slice(1)
    const text = JSON.stringify(next)
    this.#store.setItem(NAME, text)
    this.#unstored = this.#store.getItem(NAME) === text ? undefined : text
    this.#changes.emit()
  }
}

/** Validated, because other code may have written it. What isn't valid was never approved. */
const readServers = (store: Pick<Store, 'getItem'>): Servers => {
  const found = storedJson(store as Store, NAME)
  if (!Array.isArray(found)) return []
  return (found as readonly Json[]).flatMap((entry): Servers => {
    if (!Array.isArray(entry)) return []
    const [server, value] = entry as readonly Json[]
    if (typeof server !== 'string' || value === undefined || !isObject(value)) return []
    const { policy, approved } = value
    const tools = Array.isArray(approved) ? (approved as readonly Json[]).flatMap(readTool) : []
    return [[server, { ...(isToolPolicy(policy) ? { policy } : {}), approved: tools }]]
  })
}

const readTool = (value: Json): readonly ApprovedTool[] => {
  if (!isObject(value)) return []
  const { tool, definition, at } = value
  if (typeof tool !== 'string' || !Array.isArray(definition) || !(definition as readonly Json[]).every(isObject))
    return []
  return [{ tool, definition, at: typeof at === 'number' ? at : 0 }]
}

/** What an approval says of the definition that is listed now. */
export const approvalOf = (approved: Definition | undefined, now: Definition): Approval =>
  approved === undefined ? 'none' : isSameDefinition(approved, now) ? 'same' : 'changed'
