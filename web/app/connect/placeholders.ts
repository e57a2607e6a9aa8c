/**
 * What a configuration leaves to be filled in: `${env:API_KEY}`, `${input:key}`, `{{key}}`, `<YOUR_KEY>`, `{tenant}`,
 * `YOUR_API_KEY`, `sk-xxxx`, `CHANGE_ME`. Sent literally, a server gets a wrong credential and says something misleading.
 *
 * The text may be a megabyte of anything: each pattern reads it in linear time.
 */
import type { Target } from './target.ts'

export interface Placeholder {
  /** As it is written, and what it is filled in by: the same text has one value wherever it occurs. */
  readonly text: string
  /** Where it occurs first. */
  readonly place: 'url' | 'header' | 'command' | 'argument' | 'variable' | 'directory'
  /** Of the header or the variable. */
  readonly name?: string
}

/** Lower-case words are taken for a placeholder only where they name what people fill in: `your-project` may be a folder. */
const FILLED_IN = 'key|token|secret|password|pat|host|domain|tenant|account|org|workspace|username|id'

const PATTERN = new RegExp(
  [
    String.raw`\$\{\{[^{}]{1,200}\}\}`,
    String.raw`\$\{[^{}]{1,200}\}`,
    String.raw`\{\{[^{}]{1,200}\}\}`,
    String.raw`<[A-Za-z][\w .:-]{0,100}>`,
    String.raw`\{[A-Za-z_]\w{0,100}\}`,
    String.raw`(?<![A-Za-z\d])YOUR[_-][A-Z\d][A-Z\d_-]*`,
    String.raw`(?<![A-Za-z\d])your[_-](?:[a-z\d]{1,20}[_-]){0,4}(?:${FILLED_IN})(?:[_-]here)?(?![A-Za-z\d])`,
    String.raw`(?<![A-Za-z\d])(?:CHANGE_?ME|REPLACE_(?:ME|WITH_\w+)|INSERT_\w+)(?![A-Za-z\d])`,
    // Includes the prefix, because a pasted key includes it.
    String.raw`(?<![\w-])(?:[A-Za-z\d]{1,12}[_-]){0,3}(?:x{3,}|X{3,})(?:[_-](?:x{3,}|X{3,})){0,8}(?![\w-])`,
  ].join('|'),
  'g',
)

/** Each text once, in the order in which it is sent. */
export const placeholdersOf = (target: Target): Placeholder[] => {
  const found = new Map<string, Placeholder>()
  for (const { value, ...place } of valuesOf(target))
    for (const [text] of value.matchAll(PATTERN)) if (!found.has(text)) found.set(text, { text, ...place })
  return [...found.values()]
}

/** The texts alone. */
export const placeholdersIn = (target: Target): string[] => placeholdersOf(target).map(({ text }) => text)

/** @param values by the text of the placeholder; those without one stay */
export const fillIn = (target: Target, values: Readonly<Record<string, string>>): Target => {
  const has = (text: string) => Object.hasOwn(values, text) && values[text] !== ''
  const filled = (value: string) => value.replaceAll(PATTERN, (text) => (has(text) ? values[text]! : text))
  switch (target.kind) {
    case 'url': {
      const decoded = decodedUrl(target.url)
      // The exact text of a URL matters to some servers: it is only changed where something is put in.
      const changes = [...decoded.matchAll(PATTERN)].some(([text]) => has(text))
      const url = changes
        ? decoded.replaceAll(PATTERN, (text) => (has(text) ? encodeURIComponent(values[text]!) : text))
        : target.url
      return { ...target, url, headers: target.headers.map(([name, value]) => [name, filled(value)] as const) }
    }
    case 'command': {
      const { command, args, env, cwd } = target
      return {
        kind: 'command',
        command: filled(command),
        args: args.map(filled),
        env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
        ...(cwd === undefined ? {} : { cwd: filled(cwd) }),
      }
    }
    case 'sample':
      return target
  }
}

interface Value extends Omit<Placeholder, 'text'> {
  readonly value: string
}

const valuesOf = (target: Target): Value[] => {
  switch (target.kind) {
    case 'url':
      return [
        { place: 'url', value: decodedUrl(target.url) },
        ...target.headers.map(([name, value]): Value => ({ place: 'header', name, value })),
      ]
    case 'command':
      return [
        { place: 'command', value: target.command },
        ...target.args.map((value): Value => ({ place: 'argument', value })),
        ...Object.entries(target.env).map(([name, value]): Value => ({ place: 'variable', name, value })),
        { place: 'directory', value: target.cwd ?? '' },
      ]
    case 'sample':
      return []
  }
}

const ENCODED: Readonly<Record<string, string>> = { '%7B': '{', '%7D': '}', '%3C': '<', '%3E': '>' }

/** The URL parser encodes what placeholders are written with. */
const decodedUrl = (url: string): string => url.replaceAll(/%(?:7[BD]|3[CE])/gi, (code) => ENCODED[code.toUpperCase()]!)
