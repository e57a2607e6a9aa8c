/**
 * What a sign-in needs from the page. Loaded with the first connection to a URL, because the
 * first screen doesn't sign in.
 */
import { Bridge, isObject, relayFetch, type BridgeOptions, type Link } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import {
  canEncrypt,
  deviceKey,
  checkClientDocument,
  clientDocumentUrlOf,
  dropPending,
  listPending,
  savePending,
  type Pending,
  openPopup,
  type Popup,
  awaitReturn,
  CHANNEL,
  listReturned,
  openingUrlOf,
  redirectUriOf,
  takeReturned,
  type ReturnChannel,
  type ReturnStorage,
  holdsSecret,
  replacedTokens,
  type PendingSignIn,
  SignIn,
  type SignInServer,
  SealedStorage,
  TypedValues,
  Vault,
} from '../../oauth/index.ts'
import { guardTrace } from './transport-for.ts'
import type { Settings } from '../connect/index.ts'

/** The parts of the browser that sign-ins use. */
export interface Browser {
  readonly session: ReturnStorage | undefined
  readonly local: ReturnStorage | undefined
  readonly events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  readonly channel: ReturnChannel | undefined
  readonly locks: LockManager | undefined
  /** The URL of the page's directory, ending in a slash. */
  readonly base: string
  /** Call it in the click handler. `blocked` says that the browser refused. */
  readonly openWindow: () => Popup
  readonly leave: (url: string) => void
  /** The fragment that leads back to the current place. */
  readonly route: () => string
}

export const browserOf = (page: Window & typeof globalThis, base: string): Browser => ({
  session: refusable(() => page.sessionStorage),
  local: refusable(() => page.localStorage),
  events: page,
  channel: refusable(() => new page.BroadcastChannel(CHANNEL)),
  // Missing outside secure contexts.
  locks: refusable(() => page.navigator.locks),
  base,
  openWindow: () =>
    openPopup((url, name, features) => page.open(url, name, features), {
      url: openingUrlOf(base),
      over: { x: page.screenX, y: page.screenY, width: page.outerWidth, height: page.outerHeight },
    }),
  leave: (url) => page.location.assign(url),
  route: () => page.location.hash || '#/',
})

/** Storage and channels throw if access is denied: by a setting, or in a frame with an opaque origin. */
const refusable = <Thing>(read: () => Thing): Thing | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** What the user chose to remember: credentials of sign-ins, and values of headers and variables. */
interface Remembered {
  readonly vault: Vault
  readonly values: TypedValues
}

/** @param lost called once if stored credentials can no longer be read and were removed */
export const openVault = async ({ local, events, locks }: Browser, lost: () => void): Promise<Remembered> => {
  const shared = locks ? { locks } : {}
  if (!local) return { vault: new Vault({ events, ...shared }), values: new TypedValues() }
  if (!canEncrypt()) {
    if (SealedStorage.dropClear(local)) lost()
    return { vault: new Vault({ insecure: true, events, ...shared }), values: new TypedValues({ insecure: true }) }
  }
  const sealed = await SealedStorage.open({ store: local, key: deviceKey, events })
  let reported = false
  sealed.subscribe(({ kind }) => {
    if (kind !== 'unreadable' || reported) return
    reported = true
    lost()
  })
  const vault = new Vault({ store: sealed, sealed, events: sealed.events, replaced: replacedTokens, ...shared })
  return { vault, values: new TypedValues({ sealed }) }
}

/** A server of this window that supports sign-in. */
export interface PageServer extends SignInServer {
  readonly settings: Settings
  /** Connects to the local proxy, if there is one. */
  bridgeBy(create: (options: BridgeOptions) => Bridge): Bridge | undefined
  /** No other connection would be lost by leaving the page. */
  mayLeave(): boolean
}

export const createSignIn = (server: PageServer, vault: Vault, browser: Browser): SignIn => {
  const { session, local, channel, events, base } = browser
  guardTrace(server.trace, server.link, { kind: 'url', url: server.url, headers: [] })
  return new SignIn(server, {
    vault,
    redirectUri: redirectUriOf(base),
    clientDocument: documentOf(base),
    relay: ({ publicOnly }) => {
      const bridge = server.bridgeBy((options) => new Bridge(options))
      if (!bridge) return undefined
      const { certificates } = server.settings
      return relayFetch({ channel: bridge.channel, publicOnly, ...(certificates ? { certificates } : {}) })
    },
    awaitReturn: (state, signal, onAstray) =>
      awaitReturn({
        state,
        signal,
        events,
        onAstray,
        ...(channel ? { channel } : {}),
        ...(local ? { storage: local } : {}),
      }),
    keepPending: (state, mode, data) =>
      session !== undefined &&
      !holdsSecret(server.url) &&
      savePending(session, { state, mode, returnTo: browser.route(), data }),
    dropPending: (state) => session && dropPending(session, state),
    leave: browser.leave,
    mayLeave: () => server.mayLeave(),
  })
}

/** AU-REG-03: the document's URL is our client id only if the document is valid; a copy that isn't set up has none. */
const documentOf = (base: string): (() => Promise<string | undefined>) => {
  const url = clientDocumentUrlOf(base)
  let found: Promise<string | undefined> | undefined
  const look = async () => {
    try {
      const document: unknown = await (await fetch(url, { cache: 'no-store' })).json()
      return checkClientDocument(document, url, redirectUriOf(base)).length === 0 ? url : undefined
    } catch {
      return undefined
    }
  }
  // Authorization servers could only read it over https.
  return async () => (base.startsWith('https:') ? await (found ??= look()) : undefined)
}

/** Counts and removes responses that returned to this tab for unknown sign-ins. */
export const takeOrphans = ({ session }: Browser): number => {
  if (!session) return 0
  const known = new Set(listPending(session).map(({ state }) => state))
  const orphans = listReturned(session).filter((state) => !known.has(state))
  for (const state of orphans) takeReturned(session, state)
  return orphans.length
}

/** Sign-ins that were started before a reload, the newest of each server. */
export const resumable = ({
  session,
}: Browser): { readonly state: string; readonly data: PendingSignIn; readonly returned?: string }[] => {
  if (!session) return []
  const seen = new Set<Link>()
  return listPending(session).flatMap((pending) => {
    const data = dataOf(pending)
    if (!data || seen.has(data.link)) return []
    seen.add(data.link)
    const returned = takeReturned(session, pending.state)
    return [{ state: pending.state, data, ...(returned === undefined ? {} : { returned }) }]
  })
}

/** Validates stored data: it was written by this page, but other code may have written there as well. */
const dataOf = ({ data }: Pending): PendingSignIn | undefined => {
  if (!isObject(data)) return undefined
  const { link, server, known, options, mode, why } = data
  const fits =
    typeof link === 'string' &&
    typeof server === 'string' &&
    parsedUrl(server) !== undefined &&
    isObject(known) &&
    known.server === server &&
    isObject(options) &&
    (mode === 'automatic' || mode === 'stepwise') &&
    (why === 'asked' || why === 'unauthorized' || why === 'insufficient-scope')
  return fits ? (data as unknown as PendingSignIn) : undefined
}
