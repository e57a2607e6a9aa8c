/** Where a server may have its MCP endpoint, if the URL that was entered isn't one. */
import type { Examined } from './probes.ts'
import { getMetadata, getStatus } from './probes.ts'

/** Paths below which published servers serve MCP. */
const USUAL = ['/mcp', '/mcp/', '/sse', '/api/mcp', '/v1/mcp', '/']

/** Stages of a deployment behind a gateway, which begin its paths. */
const STAGES = ['/prod', '/dev', '/default']

/** Statuses of a GET without a session: a stream, a refusal that names its reason, or a sign-in. */
const SPEAKS: ReadonlySet<number> = new Set([400, 401, 405, 406])

/** URLs to try: the usual paths, and the entered one with or without its last slash. @param staged or below a stage */
export const candidates = (entered: string, staged = false): string[] => {
  const url = new URL(entered)
  const { origin, pathname, search } = url
  const turned = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`
  const below = pathname.replace(/\/$/, '')
  const stages = staged ? STAGES.map((stage) => `${stage}${pathname === '/' ? '/mcp' : pathname}`) : []
  const paths = [...stages, ...(pathname === '/' ? [] : [turned]), ...(below === '' ? [] : [`${below}/mcp`]), ...USUAL]
  return [...new Set(paths)].filter((path) => path !== '' && path !== pathname).map((path) => origin + path + search)
}

/** Where a server names the resource that it protects (RFC 9728, section 3.1). */
const METADATA = '/.well-known/oauth-protected-resource'

/**
 * @param text of the metadata of a protected resource
 * @returns the URL of the resource, if it is another one on the origin of the entered URL
 */
export const resourceIn = (text: string, entered: string): string | undefined => {
  try {
    const { resource } = JSON.parse(text) as { readonly resource?: unknown }
    if (typeof resource !== 'string') return undefined
    const [named, own] = [new URL(resource), new URL(entered)]
    const isElsewhere = named.origin !== own.origin || named.username !== '' || named.password !== ''
    return isElsewhere || named.pathname === own.pathname ? undefined : named.href
  } catch {
    // Many sites answer every path with a page.
    return undefined
  }
}

/**
 * Sends one GET per candidate, and one for the metadata of a protected resource; they have no effect on a server. Never
 * throws.
 * @returns the URLs where something speaks MCP, as far as a GET can tell
 */
export const findEndpoints = async (
  examined: Examined & { readonly staged: boolean },
  fetchWith: typeof fetch,
  relayed: boolean,
): Promise<string[]> => {
  const speaks = async (url: string): Promise<string[]> => {
    const answer = await getStatus({ ...examined, url }, fetchWith, relayed)
    if (!answer) return []
    const isStream = answer.status === 200 && /^\s*text\/event-stream/i.test(answer.type)
    // Many sites answer every path with a page.
    return isStream || (SPEAKS.has(answer.status) && !/html/i.test(answer.type)) ? [url] : []
  }
  const usual = candidates(examined.url, examined.staged)
  const named = async (): Promise<string[]> => {
    const url = new URL(examined.url).origin + METADATA
    const resource = resourceIn(await getMetadata({ ...examined, url }, fetchWith, relayed), examined.url)
    return resource === undefined || usual.includes(resource) ? [] : await speaks(resource)
  }
  return (await Promise.all([named(), ...usual.map(speaks)])).flat()
}
