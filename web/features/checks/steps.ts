/**
 * The steps of a run: edits, which return a new array and leave the input unchanged, and what the panel reads from them
 * and from their reports.
 */
import { resolvePointer, jsonIn } from '../../json/index.ts'
import { getOrInsert, isObject, toolCallsIn } from '../../mcp/index.ts'
import type { Json, Link } from '../../mcp/index.ts'
import {
  type StepReport,
  statusExpectation,
  type Expectation,
  type Outcome,
  type Step,
  namesIn,
  type VolatileRule,
} from '../../replay/index.ts'
import type { ServerView } from '../feature.ts'

export const changed = (steps: readonly Step[], id: string, by: (step: Step) => Step): readonly Step[] =>
  steps.map((step) => (step.id === id ? by(step) : step))

export const without = (steps: readonly Step[], id: string): readonly Step[] => steps.filter((step) => step.id !== id)

/** @param by rows to move down, or up if negative; stops at the ends */
export const shifted = (steps: readonly Step[], id: string, by: number): readonly Step[] => {
  const from = steps.findIndex((step) => step.id === id)
  const to = Math.max(0, Math.min(steps.length - 1, from + by))
  if (from < 0 || to === from) return steps
  const [step] = steps.slice(from, from + 1)
  return steps.toSpliced(from, 1).toSpliced(to, 0, step!)
}

/** Inserts a copy below the step, with a new id. */
export const doubled = (steps: readonly Step[], id: string, newId: string): readonly Step[] =>
  steps.flatMap((step) => (step.id === id ? [step, { ...step, id: newId }] : [step]))

/** Sets a field, or removes it if the value is `undefined`. */
export const withField = <Name extends keyof Step>(step: Step, name: Name, value: Step[Name] | undefined): Step => {
  const { [name]: _, ...rest } = step
  return (value === undefined ? rest : { ...rest, [name]: value }) as Step
}

/** Adds a rule with a unique id. */
export const withRule = (rules: readonly VolatileRule[], rule: Omit<VolatileRule, 'id'>): readonly VolatileRule[] => {
  const taken = new Set(rules.map(({ id }) => id))
  let number = 1
  while (taken.has(`own-${number}`)) number++
  return [...rules, { id: `own-${number}`, ...rule }]
}

/** The subject of a step: the name of a tool or prompt, or a URI. */
export const subjectOf = ({ params, text }: Step): string => {
  const subject = params?.['name'] ?? params?.['uri'] ?? (isObject(params?.['ref']) ? params['ref'].name : undefined)
  return typeof subject === 'string' ? subject : (text ?? '')
}

export const titleOf = (step: Step): string => step.name ?? (subjectOf(step) || step.method)

/** Variables that the user must give a value: used by a step but not captured by an earlier one. */
export const wantedIn = (steps: readonly Step[]): readonly string[] => {
  const taken = new Set<string>()
  const wanted = new Set<string>()
  for (const { skip, templated, params, take = [] } of steps) {
    if (skip) continue
    if (templated) for (const name of namesIn(params)) if (!taken.has(name)) wanted.add(name)
    for (const { name } of take) taken.add(name)
  }
  return [...wanted]
}

/** The tools in a run that ask before they are called. */
export interface AskingCalls<Server = ServerView> {
  readonly tools: readonly string[]
  /** The connections that receive such a call, with its tools; others are left out. */
  readonly servers: readonly { readonly server: Server; readonly tools: readonly string[] }[]
}

/** The tools that a step calls. A text that leaves open which one is asked about when it is sent. */
export const toolsOf = (step: Step): readonly string[] => {
  if (step.kind === 'raw') return toolCallsIn({ message: {}, text: step.text ?? '' }).flatMap(({ tool }) => tool ?? [])
  return step.method === 'tools/call' ? [subjectOf(step)] : []
}

/** @param asks whether the server's policy asks before this tool */
export const askingCalls = <Server extends Pick<ServerView, 'link'>>(
  steps: readonly Step[],
  targetOf: (link: Link) => Server | undefined,
  asks: (server: Server, tool: string) => boolean,
): AskingCalls<Server> => {
  const servers = new Map<Link, { readonly server: Server; readonly tools: Set<string> }>()
  for (const step of steps) {
    const server = targetOf(step.link)
    if (!server || step.skip) continue
    for (const tool of toolsOf(step)) {
      if (!asks(server, tool)) continue
      getOrInsert(servers, server.link, () => ({ server, tools: new Set<string>() })).tools.add(tool)
    }
  }
  const all = Array.from(servers.values(), ({ server, tools }) => ({ server, tools: [...tools] }))
  return { tools: [...new Set(all.flatMap(({ tools }) => tools))], servers: all }
}

/** A typed value: JSON if it is a number, an array or the like, otherwise a string. */
export const typedValue = (text: string): Json => {
  const value = jsonIn(text)
  return value === undefined ? text : value
}

/** Characters of a value that an expectation may repeat in full. */
const LONGEST_EXPECTED = 20_000

/** Expectations that require the same outcome again. */
export const expectationsFrom = (outcome: Outcome): readonly Expectation[] => {
  const status = statusExpectation(outcome)
  if (!status) return []
  const result = 'result' in outcome ? outcome.result : undefined
  const pointer = ['/structuredContent', '/content', '/contents', '/messages'].find(
    (each) => resolvePointer(result, each) !== undefined,
  )
  const value = pointer === undefined ? undefined : resolvePointer(result, pointer)
  const short = value !== undefined && JSON.stringify(value).length <= LONGEST_EXPECTED
  return [
    status,
    ...(pointer !== undefined && short ? [{ kind: 'equals' as const, pointer, value }] : []),
    { kind: 'no-must' },
  ]
}

/** The result shown in a step's row: the worst of its runs. */
export type Mark = 'none' | 'passed' | 'failed' | 'skipped' | 'not-sent'

export const markOf = (reports: readonly StepReport[] | undefined): Mark => {
  if (!reports || reports.length === 0) return 'none'
  if (reports.some(({ verdict }) => verdict === 'not-sent')) return 'not-sent'
  if (reports.some(({ passed }) => !passed)) return 'failed'
  return reports.every(({ verdict }) => verdict === 'skipped') ? 'skipped' : 'passed'
}

export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly notSent: number
  readonly slower: number
}

export const summaryOf = (all: Iterable<readonly StepReport[]>): Summary => {
  const summary = { passed: 0, failed: 0, skipped: 0, notSent: 0, slower: 0 }
  for (const reports of all) {
    const mark = markOf(reports)
    if (mark === 'passed') summary.passed++
    else if (mark === 'failed') summary.failed++
    else if (mark === 'skipped') summary.skipped++
    else if (mark === 'not-sent') summary.notSent++
    if (reports.some(({ slower }) => slower !== undefined)) summary.slower++
  }
  return summary
}
