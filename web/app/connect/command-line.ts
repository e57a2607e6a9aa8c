/**
 * Parses a command line as a person types it: shell words without a shell.
 *
 * Quotes, escapes and leading `NAME=value` work as in a POSIX shell
 * (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02), because that is how
 * instructions for servers are written. Anything that only a shell can do (pipes, variables, `&&`) is rejected with its
 * position and never guessed: mistaking such a word for an argument would start the wrong process.
 */

export interface CommandProblem {
  readonly cause:
    | 'shell-operator'
    | 'variable'
    | 'substitution'
    | 'home'
    | 'line-break'
    | 'open-quote'
    | 'no-command'
    | 'nul'
  readonly thing: string
  readonly column: number
}

export interface ReadCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** From a leading `cd DIRECTORY &&`. */
  readonly cwd?: string
}

interface Word {
  readonly text: string
  /** Position of the first quote or escape, so that `'A=b'` isn't taken for an assignment. */
  readonly plainUntil: number
  readonly column: number
}

type Token =
  | { readonly word: Word; readonly operator?: undefined }
  | { readonly word?: undefined; readonly operator: string; readonly column: number }

const OPERATOR = /^(?:&&|\|\||\|&|>>|<<|[|&;<>()])/
const ASSIGNMENT = /^([A-Za-z_]\w*)=/
/** Characters that a backslash escapes outside quotes. Before others it is literal, so that `C:\Users\me` works. */
const ESCAPABLE = /[\s"'\\$`|&;<>()*?[\]#~=%!{}]/

/** Reads one command line. Columns count from 1. */
export const readCommand = (text: string): ReadCommand | CommandProblem => {
  const tokens = tokenize(text)
  if (!Array.isArray(tokens)) return tokens
  let rest = tokens
  let cwd: string | undefined
  const [cd, directory, and] = tokens
  if (cd?.word?.text === 'cd' && directory?.word && and?.operator === '&&') {
    cwd = directory.word.text
    rest = tokens.slice(3)
  }
  const env: Record<string, string> = {}
  const words: string[] = []
  for (const token of rest) {
    if (token.operator !== undefined) return { cause: 'shell-operator', thing: token.operator, column: token.column }
    const { word } = token
    const name = words.length === 0 ? ASSIGNMENT.exec(word.text)?.[1] : undefined
    if (name !== undefined && name.length < word.plainUntil) env[name] = word.text.slice(name.length + 1)
    else words.push(word.text)
  }
  const [command, ...args] = words
  if (!command) return { cause: 'no-command', thing: text.trim(), column: 1 }
  return { command, args, env, ...(cwd === undefined ? {} : { cwd }) }
}

const tokenize = (text: string): Token[] | CommandProblem => {
  const tokens: Token[] = []
  // Copied instructions often start with the prompt.
  let at = /^\s*\$\s+/.exec(text)?.[0].length ?? 0
  while (at < text.length) {
    const char = text[at]!
    if (char === '\\' && /^\r?\n/.test(text.slice(at + 1, at + 3))) {
      at += text[at + 1] === '\r' ? 3 : 2
    } else if (/[\r\n]/.test(char)) {
      if (tokens.length > 0 && text.slice(at).trim() !== '') return { cause: 'line-break', thing: '⏎', column: at + 1 }
      at++
    } else if (/\s/.test(char)) at++
    else {
      const operator = OPERATOR.exec(text.slice(at, at + 2))?.[0]
      if (operator) {
        tokens.push({ operator, column: at + 1 })
        at += operator.length
      } else {
        const read = readWord(text, at)
        if ('cause' in read) return read
        tokens.push({ word: read.word })
        at = read.end
      }
    }
  }
  return tokens
}

const readWord = (text: string, start: number): { word: Word; end: number } | CommandProblem => {
  let value = ''
  let plainUntil = Infinity
  let at = start
  // In a word that starts like a Windows path, a backslash is only a separator.
  const windows = /^(?:[A-Za-z]:\\|\.{1,2}\\|\\\\[\w.])/.test(text.slice(start, start + 4))
  if (/^~(?:[/\s]|$)/.test(text.slice(start, start + 2))) return { cause: 'home', thing: '~', column: start + 1 }
  for (; at < text.length; at++) {
    const char = text[at]!
    if (char === '\0') return { cause: 'nul', thing: 'NUL', column: at + 1 }
    if (/\s/.test(char) || OPERATOR.test(char)) break
    if (char === "'") {
      const end = text.indexOf("'", at + 1)
      if (end < 0) return { cause: 'open-quote', thing: "'", column: at + 1 }
      plainUntil = Math.min(plainUntil, value.length)
      value += text.slice(at + 1, end)
      at = end
    } else if (char === '"') {
      plainUntil = Math.min(plainUntil, value.length)
      const read = readDoubleQuoted(text, at)
      if ('cause' in read) return read
      value += read.value
      at = read.end
    } else if (char === '\\' && !windows && ESCAPABLE.test(text[at + 1] ?? '')) {
      const continued = /^\\\r?\n/.exec(text.slice(at, at + 3))
      if (continued) {
        at += continued[0].length - 1
        continue
      }
      const next = text[at + 1]!
      plainUntil = Math.min(plainUntil, value.length)
      value += next
      at++
    } else {
      const problem = expansionAt(text, at)
      if (problem) return problem
      value += char
    }
  }
  return { word: { text: value, plainUntil, column: start + 1 }, end: at }
}

const readDoubleQuoted = (text: string, start: number): { value: string; end: number } | CommandProblem => {
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') return { value, end: at }
    if (char === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')) {
      if (text[at + 1] !== '\n') value += text[at + 1]
      at++
      continue
    }
    const problem = expansionAt(text, at)
    if (problem) return problem
    value += char
  }
  return { cause: 'open-quote', thing: '"', column: start + 1 }
}

const expansionAt = (text: string, at: number): CommandProblem | undefined => {
  if (text[at] === '`') return { cause: 'substitution', thing: '`', column: at + 1 }
  if (text[at] !== '$') return undefined
  // The local proxy inserts the value.
  if (/^\$\{env:[A-Za-z_]\w{0,127}\}/.test(text.slice(at, at + 140))) return undefined
  const substitution = /^\$\(/.exec(text.slice(at, at + 2))
  if (substitution) return { cause: 'substitution', thing: '$(', column: at + 1 }
  const variable = /^\$(?:\{[^}]*\}?|\w+)/.exec(text.slice(at, at + 80))
  return variable ? { cause: 'variable', thing: variable[0], column: at + 1 } : undefined
}
