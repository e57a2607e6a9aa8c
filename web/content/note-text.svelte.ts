import type { Note } from './content.ts'
import { texts } from './text/texts.svelte.ts'

/** A note as text, in the current language. */
export const noteText = (note: Note): string => {
  const { t } = texts
  switch (note.code) {
    case 'unknown-type':
      return t.noteUnknownType(note.type)
    case 'not-a-block':
      return t.noteNotABlock
    case 'not-contents':
      return t.noteNotContents
    case 'missing':
      return t.noteMissing(note.member)
    case 'mime-contradicts':
      return t.noteMimeContradicts(note.declared, note.found)
    case 'mime-not-of-type':
      return t.noteMimeNotOfType(note.declared)
    case 'not-in-revision':
      return t.noteNotInRevision(note.type, note.since)
    case 'text-and-blob':
      return t.noteTextAndBlob
    case 'not-base64':
      return t.noteNotBase64
    case 'url-alphabet':
      return t.noteUrlAlphabet
    case 'whitespace':
      return t.noteWhitespace
    case 'no-padding':
      return t.noteNoPadding
    case 'data-url':
      return t.noteDataUrl
    case 'too-large':
      return t.noteTooLarge
  }
}
