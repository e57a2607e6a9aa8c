/**
 * Compares the features of servers: of two servers, of two sessions, or of one server at different times. Each change is judged from
 * the point of view of a client built for the first.
 */
import { escapeToken, formatPointer } from '../json/index.ts'
import { getOrInsert, isObject, type Json, type JsonObject } from '../mcp/index.ts'
import type { ServerFeatures, FeatureList } from './server-features.ts'
import { key, own } from './schema-keywords.ts'
import { type Judgement, RANK, type SchemaChange, schemaChanges, type SchemaCode } from './schema-change.ts'
import { answerOf, type Step } from '../replay/index.ts'

type What = 'tool' | 'resource' | 'template' | 'prompt' | 'capability' | 'instructions' | 'revision' | 'server'

export type ChangeCode =
  | SchemaCode
  | 'added'
  | 'removed'
  | 'words'
  | 'claim'
  | 'destructive'
  | 'schema-added'
  | 'schema-removed'
  | 'task-required'
  | 'task-refused'
  | 'task'
  | 'argument-added'
  | 'argument-required'
  | 'argument-optional'
  | 'argument-removed'
  | 'media-type'
  | 'value'
  | 'not-listed'

export interface Change {
  readonly what: What
  /** The name of a tool or prompt, a URI, or the dotted path of a capability. */
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** JSON pointer into the item. */
  readonly pointer: string
  readonly code: ChangeCode
  readonly judgement: Judgement
  /** The keyword, argument or field that changed. */
  readonly about?: string
  readonly direction?: SchemaChange['direction']
  readonly renamedTo?: string
  /** For changes to a schema. */
  readonly side?: 'input' | 'output'
  readonly was?: Json
  readonly is?: Json
}

/** Maximum number of changes reported. */
const MOST = 10_000

/** Most severe first, then by type and name. Never throws. */
export const changesBetween = (before: ServerFeatures, after: ServerFeatures): readonly Change[] => {
  const changes = [
    ...identity(before, after),
    ...capabilities(before.capabilities, after.capabilities),
    ...LISTS.flatMap((list) => itemsOf(list, before, after)),
  ]
  return changes.toSorted((one, other) => RANK[one.judgement] - RANK[other.judgement]).slice(0, MOST)
}

/** Items whose names occur on both sides, for a side-by-side view. */
export const thingIn = (offer: ServerFeatures, what: What, name: string): Json | undefined => {
  const list = LISTS.find((each) => each.what === what)
  if (list) return keyed(offer[list.list] ?? [], list.id).get(name)
  if (what === 'capability') return offer.capabilities
  if (what === 'instructions') return offer.instructions
  return what === 'revision' ? offer.revision : offer.info
}

interface List {
  readonly list: FeatureList
  readonly what: What
  readonly id: string
  readonly compare: (was: JsonObject, is: JsonObject) => readonly Omit<Change, 'what' | 'name' | 'kind'>[]
}

type Part = ReturnType<List['compare']>[number]

const itemsOf = ({ list, what, id, compare }: List, before: ServerFeatures, after: ServerFeatures): Change[] => {
  const [old, now] = [before[list], after[list]]
  if (!old && !now) return []
  if (!old || !now) {
    // An unknown list isn't an empty list: nothing can be said about removed items.
    if ((old ?? now)!.length === 0) return []
    const kind = old ? 'removed' : 'added'
    return [{ what, name: '', kind, pointer: '', code: 'not-listed', judgement: 'notable' }]
  }
  const [was, is] = [keyed(old, id), keyed(now, id)]
  const added = [...is].filter(([name]) => !was.has(name))
  const byShape = new Map<string, readonly string[]>()
  for (const [name, item] of added) {
    const shape = key(nameless(item, id))
    byShape.set(shape, [...(byShape.get(shape) ?? []).slice(0, 1), name])
  }
  const changes: Change[] = []
  for (const [name, item] of was) {
    const then = is.get(name)
    if (then === undefined) {
      const twins = byShape.get(key(nameless(item, id))) ?? []
      const renamed = twins.length === 1 ? { renamedTo: twins[0]! } : {}
      const gone = { kind: 'removed', pointer: '', code: 'removed', judgement: 'breaking' } as const
      changes.push({ what, name, ...gone, was: item, ...renamed })
    } else if (isObject(item) && isObject(then)) {
      changes.push(...compare(item, then).map((part) => ({ what, name, kind: 'changed' as const, ...part })))
    }
  }
  for (const [name, item] of added)
    changes.push({ what, name, kind: 'added', pointer: '', code: 'added', judgement: 'compatible', is: item })
  return changes
}

/** If several items have the same name, the first one counts. */
const keyed = (items: readonly Json[], id: string): ReadonlyMap<string, Json> => {
  const map = new Map<string, Json>()
  for (const item of items) {
    const name = isObject(item) ? item[id] : undefined
    if (typeof name === 'string' && !map.has(name)) map.set(name, item)
  }
  return map
}

const nameless = (item: Json, id: string): Json => {
  if (!isObject(item)) return item
  const { [id]: _, title: __, description: ___, ...rest } = item
  return rest
}

/** Descriptive fields, and all fields unknown to this version of Periscope. */
const others = (was: JsonObject, is: JsonObject, known: ReadonlySet<string>): Part[] =>
  [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name): Part[] => {
    const [before, after] = [own(was, name), own(is, name)]
    if (known.has(name) || key(before) === key(after)) return []
    const told = name === 'description' || name === 'title' || name === 'name'
    const code = told ? 'words' : name === 'mimeType' ? 'media-type' : 'value'
    const judgement = name === 'description' || name === 'mimeType' ? 'notable' : 'compatible'
    return [{ pointer: `/${escapeToken(name)}`, about: name, code, judgement, ...values(before, after) }]
  })

const TOOL = new Set(['name', 'inputSchema', 'outputSchema', 'annotations', 'execution'])

const tool = (was: JsonObject, is: JsonObject): Part[] => [
  ...schema(was.inputSchema, is.inputSchema, 'input', '/inputSchema'),
  ...outputs(was.outputSchema, is.outputSchema),
  ...claims(was.annotations, is.annotations),
  ...execution(was.execution, is.execution),
  ...others(was, is, TOOL),
]

const schema = (was: Json | undefined, is: Json | undefined, side: 'input' | 'output', at: string): Part[] =>
  schemaChanges(was, is, side).map((change) => ({ ...change, side, pointer: `${at}${change.pointer}` }))

/** A new output schema promises more; a removed one withdraws the promise. */
const outputs = (was: Json | undefined, is: Json | undefined): Part[] => {
  const pointer = '/outputSchema'
  if (was === undefined && is !== undefined) return [{ pointer, code: 'schema-added', judgement: 'compatible', is }]
  if (was !== undefined && is === undefined) return [{ pointer, code: 'schema-removed', judgement: 'breaking', was }]
  return schema(was, is, 'output', pointer)
}

/** SF-TOOL-06: the defaults for hints that a tool doesn't declare. */
const DEFAULTS: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

const claims = (was: Json | undefined, is: Json | undefined): Part[] => {
  const [before, after] = [isObject(was) ? was : {}, isObject(is) ? is : {}]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): Part[] => {
    const [said, says] = [own(before, name), own(after, name)]
    if (key(said) === key(says)) return []
    const part = { pointer: `/annotations/${escapeToken(name)}`, about: name, ...values(said, says) }
    const none = own(DEFAULTS, name)
    const [held, holds] = [said ?? none, says ?? none]
    const harsher =
      held !== holds && ((name === 'destructiveHint' && holds === true) || (name === 'readOnlyHint' && holds === false))
    if (harsher) return [{ ...part, code: 'destructive', judgement: 'notable' }]
    return [{ ...part, code: 'claim', judgement: held !== holds && none !== undefined ? 'notable' : 'compatible' }]
  })
}

/** TASK-03: whether a call may, must or must not run as a task. */
const execution = (was: Json | undefined, is: Json | undefined): Part[] => {
  const support = (value: Json | undefined) => (isObject(value) ? value.taskSupport : undefined) ?? 'forbidden'
  const [before, after] = [support(was), support(is)]
  if (before === after) return []
  const part = { pointer: '/execution/taskSupport', about: 'taskSupport', ...values(before, after) }
  if (after === 'required') return [{ ...part, code: 'task-required', judgement: 'breaking' }]
  if (after === 'forbidden') return [{ ...part, code: 'task-refused', judgement: 'breaking' }]
  return [{ ...part, code: 'task', judgement: 'compatible' }]
}

const PROMPT = new Set(['name', 'arguments'])

const prompt = (was: JsonObject, is: JsonObject): Part[] => {
  const listOf = (value: Json | undefined) => keyed(Array.isArray(value) ? (value as readonly Json[]) : [], 'name')
  const [before, after] = [listOf(was.arguments), listOf(is.arguments)]
  const needs = (argument: Json | undefined) => isObject(argument) && argument.required === true
  const parts: Part[] = []
  for (const [name, argument] of before) {
    const now = after.get(name)
    const part = { pointer: '/arguments', about: name }
    if (now === undefined) parts.push({ ...part, code: 'argument-removed', judgement: 'breaking', was: argument })
    else if (needs(argument) !== needs(now)) {
      const code = needs(now) ? 'argument-required' : 'argument-optional'
      parts.push({ ...part, code, judgement: needs(now) ? 'breaking' : 'compatible' })
    } else if (isObject(argument) && isObject(now) && key(argument) !== key(now)) {
      parts.push(
        ...others(argument, now, new Set(['name', 'required'])).map((each) => ({
          ...each,
          pointer: `/arguments${each.pointer}`,
          about: `${name}.${each.about}`,
        })),
      )
    }
  }
  for (const [name, argument] of after) {
    if (before.has(name)) continue
    const [code, judgement] = needs(argument)
      ? (['argument-required', 'breaking'] as const)
      : (['argument-added', 'compatible'] as const)
    parts.push({ pointer: '/arguments', about: name, code, judgement, is: argument })
  }
  return [...parts, ...others(was, is, PROMPT)]
}

const LISTS: readonly List[] = [
  { list: 'tools', what: 'tool', id: 'name', compare: tool },
  { list: 'resources', what: 'resource', id: 'uri', compare: (was, is) => others(was, is, new Set(['uri'])) },
  {
    list: 'templates',
    what: 'template',
    id: 'uriTemplate',
    compare: (was, is) => others(was, is, new Set(['uriTemplate'])),
  },
  { list: 'prompts', what: 'prompt', id: 'name', compare: prompt },
]

const capabilities = (was: JsonObject, is: JsonObject, path: readonly string[] = []): Change[] => {
  if (path.length > 8) return []
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name): Change[] => {
    const here = [...path, name]
    const [before, after] = [own(was, name), own(is, name)]
    const change = { what: 'capability', name: here.join('.'), pointer: formatPointer(here) } as const
    // A capability declared as false counts as not declared.
    const [had, has] = [before !== undefined && before !== false, after !== undefined && after !== false]
    if (had && !has) return [{ ...change, kind: 'removed', code: 'removed', judgement: 'breaking' }]
    if (!had && has) return [{ ...change, kind: 'added', code: 'added', judgement: 'compatible' }]
    if (isObject(before) && isObject(after)) return capabilities(before, after, here)
    if (!had || key(before) === key(after)) return []
    return [{ ...change, kind: 'changed', code: 'value', judgement: 'notable', ...values(before, after) }]
  })
}

const identity = (before: ServerFeatures, after: ServerFeatures): Change[] => {
  const changes: Change[] = []
  const whole = { name: '', pointer: '', kind: 'changed' } as const
  if (before.revision !== after.revision && before.revision !== undefined && after.revision !== undefined)
    changes.push({
      ...whole,
      what: 'revision',
      code: 'value',
      judgement: 'notable',
      ...values(before.revision, after.revision),
    })
  if (before.instructions !== after.instructions)
    changes.push({
      ...whole,
      what: 'instructions',
      code: 'words',
      judgement: 'notable',
      ...values(before.instructions, after.instructions),
    })
  for (const part of others(before.info, after.info, new Set()))
    changes.push({
      ...whole,
      what: 'server',
      ...part,
      code: 'value',
      judgement: part.about === 'name' ? 'notable' : 'compatible',
    })
  return changes
}

const values = (was: Json | undefined, is: Json | undefined): Pick<Change, 'was' | 'is'> => ({
  ...(was === undefined ? {} : { was }),
  ...(is === undefined ? {} : { is }),
})

/** Pairs the responses of two servers or sessions to the same requests, for comparison. */
export interface AnswerPair {
  readonly method: string
  readonly was: Step
  readonly is: Step
}

/** Lists and handshakes are compared as server features instead. */
const OFFERED = /^(initialize|ping|server\/discover|(tools|resources|resources\/templates|prompts)\/list)$/

/** Maximum number of pairs. */
const MOST_PAIRS = 1000

/**
 * Pairs the nth request of a kind with the nth equal request of the other side, in the order of the first. IDs and
 * `_meta` are ignored.
 */
export const answerPairs = (before: readonly Step[], after: readonly Step[]): readonly AnswerPair[] => {
  const waiting = new Map<string, Step[]>()
  for (const step of after) {
    const asked = askedBy(step)
    if (asked !== undefined) getOrInsert(waiting, asked, () => []).push(step)
  }
  const taken = new Map<string, number>()
  const pairs: AnswerPair[] = []
  for (const was of before) {
    const asked = askedBy(was)
    if (asked === undefined || pairs.length >= MOST_PAIRS) continue
    const at = taken.get(asked) ?? 0
    taken.set(asked, at + 1)
    const is = waiting.get(asked)?.[at]
    if (is) pairs.push({ method: was.method, was, is })
  }
  return pairs
}

/** `undefined` if the step has no response to compare. */
const askedBy = (step: Step): string | undefined => {
  if (step.kind !== 'request' || OFFERED.test(step.method) || !answerOf(step.recorded)) return undefined
  const { _meta, ...params } = isObject(step.params) ? step.params : {}
  return `${step.method} ${key(params)}`
}
