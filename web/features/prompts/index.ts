/** Prompts: listing them and getting their messages. */
export { promptsFold } from './prompt-item.ts'
export { prompts } from './prompts.ts'
