/**
 * Texts of servers that speak to a model instead of describing something (prompt injection, "tool poisoning"): orders
 * against the user, in plain sight or hidden. It is advice, never a violation: no rule of the specification forbids a
 * description to say anything, and a pattern can be wrong.
 */
import { withoutHidden } from '../../ui/index.ts'
import { PATTERNS, type InjectionKind } from './patterns.ts'

export interface InjectionSign {
  readonly kind: InjectionKind | 'encoded' | 'hidden-text'
  /** The place, as it is written or as it was decoded, cut to 120 characters. May hold anything: mark it before it is shown. */
  readonly excerpt: string
}

/** UTF-16 units of one text that are looked at; what is longer is looked at from both ends. */
export const MOST = 64 * 1024
const EXCERPT = 120
/** UTF-16 units: an order needs some words, in other scripts some characters. */
const SHORTEST = 18

const ASCII = /^[\0-\x7f]*$/
/** Encoded blobs of one text that are decoded, and the units of each. */
const MOST_BLOBS = 20
const LONGEST_BLOB = 4096

/** What of a text is looked at: all of it, or both its ends. */
export const lookedAt = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST / 2)}\n${text.slice(-MOST / 2)}` : text

/** @returns one sign of each kind at most, in the order of `PATTERNS` */
export const injectionIn = (text: string): readonly InjectionSign[] => {
  if (text.length < (ASCII.test(text) ? SHORTEST : SHORTEST / 3)) return []
  const looked = lookedAt(text)
  const found = new Map<InjectionSign['kind'], InjectionSign>()
  const add = (kind: InjectionSign['kind'], excerpt: string) => {
    if (!found.has(kind)) found.set(kind, { kind, excerpt: excerpt.slice(0, EXCERPT) })
  }
  const smuggled = smuggledIn(looked)
  if (smuggled !== '') add('hidden-text', smuggled)
  const plain = plainOf(looked)
  for (const variant of variantsOf(plain, looked)) match(variant, add)
  for (const decoded of decodedIn(plain)) match(plainOf(decoded), () => add('encoded', decoded))
  return [...found.values()]
}

const match = (text: string, add: (kind: InjectionKind, excerpt: string) => void): void => {
  const lower = text.toLowerCase()
  // Lower case has another length than upper case in a few languages: then the excerpt is in lower case.
  const source = lower.length === text.length ? text : lower
  for (const { kind, gate, pattern } of PATTERNS) {
    const hit = gate.test(lower) ? pattern.exec(lower) : null
    if (hit) add(kind, source.slice(hit.index, hit.index + hit[0].length))
  }
}

/** One space between words; line ends stay, for role markers begin lines. */
const plainOf = (text: string): string =>
  (ASCII.test(text) ? text : withoutHidden(text).normalize('NFKC')).replace(/[^\S\n]+/g, ' ')

/** The text, and what it reads as when the disguises of letters are taken off it. */
const variantsOf = (plain: string, raw: string): readonly string[] => {
  const variants = new Set([plain])
  // Letters of other alphabets that look like Latin ones, within words that are otherwise Latin.
  if (/[\u0370-\u03ff\u0400-\u04ff]/.test(plain) && /[a-z]/i.test(plain)) variants.add(latinOf(plain))
  if (/[a-z][013457@$][a-z]/i.test(plain)) {
    variants.add(plain.replace(/(?<=[a-z])[013457@$](?=[a-z])/gi, (digit) => DIGITS[digit]!))
  }
  if (/(?:\b\p{L}[ .\-_*]+){5}\p{L}\b/u.test(plain)) variants.add(joined(raw))
  if (/[a-z][_-][a-z]+[_-][a-z]+[_-][a-z]/i.test(plain)) variants.add(plain.replace(/[_-]/g, ' '))
  if (/\b(?:vtaber|qvfertneq|sbetrg|olcnff|vafgehpgvba)/i.test(plain)) variants.add(rot13(plain))
  if (/[\u202d\u202e]/.test(raw)) variants.add([...plain].reverse().join(''))
  return [...variants]
}

const DIGITS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }

/** Cyrillic and Greek letters, each before the Latin one it looks like. */
const LOOK_ALIKES =
  'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ѵv ԛq ԝw тt кk мm нh вb АA ВB ЕE КK МM НH ОO РP СC ТT ХX ІI ЈJ ЅS ' +
  'αa οo ρp νv ιi υu κk τt ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΧX ΥY'
const LATIN = new Map(LOOK_ALIKES.split(' ').map(([odd, latin]) => [odd!, latin!] as const))
const latinOf = (text: string): string => text.replace(/[\u0370-\u052f]/g, (char) => LATIN.get(char) ?? char)

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (char) => {
    const base = char <= 'Z' ? 65 : 97
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base)
  })

/** "I g n o r e   a l l": single letters apart, words by wider gaps. */
const joined = (raw: string): string =>
  withoutHidden(raw)
    .replace(/(?:\p{L}[ .\-_*]){2,}\p{L}\b/gu, (run) => run.replace(/[ .\-_*]/g, ''))
    .replace(/\s+/g, ' ')

/** Text in characters that no font shows: tags stand for ASCII, runs of variation selectors for bytes. */
const smuggledIn = (text: string): string => {
  if (!/[\ufe00-\ufe0f\udb40]/.test(text)) return ''
  const tags = [...text.matchAll(/[\u{e0020}-\u{e007e}]{2,}/gu)]
    // England, Scotland and Wales: a black flag, tags, and the tag that ends them.
    .filter(({ index }) => !/\u{1f3f4}$/u.test(text.slice(Math.max(0, index - 2), index)))
    .map(([run]) => [...run].map((char) => String.fromCodePoint(char.codePointAt(0)! - 0xe0000)).join(''))
  const bytes = [...text.matchAll(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/gu)].map(([run]) => {
    const values = [...run].map((char) => {
      const code = char.codePointAt(0)!
      return code < 0xe0000 ? code - 0xfe00 : code - 0xe0100 + 16
    })
    return new TextDecoder().decode(new Uint8Array(values))
  })
  return [...tags, ...bytes].join(' ')
}

/** What stands in a text as base64, hex, or percent or character escapes, where it decodes to words. */
const decodedIn = (text: string): readonly string[] => {
  const found: string[] = []
  let blobs = 0
  for (const [blob] of text.matchAll(
    /[A-Za-z0-9+/_-]{20,}={0,2}|(?:%[0-9a-f]{2}[\w.~-]*){6,}|(?:\\?[ux][0-9a-f]{2,4}){6,}/gi,
  )) {
    if (++blobs > MOST_BLOBS) break
    const words = decode(blob.slice(0, LONGEST_BLOB))
    if (words !== undefined && /[ ~/]/.test(words)) found.push(words)
  }
  return found
}

const decode = (blob: string): string | undefined => {
  try {
    if (blob.startsWith('%')) return decodeURIComponent(blob)
    if (/^\\?[ux]/i.test(blob))
      return blob.replace(/\\?[ux]([0-9a-f]{2,4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    const bytes = /^(?:[0-9a-f]{2})+$/i.test(blob)
      ? Uint8Array.from(blob.match(/../g)!, (pair) => parseInt(pair, 16))
      : Uint8Array.from(atob(blob.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
    const words = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // eslint-disable-next-line no-control-regex -- bytes that are no words
    return /[\u0000-\u0008\u000e-\u001f]/.test(words) ? undefined : words
  } catch {
    return undefined
  }
}
