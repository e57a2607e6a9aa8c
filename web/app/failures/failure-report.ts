/** A failed attempt as Markdown for an issue. Texts of servers appear only as code. */
import type { NetworkStep } from '../../../proxy/wire.ts'
import type { Frame } from '../../mcp/index.ts'
import { fenced } from '../../ui/index.ts'

export interface FailureReport {
  readonly heading: string
  readonly explanation: string
  /** Who can fix it, as a sentence. */
  readonly whoFixes: string
  /** How to fix it, each with a text to paste, if any. */
  readonly remedies: readonly (readonly [text: string, paste?: string | undefined])[]
  readonly network: readonly NetworkStep[]
  /** Those of the attempt, redacted, in order. */
  readonly frames: readonly Frame[]
}

export interface ReportTexts {
  readonly whatToDo: string
  readonly network: string
  readonly reportFrames: (count: string) => string
  readonly reportMore: (count: string) => string
  readonly reportedWith: (version: string) => string
}

/** Frames listed, and characters of each and of all of them. */
const [FRAMES, FRAME, TOTAL] = [60, 1500, 30_000]

export const failureMarkdown = (
  { heading, explanation, whoFixes, remedies, network, frames }: FailureReport,
  t: ReportTexts,
  version: string,
): string => {
  const lines: string[] = []
  let left = TOTAL
  for (const frame of frames.slice(0, FRAMES)) {
    const line = lineOf(frame)
    if (line.length > left) break
    left -= line.length
    lines.push(line)
  }
  const more = frames.length - lines.length
  return [
    `## ${plain(heading)}`,
    fenced(explanation),
    ...(remedies.length > 0 ? [`### ${t.whatToDo}`, plain(whoFixes)] : []),
    ...remedies.flatMap(([text, paste]) => [`- ${plain(text)}`, ...(paste === undefined ? [] : [fenced(paste)])]),
    ...(network.length > 0
      ? [`### ${t.network}`, fenced(network.map((step) => JSON.stringify(step)).join('\n'), FRAME * 4)]
      : []),
    `### ${t.reportFrames(String(frames.length))}`,
    fenced(lines.join('\n'), TOTAL),
    ...(more > 0 ? [t.reportMore(String(more))] : []),
    t.reportedWith(version),
    '',
  ].join('\n\n')
}

/** Names of hosts and headers come from the user and from servers: nothing in them is Markdown. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|~]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')

const lineOf = (frame: Frame): string => {
  const { link: _, ...rest } = frame
  const text = JSON.stringify(rest)
  return text.length > FRAME ? `${text.slice(0, FRAME)}…` : text
}
