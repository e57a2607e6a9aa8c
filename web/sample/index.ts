/** The sample server that runs inside the page over the loopback transport. */
export { createSampleServer } from './server.ts'
