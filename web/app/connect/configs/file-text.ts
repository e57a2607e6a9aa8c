/** The text of a configuration file. Also used by the worker that merges files. */

/** Maximum characters of a file. It is parsed once, and the one of Claude Code contains a history. */
export const MAX_FILE = 16_000_000

/** The text, or enough of it to see that it is too long. */
export const textOf = async (file: Blob): Promise<string> =>
  (await file.slice(0, 4 * MAX_FILE + 4).text()).replace(/^\uFEFF/, '').slice(0, MAX_FILE + 1)
