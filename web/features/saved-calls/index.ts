/** Saved calls as they are stored. */
export { type KeptCollection, keptFrom } from './kept-collection.ts'
