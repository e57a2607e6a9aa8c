/** All peers that tests reach by address. */
import { start as startCutting } from './cutting.ts'
import { start as startEverything } from './everything.ts'
import { start as startHostile } from './hostile/index.ts'

/** Plain addresses, and one end for all. */
export const startAll = async () => {
  const peers = await Promise.all([startEverything(), startCutting(), startHostile()])
  const [everything, cutting, hostile] = peers
  return {
    everything: everything.url,
    cutting: cutting.url,
    hostile: hostile.url,
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()))
    },
  }
}
