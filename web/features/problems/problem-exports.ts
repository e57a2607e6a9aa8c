/** Problems as Markdown for an issue, and as SARIF 2.1.0 for code scanning. Texts of servers appear only as code. */
import type { Requirement } from '../../lint/index.ts'
import { fenced } from '../../ui/index.ts'
import type { Problem } from '../findings/index.ts'

export interface Explained {
  readonly title: string
  readonly statement: string
  /** How the server's author fixes it. */
  readonly fix?: string | undefined
  readonly since?: string | undefined
  readonly url?: string | undefined
}

export interface IssueTexts {
  readonly rule: string
  readonly since: string
  readonly fix: string
  readonly reference: string
  readonly occurrences: (count: string) => string
  readonly foundWith: (name: string) => string
  /** Punctuation of the current language. */
  readonly labelled: (label: string, value: string) => string
  readonly bracketed: (text: string, more: string) => string
}

/** @param evidence the frame that shows it, redacted */
export const issueMarkdown = (
  problem: Problem,
  { title, statement, fix, since, url }: Explained,
  evidence: string | undefined,
  t: IssueTexts,
  format: (count: number) => string,
): string =>
  [
    `## ${t.bracketed(title, `${problem.rule}, ${problem.keyword}`)}`,
    problem.found[0] && fenced(problem.found[0].explanation),
    `- ${t.labelled(t.rule, statement)}`,
    since && `- ${t.labelled(t.since, since)}`,
    fix && `- ${t.labelled(t.fix, fix)}`,
    url && `- ${t.labelled(t.reference, url)}`,
    `- ${t.occurrences(format(problem.count))}`,
    evidence && fenced(evidence),
    t.foundWith('Periscope'),
  ]
    .filter(Boolean)
    .join('\n\n')
    .replaceAll('\n\n- ', '\n- ')

const LEVEL = { MUST: 'error', SHOULD: 'warning', MAY: 'note', ADVICE: 'note' } as const

/** @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export const problemsSarif = (
  problems: readonly Problem[],
  {
    version,
    server,
    requirementOf,
    urlOf,
  }: {
    readonly version: string
    /** The server's name: SARIF wants a location, and there is no file. */
    readonly server: string
    readonly requirementOf: (rule: string) => Requirement | undefined
    readonly urlOf: (rule: string) => string | undefined
  },
): string => {
  const rules = problems.map(({ rule }) => {
    const helpUri = urlOf(rule)
    return {
      id: rule,
      shortDescription: { text: wellFormed(requirementOf(rule)?.statement ?? rule) },
      ...(helpUri === undefined ? {} : { helpUri }),
    }
  })
  const results = problems.flatMap(({ rule, keyword, count, found }, ruleIndex) =>
    found.slice(0, 1).map(({ explanation, pointer, seq, also }) => ({
      ruleId: rule,
      ruleIndex,
      level: LEVEL[keyword],
      message: { text: wellFormed(explanation) },
      occurrenceCount: count,
      locations: [
        {
          logicalLocations: [
            {
              name: wellFormed(server),
              fullyQualifiedName: wellFormed(`${server}#${seq}${pointer ?? ''}`),
              kind: 'module',
            },
          ],
        },
      ],
      partialFingerprints: { 'rule/v1': wellFormed(`${server} ${rule}`) },
      // Other requirements that the same finding violates: a section of an RFC, a row of another version.
      ...(also === undefined ? {} : { properties: { also } }),
    })),
  )
  return `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'Periscope', version, rules } }, columnKind: 'utf16CodeUnits', results }],
    },
    null,
    2,
  )}\n`
}

/** Lone surrogates aren't valid Unicode, and parsers refuse them. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\uFFFD')
