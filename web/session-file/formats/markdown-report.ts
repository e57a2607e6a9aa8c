/** A session as a Markdown report: its servers, each call with arguments and response, and the problems. */
import { eachInSteps, exchanges, foldInSteps, messagesIn, nextTask, pacer, verdictOf } from '../../mcp/index.ts'
import type { Exchange, FindingOrAdvice, Frame, Json, MessageFrame, Seq, Verdict } from '../../mcp/index.ts'
import { VERDICT_KEYS, visible, visibleLines, en as words } from '../../ui/index.ts'
import { LONGEST_NOTE, type SessionHead } from '../file.ts'
import { transportsOf } from './http-exchanges.ts'
import { importedFrom } from './imported.ts'

/**
 * Formats untrusted text for Markdown. It only appears in code, where it can't be a link, heading, mention or HTML in
 * any dialect. Invisible characters are shown as their code points.
 */

/** The longest run of one character. */
const longestRun = (text: string, pattern: RegExp): number =>
  Array.from(text.matchAll(pattern), ([run]) => run.length).reduce((most, length) => Math.max(most, length), 0)

/** For use in a line or table cell. @param most characters */
const code = (text: string, most = 200): string => {
  // A vertical bar ends a cell even in code, so replace it with a look-alike.
  const shown = visible(text, most).replaceAll('|', '\u2502')
  if (shown === '') return '—'
  const fence = '`'.repeat(longestRun(shown, /`+/g) + 1)
  // A space on both sides is stripped; text that consists of spaces keeps them.
  const padded = /^`|`$|^ .* $/.test(shown) ? ` ${shown} ` : shown
  return `${fence}${padded}${fence}`
}

/** A code block. @param most characters; a cut is stated */
const block = (text: string, language: 'json' | 'text', most: number): string => {
  const shown = visibleLines(text.slice(0, most))
  const fence = '`'.repeat(Math.max(3, longestRun(shown, /`+/g) + 1))
  const cut = text.length > most ? `\n\n_${text.length - most} more characters omitted._` : ''
  return `${fence}${language}\n${shown}\n${fence}${cut}`
}

export interface ReportOptions {
  /** Findings of rules in addition to those in the frames, by frame. */
  readonly findings?: ReadonlyMap<Seq, readonly FindingOrAdvice[]>
  /** Characters of one body; default 10,000. */
  readonly longest?: number
}

/** Calls shown in full; the others are only in the table. */
const MOST_CALLS = 2000
const MOST_ROWS = 10_000
const LONGEST = 10_000

/** @returns pieces of the text */
export const reportOf = async (
  head: SessionHead,
  frames: readonly Frame[],
  { findings = new Map(), longest = LONGEST }: ReportOptions = {},
): Promise<string[]> => {
  const state = await foldInSteps(exchanges, frames)
  const found = await foundIn(frames, findings)
  const parts = [opening(head, frames)]
  await nextTask()
  parts.push(summary(state.all, found), '## Calls\n')
  if (state.all.length === 0) parts.push('None.\n')
  else parts.push(await table(state.all), '')
  const pause = pacer()
  for (const [at, exchange] of state.all.slice(0, MOST_CALLS).entries()) {
    parts.push(callOf(exchange, at + 1, frames, found, longest))
    await pause()
  }
  if (state.all.length > MOST_CALLS) parts.push(`${state.all.length - MOST_CALLS} more calls omitted.\n`)
  parts.push(...notesOf(head, frames))
  await nextTask()
  const [advice, violations] = [true, false].map((wanted) =>
    found.all.filter(({ finding }) => isAdvice(finding) === wanted),
  )
  parts.push(listOf('Violations', violations!))
  if (advice!.length > 0) parts.push('', listOf('Advice', advice!))
  return parts.map((part) => `${part}\n`)
}

interface Found {
  readonly all: readonly { readonly seq: Seq; readonly finding: FindingOrAdvice }[]
  readonly bySeq: ReadonlyMap<Seq, readonly FindingOrAdvice[]>
}

const foundIn = async (
  frames: readonly Frame[],
  more: ReadonlyMap<Seq, readonly FindingOrAdvice[]>,
): Promise<Found> => {
  const bySeq = new Map<Seq, readonly FindingOrAdvice[]>()
  await eachInSteps(frames, (frame) => {
    const own = frame.kind === 'message' || frame.kind === 'auth' ? (frame.findings ?? []) : []
    const others = (more.get(frame.seq) ?? []).filter(
      ({ rule, pointer }) => !own.some((mine) => mine.rule === rule && mine.pointer === pointer),
    )
    if (own.length + others.length > 0) bySeq.set(frame.seq, [...own, ...others])
  })
  return { all: [...bySeq].flatMap(([seq, some]) => some.map((finding) => ({ seq, finding }))), bySeq }
}

const opening = (head: SessionHead, frames: readonly Frame[]): string => {
  const transports = transportsOf(frames)
  const peers = new Map(
    frames.flatMap((frame) =>
      frame.kind === 'session' && frame.phase === 'open' ? [[frame.link, frame.peer] as const] : [],
    ),
  )
  const links = new Set([...head.servers.map(({ link }) => link), ...frames.map(({ link }) => link)])
  const rows = [...links].slice(0, 200).map((link) => {
    const server = head.servers.find((each) => each.link === link)
    const peer = peers.get(link)
    const info = [peer?.info.name, peer?.info.version].filter((text) => typeof text === 'string').join(' ')
    return `| ${code(link)} | ${code(server?.name ?? info)} | ${code(info)} | ${code(transports.get(link) ?? server?.transport ?? '')} | ${code(peer?.revision ?? '')} |`
  })
  const imported = importedFrom(head)
  return [
    `# MCP session${head.name === undefined ? '' : ` ${code(head.name)}`}\n`,
    `- Started: ${code(head.begunAt)}`,
    `- Recorded by: ${code([head.tool.name, head.tool.version].filter(Boolean).join(' '))}`,
    `- Frames: ${frames.length}`,
    ...(imported ? [`- Converted from another format: ${imported.format}`] : []),
    ...(head.removed?.length ? [`- Redactions: ${head.removed.length}`] : []),
    '',
    ...(head.notes === undefined ? [] : [block(head.notes, 'text', 100_000), '']),
    '## Servers\n',
    '| Connection | Name | Server | Transport | Protocol version |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

const summary = (all: readonly Exchange[], { all: findings }: Found): string => {
  const count = (test: (each: Exchange) => boolean) => all.filter(test).length
  const ended = VERDICTS.flatMap((verdict) => {
    const number = count((each) => verdictOf(each) === verdict)
    return number > 0 ? [`${number} ${words[VERDICT_KEYS[verdict]]}`] : []
  }).join(', ')
  const keyword = (wanted: FindingOrAdvice['keyword']) =>
    findings.filter(({ finding }) => finding.keyword === wanted && !isOurs(finding)).length
  const advice = keyword('ADVICE')
  return [
    `${all.length} ${all.length === 1 ? 'call' : 'calls'}${ended ? `: ${ended}` : ''}. ` +
      `Violations: ${keyword('MUST')} MUST, ${keyword('SHOULD')} SHOULD, ${keyword('MAY')} MAY.${advice > 0 ? ` Advice: ${advice}.` : ''}`,
    '',
  ].join('\n')
}

const VERDICTS = Object.keys(VERDICT_KEYS) as readonly Verdict[]

const verdictText = (exchange: Exchange): string => {
  const verdict = verdictOf(exchange)
  return verdict === 'error' && exchange.error
    ? words.errorCode(String(exchange.error.code))
    : words[VERDICT_KEYS[verdict]]
}

const isAdvice = ({ keyword }: FindingOrAdvice): boolean => keyword === 'ADVICE'

const isOurs = (finding: FindingOrAdvice): boolean => 'by' in finding && finding.by === 'client'

const took = ({ startedAt, endedAt }: Exchange): string =>
  endedAt === undefined ? '—' : `${Math.round((endedAt - startedAt) * 10) / 10} ms`

const arrow = ({ direction }: Exchange): string => (direction === 'sent' ? 'to the server' : 'from the server')

const table = async (all: readonly Exchange[]): Promise<string> => {
  const rows: string[] = []
  await eachInSteps(all.slice(0, MOST_ROWS), (each) =>
    rows.push(
      `| ${rows.length + 1} | ${arrow(each)} | ${code(each.method)} | ${code(each.subject ?? '')} | ${verdictText(each)} | ${took(each)} |`,
    ),
  )
  return [
    '| # | Direction | Method | Subject | Result | Duration |',
    '| ---: | --- | --- | --- | --- | ---: |',
    ...rows,
    ...(all.length > MOST_ROWS ? [`| … | | | | | |`] : []),
  ].join('\n')
}

const callOf = (
  exchange: Exchange,
  number: number,
  frames: readonly Frame[],
  found: Found,
  longest: number,
): string => {
  const { method, subject, request, response, error, explanation } = exchange
  const about = subject === undefined ? '' : ` ${code(subject)}`
  const requestPart = partOf(frames[request], exchange)
  const answer = response === undefined ? undefined : partOf(frames[response], exchange)
  const own = [request, ...(response === undefined ? [] : [response])].flatMap((seq) => found.bySeq.get(seq) ?? [])
  return [
    `### ${number}. ${code(method)}${about}: ${verdictText(exchange)}, ${took(exchange)}\n`,
    ...(requestPart?.params === undefined
      ? []
      : ['Parameters:\n', block(json(requestPart.params), 'json', longest), '']),
    ...(answer === undefined
      ? []
      : [
          error ? 'Error:\n' : 'Response:\n',
          block(json(answer.result ?? answer.error ?? answer), 'json', longest),
          '',
        ]),
    ...(explanation === undefined ? [] : [`Reason: ${code(explanation, 1000)}\n`]),
    ...own.map((finding) => `- ${lineOf(finding)}`),
    ...(own.length > 0 ? [''] : []),
  ].join('\n')
}

/** For a batch, the part that belongs to the exchange. */
const partOf = (frame: Frame | undefined, { id }: Exchange): { readonly [key: string]: Json } | undefined => {
  const { message } = (frame ?? {}) as Partial<MessageFrame>
  return messagesIn(message).find((part) => part.id === id)
}

const json = (value: Json): string => JSON.stringify(value, null, 2)

const lineOf = (finding: FindingOrAdvice): string => {
  const { rule, keyword, explanation, pointer } = finding
  const at = pointer === undefined ? '' : ` at ${code(pointer)}`
  return `${keyword === 'ADVICE' ? 'Advice' : keyword} ${code(rule)}${isOurs(finding) ? ' (by the client)' : ''}: ${code(explanation, 500)}${at}`
}

/** The user's notes on frames. */
const notesOf = ({ bookmarks = [] }: SessionHead, frames: readonly Frame[]): string[] => {
  const notes = bookmarks.filter(({ seq, text }) => text !== '' && seq < frames.length)
  if (notes.length === 0) return []
  return ['## Notes\n', ...notes.map(({ seq, text }) => `Frame ${seq}:\n\n${block(text, 'text', LONGEST_NOTE)}\n`)]
}

const listOf = (heading: string, found: Found['all']): string =>
  found.length === 0
    ? `## ${heading}\n\nNone.`
    : [
        `## ${heading}\n`,
        ...found.slice(0, MOST_ROWS).map(({ seq, finding }) => `- Frame ${seq}: ${lineOf(finding)}`),
        ...(found.length > MOST_ROWS ? [`- … and ${found.length - MOST_ROWS} more`] : []),
      ].join('\n')
