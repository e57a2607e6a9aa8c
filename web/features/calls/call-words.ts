/** What a call came to, by the one verdict that the trace, the reports and the filter language give it. */
import { verdictOf } from '../../mcp/index.ts'
import type { ErrorObject, ExchangeStatus, Verdict } from '../../mcp/index.ts'
import type { CallOutcome } from './call-outcome.ts'

/** @param state a task's call is pending until the task has ended */
export const callVerdict = ({ state, exchange }: Pick<CallOutcome, 'state' | 'exchange'>): Verdict =>
  state === 'task' ? 'pending' : verdictOf({ ...exchange, status: state satisfies ExchangeStatus })

/** The code that belongs to an `error`. */
export const callCode = ({ error, exchange }: { error?: ErrorObject } & Pick<CallOutcome, 'exchange'>) =>
  (error ?? exchange.error)?.code
