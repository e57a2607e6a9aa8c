/**
 * The report card of a connection: facts about a server in numbers, and as Markdown for an issue. It doesn't grade.
 * Text from the server appears only as code, where Markdown has no effect.
 */
import { specificationUrl, type Requirement, type Findings, type RuleTally } from '../../lint/index.ts'
import { verdictOf } from '../../mcp/index.ts'
import type { Exchange, Json, JsonObject, Link, Peer, Seq, Verdict } from '../../mcp/index.ts'
import type { Translation } from '../../ui/index.svelte.ts'
import { visible } from '../../ui/index.ts'
import { problemsOf } from '../findings/index.ts'
import { capabilityRows, type CapabilityRow } from './capabilities.ts'
import type { Count } from './facts-fold.ts'
import type en from './text/en.ts'

/** A rule violated on this connection, or advice on what the server offers. */
export interface Violation {
  readonly rule: string
  readonly keyword: RuleTally['keyword']
  readonly count: number
  /** The first stored frame that shows it. */
  readonly seq?: Seq
  readonly explanation?: string
}

export interface ViolationList {
  readonly MUST: number
  readonly SHOULD: number
  readonly MAY: number
  /** Advice, which isn't a violation; listed separately, most frequent first. */
  readonly advice: readonly Violation[]
  /** Most severe first: by keyword, then by count. */
  readonly violations: readonly Violation[]
}

/** @param isMuted rules that the user muted don't count */
export const violationsOf = (
  findings: Findings,
  link: Link,
  isMuted: (rule: string) => boolean = () => false,
): ViolationList => {
  const all = problemsOf(findings, link)
    .filter(({ rule }) => !isMuted(rule))
    .map(({ rule, keyword, count, found: [first] }): Violation => ({
      rule,
      keyword,
      count,
      ...(first ? { seq: first.seq, explanation: first.explanation } : {}),
    }))
  const sum = (wanted: Violation['keyword']) =>
    all.reduce((total, { keyword, count }) => (keyword === wanted ? total + count : total), 0)
  const isAdvice = ({ keyword }: Violation) => keyword === 'ADVICE'
  return {
    MUST: sum('MUST'),
    SHOULD: sum('SHOULD'),
    MAY: sum('MAY'),
    violations: all.filter((each) => !isAdvice(each)),
    advice: all.filter(isAdvice),
  }
}

export interface Slowest {
  readonly method: string
  readonly subject?: string
  readonly seq: Seq
  /** In ms. */
  readonly took: number
}

export interface Timings {
  /** Number of our requests that got a response. */
  readonly answered: number
  /** Number of our requests per verdict; pending ones are left out. */
  readonly verdicts: ReadonlyMap<Verdict, number>
  /** In ms. */
  readonly median?: number
  readonly slowest?: Slowest
}

/** Requests that stay open by design don't count as slow calls. */
const LASTING: ReadonlySet<string> = new Set(['subscriptions/listen', 'tasks/result'])

export const timingsOf = (all: Iterable<Readonly<Exchange>>, link: Link): Timings => {
  const times: number[] = []
  const verdicts = new Map<Verdict, number>()
  let slowest: Slowest | undefined
  for (const exchange of all) {
    const { link: of, direction, method, subject, request, startedAt, endedAt, response } = exchange
    if (of !== link || direction !== 'sent') continue
    const verdict = verdictOf(exchange)
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
    if (response === undefined || endedAt === undefined) continue
    if (LASTING.has(method)) continue
    const took = endedAt - startedAt
    times.push(took)
    if (!slowest || took > slowest.took) {
      slowest = { method, seq: request, took, ...(subject === undefined ? {} : { subject }) }
    }
  }
  const median = times.sort((a, b) => a - b)[times.length >> 1]
  return {
    answered: times.length,
    verdicts,
    ...(median === undefined ? {} : { median }),
    ...(slowest ? { slowest } : {}),
  }
}

export interface Report {
  /** The server's name in this page. */
  readonly name: string
  readonly peer: Peer
  readonly client: JsonObject
  readonly transport: string
  /** How the protocol version was determined, as text. */
  readonly evidence: readonly string[]
  readonly counts: readonly Count[]
  /** Absent until the lint has run. */
  readonly found: ViolationList | undefined
  readonly requirements: Readonly<Record<string, Requirement>>
  readonly timings: Timings
  /** ms from the first request to its response. */
  readonly handshake?: number | undefined
}

export interface ReportFormat {
  /** The catalogue of the current language. */
  readonly t: Translation<typeof en>
  readonly ms: (ms: number) => string
  readonly count: (count: number) => string
  readonly verdict: (verdict: Verdict) => string
  readonly titleOf: (rule: string) => string | undefined
  /** Punctuation of the current language. */
  readonly labelled: (label: string, value: string) => string
  readonly bracketed: (text: string, more: string) => string
  readonly joined: (clauses: readonly string[]) => string
}

/** `3 tools`, as one line of the report. */
export const countLine = (count: Count, { capabilities }: Peer, { t, count: format }: ReportFormat): string =>
  t.counted(count.kind, format(count.count), count.state, capabilities[count.tab] !== undefined)

/** Maximum number of violations listed; the rest are only counted. */
const LISTED = 50

export const reportMarkdown = (report: Report, format: ReportFormat): string => {
  const { t, ms, labelled, bracketed, joined } = format
  const { peer, client, counts, timings } = report
  const identity = ['title', 'name', 'version', 'websiteUrl', 'description']
    .filter((key) => peer.info[key] !== undefined)
    .map((key) => `- ${key}: ${code(peer.info[key])}`)
  const lines = [
    `# ${labelled(t.reportHeading, code(report.name))}`,
    `## ${t.identity}`,
    ...(identity.length > 0 ? identity : [`- ${t.nothingListed}`]),
    `## ${t.revision}`,
    `- ${bracketed(code(peer.revision), peer.era)}`,
    `- ${labelled(t.transport, code(report.transport))}`,
    ...report.evidence.map((clause) => `- ${code(clause)}`),
    `## ${t.capabilities}`,
    ...capabilityLines(t.sideServer, capabilityRows(peer.capabilities, peer.revision), format),
    ...capabilityLines(t.sideClient, capabilityRows(client, peer.revision, 'client'), format),
    `## ${t.offers}`,
    ...counts.map((count) => `- ${countLine(count, peer, format)}`),
    `## ${t.findings}`,
    ...findingLines(report, format),
    `## ${t.timings}`,
    ...(report.handshake === undefined ? [] : [`- ${labelled(t.handshake, ms(report.handshake))}`]),
    `- ${t.answeredCalls(format.count(timings.answered), timings.median === undefined ? '–' : ms(timings.median))}`,
  ]
  const ended = Array.from(timings.verdicts, ([verdict, count]) => `${count} ${format.verdict(verdict)}`)
  if (ended.length > 0) lines.push(`- ${joined(ended)}`)
  if (timings.slowest) {
    const { method, subject, took } = timings.slowest
    const of = subject === undefined ? '' : ` ${code(subject)}`
    lines.push(`- ${labelled(t.slowest, joined([`${code(method)}${of}`, ms(took)]))}`)
  }
  // Some Markdown parsers need an empty line before and after headings.
  return `${lines.map((line, at) => (line.startsWith('#') ? `${at === 0 ? '' : '\n'}${line}\n` : line)).join('\n')}\n`
}

const capabilityLines = (
  side: string,
  rows: readonly CapabilityRow[],
  { t, labelled, bracketed }: ReportFormat,
): string[] =>
  rows.length === 0
    ? [`- ${labelled(side, t.nothingListed)}`]
    : rows.slice(0, LISTED).map(({ name, status, flags }) => {
        const on = flags.filter((flag) => flag.on).slice(0, LISTED)
        const flagged = on.map((flag) => code(flag.name)).join(', ')
        const marked = status === 'known' ? code(name) : bracketed(code(name), status)
        return `- ${labelled(side, flagged === '' ? marked : labelled(marked, flagged))}`
      })

const findingLines = ({ found, requirements }: Report, format: ReportFormat): string[] => {
  const { t, count } = format
  if (!found) return [`- ${t.notJudged}`]
  const listed = found.violations.slice(0, LISTED).map((violation) => {
    const requirement = requirements[violation.rule]
    const url = requirement && specificationUrl(requirement.source)
    const line = `${violation.keyword} ${lineOf(violation, format)}`
    return `- ${url ? format.bracketed(line, `[${t.specification}](${url})`) : line}`
  })
  const more = found.violations.length > LISTED ? ['- …'] : []
  const advice = found.advice.slice(0, LISTED).map((each) => `- ${lineOf(each, format)}`)
  return [
    `- ${t.tally(count(found.MUST), count(found.SHOULD))}`,
    ...listed,
    ...more,
    ...(advice.length > 0 ? [`## ${t.advice}`, ...advice] : []),
  ]
}

const lineOf = (
  { rule, count, explanation }: Violation,
  { t, count: format, titleOf, labelled, bracketed }: ReportFormat,
): string => {
  const title = titleOf(rule)
  const named = `**${rule}**${title ? ` ${title}` : ''}`
  const counted = count > 1 ? bracketed(named, t.times(format(count))) : named
  return explanation ? labelled(counted, code(explanation)) : counted
}

/**
 * Any value as a code span, on one line and with invisible characters written out, so that no Markdown, HTML, URL or
 * @mention takes effect.
 *
 * @see https://spec.commonmark.org/0.31.2/#code-spans
 */
export const code = (value: Json | undefined): string => {
  const text = visible(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 500)
  // Markdown has no empty code spans.
  if (text.trim() === '') return '`""`'
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const padding = /^`|`$|^ .* $/.test(text) ? ' ' : ''
  return `${fence}${padding}${text}${padding}${fence}`
}
