/** Console: sending any text as a message, valid or not. */
export { raw } from './raw.ts'
export { sentFold } from './sent-fold.ts'
