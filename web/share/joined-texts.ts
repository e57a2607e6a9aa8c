/**
 * Parts that tell a secret only together, joined into one text. Lines that come one by one, on stderr or as log messages:
 * a table, YAML, JSON, a key, a prompt and what was typed. And the members of a small frame: a question and its answer,
 * the name of a tool and the example of an argument, a header and its value.
 */
import { isObject } from '../mcp/index.ts'
import type { Frame } from '../mcp/index.ts'
import { isList, isRecord, NumberText, type Value } from '../json/index.ts'
import {
  describesField,
  Findings,
  KeyLines,
  Known,
  type LocalSecret,
  PlainTexts,
  type Pass,
  secretsAmong,
} from '../secrets/redaction.ts'
import { mayTellAccess, text } from './redact-json.ts'

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
const lineOf = (frame: Frame): string | undefined => {
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
  readonly key: KeyLines
}

export class JoinedTexts {
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
    if (said === undefined) return
    const from = `${frame.link} ${frame.kind}`
    let run = this.#runs.get(from)
    if (!run) this.#runs.set(from, (run = { lines: [], characters: 0, key: new KeyLines() }))
    const ofKey = run.key.secretIn(said)
    if (ofKey !== undefined) this.#pass.known.learn(ofKey, 'pattern:private-key', true)
    if (said.length > MOST_CHARACTERS) return
    const line = (said.includes('\u001b') ? said.replace(COLOURS, '') : said).replace(PREFIX, '')
    run.lines.push({ frame: frame.seq, line })
    run.characters += line.length
    if (run.lines.length < MOST_LINES && run.characters < MOST_CHARACTERS) return
    this.#learn(run)
    this.#runs.set(from, { lines: run.lines.slice(-OVERLAP), characters: 0, key: run.key })
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
    const lines = rules.contexts.has('prose') ? linesOf(frame) : undefined
    const whole = lines?.text
    if (lines === undefined || whole === undefined || this.#plain.has(whole)) return
    let nothing = true
    secretsAmong(whole, ({ from, to, rule, doubtful }) => {
      nothing = false
      const value = whole.slice(from, to)
      if (value.includes('\n') || describesField(value) || (lines.names.has(value) && isIdentifier(value))) return
      if (!doubtful) known.learn(value, rule)
      this.#keep(frame.seq, value, { rule, ...(doubtful ? { doubtful } : {}) })
    })
    if (nothing && this.#plain.size < MOST_PLAIN) this.#plain.add(whole)
  }
}

/** Larger frames are documents, tables and lists. */
const MOST_IN_FRAME = 80
const MOST_CHARACTERS_IN_FRAME = 3000

class FrameLines {
  readonly #lines: string[] = []
  /** Names of members: what a frame says of its values, and no values. */
  readonly names = new Set<string>()
  #characters = 0
  full = false

  add(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length
    if (this.#lines.length > MOST_IN_FRAME || this.#characters > MOST_CHARACTERS_IN_FRAME) this.full = true
  }

  get text(): string | undefined {
    return this.full || this.#lines.length < 2 ? undefined : this.#lines.join('\n')
  }
}

const addValue = (value: Value, lines: FrameLines): void => {
  if (lines.full || value === null) return
  if (isList(value)) {
    for (const item of value) addValue(item, lines)
  } else if (isRecord(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (lines.full) return
      lines.add(name)
      lines.names.add(name)
      // Without its line, the next name would be its value.
      if (member === null) lines.add('null')
      else addValue(member, lines)
    }
  } else if (typeof value === 'string') {
    if (value !== '') lines.add(value.trimEnd())
  } else if (value instanceof NumberText) lines.add(value.text)
  else if (typeof value === 'number' || typeof value === 'boolean') lines.add(String(value))
}

/**
 * A small frame as one text, a line for each name and each value; none for a frame that is large, or has a single
 * value.
 */
const linesOf = (frame: Frame): FrameLines => {
  const lines = new FrameLines()
  if (frame.kind === 'message' && isObject(frame.message)) {
    const { params, result, error } = frame.message
    for (const part of [params, result, error]) if (part !== undefined) addValue(part, lines)
  } else if ('args' in frame) {
    // Our own frames contain only names. Recordings of other tools may contain values; each is read on its own.
    const pairs = 'env' in frame && !Array.isArray(frame.env) ? Object.entries(frame.env) : []
    for (const [name, value] of pairs) for (const line of [name, String(value), '']) lines.add(line)
    for (const line of ['', [frame.command, ...frame.args].join(' ')]) lines.add(line)
  } else if ('headers' in frame) {
    for (const [name, value] of frame.headers) for (const line of [name, value, '']) lines.add(line)
  }
  return lines
}

const isIdentifier = (name: string): boolean => /^[\p{L}\p{M}\p{N}_$.-]+$/u.test(name)
