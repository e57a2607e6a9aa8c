/**
 * Requests that a server must refuse with -32602, for a tool, a prompt, a cursor or a log level that doesn't exist; and
 * valid ones that it refuses.
 */
import { ErrorCode, isObject, type Json, type JsonObject, PageOrder } from '../../mcp/index.ts'
import { type LinkView, type Observed, wordsOf } from '../link.ts'
import { declares } from './lifecycle.ts'
import { Recent } from '../recent.ts'
import { group, type Say, show } from '../rule.ts'

const RULES = [
  'BP-30', 'SF-COMP-02', 'SF-LOG-07', 'SF-PAGE-03', 'SF-PAGE-06', 'SF-PROMPT-05', 'SF-TOOL-08', 'SF-TOOL-19', 'SF-TOOL-20',
] as const // prettier-ignore
type Id = (typeof RULES)[number]

/** Cursors remembered per method. If a list has more, unknown ones are no longer judged. */
const MOST_CURSORS = 2_000
/** Names remembered per list. */
const MOST_NAMES = 10_000
const LEVELS: ReadonlySet<Json | undefined> = new Set([
  ...['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
])

/** The names in a list, once it was read to its end and until it changes. */
class KnownNames {
  readonly #walk = new PageOrder()
  /** Name, and what it requires. */
  #reading = new Map<string, readonly string[]>()
  #complete: ReadonlyMap<string, readonly string[]> | undefined

  page(asked: Json | undefined, next: Json | undefined, items: readonly Json[]): void {
    const place = this.#walk.step(asked, next)
    if (place === 'elsewhere') return
    if (place === 'first') this.#reading = new Map()
    for (const item of items)
      if (isObject(item) && typeof item.name === 'string' && this.#reading.size < MOST_NAMES)
        this.#reading.set(item.name, requiredOf(item))
    this.#complete = next === undefined && this.#reading.size < MOST_NAMES ? this.#reading : undefined
  }

  changed(): void {
    this.#complete = undefined
  }

  has(name: string | undefined): boolean {
    return name !== undefined && this.#complete?.has(name) === true
  }

  lacks(name: string | undefined): boolean {
    return name !== undefined && this.#complete !== undefined && !this.#complete.has(name)
  }

  /** The required arguments that weren't given. */
  missing(name: string | undefined, given: readonly string[] | undefined): readonly string[] {
    const required = name === undefined ? undefined : this.#complete?.get(name)
    return required?.filter((each) => !(given ?? []).includes(each)) ?? []
  }
}

/** Keywords by which a schema may require arguments that it doesn't list. */
const MAY_REQUIRE = ['allOf', 'anyOf', 'oneOf', '$ref', 'if', 'minProperties']

/** The required arguments of a prompt or a tool. */
const requiredOf = ({ arguments: list, inputSchema }: JsonObject): readonly string[] =>
  isObject(inputSchema)
    ? [...MAY_REQUIRE.filter((key) => key in inputSchema), ...namesIn(inputSchema.required)]
    : Array.isArray(list)
      ? (list as readonly Json[]).flatMap((each) =>
          isObject(each) && each.required === true && typeof each.name === 'string' ? [each.name] : [],
        )
      : []

export const invalidParams = group(RULES, (view) => {
  const tools = new KnownNames()
  const prompts = new KnownNames()
  const cursors = new Map<string, Recent<string, true>>()
  return {
    renewed() {
      tools.changed()
      prompts.changed()
    },
    message(heard, say) {
      const { kind, method, result, asked } = heard
      if (kind === 'notification') {
        if (method === 'notifications/tools/list_changed') tools.changed()
        if (method === 'notifications/prompts/list_changed') prompts.changed()
        return
      }
      if (kind !== 'answer' || heard.answer !== 'first' || !asked || method === undefined) return
      if (method === 'tools/call') {
        if (tools.lacks(asked.subject)) judge(heard, 'SF-TOOL-20', `There is no tool ${show(asked.subject)}`, say)
        else if (tools.has(asked.subject)) {
          refused(heard, view, say)
          if (asked.given === undefined && tools.missing(asked.subject, []).length === 0)
            refusedFor(
              heard,
              /\barguments?\b/i,
              'SF-TOOL-08',
              'A tool without required arguments was called without any',
              say,
            )
        } else denied(heard, 'tool', 'SF-TOOL-20', say)
      } else if (method === 'prompts/get') {
        const missing = prompts.missing(asked.subject, asked.given)
        if (prompts.lacks(asked.subject)) judge(heard, 'SF-PROMPT-05', `There is no prompt ${show(asked.subject)}`, say)
        else if (missing.length > 0) {
          const what = `The required argument ${show(missing[0])} of ${show(asked.subject)} is missing`
          judge(heard, 'SF-PROMPT-05', what, say)
        } else if (!prompts.has(asked.subject)) denied(heard, 'prompt', 'SF-PROMPT-05', say)
      } else if (method === 'completion/complete') {
        refusedFor(heard, UNKNOWN_REF, 'SF-COMP-02', 'The type of a ref is ref/prompt or ref/resource', say)
      } else if (method === 'logging/setLevel') {
        if (!LEVELS.has(asked.level)) judge(heard, 'SF-LOG-07', `There is no log level ${show(asked.level)}`, say)
      } else if (method.endsWith('/list')) {
        let given = cursors.get(method)
        if (!given) cursors.set(method, (given = new Recent(MOST_CURSORS)))
        const { cursor } = asked
        const unknown = cursor !== undefined && !(typeof cursor === 'string' && given.has(cursor))
        if (cursor === '' && given.has(''))
          refusedFor(heard, /\bcursor\b/i, 'SF-PAGE-03', 'The cursor "" comes from the server itself', say)
        if (unknown && !given.forgot) judge(heard, 'SF-PAGE-06', `No page gave the cursor ${show(cursor)}`, say)
        else if (cursor !== undefined) denied(heard, 'cursor', 'SF-PAGE-06', say)
        if (!result || (result.resultType !== undefined && result.resultType !== 'complete')) return
        if (typeof result.nextCursor === 'string') given.set(result.nextCursor, true)
        if (method === 'tools/list' && Array.isArray(result.tools))
          tools.page(cursor, result.nextCursor, result.tools as readonly Json[])
        if (method === 'prompts/list' && Array.isArray(result.prompts))
          prompts.page(cursor, result.nextCursor, result.prompts as readonly Json[])
      }
    },
  }
})

const namesIn = (list: Json | undefined): readonly string[] =>
  Array.isArray(list) ? (list as readonly Json[]).filter((name) => typeof name === 'string') : []

const UNKNOWN_REF = /\b(unknown|invalid|unsupported)\b.{0,20}\bref(erence)?\b.{0,12}\btype\b/i

/** A valid request that the server refuses with -32602, in words that say why. */
const refusedFor = ({ error, at, asked }: Observed, words: RegExp, rule: Id, why: string, say: Say<Id>): void => {
  if (error?.code !== ErrorCode.InvalidParams || asked?.byHand || !words.test(wordsOf(error))) return
  say(rule, `${why}; found ${show(error.message)}`, { pointer: `${at}/error`, related: asked?.seq })
}

/** What servers write when arguments don't fit their schema. */
const ABOUT_INPUT =
  /\b(invalid|missing|unexpected|required|bad|malformed|validat\w*)\b.{0,60}\b(arg(ument)?s?|param(eter)?s?|input)\b/i

/** A listed tool answers with a result, even if it fails: SF-TOOL-19 (since 2025-11-25) and BP-30. */
const refused = ({ error, at, asked, revision }: Observed, view: LinkView, say: Say<Id>): void => {
  if (!error) return
  const { code, message } = error
  const details = { pointer: `${at}/error/code`, related: asked!.seq }
  const tool = show(asked!.subject)
  // A tool that must, or can't, run as a task is refused with this code (TASK-03).
  if (
    code === ErrorCode.MethodNotFound &&
    !(revision === '2025-11-25' && declares(view.serverCapabilities ?? {}, 'tasks'))
  ) {
    return say('BP-30', `-32601 to a call of ${tool}, which is in the list of tools`, details)
  }
  const words = typeof message === 'string' ? message.slice(0, 500) : ''
  if (code !== ErrorCode.InvalidParams && !(code === ErrorCode.InternalError && ABOUT_INPUT.test(words))) return
  say('SF-TOOL-19', `The arguments of ${tool} are refused with ${show(code)}; expected a result with isError`, details)
}

/** The server's own words for something that doesn't exist, by what it is. */
const DENIED = {
  tool: /\b(unknown|no such|unregistered|unrecogni[sz]ed) tool\b|\btool\b.{0,120}\b(not found|unknown|unregistered|doesn't exist|does not exist)\b/i,
  prompt:
    /\b(unknown|no such|unregistered|unrecogni[sz]ed) prompt\b|\bprompt\b.{0,120}\b(not found|unknown|unregistered|doesn't exist|does not exist)\b/i,
  cursor:
    /\b(invalid|unknown|expired|malformed|bad|unrecogni[sz]ed) (\w+ )?cursor\b|\bcursor\b.{0,120}\b(invalid|unknown|expired|stale|not found|not valid|no longer)\b/i,
} as const

/** No list says whether it exists, but the server itself says that it doesn't. */
const denied = (heard: Observed, what: keyof typeof DENIED, rule: Id, say: Say<Id>): void => {
  const { error, result, at, asked } = heard
  if (what === 'tool' && result?.isError === true) {
    // A tool that works on tools may not find one either, so the text must name the one that was called.
    const text = onlyTextIn(result).slice(0, 500)
    if (asked!.subject === undefined || !text.includes(asked!.subject) || !DENIED.tool.test(text)) return
    return judge(heard, rule, `The server says that there is no tool ${show(asked!.subject)}`, say)
  }
  if (!error || error.code === ErrorCode.InvalidParams || typeof error.message !== 'string') return
  if (!DENIED[what].test(error.message.slice(0, 500))) return
  const why = `The server says that the ${what} isn't valid: expected the error -32602; found ${show(error.code)}`
  say(rule, why, { pointer: `${at}/error/code`, related: asked!.seq })
}

const onlyTextIn = ({ content }: JsonObject): string => {
  const [block, ...others] = Array.isArray(content) ? (content as readonly Json[]) : []
  return isObject(block) && typeof block.text === 'string' && others.length === 0 ? block.text : ''
}

/** @param why what is wrong with the request */
const judge = ({ result, error, at, asked }: Observed, rule: Id, why: string, say: Say<Id>): void => {
  const related = asked!.seq
  if (error) {
    if (error.code === ErrorCode.InvalidParams) return
    say(rule, `${why}: expected the error -32602; found ${show(error.code)}`, { pointer: `${at}/error/code`, related })
  } else if (result) {
    const found = result.isError === true ? 'a result with isError' : 'a result'
    say(rule, `${why}: expected the error -32602; found ${found}`, { pointer: `${at}/result`, related })
  }
}
