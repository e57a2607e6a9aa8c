/** The state of the sign-in to a server, as one code. */
import type { FlowRecord, Mode, SignIn } from '../../oauth/index.ts'

export type AuthState =
  /** A request is waiting for the user's decision. */
  | 'step-up'
  | 'signing-in'
  | 'refreshing'
  | 'revoking'
  /** The tokens have expired and only a new sign-in can replace them. */
  | 'over'
  | 'signed-in'
  /** The server rejected the current credentials, or their absence; a sign-in may help. */
  | 'needed'
  /** The user set the connection's `Authorization` header. */
  | 'by-hand'
  | 'none'

type Seen = Pick<SignIn, 'tokens' | 'stepUp' | 'busy' | 'refused' | 'options'> & {
  readonly running: boolean
  readonly byHand: boolean
  /** When the access token expires, in ms since the epoch, if known. */
  readonly ends?: number | undefined
}

/** @param now ms since the epoch */
export const authStateOf = (seen: Seen, now: number): AuthState => {
  const { tokens, stepUp, busy, refused, running, byHand } = seen
  if (stepUp) return 'step-up'
  if (running) return 'signing-in'
  if (busy) return busy === 'refresh' ? 'refreshing' : 'revoking'
  if (refused) return 'needed'
  if (tokens) return needsSignIn(seen, now) ? 'over' : 'signed-in'
  return byHand ? 'by-hand' : 'none'
}

/**
 * The default view, until the user picks one.
 * @param last the outcome of the last flow; absent: there was none, so there are no steps to show
 */
export const viewFor = (
  { tokens, running, flow }: Pick<SignIn, 'tokens' | 'flow'> & { readonly running: boolean },
  last: FlowRecord['outcome'] | undefined,
  mode: Mode,
): 'token' | 'steps' => {
  if (last === undefined) return 'token'
  const failed = last === 'failed' && !tokens
  return running || failed || (flow && mode === 'stepwise') ? 'steps' : 'token'
}

/** The tokens have expired and aren't refreshed automatically (AU-TOK-03). */
const needsSignIn = ({ tokens, options, ends }: Seen, now: number): boolean => {
  if (!tokens || tokens.refreshToken !== undefined) return false
  if (tokens.issuer !== undefined && (options.grant ?? 'authorization-code') !== 'authorization-code') return false
  return ends !== undefined && ends <= now
}
