/**
 * Sampling: the server requests a completion from a model. It has no tab: its requests and their settings are shown in
 * the calls that cause them, and in the Inbox.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
 */
import type { JsonObject } from '../../mcp/index.ts'
import type { Feature } from '../feature.ts'
import { gistOf, METHOD } from './request.ts'
import { settingsOf } from './sampling-settings.ts'

export const sampling: Feature = {
  id: 'sampling',
  // CF-SAMP-01. CF-SAMP-08: tools are shown and may be called. CF-SAMP-14: a request for context is shown, and
  // fulfilled manually.
  declares: (revision): JsonObject => ({ sampling: revision >= '2025-11-25' ? { tools: {}, context: {} } : {} }),
  answers: {
    [METHOD]: {
      view: () => import('./SamplingRequest.svelte'),
      gist: gistOf,
      // Synchronous if there is no rule. The code of rules loads with the first one.
      auto: (request, server, signal) =>
        settingsOf(server).rule && import('./rules.ts').then(({ autoAnswer }) => autoAnswer(request, server, signal)),
      ruled: (server) => settingsOf(server).ruled,
      settings: () => import('./SamplingSettingsPanel.svelte'),
    },
  },
  folds: async () => [(await import('./findings.ts')).declaredFold],
}
