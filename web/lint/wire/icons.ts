/** Icons of servers and of the items they list: URLs that no client may follow, and sizes that say nothing. */
import { isObject, type Json, type JsonObject, META } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { objectAt } from '../link.ts'
import { group, type Say, show, step } from '../rule.ts'

/** For each list, the member whose items may have icons. */
const ICON_OWNERS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
}

/** Entries checked per list, and icons per entry. */
const MOST_ENTRIES = 10_000
const MOST_ICONS = 20

export const icons = group(['ICON-02', 'ICON-05', 'ICON-06'], () => ({
  message({ kind, method = '', result, at, carrier }, sayAt) {
    if (kind !== 'answer' || !result) return
    const say: Look = { say: sayAt, site: carrier && siteOf(carrier.url) }
    if (method === 'initialize' || method === 'server/discover') {
      look(result.serverInfo, `${at}/result/serverInfo`, say)
      const key = META.serverInfo
      return look(objectAt(result, '_meta')?.[key], step(`${at}/result/_meta`, key), say)
    }
    const member = Object.hasOwn(ICON_OWNERS, method) ? ICON_OWNERS[method]! : undefined
    const entries = member === undefined ? undefined : result[member]
    if (!Array.isArray(entries)) return
    const found = entries.slice(0, MOST_ENTRIES) as readonly Json[]
    found.forEach((entry, index) => look(entry, step(`${at}/result/${member}`, index), say))
  },
}))

interface Look {
  readonly say: Say<'ICON-02' | 'ICON-05' | 'ICON-06'>
  /** The site of a remote server; absent for a local one, whose icons may be anywhere. */
  readonly site: string | undefined
}

/** The last two labels of a host name; `undefined` for IP addresses, `localhost` and what is no URL. */
const siteOf = (url: string): string | undefined => {
  const labels = /^https?:/i.test(url) ? (parsedUrl(url)?.hostname.split('.') ?? []) : []
  return labels.length < 2 || /^\d+$|:/.test(labels.at(-1)!) ? undefined : labels.slice(-2).join('.')
}

/** @returns the host of an icon on another site */
const foreignTo = (site: string, src: string): string | undefined => {
  const own = siteOf(src)
  return own === undefined || own === site ? undefined : parsedUrl(src)?.hostname
}

const look = (owner: Json | undefined, pointer: string, { say, site }: Look): void => {
  if (!isObject(owner) || !Array.isArray(owner.icons)) return
  ;(owner.icons as readonly (Json | JsonObject)[]).slice(0, MOST_ICONS).forEach((icon, index) => {
    if (!isObject(icon)) return
    const sizes = Array.isArray(icon.sizes) ? (icon.sizes as readonly Json[]).slice(0, MOST_ICONS) : []
    const odd = sizes.findIndex((size) => typeof size === 'string' && !/^([1-9]\d*x[1-9]\d*|any)$/i.test(size))
    if (odd >= 0) {
      const what = `A size must be like "48x48", or "any"; found ${show(sizes[odd])}`
      say('ICON-06', what, { pointer: `${step(`${pointer}/icons`, index)}/sizes/${odd}` })
    }
    const foreign = site !== undefined && typeof icon.src === 'string' ? foreignTo(site, icon.src) : undefined
    if (foreign !== undefined) {
      const what = `An icon at ${show(foreign)}, which isn't the site of the server; clients may not load it`
      say('ICON-05', what, { pointer: `${step(`${pointer}/icons`, index)}/src`, once: true })
    }
    if (typeof icon.src !== 'string' || isHarmless(icon.src)) return
    const what = `An icon must be at https: or in a data: URI; found ${show(icon.src)}`
    say('ICON-02', what, { pointer: `${step(`${pointer}/icons`, index)}/src` })
  })
}

/**
 * What the specification says about `src` also covers plain http: Periscope never fetches it, but a server may write
 * it.
 */
const isHarmless = (src: string): boolean => /^(https?:\/\/|data:)/i.test(src)
