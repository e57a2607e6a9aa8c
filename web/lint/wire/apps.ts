/** MCP Apps: the link from a tool to its user interface, and what is there. */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import { type LinkView, objectAt } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, show } from '../rule.ts'

const EXTENSION = 'io.modelcontextprotocol/ui'
/** The only type of a user interface; parameters may be written with spaces or quotes. */
const MIME = 'text/html;profile=mcp-app'

const MOST = 10_000

export const apps = group(['APPS-02', 'APPS-06'], (view) => {
  /** The URIs that tools link to. */
  const linked = new Recent<string, true>(MOST)
  return {
    message({ kind, method, result, at, asked }, say) {
      if (kind !== 'answer' || !result) return
      const related = asked?.seq
      if (method === 'tools/list' && Array.isArray(result.tools)) {
        for (const [index, tool] of (result.tools as readonly Json[]).slice(0, MOST).entries()) {
          const odd = isDeclared(view) ? visibilityFault(tool) : undefined
          if (odd !== undefined) {
            const what = `visibility must list "model" or "app"; found ${show(odd)}`
            say('APPS-06', what, { pointer: `${at}/result/tools/${index}/_meta/ui/visibility`, related })
          }
          const [uri, pointer] = linkOf(tool) ?? []
          if (uri === undefined) continue
          const isOurs = typeof uri === 'string' && /^ui:\/\/./i.test(uri)
          if (isOurs) linked.set(uri, true)
          // Without the extension, the members may be someone else's.
          else if (isDeclared(view)) {
            const what = `The user interface of a tool must be at ui://; found ${show(uri)}`
            say('APPS-02', what, { pointer: `${at}/result/tools/${index}/_meta${pointer}`, related })
          }
        }
      } else if (method === 'resources/read' && Array.isArray(result.contents)) {
        for (const [index, part] of (result.contents as readonly Json[]).slice(0, MOST).entries()) {
          if (!isObject(part) || typeof part.uri !== 'string' || !linked.has(part.uri)) continue
          const { mimeType } = part
          if (typeof mimeType === 'string' && mimeType.replace(/["\s]/g, '').toLowerCase() === MIME) continue
          const what = `The MIME type of a user interface must be ${MIME}; found ${show(mimeType)}`
          say('APPS-02', what, { pointer: `${at}/result/contents/${index}/mimeType`, related })
        }
      }
    },
  }
})

/** The link, and its place in `_meta`: the flat key is deprecated. */
const linkOf = (tool: Json): readonly [Json, string] | undefined => {
  const meta = isObject(tool) ? objectAt(tool, '_meta') : undefined
  const nested = objectAt(meta, 'ui')?.resourceUri
  if (nested !== undefined) return [nested, '/ui/resourceUri']
  const flat = meta?.['ui/resourceUri']
  return flat === undefined ? undefined : [flat, '/ui~1resourceUri']
}

/** What is wrong with the visibility of a tool; `undefined` if nothing is, or it has none. */
const visibilityFault = (tool: Json): Json | undefined => {
  const visibility = objectAt(isObject(tool) ? objectAt(tool, '_meta') : undefined, 'ui')?.visibility
  if (visibility === undefined) return undefined
  if (!Array.isArray(visibility)) return visibility
  return (visibility as readonly Json[]).slice(0, 20).find((each) => each !== 'model' && each !== 'app')
}

const isDeclared = ({ declared, serverCapabilities }: LinkView): boolean =>
  [declared, serverCapabilities].some((each: JsonObject | undefined) =>
    Object.hasOwn(objectAt(each, 'extensions') ?? {}, EXTENSION),
  )
