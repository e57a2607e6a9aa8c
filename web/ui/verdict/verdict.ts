/** The outcome of a request: the key of its label in the catalogues, and its colour. */

export type Verdict =
  | 'ok'
  | 'tool-error'
  | 'error'
  | 'pending'
  | 'waiting'
  | 'cancelled'
  | 'timed-out'
  | 'lost'
  | 'probe'

export const VERDICT_KEYS = {
  ok: 'ok',
  'tool-error': 'toolError',
  error: 'error',
  pending: 'pending',
  waiting: 'waitingForYou',
  cancelled: 'cancelled',
  'timed-out': 'timedOut',
  lost: 'lost',
  probe: 'probe',
} as const satisfies Readonly<Record<Verdict, string>>

const TONES = {
  ok: 'ok',
  'tool-error': 'warn',
  error: 'bad',
  pending: '',
  waiting: 'warn',
  cancelled: '',
  'timed-out': 'bad',
  lost: 'bad',
  probe: '',
} as const satisfies Readonly<Record<Verdict, string>>

/** `ok`, `warn` and `bad` are classes of the tag; '' is a plain tag. */
export const verdictTone = (verdict: Verdict): 'ok' | 'warn' | 'bad' | '' => TONES[verdict]
