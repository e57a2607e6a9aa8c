/** The door of the room for what captures frames, loaded with the first connection: values that are known, masked wherever they stand. */
export { ConnectionSecrets } from './connection.ts'
export { KnownSecrets } from './known-secrets.ts'
export { SHORTEST_SECRET } from './values.ts'
