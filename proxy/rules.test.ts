/** Comments cite the rules of README.md by number; this test finds citations of rules that don't exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const CITATION = /\brules? (\d+(?:(?:, | and | to )\d+)*)/gi

const citationsIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|mjs|svelte)$/.test(path))
    .flatMap((path) =>
      Array.from(readFileSync(join(ROOT, folder, path), 'utf8').matchAll(CITATION)).flatMap(([, numbers]) =>
        Array.from(numbers!.matchAll(/\d+/g), ([number]) => ({ where: `${folder}/${path}`, number: Number(number) })),
      ),
    )

describe('the numbered rules', () => {
  const rules = Array.from(readFileSync(join(ROOT, 'proxy/README.md'), 'utf8').matchAll(/^(\d+)\. /gm), ([, number]) =>
    Number(number),
  )

  test('are numbered without gaps', () => {
    expect(rules).toEqual(rules.map((_, index) => index + 1))
  })

  test('exist wherever a comment cites one', () => {
    const citations = ['proxy', 'web', 'tests'].flatMap(citationsIn)
    expect(citations.length).toBeGreaterThan(10)
    expect(citations.filter(({ number }) => !rules.includes(number))).toEqual([])
  })
})
