/** Server features as listed, and content: the building blocks of results, prompts and sampling. */
import { icons, title } from './implementation.ts'
import { any, array, bag, boolean, by, from, integer, inTurn, literal, number, object } from './shape.ts'
import { only, optional, quiet, record, string, union, until, variants } from './shape.ts'

/** META-01: `_meta` of objects other than messages. */
export const meta = from('2025-06-18', optional(by('META-01', bag())))

export const role = literal('user', 'assistant')

const annotations = optional(
  by(
    'SF-RES-10',
    object({
      audience: optional(array(role)),
      priority: optional(number(0, 1)),
      lastModified: from('2025-06-18', optional(string())),
    }),
  ),
)

const contents = { uri: by('SF-RES-03', string()), mimeType: optional(string()), _meta: meta }
/** SF-RES-04: text, or base64. A block without any resource breaks the row of its block instead. */
const embedded = union(
  by('SF-RES-04', object({ ...contents, text: string() })),
  by('SF-RES-04', object({ ...contents, blob: string() })),
)
export const resourceContents = by('SF-RES-04', embedded)

/** The description of a resource, in lists and links. */
const resourceFields = {
  uri: string(),
  name: string(),
  title,
  icons,
  description: optional(string()),
  mimeType: optional(string()),
  size: optional(integer()),
  annotations,
  _meta: meta,
}

const block = <const T extends string>(type: T) => ({ type: literal(type), annotations, _meta: meta })
/** SF-TOOL-11 */
const media = { data: by('SF-TOOL-11', string()), mimeType: by('SF-TOOL-11', string()) }
const text = object({ ...block('text'), text: string() })
const image = object({ ...block('image'), ...media })
const audio = from('2025-03-26', object({ ...block('audio'), ...media }))

/** SF-TOOL-10, SF-PROMPT-04: the blocks of tool results and prompts. */
export const contentBlock = by(
  'SF-TOOL-10',
  variants('type', {
    text,
    image,
    audio,
    resource: object({ ...block('resource'), resource: embedded }),
    resource_link: from('2025-06-18', object({ ...resourceFields, type: literal('resource_link') })),
  }),
)

/** SF-TOOL-15, SF-TOOL-16: an object; since 2026-07-28 any JSON value. */
export const structuredContent = inTurn(
  from('2025-06-18', until('2025-11-25', optional(by('SF-TOOL-15', bag())))),
  from('2026-07-28', optional(any())),
)

/** CF-SAMP-07: the blocks of sampling. */
const samplingBlock = variants('type', {
  text,
  image,
  audio,
  tool_use: from(
    '2025-11-25',
    object({ type: literal('tool_use'), id: string(), name: string(), input: bag(), _meta: meta }),
  ),
  tool_result: from(
    '2025-11-25',
    object({
      type: literal('tool_result'),
      toolUseId: string(),
      content: array(contentBlock),
      structuredContent,
      isError: optional(boolean()),
      _meta: meta,
    }),
  ),
})
/** One block; since 2025-11-25 possibly several. */
export const samplingContent = by('CF-SAMP-07', union(samplingBlock, from('2025-11-25', array(samplingBlock))))

export const promptMessage = by('SF-PROMPT-03', object({ role, content: by('SF-PROMPT-04', contentBlock) }))

/** JSON Schemas of peers: only MCP's own requirements; keywords aren't checked (JS-04, JS-09). */
const someKeywords = {
  $schema: from('2025-11-25', optional(string())),
  properties: until('2025-11-25', optional(record(bag()))),
  required: until('2025-11-25', optional(array(string()))),
}
const inputSchema = by('SF-TOOL-08 2025-11-25 JS-04', quiet({ ...someKeywords, type: literal('object') }))
/** SF-TOOL-15: an object at the root up to 2025-11-25; JS-09: any schema since. */
const outputSchema = by(
  'SF-TOOL-15 2026-07-28 JS-09',
  quiet({ ...someKeywords, type: until('2025-11-25', literal('object')) }),
)

/** Server features: tools, resources, templates, prompts. */
export const tool = by(
  'SF-TOOL-02',
  object({
    name: string(),
    title: from('2025-06-18', optional(by('SF-TOOL-03', string()))),
    icons,
    description: optional(string()),
    inputSchema,
    outputSchema: from('2025-06-18', optional(outputSchema)),
    annotations: from(
      '2025-03-26',
      optional(
        by(
          'SF-TOOL-06',
          object({
            title: optional(string()),
            readOnlyHint: optional(boolean()),
            destructiveHint: optional(boolean()),
            idempotentHint: optional(boolean()),
            openWorldHint: optional(boolean()),
          }),
        ),
      ),
    ),
    execution: only(
      '2025-11-25',
      optional(by('SF-TOOL-23', object({ taskSupport: optional(literal('forbidden', 'optional', 'required')) }))),
    ),
    _meta: meta,
  }),
)

export const resource = by('SF-RES-02', object(resourceFields))

export const resourceTemplate = by(
  'SF-RES-06',
  object({
    uriTemplate: string(),
    name: string(),
    title,
    icons,
    description: optional(string()),
    mimeType: optional(string()),
    annotations,
    _meta: meta,
  }),
)

export const prompt = by(
  'SF-PROMPT-02',
  object({
    name: string(),
    title,
    icons,
    description: optional(string()),
    arguments: optional(
      array(object({ name: string(), title, description: optional(string()), required: optional(boolean()) })),
    ),
    _meta: meta,
  }),
)
