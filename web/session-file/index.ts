/** The session file: its JSON Lines format, reading, writing, storing, links, and other tools' formats. */
export {
  type Bookmark,
  type Damage,
  EXTENSION,
  LONGEST_NOTE,
  type OpenedSession,
  type Part,
  type RecordedServer,
  type RecordedReferences,
  type RecordedTarget,
  type Removal,
  type SessionEnd,
  SessionFileError,
  type SessionHead,
  type SharedView,
} from './file.ts'
export { EXPORT_KINDS, EXPORT_TITLES, type ExportKind, canExport, exportAs } from './formats/export.ts'
export { importedFrom } from './formats/imported.ts'
export { LONGEST_LINK, type ShareLink, type ShareLinkError, linkOf, sessionFrom } from './link.ts'
export { type Omission, withoutBodies } from './omit.ts'
export { readSession } from './read.ts'
export { moved, namedReferencesOf } from './references.ts'
export type { SessionWriter, WriterEvent } from './store-writer.ts'
export type { KeptPatch, KeptSession, SessionStore } from './store.ts'
export { fileNameOf, type HeadDraft, headOf, sessionText } from './write.ts'
