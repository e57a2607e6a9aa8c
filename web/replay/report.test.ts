import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../mcp/index.ts'
import { jsonReport, junitReport, sarifReport, summaryOf, textReport, type VerifyReport } from './report.ts'
import type { StepReport } from './rerun.ts'
import type { Step } from './steps.ts'

const step = (more: Partial<Step> = {}): Step => ({
  id: '7',
  link: 's1',
  kind: 'request',
  method: 'tools/call',
  params: { name: 'echo' },
  seq: 40,
  ...more,
})

const report = (more: Partial<StepReport> = {}): StepReport => ({
  step: step(),
  run: 1,
  verdict: 'same',
  passed: true,
  outcome: { took: 12, result: {} },
  expectations: [],
  extra: [],
  unasked: [],
  ...more,
})

const differing = (was: Json, is: Json, pointer = '/a'): StepReport =>
  report({
    verdict: 'different',
    passed: false,
    diff: { differences: [{ pointer, kind: 'changed', was, is }], counting: 1, more: false },
  })

const whole = (steps: readonly StepReport[], more: Partial<VerifyReport> = {}): VerifyReport => ({
  file: 'demo.jsonl',
  server: 'node server.js',
  begunAt: '2026-01-02T03:04:05.678Z',
  took: 1500,
  steps,
  broken: [],
  notes: [],
  tool: { name: 'Periscope', version: '1' },
  line: ({ seq }) => (seq === undefined ? undefined : seq + 2),
  ...more,
})

/**
 * A minimal XML 1.0 parser: elements, attributes, text, five entities and numeric references. Throws if the text isn't
 * XML.
 */
interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

const parseXml = (xml: string): Element => {
  for (const char of xml) {
    const code = char.codePointAt(0)!
    const fine = code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0xd800) || code >= 0xe000
    if (!fine || code === 0xfffe || code === 0xffff) throw new Error(`U+${code.toString(16)} is no character of XML`)
  }
  const unescaped = (text: string) => {
    if (text.includes('<')) throw new Error('a bare <')
    return text.replace(/&(#\d+|\w+);|&/g, (all, name: string | undefined) => {
      const known = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name ?? '']
      const number = /^#(\d+)$/.exec(name ?? '')?.[1]
      const meant = known ?? (number === undefined ? undefined : String.fromCodePoint(Number(number)))
      if (meant === undefined) throw new Error(`${all} is no entity`)
      return meant
    })
  }
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let at = xml.indexOf('?>') + 2
  for (const tag of xml.slice(at).matchAll(/<(\/?)([\w-]+)((?: [\w-]+="[^"]*")*)(\/?)>/g)) {
    const before = xml.slice(at, xml.indexOf('?>') + 2 + tag.index)
    open.at(-1)!.text += unescaped(before)
    at = xml.indexOf('?>') + 2 + tag.index + tag[0].length
    if (tag[1] === '/') {
      if (open.pop()!.name !== tag[2]) throw new Error(`${tag[2]} was not open`)
      continue
    }
    const pairs = Array.from(tag[3]!.matchAll(/ ([\w-]+)="([^"]*)"/g), ([, name, value]) => [name!, unescaped(value!)])
    const element: Element = { name: tag[2]!, attributes: Object.fromEntries(pairs), children: [], text: '' }
    open.at(-1)!.children.push(element)
    if (tag[4] !== '/') open.push(element)
  }
  if (open.length !== 1 || unescaped(xml.slice(at)).trim() !== '') throw new Error('It does not end')
  return root.children[0]!
}

describe('the report of a re-run', () => {
  test('counts what passed, failed, was skipped and could not be sent, and what rules accept', () => {
    const accepted = { pointer: '/t', kind: 'changed', was: 1, is: 2, accepted: 'times' } as const
    const steps = [
      report({ diff: { differences: [accepted, accepted], counting: 0, more: false } }),
      differing(1, 2),
      report({ verdict: 'skipped' }),
      report({ verdict: 'not-sent', passed: false, problem: { code: 'unknown-variables', names: ['token'] } }),
    ]
    const { accepted: rules, ...counts } = summaryOf(whole(steps))
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1, notSent: 1, ok: false })
    expect([...rules]).toEqual([['times', 2]])
    const text = textReport(whole(steps))
    expect(text).toContain('4 steps in 1.5 s: 1 passed, 1 failed, 1 not sent, 1 skipped.')
    expect(text).toContain('Differences ignored by rules: times 2.')
    expect(text).toContain('not sent: add --var token=…')
  })

  test('says where, what was and what is; what is new and what is gone', () => {
    const differences = [
      { pointer: '/tools/0/name', kind: 'changed', was: 'a', is: 'b' },
      { pointer: '/tools/1', kind: 'added', is: { name: 'c' } },
      { pointer: '/next', kind: 'removed', was: 'x' },
    ] as const
    const diff = { differences, counting: 3, more: false }
    const text = textReport(whole([report({ verdict: 'different', passed: false, diff })]))
    expect(text).toMatch(/\/tools\/0\/name\n +was {2}"a"\n +is {3}"b"\n/)
    expect(text).toContain('/tools/1 is new: {"name":"c"}')
    expect(text).toContain('/next is gone: "x"')
  })

  test('tells twenty differences of a step and counts the others', () => {
    const differences = Array.from({ length: 33 }, (_, at) => ({ pointer: `/${at}`, kind: 'added', is: at }) as const)
    const diff = { differences, counting: 33, more: false }
    const text = textReport(whole([report({ verdict: 'different', passed: false, diff })]))
    expect(text).toContain('and 13 more differences')
    expect(text).not.toContain('/20 ')
  })

  test('names the server of each step if there are several, and not if there is one', () => {
    const label = ({ id }: { readonly id: string }) => `server of ${id}`
    const several = whole([report({ passed: false, verdict: 'missing' })], { label })
    const id = several.steps[0]!.step.id
    for (const written of [textReport(several), junitReport(several), sarifReport(several)]) {
      expect(written).toContain(`server of ${id}: `)
    }
    expect(jsonReport(several)).toContain(`"server": "server of ${id}"`)
    expect(textReport(whole([report({})]))).not.toContain('server of')
  })

  test('lets nothing that a server wrote move the cursor of a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        const step_ = step({ params: { name } })
        const text = textReport(whole([{ ...differing(value, name, `/${value}`), step: step_ }]))
        // eslint-disable-next-line no-control-regex -- they are what it looks for
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })

  test('is JUnit XML that any reader takes, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), (name, value) => {
        const steps = [
          { ...differing(value, name), step: step({ params: { name } }) },
          report({ verdict: 'skipped' }),
          report({ verdict: 'not-sent', passed: false, problem: { code: 'refused', message: value } }),
          report(),
        ]
        const broken = [{ rule: 'BP-01', keyword: 'MUST', explanation: name }] as const
        const root = parseXml(junitReport(whole(steps, { file: value, server: name, broken })))
        const suite = root.children[0]!
        expect(root.name).toBe('testsuites')
        expect(suite.attributes).toMatchObject({ tests: '5', failures: '2', errors: '1', skipped: '1', time: '1.500' })
        expect(suite.children.map(({ children }) => children[0]?.name)).toEqual([
          'failure',
          'skipped',
          'error',
          undefined,
          'failure',
        ])
        expect(new Set(suite.children.map(({ attributes }) => attributes['name'])).size).toBe(5)
      }),
    )
  })

  test('is SARIF with a result for each fault, its rule, and the line of the step', () => {
    const broken = [{ rule: 'BP-01', keyword: 'MUST', explanation: 'wrong' }] as const
    const steps = [report(), differing('\ud800', 2), report({ verdict: 'missing', passed: false })]
    const text = sarifReport(whole(steps, { file: '.\\my demos\\a#1.jsonl', broken }))
    const { version, runs } = JSON.parse(text) as { version: string; runs: [Run] }
    expect(version).toBe('2.1.0')
    const { tool, results } = runs[0]
    expect(results.map(({ ruleId }) => ruleId)).toEqual(['different', 'missing', 'BP-01'])
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId)
    const { artifactLocation, region } = results[0]!.locations[0]!.physicalLocation
    expect(artifactLocation.uri).toBe('my%20demos/a%231.jsonl')
    expect(region).toEqual({ startLine: 42 })
    const loose = differing(1, 2)
    const named = { ...loose, step: step({ id: '\udc00', name: 'a' }) }
    expect(JSON.stringify(JSON.parse(sarifReport(whole([named]))))).not.toMatch(/\\ud[89a-f]/i)
  })

  test('is JSON with the differences as they are', () => {
    const { steps } = JSON.parse(jsonReport(whole([differing('a', 'b')]))) as {
      steps: [{ diff: object; line: number }]
    }
    expect(steps[0]).toMatchObject({ line: 42, diff: { differences: [{ pointer: '/a', was: 'a', is: 'b' }] } })
  })
})

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
  readonly results: readonly {
    readonly ruleId: string
    readonly ruleIndex: number
    readonly locations: readonly {
      readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: object }
    }[]
  }[]
}
