/** Prompts: listing them and getting their messages. */
export { getsFold } from './outcome.ts'
export { promptsFold } from './prompt-item.ts'
export { prompts } from './prompts.ts'
