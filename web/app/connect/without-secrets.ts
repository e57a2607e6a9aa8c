/**
 * Removes secrets from a target or a draft, so that it can be stored. In a chunk of its own, because the rules for
 * secrets are large and nothing is stored before the user has typed something.
 */
import { isAnyReferences, isReferences, secretsInUrl, secretsInWords, withoutPlaces } from '../../secrets/index.ts'
import { readConfig } from './configs/read-config.ts'
import { understand } from './connect-input.ts'
import type { Draft, Row } from './draft.svelte.ts'
import type { Target } from './target.ts'

/** A target without its secrets, and the names of the values left out. */
interface StorableTarget {
  readonly target: Target
  readonly dropped: readonly string[]
}

/** The parts that may be stored: names of headers and variables, but of their values only references. */
export const withoutSecrets = (target: Target): StorableTarget => {
  switch (target.kind) {
    case 'sample':
      return { target, dropped: [] }
    case 'url': {
      const headers = target.headers.map(([name, value]) => [name, isAnyReferences(value) ? value : ''] as const)
      const { text, names } = emptied(target.url, secretsInUrl(target.url))
      // `https://:@host`: remove an emptied userinfo entirely.
      const url = text.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1')
      return { target: { kind: 'url', url, headers }, dropped: [...emptyIn(headers), ...names] }
    }
    case 'custom': {
      const { text, names } = emptied(target.url, secretsInUrl(target.url))
      return { target: { kind: 'custom', url: text }, dropped: names }
    }
    case 'command': {
      const variables = Object.entries(target.env).map(
        ([name, value]) => [name, isAnyReferences(value) ? value : ''] as const,
      )
      const env = Object.fromEntries(variables)
      const { words, names } = emptiedWords([target.command, ...target.args])
      const [command = '', ...args] = words
      return { target: { ...target, command, args, env }, dropped: [...emptyIn(variables), ...names] }
    }
  }
}

const emptyIn = (pairs: readonly (readonly [name: string, value: string])[]): string[] =>
  pairs.filter(([, value]) => value === '').map(([name]) => name)

/** The values that may be remembered. @param target with its placeholders filled in */
export const valuesToKeep = (
  target: Target,
): {
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** The URL or the command contains secrets, so nothing may be stored about it. */
  readonly holdsSecret: boolean
} => {
  const all = target.kind === 'url' ? target.headers : target.kind === 'command' ? Object.entries(target.env) : []
  const pairs = all.filter(([, value]) => value !== '' && !isAnyReferences(value))
  return { pairs, holdsSecret: withoutSecrets(withoutValues(target)).dropped.length > 0 }
}

const withoutValues = (target: Target): Target => {
  if (target.kind === 'url') return { ...target, headers: [] }
  return target.kind === 'command' ? { ...target, env: {} } : target
}

interface Emptied {
  readonly text: string
  /** The names of the removed secrets. */
  readonly names: readonly string[]
}

const emptied = (text: string, places: ReturnType<typeof secretsInUrl>): Emptied => ({
  text: withoutPlaces(text, places, () => ''),
  names: [...new Set(places.map(({ name }) => name))],
})

/** `--api-key=x` becomes `--api-key=`, `--token x` becomes `--token ''`, `Authorization: x` becomes `Authorization: `. */
const emptiedWords = (words: readonly string[]): { readonly words: string[]; readonly names: string[] } => {
  const places = secretsInWords(words)
  const each = words.map((word, index) =>
    emptied(
      word,
      places.filter((place) => place.word === index),
    ),
  )
  return { words: each.map(({ text }) => text), names: each.flatMap(({ names }) => names) }
}

/**
 * The part of a draft that may be stored: the text without the values of headers, variables and secret arguments.
 * `undefined` if it contains secrets that can't be removed.
 */
export const storable = (text: string): string | undefined => {
  const understood = understand(text, undefined, () => readConfig)
  switch (understood.kind) {
    case 'nothing':
    case 'reading':
      return ''
    case 'url': {
      const { target, dropped } = withoutSecrets({ kind: 'url', url: understood.url, headers: [] })
      return dropped.length > 0 && target.kind === 'url' ? target.url : text
    }
    case 'custom': {
      const { target, dropped } = withoutSecrets(understood)
      return dropped.length > 0 && target.kind === 'custom' ? target.url : text
    }
    case 'command': {
      const { dropped } = withoutSecrets(understood)
      return dropped.length > 0 ? undefined : text
    }
    case 'servers': {
      const secret = understood.servers.some(({ target }) => target && withoutSecrets(target).dropped.length > 0)
      return secret || /"(?:password|inputs)"/.test(text) ? undefined : text
    }
    case 'problem':
      // Incomplete input: if it might contain a secret, it stays in memory.
      return /["'{=]|:\/\/[^/\s]*(?:@|:(?!\d+(?:\/|$)))|--?\w*(?:key|token|secret|pass|auth)/i.test(text)
        ? undefined
        : text
  }
}

/** A draft for the browser's storage, without secrets. `Draft.fromStored` reads it. */
export const storedDraft = ({ text, headers, env, asIs, cwd, name, settings, isFromLink }: Draft): string =>
  JSON.stringify({
    text: storable(text) ?? '',
    headers: headers.map(storedRow),
    env: env.map(storedRow),
    asIs: asIs.filter(isReferences),
    cwd,
    name,
    settings,
    isFromLink,
  })

/** The name, with the value unless it is secret. */
const storedRow = ({ name, value }: Row): string | readonly [string, string] =>
  isAnyReferences(value) ? [name, value] : name
