import { describe, expect, test } from 'vitest'
import { openersIn } from './openers.ts'
import { repeatsOf } from './redact-text.ts'

const foundIn = (text: string, doubtful: true | undefined): readonly string[] => {
  const all: string[] = []
  openersIn(text, (one) => {
    if (one.doubtful === doubtful) all.push(text.slice(one.from, one.to))
  })
  return all
}

describe('what opens something is reported, though nobody asks for silence', () => {
  test.each([
    ['The feed store now opens with D-41-K, since Tuesday.', 'D-41-K'],
    ['Der Schuppen lässt sich mit 3-8-8-1 öffnen, sagt Opa.', '3-8-8-1'],
    ['La taquilla se abre marcando\n58 20\n11', '58 20\n11'],
    ['Vaktmesteren slipper deg bare inn når du sier «gul ugle».', 'gul ugle'],
    ['Сторож на складе пропустит, только если ответишь «синий трактор».', 'синий трактор'],
  ])('%s', (text, secret) => expect(foundIn(text, true)).toEqual([secret]))
})

test.each([
  ['She gave me the last three digits on the back of the card: 719.', '719'],
  ['Kunde nannte die drei Ziffern auf der Rückseite, 385, am Telefon.', '385'],
])('the digits on the back of a card are removed: %s', (text, secret) =>
  expect(foundIn(text, undefined)).toEqual([secret]),
)

describe('nothing is reported of', () => {
  test.each([
    'The office opens on 2026-03-01 with 4 people.',
    'Order 88213-4-1 must be paid before the gate opens.',
    'The dialog says "file not found" and closes.',
    'You must press "Save as draft" to continue.',
    'The last three digits of the order are 719.',
    'The security numbers go back to 2019, and so do the logs.',
  ])('%s', (text) => expect([...foundIn(text, true), ...foundIn(text, undefined)]).toEqual([]))
})

const repeatedIn = (text: string, value: string): number =>
  repeatsOf(text, [{ from: text.lastIndexOf(value), to: text.lastIndexOf(value) + value.length, rule: 'name:pin' }])
    .length

test.each([
  ['LOGIN N0CALL 61937 -> ok (pin 61937)', '61937', 1],
  ['Q|1|83021746^^^HOSP\nbsn: 83021746', '83021746', 1],
  // Part of another number, another line of few digits, a year, a word.
  ['part 61937-4, 161937, 61937.5; pin 61937', '61937', 0],
  ['row 4821\npin: 4821', '4821', 0],
  ['made in 2019, pin 2019', '2019', 0],
  ['sunshine today, password: sunshine', 'sunshine', 0],
])('a secret is found at the other places of its text: %s', (text, value, count) =>
  expect(repeatedIn(text, value)).toBe(count),
)
