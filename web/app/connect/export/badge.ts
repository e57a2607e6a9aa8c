/** A badge for READMEs that opens Periscope with a server filled in. */
import { parsedUrl } from '../../../mcp/url.ts'
import { connectLink } from '../connect-link.ts'
import type { ExportedServer } from './client-entry.ts'

export interface Badge {
  readonly link: string
  readonly markdown: string
  readonly html: string
  /** Only this machine can open it, so there is no picture that others could load. */
  readonly local: boolean
}

/** The same in every language, because READMEs are. */
const LABEL = 'Open in Periscope'

/** @param page URL of a Periscope that readers can open @returns `undefined` if that isn't an http or https URL */
export const readmeBadge = (page: string, server: ExportedServer): Badge | undefined => {
  const url = parsedUrl(page.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.hash = ''
  url.search = ''
  url.username = ''
  url.password = ''
  if (!url.pathname.endsWith('/')) url.pathname = url.pathname.replace(/[^/]*$/, '')
  // Markdown ends a URL at a parenthesis.
  const base = url.href.replaceAll('(', '%28').replaceAll(')', '%29')
  const link = base + connectLink(server)
  const picture = `${base}badge.svg`
  const local = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  return {
    link,
    local,
    markdown: local ? `[${LABEL}](${link})` : `[![${LABEL}](${picture})](${link})`,
    html: local
      ? `<a href="${attribute(link)}">${LABEL}</a>`
      : `<a href="${attribute(link)}"><img src="${attribute(picture)}" alt="${LABEL}" height="20"></a>`,
  }
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
