/** Forms generated from JSON Schema, loaded when needed: each function fetches a chunk of its own. */
export const loadValidator = () => import('./validate.ts')
