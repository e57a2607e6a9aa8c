/** How a call stands, in words of its feature, and the colour of the tag that says so. */
import type { ExchangeStatus } from '../mcp/index.ts'

interface StatusWords {
  readonly statePending: string
  readonly stateOk: string
  readonly stateError: string
  readonly stateCancelled: string
  readonly stateTimeout: string
  readonly stateLost: string
  readonly stateAsked: string
}

export const statusWord = (status: ExchangeStatus, words: StatusWords): string =>
  ({
    pending: words.statePending,
    ok: words.stateOk,
    error: words.stateError,
    cancelled: words.stateCancelled,
    timeout: words.stateTimeout,
    lost: words.stateLost,
    asked: words.stateAsked,
  })[status]

/** `ok`, `warn` and `bad` are classes of the tag; a plain tag is neither. */
export const statusTone = (status: ExchangeStatus): 'ok' | 'warn' | 'bad' | '' =>
  (({ pending: '', ok: 'ok', error: 'bad', cancelled: '', timeout: 'bad', lost: 'bad', asked: 'warn' }) as const)[
    status
  ]
