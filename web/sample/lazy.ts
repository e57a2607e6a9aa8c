/**
 * The sample server that runs inside the page over the loopback transport, loaded on demand: each function loads its
 * own chunk.
 */
export const loadSampleServer = () => import('./server.ts')
