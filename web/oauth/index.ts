/**
 * Sign-in (OAuth 2.1 in the page). Code outside this directory imports only from here; subdirectories
 * have their own index files.
 */
export {
  CHANNEL,
  type Pending,
  type PendingSignIn,
  type Popup,
  type ReturnChannel,
  type ReturnStorage,
  awaitReturn,
  dropPending,
  listPending,
  listReturned,
  openPopup,
  openingUrlOf,
  redirectUriOf,
  savePending,
  takeReturned,
} from './consent/index.ts'
export {
  type AfterwardsRecord,
  type CredentialRecord,
  type FlowRecord,
  type LinkRecord,
  authFold,
  currentStep,
  leadsAway,
} from './flow/index.ts'
export {
  AuthError,
  type ClientAuthMethod,
  type DecodedJwt,
  type GivenClient,
  type Grant,
  type IdentityProvider,
  type Mode,
  type SignInOptions,
  type TokenSay,
  type TokenSet,
  canonicalResource,
  chooseScope,
  describesResource,
  httpUrl,
  isRefreshable,
  profileFor,
  resourceMetadataUrls,
  safeUrl,
  scopesOf,
  tokenFacts,
  union,
} from './model/index.ts'
export type { SignInServer } from './sign-in-host.ts'
export { SignIn } from './sign-in.ts'
export { spans } from './text/words.ts'
export { MOST_STEP_UPS } from './tokens/index.ts'
export {
  CREDENTIALS,
  type Entry,
  SealedStorage,
  type TypedEntry,
  TypedValues,
  Vault,
  canEncrypt,
  deviceKey,
  holdsSecret,
  replacedTokens,
} from './vault/index.ts'
export { SIGNING_ALGORITHMS, checkClientDocument, clientDocumentUrlOf } from './wire/index.ts'
