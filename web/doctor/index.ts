/** The connection doctor: why a browser refuses a server, and what the server lacks. */
export { isBlockedPort } from './blocked-ports.ts'
export { connectionAdviceFold } from './connection-advice.ts'
export { type CorsFault, corsPolicy, policyLines, spelled } from './cors.ts'
export {
  type Diagnosis,
  diagnosisFold,
  type MetadataResponse,
  networkOf,
  NO_DIAGNOSIS,
  preflightOf,
  type Reach,
  reachOf,
  respondsToHead,
  type ResponseHints,
  unansweredPreflight,
} from './diagnosis-fold.ts'
export { findEndpoints } from './endpoints.ts'
export {
  checkNetwork,
  greetingProtocol,
  networkVerdict,
  shownCertificate,
  type NetworkCheck,
  type NetworkVerdict,
} from './network.ts'
export { endsAtStart, mayDownload, processCause, type ProcessFinding, type ProcessOutput } from './process-causes.ts'
export { askPermission, ping, probeFromPage, probeSilence, readMetadata } from './probes.ts'
