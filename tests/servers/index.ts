/** All peers that tests reach by URL. */
import { start as startCutting } from './cutting.ts'
import { start as startEras } from './eras/index.ts'
import { start as startEverything } from './everything.ts'
import { start as startHostile } from './hostile/index.ts'
import { start as startHostileOauth } from './hostile-oauth/index.ts'
import { start as startModels } from './models/index.ts'
import { start as startModern } from './modern/index.ts'
import { start as startOauth } from './oauth/index.ts'
import { start as startPlanted } from './planted/index.ts'
import { start as startRich } from './rich/index.ts'
import { start as startSocket } from './socket/index.ts'
import { start as startSse } from './sse/index.ts'
import { start as startVersed } from './versed/index.ts'
import { start as startWebSocket } from './web-socket/index.ts'

/** The URLs as plain strings, and one function that closes every peer. */
export const startAll = async () => {
  const peers = await Promise.all([
    startEverything(),
    startCutting(),
    startHostile(),
    startModern(),
    startSse(),
    startEras(),
    startVersed(),
    startOauth(),
    startHostileOauth(),
    startRich(),
    startModels(),
    startPlanted(),
    startWebSocket(),
    startSocket(),
  ])
  const [
    everything,
    cutting,
    hostile,
    modern,
    sse,
    eras,
    versed,
    oauth,
    hostileOauth,
    rich,
    models,
    planted,
    webSocket,
    socket,
  ] = peers
  return {
    everything: everything.url,
    cutting: cutting.url,
    hostile: hostile.url,
    modern: `${modern.url}/dual`,
    modernOnly: `${modern.url}/modern`,
    modernNoCors: `${modern.bareUrl}/dual`,
    sse: `${sse.url}/sse`,
    sseVariants: `${sse.url}/variant`,
    eras: eras.url,
    garbage: `${eras.url}/garbage`,
    versed: versed.url,
    oauth: oauth.url,
    oauthIssuer: oauth.issuerUrl,
    oauthRoot: oauth.rootUrl,
    oauth2025: oauth.url2025,
    oauth2025Bare: oauth.url2025Bare,
    hostileOauth: hostileOauth.url,
    hostileOauthEvil: hostileOauth.evilUrl,
    rich: rich.url,
    models: models.url,
    planted: planted.url,
    webSocket: webSocket.url,
    sockets: socket.url,
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()))
    },
  }
}
