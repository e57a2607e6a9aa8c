/** Environments: which stored entries belong to them. */
export { environmentIdIn } from './keys.ts'
