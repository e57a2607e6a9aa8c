/**
 * Elicitation: a server requests input from the user, with a form or a URL to visit. It has no tab: its requests are
 * shown in the call that caused them and in the Inbox.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 */
import { ErrorCode, ProtocolError } from '../../mcp/index.ts'
import type { Feature } from '../feature.ts'
import { declareElicitation, gistOf, readElicitation } from './modes.ts'

export const elicitation: Feature = {
  id: 'elicitation',
  declares: declareElicitation,
  answers: {
    'elicitation/create': {
      view: () => import('./ElicitationRequest.svelte'),
      gist: gistOf,
      // Never answered automatically: only the user has the answer or can consent (CF-ELIC-03, CF-URL-01). An
      // undeclared mode is rejected (CF-ELIC-05), except in a result that requests input, where errors aren't possible
      // (MRTR-10).
      auto: ({ params, route }, { peer }) => {
        const { mode, declared } = readElicitation(params, peer?.revision)
        if (declared || route !== 'request') return undefined
        const message = `Elicitation mode ${JSON.stringify(mode)} was not declared by this client`
        return Promise.reject(new ProtocolError(ErrorCode.InvalidParams, message))
      },
    },
  },
  folds: async () => {
    const { requesterFold, visitsFold } = await import('./folds.ts')
    return [requesterFold, visitsFold]
  },
}
