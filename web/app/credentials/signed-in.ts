/** A server whose credentials may be among those that are kept. */
import type { SignIn } from '../../oauth/index.ts'
import type { Target } from '../connect/index.ts'

export interface SignedIn {
  readonly target: Target
  readonly signIn: SignIn | undefined
}
