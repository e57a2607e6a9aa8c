/** The connection doctor: why a browser refuses a server, and what the server lacks. */
export { diagnosisFold } from './diagnosis-fold.ts'
export { askPermission } from './probes.ts'
