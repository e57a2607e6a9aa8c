/**
 * The route within the page, as a URL fragment: `#/s1/tools/echo` is the tool `echo` of server `s1`;
 * `#/r/f1/0/tools/echo` is the same tool of the first server in recording `f1`; `#share=…` contains a session.
 */
import { percentDecoded } from '../json/index.ts'

export interface Route {
  /** The key of a recording; absent for live servers. */
  readonly recording?: string
  /** The link of a server, or its index in the recording; absent on the connect screen. */
  readonly server?: string
  /** The id of a feature; absent: the server's default screen. */
  readonly feature?: string
  /** The part that belongs to the feature's panel, decoded. */
  readonly place: string
}

export const HOME: Route = { place: '' }

/** Never throws, because URLs are untrusted input. */
export const parseRoute = (hash: string): Route => {
  const path = /^#?\/([^?]*)/.exec(hash)?.[1]
  if (!path) return HOME
  const parts = path.split('/')
  const recording = parts[0] === 'r' ? parts[1] : undefined
  const [server, feature, ...rest] = recording === undefined ? parts : parts.slice(2)
  // Ids are short and plain; anything else wasn't written by this page.
  if (recording === undefined ? !server || !/^[a-z]\d+$/.test(server) : !/^[a-z\d]{1,64}$/.test(recording)) return HOME
  const whose = {
    ...(recording === undefined ? {} : { recording }),
    server: /^[a-z]?\d+$/.test(server ?? '') ? server! : '0',
  }
  if (!feature || !/^[a-z][a-z-]*$/.test(feature)) return { ...whose, place: '' }
  return { ...whose, feature, place: percentDecoded(rest.join('/')) }
}

export const formatRoute = ({ recording, server, feature, place }: Route): string => {
  if (!server) return '#/'
  const whose = recording === undefined ? `#/${server}` : `#/r/${recording}/${server}`
  if (!feature) return whose
  return place === '' ? `${whose}/${feature}` : `${whose}/${feature}/${encodeURIComponent(place)}`
}

/** Whether a recording with this key is stored on the device, so that it can be reopened; opened files can't. */
export const isKeptKey = (key: string): boolean => /^[\da-f]{24}$/.test(key)

/** Whether a recording with this key came from a link, which this tab may have stored (`recording-open.ts`). */
export const isLinkKey = (key: string): boolean => /^l[a-z\d]{4,20}$/.test(key)

/** The key of the recording named by `periscope open FILE`: the proxy returns it again after a reload. */
export const LAUNCHED_KEY = 'cli'

/** The part of a fragment that contains a session, if there is one. */
export const sharedIn = (fragment: string): string | undefined => /(?:^#?|&)(share=.*)$/s.exec(fragment)?.[1]

/** Whether a fragment fills in the connect form. */
export const isConnectLink = (fragment: string): boolean => /^#?\/connect\?/.test(fragment)

export const signInRoute = ({ link }: { readonly link: string }): Route => ({
  server: link,
  feature: 'authorization',
  place: '',
})

/** Removes a part of the URL that must not stay there. Never throws. */
export const cleanAddress = (
  {
    history,
    location,
  }: { readonly history: History; readonly location: Pick<Location, 'hash' | 'pathname' | 'search'> },
  fragment: string,
): void => {
  try {
    history.replaceState(history.state, '', location.pathname + location.search + fragment)
  } catch {
    try {
      location.hash = fragment
    } catch {
      // The browser refused, so it stays.
    }
  }
}
