/**
 * Why a process can't be used as a server: read from what it printed, by rules that are data. `stdout` rules see lines that
 * aren't messages, `stderr` rules both streams, because many programs print their faults to stdout.
 */
import { parsedUrl } from '../mcp/url.ts'
import { RULES, type FramingCause, type ProcessCause, type Rule, type StartCause } from './process-rules.ts'

/** What a process printed. Lines have no line end; `seq` is the frame that shows the line. */
interface Printed {
  readonly seq: number
  readonly text: string
}

export interface ProcessOutput {
  /** The first lines of stdout that weren't messages, oldest first: they show how the process frames what it writes. */
  readonly stdout: readonly Printed[]
  /** The beginning of a line of stdout that has no newline yet. */
  readonly unfinished?: Printed | undefined
  /** The last lines of stderr, oldest first. Many servers log to stderr, so lines alone don't mean a fault. */
  readonly stderr: readonly Printed[]
  /** Its first message, if it came only after stdin was closed. */
  readonly late?: Printed | undefined
  /** What was started. */
  readonly spawn?: { readonly command: string; readonly args: readonly string[] } | undefined
  /** Absent while the process runs. */
  readonly exit?: { readonly code: number | null; readonly signal: string | null }
}

export interface ProcessFinding {
  readonly is: ProcessCause
  /** The module, file, variable … that the line names. */
  readonly name?: string
  /** The line that shows it; absent if the exit itself does. */
  readonly line?: Printed
}

/** Characters of a line that rules see, so that a hostile line costs little. */
const LINE_READ = 600
/** Characters of a line in which its framing is looked for: a whole message, which rules without backtracking read. */
const FRAMING_READ = 65_536

/** A line of stdout, without its escape codes. */
interface FramedLine {
  readonly text: string
  /** Where messages begin on it: the first few. */
  readonly starts: readonly number[]
  readonly coloured: boolean
}

const STARTS_READ = 5

const framedLine = ({ text: raw }: Printed): FramedLine => {
  const head = raw.slice(0, FRAMING_READ)
  const text = uncoloured(head)
  const starts: number[] = []
  for (const { index } of text.matchAll(/\{\s*["']?jsonrpc["']?\s*:/g)) if (starts.push(index) === STARTS_READ) break
  return { text, starts, coloured: text !== head }
}

/** In order: the first that fits a line counts. */
const FRAMING: readonly {
  readonly is: FramingCause
  readonly fits: (line: FramedLine, next: FramedLine | undefined) => boolean
}[] = [
  { is: 'utf-16', fits: ({ text }) => /^(?:\uFFFD\uFFFD|\u00FF\u00FE)?\0?(?:[^\0]\0){3}/.test(text) },
  { is: 'content-length', fits: ({ text }) => /^\s*content-(?:length|type)\s*:\s*\S/i.test(text) },
  { is: 'colour', fits: ({ starts, coloured }) => coloured && starts.length > 0 },
  { is: 'concatenated', fits: ({ text, starts }) => starts.some((start) => parses(text.slice(0, start))) },
  { is: 'json-string', fits: ({ text }) => /^\s*"\s*\{\s*\\"jsonrpc\\"\s*:/.test(text) && parses(text) },
  {
    is: 'not-json',
    fits: ({ text, starts }) =>
      /^\s*(?:[[{(]\s*)?['":]?jsonrpc['"]?\s*=/.test(text) ||
      (beginsWith(text, starts) && text.trimEnd().endsWith('}') && !parses(text)),
  },
  {
    is: 'prefix',
    fits: ({ text, starts }) => starts.length > 0 && (!beginsWith(text, starts) || isMessageBefore(text)),
  },
  {
    is: 'pretty-json',
    fits: ({ text }, next) => /^\s*[[{]\s*$/.test(text) && /^\s*(?:\{\s*$|"[^"]*"\s*:)/.test(next?.text ?? ''),
  },
]

const beginsWith = (text: string, [first]: readonly number[]): boolean =>
  first !== undefined && text.slice(0, first).trim() === ''

/** A message with text behind it. */
const isMessageBefore = (text: string): boolean => {
  const end = text.lastIndexOf('}') + 1
  return text.slice(end).trim() !== '' && parses(text.slice(0, end))
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const RUNNING = RULES.filter(({ running }) => running)
const USAGE = RULES.filter(({ is }) => is === 'missing-argument' || is === 'unknown-argument')

/** An HTTP server's line about itself. */
const SERVES_HTTP =
  /(?:listen|runn|serv|start|ready|available|live|up)\w*\b[^\n]{0,80}?(https?:\/\/[^\s"'<>)\]]+)|(?:uvicorn|local|network|server|endpoint|url|address|➜)\b[^\n]{0,30}:\s+(https?:\/\/[^\s"'<>)\]]+)|^[\s*-]*(https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])\S*)\s*$/i

/** What servers over stdio also offer over HTTP. */
const NOT_AN_ENDPOINT =
  /dashboard|docs?\b|documentation|metrics|health|inspector|debugger|update|release|github|homepage|web ?ui|admin|log ?in|sign ?in|oauth|callback|proxy|upstream|connect(?:ing|ed) to|remote|backend|stdio/i

/** Lines of warnings about what is optional don't explain an exit. */
const WARNING =
  /^\W*(?:\[?\d[\d:.TZ,/ -]*\]?\W*)?(?:npm )?(?:warn(?:ing)?|notice|info|debug|deprecat\w*)\b|DeprecationWarning|ExperimentalWarning/i

/** A line about what we sent: the process read it, so it started. */
const ABOUT_REQUEST =
  /server[/_.]?discover|\binitialize\b|jsonrpc|(?:method not found|(?:unknown|unsupported|unhandled|unexpected|invalid) (?:method|request))/i

/** A line that only shows where in the code it happened. */
const POSITION = /^\s*(?:at\s|(?:throw|raise)\s|File "|from\s.+:\d+:in|\.{3}|\^|~)|^\s*\d+\s*\|/

/** Causes that lie before anything that a client could send. */
const AT_START: ReadonlySet<ProcessCause> = new Set<StartCause>([
  'missing-module',
  'missing-file',
  'missing-package',
  'no-executable',
  'missing-program',
  'line-endings',
  'missing-grant',
  'no-stdin',
  'no-network',
  'old-runtime',
  'wrong-module',
  'no-main-class',
  'script-policy',
  'syntax-error',
  'permission',
  'wrong-architecture',
  'missing-library',
  'missing-folder',
  'missing-variable',
  'missing-argument',
  'unknown-argument',
  'port-in-use',
  'docker-daemon',
  'disk-full',
  'missing-environment',
  'registry-refused',
  'shadowed-package',
  'missing-export',
  'no-container',
  'container-exists',
  'too-many-files',
])

/** The same process, started again, would end for the same reason, whatever is sent to it. */
export const endsAtStart = (output: ProcessOutput): boolean => {
  const cause = processCause(output)
  return cause !== undefined && AT_START.has(cause.is)
}

/** @returns `undefined` if nothing that it printed, and not how it ended, says why it can't be used */
export const processCause = (output: ProcessOutput): ProcessFinding | undefined => {
  const { stdout, stderr, exit } = output
  const framing = framingOf(stdout)
  const { unfinished } = output
  // When such a process is ended, all that it wrote counts as one line.
  if (unfinished && IS_MESSAGE.test(unfinished.text) && (!framing || framing.is === 'concatenated'))
    return { is: 'no-newline', line: unfinished }
  if (framing) return framing
  if (output.late) return { is: 'reads-to-end', line: output.late }
  const lines = [...stderr, ...stdout, ...(unfinished ? [unfinished] : [])].map((line) => ({
    line,
    text: uncoloured(line.text.slice(0, LINE_READ)),
  }))
  if (!exit) return astray(output) ?? firstFit(RUNNING, lines) ?? servedUrl(lines)
  // Programs print their help to stdout and end well.
  if (exit.code === 0 && exit.signal === null) return firstFit(USAGE, lines) ?? withoutStdin(output)
  const told = lines.filter(({ text }) => !WARNING.test(text) && !POSITION.test(text) && !ABOUT_REQUEST.test(text))
  const found = firstFit(RULES, told)
  if (found?.is === 'missing-variable' && found.name === undefined) return withField(found, lines)
  return found?.is === 'syntax-error' ? withPlace(found, lines) : (found ?? byExit(exit) ?? uncaught(lines))
}

/** Pydantic names the first missing setting on the line below; its name is that of the variable, in any case. */
const withField = (found: ProcessFinding, lines: readonly ReadLine[]): ProcessFinding => {
  const at = lines.findIndex(({ line }) => line === found.line)
  const [, name] = /validation errors? for/.test(lines[at]!.text)
    ? (/^(\w+)$/.exec(lines[at + 1]?.text ?? '') ?? [])
    : []
  return name === undefined ? found : { ...found, name }
}

/** The last line of an error that ended the program, by its name and text. */
const EXCEPTION = /^(?:Uncaught )?((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?(?:: \S.*)?)$/
/** Lines of a stack next to it: of JavaScript and Java below, of Python above. */
const STACK = /^\s+at \S|^\s*File ".*", line \d+|^Traceback \(most recent call last\)/

/** An error with its stack. A line alone may be a log entry about something that was handled. */
const uncaught = (lines: readonly ReadLine[]): ProcessFinding | undefined => {
  const at = lines.findLastIndex(({ text }) => EXCEPTION.test(text))
  const found = lines[at]
  if (!found) return undefined
  const isTraced = STACK.test(lines[at + 1]?.text ?? '') || lines.slice(Math.max(0, at - BEFORE_ERROR), at).some(({ text }) => STACK.test(text)) // prettier-ignore
  return isTraced ? { is: 'exception', name: EXCEPTION.exec(found.text)![1]!, line: found.line } : undefined
}

/** Where a syntax error is: on its own line (Go, Ruby, PHP), or on one shortly before it (Node, Python). */
const PLACES_ON_LINE: readonly RegExp[] = [
  /^(?:PHP )?.* in (\S+) on line (\d+)/,
  /^\s*(?:\w+:\s+)?(\S+\.\w+):(\d+)(?::\d+)?:\s/,
]
const PLACES_BEFORE: readonly RegExp[] = [
  /^(?:file:\/\/(?:\/(?=[A-Za-z]:))?)?((?:\/|[A-Za-z]:[\\/]).*?):(\d+)$/,
  /^\s*File "([^"]+)", line (\d+)/,
]
/** Lines before an error in which its place is looked for: Node prints the source and a marker between them. */
const BEFORE_ERROR = 8
/** Characters. */
const LONGEST_PLACE = 80

/** What JavaScript engines say of types. */
const READ_AS_JAVASCRIPT = /Unexpected (?:identifier|token|strict|reserved)|Missing initializer|Unknown file extension/

const withPlace = (found: ProcessFinding, lines: readonly ReadLine[]): ProcessFinding => {
  const at = lines.findIndex(({ line }) => line === found.line)
  for (const { text } of lines.slice(Math.max(0, at - BEFORE_ERROR), at + 1).toReversed()) {
    // A log line before it may look like a place, such as `10.0.0.1:8080: connected`.
    for (const pattern of text === found.line?.text ? PLACES_ON_LINE : PLACES_BEFORE) {
      const [, file, line] = pattern.exec(text) ?? []
      // The tool that reads the file isn't where the error is.
      if (file === undefined || /(?:^|[\\/])node_modules[\\/]|^node:/.test(file)) continue
      const place = `${file}:${line}`
      const name = place.length > LONGEST_PLACE ? `…${place.slice(1 - LONGEST_PLACE)}` : place
      const isUnread = /\.[mc]?tsx?$|\.jsx$/.test(file) && READ_AS_JAVASCRIPT.test(found.line?.text ?? '')
      return { ...found, is: isUnread ? 'wrong-module' : 'syntax-error', name }
    }
  }
  return found
}

/** Its responses, on the wrong stream. Many servers log what they receive there, so requests mean nothing. */
const astray = ({ stdout, stderr }: ProcessOutput): ProcessFinding | undefined => {
  const line = stdout.length > 0 ? undefined : stderr.find(({ text }) => IS_RESPONSE.test(text))
  return line && { is: 'on-stderr', line }
}

const CONTAINER_ENGINE = /(?:^|[\\/])(?:docker|podman|nerdctl)(?:\.exe)?$/i
const INTERACTIVE = /^(?:--interactive|-[A-Za-z]*i[A-Za-z]*)(?:=(?:true|1))?$/

/** Without `-i`, a container reads the end of stdin immediately, and exits with 0 and no output. */
const withoutStdin = ({ spawn, stdout, stderr }: ProcessOutput): ProcessFinding | undefined => {
  if (!spawn || !CONTAINER_ENGINE.test(spawn.command) || stdout.length + stderr.length > 0) return undefined
  const from = spawn.args.findIndex((arg) => arg === 'run' || arg === 'exec' || arg === 'start')
  if (from < 0 || spawn.args.slice(from + 1).some((arg) => INTERACTIVE.test(arg))) return undefined
  // Other words before it name another command: `compose run` is interactive, and plug-ins have their own `run`.
  const before = spawn.args.slice(0, from)
  const isOwn = before.every(
    (arg, at) => arg.startsWith('-') || arg === 'container' || before[at - 1]?.startsWith('-') === true,
  )
  if (!isOwn) return undefined
  return { is: 'no-stdin', name: spawn.args[from]! }
}

/** The beginning of a message. */
const IS_MESSAGE = /^\s*\{\s*"(?:jsonrpc|id|result|error|method)"\s*:/

/** A response at the beginning of a line, in the order in which the SDKs write its members. */
const IS_RESPONSE =
  /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*(?:"id"\s*:\s*(?:\d+|"[^"]{0,100}")\s*,\s*)?"(?:result|error)"\s*:/

const framingOf = (stdout: readonly Printed[]): ProcessFinding | undefined => {
  const lines = stdout.map(framedLine)
  for (const { is, fits } of FRAMING) {
    const at = lines.findIndex((line, index) => fits(line, lines[index + 1]))
    if (at >= 0) return { is, line: stdout[at]! }
  }
  return undefined
}

interface ReadLine {
  readonly line: Printed
  readonly text: string
}

const firstFit = (rules: readonly Rule[], lines: readonly ReadLine[]): ProcessFinding | undefined => {
  for (const { is, line: pattern, name: own, except } of rules) {
    for (const { line, text } of lines) {
      const found = pattern.exec(text)
      if (!found) continue
      const name = found.slice(1).find((group) => group !== undefined && group.trim() !== '') ?? own
      if (name !== undefined && except?.test(name)) continue
      return { is, line, ...(name === undefined ? {} : { name: name.trim().replace(/[.,:;]+$/, '') }) }
    }
  }
  return undefined
}

const servedUrl = (lines: readonly ReadLine[]): ProcessFinding | undefined => {
  for (const { line, text } of lines) {
    if (NOT_AN_ENDPOINT.test(text)) continue
    const url = SERVES_HTTP.exec(text)
      ?.slice(1)
      .find((group) => group !== undefined)
    const parsed = url === undefined ? undefined : parsedUrl(url.replace(/[.,;]+$/, ''))
    if (!parsed) continue
    // Listening on all interfaces is no place to connect to.
    if (['0.0.0.0', '[::]'].includes(parsed.hostname)) parsed.hostname = 'localhost'
    return { is: 'serves-http', name: parsed.href, line }
  }
  return undefined
}

/** STATUS_ACCESS_VIOLATION, _STACK_OVERFLOW, _HEAP_CORRUPTION, _STACK_BUFFER_OVERRUN, _ILLEGAL_INSTRUCTION of Windows. */
const ACCESS_VIOLATIONS: ReadonlySet<number> = new Set([0xc0000005, 0xc00000fd, 0xc0000374, 0xc0000409, 0xc000001d])

const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'])

/** Exit codes with a meaning of their own: those of shells, and of a process killed by the system. */
const byExit = ({ code, signal }: NonNullable<ProcessOutput['exit']>): ProcessFinding | undefined => {
  if (signal === 'SIGKILL' || code === 137) return { is: 'out-of-memory' }
  if (code === 126) return { is: 'permission' }
  if (code === 127) return { is: 'missing-program' }
  if (code !== null && ACCESS_VIOLATIONS.has(code >>> 0)) return { is: 'crash' }
  // Shells report a signal as 128 and its number.
  const name = signal ?? (code === 139 ? 'SIGSEGV' : code === 134 ? 'SIGABRT' : undefined)
  return name !== undefined && CRASHES.has(name) ? { is: 'crash', name } : undefined
}

/** Without the escape sequences of colours, links and cursor movements. */
const uncoloured = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- escape sequences are what it removes
  text.replace(/\u001B(?:\[[\d;?]*[A-Za-z]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g, '')

/** Programs that may download packages before they start a server. Names ignore case on Windows. */
const DOWNLOADERS =
  /^(?:.*[\\/])?(?:npx|bunx|pnpx|pnpm|yarn|npm|uvx|uv|pipx|docker|podman|deno|dotnet|dnx|go)(?:\.\w+)?$/i
/** Shells that run a command line after a flag: `cmd /d /s /c npx …`, which Git Bash spells `//c`; `bash -lc "npx …"`. */
const SHELLS: readonly { readonly name: RegExp; readonly flag: RegExp }[] = [
  { name: /^(?:.*[\\/])?cmd(?:\.exe)?$/i, flag: /^\/{1,2}[ck]$/i },
  { name: /^(?:.*[\\/])?(?:(?:ba|z|da|k|a)?sh|fish)(?:\.exe)?$/i, flag: /^-[a-z]*c$/ },
  { name: /^(?:.*[\\/])?(?:powershell|pwsh)(?:\.exe)?$/i, flag: /^-c(?:ommand)?$/i },
]
/** Words before a command that change how it is run, with their flags and variables. */
const PREFIX = /^(?:(?:.*[\\/])?env|exec|nohup)$/
const BEFORE_COMMAND = /^(?:-.*|[A-Za-z_]\w*=.*)$/
const WORD = /"[^"]*"|'[^']*'|\S+/g

/** Whether the command may have to download the server first, which can take minutes. */
export const mayDownload = ({
  command,
  args,
}: {
  readonly command: string
  readonly args: readonly string[]
}): boolean => {
  if (DOWNLOADERS.test(command)) return true
  if (PREFIX.test(command)) return downloads(args)
  const shell = SHELLS.find(({ name }) => name.test(command))
  const at = shell ? args.findIndex((arg) => shell.flag.test(arg)) : -1
  if (at < 0) return false
  const [first = '', ...rest] = args.slice(at + 1)
  // A path with a space in it.
  if (DOWNLOADERS.test(first)) return true
  // Each command of the line counts: `cd /srv && npx …`.
  const commands = [first, ...rest].join(' ').split(/[&|;\n]+/)
  return commands.some((line) => downloads((line.match(WORD) ?? []).map((word) => word.replaceAll(/^["']|["']$/g, ''))))
}

/** @param words a command and its arguments, maybe with variables before them */
const downloads = (words: readonly string[]): boolean => {
  const at = words.findIndex((word) => !BEFORE_COMMAND.test(word))
  const [command = '', ...args] = at < 0 ? [] : words.slice(at)
  return DOWNLOADERS.test(command) || (PREFIX.test(command) && downloads(args))
}
