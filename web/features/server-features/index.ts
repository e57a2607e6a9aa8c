/** The features of a server in its last connection, and the changes since. */
export { type KeptFeatures, featuresBy, keptFeatures } from './kept-features.ts'
