/**
 * An untrusted entry of `resources/list` or `resources/templates/list`, parsed so that an invalid item never spoils the
 * list.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
import { excerpt } from '../../json/index.ts'
import { isObject } from '../../mcp/index.ts'
import { uriFault } from '../../mcp/url.ts'
import type { Json, JsonObject, Revision, Seq } from '../../mcp/index.ts'
import { listingFold, type Listed, type Listing, type Taken } from '../lists/index.ts'
import { readTemplate } from './uri-template.ts'

export interface ResourceItem {
  readonly kind: 'resource' | 'template'
  /** Index in the whole list. */
  readonly index: number
  /** Identifies the item in URLs of the page: for the first resource with a URI, the URI itself. */
  readonly key: string
  /** The URI of a resource, or the URI template, verbatim (SF-RES-12); absent if there is none. */
  readonly uri: string | undefined
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mime: string
  /** In bytes, as the server claims (SF-RES-10). */
  readonly size?: number
  readonly raw: Json
  /** The frame that contains it. */
  readonly seq: Seq
  /** An earlier item has the same URI. */
  readonly repeated?: true
}

/** A problem of an item, as a code for the catalogues. */
export interface ItemFinding {
  readonly code:
    | 'no-object'
    | 'no-uri'
    | 'not-a-uri'
    | 'bad-template'
    | 'repeated-uri'
    | 'no-name'
    | 'not-a-string'
    | 'bad-size'
    | 'annotations-no-object'
    | 'bad-priority'
    | 'bad-audience'
    | 'bad-last-modified'
  readonly keyword: 'MUST' | 'SHOULD' | 'MAY'
  readonly rule: string
  /** JSON pointer into the item. */
  readonly pointer: string
  /** The value found, shortened. */
  readonly found: string
}

/** URIs can't begin with this character (RFC 3986, 3.1), so a key that does is never mistaken for one. */
const APART = '{'

/** The key of a template in URLs of the page. */
export const templateKey = (uriTemplate: string): string => `${APART}t}${uriTemplate}`

/** Whether the panel's part of the URL is a resource URI, as opposed to the key of an item. */
export const isUri = (key: string): boolean => key !== '' && !key.startsWith(APART)

const itemOf =
  (kind: ResourceItem['kind']) =>
  (raw: Json, index: number, seq: Seq, { names }: Pick<Taken, 'names'>): ResourceItem => {
    const item = isObject(raw) ? raw : {}
    const uri = text(kind === 'resource' ? item.uri : item.uriTemplate) || undefined
    const repeated = uri !== undefined && names.has(uri)
    if (uri !== undefined) names.add(uri)
    const known = uri !== undefined && !repeated
    const plain = kind === 'template' ? known && templateKey(uri) : known && !uri.startsWith(APART) && uri
    return {
      kind,
      index,
      key: plain || `${APART}${kind === 'resource' ? '#' : 't#'}${index + 1}`,
      uri,
      name: text(item.name),
      title: text(item.title),
      description: text(item.description),
      mime: text(item.mimeType),
      ...(typeof item.size === 'number' && item.size >= 0 ? { size: item.size } : {}),
      raw,
      seq,
      ...(repeated ? { repeated: true as const } : {}),
    }
  }

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const changed = 'notifications/resources/list_changed'
const nameOf = ({ uri }: ResourceItem): string | undefined => uri

export const RESOURCES: Listed<ResourceItem> = {
  method: 'resources/list',
  member: 'resources',
  changed,
  itemOf: itemOf('resource'),
  nameOf,
}

/** SF-RES-02: paged like the resources; a single notification covers both lists. */
export const TEMPLATES: Listed<ResourceItem> = {
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  changed,
  itemOf: itemOf('template'),
  nameOf,
}

export type ResourceList = Listing<ResourceItem>

export const resourcesFold = listingFold(RESOURCES)
export const templatesFold = listingFold(TEMPLATES)

/** The label of a row: preferably the display name. */
export const labelOf = ({ title, name, uri }: ResourceItem): string => title.trim() || name.trim() || uri || ''

export const annotationsOf = ({ raw }: ResourceItem): JsonObject | undefined =>
  isObject(raw) && isObject(raw.annotations) ? raw.annotations : undefined

/** @param revision of the session; absent: only what is wrong in every version */
export const findingsOf = (item: ResourceItem, revision?: Revision): readonly ItemFinding[] => {
  const { raw, uri, kind } = item
  if (!isObject(raw))
    return [{ code: 'no-object', keyword: 'MUST', rule: 'SF-RES-02', pointer: '', found: excerpt(raw) }]
  const member = kind === 'resource' ? 'uri' : 'uriTemplate'
  const rule = kind === 'resource' ? 'SF-RES-12' : 'SF-RES-06'
  const findings: ItemFinding[] = []
  const find = (code: ItemFinding['code'], at: string, why: string, keyword: ItemFinding['keyword'] = 'MUST') => {
    findings.push({ code, keyword, rule: why, pointer: `/${at}`, found: excerpt(valueAt(raw, at)) })
  }
  if (uri === undefined) find('no-uri', member, rule)
  else if (kind === 'resource' && uriFault(uri) !== undefined) find('not-a-uri', member, rule, 'SHOULD')
  else if (kind === 'template' && isMalformed(uri)) find('bad-template', member, rule)
  if (item.repeated) find('repeated-uri', member, rule, 'SHOULD')
  if (item.name === '') find('no-name', 'name', 'SF-RES-02')
  for (const at of ['title', 'description', 'mimeType']) {
    if (raw[at] !== undefined && typeof raw[at] !== 'string') find('not-a-string', at, 'SF-RES-02')
  }
  const { size } = raw
  if (size !== undefined && (typeof size !== 'number' || !Number.isInteger(size) || size < 0)) {
    find('bad-size', 'size', 'SF-RES-10')
  }
  annotationFindings(raw, find, revision)
  return findings
}

/** RFC 6570. A template that is only too large for a form is valid. */
const isMalformed = (template: string): boolean => {
  const read = readTemplate(template)
  return !read.ok && read.fault.code !== 'too-long' && read.fault.code !== 'too-many'
}

const annotationFindings = (
  raw: JsonObject,
  find: (code: ItemFinding['code'], at: string, why: string, keyword?: ItemFinding['keyword']) => void,
  revision?: Revision,
): void => {
  const { annotations } = raw
  if (annotations === undefined) return
  if (!isObject(annotations)) return find('annotations-no-object', 'annotations', 'SF-RES-10')
  const { priority, audience, lastModified } = annotations
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    find('bad-priority', 'annotations/priority', 'SF-RES-10')
  }
  const readers = Array.isArray(audience) && audience.every((who) => who === 'user' || who === 'assistant')
  if (audience !== undefined && !readers) find('bad-audience', 'annotations/audience', 'SF-RES-10')
  // The member has no meaning before 2025-06-18.
  if (lastModified === undefined || (revision && revision < '2025-06-18')) return
  if (typeof lastModified !== 'string' || !/^\d{4}-\d\d/.test(lastModified) || Number.isNaN(Date.parse(lastModified))) {
    find('bad-last-modified', 'annotations/lastModified', 'SF-RES-10', 'MAY')
  }
}

const valueAt = (raw: JsonObject, path: string): Json | undefined =>
  path.split('/').reduce<Json | undefined>((value, name) => (isObject(value) ? value[name] : undefined), raw)
