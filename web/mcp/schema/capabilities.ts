/** Capabilities: declared in `initialize`, or since 2026-07-28 in `_meta` and `server/discover`. */
import { bag, boolean, by, from, object, only, optional, record } from './shape.ts'
import { tolerated, until } from './shape.ts'

const flag = optional(bag())
const listChanged = optional(boolean())
const experimental = optional(record(bag()))
/**
 * EXT-02: in the schema only since 2026-07-28, but clients with MCP Apps also declare it to older servers (APPS-01).
 */
const extensions = tolerated(from('2026-07-28', optional(record(bag()))))
const serverExtensions = tolerated(from('2026-07-28', optional(by('VN-06', record(bag())))))

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
    extensions: serverExtensions,
    logging: flag,
    completions: from('2025-03-26', flag),
    prompts: optional(object({ listChanged })),
    resources: optional(object({ listChanged, subscribe: optional(boolean()) })),
    tools: optional(object({ listChanged })),
    tasks: tasksFor({ tools: optional(object({ call: flag })) }),
  }),
)
