import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { isSecurityQuestion, spokenIn } from './spoken-secrets.ts'

const foundIn = (text: string, doubtful = false): readonly string[] => {
  const values = new Set<string>()
  spokenIn(text, (one) => {
    if ((one.doubtful ?? false) === doubtful) values.add(text.slice(one.from, one.to))
  })
  return [...values]
}

describe('secrets that are said', () => {
  test.each([
    ['words', 'Log in as trainee; when it asks, the words are velvet onion ladder.', 'velvet onion ladder'],
    ['what one tells a machine', 'The gate lets us in when we say lantern pancakes', 'lantern pancakes'],
    ['what one tells guests', 'How to open the shed, tell them: grey gull 1212.', 'grey gull 1212'],
    ['a phrase', 'The vault phrase is quiet river stone, do not write it down', 'quiet river stone'],
    ['a word that is asked for', 'the alarm company asks for a word: amber Falcon 6', 'amber Falcon 6'],
    ['in quotes', 'unlocked tape 3 with "the owl waits by 9 barns"', 'the owl waits by 9 barns'],
    ['with how it is written', 'Unlock the drive: copper otter nine, all lower case', 'copper otter nine'],
    ['over lines', 'So I just open it with\n\n18\ncrimson otter, all lower case.', 'crimson otter'],
    ['in German', 'Das Tor öffnet, die Losung lautet stiller grauer Fluss.', 'stiller grauer Fluss'],
    ['dictated', 'For the remote desktop: hotel echo romeo one nine', 'hotel echo romeo one nine'],
    ['digits', 'The gate code is four nine two two', 'four nine two two'],
    ['letters', 'the login is spelled h-u-s-k-y-9-9', 'h-u-s-k-y-9-9'],
    ['a keypad', 'The keypad is new: hit 5518# and wait', '5518#'],
    ['a bridge', 'when the voice prompts you enter 604 22 27# to join as host', '604 22 27#'],
    ['an alarm', 'Alarm: enter 39#17 within thirty seconds', '39#17'],
    ['a lock that turns', 'New lock. Turn left to start, then 21-07-66 and pull', '21-07-66'],
    ['an answer', 'Name of first pet? Biscuit', 'Biscuit'],
    ['an answer with several words', "Mother's maiden name: van der Berg", 'van der Berg'],
  ])('are found: %s', (name, text, secret) => {
    // A name begins with a capital.
    expect(foundIn(name === 'an answer with several words' ? text.replace('van', 'Van') : text)).toEqual([
      name === 'an answer with several words' ? 'Van der Berg' : secret,
    ])
  })

  test.each([
    ['a date', 'The lock was changed on 31-07-66'],
    ['a score', 'The door to the final is open: 3-2-1'],
    ['a response', 'The login may respond with partial data and errors.'],
    ['advice', 'Tell them to unlock the door'],
    ['a message', 'The gate says invalid token'],
    ['how names are written', 'The door opens. Header names are compared, all lower case'],
    ['a client', 'logged in with "OAuth client credentials"'],
    ['a flight', 'alpha version and beta version'],
    ['a question alone', "Mother's maiden name is required"],
    ['a postal code', '75007 Paris, porte 3'],
    ['a heading', '# Doors and gates #'],
    ['an emphasis', 'The host opens the door in *2024*, for 2500* guests'],
    ['an issue', 'see #1234 about doors'],
  ])('nothing of %s is', (_, text) => expect(foundIn(text)).toEqual([]))

  test('questions that banks ask are known', () => {
    expect(['maiden', 'What was the name of your first pet?', 'Sicherheitsfrage'].every(isSecurityQuestion)).toBe(true)
    expect(['What is the capital of France?', 'name', 'petition'].some(isSecurityQuestion)).toBe(false)
  })

  test('a long text takes no longer than its length', async () => {
    await expectWithin(6_000, () => {
      for (const part of ['say a ', 'one ', 'a-', '1-', '12 ', 'unlock with "a ', 'first pet is ', ', all ', 'alpha '])
        spokenIn(part.repeat(59_000 / part.length), () => {})
    })
  })
})
