/**
 * Finds placeholders that a configuration leaves to be filled in: `${env:API_KEY}`, `${input:key}`, `{{key}}`,
 * `<YOUR_KEY>`, `{tenant}`, `YOUR_API_KEY`, `sk-xxxx`, `CHANGE_ME`. If they were sent literally, the server would get a
 * wrong credential and respond with a misleading error.
 *
 * The text may be a megabyte of anything, so each pattern must match in linear time.
 */
import { customTransport, type CustomTarget, type Target } from './target.ts'

export interface Placeholder {
  /** As written, which is also its key: the same text has one value wherever it occurs. */
  readonly text: string
  /** Where it first occurs. */
  readonly place: 'url' | 'header' | 'command' | 'argument' | 'variable' | 'directory'
  /** Name of the header or the variable. */
  readonly name?: string
}

/**
 * Lower-case words only count as placeholders if they name something people fill in: `your-project` may be a directory.
 */
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
    // Includes the prefix, because a pasted key includes it as well.
    String.raw`(?<![\w-])(?:[A-Za-z\d]{1,12}[_-]){0,3}(?:x{3,}|X{3,})(?:[_-](?:x{3,}|X{3,})){0,8}(?![\w-])`,
  ].join('|'),
  'g',
)

/** The placeholders of a target without duplicates, in the order in which they are sent. */
export const placeholdersOf = (target: Target): Placeholder[] => {
  const found = new Map<string, Placeholder>()
  for (const { value, ...place } of valuesOf(target))
    for (const [text] of value.matchAll(PATTERN)) if (!found.has(text)) found.set(text, { text, ...place })
  return [...found.values()]
}

/** Each place of each placeholder. */
export const occurrencesIn = (target: Target): Placeholder[] =>
  valuesOf(target).flatMap(({ value, ...place }) =>
    Array.from(value.matchAll(PATTERN), ([text]): Placeholder => ({ text, ...place })),
  )

/** Only the texts. */
export const placeholdersIn = (target: Target): string[] => placeholdersOf(target).map(({ text }) => text)

/** `${NAME:-default}`, a reference as in the files of Claude Code: the default is used if the variable isn't set. */
export const defaultIn = (text: string): string | undefined => /^\$\{[A-Za-z_]\w*:-([^{}]*)\}$/.exec(text)?.[1]

/** A placeholder for a value that isn't stored: that of `X-Api-Key` is `${X_API_KEY}`. */
export const placeholderFor = (name: string): string => `\${${name.toUpperCase().replaceAll(/\W+/g, '_')}}`

/** The name of the environment variable in a placeholder of other clients: `${NAME}`, `${NAME:-default}`. */
export const variableIn = (text: string): string | undefined =>
  /^\$\{([A-Za-z_]\w{0,127})(?::-[^{}]*)?\}$/.exec(text)?.[1]

/** @param values by placeholder text; placeholders that have neither a value nor a default are kept */
export const fillIn = (target: Target, values: Readonly<Record<string, string>>): Target => {
  const valueOf = (text: string) => (Object.hasOwn(values, text) && values[text]) || defaultIn(text)
  const filled = (value: string) => value.replaceAll(PATTERN, (text) => valueOf(text) ?? text)
  const filledUrl = (url: string): string => {
    const decoded = decodedUrl(url)
    // Some servers depend on the exact text of a URL, so it is only changed if a value is inserted.
    const changes = [...decoded.matchAll(PATTERN)].some(([text]) => valueOf(text) !== undefined)
    if (!changes) return url
    const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?([^/?#]*)(.*)$/is.exec(decoded) ?? []
    const inserted = (part: string, spelled: (value: string) => string) =>
      part.replaceAll(PATTERN, (text) => {
        const value = valueOf(text)
        return value === undefined ? text : spelled(value)
      })
    const encoded = (value: string) => encodeURIComponent(value)
    return scheme + inserted(host, (value) => (HOST.test(value) ? value : encoded(value))) + inserted(rest, encoded)
  }
  switch (target.kind) {
    case 'url':
      return {
        ...target,
        url: filledUrl(target.url),
        headers: target.headers.map(([name, value]) => [name, filled(value)] as const),
      }
    case 'custom':
      return { ...target, url: isWebSocket(target) ? filledUrl(target.url) : target.url }
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

/** A host, perhaps with a port; nothing that ends the host, such as `/` or `@`. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

const isWebSocket = ({ url }: CustomTarget): boolean => customTransport(url) === 'WebSocket'

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
    case 'custom':
      // In a path, braces and `<` are ordinary characters.
      return isWebSocket(target) ? [{ place: 'url', value: decodedUrl(target.url) }] : []
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

/** The URL parser percent-encodes the characters that mark placeholders. */
const decodedUrl = (url: string): string => url.replaceAll(/%(?:7[BD]|3[CE])/gi, (code) => ENCODED[code.toUpperCase()]!)
