/**
 * Roots: the directories that a server should stay within; compliance is up to the server (CF-ROOT-06).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
 */
import type { JsonObject } from '../../mcp/index.ts'
import type { TabFeature } from '../feature.ts'
import { hasListChanged, resultOf, rootListOf } from './root-list.ts'

export const roots: TabFeature = {
  id: 'roots',
  title: { en: 'Roots', 'zh-CN': '根目录' },
  at: 'inbox',
  // CF-ROOT-01, CF-ROOT-07.
  declares: (revision): JsonObject => ({ roots: hasListChanged(revision) ? { listChanged: true } : {} }),
  key: 'f',
  follows: rootListOf,
  badge: (server) => rootListOf(server).load(server.kept).roots.length || undefined,
  answers: {
    'roots/list': {
      view: () => import('./RootsRequest.svelte'),
      gist: () => '',
      // Sending it automatically is safe: the list contains only what the user entered for this server (CF-ROOT-05).
      auto: (_request, server) => {
        const { roots, answer } = rootListOf(server).load(server.kept)
        return answer === 'list' ? resultOf(roots) : undefined
      },
    },
  },
  opened: (server) => void rootListOf(server).load(server.kept),
  folds: async () => {
    const { listChangedFold, spawnFold } = await import('./folds.ts')
    return [spawnFold, listChangedFold]
  },
  panel: () => import('./RootsPanel.svelte'),
}
