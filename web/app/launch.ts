/**
 * How the page was opened: by the proxy, with a token in the fragment, or as a static copy.
 */
import type { Hello, TokenHeader } from '../../proxy/wire.ts'
import { cleanAddress } from './address-bar.ts'
import type { Target } from './target.ts'

/** `no-token`: a proxy is there, but this page was not opened by the address it printed. */
export type Proxy =
  | { readonly state: 'unknown' | 'none' }
  | { readonly state: 'no-token' | 'refused' }
  | { readonly state: 'there'; readonly hello: Hello; readonly token: string; readonly base: string }

/** Takes the launch token out of a fragment; the rest of the fragment stays. */
export const takeToken = (hash: string): { readonly token?: string; readonly rest: string } => {
  const match = /(?:^#|&)token=([\w.~-]+)/.exec(hash)
  if (!match) return { rest: hash }
  const rest = hash.replace(match[0], match[0].startsWith('#') ? '#' : '').replace(/^#&/, '#')
  return { token: match[1]!, rest: rest === '#' ? '' : rest }
}

/** Where the tab keeps it. */
export const TOKEN = 'periscope.token'

/** Takes it out of the address before anything else, so that it is in no history, screenshot or copied link. */
export const takeTokenOf = (
  { location, history }: Pick<Window, 'location' | 'history'>,
  store: { setItem(key: string, value: string): void },
): ReturnType<typeof takeToken> => {
  const found = takeToken(location.hash)
  if (found.token === undefined) return found
  store.setItem(TOKEN, found.token)
  cleanAddress({ location, history }, found.rest)
  return found
}

/**
 * Asks whether a proxy serves this page, and whether it knows us. Never throws: a page without a proxy is a normal page.
 * @param base address of the page's folder, closed by a slash
 */
export const findProxy = async (
  base: string,
  token: string | undefined,
  fetchWith: typeof fetch = fetch,
): Promise<Proxy> => {
  const header: TokenHeader = 'Periscope-Token'
  try {
    const response = await fetchWith(`${base}api/hello`, {
      headers: token === undefined ? {} : { [header]: token },
      cache: 'no-store',
    })
    // A static host answers with a page of its own, or 404.
    if (!/json/.test(response.headers.get('content-type') ?? '')) return { state: 'none' }
    const body = (await response.json()) as Partial<Hello> & { error?: unknown }
    if (response.ok && body.name === 'periscope' && token !== undefined) {
      return { state: 'there', hello: body as Hello, token, base }
    }
    if (response.status === 401 || response.status === 403)
      return { state: token === undefined ? 'no-token' : 'refused' }
    return { state: 'none' }
  } catch {
    return { state: 'none' }
  }
}

/** What the command line named, as something to connect to. */
export const launchTarget = ({ launch }: Hello): Target | undefined => {
  if (!launch) return undefined
  return 'url' in launch
    ? { kind: 'url', url: launch.url, headers: [] }
    : { kind: 'command', command: launch.command, args: launch.args, env: {} }
}

/**
 * The recording that `periscope open FILE` named.
 * @throws {Error} the proxy does not give it
 */
export const recordingBlob = async (
  { base, token }: Extract<Proxy, { readonly state: 'there' }>,
  fetchWith: typeof fetch = fetch,
): Promise<Blob> => {
  const header: TokenHeader = 'Periscope-Token'
  const response = await fetchWith(`${base}api/recording`, { headers: { [header]: token }, cache: 'no-store' })
  if (!response.ok) throw new Error(`the local proxy answered ${response.status}`)
  return await response.blob()
}
