/** All peers that tests reach by address. */
import { start as startCutting } from './cutting.ts'
import { start as startEverything } from './everything.ts'

/** Plain addresses, and one end for all. */
export const startAll = async () => {
  const peers = await Promise.all([startEverything(), startCutting()])
  const [everything, cutting] = peers
  return {
    everything: everything.url,
    cutting: cutting.url,
    hostile: '',
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()))
    },
  }
}
