/**
 * Watches the files of `--watch` (rule 23). Each folder is watched on its own instead of recursively: recursive watching in
 * Node includes `node_modules`, and on Linux it costs one watcher for each file.
 */
import { type Dirent, type FSWatcher, lstatSync, readdirSync, type Stats, statSync, watch } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { FilesChanged, WatchedFiles } from './wire.ts'

export interface WatchLimits {
  /** Folders, of all globs together. */
  readonly folders: number
  /** ms without another change, after which changes are reported together: editors write a file in several steps. */
  readonly quiet: number
  /** ms after which changes are reported although more follow. */
  readonly latest: number
}

const WATCH_LIMITS: WatchLimits = { folders: 1024, quiet: 200, latest: 2_000 }

/** Never watched, unless a glob begins there. */
const IGNORED: ReadonlySet<string> = new Set(['node_modules', '.git'])
/** Names in one report. */
const MAX_NAMED = 20
/** Changed files that are counted. */
const MAX_COUNTED = 10_000
const NO_MORE_WATCHERS: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/** Can't watch. The message says why and what to do. */
export class WatchError extends Error {}

interface Glob {
  /** As the user wrote it. */
  readonly text: string
  /** The folder or file before the first segment with a wildcard. */
  readonly base: string
  /** Folders below `base` that can contain a match. */
  readonly depth: number
  readonly matches: RegExp
}

export class FileWatch {
  readonly #cwd: string
  readonly #globs: readonly Glob[]
  readonly #limits: WatchLimits
  readonly #report: (change: FilesChanged) => void
  readonly #warn: (message: string) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** Of the folders around those of the globs. */
  readonly #parents: FSWatcher[] = []
  readonly #changed = new Set<string>()
  #since: number | undefined
  #timer: NodeJS.Timeout | undefined
  #isFull = false

  /**
   * @param globs relative to `cwd`; one without wildcards is a file, or a folder with everything in it
   * @param report called with changes, after they have come to rest
   * @param warn called once if folders were added later and are too many
   * @throws {WatchError}
   */
  constructor(
    globs: readonly string[],
    cwd: string,
    report: (change: FilesChanged) => void,
    warn: (message: string) => void = () => {},
    limits: Partial<WatchLimits> = {},
  ) {
    this.#cwd = cwd
    this.#report = report
    this.#warn = warn
    this.#limits = { ...WATCH_LIMITS, ...limits }
    this.#globs = globs.map((glob) => globOf(glob, cwd))
    try {
      for (const [at, { base }] of this.#globs.entries()) this.#start(base, globs[at]!)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Folders that are watched. */
  get folders(): number {
    return this.#watchers.size
  }

  /** The files that match now, counted up to a limit, and the globs that match none. */
  get found(): { readonly count: number; readonly unmatched: readonly string[] } {
    let count = 0
    const unmatched = new Set(this.#globs)
    for (const folder of this.#watchers.keys()) {
      for (const entry of entriesOf(folder)) {
        if (entry.isDirectory() || (count >= MAX_COUNTED && unmatched.size === 0)) continue
        const matching = this.#matching(join(folder, entry.name))
        if (matching.length > 0 && count < MAX_COUNTED) count++
        for (const glob of matching) unmatched.delete(glob)
      }
    }
    return { count, unmatched: Array.from(unmatched, ({ text }) => text) }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
    for (const watcher of this.#parents) watcher.close()
  }

  #start(base: string, glob: string): void {
    // A file is replaced when an editor saves it, so its folder is watched.
    try {
      const found = statSync(base, { throwIfNoEntry: false })
      if (!found) throw new WatchError(`\`--watch ${glob}\`: ${base} doesn't exist. Name an existing folder.`)
      this.#add(found.isDirectory() ? base : join(base, '..'), false)
      if (found.isDirectory()) this.#followReplaced(base)
    } catch (error) {
      if (error instanceof WatchError) throw error
      if (error instanceof TooManyFolders) {
        throw new WatchError(
          `\`--watch ${glob}\` has more than ${this.#limits.folders} folders. Watch fewer, such as --watch 'src/**/*.ts'.`,
        )
      }
      const { code, message } = error as NodeJS.ErrnoException
      throw new WatchError(
        NO_MORE_WATCHERS.has(code)
          ? `\`--watch ${glob}\`: The system allows no more watchers. Watch fewer folders, such as --watch 'src/**/*.ts'.`
          : `\`--watch ${glob}\`: Can't watch: ${message}. Allow reading that folder, or watch another.`,
      )
    }
  }

  /** A build may delete the folder itself and make it again, and the watcher of a folder ends with it. */
  #followReplaced(base: string): void {
    const parent = join(base, '..')
    if (parent === base) return
    try {
      const watcher = watch(parent, { persistent: false }, (event, name) => {
        if (event === 'rename' && name !== null && join(parent, name) === base) this.#changedAt(base, true)
      })
      watcher.on('error', () => watcher.close())
      this.#parents.push(watcher)
    } catch (error) {
      // A parent that this user may enter, but not read: its folders are watched, though not if they are replaced.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EACCES' && code !== 'EPERM') throw error
    }
  }

  /** @param isNew its files count as changed */
  #add(folder: string, isNew: boolean): void {
    if (this.#watchers.has(folder) || !this.#isOfInterest(folder)) return
    if (this.#watchers.size >= this.#limits.folders) throw new TooManyFolders()
    // The proxy must end if it can't listen, although files are watched already.
    const watcher = watch(folder, { persistent: false }, (event, name) => {
      if (name !== null) this.#changedAt(join(folder, name), event === 'rename')
    })
    this.#watchers.set(folder, watcher)
    // On Windows, a removed folder is an error.
    watcher.on('error', () => this.#remove(folder))
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      // A link to a folder isn't followed: it may form a loop.
      if (entry.isDirectory()) this.#add(path, isNew)
      else if (isNew) this.#note(path)
    }
  }

  #remove(folder: string): void {
    for (const [path, watcher] of this.#watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue
      watcher.close()
      this.#watchers.delete(path)
    }
  }

  /** @param isReplaced it was made, moved or deleted; another of its name may be there already */
  #changedAt(path: string, isReplaced: boolean): void {
    this.#note(path)
    // A link isn't followed.
    const found = statusOf(path)
    if (!found || isReplaced) this.#remove(path)
    if (!found?.isDirectory()) return
    try {
      this.#add(path, true)
    } catch (error) {
      if (this.#isFull) return
      this.#isFull = true
      const why =
        error instanceof TooManyFolders ? `more than ${this.#limits.folders} folders` : (error as Error).message
      this.#warn(`New folders of --watch aren't watched: ${why}.`)
    }
  }

  /** Whether a match can be in the folder. */
  #isOfInterest(folder: string): boolean {
    return this.#globs.some(({ base, depth }) => {
      // The folder of a file that a glob names.
      if (join(base, '..') === folder && depth === 0) return true
      if (folder !== base && !folder.startsWith(base === sep ? sep : base + sep)) return false
      const below = folder === base ? [] : relative(base, folder).split(sep)
      return below.length <= depth && !below.some((name) => IGNORED.has(name))
    })
  }

  #matching(path: string): readonly Glob[] {
    const slashed = path.replaceAll('\\', '/')
    return this.#globs.filter(({ base, matches }) => {
      const below = path === base ? [] : relative(base, path).split(sep)
      return matches.test(slashed) && !below.some((name) => IGNORED.has(name))
    })
  }

  #note(path: string): void {
    if (this.#matching(path).length === 0 || this.#changed.size >= MAX_COUNTED) return
    this.#changed.add(relative(this.#cwd, path).replaceAll('\\', '/') || '.')
    const now = performance.now()
    this.#since ??= now
    clearTimeout(this.#timer)
    const wait = Math.min(this.#limits.quiet, Math.max(0, this.#since + this.#limits.latest - now))
    this.#timer = setTimeout(() => this.#flush(), wait)
    this.#timer.unref()
  }

  #flush(): void {
    const files = [...this.#changed].toSorted()
    this.#changed.clear()
    this.#since = undefined
    this.#report({ files: files.slice(0, MAX_NAMED), count: files.length })
  }
}

class TooManyFolders extends Error {}

/** The files of `--watch`, whose globs are relative to the server's working directory: the page may choose another one. */
export class ServerWatch {
  readonly globs: readonly string[]
  readonly #report: (change: FilesChanged) => void
  readonly #warn: (message: string) => void
  readonly #limits: Partial<WatchLimits>
  #directory: string
  #watch: FileWatch | undefined

  /**
   * @param directory the server's, unless the page chooses another one
   * @param report of `FileWatch`
   * @param warn called with what isn't watched, and why
   * @throws {WatchError}
   */
  constructor(
    globs: readonly string[],
    directory: string,
    report: (change: FilesChanged) => void,
    warn: (message: string) => void,
    limits: Partial<WatchLimits> = {},
  ) {
    this.globs = globs
    this.#directory = directory
    this.#report = report
    this.#warn = warn
    this.#limits = limits
    this.#begin()
    for (const glob of this.#watch?.found.unmatched ?? []) {
      warn(
        `\`--watch ${glob}\` matches no files in ${directory}, the server's working directory. Quote the glob, or correct it.`,
      )
    }
  }

  /** What is watched now. */
  get files(): WatchedFiles {
    const directory = this.#directory
    return this.#watch ? { directory, count: this.#watch.found.count } : { directory, count: 0, isUnwatched: true }
  }

  /** The server starts in this directory. If its files can't be watched, the reason is a warning, and none are. */
  moveTo(directory: string): WatchedFiles {
    if (directory !== this.#directory || !this.#watch) {
      this.close()
      this.#directory = directory
      try {
        this.#begin()
      } catch (error) {
        if (!(error instanceof WatchError)) throw error
        this.#warn(error.message)
      }
    }
    return this.files
  }

  close(): void {
    this.#watch?.close()
    this.#watch = undefined
  }

  #begin(): void {
    this.#watch = new FileWatch(this.globs, this.#directory, this.#report, this.#warn, this.#limits)
  }
}

/** `undefined` also if the path is in a folder that isn't readable any more. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** `false` also if it can't be found out, which `#start` reports. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Removed meanwhile, or not readable.
    return []
  }
}

const MAGIC = /[*?[{]/

function globOf(glob: string, cwd: string): Glob {
  const segments = glob.replaceAll('\\', '/').split('/')
  const firstMagic = segments.findIndex((segment) => MAGIC.test(segment))
  const plain = firstMagic === -1 ? segments : segments.slice(0, firstMagic)
  const base = resolve(cwd, plain.join('/') || (glob.startsWith('/') ? '/' : '.'))
  const start = escape(base.replaceAll('\\', '/')).replace(/\/$/, '')
  if (firstMagic === -1) {
    const isFolder = isDirectory(base)
    return isFolder
      ? { text: glob, base, depth: Infinity, matches: new RegExp(`^${start}/`) }
      : { text: glob, base, depth: 0, matches: new RegExp(`^${start}$`) }
  }
  const rest = segments.slice(firstMagic)
  const depth = rest.includes('**') ? Infinity : rest.length - 1
  return { text: glob, base, depth, matches: new RegExp(`^${start}/${patternOf(rest)}$`) }
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** `**` is any number of folders; `*`, `?`, `[abc]`, `[!abc]` and `{a,b}` are within a name. */
function patternOf(segments: readonly string[]): string {
  return segments
    .map((segment, at) => {
      const isLast = at === segments.length - 1
      if (segment === '**') return isLast ? '.+' : '(?:[^/]+/)*'
      return nameOf(segment) + (isLast ? '' : '/')
    })
    .join('')
}

function nameOf(segment: string): string {
  let isInBraces = false
  return segment.replace(
    /\[(!?)([^\]]+)\]|[\s\S]/g,
    (part: string, not: string | undefined, set: string | undefined) => {
      if (set !== undefined) return `[${not ? '^/' : ''}${set.replace(/[\\^[]/g, String.raw`\$&`)}]`
      switch (part) {
        case '*':
          return '[^/]*'
        case '?':
          return '[^/]'
        case '{':
          isInBraces = true
          return '(?:'
        case '}':
          if (!isInBraces) return String.raw`\}`
          isInBraces = false
          return ')'
        case ',':
          return isInBraces ? '|' : ','
        default:
          return escape(part)
      }
    },
  )
}
