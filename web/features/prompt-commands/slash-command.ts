/**
 * Prompts as commands: `/name key=value "quoted value"`. A value without a key goes to the next argument that has none.
 * Quotes hold spaces, also around names and keys; in them, a backslash stands before a quote or a backslash.
 */
import { missingIn, type PromptItem } from './prompts-fold.ts'

export interface CommandFault {
  readonly code: 'unknown-argument' | 'repeated-argument' | 'too-many-values'
  readonly found: string
}

export interface SlashCommand {
  readonly item: PromptItem
  /** The values given, by argument. */
  readonly values: Readonly<Record<string, string>>
  /** Required arguments without a value. */
  readonly missing: readonly string[]
  readonly faults: readonly CommandFault[]
}

/** Whether a text is being typed as a command. */
export const isCommand = (text: string): boolean => text.startsWith('/')

/** The command that gives a prompt these values. */
export const commandText = ({ name = '', arguments: declared }: PromptItem, values: SlashCommand['values']): string =>
  [
    `/${/^[^\s"']\S*$/.test(name) ? name : quoted(name)}`,
    ...declared
      .filter((argument) => Object.hasOwn(values, argument.name))
      .map((argument) => {
        const key = /^[^\s"'=]+$/.test(argument.name) ? argument.name : quoted(argument.name)
        const value = values[argument.name]!
        return `${key}=${/^[^\s"']*$/.test(value) ? value : quoted(value)}`
      }),
  ].join(' ')

/**
 * The commands that a text can still become: those of one prompt once its name is complete, otherwise those of all prompts
 * whose name or title has what is typed, the best first. Several prompts may have the same name.
 */
export const commandsFor = (text: string, prompts: readonly PromptItem[]): readonly SlashCommand[] => {
  const named = nameIn(text.slice(1), prompts)
  const exact = named?.items.map((item) => commandOf(item, named.rest)) ?? []
  if (named && named.rest !== '') return exact
  const typed = text.slice(1).replace(/^["']/, '').toLowerCase()
  const others = prompts.filter((item) => item.name !== undefined && !named?.items.includes(item))
  const begins = others.filter(({ name }) => name!.toLowerCase().startsWith(typed))
  const contains = others.filter(
    (item) => !begins.includes(item) && `${item.name}\n${item.title}`.toLowerCase().includes(typed),
  )
  return [...exact, ...[...begins, ...contains].map((item) => commandOf(item, ''))]
}

/** @returns `undefined` while no prompt has the name; `rest` is what follows it, with the space between */
const nameIn = (
  text: string,
  prompts: readonly PromptItem[],
): { readonly items: readonly PromptItem[]; readonly rest: string } | undefined => {
  const called = (name: string, end: number) => {
    const items = prompts.filter((item) => item.name === name)
    const rest = text.slice(end)
    return items.length > 0 && (rest === '' || /^\s/.test(rest)) ? { items, rest } : undefined
  }
  const inQuotes = quotedAt(text, 0)
  const word = /^\S*/.exec(text)![0]
  const first = (inQuotes && called(inQuotes.value, inQuotes.end)) ?? called(word, word.length)
  if (first) return first
  // Names with spaces need no quotes, unless their first word is itself a name.
  return prompts
    .flatMap(({ name }) => (name !== undefined && text.startsWith(name) ? [name] : []))
    .sort((one, other) => other.length - one.length)
    .map((name) => called(name, name.length))
    .find((found) => found !== undefined)
}

const commandOf = (item: PromptItem, text: string): SlashCommand => {
  const names = item.arguments.map(({ name }) => name)
  const values = new Map<string, string>()
  const faults: CommandFault[] = []
  const give = (key: string, value: string) => {
    if (values.has(key)) faults.push({ code: 'repeated-argument', found: key })
    values.set(key, value)
  }
  let at = 0
  for (;;) {
    at += /^\s*/.exec(text.slice(at))![0].length
    if (at >= text.length) break
    const key = keyAt(text, at, names)
    const { value, end } = valueAt(text, key?.end ?? at)
    at = end
    if (key && names.includes(key.name)) give(key.name, value)
    else if (key) faults.push({ code: 'unknown-argument', found: key.name })
    else {
      const next = names.find((name) => !values.has(name))
      if (next === undefined) faults.push({ code: 'too-many-values', found: value })
      else give(next, value)
    }
  }
  const given = Object.fromEntries(values)
  return { item, values: given, missing: missingIn(item, given), faults }
}

/** A key before `=`, in quotes or not, and where its value begins. It need not be declared. */
const keyAt = (
  text: string,
  at: number,
  names: readonly string[],
): { readonly name: string; readonly end: number } | undefined => {
  const inQuotes = quotedAt(text, at)
  if (inQuotes) return text[inQuotes.end] === '=' ? { name: inQuotes.value, end: inQuotes.end + 1 } : undefined
  const [before, name] = /^([^\s=]+)=/.exec(text.slice(at)) ?? []
  if (name !== undefined && names.includes(name)) return { name, end: at + before!.length }
  const longest = names
    .filter((one) => text.startsWith(`${one}=`, at))
    .sort((one, other) => other.length - one.length)[0]
  if (longest !== undefined) return { name: longest, end: at + longest.length + 1 }
  return name === undefined ? undefined : { name, end: at + before!.length }
}

const valueAt = (text: string, at: number): { readonly value: string; readonly end: number } => {
  const inQuotes = quotedAt(text, at)
  const from = inQuotes?.end ?? at
  const [bare] = /^\S*/.exec(text.slice(from))!
  return { value: (inQuotes?.value ?? '') + bare, end: from + bare.length }
}

/** A text in quotes, without them. One whose end isn't typed yet goes on to the end. */
const quotedAt = (text: string, at: number): { readonly value: string; readonly end: number } | undefined => {
  const quote = text[at]
  if (quote !== '"' && quote !== "'") return undefined
  let value = ''
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end]!
    if (char === quote) return { value, end: end + 1 }
    const next = text[end + 1]
    if (char === '\\' && (next === quote || next === '\\')) {
      value += next
      end++
    } else value += char
  }
  return { value, end: text.length }
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
