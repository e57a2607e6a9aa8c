/** Environments: which stored entries belong to them. */
export { environmentIdIn, ENVIRONMENTS } from './keys.ts'
