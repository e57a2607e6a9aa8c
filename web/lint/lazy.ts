/** The linter, loaded when needed: each function fetches a chunk of its own. */
export const loadLintTexts = () => import('./text/texts.svelte.ts')
export const loadLinter = () => import('./load.ts')
export const loadRequirementList = () => import('./requirements.ts')
export const loadSharedLint = () => import('./shared.ts')
