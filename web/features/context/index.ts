/** What the user picks from a server to copy as one text: resources, and results of prompts. */
export { sourcesOf } from './sources.ts'
