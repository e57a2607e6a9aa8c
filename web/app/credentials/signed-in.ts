/** A server that may have stored credentials. */
import type { SignIn } from '../../oauth/index.ts'
import type { Target } from '../connect/index.ts'

export interface SignedIn {
  readonly target: Target
  readonly signIn: SignIn | undefined
}
