/**
 * The entry point for code that captures frames, loaded with the first connection: known values, masked wherever they
 * occur.
 */
export { ConnectionSecrets } from './connection-secrets.ts'
export { KnownSecrets } from './known-secrets.ts'
export { SHORTEST_SECRET } from './find-by-value.ts'
