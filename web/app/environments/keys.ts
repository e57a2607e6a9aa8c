/** Stored: the environments, shared by all tabs. In a separate file, so that the first screen can look for the key without loading the store. */
export const ENVIRONMENTS = 'periscope.environments'

/** Of its entry in the storage of credentials. No server has such a key: a working directory is a path. */
export const secretsKey = (id: string): string => `{{}}\n${id}`

/** The environment that an entry belongs to; `undefined` for those of servers. */
export const environmentIdIn = (key: string): string | undefined => /^\{\{\}\}\n([\w-]+)$/.exec(key)?.[1]
