/**
 * All folds that views use. A recording is folded in slices before it is shown, so that views find their folds ready,
 * however long the recording is. Features list the folds of their own directories.
 */
import { features } from '../../features/index.ts'
import { serverRequestsFold } from '../../features/server-requests/index.ts'
import { caches, reachabilityFold, type Fold, httpExchanges } from '../../mcp/index.ts'
import { authFold } from '../../oauth/index.ts'

/** Folds of directories that several features share, and of lower layers. */
const SHARED: readonly Fold<unknown>[] = [serverRequestsFold, caches, reachabilityFold, authFold, httpExchanges]

export const viewFolds = async (): Promise<readonly Fold<unknown>[]> => {
  const own = await Promise.all(features.map(async ({ folds }) => (await folds?.()) ?? []))
  return [...own.flat(), ...SHARED]
}
