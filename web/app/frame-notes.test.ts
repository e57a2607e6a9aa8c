import { expect, test } from 'vitest'
import { nextNote, notesOf } from './frame-notes.ts'

const BOOKMARKS = [
  { seq: 2, text: 'first' },
  { seq: 5, text: '' },
  { seq: 9, text: 'second' },
]

test('a note is the text of a bookmark, and a bookmark without a text is none', () => {
  expect([...notesOf(BOOKMARKS)]).toEqual([
    [2, 'first'],
    [9, 'second'],
  ])
})

test('the next note follows the selected frame, and the first one the last', () => {
  expect(nextNote(BOOKMARKS, undefined)).toBe(2)
  expect(nextNote(BOOKMARKS, 0)).toBe(2)
  expect(nextNote(BOOKMARKS, 2)).toBe(9)
  expect(nextNote(BOOKMARKS, 9)).toBe(2)
  expect(nextNote([{ seq: 5, text: '' }], 0)).toBeUndefined()
})
