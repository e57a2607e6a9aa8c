/**
 * Completion: a method without a tab of its own, used wherever something is typed that a server can complete.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
 */
import type { Feature } from '../feature.ts'

export const completion: Feature = {
  id: 'completion',
  title: () => 'Completion',
  spec: '{revision}/server/utilities/completion',
  methods: {
    // SF-COMP-01: 2024-11-05 has the method without the capability.
    'completion/complete': { span: { since: '2024-11-05' }, from: 'client', capability: 'completions' },
  },
}
