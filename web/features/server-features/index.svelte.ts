/** The features of a server in its last connection, and the changes since. */
export { default as ChangesNote } from './ChangesNote.svelte'
