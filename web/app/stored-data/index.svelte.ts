/** All data stored in this browser: listed, exported, imported, cleared. */
export type { DataHost } from './stored-data.svelte.ts'
