/** Which tests a change concerns: those that import a changed file, directly or through others. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { root } from './command.ts'

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter((line) => line !== '')

/**
 * Paths that differ from a commit, new files included and deleted ones left out.
 *
 * @throws {Error} outside a git checkout, or if the commit is unknown
 */
export const changedSince = (commit = 'HEAD'): string[] => {
  const changed = git('diff', '--name-only', '--relative', commit, '--')
  const added = git('ls-files', '--others', '--exclude-standard')
  return [...new Set([...changed, ...added])].filter((path) => existsSync(join(root, path))).sort()
}

/** All sources of the checkout, with their texts. */
export const readSources = (): Map<string, string> => {
  const paths = git('ls-files', '--cached', '--others', '--exclude-standard', 'web', 'proxy', 'tests')
  const sources = paths.filter((path) => /\.(ts|svelte|mjs|json)$/.test(path) && existsSync(join(root, path)))
  return new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Imports by relative path, dynamic ones too. Types count as well: what they describe is what the importer expects. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)'(\.{1,2}\/[^'?]+)/g

/**
 * Unit tests that import one of the files, nearest first: a file's own test comes before those of its users' users.
 *
 * @param sources texts by path, tests included
 * @param changed paths of changed files; a changed test concerns itself
 */
export const affectedTests = (sources: ReadonlyMap<string, string>, changed: readonly string[]): string[] => {
  const importers = new Map<string, string[]>()
  for (const [path, text] of sources) {
    for (const [, specifier] of text.matchAll(IMPORT)) {
      const target = join(dirname(path), specifier ?? '')
      const known = importers.get(target)
      if (known) known.push(path)
      else importers.set(target, [path])
    }
  }
  const reached = new Set(changed)
  // A set's loop also visits what is added on the way, so the nearest come first.
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer)
  return [...reached].filter((path) => /\.test\.ts$/.test(path) && sources.has(path))
}
