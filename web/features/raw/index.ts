/** Console: sending any text as a message, valid or not. */
export { raw } from './raw.ts'
