/** URL-mode elicitation: a completion must match a request (2025-11-25). */
import { isObject, type Json } from '../../mcp/index.ts'
import { objectAt } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, show } from '../rule.ts'

export const elicitation = group(['CF-URL-05'], () => {
  const asked = new Recent<unknown, true>(1_000)
  return {
    message({ kind, method, params, error, at }, say) {
      if (kind === 'request' && method === 'elicitation/create') asked.set(params.elicitationId, true)
      const listed = objectAt(error, 'data')?.elicitations
      if (Array.isArray(listed)) {
        for (const entry of (listed as readonly Json[]).slice(0, 100)) {
          if (isObject(entry)) asked.set(entry.elicitationId, true)
        }
      }
      if (kind !== 'notification' || method !== 'notifications/elicitation/complete') return
      if (asked.forgot || asked.has(params.elicitationId)) return
      const what = `No elicitation has the id ${show(params.elicitationId)}`
      say('CF-URL-05', what, { pointer: `${at}/params/elicitationId` })
    },
  }
})
