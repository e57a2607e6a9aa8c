/**
 * Collections: named and stored calls, with their expectations. A shared collection is a session file without frames:
 *
 *     {"format":"periscope-session","version":1,"part":"steps","name":"Smoke test","begunAt":…,"tool":…,"servers":[…],
 *      "more":{"collection":{"steps":[Step…],"rules":[VolatileRule…]}}}
 *     {"kind":"end","frames":0}
 *
 * `Step` is that of `steps.ts`, `VolatileRule` that of `volatile.ts`. Without `rules`, the default rules apply. A file
 * of that part with frames instead, or a whole session, is also a collection: of the steps found in it.
 */
import { isErrorObject, isObject } from '../mcp/index.ts'
import type { ErrorObject, Frame, Json, JsonObject } from '../mcp/index.ts'
import { type HeadDraft, headOf, sessionText, type RecordedServer, type SessionHead } from '../session-file/index.ts'
import { stepsOf } from './steps.ts'
import type { Ending, Expectation, Outcome, RecordedAnswer, Step, Taking } from './steps.ts'
import { DEFAULT_RULES, type Accept, type VolatileRule } from './volatile.ts'

export interface Collection {
  readonly name: string
  readonly steps: readonly Step[]
  /** Absent for the default rules. */
  readonly rules?: readonly VolatileRule[]
}

/** Maximum number of steps, rules and other parts to read. */
const MOST_STEPS = 10_000
const MOST_RULES = 500
const MOST_PARTS = 1_000
const LONGEST_NAME = 200

/** @param frame the file's other members */
export const collectionText = (
  { name, steps, rules }: Collection,
  frame: Pick<HeadDraft, 'tool' | 'begunAt'> & { readonly servers?: readonly RecordedServer[] },
): string => {
  const collection = { steps, ...(rules ? { rules } : {}) } as unknown as JsonObject
  const head = headOf({ servers: [], ...frame, name, part: 'steps', more: { collection } })
  return [...sessionText(head, [])].join('')
}

/** The steps of a file, in either form. Invalid parts are skipped; never throws. */
export const collectionFrom = ({
  head,
  frames,
}: {
  readonly head: SessionHead
  readonly frames: readonly Frame[]
}): Collection => {
  const held = head.more?.collection
  const name = head.name ?? head.servers.map((server) => server.name).join(', ')
  if (!isObject(held)) return { name, steps: stepsOf(frames) }
  return { name, steps: stepsFrom(held.steps), ...('rules' in held ? { rules: rulesFrom(held.rules) } : {}) }
}

/** The rules that apply to a collection. */
export const rulesOf = ({ rules }: Pick<Collection, 'rules'>): readonly VolatileRule[] => rules ?? DEFAULT_RULES

/** Steps from elsewhere, validated. Each gets its own ID. */
export const stepsFrom = (value: Json | undefined): Step[] => {
  const ids = new Set<string>()
  return listOf(value, MOST_STEPS, stepFrom).map((step) => {
    let { id } = step
    for (let more = 2; ids.has(id); more++) id = `${step.id}-${more}`
    ids.add(id)
    return id === step.id ? step : { ...step, id }
  })
}

const stepFrom = (value: JsonObject): Step | undefined => {
  const { id, link, method, kind, text } = value
  if (typeof method !== 'string' || typeof id !== 'string' || id === '') return undefined
  const known = kind === 'notification' || kind === 'raw' ? kind : 'request'
  if (known === 'raw' && typeof text !== 'string') return undefined
  const recorded = isObject(value.recorded) ? outcomeFrom(value.recorded) : undefined
  const answers = listOf(value.answers, MOST_PARTS, answerFrom)
  const expect = listOf(value.expect, MOST_PARTS, expectationFrom)
  const take = listOf(value.take, MOST_PARTS, takingFrom)
  return {
    id: id.slice(0, LONGEST_NAME),
    link: typeof link === 'string' ? link.slice(0, LONGEST_NAME) : 's1',
    method,
    kind: known,
    ...optional('name', textOf(value.name)),
    ...optional('group', textOf(value.group)),
    ...(isObject(value.params) ? { params: value.params } : {}),
    ...(typeof value.paramsText === 'string' ? { paramsText: value.paramsText } : {}),
    ...(typeof text === 'string' ? { text } : {}),
    ...(Number.isSafeInteger(value.seq) ? { seq: value.seq as number } : {}),
    ...(isAmount(value.at) ? { at: value.at } : {}),
    ...(recorded ? { recorded } : {}),
    ...(answers.length > 0 ? { answers } : {}),
    ...(expect.length > 0 ? { expect } : {}),
    ...(take.length > 0 ? { take } : {}),
    ...(value.templated === true ? { templated: true } : {}),
    ...(value.skip === true ? { skip: true } : {}),
    ...(isAmount(value.repeat) && value.repeat >= 1 ? { repeat: Math.floor(value.repeat) } : {}),
  }
}

const ENDINGS: readonly Ending[] = ['cancelled', 'timeout', 'lost']

const outcomeFrom = ({ took, result, error, ended }: JsonObject): Outcome | undefined => {
  const time = { took: isAmount(took) ? took : 0 }
  if (isObject(result)) return { ...time, result }
  if (isErrorObject(error)) return { ...time, error: errorFrom(error) }
  const ending = ENDINGS.find((one) => one === ended)
  return ending && { ...time, ended: ending }
}

const errorFrom = ({ code, message, data, ...others }: ErrorObject): ErrorObject => ({
  ...others,
  code,
  message,
  ...(data === undefined ? {} : { data }),
})

const answerFrom = ({ method, params, key, result, error }: JsonObject): RecordedAnswer | undefined =>
  typeof method === 'string'
    ? {
        method,
        params: isObject(params) ? params : {},
        ...(typeof key === 'string' ? { key } : {}),
        ...(isObject(result) ? { result } : {}),
        ...(isErrorObject(error) ? { error: errorFrom(error) } : {}),
      }
    : undefined

const takingFrom = ({ name, pointer }: JsonObject): Taking | undefined =>
  typeof name === 'string' && typeof pointer === 'string' ? { name, pointer } : undefined

const expectationFrom = (value: JsonObject): Expectation | undefined => {
  const { kind, status, code, pointer, schema, text, limit } = value
  switch (kind) {
    case 'status':
      return status === 'ok' || status === 'tool-error' || status === 'error'
        ? { kind, status, ...(typeof code === 'number' ? { code } : {}) }
        : undefined
    case 'equals':
      return typeof pointer === 'string' && value.value !== undefined
        ? { kind, pointer, value: value.value }
        : undefined
    case 'matches':
      return isObject(schema) ? { kind, schema, ...(typeof pointer === 'string' ? { pointer } : {}) } : undefined
    case 'contains':
      return typeof text === 'string' ? { kind, text } : undefined
    case 'under':
      return isAmount(limit) ? { kind, limit } : undefined
    case 'no-must':
      return { kind }
    default:
      return undefined
  }
}

const ACCEPTS: readonly Accept[] = ['any', 'same-type', 'time', 'id', 'duration', 'address']

/** Rules from elsewhere, validated. */
export const rulesFrom = (value: Json | undefined): VolatileRule[] =>
  listOf(value, MOST_RULES, ({ id, where, method, accept, lists, off }) => {
    const known = ACCEPTS.find((one) => one === accept)
    if (typeof id !== 'string' || !known) return undefined
    return {
      id: id.slice(0, LONGEST_NAME),
      accept: known,
      ...(typeof where === 'string' ? { where } : {}),
      ...(typeof method === 'string' ? { method } : {}),
      ...(lists === false ? { lists: false as const } : {}),
      ...(off === true ? { off: true } : {}),
    }
  })

const listOf = <Item>(value: Json | undefined, most: number, from: (value: JsonObject) => Item | undefined): Item[] =>
  (Array.isArray(value) ? (value as readonly Json[]).slice(0, most) : []).flatMap((one) => {
    const item = isObject(one) ? from(one) : undefined
    return item === undefined ? [] : [item]
  })

const isAmount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, LONGEST_NAME) : undefined

const optional = <Name extends string>(name: Name, value: string | undefined): { readonly [N in Name]?: string } =>
  value === undefined ? {} : ({ [name]: value } as { [N in Name]: string })
