/**
 * Values that take the rest of a line behind a name: numbers in groups, turns of a dial, passphrases, what one responds to
 * a question, words that one says.
 */
import { SAID_INSTEAD } from './chosen-words.ts'
import { describesField, isFieldState } from './field-descriptions.ts'
import { isAnswer, isAnswerName, isPhrase, isPlaceholder } from './heuristics.ts'
import { namesOther } from './other-numbers.ts'
import type { NameRule } from './secret-names.ts'

interface Name {
  readonly begin: number
  readonly from: number
  readonly name: string
}

/** The length of what a person responds to the question of a service, in a line of its own: a name, several words. */
export const responseAt = (text: string, begin: number, from: number, name: string): number => {
  if (!isAnswerName(name) || !/(?:^|[\r\n])[ \t>*•-]*$/.test(text.slice(Math.max(0, begin - 12), begin))) return 0
  const value =
    /^\p{L}[\p{L}\p{M}\p{N} .,'’-]{1,60}(?=[ \t]*(?:[\r\n]|$))/u.exec(text.slice(from, from + 80))?.[0] ?? ''
  return isAnswer(value) ? value.length : 0
}

/** The length of a number in groups, and nothing else in the line: `2341 2341 2346`; of a person, with letters in it. */
export const numberAt = (text: string, from: number, ofPerson: boolean): number =>
  (ofPerson
    ? (/^[A-Z\d]{1,9}(?:[ -][A-Z\d]{1,9}){1,7}(?=[ \t]*(?:$|[\r\n,;|)"'<]|\. ?(?:$|[\r\n]|\p{Lu})))/u.exec(
        text.slice(from, from + 80),
      )?.[0].length ?? 0)
    : 0) ||
  (/^\p{Nd}{1,6}(?: \p{Nd}{1,6}){1,7}[#*]?(?=[ \t]*(?:$|[\r\n,;|)"'<]|\. ?(?:$|[\r\n]|\p{Lu})|[ \t][\p{L}_][\p{L}\p{M}\p{N}_.-]{1,40}=))|^(?:\p{L}{1,2}\d{1,3}(?: \p{L}{1,2}\d{1,3}){2,5}|\d{1,3}\p{L}{1,2}(?: \d{1,3}\p{L}{1,2}){2,5})(?=[ \t]*(?:$|[\r\n]))/u.exec(
    text.slice(from, from + 60),
  )?.[0].length ??
    0)

const CODE_WORD =
  /code[ _-]?words?$|codewort|losung|code ?woord|kodord$|koodisana|palabra (?:clave|secreta|de seguridad)|mot secret|mot de code|parola (?:segreta|d.ordine)|palavra (?:secreta|de código)|кодов\p{L}+ слово|секретн\p{L}+ слово|safe ?word/iu
/** The length of one to four words that somebody says, and nothing else in a line of its own. */
export const codeWordAt = (text: string, { begin, from, name }: Name, { said, ambiguous }: NameRule): number => {
  const [, label] =
    /(?:^|[\r\n])[ \t>*•-]*(\p{L}[\p{L}\p{M}\p{N} '’_-]{0,50})$/u.exec(
      `${text.slice(Math.max(0, begin - 60), begin)}${name}`,
    ) ?? []
  if (label === undefined || !(said ?? (ambiguous === undefined && CODE_WORD.test(label)))) return 0
  const words =
    /^\p{L}[\p{L}\p{M}\p{N}'’-]*(?: [\p{L}\p{M}\p{N}'’-]+){0,3}(?=[.!]?[ \t]*(?:[\r\n]|$))/u.exec(
      text.slice(from, from + 90),
    )?.[0] ?? ''
  return words.length > 2 &&
    !isPlaceholder(words, name) &&
    !describesField(words) &&
    !isFieldState(words) &&
    !SAID_INSTEAD.test(words)
    ? words.length
    : 0
}

const SPOKEN = /^\p{L}[\p{L}\p{M}'’-]{1,20}(?: [\p{L}\p{M}\p{N}'’-]{1,20}){2,11}(?=[ \t]*(?:[\r\n]|$))/u
const WORD_AND_NUMBER = /^(\p{Lu}\p{L}{3,20}) \p{Nd}{1,4}(?=[ \t]*(?:\r?\n|$))/u
/** The length of a passphrase: words and nothing else in the rest of the line. */
export const phraseAt = (text: string, from: number, name: string): number => {
  const [spoken = ''] = (/phrase|fra[sz]/i.test(name) && SPOKEN.exec(text.slice(from, from + 260))) || []
  if (/\p{N}/u.test(spoken)) return spoken.length
  // `Fjellrev 12`
  const [numbered = '', word = ''] = WORD_AND_NUMBER.exec(text.slice(from, from + 60)) ?? []
  if (numbered !== '' && !namesOther(`${word} `) && !isPlaceholder(word, name) && !describesField(numbered))
    return numbered.length
  const [phrase = ''] =
    /^[a-z]{3,12}(?:[ \t-][a-z]{3,12}){2,24}(?=[ \t]*(?:[\r\n]|$))/.exec(text.slice(from, from + 340)) ?? []
  return phrase !== '' && isPhrase(phrase, /phrase|mnemonic|seed|words/i.test(name) ? 3 : 4) ? phrase.length : 0
}
