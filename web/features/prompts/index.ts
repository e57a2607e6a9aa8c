/** Prompts: listing them and getting their messages. */
export { promptRules } from './lint.ts'
export { getsFold } from './outcome.ts'
export { promptsFold } from './prompt-item.ts'
export { prompts } from './prompts.ts'
