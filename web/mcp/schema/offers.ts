/** What servers offer: tools, resources, templates, prompts. */
import { icons, inputSchema, meta, outputSchema, title } from './capabilities.ts'
import { annotations, resourceFields } from './content.ts'
import { array, boolean, by, from, literal, object, only, optional, string } from './shape.ts'

export const tool = by(
  'SF-TOOL-02',
  object({
    name: string(),
    title,
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
