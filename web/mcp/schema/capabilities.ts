/** Identity and capabilities: declared in `initialize`, or since 2026-07-28 in `_meta` and `server/discover`. */
import { array, bag, boolean, by, from, literal, object, only, optional, quiet, record } from './shape.ts'
import { string, tolerated, until } from './shape.ts'

export const icon = by(
  'ICON-06',
  object({
    src: string(),
    mimeType: optional(string()),
    sizes: optional(array(string())),
    theme: optional(literal('light', 'dark')),
  }),
)
export const icons = from('2025-11-25', optional(array(icon)))
/** The display name. */
export const title = from('2025-06-18', optional(string()))

/** LC-14: its other members were added later. */
export const implementation = object({
  name: string(),
  version: string(),
  title,
  icons,
  description: from('2025-11-25', optional(string())),
  websiteUrl: from('2025-11-25', optional(string())),
})

const flag = optional(bag())
const listChanged = optional(boolean())
const experimental = optional(record(bag()))
/**
 * EXT-02: in the schema only since 2026-07-28, but clients with MCP Apps also declare it to older servers (APPS-01).
 */
const extensions = tolerated(from('2026-07-28', optional(record(bag()))))

/** @param requests those that may become tasks */
const tasksFor = <const F extends Parameters<typeof object>[0]>(requests: F) =>
  only('2025-11-25', optional(object({ list: flag, cancel: flag, requests: optional(object(requests)) })))

/** LC-10: capabilities newer than the negotiated protocol version shouldn't be declared. */
export const clientCapabilities = by(
  'LC-10 2026-07-28 META-10',
  object({
    experimental,
    extensions,
    roots: optional(object({ listChanged: until('2025-11-25', optional(boolean())) })),
    sampling: optional(object({ context: from('2025-11-25', flag), tools: from('2025-11-25', flag) })),
    elicitation: from(
      '2025-06-18',
      optional(object({ form: from('2025-11-25', flag), url: from('2025-11-25', flag) })),
    ),
    tasks: tasksFor({
      sampling: optional(object({ createMessage: flag })),
      elicitation: optional(object({ create: flag })),
    }),
  }),
)

export const serverCapabilities = by(
  'LC-12 2026-07-28 VN-04',
  object({
    experimental,
    extensions,
    logging: flag,
    completions: from('2025-03-26', flag),
    prompts: optional(object({ listChanged })),
    resources: optional(object({ listChanged, subscribe: optional(boolean()) })),
    tools: optional(object({ listChanged })),
    tasks: tasksFor({ tools: optional(object({ call: flag })) }),
  }),
)

/** META-01: `_meta` of objects other than messages. */
export const meta = from('2025-06-18', optional(by('META-01', bag())))

/** JSON Schemas of peers: only MCP's own requirements; keywords aren't checked (JS-04, JS-09). */
const someKeywords = {
  $schema: from('2025-11-25', optional(string())),
  properties: until('2025-11-25', optional(record(bag()))),
  required: until('2025-11-25', optional(array(string()))),
}
export const inputSchema = by('SF-TOOL-08 2025-11-25 JS-04', quiet({ ...someKeywords, type: literal('object') }))
/** SF-TOOL-15: an object at the root up to 2025-11-25; JS-09: any schema since. */
export const outputSchema = by(
  'SF-TOOL-15 2026-07-28 JS-09',
  quiet({ ...someKeywords, type: until('2025-11-25', literal('object')) }),
)
