/** Server requests: sampling, elicitation, roots; as requests up to 2025-11-25, as input requests since. */
import { meta, role, samplingContent, tool } from './content.ts'
import { any, array, bag, boolean, by, from, id, integer, inTurn, literal, number, object } from './shape.ts'
import { only, optional, quiet, record, string, union, until, variants } from './shape.ts'

export const progressToken = optional(by('UT-PROG-01', id()))
/** META-16. Input requests of 2026-07-28 have none. */
const askedMeta = until('2025-11-25', optional(by('META-01', quiet({ progressToken }))))
/** TASK-04: turns the response into a task. */
export const taskParam = only('2025-11-25', optional(by('TASK-04', object({ ttl: optional(integer()) }))))
const asked = { _meta: askedMeta, task: taskParam }
/** Responses to input requests of 2026-07-28 have no `_meta` (except sampling). */
const answerMeta = until('2025-11-25', optional(by('META-01', bag())))

export const createMessageParams = by(
  'CF-SAMP-04',
  object({
    ...asked,
    messages: array(by('CF-SAMP-07', object({ role, content: samplingContent, _meta: from('2025-11-25', meta) }))),
    maxTokens: by('CF-SAMP-03', integer()),
    modelPreferences: optional(
      by(
        'CF-SAMP-05',
        object({
          hints: optional(array(object({ name: optional(string()) }))),
          costPriority: optional(number(0, 1)),
          speedPriority: optional(number(0, 1)),
          intelligencePriority: optional(number(0, 1)),
        }),
      ),
    ),
    systemPrompt: optional(string()),
    includeContext: optional(literal('none', 'thisServer', 'allServers')),
    temperature: optional(number()),
    stopSequences: optional(array(string())),
    metadata: optional(bag()),
    tools: from('2025-11-25', optional(array(tool))),
    toolChoice: from(
      '2025-11-25',
      optional(by('CF-SAMP-10', object({ mode: optional(literal('auto', 'required', 'none')) }))),
    ),
  }),
)

export const createMessageResult = by(
  'CF-SAMP-06',
  object({
    role,
    content: samplingContent,
    model: string(),
    stopReason: optional(string()),
    _meta: optional(by('META-01', bag())),
  }),
)

const labels = { title: optional(string()), description: optional(string()) }
const text = { ...labels, type: literal('string') }
const numeric = {
  ...labels,
  minimum: optional(number()),
  maximum: optional(number()),
  default: from('2025-11-25', optional(by('CF-FORM-05', number()))),
}
const chosen = from('2025-11-25', optional(by('CF-FORM-05', string())))
const titled = array(object({ const: string(), title: string() }))
const several = {
  ...labels,
  type: literal('array'),
  minItems: optional(by('CF-FORM-06', integer())),
  maxItems: optional(by('CF-FORM-06', integer())),
  default: optional(by('CF-FORM-05', array(string()))),
}

/** CF-FORM-01 to CF-FORM-06: the allowed form fields. */
const formField = by(
  'CF-FORM-01',
  variants('type', {
    // Open objects: anything that isn't a choice is a plain string with unknown keys.
    string: union(
      object({
        ...text,
        default: chosen,
        minLength: optional(by('CF-FORM-02', integer())),
        maxLength: optional(by('CF-FORM-02', integer())),
        format: optional(by('CF-FORM-02', literal('email', 'uri', 'date', 'date-time'))),
      }),
      object({ ...text, default: chosen, enum: array(string()), enumNames: optional(array(string())) }),
      from('2025-11-25', object({ ...text, default: chosen, oneOf: titled })),
    ),
    number: object({ ...numeric, type: literal('number') }),
    integer: object({ ...numeric, type: literal('integer') }),
    boolean: object({
      ...labels,
      type: literal('boolean'),
      default: optional(by('CF-FORM-03 2025-11-25 CF-FORM-05', boolean())),
    }),
    array: from(
      '2025-11-25',
      union(
        object({ ...several, items: object({ type: literal('string'), enum: array(string()) }) }),
        object({ ...several, items: object({ anyOf: titled }) }),
      ),
    ),
  }),
)

const form = object({
  ...asked,
  mode: from('2025-11-25', optional(literal('form'))),
  message: string(),
  requestedSchema: by(
    'CF-FORM-01',
    object({
      $schema: from('2025-11-25', optional(string())),
      type: literal('object'),
      properties: record(formField),
      required: optional(array(string())),
    }),
  ),
})
const url = object({
  ...asked,
  mode: literal('url'),
  message: string(),
  url: by('CF-URL-02', string()),
  elicitationId: only('2025-11-25', by('CF-URL-05', string())),
})
/** CF-ELIC-02: without `mode` it is a form; 2025-06-18 has only forms. */
export const elicitParams = by('CF-ELIC-02', variants('mode', { form, url: from('2025-11-25', url) }, 'form'))
/** The form of CF-ELIC-02, in versions without modes where `mode` is an ordinary key. */
export const elicitFormParams = by('CF-FORM-01', form)
export const elicitUrlParams = by('CF-URL-02', url)

export const elicitResult = by(
  'CF-ELIC-04',
  object({
    action: literal('accept', 'decline', 'cancel'),
    content: optional(
      by('CF-FORM-08', record(union(string(), number(), boolean(), from('2025-11-25', array(string()))))),
    ),
    _meta: answerMeta,
  }),
)

export const listRootsParams = object({
  _meta: inTurn(askedMeta, from('2026-07-28', optional(by('META-01', bag())))),
})
export const root = by('CF-ROOT-02', object({ uri: string(), name: optional(string()), _meta: meta }))
export const listRootsResult = by('CF-ROOT-02', object({ roots: array(root), _meta: answerMeta }))

/** BP-12: since 2026-07-28, server requests are part of results, so they have no envelope. */
const bare = { jsonrpc: until('2025-11-25', optional(any())), id: until('2025-11-25', optional(any())) }
/** MRTR-09. */
export const inputRequests = by(
  'MRTR-09',
  record(
    variants('method', {
      'elicitation/create': object({
        ...bare,
        method: literal('elicitation/create'),
        params: elicitParams,
      }),
      'sampling/createMessage': object({
        ...bare,
        method: literal('sampling/createMessage'),
        params: createMessageParams,
      }),
      'roots/list': object({
        ...bare,
        method: literal('roots/list'),
        params: optional(listRootsParams),
      }),
    }),
  ),
)
/** MRTR-10: bare results under the same keys. */
export const inputResponses = by('MRTR-10', record(union(elicitResult, createMessageResult, listRootsResult)))
