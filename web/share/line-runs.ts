/**
 * Lines that come one by one, on stderr or as log messages, and form one text: a table, YAML, JSON, a prompt and what
 * was typed. A secret that only the lines in front tell is learnt from all of them together.
 */
import { isObject } from '../mcp/index.ts'
import type { Frame } from '../mcp/index.ts'
import { Findings, Known, type LocalSecret, PlainTexts, type Pass, secretsAmong } from '../secrets/redaction.ts'
import { mayTellAccess, text } from './redact-json.ts'
import { wholeText } from './whole-frames.ts'

/** A run is at most this long; the next one repeats its last lines. */
const MOST_LINES = 60
const MOST_CHARACTERS = 8_000
const OVERLAP = 12
const MOST_PLAIN = 5000
const NOTHING: ReadonlySet<string> = new Set()

// eslint-disable-next-line no-control-regex -- the escape character of terminals
const COLOURS = /\x1b\[[\d;?]{0,40}[A-Za-z]/g
/** Times, levels and names of programs in front of what is said. One space belongs to them; more is indentation. */
const PREFIX =
  /^(?:(?:\[[^\]\n]{1,40}\]|\(?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\s|]{0,12}|\d\d:\d\d:\d\d[^\s|]{0,8}|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|NOTICE)\b:?|[\w.-]{1,40}\[\d{1,8}\]:|[\w.-]{1,40} {1,20}\|(?= ))[ \t]?){1,6}/

/** What a frame says in a line. */
export const lineOf = (frame: Frame): string | undefined => {
  if (frame.kind === 'process') return frame.event === 'stderr' ? frame.text : undefined
  if (frame.kind !== 'message' || !isObject(frame.message) || !isObject(frame.message.params)) return undefined
  const { data } = frame.message.params
  return typeof data === 'string' ? data : undefined
}

/** The secrets of single frames, by their seq: too common to be removed anywhere else. */
export type Local = ReadonlyMap<number, ReadonlyMap<string, LocalSecret>>

interface Run {
  readonly lines: { readonly frame: number; readonly line: string }[]
  characters: number
}

export class LineRuns {
  readonly local = new Map<number, Map<string, LocalSecret>>()
  readonly #pass: Pass
  /** Frames in which nothing was found: sessions repeat theirs. */
  readonly #plain = new Set<string>()
  readonly #runs = new Map<string, Run>()

  constructor(pass: Pass) {
    this.#pass = pass
  }

  add(frame: Frame): void {
    const said = lineOf(frame)
    if (said === undefined || said.length > MOST_CHARACTERS) return
    const from = `${frame.link} ${frame.kind}`
    let run = this.#runs.get(from)
    if (!run) this.#runs.set(from, (run = { lines: [], characters: 0 }))
    const line = (said.includes('\u001b') ? said.replace(COLOURS, '') : said).replace(PREFIX, '')
    run.lines.push({ frame: frame.seq, line })
    run.characters += line.length
    if (run.lines.length < MOST_LINES && run.characters < MOST_CHARACTERS) return
    this.#learn(run)
    this.#runs.set(from, { lines: run.lines.slice(-OVERLAP), characters: 0 })
  }

  end(): void {
    for (const run of this.#runs.values()) this.#learn(run)
    this.#runs.clear()
  }

  #learn({ lines: run }: Run): void {
    if (run.length < 2) return
    const { rules, known } = this.#pass
    const joined = run.map(({ line }) => line).join('\n')
    if (!this.#pass.rules.names.hint?.test(joined) && !mayTellAccess(joined)) return
    const learnt = new Known()
    text(joined, {
      rules,
      known: learnt,
      findings: new Findings(NOTHING, NOTHING),
      learning: true,
      plain: new PlainTexts(),
    })
    const keep = (value: string, secret: LocalSecret): void => {
      for (const { frame, line } of run) if (value.length > 3 && line.includes(value)) this.#keep(frame, value, secret)
    }
    for (const [value, rule] of learnt.doubts) keep(value, { rule, doubtful: true })
    for (const [value, rule] of learnt.all()) {
      known.learn(value, rule)
      keep(value, { rule })
    }
  }

  #keep(frame: number, value: string, secret: LocalSecret): void {
    const local = this.local.get(frame) ?? new Map<string, LocalSecret>()
    if (!secret.doubtful || !local.has(value)) this.local.set(frame, local.set(value, secret))
  }

  /** What the members of a frame say about one another. */
  whole(frame: Frame): void {
    const { rules, known } = this.#pass
    const whole = rules.contexts.has('prose') ? wholeText(frame) : undefined
    if (whole === undefined || this.#plain.has(whole)) return
    let nothing = true
    secretsAmong(whole, ({ from, to, rule, doubtful }) => {
      nothing = false
      const value = whole.slice(from, to)
      if (value.includes('\n')) return
      if (!doubtful) known.learn(value, rule)
      this.#keep(frame.seq, value, { rule, ...(doubtful ? { doubtful } : {}) })
    })
    if (nothing && this.#plain.size < MOST_PLAIN) this.#plain.add(whole)
  }
}
