/** Roots: the folders this client offers to the server. */
export { roots } from './roots.ts'
