/** The state of the sign-in to a server, as one code. */
import type { SignIn } from '../../oauth/index.ts'

export type AuthState =
  /** A request waits for its user's decision. */
  | 'step-up'
  | 'signing-in'
  | 'refreshing'
  | 'revoking'
  /** The tokens have expired, and only a sign-in brings others. */
  | 'over'
  | 'signed-in'
  /** The server refused, and nothing here could answer. */
  | 'needed'
  /** Its user set the `Authorization` header of the connection. */
  | 'by-hand'
  | 'none'

type Seen = Pick<SignIn, 'tokens' | 'stepUp' | 'busy' | 'refused' | 'options'> & {
  readonly running: boolean
  readonly byHand: boolean
  /** When the access token ends, in ms since the epoch, where that is known. */
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

/** They have expired, and are not refreshed automatically (AU-TOK-03). */
const needsSignIn = ({ tokens, options, ends }: Seen, now: number): boolean => {
  if (!tokens || tokens.refreshToken !== undefined) return false
  if (tokens.issuer !== undefined && (options.grant ?? 'authorization-code') !== 'authorization-code') return false
  return ends !== undefined && ends <= now
}
