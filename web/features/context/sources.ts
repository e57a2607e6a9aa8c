/** Where the context's items are in the Trace: the last response for each resource, and the results of prompts. */
import { isObject } from '../../mcp/index.ts'
import type { Exchange, Exchanges, Frame, Link, Seq } from '../../mcp/index.ts'
import { partWith } from '../calls/index.ts'
import type { ContextItem } from './context-block.ts'

export interface ContextSource {
  /** Unique in the context. */
  readonly id: string
  readonly kind: ContextItem['kind']
  /** The URI, or the prompt's name. */
  readonly subject: string
  /** The last request that was answered with a result; else the last one; absent: none was sent. */
  readonly exchange?: Readonly<Exchange>
}

/**
 * @param uris of resources
 * @param results requests that got prompts
 */
export const sourcesOf = (
  { all, bySeq }: Pick<Exchanges, 'all' | 'bySeq'>,
  link: Link,
  uris: ReadonlySet<string>,
  results: ReadonlySet<Seq> = new Set(),
): readonly ContextSource[] => {
  const reads = new Map<string, Exchange>()
  let good = 0
  for (let at = all.length - 1; at >= 0 && good < uris.size; at--) {
    const exchange = all[at]!
    const { subject } = exchange
    if (exchange.method !== 'resources/read' || exchange.direction !== 'sent' || exchange.link !== link) continue
    if (subject === undefined || !uris.has(subject) || reads.get(subject)?.status === 'ok') continue
    if (exchange.status === 'ok') good++
    else if (reads.has(subject)) continue
    reads.set(subject, exchange)
  }
  return [
    ...[...uris].map((uri): ContextSource => {
      const exchange = reads.get(uri)
      return { id: `resource ${uri}`, kind: 'resource', subject: uri, ...(exchange ? { exchange } : {}) }
    }),
    ...[...results].flatMap((seq): readonly ContextSource[] => {
      const exchange = bySeq.get(seq)
      return exchange ? [{ id: `prompt ${seq}`, kind: 'prompt', subject: exchange.subject ?? '', exchange }] : []
    }),
  ]
}

/** The frames from which items are made: redact them before. */
export const framesOf = (
  sources: readonly ContextSource[],
  frameAt: (seq: Seq) => Frame | undefined,
): readonly Frame[] =>
  sources.flatMap(({ exchange }) =>
    exchange?.status === 'ok' && exchange.response !== undefined
      ? [frameAt(exchange.request), frameAt(exchange.response)].filter((frame) => frame !== undefined)
      : [],
  )

/** @returns `undefined` if the source has no result, or if the frame with it was released */
export const itemOf = (
  { id, kind, subject, exchange }: ContextSource,
  frameAt: (seq: Seq) => Frame | undefined,
): ContextItem | undefined => {
  if (exchange?.status !== 'ok' || exchange.response === undefined) return undefined
  const [request, response] = [frameAt(exchange.request), frameAt(exchange.response)]
  const result = response?.kind === 'message' ? partWith(response.message, exchange.id, 'answer')?.result : undefined
  if (!isObject(result)) return undefined
  const sent = request?.kind === 'message' ? partWith(request.message, exchange.id, 'request')?.params : undefined
  const params = isObject(sent) ? sent : {}
  if (kind === 'resource') return { id, kind, result, uri: typeof params.uri === 'string' ? params.uri : subject }
  return {
    id,
    kind,
    result,
    name: typeof params.name === 'string' ? params.name : subject,
    ...(isObject(params.arguments) ? { arguments: params.arguments } : {}),
  }
}

export const framesBySeq = (frames: readonly Frame[]): ReadonlyMap<Seq, Frame> =>
  new Map(frames.map((frame) => [frame.seq, frame]))
