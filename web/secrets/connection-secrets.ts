/**
 * The secrets of one connection: values that the user typed, masked in every frame before it is stored. A header is
 * masked by its name, whatever its value; a distinctive value is also found wherever it recurs: in an error, on stderr,
 * in a result.
 */
import { percentDecoded } from '../json/index.ts'
import { isSecretHeader, maskHeader } from './mask.ts'
import { KnownSecrets } from './known-secrets.ts'
import { isDistinct, isPath, isPlaceholder } from './heuristics.ts'
import { isReferences } from './env-references.ts'
import { textOf } from './encodings.ts'
import { isSecretName, mayBeSecretName } from './secret-names.ts'
import {
  looksPassword,
  looksRandom,
  maskUrl,
  secretsInText,
  secretsInUrl,
  secretsInWords,
  withoutPlaces,
} from './user-input.ts'

/** What the user typed. */
export interface TypedTarget {
  readonly kind?: string
  readonly url?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

type Fields = Readonly<Record<string, unknown>>

/** Three words or more, in a header typed by the user. */
const PASSPHRASE = /^\s*\S+(?:\s+\S+){2,}\s*$/

export class ConnectionSecrets {
  readonly #values = new KnownSecrets()
  readonly #headers = new Set<string>()
  /** Texts that contain a secret, as errors repeat them, with their masked form. */
  readonly #texts = new Map<string, string>()

  /** If the target changes, earlier secrets stay known: a response may still contain them. */
  know({ url, headers = [], command, args = [], env = {} }: TypedTarget): void {
    for (const [name, value] of headers) {
      if (!isSecretHeader(name) || isReferences(value)) continue
      this.#headers.add(name.toLowerCase())
      this.#header(name, value)
    }
    for (const [name, value] of Object.entries(env)) if (!isReferences(value)) this.#text(name, value)
    if (url !== undefined) {
      for (const { from, to, name } of secretsInUrl(url)) this.#value(name, percentDecoded(url.slice(from, to)))
      for (const text of new Set([url, URL.parse?.(url)?.href ?? url])) this.#whole(text, maskUrl(text))
    }
    const words = command === undefined ? [] : [command, ...args]
    for (const { word, from, to, name } of secretsInWords(words)) this.#text(name, words[word]!.slice(from, to))
    for (const [index, masked] of maskWords(words).entries()) this.#whole(words[index]!, masked)
  }

  /** Values that are secret because the user said so, whatever they look like. */
  knowValues(values: readonly string[]): void {
    this.#values.knowAll(values)
  }

  /** The frame in a form that may be stored; the draft itself if it contains no secret. */
  mask<Draft extends object>(draft: Draft): Draft {
    const { kind, phase, event, headers, url } = draft as Fields
    let clean: Fields = draft as Fields
    const put = (name: string, value: unknown): void => {
      if (value !== clean[name]) clean = { ...clean, [name]: value }
    }
    if (kind === 'http' && phase === 'request') {
      if (this.#headers.size > 0 && Array.isArray(headers)) {
        put(
          'headers',
          (headers as (readonly [string, string])[]).map((pair) =>
            this.#headers.has(pair[0].toLowerCase()) ? maskHeader(...pair) : pair,
          ),
        )
      }
      if (typeof url === 'string') put('url', maskUrl(url))
    }
    if (kind === 'transport' && typeof url === 'string') put('url', maskUrl(url))
    if (kind === 'process' && (event === 'spawn' || event === 'spawn-failed')) {
      const { command, args = [] } = draft as { readonly command?: string; readonly args?: readonly string[] }
      const [first, ...rest] = maskWords([command ?? '', ...args])
      if (first !== command) put('command', first)
      if (rest.some((word, at) => word !== args[at])) put('args', rest)
    }
    return (this.#values.size === 0 && this.#texts.size === 0 ? clean : this.#walk(clean, 0)) as Draft
  }

  /** Whether a text contains one of the values; called with pieces of texts that are too long to process at once. */
  holds(text: string): boolean {
    if (this.#values.size > 0 && this.#values.holds(text)) return true
    return [...this.#texts.keys()].some((one) => text.includes(one))
  }

  #header(name: string, value: string): void {
    const credential = /^[A-Za-z]+ +(?=\S)/.exec(value)
    const bare = credential ? value.slice(credential[0].length) : value
    if (isSecretName(name, 'header') || !isPlaceholder(value, name)) {
      this.#value(name, bare)
      if (/^basic /i.test(value)) this.#value('password', /^[^:]*:(.*)$/s.exec(textOf(bare) ?? '')?.[1] ?? '')
      // Cookies and similar lists.
      for (const pair of value.split(/[;,]\s*/)) this.#value(name, /^[^=]{1,80}=(.+)$/s.exec(pair)?.[1] ?? '')
    }
    // A passphrase consists of words; only a repetition of all of them repeats the secret.
    for (const text of [value, bare]) if (PASSPHRASE.test(text)) this.#values.know(text.trim())
    this.#text(name, bare)
  }

  /** A value that may contain secrets, like a connection string. */
  #text(name: string, value: string): void {
    this.#value(name, value)
    for (const { from, to, name: inner } of secretsInText(value)) this.#value(inner || name, value.slice(from, to))
  }

  /**
   * Masked wherever it occurs if its name is that of a secret or it looks like one; not a word such as `production`.
   */
  #value(name: string, value: string): void {
    const named = mayBeSecretName(name) || name.startsWith('pattern:') || name === '-p'
    // `PWD` is a folder, and without it the command could not be run again.
    const sure = named && isDistinct(value) && !isPath(value)
    if (sure || looksRandom(value.trim()) || looksPassword(value.trim())) this.#values.know(value)
  }

  #whole(text: string, masked: string): void {
    // A short word occurs too often; its secret part is masked where it occurs.
    if (masked !== text && text.length >= SHORTEST_TEXT) this.#texts.set(text, masked)
  }

  #clean(text: string): string {
    let clean = text
    for (const [one, masked] of this.#texts) if (clean.includes(one)) clean = clean.replaceAll(one, () => masked)
    return this.#values.known(clean)
  }

  #walk(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#clean(value)
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
    if (Array.isArray(value)) {
      let copy: unknown[] | undefined
      for (let at = 0; at < value.length; at++) {
        const clean = this.#walk(value[at], depth + 1)
        if (clean !== value[at]) (copy ??= [...(value as unknown[])])[at] = clean
      }
      return copy ?? value
    }
    let changed = false
    const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
      const [name, clean] = [depth === 0 ? key : this.#clean(key), this.#walk(member, depth + 1)]
      if (name !== key || clean !== member) changed = true
      return [name, clean]
    })
    // `fromEntries` defines keys, so that one named `__proto__` stays a key.
    return changed ? Object.fromEntries(entries) : value
  }
}

/** Minimum length of typed text that is searched for as a whole. */
const SHORTEST_TEXT = 10

/** No frame contains a deeper value. */
const DEEPEST = 600

const maskWords = (words: readonly string[]): string[] => {
  const places = secretsInWords(words)
  return words.map((word, index) =>
    withoutPlaces(
      word,
      places.filter((place) => place.word === index),
    ),
  )
}
