/** Content that tools, prompts and resources have in common: base64 (RFC 4648 section 4), MIME types and URIs. */
import { isObject, type Json, type JsonObject, type Seq } from '../../mcp/index.ts'
import { uriFault } from '../../mcp/url.ts'
import type { Observed } from '../link.ts'
import { group, type Say, show } from '../rule.ts'

const RULES = ['SF-RES-04', 'SF-RES-12', 'SF-TOOL-11'] as const
type Id = (typeof RULES)[number]

/** Blocks checked per result. */
const MOST_BLOCKS = 200

export const embedded = group(RULES, () => ({
  message({ kind, method, params, result, at, asked }, say) {
    const related = asked?.seq
    if (kind === 'answer') {
      if (!result) return
      if (method === 'resources/read') each(result.contents, `${at}/result/contents`, related, say, contents)
      else if (method === 'tools/call' || method === 'tasks/result')
        each(result.content, `${at}/result/content`, related, say, block)
      if (method === 'prompts/get' || method === 'tasks/result')
        each(result.messages, `${at}/result/messages`, related, say, message)
      if (method === 'tasks/get' && isObject(result.result))
        each(result.result.content, `${at}/result/result/content`, related, say, block)
      for (const [pointer, asks] of sampling(result, at)) each(asks.messages, pointer, related, say, message)
    } else if (method === 'sampling/createMessage')
      each(params.messages, `${at}/params/messages`, undefined, say, message)
    else if (method === 'notifications/resources/updated') uri(params.uri, `${at}/params/uri`, undefined, say)
  },
}))

type Check = (part: JsonObject, pointer: string, related: Seq | undefined, say: Say<Id>) => void

const each = (list: Json | undefined, above: string, related: Seq | undefined, say: Say<Id>, check: Check): void => {
  if (!Array.isArray(list)) return
  for (const [index, part] of (list as readonly Json[]).slice(0, MOST_BLOCKS).entries())
    if (isObject(part)) check(part, `${above}/${index}`, related, say)
}

/** Sampling that a result asks for (MRTR-09). */
const sampling = ({ inputRequests }: Observed['params'], at: string): (readonly [string, JsonObject])[] =>
  isObject(inputRequests)
    ? Object.keys(inputRequests)
        .slice(0, 100)
        .flatMap((key) => {
          const request = inputRequests[key]
          const params = isObject(request) && request.method === 'sampling/createMessage' ? request.params : undefined
          const pointer = `${at}/result/inputRequests/${key.replace(/~/g, '~0').replace(/\//g, '~1')}/params/messages`
          return isObject(params) ? [[pointer, params] as const] : []
        })
    : []

/** A message has one block, and since 2025-11-25 possibly several in sampling. */
const message: Check = ({ content }, pointer, related, say) => {
  if (isObject(content)) block(content, `${pointer}/content`, related, say)
  else each(content, `${pointer}/content`, related, say, block)
}

const block: Check = (part, pointer, related, say) => {
  const { type } = part
  if (type === 'image' || type === 'audio') media(part, type, pointer, related, say)
  else if (type === 'resource' && isObject(part.resource)) contents(part.resource, `${pointer}/resource`, related, say)
  else if (type === 'resource_link') uri(part.uri, `${pointer}/uri`, related, say)
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

const media = (
  { data, mimeType }: JsonObject,
  type: string,
  pointer: string,
  related: Seq | undefined,
  say: Say<Id>,
) => {
  if (typeof data === 'string' && !isBase64(data)) {
    const what = `The data of an ${type === 'image' ? 'image' : 'audio block'} must be base64; found ${show(data)}`
    say('SF-TOOL-11', what, { pointer: `${pointer}/data`, related })
  }
  if (typeof mimeType === 'string' && !mimeType.toLowerCase().startsWith(`${type}/`)) {
    const what = `The MIME type must be one of ${type}; found ${show(mimeType)}`
    say('SF-TOOL-11', what, { pointer: `${pointer}/mimeType`, related })
  }
}

const contents: Check = (part, pointer, related, say) => {
  const { blob } = part
  if (typeof blob === 'string' && !isBase64(blob))
    say('SF-RES-04', `blob must be base64; found ${show(blob)}`, { pointer: `${pointer}/blob`, related })
  uri(part.uri, `${pointer}/uri`, related, say)
}

/** SF-RES-12. If it isn't a string, the shape is wrong. */
const uri = (value: Json | undefined, pointer: string, related: Seq | undefined, say: Say<Id>): void => {
  if (typeof value !== 'string') return
  const odd = uriFault(value)
  if (odd !== undefined)
    say('SF-RES-12', `A URI can't contain ${show(odd)} (RFC 3986); found ${show(value)}`, { pointer, related })
}
