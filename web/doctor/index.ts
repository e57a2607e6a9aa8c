/** The connection doctor: why a browser refuses a server, and what the server lacks. */
export { isBlockedPort } from './blocked-ports.ts'
export { connectionAdviceFold } from './connection-advice.ts'
export { corsPolicy, policyLines, spelled } from './cors.ts'
export {
  diagnosisFold,
  networkOf,
  NO_DIAGNOSIS,
  type Reach,
  reachOf,
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
export { endsAtStart, processCause, type ProcessFinding, type ProcessOutput } from './process-causes.ts'
export { askPermission, comparePreflight, ping, probeFromPage } from './probes.ts'
