/** What a value looks like that a member's name calls a secret: a label, words that somebody chose, the bytes of a key. */
import type { ValueObject } from '../json/index.ts'
import { areWordsInPlace, chosenLikeness, isWordsOfPassword, type NameRule, type Names } from '../secrets/redaction.ts'

/** `"login.password": "Passwort"`: the same name in another language, or a label with it. */
export const isLabel = (value: string, names: Names): boolean =>
  value.length < 40 &&
  !/\d/.test(value) &&
  names.of(value.replace(/[?!:*.…]+$/, ''), 'variable') !== undefined &&
  (/\s/.test(value.trim()) || names.isName(value.replace(/[?!:*.…]+$/, '')))

/** Under the name of a password, words that form no message; under an ambiguous name, words mixed with digits. */
export const isChosenOf = (named: NameRule, value: string): boolean =>
  (named.random ?? named.looksUp) === undefined &&
  (isWordsOfPassword(named, value) ||
    (named.ambiguous === true &&
      named.id !== 'name:pin' &&
      chosenLikeness(value) > (named.id === 'name:password' && /\d/.test(value) ? 0 : 1)))

/** `"[12, 44, 201, …]"`: 16 bytes or more. */
export const areBytes = (value: string): boolean =>
  value.length < 400 &&
  /^\s?\[?\s?(?:0x[\da-f]{1,2}|\d{1,3})(?:,\s?(?:0x[\da-f]{1,2}|\d{1,3})){15,63}\s?\]?$/i.test(value)

/** A table of labels has no numbers, times or switches in it. */
export const isRecordOfValues = (parent: ValueObject): boolean =>
  Object.values(parent).some(
    (one) =>
      typeof one === 'boolean' ||
      typeof one === 'number' ||
      (typeof one === 'string' && /^[\w:./+-]*\d[\w:./+-]*$/.test(one)),
  )

/** `"hesloDatovaSchranka": "Švestkový koláč"`: one word with a capital, or a few. */
export const isWordOfCard = (named: NameRule, value: string): boolean =>
  named.worded === true &&
  (areWordsInPlace(named, value) || areWordsInPlace(named, `${value} ${value}`)) &&
  /^\p{Lu}\p{Ll}{2}/u.test(value) &&
  value.length > 4
