/**
 * Whether a call may, must or must not request to run as a task.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#tool-level-negotiation (TASK-02,
 * TASK-03)
 */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject, Peer } from '../../mcp/index.ts'
import { offersTasks } from '../tasks/index.ts'
import { taskSupportOf, type ToolItem } from './tool-item.ts'

export type TaskGate = 'may' | 'must' | 'forbidden' | 'no-capability' | 'server-decides'

/** `undefined` if neither the server nor the tool mentions tasks. */
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
