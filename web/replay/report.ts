/** The results of a re-run for people: one line per step, followed by its differences. */
import type { Finding, Json } from '../mcp/index.ts'
import { visible } from '../ui/index.ts'
import type { Diff, Difference } from './diff.ts'
import { type ExpectationResult, statusOf } from './expect.ts'
import type { Problem, StepReport } from './rerun.ts'
import type { Expectation, Outcome, Step } from './steps.ts'

export interface VerifyReport {
  /** The path of the recording, as the user entered it. */
  readonly file: string
  /** Where its steps were sent. */
  readonly server: string
  /** ISO 8601. */
  readonly begunAt: string
  /** ms in total. */
  readonly took: number
  readonly steps: readonly StepReport[]
  /** MUST rules that the server violates now but not in the recording. */
  readonly broken: readonly Finding[]
  /** Information that doesn't cause a failure. */
  readonly notes: readonly string[]
  /** The program that created the report. */
  readonly tool: { readonly name: string; readonly version: string }
  /** The line of a step in the file, if known. */
  readonly line?: (step: Step) => number | undefined
  /** The server of a step; absent if there is only one. */
  readonly label?: (step: Step) => string | undefined
}

interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly notSent: number
  /** Accepted differences, by rule. */
  readonly accepted: ReadonlyMap<string, number>
  readonly ok: boolean
}

export const summaryOf = ({ steps, broken }: Pick<VerifyReport, 'steps' | 'broken'>): Summary => {
  const accepted = new Map<string, number>()
  let [passed, failed, skipped, notSent] = [0, 0, 0, 0]
  for (const { verdict, passed: good, diff } of steps) {
    if (verdict === 'skipped') skipped++
    else if (verdict === 'not-sent') notSent++
    else if (good) passed++
    else failed++
    for (const { accepted: rule } of diff?.differences ?? []) {
      if (rule !== undefined) accepted.set(rule, (accepted.get(rule) ?? 0) + 1)
    }
  }
  return { passed, failed, skipped, notSent, accepted, ok: failed + notSent + broken.length === 0 }
}

/** Differences reported per step; further ones are counted. */
const MOST_TOLD = 20
/** UTF-16 units of a value. */
const LONGEST_VALUE = 300

/** A short title of a step: `tools/call echo`. */
const titleOf = ({ name, method, params, kind }: Step): string => {
  if (name !== undefined) return visible(name, 100)
  if (kind === 'raw') return `raw text${method === '' ? '' : ` ${visible(method, 100)}`}`
  const subject = [params?.name, params?.uri, params?.taskId].find((value) => typeof value === 'string')
  return visible(subject === undefined ? method : `${method} ${subject}`, 100)
}

/** The title, after the name of its server if there are several. */
const labelledTitle = ({ label }: VerifyReport, step: Step): string => {
  const server = label?.(step)
  return server === undefined ? titleOf(step) : `${visible(server, 40)}: ${titleOf(step)}`
}

/** Why a step failed, one paragraph per reason; empty if it passed. */
const faultsOf = (report: StepReport): string[] => {
  const { verdict, diff, outcome, step, expectations, extra, problem, passed } = report
  if (passed) return []
  const faults: string[] = []
  if (problem) faults.push(problemText(problem))
  const counting = diff?.differences.filter(({ accepted }) => accepted === undefined) ?? []
  for (const difference of counting.slice(0, MOST_TOLD)) faults.push(differenceText(difference))
  const more = counting.length - MOST_TOLD
  if (more > 0 || diff?.more) faults.push(`and ${more > 0 ? more : 'still'} more differences`)
  if (verdict === 'missing') faults.push(`response missing: ${outcome ? statusOf(outcome) : 'nothing received'}`)
  if (verdict === 'extra' && step.recorded) faults.push('unexpected response: the recording has none')
  if (verdict === 'different' && !diff && step.recorded && outcome) {
    faults.push(`was ${statusOf(step.recorded)}, is ${statusOf(outcome)}`)
  }
  for (const result of expectations) if (!result.met) faults.push(expectationFault(result))
  for (const { method } of extra)
    faults.push(`the server requested ${visible(method, 100)}, but the recording has no response to it`)
  return faults
}

/** Additional information about a step, whether it passed or not. */
const remarksOf = ({ slower, unasked, outcome, step, diff, verdict, problem }: StepReport): string[] => [
  ...(verdict === 'skipped' && problem ? [problemText(problem)] : []),
  ...ignoredIn(diff),
  ...(slower === undefined || !outcome || !step.recorded
    ? []
    : [`took ${milliseconds(outcome)}, ${Math.round(slower)} times as long as recorded`]),
  ...unasked.map(({ method }) => `the server didn't request ${visible(method, 100)} this time`),
]

/** Differences that a rule accepts. */
const ignoredIn = (diff: Diff | undefined): string[] => {
  const all = diff?.differences.filter(({ accepted }) => accepted !== undefined) ?? []
  return [
    ...all
      .slice(0, MOST_IGNORED)
      .map(({ pointer, accepted }) => `ignored by ${visible(accepted!, 100)}: ${visible(pointer)}`),
    ...(all.length > MOST_IGNORED ? [`and ${all.length - MOST_IGNORED} more ignored differences`] : []),
  ]
}

/** Ignored differences told per step. */
const MOST_IGNORED = 5

const problemText = (problem: Problem): string => {
  switch (problem.code) {
    case 'no-session':
      return `not sent: no connection for ${visible(problem.link, 100)}`
    case 'unknown-variables':
      return `not sent: add ${problem.names.map((name) => `--var ${name}=…`).join(' ')}`
    case 'redacted':
      return "its request was redacted, so it can't be sent"
    case 'refused':
      return `not sent: ${visible(problem.message)}`
  }
}

const differenceText = ({ pointer, kind, was, is }: Difference): string => {
  const at = pointer === '' ? 'the response' : visible(pointer)
  if (kind === 'added') return `${at} is new: ${valueText(is)}`
  if (kind === 'removed') return `${at} is gone: ${valueText(was)}`
  return `${at}\n  was  ${valueText(was)}\n  is   ${valueText(is)}`
}

const valueText = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : visible(JSON.stringify(value), LONGEST_VALUE)

const expectationText = (expectation: Expectation): string => {
  switch (expectation.kind) {
    case 'status':
      return `status ${expectation.status}${expectation.code === undefined ? '' : ` ${expectation.code}`}`
    case 'equals':
      return `${visible(expectation.pointer)} to be ${valueText(expectation.value)}`
    case 'matches':
      return `${expectation.pointer ? visible(expectation.pointer) : 'the response'} to match its schema`
    case 'contains':
      return `to contain ${valueText(expectation.text)}`
    case 'under':
      return `under ${expectation.limit} ms`
    case 'no-must':
      return 'no MUST violations'
  }
}

const expectationFault = ({ expectation, found }: ExpectationResult): string =>
  `expected ${expectationText(expectation)}; found ${visible(found ?? 'something else')}`

const milliseconds = ({ took }: Outcome): string => `${Math.round(took)} ms`

const SIGNS = { passed: '✓', failed: '✗', skipped: '-' } as const

/** For a terminal or a log: plain text in which server output can't move the cursor. */
export const textReport = (report: VerifyReport): string => {
  const { file, server, steps, broken, notes } = report
  const lines = [
    `${visible(file)} against ${visible(server)}`,
    ...notes.map((note) => `Note: ${visible(note, 1000)}`),
    '',
  ]
  const width = Math.min(Math.max(...steps.map(({ step }) => labelledTitle(report, step).length), 0), 60)
  steps.forEach((each, at) => {
    const { step, run, verdict, passed, outcome } = each
    const sign = verdict === 'skipped' ? SIGNS.skipped : passed ? SIGNS.passed : SIGNS.failed
    const title = labelledTitle(report, step) + ((step.repeat ?? 1) > 1 ? ` (${run})` : '')
    const time = outcome ? milliseconds(outcome) : verdict === 'skipped' ? 'skipped' : ''
    const say = passed ? '' : `  ${VERDICTS[verdict]}`
    lines.push(`  ${sign} ${String(at + 1).padStart(3)}  ${title.padEnd(width)}  ${time.padStart(8)}${say}`.trimEnd())
    for (const text of [...faultsOf(each), ...remarksOf(each)]) lines.push(indented(text))
  })
  if (broken.length > 0) {
    lines.push('', 'New violations, not in the recording:')
    for (const { rule, explanation } of broken) lines.push(`  ✗ ${visible(rule, 100)}  ${visible(explanation)}`)
  }
  return `${[...lines, '', summaryText(report)].join('\n')}\n`
}

const VERDICTS: Readonly<Record<StepReport['verdict'], string>> = {
  same: 'not as expected',
  different: 'different',
  missing: 'no response',
  extra: 'not as expected',
  skipped: 'skipped',
  'not-sent': 'not sent',
}

const indented = (text: string): string => text.replace(/^/gm, '           ')

const summaryText = (report: VerifyReport): string => {
  const { passed, failed, skipped, notSent, accepted } = summaryOf(report)
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notSent > 0 ? [`${notSent} not sent`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(report.broken.length > 0
      ? [`${report.broken.length} new ${report.broken.length === 1 ? 'violation' : 'violations'}`]
      : []),
  ]
  const { steps, took } = report
  const whole = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'} in ${(took / 1000).toFixed(1)} s: ${parts.join(', ')}.`
  if (accepted.size === 0) return whole
  const rules = Array.from(accepted, ([rule, count]) => `${visible(rule, 100)} ${count}`)
  return `${whole}\nDifferences ignored by rules: ${rules.join(', ')}.`
}

/** For programs: the content of `textReport`, and the raw differences. */
export const jsonReport = (report: VerifyReport): string => {
  const { line, label, steps, ...rest } = report
  const { accepted, ...summary } = summaryOf(report)
  return `${JSON.stringify(
    {
      ...rest,
      summary: { ...summary, accepted: Object.fromEntries(accepted) },
      steps: steps.map(({ step, seq: _, ...each }) => ({
        id: step.id,
        title: titleOf(step),
        ...(label?.(step) === undefined ? {} : { server: label(step) }),
        method: step.method,
        ...(step.params ? { params: step.params } : {}),
        ...(line?.(step) === undefined ? {} : { line: line(step) }),
        ...each,
        faults: faultsOf({ step, ...each }),
      })),
    },
    null,
    2,
  )}\n`
}

// The results of a re-run for CI systems: JUnit XML and SARIF 2.1.0.

/**
 * One test case per step, and one per newly violated rule. There is no standard; this is the common subset of CI
 * systems.
 */
export const junitReport = (report: VerifyReport): string => {
  const { file, server, steps, broken, begunAt, took } = report
  const { failed, skipped, notSent } = summaryOf(report)
  const counts = attributes({
    tests: String(steps.length + broken.length),
    failures: String(failed + broken.length),
    errors: String(notSent),
    skipped: String(skipped),
    time: seconds(took),
  })
  const suite = attributes({ name: file, timestamp: begunAt.replace(/\.\d+Z$/, ''), hostname: server })
  const cases = [
    ...steps.map((each, at) => stepCase(each, at, report)),
    ...broken.map(({ rule, explanation }) => {
      const failure = `<failure${attributes({ message: explanation, type: rule })}>${escaped(explanation)}</failure>`
      return `    <testcase${attributes({ name: rule, classname: file, time: '0' })}>${failure}</testcase>`
    }),
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'periscope verify' })}${counts}>`,
    `  <testsuite${suite}${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const stepCase = (each: StepReport, at: number, report: VerifyReport): string => {
  const { file } = report
  const { step, outcome, verdict, passed, run } = each
  // Test cases with the same name would be merged, so each has a number.
  const name = `${at + 1} ${labelledTitle(report, step)}${run > 1 ? ` (${run})` : ''}`
  const head = `    <testcase${attributes({ name, classname: file, time: seconds(outcome?.took ?? 0) })}`
  if (verdict === 'skipped') return `${head}><skipped/></testcase>`
  if (passed) return `${head}/>`
  const faults = faultsOf(each)
  const kind = verdict === 'not-sent' ? 'error' : 'failure'
  const message = attributes({ message: faults[0]?.replaceAll('\n', ' ') ?? verdict, type: verdict })
  return `${head}><${kind}${message}>${escaped(faults.join('\n'))}</${kind}></testcase>`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('\n', '&#10;')}"`)
    .join('')

/** Characters that XML 1.0 can't represent become U+FFFD; there is no escape for them (section 2.2). */
// eslint-disable-next-line no-control-regex -- they are what it looks for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu

const escaped = (text: string): string =>
  text
    .replace(UNWRITABLE, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;')

const RULES: Readonly<Record<string, string>> = {
  different: 'The response differs from the recorded one',
  missing: 'The response is missing',
  extra: 'A response or message that was not recorded or not expected',
  same: 'The response is as recorded but not as expected',
  'not-sent': "The step couldn't be sent",
}

/**
 * One result for each failed step and each newly violated rule.
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export const sarifReport = (report: VerifyReport): string => {
  const { file, steps, broken, tool, begunAt, took, line } = report
  const failed = steps.filter(({ passed }) => !passed)
  const { ok, notSent } = summaryOf(report)
  const used = [...new Set(failed.map(({ verdict }) => verdict))]
  const rules = [
    ...used.map((id) => ({ id, shortDescription: { text: RULES[id] ?? id } })),
    ...broken.map(({ rule }) => ({ id: rule, shortDescription: { text: `Specification rule ${rule}` } })),
  ]
  const location = (at: number | undefined, name?: string) => ({
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      ...(at === undefined ? {} : { region: { startLine: at } }),
    },
    ...(name === undefined ? {} : { logicalLocations: [{ name, kind: 'member' }] }),
  })
  const results = [
    ...failed.map((each) => ({
      ruleId: each.verdict,
      ruleIndex: used.indexOf(each.verdict),
      level: 'error',
      message: { text: wellFormed(`${labelledTitle(report, each.step)}\n${faultsOf(each).join('\n')}`) },
      locations: [location(line?.(each.step), wellFormed(labelledTitle(report, each.step)))],
      partialFingerprints: { 'step/v1': wellFormed(`${each.step.id} ${each.run}`) },
    })),
    ...broken.map(({ rule, explanation }, at) => ({
      ruleId: rule,
      ruleIndex: used.length + at,
      level: 'error',
      message: { text: wellFormed(explanation) },
      locations: [location(undefined)],
    })),
  ]
  const ended = new Date(Date.parse(begunAt) + took).toISOString()
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules } },
        invocations: [
          { executionSuccessful: notSent === 0, exitCode: ok ? 0 : 1, startTimeUtc: begunAt, endTimeUtc: ended },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  }
  return `${JSON.stringify(sarif, null, 2)}\n`
}

/** Lone surrogates aren't valid Unicode, and parsers refuse them. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\uFFFD')

/** A relative path stays relative, so that tools find the file in the repository; a Windows path becomes a URI. */
const uriOf = (file: string): string => {
  const path = wellFormed(file).replaceAll('\\', '/')
  const drive = /^([A-Za-z]:)(\/.*)$/.exec(path)
  const encoded = (text: string) => text.split('/').map(encodeURIComponent).join('/')
  if (drive) return `file:///${drive[1]}${encoded(drive[2]!)}`
  if (path.startsWith('/')) return `file://${encoded(path)}`
  // A first segment with a colon would read as a scheme; `encodeURIComponent` escapes it.
  return encoded(path.replace(/^(?:\.\/)+/, ''))
}
