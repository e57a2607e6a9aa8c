/** The Tools panel's checks as lint rules: entries of the list, and results against their outputSchema. */
import { dialectOf, keywordFaults, type TimedValidator } from '../../forms/index.ts'
import { unescapeToken } from '../../json/index.ts'
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import {
  type FeatureFinding,
  type FeatureReport,
  type FeatureRules,
  type Observed,
  type LinkView,
  Recent,
  show,
} from '../../lint/index.ts'
import { listReader } from '../lists/index.ts'
import { findingsOf, notRepeated, resultFindings, type ResultFinding } from './findings.ts'
import { checkStructured, repeats } from './structured-content.ts'
import en from './text/en.ts'
import { outputSchemaOf, TOOLS } from './tools-fold.ts'

const RULES = [
  'JS-04', 'LC-09', 'SF-TOOL-04', 'SF-TOOL-08', 'SF-TOOL-09', 'SF-TOOL-14', 'SF-TOOL-15', 'SF-TOOL-17', 'SF-TOOL-18',
] as const // prettier-ignore

/** Tools stored per list. */
const MOST_TOOLS = 10_000
/** Time limit in ms for all outputSchema checks of one connection, because the server decides how many there are. */
const BUDGET = 60_000

interface ToolResult {
  readonly tool: string | undefined
  readonly result: JsonObject
  readonly pointer: string
  /** The task whose result it is, which is repeated with each poll. */
  readonly task?: string
}

export const toolRules = (validator: TimedValidator): FeatureRules => ({
  rules: RULES,
  watch: (view) => {
    const items = listReader(TOOLS)
    const outputs = new Recent<string, JsonObject | boolean>(MOST_TOOLS)
    const judged = new Recent<string, true>(1_000)
    const budget = { left: BUDGET }
    return {
      message(heard, report) {
        for (const [item, pointer] of items(heard)) {
          if (item.name !== undefined && !item.repeated) {
            const output = outputSchemaOf(item)
            if (output === undefined) outputs.delete(item.name)
            else outputs.set(item.name, output)
          }
          for (const { rule, keyword, code, found, pointer: place } of findingsOf(item, heard.revision)) {
            // Problems without a rule of their own are reported by the schema checks.
            if (rule === undefined) continue
            report({ rule, keyword, explanation: en.toolFinding(code, found, place), pointer: pointer + place })
          }
          for (const fault of schemaFaults(item.raw)) report({ ...fault, pointer: pointer + fault.pointer })
        }
        const came = resultIn(heard, view)
        if (!came) return
        if (came.task !== undefined) {
          if (judged.has(came.task)) return
          judged.set(came.task, true)
        }
        const schema = came.tool === undefined ? undefined : outputs.get(came.tool)
        const related = heard.asked?.seq
        for (const { rule, keyword, code } of resultFindings(came.result, schema !== undefined, heard.revision)) {
          report({ rule, keyword, explanation: en.resultFinding(code), pointer: came.pointer + MEMBERS[code], related })
        }
        checkLater(heard, came, schema, budget, report, validator)
      },
    }
  },
})

/** Faults reported per schema. */
const MOST_FAULTS = 5

/** JS-04. A dialect that isn't known here has keywords that aren't known either (JS-02). */
const schemaFaults = (raw: Json): readonly (FeatureFinding & { readonly pointer: string })[] => {
  if (!isObject(raw)) return []
  return ['inputSchema', 'outputSchema'].flatMap((member) => {
    const schema = raw[member]
    const dialect = dialectOf(schema)
    if (!isObject(schema) || dialect === undefined) return []
    return keywordFaults(schema, dialect, MOST_FAULTS).map(({ pointer, expected, found }) => {
      const keyword = unescapeToken(pointer.slice(pointer.lastIndexOf('/') + 1))
      const explanation = en.schemaKeyword(keyword, dialect, expected, show(found))
      return { rule: 'JS-04', keyword: 'MUST' as const, explanation, pointer: `/${member}${pointer}` }
    })
  })
}

const MEMBERS: Readonly<Record<ResultFinding['code'], string>> = {
  'content-missing': '/content',
  'structured-missing': '/structuredContent',
  'structured-no-object': '/structuredContent',
  'structured-not-repeated': '/content',
  'structured-unknown': '/structuredContent',
  'is-error-no-boolean': '/isError',
}

/** The tool result in a message: of the call, or of the task that it became (TASK-08, TEXT-10). */
const resultIn = (
  { kind, method, result, params, asked, answer, at }: Observed,
  view: LinkView,
): ToolResult | undefined => {
  if (kind === 'notification' && method === 'notifications/tasks') return taskResult(params, `${at}/params`, view)
  if (kind !== 'answer' || answer !== 'first' || !result) return undefined
  if (method === 'tasks/get') return taskResult(result, `${at}/result`, view)
  const pointer = `${at}/result`
  if (method === 'tasks/result') {
    const task = view.tasks.get(asked?.subject ?? '')
    if (task?.method !== 'tools/call' || task.status === 'cancelled') return undefined
    return { tool: task.subject, result, pointer, task: asked!.subject! }
  }
  if (method !== 'tools/call') return undefined
  if (result.resultType !== undefined && result.resultType !== 'complete') return undefined
  // A result with content is an ordinary result, whatever else it contains.
  if (isObject(result.task) && !Array.isArray(result.content)) return undefined
  return { tool: asked?.subject, result, pointer }
}

const taskResult = (
  { taskId, status, result }: JsonObject,
  pointer: string,
  view: LinkView,
): ToolResult | undefined => {
  const task = typeof taskId === 'string' ? view.tasks.get(taskId) : undefined
  if (status !== 'completed' || task?.method !== 'tools/call' || !isObject(result)) return undefined
  return { tool: task.subject, result, pointer: `${pointer}/result`, task: taskId as string }
}

const checkLater = (
  { frame, asked }: Observed,
  { tool, result, pointer, task }: ToolResult,
  schema: JsonObject | boolean | undefined,
  budget: { left: number },
  report: FeatureReport,
  validator: TimedValidator,
): void => {
  const { structuredContent, content, isError } = result
  if (structuredContent === undefined) return
  const related = asked?.seq
  report.later(async () => {
    const found: FeatureFinding[] = []
    if ((await repeats(content, structuredContent)) === false) {
      const explanation = en.resultFinding(notRepeated.code)
      found.push({ ...notRepeated, explanation, pointer: pointer + MEMBERS[notRepeated.code], related })
    }
    // An error result may have any shape (SF-TOOL-14).
    if (schema === undefined || isError === true) return found
    const place = `${pointer}/structuredContent`
    if (budget.left <= 0) return [...found, { ...unchecked(en.verdictSlow), pointer: place, related }]
    const begun = performance.now()
    const plain = task === undefined && pointer === '/result'
    const verdict = await checkStructured(
      { schema, value: structuredContent, size: frame.size, text: plain ? frame.raw : undefined },
      validator,
    )
    budget.left -= performance.now() - begun
    if (verdict.state === 'gave-up') {
      const explanation = verdict.why === 'slow' ? en.verdictSlow : en.verdictLarge
      return [...found, { ...unchecked(explanation), pointer: place, related }]
    }
    const { state, problems, unchecked: reason } = verdict.verdict
    if (state === 'unchecked') {
      return [...found, { ...unchecked(reason?.message ?? en.unchecked), pointer: place, related }]
    }
    const first = problems.find(({ severity }) => severity === 'error')
    if (!first) return found
    const rest = verdict.total > 1 || verdict.more ? `, the first of ${verdict.total}${verdict.more ? '+' : ''}` : ''
    const explanation = `structuredContent violates the outputSchema of ${show(tool)}: ${first.message}${rest}`
    return [...found, { rule: 'SF-TOOL-14', keyword: 'MUST', explanation, pointer: place + first.pointer, related }]
  })
}

/** Reported as a note, because zero violations would suggest that everything was checked. */
const unchecked = (why: string) => ({
  rule: 'SF-TOOL-14',
  keyword: 'MAY' as const,
  explanation: `${en.unchecked}: ${why}`,
})
