/**
 * Detects server texts that address a model instead of describing something (prompt injection, "tool poisoning"):
 * instructions against the user, visible or hidden. This is advice, never a violation: the specification doesn't
 * restrict descriptions, and a pattern can be wrong.
 */
import { withoutHidden } from '../../ui/index.ts'
import { PATTERNS, type InjectionKind } from './patterns.ts'

export interface InjectionSign {
  readonly kind: InjectionKind | 'encoded' | 'hidden-text'
  /**
   * The matching text, as written or as decoded, cut to 120 characters. May contain anything: mark hidden characters
   * before display.
   */
  readonly excerpt: string
}

/** UTF-16 units checked per text; a longer text is checked at both ends. */
export const MOST = 64 * 1024
const EXCERPT = 120
/** UTF-16 units: an instruction needs a few words, or a few characters in other scripts. */
const SHORTEST = 18

const ASCII = /^[\0-\x7f]*$/
/** Encoded blobs decoded per text, and units per blob. */
const MOST_BLOBS = 20
const LONGEST_BLOB = 4096

/** The part of a text to check: all of it, or both ends. */
export const lookedAt = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST / 2)}\n${text.slice(-MOST / 2)}` : text

/** @returns at most one match of each kind, in the order of `PATTERNS` */
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
  // In a few languages, lower case and upper case differ in length. The excerpt is then in lower case.
  const source = lower.length === text.length ? text : lower
  for (const { kind, gate, pattern } of PATTERNS) {
    const hit = gate.test(lower) ? pattern.exec(lower) : null
    if (hit) add(kind, source.slice(hit.index, hit.index + hit[0].length))
  }
}

/** Collapses spaces between words. Line breaks stay, because role markers begin lines. */
const plainOf = (text: string): string =>
  (ASCII.test(text) ? text : withoutHidden(text).normalize('NFKC')).replace(/[^\S\n]+/g, ' ')

/** The text, and the text with disguised letters restored. */
const variantsOf = (plain: string, raw: string): readonly string[] => {
  const variants = new Set([plain])
  // Letters of other alphabets that resemble Latin ones, in words that are otherwise Latin.
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

/** Cyrillic and Greek letters, each followed by the Latin letter it resembles. */
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

/** Joins spaced letters: "I g n o r e   a l l", with wider gaps between words. */
const joined = (raw: string): string =>
  withoutHidden(raw)
    .replace(/(?:\p{L}[ .\-_*]){2,}\p{L}\b/gu, (run) => run.replace(/[ .\-_*]/g, ''))
    .replace(/\s+/g, ' ')

/** Decodes text in invisible characters: tags stand for ASCII, runs of variation selectors for bytes. */
const smuggledIn = (text: string): string => {
  if (!/[\ufe00-\ufe0f\udb40]/.test(text)) return ''
  const tags = [...text.matchAll(/[\u{e0020}-\u{e007e}]{2,}/gu)]
    // The flags of England, Scotland and Wales: a black flag, tags, and a closing tag.
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

/** Decodes base64, hex, and percent or character escapes that contain words. */
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
    // eslint-disable-next-line no-control-regex -- bytes that aren't words
    return /[\u0000-\u0008\u000e-\u001f]/.test(words) ? undefined : words
  } catch {
    return undefined
  }
}
