/** The connect form: parsing a URL, command or configuration, and the settings of a connection. */
export type { ConfiguredServer } from './configured-server.ts'
export { passTyped } from './draft-handover.ts'
export { trustedCertificate, withCertificate } from './certificates/certificates.ts'
export { maskedLine } from './masked-line.ts'
export { fillIn } from './placeholders.ts'
export { recall } from './recall.ts'
export { variablesOf } from './references.ts'
export {
  type Settings,
  type SettingsPatch,
  type TargetKind,
  idlePing,
  meantFor,
  notTakenUp,
  readSettings,
  reconnects,
} from './settings.ts'
export {
  type CustomTarget,
  type Target,
  type UrlTarget,
  commandLine,
  customTransport,
  hostOf,
  initialsOf,
  lineOf,
  nameOf,
  parsedTarget,
  quote,
} from './target.ts'
export { storedDraft, valuesToKeep, withoutSecrets } from './without-secrets.ts'
export type { Draft } from './draft.svelte.ts'
