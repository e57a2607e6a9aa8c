/**
 * Whether a tool may run on this connection, what has to be shown first, and whether the call asks to run as a task.
 * Whether the user is asked is decided later, for every call alike (`tool-safety`).
 */
import { headerPlan, isObject, type HeaderIssue } from '../../mcp/index.ts'
import type { Json, JsonObject, Peer } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import { offersTasks } from '../tasks/index.ts'
import { inputSchemaOf, taskSupportOf, type ToolItem } from './tools-fold.ts'

/** Whether requests have headers that repeat arguments: in the stateless protocol, over HTTP (TR-STDIO-15). */
const mirrorsArguments = ({ peer, transport }: Pick<ServerView, 'peer' | 'transport'>): boolean =>
  peer?.era === 'stateless' && transport === 'Streamable HTTP'

/**
 * Why the tool must not be called: over HTTP, its `x-mcp-header` annotations must follow the rules (TR-XH-03 …
 * TR-XH-07). Such a tool stays visible, with the reason. Empty if it may be called.
 */
export const headerIssuesOf = (
  item: ToolItem,
  server: Pick<ServerView, 'peer' | 'transport'>,
): readonly HeaderIssue[] => {
  const schema = inputSchemaOf(item)
  return schema && mirrorsArguments(server) ? headerPlan(schema).issues : []
}

interface RunChecks {
  /** The arguments match the inputSchema. */
  readonly fits: boolean
  /** The tool may be called on this connection (TR-XH-06). */
  readonly allowed: boolean
  /** The problems are on screen: running again means running anyway. */
  readonly tried: boolean
}

/**
 * The effect of pressing Run. Problems come before the question whether to call the tool, so that the user doesn't
 * allow a call that is then held back.
 */
export const nextRunStep = ({ fits, allowed, tried }: RunChecks): 'show-problems' | 'call' =>
  (!fits || !allowed) && !tried ? 'show-problems' : 'call'

type TaskGate = 'may' | 'must' | 'forbidden' | 'no-capability' | 'server-decides'

/**
 * Whether a call may, must or must not ask to run as a task; `undefined` if neither the server nor the tool mentions
 * tasks.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#tool-level-negotiation (TASK-02,
 * TASK-03)
 */
export const taskGate = (item: ToolItem, peer: Peer | undefined): TaskGate | undefined => {
  if (!peer) return undefined
  const { capabilities, revision } = peer
  if (revision >= '2026-07-28') return offersTasks(capabilities, revision) ? 'server-decides' : undefined
  if (revision < '2025-11-25') return undefined
  const support = taskSupportOf(item)
  const wanted = support === 'optional' || support === 'required'
  if (!has(capabilities, 'tasks', 'requests', 'tools', 'call')) return wanted ? 'no-capability' : undefined
  return support === 'required' ? 'must' : support === 'optional' ? 'may' : 'forbidden'
}

const has = (value: Json | undefined, ...path: readonly string[]): boolean => {
  for (const key of path) value = isObject(value) ? value[key] : undefined
  return isObject(value)
}

/** The typed time to live: `undefined` if empty, `null` if it isn't an integer number of ms. */
export const ttlOf = (text: string): number | undefined | null => {
  if (text.trim() === '') return undefined
  return /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null
}

/**
 * `params.task` for the next call; `undefined` for an ordinary call. A tool that must run as a task does so unless the
 * user opts out.
 */
export const taskParams = (
  item: ToolItem,
  peer: Peer | undefined,
  { asTask, ttl }: { readonly asTask: boolean | undefined; readonly ttl: string },
): JsonObject | undefined => {
  const gate = taskGate(item, peer)
  if (!(gate === 'must' ? asTask !== false : gate === 'may' && asTask === true)) return undefined
  const wanted = ttlOf(ttl)
  return typeof wanted === 'number' ? { ttl: wanted } : {}
}

/** No argument is declared: none is allowed, or `properties` is there and empty, as generators write it. */
export const takesNothing = (schema: JsonObject): boolean =>
  (schema.additionalProperties === false ||
    (schema.additionalProperties === undefined && isObject(schema.properties))) &&
  Object.keys(isObject(schema.properties) ? schema.properties : {}).length === 0 &&
  (schema.required === undefined || (Array.isArray(schema.required) && schema.required.length === 0)) &&
  !['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties'].some((key) => key in schema)
