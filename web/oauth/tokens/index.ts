/** Tokens in use: attaching, refreshing, revoking, and stepping up. */
export { Credential, type CredentialEvent, MOST_STEP_UPS, type StepUp } from './credential.ts'
export { type PendingStepUp, StepUps } from './pending-step-ups.ts'
export { TokenLifecycle } from './refresh-and-revoke.ts'
