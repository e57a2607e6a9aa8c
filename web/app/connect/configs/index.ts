/** Reads configurations of other clients. Loaded once something that looks like one was entered or dropped. */
export { configFileOf, sortFiles, understandFile } from './config-files.ts'
export { readConfig } from './read-config.ts'
