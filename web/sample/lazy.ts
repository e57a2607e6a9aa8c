/** The sample server that runs inside the page over the loopback transport, loaded when needed: each function fetches a chunk of its own. */
export const loadSampleServer = () => import('./server.ts')
