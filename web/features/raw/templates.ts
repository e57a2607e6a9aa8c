/** Message templates: every message that a client may send in the negotiated version. */
import { isObject } from '../../mcp/index.ts'
import type { JsonObject, Peer, Revision } from '../../mcp/index.ts'
import { filterByWords } from '../lists/index.ts'

/** The part of the message shapes that is used here. It loads with the panel. */
export type Schema = typeof import('../../mcp/schema/schema.ts')

export interface Template {
  readonly method: string
  readonly kind: 'request' | 'notification'
  readonly params: JsonObject
}

export type TemplateRow =
  | { readonly is: 'group'; readonly kind: Template['kind']; readonly count: number }
  | { readonly is: 'template'; readonly template: Template }

/** While disconnected, shows the messages of the latest handshake version. */
export const revisionOf = (peer: Peer | undefined): Revision => peer?.revision ?? '2025-11-25'

/** Extensions that the server declared; ours are all that the message shapes define. */
export const extensionsOf = (peer: Peer | undefined): readonly string[] =>
  isObject(peer?.capabilities.extensions) ? Object.keys(peer.capabilities.extensions) : []

export const templatesOf = (
  { templates, methodIn }: Pick<Schema, 'templates' | 'methodIn'>,
  revision: Revision,
  extensions: readonly string[],
): readonly Template[] =>
  Object.entries(templates(revision, extensions)).map(([method, params]) => ({
    method,
    kind: methodIn(method, revision, extensions)?.kind === 'notification' ? 'notification' : 'request',
    params,
  }))

/** Templates whose method contains all words of the filter; requests first. */
export const rowsOf = (templates: readonly Template[], filter: string): readonly TemplateRow[] => {
  const found = filterByWords(templates, filter, ({ method }) => method)
  return (['request', 'notification'] as const).flatMap((kind): TemplateRow[] => {
    const members = found.filter((template) => template.kind === kind)
    if (members.length === 0) return []
    return [
      { is: 'group', kind, count: members.length },
      ...members.map((template) => ({ is: 'template' as const, template })),
    ]
  })
}
