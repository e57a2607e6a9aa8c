/**
 * Every fold that a view reads. A recording is folded before anything of it is shown, in slices: a view that asks for a
 * fold finds it made, however long the recording is. Features name those of their folders.
 */
import { features } from '../../features/index.ts'
import { serverRequestsFold } from '../../features/server-requests/index.ts'
import { caches, reachabilityFold, type Fold, httpExchanges } from '../../mcp/index.ts'
import { authFold } from '../../oauth/index.ts'

/** Of the rooms that several features share, and of those below them. */
const SHARED: readonly Fold<unknown>[] = [serverRequestsFold, caches, reachabilityFold, authFold, httpExchanges]

export const viewFolds = async (): Promise<readonly Fold<unknown>[]> => {
  const own = await Promise.all(features.map(async ({ folds }) => (await folds?.()) ?? []))
  return [...own.flat(), ...SHARED]
}
