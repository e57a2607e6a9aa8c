/** Tokens in use: attaching, refreshing, revoking, and stepping up. */
export {
  Credential,
  type CredentialEvent,
  MOST_STEP_UPS,
  type PendingStepUp,
  type StepUp,
  StepUps,
} from './credential.ts'
export { TokenLifecycle } from './refresh-and-revoke.ts'
