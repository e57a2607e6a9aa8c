import type { Exchange } from '../../mcp/index.ts'

const FEATURES: Readonly<Record<string, string>> = {
  'tools/call': 'tools',
  'prompts/get': 'prompts',
  'resources/read': 'resources',
}

/** The tab and the item that show a call of ours; `undefined` for methods without a tab of their own. */
export const placeOfCall = (
  call: Pick<Exchange, 'method' | 'subject'> | undefined,
): { readonly feature: string; readonly place: string } | undefined => {
  const feature = call && Object.hasOwn(FEATURES, call.method) ? FEATURES[call.method] : undefined
  return feature === undefined || call?.subject === undefined ? undefined : { feature, place: call.subject }
}
