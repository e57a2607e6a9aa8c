/** The results of a re-run for CI systems: JUnit XML and SARIF 2.1.0. */
import { faultsOf, summaryOf, titleOf, type VerifyReport } from './report.ts'
import type { StepReport } from './rerun.ts'

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
    ...steps.map((each, at) => stepCase(each, at, file)),
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

const stepCase = (each: StepReport, at: number, file: string): string => {
  const { step, outcome, verdict, passed, run } = each
  // Test cases with the same name would be merged, so each has a number.
  const name = `${at + 1} ${titleOf(step)}${run > 1 ? ` (${run})` : ''}`
  const head = `    <testcase${attributes({ name, classname: file, time: seconds(outcome?.took ?? 0) })}`
  if (verdict === 'skipped') return `${head}><skipped/></testcase>`
  if (passed) return `${head}/>`
  const faults = faultsOf(each)
  const kind = verdict === 'not-sent' ? 'error' : 'failure'
  const told = attributes({ message: faults[0]?.replaceAll('\n', ' ') ?? verdict, type: verdict })
  return `${head}><${kind}${told}>${escaped(faults.join('\n'))}</${kind}></testcase>`
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
      message: { text: wellFormed(`${titleOf(each.step)}\n${faultsOf(each).join('\n')}`) },
      locations: [location(line?.(each.step), wellFormed(titleOf(each.step)))],
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
