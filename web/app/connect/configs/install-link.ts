/**
 * Reads the links that install a server in a client, as READMEs contain them. The link is only read: nothing is opened.
 *
 * @see https://cursor.com/docs/mcp/install-links
 * @see https://code.visualstudio.com/api/extension-guides/ai/mcp
 * @see https://lmstudio.ai/docs/app/mcp/deeplink
 */
import { isObject } from '../../../mcp/index.ts'
import { parsedUrl } from '../../../mcp/url.ts'
import { percentDecoded } from '../../../json/index.ts'
import { base64Decoded } from './base64.ts'

interface LinkedServer {
  readonly name: string
  readonly entry: unknown
}

/** `undefined` if the link contains no server. */
export const readInstallLink = (link: string): LinkedServer | undefined => {
  const url = parsedUrl(link.trim())
  if (!url) return undefined
  const name = url.searchParams.get('name') ?? ''
  const config = url.searchParams.get('config')
  // VS Code takes the whole query as JSON.
  const entry = objectIn(config ?? percentDecoded(url.search.slice(1)))
  if (!entry) return undefined
  const { name: own, ...rest } = entry
  const given = name || (typeof own === 'string' ? own : '')
  // Some generators wrap the entry in its name.
  const wrapped = Object.hasOwn(rest, given) ? rest[given] : undefined
  return { name: given, entry: isObject(wrapped) && Object.keys(rest).length === 1 ? wrapped : rest }
}

const objectIn = (text: string) => {
  for (const read of [text, base64Decoded(text)]) {
    try {
      const value = JSON.parse(read ?? '') as unknown
      if (isObject(value)) return value
    } catch {
      // Not in this encoding.
    }
  }
  return undefined
}
