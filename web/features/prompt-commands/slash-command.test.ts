import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROMPTS, type PromptItem } from './prompts-fold.ts'
import { commandsFor, commandText, isCommand } from './slash-command.ts'

type Declared = readonly [name: string, ...argumentNames: readonly string[]]

const promptsOf = (...declared: readonly Declared[]): readonly PromptItem[] => {
  const taken = { keys: new Set<string>(), names: new Set<string>() }
  return declared.map(([name, ...names], index) =>
    PROMPTS.itemOf({ name, arguments: names.map((one) => ({ name: one, required: true })) }, index, 1, taken),
  )
}

const read = (text: string, prompts: readonly PromptItem[]) =>
  commandsFor(text, prompts).map(({ item, values, missing, faults }) => ({
    key: item.key,
    values,
    ...(missing.length > 0 ? { missing } : {}),
    ...(faults.length > 0 ? { faults } : {}),
  }))

describe('a slash command', () => {
  const prompts = promptsOf(['review', 'language', 'style'], ['review-all'], ['look'])

  test('finds prompts by what is typed of their name, those that begin with it first', () => {
    expect(read('/', prompts).map(({ key }) => key)).toEqual(['review', 'review-all', 'look'])
    expect(read('/review', prompts).map(({ key }) => key)).toEqual(['review', 'review-all'])
    expect(read('/ALL', prompts).map(({ key }) => key)).toEqual(['review-all'])
    expect(read('/none', prompts)).toEqual([])
  })

  test('gives values by key, and those without a key to the next argument', () => {
    expect(read('/review language=c style="very strict"', prompts)).toEqual([
      { key: 'review', values: { language: 'c', style: 'very strict' } },
    ])
    expect(read('/review "plain c" style=', prompts)).toEqual([
      { key: 'review', values: { language: 'plain c', style: '' } },
    ])
    expect(read('/review style=x c', prompts)).toEqual([{ key: 'review', values: { language: 'c', style: 'x' } }])
    expect(read(String.raw`/review 'it"s' "a\"b\\c\d"`, prompts)).toEqual([
      { key: 'review', values: { language: 'it"s', style: String.raw`a"b\c\d` } },
    ])
  })

  test('says what is missing, unknown, repeated or too much', () => {
    expect(read('/review  ', prompts)).toEqual([{ key: 'review', values: {}, missing: ['language', 'style'] }])
    expect(read('/review lang=c c d e style=f', prompts)).toEqual([
      {
        key: 'review',
        values: { language: 'c', style: 'f' },
        faults: [
          { code: 'unknown-argument', found: 'lang' },
          { code: 'too-many-values', found: 'e' },
          { code: 'repeated-argument', found: 'style' },
        ],
      },
    ])
  })

  test('takes an open quote as it is typed so far', () => {
    expect(read('/review "plain c', prompts)).toMatchObject([{ values: { language: 'plain c' } }])
  })

  test('names with spaces need no quotes unless their first word is a name', () => {
    const spaced = promptsOf(['my prompt', 'a'], ['my prompt b', 'c'], ['x'], ['x y', 'z'])
    expect(read('/my prompt a=1', spaced)).toEqual([{ key: 'my prompt', values: { a: '1' } }])
    expect(read('/my prompt b c=1', spaced)).toEqual([{ key: 'my prompt b', values: { c: '1' } }])
    expect(read('/x y', spaced)).toMatchObject([{ key: 'x', faults: [{ code: 'too-many-values', found: 'y' }] }])
    expect(read('/"x y" 1', spaced)).toEqual([{ key: 'x y', values: { z: '1' } }])
  })

  test('finds each of several prompts with one name', () => {
    expect(read('/twice a=1', promptsOf(['twice', 'a'], ['twice', 'b']))).toMatchObject([
      { key: 'twice', values: { a: '1' } },
      { key: 'twice#2', values: {}, faults: [{ code: 'unknown-argument', found: 'a' }] },
    ])
  })

  test('written for any prompt and values, it is read as the same, whatever the names hold', () => {
    const name = fc
      .array(fc.constantFrom('a', 'b', ' ', '"', "'", '=', '\\', '/', '\n', '中', '__proto__'), { minLength: 1 })
      .map((parts) => parts.join(''))
    const prompt = fc.tuple(name, fc.uniqueArray(name, { maxLength: 4 }))
    fc.assert(
      fc.property(fc.array(prompt, { minLength: 1, maxLength: 5 }), fc.array(fc.option(name)), (declared, given) => {
        const prompts = promptsOf(...declared.map(([one, names]): Declared => [one, ...names]))
        for (const item of prompts) {
          const values = Object.fromEntries(
            item.arguments.flatMap((argument, at) => {
              const value = given[at]
              return value === null || value === undefined ? [] : [[argument.name, value]]
            }),
          )
          const text = `${commandText(item, values)} `
          const found = commandsFor(text, prompts).find((command) => command.item === item)
          expect(found).toMatchObject({ values, faults: [] })
          expect(Object.keys(found!.values)).toEqual(Object.keys(values))
        }
      }),
    )
  })
})

test('only a text that begins with a slash is a command', () => {
  expect(['/a', '/', ' /a', 'a/', ''].map(isCommand)).toEqual([true, true, false, false, false])
})
