/** Server features: lists of tools, results compared with their tool, and completions. */
import { headerPlan, isObject, type Json, type JsonObject, PageOrder } from '../../mcp/index.ts'
import { mayBeSecretName } from '../../secrets/index.ts'
import type { Observed } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, type Say, show, step } from '../rule.ts'

const RULES = [
  'JS-04', 'SF-COMP-04', 'SF-TOOL-02', 'SF-TOOL-04', 'SF-TOOL-14', 'SF-TOOL-17', 'SF-TOOL-22', 'TR-XH-03', 'TR-XH-04',
  'TR-XH-05', 'TR-XH-09',
] as const // prettier-ignore
type Id = (typeof RULES)[number]

/** Tools remembered per list. */
const MOST_TOOLS = 10_000

export const serverFeatures = group(RULES, (view) => {
  /** The list being read, page by page, and the previous one. */
  let names = new Map<string, string>()
  const walk = new PageOrder()
  let last: readonly string[] | undefined
  const withOutput = new Recent<string, boolean>(MOST_TOOLS)
  return {
    message(heard, say) {
      const { kind, method, result, asked, at } = heard
      if (kind !== 'answer' || !result) return
      if (method === 'tools/call') return called(heard, withOutput, say)
      if (method === 'completion/complete') return completed(heard, say)
      if (method !== 'tools/list' || result.resultType === 'input_required') return
      const { tools } = result
      const pointer = `${at}/result/tools`
      if (!Array.isArray(tools)) {
        return say('SF-TOOL-02', `tools must be an array; found ${show(tools)}`, { pointer, related: asked?.seq })
      }
      // Names are unique within one list. After a cursor of another one, the tools may be the same again.
      const place = walk.step(asked?.cursor, result.nextCursor)
      if (place === 'first') names = new Map()
      const own: Map<string, string> = place === 'elsewhere' ? new Map<string, string>() : names
      tools.slice(0, MOST_TOOLS).forEach((tool: Json, index) => {
        if (!isObject(tool)) return
        const here = `${pointer}/${index}`
        named(tool, here, own, say)
        if (typeof tool.name === 'string') withOutput.set(tool.name, tool.outputSchema !== undefined)
        if (view.isModern && heard.carrier && !view.oldSse) mirrored(tool, here, say)
      })
      if (result.nextCursor !== undefined || place === 'elsewhere') return
      const order = [...names.keys()]
      if (last && isReordered(last, order)) {
        const what = 'The same tools as in the previous list, in a different order'
        say('SF-TOOL-22', what, { pointer, related: asked?.seq })
      }
      last = order
    },
  }
})

const named = (tool: JsonObject, pointer: string, names: Map<string, string>, say: Say<Id>): void => {
  const { name, inputSchema } = tool
  if (!isObject(inputSchema)) {
    say('JS-04', `inputSchema must be an object; found ${show(inputSchema)}`, { pointer: `${pointer}/inputSchema` })
  }
  if (typeof name !== 'string') return
  const details = { pointer: `${pointer}/name` }
  if (!/^[\w.-]{1,128}$/.test(name)) {
    const rule = 'A name must have 1 to 128 of the characters A–Z, a–z, 0–9, "_", "-" and "."'
    say('SF-TOOL-04', `${rule}; found ${show(name)}`, details)
  }
  const before = names.get(name)
  if (before !== undefined) say('SF-TOOL-04', `${show(name)} is also the name of ${before}`, details)
  else if (names.size < MOST_TOOLS) names.set(name, pointer)
}

/** TR-XH-06: a finding here excludes a tool from use over HTTP. */
const mirrored = (tool: JsonObject, above: string, say: Say<Id>): void => {
  const { headers, issues } = headerPlan(tool.inputSchema)
  for (const { rule, pointer, explanation } of issues.slice(0, 20)) {
    const known = RULES.find((each) => each === rule)
    if (known) say(known, `${explanation} (TR-XH-06: left out)`, { pointer: `${above}/inputSchema${pointer}` })
  }
  for (const { path, name } of headers) {
    const odd = [name, path.at(-1) ?? ''].find((each) => mayBeSecretName(each) && !isLookupKey(each))
    if (odd === undefined) continue
    const pointer = path.reduce((before, key) => step(`${before}/properties`, key), `${above}/inputSchema`)
    say('TR-XH-09', `${show(odd)} looks like a secret, and headers are visible to intermediaries`, { pointer })
  }
}

/** Keys that find something and open nothing: `Row-Key`, `partitionKey`. */
const isLookupKey = (name: string): boolean =>
  /(^|[-_. ])(row|partition|sort|range|primary|foreign|cache|routing|shard|object|public|lookup|group|index|column|map|idempotency)[-_. ]?key$/i.test(
    name.replace(/([a-z\d])([A-Z])/g, '$1-$2'),
  )

const isReordered = (before: readonly string[], now: readonly string[]): boolean => {
  if (before.length !== now.length || before.every((name, index) => name === now[index])) return false
  const known = new Set(before)
  return now.every((name) => known.has(name))
}

const called = ({ result, asked, at, revision }: Observed, withOutput: Recent<string, boolean>, say: Say<Id>): void => {
  const related = asked?.seq
  const { isError, structuredContent, content, resultType } = result!
  if (isError === true || (resultType !== undefined && resultType !== 'complete')) return
  if (revision === '2025-11-25' && isObject(result!.task)) return
  if (structuredContent === undefined) {
    if (asked?.subject === undefined || withOutput.get(asked.subject) !== true) return
    const pointer = `${at}/result/structuredContent`
    const what = `${show(asked.subject)} has an outputSchema, so structuredContent is required`
    return say('SF-TOOL-14', what, { pointer, related })
  }
  const texts = Array.isArray(content) && content.some((part: Json) => isObject(part) && part.type === 'text')
  if (!texts) {
    const what = "No text repeats structuredContent, so clients that don't support it see nothing"
    say('SF-TOOL-17', what, { pointer: `${at}/result/content`, related })
  }
}

const completed = ({ result, asked, at }: Observed, say: Say<Id>): void => {
  const { completion } = result!
  const values = isObject(completion) ? completion.values : undefined
  if (!Array.isArray(values) || values.length <= 100) return
  const what = `At most 100 values; found ${values.length}`
  say('SF-COMP-04', what, { pointer: `${at}/result/completion/values`, related: asked?.seq })
}
