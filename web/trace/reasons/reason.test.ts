import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import shipped from '../../../tests/fixtures/shipped-reasons.json'
import { expectWithin } from '../../../tests/patience.ts'
import { patternsOf, reasonOf, translated, type ReasonCode } from './reason.ts'
import english from './text/en.ts'
import former from './text/former.ts'
import chinese from './text/zh-CN.ts'

const codes = Object.keys(english) as ReasonCode[]
const namesIn = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
const filled = (sentence: string, value: (name: string, at: number) => string) => {
  let at = 0
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name, at++))
}

describe('each reason', () => {
  test.each(codes)('%s says the same in both languages, with the same values', (code) => {
    expect(namesIn(chinese[code]).sort()).toEqual(namesIn(english[code]).sort())
    expect(chinese[code]).toMatch(/\p{Script=Han}/u)
    expect(new Set(namesIn(english[code])).size).toBe(namesIn(english[code]).length)
  })

  test.each(codes)('%s is recognised by its English sentence', (code) => {
    const text = filled(english[code], (_, at) => `v${at}`)
    expect(reasonOf(text)).toEqual({ code, values: namesIn(english[code]).map((name, at) => [name, `v${at}`]) })
  })

  test('whatever its values are, it is said again in English letter for letter', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom(...codes.map((code) => english[code])),
      fc.constantFrom('{why}', '$&', ': ', ' and '),
    )
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.array(part, { minLength: 4, maxLength: 4 }), (code, values) => {
        const text = filled(english[code], (_, at) => values[at] ?? '')
        expect(translated(text, english)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('sentences of earlier versions', () => {
  const sentences = Object.entries(former).flatMap(([code, old]) =>
    old.map((sentence) => [code as ReasonCode, sentence] as const),
  )
  const patterns = patternsOf(former)

  test.each(sentences)('%s is still recognised as “%s”', (code, sentence) => {
    expect(namesIn(sentence).sort()).toEqual(namesIn(english[code]).sort())
    const text = filled(sentence, (_, at) => `v${at}`)
    expect(reasonOf(text, patterns)).toEqual({ code, values: namesIn(sentence).map((name, at) => [name, `v${at}`]) })
  })

  test('each that a version has used is still recognised as the same reason', () => {
    const lost = Object.entries(shipped).flatMap(([code, sentences]) =>
      sentences
        .filter(
          (sentence) =>
            reasonOf(
              filled(sentence, (_, at) => `v${at}`),
              patterns,
            )?.code !== code,
        )
        .map((sentence) => `${code}: ${sentence}`),
    )
    expect(lost, 'Move the old sentence to former.ts').toEqual([])
  })

  test('each is in the list of those that a version has used', () => {
    const listed: Readonly<Record<string, readonly string[]>> = shipped
    const unlisted = codes.flatMap((code) =>
      [english[code], ...((former as Partial<Record<ReasonCode, readonly string[]>>)[code] ?? [])]
        .filter((sentence) => !listed[code]?.includes(sentence))
        .map((sentence) => `${code}: ${sentence}`),
    )
    expect(unlisted, 'Add these to tests/fixtures/shipped-reasons.json, and keep the old ones there').toEqual([])
  })

  test('old recordings are translated', () => {
    expect(translated('Nothing listens at localhost port 3000.', chinese, patterns)).toBe(
      translated('Nothing is listening at localhost port 3000.', chinese),
    )
    expect(translated('Nothing listens at localhost port 3000.', chinese, patterns)).toMatch(/\p{Script=Han}/u)
  })
})

test('a reason within a reason is translated, a server’s own words are not', () => {
  expect(
    translated('The event stream was interrupted: Failed to fetch before the server sent an endpoint event', chinese),
  ).toBe('在服务器发送 endpoint 事件之前，事件流中断：Failed to fetch')
  expect(translated('Still waiting for headers after 10 s', chinese)).toBe('10 秒后仍在等待响应头')
  expect(translated('The process ended with exit code 3', chinese)).toBe('进程已结束，退出码 3')
  expect(translated('Nothing we know.', chinese)).toBe('Nothing we know.')
  expect(translated('', chinese)).toBe('')
})

test('a long text of one part over and over is told apart at once', async () => {
  const text = `x${' requested , which got no response: '.repeat(110)}`
  await expectWithin(2_000, () => {
    for (let round = 0; round < 100; round++) reasonOf(text)
  })
  expect(reasonOf('x'.repeat(1_000_000))).toBeUndefined()
})
