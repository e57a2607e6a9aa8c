/**
 * From a target and its settings to the session and the transport that carries its messages. Loaded when something is
 * connected for the first time: the first screen sends nothing.
 */
import { loadSampleServer } from '../../sample/lazy.ts'
import {
  Bridge,
  HttpSseTransport,
  LoopbackTransport,
  relayFetch,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  TransportError,
  type Authorizer,
  type BridgeOptions,
  type OpenRequests,
  type EraId,
  type SessionOptions,
  type Transport,
} from '../../mcp/index.ts'
import type { Settings, Target, UrlTarget } from '../connect/index.ts'

export { guarded } from './guarded.ts'

/** What there is to go through. */
export interface Routes {
  /** To the local proxy, where there is one. */
  readonly bridge: Bridge | undefined
  /** Those that go straight from this page. */
  readonly openRequests?: OpenRequests
  /** Signs the requests to an address. */
  readonly authorizer?: Authorizer
}

/** @param era that an earlier connection ended in */
export const createSession = (
  { revision, idle, total }: Settings,
  era: EraId | undefined,
  options: Omit<SessionOptions, 'limits' | 'pinned' | 'remembered'>,
): Session =>
  new Session({
    ...options,
    limits: { ...(idle === undefined ? {} : { idle }), ...(total === undefined ? {} : { total }) },
    ...(revision ? { pinned: revision } : {}),
    ...(era ? { remembered: era } : {}),
  })

export const createBridge = (options: BridgeOptions): Bridge => new Bridge(options)

/** @throws {TransportError} `no-proxy` */
export const transportFor = async (target: Target, settings: Settings, routes: Routes): Promise<Transport> => {
  switch (target.kind) {
    case 'url':
      return overHttp(target, settings, routes)
    case 'command': {
      const { bridge } = routes
      if (!bridge) throw new TransportError('no-proxy', 'This page has no local proxy to start processes')
      const { command, args, cwd, env } = target
      return new StdioBridgeTransport({ bridge, spawn: { command, args, env, ...(cwd ? { cwd } : {}) } })
    }
    case 'sample': {
      const { createSampleServer } = await loadSampleServer()
      return new LoopbackTransport(createSampleServer(), 'in this page')
    }
  }
}

const overHttp = (
  { url, headers }: UrlTarget,
  settings: Settings,
  { bridge, authorizer, openRequests }: Routes,
): Transport => {
  const { transport, relay, insecureTls, foreignEndpoint } = settings
  if (relay && !bridge) {
    throw new TransportError('no-proxy', 'This page has no local proxy to relay requests', { url, relayed: true })
  }
  const fetch =
    relay && bridge
      ? { fetch: relayFetch({ channel: bridge.channel, ...(insecureTls ? { insecureTls } : {}) }) }
      : openRequests
        ? { openRequests }
        : {}
  // The older transport that Streamable HTTP falls back to is made with the same options.
  const options = {
    url,
    headers,
    ...fetch,
    ...(authorizer ? { authorizer } : {}),
    ...(foreignEndpoint ? { foreignEndpoint } : {}),
  }
  if (transport === 'http-sse') return new HttpSseTransport(options)
  // Chosen by hand: then a server that is older fails, and is not spoken to in another way.
  return new StreamableHttpTransport({ ...options, ...(transport === 'streamable-http' ? { fallback: false } : {}) })
}
