/** All rules that watch the wire. */
import type { RuleGroup } from '../rule.ts'
import { authorization } from './authorization.ts'
import { batches } from './batches.ts'
import { caching } from './caching.ts'
import { cancellation } from './cancellation.ts'
import { elicitation } from './elicitation.ts'
import { errorCodes } from './error-codes.ts'
import { httpHeads } from './http-heads.ts'
import { icons } from './icons.ts'
import { ids } from './ids.ts'
import { injection } from './injection.ts'
import { lifecycle } from './lifecycle.ts'
import { meta } from './meta.ts'
import { offers } from './offers.ts'
import { oldSse } from './old-sse.ts'
import { progress } from './progress.ts'
import { rounds } from './rounds.ts'
import { stateless } from './stateless.ts'
import { stdio } from './stdio.ts'
import { streams } from './streams.ts'
import { subscriptions } from './subscriptions.ts'
import { tasks } from './tasks.ts'

export const groups: readonly RuleGroup[] = [
  ids,
  batches,
  lifecycle,
  httpHeads,
  streams,
  oldSse,
  stdio,
  progress,
  cancellation,
  elicitation,
  errorCodes,
  stateless,
  rounds,
  subscriptions,
  caching,
  meta,
  tasks,
  offers,
  icons,
  injection,
  authorization,
]
