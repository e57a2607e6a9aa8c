/**
 * The gallery: one server per cause of a connection that fails, and healthy ones. `npm run gallery` opens each in Chromium and
 * compares what the page says with the cause.
 */
import { corsTargets } from './cors.ts'
import { deploymentTargets } from './deployments.ts'
import { environments } from './environments.ts'
import { healthyTargets } from './healthy.ts'
import { httpTargets } from './http.ts'
import { misleadingTargets } from './misleading.ts'
import { networkTargets, tlsTargets } from './network.ts'
import { packages } from './packages.ts'
import { pathTargets, protocolTargets, signInTargets } from './protocol.ts'
import { proxyTargets } from './proxy.ts'
import { runtimes } from './runtimes.ts'
import { stdio } from './stdio.ts'
import type { Target } from './target.ts'

export { caFile } from './network.ts'
export { GROUPS, type PageKind, type Target } from './target.ts'

export const targets: readonly Target[] = [
  ...runtimes,
  ...packages,
  ...environments,
  ...stdio,
  ...networkTargets,
  ...tlsTargets,
  ...corsTargets,
  ...httpTargets,
  ...protocolTargets,
  ...pathTargets,
  ...signInTargets,
  ...deploymentTargets,
  ...misleadingTargets,
  ...proxyTargets,
  ...healthyTargets,
]
