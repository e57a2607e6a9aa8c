/** The user's consent: the popup or redirect, and the return from the authorization server. */
export {
  Consent,
  type ConsentHost,
  type ConsentWindow,
  type PendingSignIn,
  type Popup,
  openPopup,
  queryOf,
} from './consent.ts'
export {
  type Astray,
  CHANNEL,
  type Pending,
  type ReturnChannel,
  type ReturnStorage,
  attempt,
  awaitReturn,
  dropPending,
  keysOf,
  listPending,
  listReturned,
  openingUrlOf,
  redirectUriOf,
  savePending,
  takeReturned,
} from './return.ts'
