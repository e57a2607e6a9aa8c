/** The user's consent: the popup or redirect, and the return from the authorization server. */
export {
  Consent,
  type ConsentHost,
  type ConsentWindow,
  type FlowWhy,
  type PendingSignIn,
  pendingOf,
  queryOf,
  isStrange,
  returnedOf,
} from './consent.ts'
export { type Pending, dropPending, listPending, savePending } from './pending.ts'
export { type Popup, openPopup } from './popup.ts'
export {
  type Astray,
  CHANNEL,
  type ReturnChannel,
  type ReturnStorage,
  awaitReturn,
  keysOf,
  listReturned,
  openingUrlOf,
  redirectUriOf,
  takeReturned,
} from './return.ts'
