/** Faults that the user lets Periscope inject into a connection, to see how the server and the client cope with them. */
export { faultsFold } from './faults-fold.ts'
export { FaultInjection } from './injection.ts'
export {
  boundSettings,
  FAULT_BOUNDS,
  FAULT_KINDS,
  faultsAsJson,
  headerNamesIn,
  ONLY_HTTP,
  startOf,
  STATUSES,
  type FaultRule,
  type FaultSettings,
} from './settings.ts'
