/** Advice for a failed sign-in: what the user can try and what the server's author should fix. */
export {
  type Blame,
  type Entered,
  type Remedy,
  type Situation,
  actsFor,
  actsForEntered,
  blameOf,
  remediesFor,
} from './remedies.ts'
export { type Place, fixFor, fixForCheck, pageOf } from './server-fix.ts'
