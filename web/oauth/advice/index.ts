/** Advice for a failed sign-in: what the user can try and what the server's author should fix. */
export {
  type Blame,
  type Offer,
  type Remedy,
  type Situation,
  actsFor,
  blameOf,
  remediesFor,
  withOptions,
} from './remedies.ts'
export { type Place, fixFor, fixForCheck, pageOf } from './server-fix.ts'
