/** Checks messages against the shapes of their protocol version and reports findings. */
import { type Breach, type Context, verdict } from '../mcp/schema/schema.ts'
import { type Finding, isObject, type MessageFrame, type Revision } from '../mcp/index.ts'
import type { LinkView, Observed } from './link.ts'

/** Checks a received message by its shape alone. `heard`: its first part, if any. */
export type Checker = (
  view: LinkView,
  frame: MessageFrame,
  heard: Observed | undefined,
  revision: Revision,
) => readonly Finding[]

/** UTF-8 bytes of a message that is checked within one task of the main thread. */
const LARGEST = 1_000_000
/** Different keys of other protocol versions reported per message. */
const MOST_NOTES = 10

export const shapes: Checker = (view, frame, heard, revision) => {
  if (frame.message === undefined) return []
  if (frame.size > LARGEST) {
    const explanation = `${frame.size} bytes: too large to validate while the page is in use`
    return [{ rule: 'BP-01', keyword: 'MAY', explanation }]
  }
  const { asked } = heard ?? {}
  const task = asked?.method === 'tasks/result' ? view.tasks.get(asked.subject ?? '') : undefined
  // A cancelled task doesn't have the result of the original call.
  const original = task?.status === 'cancelled' ? undefined : task?.method
  const context: Context = {
    revision,
    direction: 'received',
    // Whether a task was possible isn't always known, so a task in the response also counts (TASK-14).
    ...(heard && asked ? { method: asked.method, params: asked.augmented || isTask(heard) ? { task: {} } : {} } : {}),
    ...(original === undefined ? {} : { original }),
    methodOf: (id) => view.sent.byId(id)?.method,
    extensions: view.extensions(asked),
  }
  const breaches = verdict(frame.message, context)
  const found: Finding[] = []
  const notes = new Map<string, { readonly first: Finding; count: number }>()
  for (const breach of breaches) {
    const finding = findingOf(breach)
    if (breach.severity === 'breach') found.push(finding)
    else {
      // In a list of a hundred tools, the same key occurs a hundred times.
      const like = notes.get(finding.explanation)
      if (like) like.count++
      else if (notes.size < MOST_NOTES) notes.set(finding.explanation, { first: finding, count: 1 })
    }
  }
  for (const { first, count } of notes.values()) {
    found.push(count === 1 ? first : { ...first, explanation: `${first.explanation}, ${count} times` })
  }
  return found
}

/** An unrequested task is reported as such (TASK-04), not as a tool result without content. */
const isTask = ({ result }: Observed): boolean => isObject(result?.task) && !Array.isArray(result.content)

const findingOf = ({ rule, keyword, pointer, expected, found, since, until, severity }: Breach): Finding => ({
  rule,
  // A row says MAY of whether a member is there. Its form is that of the schema.
  keyword: severity === 'unknown-here' ? 'MAY' : keyword === 'MAY' ? 'MUST' : keyword,
  pointer,
  explanation: `${expected}; found ${found}${spanOf(since, until)}`,
})

const spanOf = (since: Revision | undefined, until: Revision | undefined): string => {
  if (since === undefined) return until === undefined ? '' : ` (up to ${until})`
  if (until === undefined) return ` (from ${since})`
  return since === until ? ` (only in ${since})` : ` (${since} to ${until})`
}
