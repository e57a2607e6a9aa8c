/** The session file, loaded on demand: each function loads its own chunk. */
export const loadImporters = () => import('./formats/import.ts')
export const loadMaskTyped = () => import('./mask-typed.ts')
export const loadSessionReader = () => import('./read.ts')
export const loadSessionStore = () => import('./store.ts')
export const loadSessionWriter = () => import('./write.ts')
export const loadStoreWriter = () => import('./store-writer.ts')
