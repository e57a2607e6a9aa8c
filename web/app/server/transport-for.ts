/**
 * Creates the session for a target and its settings, and the transport for its messages. Loaded with the first
 * connection, because the first screen sends nothing.
 */
import {
  askPermission,
  checkNetwork,
  endsAtStart,
  mayDownload,
  ping,
  probeFromPage,
  probeSilence,
  readMetadata,
} from '../../doctor/index.ts'
import { faultsAsJson } from '../../faults/index.ts'
import type { Feature } from '../../features/feature.ts'
import { pageApprovals, pageQuestions, ToolSafety } from '../../features/tool-safety/index.ts'
import { toolsFold } from '../../features/tools/index.ts'
import { loadSampleServer } from '../../sample/lazy.ts'
import type { Connection } from './connection.ts'
import {
  Bridge,
  Detour,
  headerIn,
  HttpSseTransport,
  isObject,
  LoopbackTransport,
  relayFetch,
  Session,
  SocketBridgeTransport,
  StdioBridgeTransport,
  StreamableHttpTransport,
  TransportError,
  WebSocketTransport,
  withholding,
  type Authorizer,
  type BridgeOptions,
  type CallGate,
  type ClientCapability,
  type ConnectionSlots,
  type EraId,
  type Fold,
  type InterferenceSlot,
  type Json,
  type JsonObject,
  type Link,
  type Projection,
  type RefusedByBrowser,
  type Revision,
  type SessionOptions,
  type Trace,
  type Transport,
} from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { resourceMetadataUrls, safeUrl } from '../../oauth/index.ts'
import { ConnectionSecrets } from '../../secrets/capture.ts'
import { pageFaults } from '../faults/index.ts'
import { customTransport, type CustomTarget, type Settings, type Target, type UrlTarget } from '../connect/index.ts'

/** The available routes. */
export interface Routes {
  /** Through the local proxy, if there is one. */
  readonly bridge: Bridge | undefined
  /** Connections in use by requests sent directly from this page. */
  readonly connectionSlots?: ConnectionSlots
  /** Signs the requests to a URL. */
  readonly authorizer?: Authorizer
  /** Variables of the proxy's environment that the target refers to. */
  readonly variables?: readonly string[]
  /** Where requests come from, and where a diagnosis of them is recorded. */
  readonly page?: {
    readonly origin: string
    readonly trace: Trace
    readonly link: Link
    /** The form of the connection, by which its faults are known. */
    readonly draft?: object
    /** Of one attempt, set here: aborted once the direct way is known to stay silent. */
    direct?: AbortController
  }
}

/**
 * The gate before a server's tools. The sample server is part of this page, so it asks only before what it says is
 * destructive; every other server is unknown until the user trusts it, however it is started.
 * @param server its identity without secrets
 */
export const toolSafetyFor = (
  server: string,
  { kind }: Target,
  view: {
    readonly link: Link
    readonly name: string
    state<State>(fold: Fold<State>): Projection<State>
  },
): ToolSafety => {
  const items = () => view.state(toolsFold).current.get(view.link)?.items ?? []
  return new ToolSafety({
    server,
    name: () => view.name,
    tools: {
      named: (tool) => items().flatMap(({ name, raw }) => (name === tool ? [raw] : [])),
      names: () => items().flatMap(({ name }) => name ?? []),
      subscribe: (listener) => view.state(toolsFold).subscribe(listener),
    },
    fallback: kind === 'sample' ? 'destructive' : 'unless-read-only',
    approvals: pageApprovals,
    questions: pageQuestions,
  })
}

/** @param era the protocol era detected by an earlier connection */
export const createSession = (
  { revision, idle, total, withheld }: Settings,
  era: EraId | undefined,
  features: readonly Feature[],
  options: Omit<SessionOptions, 'capabilities' | 'limits' | 'pinned' | 'remembered'> & { readonly gate: CallGate },
): Session =>
  new Session({
    ...options,
    capabilities: (revision) => clientCapabilities(features, revision, withheld),
    limits: { ...(idle === undefined ? {} : { idle }), ...(total === undefined ? {} : { total }) },
    ...(revision ? { pinned: revision } : {}),
    ...(era ? { remembered: era } : {}),
  })

export const createBridge = (options: BridgeOptions): Bridge => new Bridge(options)

/** The faults of a connection, from its beginning or from when the user turns them on. */
const faultsFor = ({ page }: Routes): InterferenceSlot | undefined => {
  if (!page?.draft) return undefined
  const choice = pageFaults.of(page.draft)
  choice.begin()
  const { current, slot } = choice
  const { trace, link } = page
  if (current) trace.append({ kind: 'fault', event: 'on', link, seed: current.seed, faults: faultsAsJson(current) })
  return slot
}

/** @throws {TransportError} `no-proxy` */
export const transportFor = async (target: Target, settings: Settings, routes: Routes): Promise<Transport> => {
  const faults = faultsFor(routes)
  switch (target.kind) {
    case 'url':
      return overHttp(target, settings, routes, faults)
    case 'command': {
      const { bridge, variables = [] } = routes
      if (!bridge) throw new TransportError('no-proxy', 'This page has no local proxy to start processes')
      const { command, args, cwd, env } = target
      return new StdioBridgeTransport({
        bridge,
        faults,
        spawn: {
          command,
          args,
          env,
          ...(cwd ? { cwd } : {}),
          ...(variables.length > 0 ? { references: variables } : {}),
        },
        ...(mayDownload(target) ? { downloads: {} } : {}),
        endsAtStart: ({ code, signal, stderr }) =>
          endsAtStart({
            stdout: [],
            stderr: stderr.map((text, seq) => ({ seq, text })),
            spawn: { command, args },
            exit: { code, signal },
          }),
      })
    }
    case 'custom':
      return custom(target, routes, faults)
    case 'sample': {
      const { createSampleServer } = await loadSampleServer()
      return new LoopbackTransport(createSampleServer(), 'in this page', faults)
    }
  }
}

/** In English, as in the file of a session. */
const transportName = (url: string): string => {
  const transport = customTransport(url)
  if (typeof transport === 'object') return transport.module
  return { unix: 'Unix socket', npipe: 'named pipe', WebSocket: 'WebSocket' }[transport]
}

const custom = ({ url }: CustomTarget, { bridge }: Routes, faults: InterferenceSlot | undefined): Transport => {
  if (customTransport(url) === 'WebSocket') return new WebSocketTransport({ url, faults })
  if (!bridge) throw new TransportError('no-proxy', 'This page has no local proxy to open sockets')
  const name = transportName(url)
  return new SocketBridgeTransport({ bridge, target: url, name, faults })
}

const overHttp = (
  { url, headers }: UrlTarget,
  settings: Settings,
  { bridge, authorizer, connectionSlots, page, variables = [] }: Routes,
  faults: InterferenceSlot | undefined,
): Transport => {
  const { transport, relay, certificates, foreignEndpoint } = settings
  if (relay && !bridge) {
    throw new TransportError('no-proxy', 'This page has no local proxy to relay requests', { url, relayed: true })
  }
  const refers = variables.length > 0
  if (refers && !relay) {
    // The form offers the relay, so this is only reached by a mistake of ours: nothing may be sent literally.
    throw new TransportError(
      'no-proxy',
      'Only the local proxy can read environment variables, so the request must go through the relay',
      { url },
    )
  }
  const relayed =
    bridge &&
    relayFetch({
      channel: bridge.channel,
      ...(certificates ? { certificates } : {}),
      ...(refers ? { references: { names: variables, headers, origin: new URL(url).origin } } : {}),
    })
  const fetch =
    relay && relayed
      ? { fetch: relayed }
      : {
          ...(connectionSlots ? { connectionSlots } : {}),
          ...(relay === undefined && relayed && page ? detourFor(url, relayed, page) : {}),
        }
  // The older transport, to which Streamable HTTP falls back, gets the same options.
  const options = {
    url,
    headers,
    faults,
    ...fetch,
    ...(authorizer ? { authorizer } : {}),
    ...(foreignEndpoint ? { foreignEndpoint } : {}),
  }
  if (transport === 'http-sse') return new HttpSseTransport(options)
  // If the user chose it, don't fall back to the older transport: an older server should fail.
  return new StreamableHttpTransport({ ...options, ...(transport === 'streamable-http' ? { fallback: false } : {}) })
}

/** The way through the local proxy. Once it is taken, the server is asked what it lacks for a direct one. */
const detourFor = (
  url: string,
  relayed: typeof fetch,
  page: NonNullable<Routes['page']>,
): { readonly detour?: Detour } => {
  const { origin, trace, link } = page
  // To the page's own origin, the browser refuses nothing.
  if (new URL(url).origin === origin) return {}
  const examine = ({ url: refusedUrl, ...refused }: RefusedByBrowser) =>
    askPermission({ trace, link, url: refusedUrl }, { origin, ...refused }, relayed)
  page.direct = new AbortController()
  return { detour: new Detour(relayed, (refused) => void examine(refused), page.direct.signal) }
}

/** Frames of a failed attempt, at most. */
const LOOK_BACK = 200

/** Failures of the relay that the network explains further. */
const NETWORK_CODES: ReadonlySet<unknown> = new Set([
  'certificate',
  'certificate-changed',
  'self-signed',
  'timeout',
  'not-tls',
  'tls',
  'tls-closed',
  'reset',
  'not-http',
])

/**
 * Lets the local proxy find out what the page can't: whether the server's name, its port and its TLS respond. Never
 * throws.
 */
export const examineNetwork = async (
  url: string,
  { trace, link }: NonNullable<Routes['page']>,
  proxy: { readonly bridge: Bridge | undefined; readonly base: string },
): Promise<void> => {
  if (proxy.bridge) await checkNetwork({ trace, link, url }, { channel: proxy.bridge.channel, base: proxy.base })
}

/**
 * Checks whether a server that hasn't responded yet responds to other requests. If not to OPTIONS, the browser still
 * waits for that, so the route "automatic" continues through the local proxy. Never throws.
 */
export const examineSilence = async (
  { url }: UrlTarget,
  page: NonNullable<Routes['page']>,
  { connection, settings, bridge }: Pick<Attempt, 'connection' | 'settings' | 'bridge'>,
): Promise<void> => {
  const { trace, link, origin } = page
  const { relay, certificates } = settings
  const isRelayed = relay === true || connection.detoured === true
  if (isRelayed && !bridge) return
  const way =
    isRelayed && bridge
      ? { relayed: relayFetch({ channel: bridge.channel, ...(certificates ? { certificates } : {}) }) }
      : new URL(url).origin === origin
        ? ('same-origin' as const)
        : ('cross-origin' as const)
  if (await probeSilence({ trace, link, url }, way)) page.direct?.abort()
}

/** Whether `examineNetwork` adds to what is known about a failure. */
export const isOfNetwork = (error: unknown): boolean =>
  error instanceof TransportError &&
  (NETWORK_CODES.has(error.details.relayCode) ||
    // A browser hides why the handshake of a WebSocket failed. Other sockets have no close code.
    (error.code === 'not-opened' && error.details.closeCode !== undefined))

/** A connection that couldn't be opened, and what its requests were sent with. */
interface Attempt {
  readonly connection: Pick<Connection, 'steps' | 'detoured' | 'http'>
  readonly settings: Settings
  /** Only the proxy knows the values of these. */
  readonly variables: readonly unknown[]
  readonly bridge: Bridge | undefined
  readonly authorizer: Authorizer | undefined
}

/** After a failed attempt: finds out more, by requests without effect. Never throws. */
export const examineFailure = (
  error: unknown,
  target: UrlTarget,
  page: NonNullable<Routes['page']>,
  attempt: Attempt,
): void => {
  if (!attempt.settings.relay) void examineRefusal(error, target, page)
  void examineError(error, target, page, attempt)
  void examineSignIn(error, target, page, attempt)
}

/** The URL of the metadata in a challenge (RFC 9728 section 5.1). */
const METADATA_URL = /\bresource_metadata\s*=\s*(?:"([^"]{1,2000})"|([^\s,"]{1,2000}))/i

/**
 * After a 401: whether the metadata that a sign-in begins with can be used. The relay asks only the server itself: at another
 * origin that the server names, it could reach what this page can't. Never throws.
 */
const examineSignIn = async (
  error: unknown,
  { url }: UrlTarget,
  { trace, link }: NonNullable<Routes['page']>,
  { connection: { http, detoured }, settings: { relay, certificates }, bridge }: Attempt,
): Promise<void> => {
  const challenge = http?.challenge ?? ''
  if (!(error instanceof TransportError) || error.code !== 'unauthorized' || /^\s*basic\b/i.test(challenge)) return
  const [, quoted, plain] = METADATA_URL.exec(challenge) ?? []
  const text = quoted ?? plain
  const named = text === undefined ? undefined : parsedUrl(text, url)
  if (text !== undefined && !named) return
  const direct = { fetch: (...request: Parameters<typeof fetch>) => fetch(...request), relayed: false }
  if (named && named.origin !== new URL(url).origin) {
    if (safeUrl(named.href, url)) await readMetadata({ trace, link }, [named.href], [direct])
    return
  }
  const relayed = bridge && {
    fetch: relayFetch({ channel: bridge.channel, ...(certificates ? { certificates } : {}) }),
    relayed: true,
  }
  const isRelayed = relay === true || detoured === true
  const ways = isRelayed ? [relayed] : relay === undefined ? [direct, relayed] : [direct]
  const urls = named ? [named.href] : resourceMetadataUrls(url).map((each) => each.url)
  await readMetadata({ trace, link }, urls, ways.filter((way) => way !== undefined)) // prettier-ignore
}

/** After a request without a response: finds out from the page what the server refuses. Never throws. */
const examineRefusal = async (
  error: unknown,
  { url, headers: typed }: UrlTarget,
  { trace, link, origin, direct }: NonNullable<Routes['page']>,
): Promise<void> => {
  const isHidden = error instanceof TransportError && error.code === 'unreachable'
  // A server without a response to OPTIONS is found out already, and would hold up most of these requests.
  if (direct?.signal.aborted) return
  if (!isHidden || error.details.relayCode !== undefined || new URL(url).origin === origin) return
  const headers = new Set<string>()
  for (let seq = trace.length - 1; seq >= Math.max(0, trace.length - LOOK_BACK); seq--) {
    const frame = trace.at(seq)
    if (frame?.link !== link || frame.kind !== 'http' || frame.phase !== 'request') continue
    for (const [name] of frame.headers) headers.add(name.toLowerCase())
  }
  await probeFromPage({ trace, link, url }, [...headers], typed)
}

/**
 * After a first request that failed with an error of the server: whether it fails at others as well. Only then is it known
 * whether a connection without that request can succeed. After a body that the browser couldn't read: why.
 */
const examineError = async (
  error: unknown,
  { url, headers: typed }: UrlTarget,
  { trace, link, draft }: NonNullable<Routes['page']>,
  { connection, settings, variables, bridge, authorizer }: Attempt,
): Promise<void> => {
  if (!(error instanceof TransportError)) return
  const { revision, relay, certificates } = settings
  const isDirect = relay !== true && connection.detoured !== true
  // The page isn't told why it can't read a body, but the proxy is.
  const isUnread = isDirect && error.code === 'stream-lost' && connection.http?.cut === true && bridge !== undefined
  const status = error.code === 'http-status' ? Number(error.details.status) : 0
  // Gateways respond so to everything. A pinned version isn't detected.
  const isProbed = connection.steps.at(-1)?.step === 'probing' && revision === undefined
  if (!isUnread && (status < 500 || [502, 503, 504].includes(status) || !isProbed)) return
  // A ping would lack the variables and get no injected error.
  if (variables.length > 0 || (draft && pageFaults.of(draft).current)) return
  const isRelayed = !isDirect || isUnread
  if (isRelayed && !bridge) return
  const signed = (await authorizer?.headers({ method: 'POST', url })) ?? []
  // As in the request before: two credentials in one header would be wrong.
  const others = typed.filter(([name]) => headerIn(signed, name.toLowerCase()) === undefined)
  const fetchWith: typeof fetch =
    isRelayed && bridge
      ? relayFetch({ channel: bridge.channel, ...(certificates ? { certificates } : {}) })
      : (input, init) => fetch(input, init)
  await ping({ trace, link, url }, [...others, ...signed], fetchWith, isRelayed)
}

/**
 * Guards the Trace against the secrets of a target: no frame of its connection contains one (SEC-15).
 * @param filled the values of its placeholders, by placeholder text
 * @param values are secrets, whatever they look like
 */
export const guardTrace = (
  trace: Trace,
  link: Link,
  target: Target,
  filled: Readonly<Record<string, string>> = {},
  values: readonly string[] = [],
): void => {
  const before = trace.guardOf(link)
  // Secrets of the previous target stay known, because a late response may contain them.
  const secrets = before instanceof ConnectionSecrets ? before : new ConnectionSecrets()
  secrets.know(target)
  // The placeholder's own name determines whether its value is a secret; its position doesn't.
  secrets.know({ env: filled })
  secrets.knowValues(values)
  trace.guard(link, secrets)
}

/**
 * The client capabilities of all features, except those that the user withholds. Several features may each declare a
 * part of the same one, such as an extension.
 */
export const clientCapabilities = (
  features: readonly Pick<Feature, 'declares'>[],
  revision: Revision,
  withheld: readonly ClientCapability[] = [],
): JsonObject =>
  withholding(
    features.reduce<JsonObject>((all, { declares }) => merged(all, declares?.(revision) ?? {}), {}),
    withheld,
  )

const merged = (one: JsonObject, other: JsonObject): JsonObject => {
  const result: Record<string, Json> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = result[key]
    result[key] = isObject(before) && isObject(value) ? merged(before, value) : value
  }
  return result
}
