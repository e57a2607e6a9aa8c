/** The folds of the panel. A module of its own, because the bundler can't defer the doctor, which others import statically. */
import { connectionAdviceFold, diagnosisFold } from '../../doctor/index.ts'
import { COUNTED, factsFold } from './facts-fold.ts'
import { healthFold } from './health-fold.ts'
import { subscriptionsFold } from './subscriptions-fold.ts'

export const panelFolds = [
  factsFold,
  healthFold,
  subscriptionsFold,
  diagnosisFold,
  connectionAdviceFold,
  ...COUNTED.map(({ fold }) => fold),
]
