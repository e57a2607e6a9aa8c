/** Roots: the folders this client offers to the server. */
export { roots } from './roots.ts'
export { spawnFold } from './suggestions.ts'
export { toldFold } from './told-fold.ts'
