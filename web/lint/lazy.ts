/** The linter, loaded on demand: each function loads its own chunk. */
export const loadLintTexts = () => import('./text/texts.svelte.ts')
export const loadRequirementList = () => import('./requirements.ts')
export const loadLinter = () => import('./shared.ts')
