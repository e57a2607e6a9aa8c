/** Forms generated from JSON Schema, loaded when needed: each function fetches a chunk of its own. */
export const loadValidate = () => import('./validate.ts')
export const loadPageValidator = () => import('./page-validator.ts')
