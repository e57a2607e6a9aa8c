/**
 * Secrets and innocent payloads in every place of a session, written by somebody who hadn't seen the rules:
 * `set-2.jsonl`, `set-2-innocent.jsonl`; of twelve more sets those that a name tells, and of the last seven also those
 * that only a person recognizes. The innocents of sets 9 to 13 are in `set-10-innocent.jsonl` to `set-14-innocent.jsonl`;
 * `set-9-innocent.jsonl` are texts of interfaces, games and programs. Those in the format of a vendor are left out, because services that host
 * sources refuse them; `redact.test.ts` has some. Redaction removes each secret, or lists it as a suspect; innocent
 * payloads stay as they are.
 */
import { describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import type { Innocent, PlantedSecret } from './frames-of.ts'
import { leavingOf, linesOf, touchedOf } from './planted-set.ts'

/** What still leaves, and why. All of it is listed as a suspect. */
const LEAVES: Readonly<Record<string, string>> = {
  's2-158': 'words and a number in parentheses behind an address, and nothing says what they are for',
  's2-202': 'part of a path that looks random, as the IDs of pages do',
  's2-229': 'one of several answers in a row, without a name',
  's2-273': 'four small words as the default of an argument called magic',
  's2-277': 'a word with a digit that a device accepts, and nothing about getting in',
}

const numberOf = (set: string): string => set.slice('set-'.length)

const LAST_INNOCENTS = ['set-10', 'set-11', 'set-12', 'set-13', 'set-14']

/** The named ones of twelve more sets, by other writers. Their innocent payloads may be suspects. */
const NAMED_SETS = [
  ...['set-1', 'set-3', 'set-4', 'set-5', 'set-6', 'set-7', 'set-8', 'set-9', 'set-10', 'set-11', 'set-12', 'set-13'],
]

/** What only a person recognizes and still leaves, and why. All of it is listed as a suspect. */
const LEAVES_HUMAN: Readonly<Record<string, string>> = {
  's7-199': 'the number that an administrator set, beside those that a visitor pressed',
  's8-191': 'one word of a sentence, by which a guard is warned',
  's9-059': 'two words that one says to a guard, without quotation marks',
  's10-028': 'a fact under embargo, no code',
  's10-093': 'three ordinary words that one answers to a bank, without quotation marks',
  's10-098': 'what somebody gets as a present',
  's10-101': 'an address, no code',
  's10-103': 'a name that one mentions to call for help',
  's10-119': 'an illness, no code',
  's10-164': 'the name of an informant',
  's10-166': 'an amount under embargo',
  's10-175': 'two ordinary words in a sentence whose verb stands at its end',
  's10-194': 'where something is buried, without a word for a key',
  's10-201': 'letters of answers to an exam',
  's10-210': 'an ordinary word that a caller says, in a sentence of its own',
  's10-218': 'the name of an anonymous source',
  's11-208': 'an ordinary word in a sentence whose verb stands at its end',
  's12-182': 'letters and digits spelled with words of the speaker’s own',
  's12-184': 'an amount under embargo',
  's12-185': 'the name of a company under embargo',
  's12-187': 'an ingredient of a recipe',
  's12-190': 'how a finger moves, without a run of directions',
  's12-191': 'an amount under embargo',
  's12-194': 'how many lose their work',
  's12-197': 'letters of answers to an exam',
  's12-202': 'how long a button is pressed, without a run of numbers',
  's12-206': 'how one knocks, without a run of numbers',
  's12-208': 'letters and words that somebody dictates in words of their own',
  's12-209': 'where people meet, and when',
  's12-215': 'three ordinary words in Armenian, without quotation marks',
  's12-216': 'an amount under embargo',
  's12-218': 'three numbers in words and a sign, in Uzbek',
  's12-221': 'where something is buried, without a word for a key',
  's12-226': 'joined words that one types, behind a word for a network in Telugu',
  's12-227': 'an ingredient of a recipe',
  's12-228': 'what one presses to start an engine, in Vietnamese',
  's12-230': 'a date under embargo',
  's12-234': 'an amount under embargo',
  's12-235': 'shapes in Japanese that one presses in turn',
  's12-236': 'numbers in Korean without spaces',
  's12-240': 'words of Irish in lines of a log',
  's13-194': 'the name of a company under embargo',
  's13-195': 'an address, no code',
  's13-237': 'an amount under embargo',
}

/** Innocent payloads of the last sets that redaction changes, and why that may be. */
const DISPUTED: Readonly<Record<string, string>> = {
  'i7-229': 'the key of a Sentry DSN stands where that of a user does; it only lets one report errors',
}

describe('secrets that others planted', () => {
  test.each(NAMED_SETS)('each named one is removed: %s', { timeout: patient(60_000) }, async (set) => {
    const named = linesOf<PlantedSecret>(`${set}.jsonl`).filter((one) => one.class === 'named')
    expect((await leavingOf(named)).left).toEqual([])
  })

  test.each([...NAMED_SETS, 'set-14'])(
    'innocent payloads stay, and few of the last sets are suspects: %s',
    { timeout: patient(60_000) },
    async (set) => {
      const innocents = linesOf<Innocent>(`${set}-innocent.jsonl`)
      const { changed, suspected } = await touchedOf(innocents)
      expect(changed).toEqual(Object.keys(DISPUTED).filter((id) => id.startsWith(`i${numberOf(set)}-`)))
      if (LAST_INNOCENTS.includes(set)) expect(suspected.length / innocents.length).toBeLessThan(0.05)
    },
  )

  test.each(['set-7', 'set-8', 'set-9', 'set-10', 'set-11', 'set-12', 'set-13'])(
    'what only a person recognizes is removed, or is one of the known exceptions, which are listed: %s',
    { timeout: patient(60_000) },
    async (set) => {
      const planted = linesOf<PlantedSecret>(`${set}.jsonl`).filter((one) => one.class === 'human')
      expect(planted).toHaveLength(60)
      const { left, unlisted } = await leavingOf(planted)
      expect(unlisted).toEqual([])
      expect(left).toEqual(Object.keys(LEAVES_HUMAN).filter((id) => id.startsWith(`s${numberOf(set)}-`)))
    },
  )

  test('each is removed or listed as a suspect', { timeout: patient(60_000) }, async () => {
    const { left, unlisted } = await leavingOf(linesOf<PlantedSecret>('set-2.jsonl'))
    expect(left).toEqual(Object.keys(LEAVES))
    expect(unlisted).toEqual([])
  })

  test('innocent payloads stay, and none is a suspect', { timeout: patient(60_000) }, async () => {
    const { changed, suspected } = await touchedOf(linesOf<Innocent>('set-2-innocent.jsonl'))
    expect(changed).toEqual([])
    expect(suspected).toEqual([])
  })
})
