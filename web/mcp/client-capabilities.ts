/** The client capabilities that a user can withhold from a server, and the refusal of requests that need them. */
import { ProtocolError } from './errors.ts'
import type { Json, JsonObject } from './frame.ts'
import { ErrorCode, isObject } from './jsonrpc.ts'
import { TASKS_EXTENSION } from './meta-keys.ts'
import type { Revision } from './revision.ts'

/** Their paths in the capabilities, and the protocol versions that have them (LC-10). */
const SWITCHES = {
  roots: [undefined, undefined],
  'roots.listChanged': [undefined, '2025-11-25'],
  sampling: [undefined, undefined],
  'sampling.tools': ['2025-11-25', undefined],
  'sampling.context': ['2025-11-25', undefined],
  elicitation: ['2025-06-18', undefined],
  'elicitation.form': ['2025-06-18', undefined],
  'elicitation.url': ['2025-11-25', undefined],
  tasks: ['2025-11-25', '2025-11-25'],
  'tasks.requests.sampling': ['2025-11-25', '2025-11-25'],
  'tasks.requests.elicitation': ['2025-11-25', '2025-11-25'],
  [`extensions.${TASKS_EXTENSION}`]: ['2026-07-28', undefined],
} as const satisfies Readonly<Record<string, readonly [since: Revision | undefined, until: Revision | undefined]>>

export type ClientCapability = keyof typeof SWITCHES

export const CLIENT_CAPABILITIES = Object.keys(SWITCHES) as readonly ClientCapability[]

/** @param revision absent: any version */
export const existsIn = (capability: ClientCapability, revision: Revision | undefined): boolean => {
  const [since = '', until = '9'] = SWITCHES[capability]
  return revision === undefined || (since <= revision && revision <= until)
}

/** The capability that it is a part of: `sampling` for `sampling.tools`. */
export const wholeOf = (capability: ClientCapability): ClientCapability | undefined =>
  CLIENT_CAPABILITIES.find((other) => capability.startsWith(`${other}.`))

/** The capabilities without which this one isn't declared either. */
export const neededFor = (capability: ClientCapability): readonly ClientCapability[] =>
  CLIENT_CAPABILITIES.filter((other) => capability.startsWith(`${other}.`) || capability === `tasks.requests.${other}`)

/** Requests run as tasks only if they are supported at all, and tasks exist only for requests (TASK-01). */
const withTasks = (withheld: readonly ClientCapability[], { elicitation }: JsonObject): readonly ClientCapability[] => {
  const off = new Set(withheld)
  const modes = isObject(elicitation) ? Object.keys(elicitation) : []
  const noMode = modes.length > 0 && modes.every((mode) => off.has(`elicitation.${mode}` as ClientCapability))
  if (off.has('sampling')) off.add('tasks.requests.sampling')
  if (off.has('elicitation') || noMode) off.add('tasks.requests.elicitation')
  if (off.has('tasks.requests.sampling') && off.has('tasks.requests.elicitation')) off.add('tasks')
  return [...off]
}

/** An empty object declares these; an empty `elicitation` would declare form mode (CF-ELIC-01). */
const WITHOUT_PARTS: ReadonlySet<string> = new Set(['roots', 'sampling'])

/** The capabilities without those in `withheld`, and without containers that would be empty. */
export const withholding = (capabilities: JsonObject, withheld: readonly ClientCapability[]): JsonObject => {
  const { elicitation } = capabilities
  const formOnly = isObject(elicitation) && Object.keys(elicitation).length === 0
  return withTasks(withheld, capabilities).reduce<JsonObject>((all, path) => {
    // Before 2025-11-25, form mode is all of elicitation.
    const whole = formOnly && path === 'elicitation.form' ? 'elicitation' : path
    return omit(all, stepsOf(whole), '') ?? {}
  }, capabilities)
}

/** The extension's name has dots of its own. */
const stepsOf = (path: string): readonly string[] =>
  path.startsWith('extensions.') ? ['extensions', path.slice('extensions.'.length)] : path.split('.')

const omit = (from: JsonObject, [step, ...deeper]: readonly string[], name: string): JsonObject | undefined => {
  const inner = step === undefined ? undefined : from[step]
  if (step === undefined || inner === undefined) return from
  const { [step]: _, ...rest } = from
  const left: Json | undefined = deeper.length > 0 && isObject(inner) ? omit(inner, deeper, step) : undefined
  const result: JsonObject = left === undefined ? rest : { ...from, [step]: left }
  return Object.keys(result).length > 0 || WITHOUT_PARTS.has(name) ? result : undefined
}

/**
 * The error for a request that needs a withheld capability: -32601 if the method needs it, -32602 if only its
 * parameters do (CF-SAMP-08, CF-ELIC-05); `undefined` if it may be answered.
 */
export const refusalOf = (
  method: string,
  params: JsonObject,
  withheld: readonly ClientCapability[],
  revision: string | undefined,
): ProtocolError | undefined => {
  const off = (capability: ClientCapability) => withheld.includes(capability)
  const whole = { 'roots/list': 'roots', 'sampling/createMessage': 'sampling', 'elicitation/create': 'elicitation' }[
    method
  ] as ClientCapability | undefined
  const noMode = off('elicitation.form') && (off('elicitation.url') || (revision ?? '9') < '2025-11-25')
  if (whole && (off(whole) || (whole === 'elicitation' && noMode))) {
    return new ProtocolError(
      ErrorCode.MethodNotFound,
      `Method not found: ${method}. The client didn't declare ${whole}`,
    )
  }
  const part = partOf(whole, params)
  if (!part || !off(part)) return undefined
  return new ProtocolError(ErrorCode.InvalidParams, `The client didn't declare ${part}`)
}

/** The part of a capability that the parameters of a request need. */
const partOf = (whole: ClientCapability | undefined, params: JsonObject): ClientCapability | undefined => {
  if (whole === 'sampling') return 'tools' in params || 'toolChoice' in params ? 'sampling.tools' : undefined
  if (whole !== 'elicitation') return undefined
  return params.mode === 'url' ? 'elicitation.url' : 'elicitation.form'
}
