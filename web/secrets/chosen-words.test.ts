import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { chosenLikeness, isWordsOfPassword } from './chosen-words.ts'

describe('how much a word looks like a password that a person chose', () => {
  test.each(['Birch!Lamp', 'plum$Orchard8', 'Moss&Fern22', 'Owl?Nest4', 'Quarry2004!', 'tr0ub4dor&3X'])(
    'a sign within words says it: %s',
    (value) => expect(chosenLikeness(value)).toBe(3),
  )

  test.each([
    'copper-Lantern5',
    'Bridge/Moss/41',
    'kettle9kettle',
    'r4inbow',
    'Heron_Lake7',
    'Ежевика-48',
    'Ποτάμι-Λίμνη7',
    'Björk7Älv',
    'linden.Bach.20',
  ])('words mixed with digits: %s', (value) => expect(chosenLikeness(value)).toBe(2))

  test.each(['heron.Lake', 'Marsh_bell', 'walkers-of-Moss', 'Lighthouse-Pellworm', 'quartzine77', 'seven-small-owls'])(
    'joined words may be one, or a name: %s',
    (value) => expect(chosenLikeness(value)).toBe(1),
  )

  test.each([
    ...['gpt-4o-mini', 'Pixel-7', 'claude-sonnet-4', 'Windows11', 'iPhone-15', 'python3', 'Float32Array', 'base64url'],
    ...['utf-8', 'ISO-8859-1', 'SHA-256', 'x86_64-linux-gnu', 'v1.2.3-beta.4', '^8.0.0-beta.7', '2026-05-01T10:00:00Z'],
    ...['src/utils/parse.ts', 'read_file', 'readFile', 'os.path.join', 'Content-Type', 'WWW-Authenticate', 'README.md'],
    ...['Ctrl+Shift+P', 'Cmd-K', 'INV-2024-001', 'HH-AB', 'MSKU-7741203', '12kg', '1920x1080', '3-day', 'Q&A', 'C++20'],
    ...['api.example.com', 'ada@example.com', 'us-east-1', 'de-CH', '@scope/name', 'react-is@18.3.1', 'toml#514'],
    ...['application/vnd.api+json', 'git+ssh', 'LGPL-2.1+', 'Inner$1', 'self.value!r', '--dry-run', 'well-known'],
    ...['3-Methyl-1-butanol', 'fcde2b2edba56bf4', '6f1c0a52-9f3e-4c1d-8b7a-0d9e8f7a6b5c', 'com.apple.Safari'],
  ])('names of things are none: %s', (value) => expect(chosenLikeness(value)).toBe(0))

  test('a long one takes no longer than its length', async () => {
    await expectWithin(500, () => {
      for (const part of ['a', 'a-', 'aB', 'a1', 'é!', '0_'])
        for (let length = 4; length < 60; length++) chosenLikeness(part.repeat(length))
    })
  })
})

describe('several words under the name of a password', () => {
  const rule = { id: 'name:password' }

  test.each(['old boats rest by the pier', 'nine crows over Lisbon'])('are a passphrase: %s', (value) => {
    expect(isWordsOfPassword(rule, value)).toBe(true)
  })

  test.each([
    ...['must have 8 characters', "can't be blank", 'is too short to use', 'Choose a strong one.', 'does not match it'],
    ...['the value from the environment', 'Bitte ein anderes eingeben', 'reset it on the first visit'],
  ])('or a message about it: %s', (value) => expect(isWordsOfPassword(rule, value)).toBe(false))
})
