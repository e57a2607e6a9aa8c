/** Which words of a command line are paths relative to the folder in which it is started. */

const named = (names: string): RegExp => new RegExp(`(?:^|[\\\\/])(?:${names})(?:\\.exe|\\.cmd)?(?:@[\\w.]+)?$`, 'i')

/** Their words name files of another machine, of a container, or of both. */
const ELSEWHERE = named('docker|podman|nerdctl|kubectl|ssh|wsl|vagrant')
/** They start something in the folder of `FOLDER`. */
const LAUNCHER = named('uvx?|npm|npx|pnpm|yarn|bun|poetry|pdm|make|just')
const FOLDER = /^(?:-C|--directory|--cwd|--dir|--prefix)(?:=|$)/
/** They read a file whose name may be a plain word. */
const INTERPRETER = named(String.raw`node|deno|bun|tsx|ts-node|uv|python[\d.]*|ruby|php|java|bash|sh`)
const SCRIPT = /^[\w.][\w.@-]*(?:[\\/][\w.@ -]+)*\.(?:[cm]?[jt]sx?|py|rb|php|jar|sh)$/i
/** A plain name after these is a package. */
const MODULE_OPTION = /^(?:-r|--require|--import|--loader|--experimental-loader)$/
/** After these comes code or a module, then arguments for it. */
const CODE_OPTION = /^(?:-[cemp]|--eval|--print)$/
const EXPLICIT = /^(?:--?[\w-]+=)?(?=\.{1,2}(?:[\\/]|$))/
/** Without a dot in its first folder: `example.com/a.json` is a URL. */
const DATA = /^(?:--?[\w-]+=)?(?=\.?\w[\w@-]*(?:[\\/][\w.@ -]+)+\.(?:json|ya?ml|toml|db|sqlite3?)$)/i
export const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/

/** Neither absolute, nor something that is filled in later. */
export const isRelative = (path: string): boolean => !ABSOLUTE.test(path) && !/^[~$%{<]/.test(path)

/** @param words the command and its arguments @returns for each word, where its relative path begins, if it has one */
export const relativePaths = (words: readonly string[]): readonly (number | undefined)[] => {
  const [command = ''] = words
  /** The script of an interpreter is still to come. */
  let isScriptNext = false
  /** What follows isn't relative to this folder. */
  let isElsewhere = false
  return words.map((word, index) => {
    const before = words[index - 1] ?? ''
    if (isElsewhere) return undefined
    isElsewhere = ELSEWHERE.test(word)
    if (index > 0 && LAUNCHER.test(command)) {
      const option = FOLDER.exec(word)?.[0]
      if (option?.endsWith('=')) {
        isElsewhere = true
        return isRelative(word.slice(option.length)) ? option.length : undefined
      }
      if (FOLDER.test(before)) {
        isElsewhere = true
        return isRelative(word) ? 0 : undefined
      }
    }
    if (isScriptNext && CODE_OPTION.test(before)) {
      isScriptNext = false
      // A whole command line isn't a path.
      return /^[\w.@\\/-]+$/.test(word) ? EXPLICIT.exec(word)?.[0].length : undefined
    }
    const isScript = isScriptNext && !MODULE_OPTION.test(before) && SCRIPT.test(word)
    const explicit = EXPLICIT.exec(word)?.[0].length
    if (isScript || (explicit === 0 && !before.startsWith('-'))) isScriptNext = false
    if (INTERPRETER.test(word) && !MODULE_OPTION.test(before)) isScriptNext = true
    if (index === 0) return /[\\/]/.test(word) && isRelative(word) ? 0 : undefined
    return explicit ?? (isScript ? 0 : DATA.exec(word)?.[0].length)
  })
}
