/** Forms generated from JSON Schema, loaded on demand: each function loads its own chunk. */
export const loadValidate = () => import('./validate.ts')
export const loadPageValidator = () => import('./page-validator.ts')
