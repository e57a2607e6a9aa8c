import { describe, expect, test } from 'vitest'
import { assignedIn } from './assignments.ts'
import { COMPOSED_HINTS, composedKind, isAboutPasswords } from './composed-names.ts'
import type { Assigned } from './found-in-text.ts'
import { isPlaceholder } from './heuristics.ts'
import { DEFAULT_REDACTIONS } from './redaction-rules.ts'
import { isIdOfSecret, isNameOfSecret, isRight } from './references.ts'
import { Names } from './secret-names.ts'

const NAMES = new Names(DEFAULT_REDACTIONS, { hints: COMPOSED_HINTS, kindOf: composedKind, isAbout: isAboutPasswords })

const foundIn = (text: string): readonly Assigned[] => {
  const all: Assigned[] = []
  assignedIn(text, NAMES, (one) => all.push(one))
  return all
}

describe('what refers to a secret, or says what is allowed, stays', () => {
  test.each([
    [
      'which key of a store',
      'data:\n  - secretKey: queuePassword\n    remoteRef:\n      key: team/queue\n      property: password\n',
    ],
    [
      'which secrets a service reads',
      'services:\n  web:\n    secrets:\n      - pg_root\n      - mail2\nsecrets:\n  pg_root:\n    external: true\n',
    ],
    ['what a validator requires', "['token' => 'sometimes|string|max:64', 'pin' => 'required|digits:4']"],
    ['a status of a setting', ' Quiet boot ........ On\n Admin Password .... Installed\n User Password ..... Clear\n'],
  ])('%s', (_, text) => expect(foundIn(text)).toEqual([]))

  test('rights are verbs', () => {
    for (const right of ['get', 'List', 'wrapKey', 'DeleteSecret', 'set secret', '*']) expect(isRight(right)).toBe(true)
    for (const other of ['sunrise', 'get7Oaks', 'letmein', 'listen', 'get out now']) expect(isRight(other)).toBe(false)
  })

  test('a value that names a secret stays, except as a password, which may be any word', () => {
    expect(isNameOfSecret('queuePassword', 'name:api-key', NAMES)).toBe(true)
    expect(isNameOfSecret('queue-api-token', 'name:secret', NAMES)).toBe(true)
    expect(isNameOfSecret('queuePassword', 'name:password', NAMES)).toBe(false)
    expect(isNameOfSecret('quartzHeron', 'name:api-key', NAMES)).toBe(false)
    expect(isNameOfSecret('queuePassword7', 'name:api-key', NAMES)).toBe(false)
  })

  test('IDs are words with few digits', () => {
    for (const id of ['db_root', 'registry-pull', 'mail2', 'a-1']) expect(isIdOfSecret(id)).toBe(true)
    for (const other of ['Db_root', 'x9f72kk1', 'db__root', '77-a']) expect(isIdOfSecret(other)).toBe(false)
  })

  test('rules are separated by strokes, and one of them is of a validator', () => {
    expect(isPlaceholder('required|string|min:12')).toBe(true)
    expect(isPlaceholder('maple|river|51')).toBe(false)
    expect(isPlaceholder('required|Heron9')).toBe(false)
  })
})
