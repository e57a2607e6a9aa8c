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

const importsOf = (path: string, text: string): string[] =>
  Array.from(text.matchAll(IMPORT), ([, specifier]) => join(dirname(path), specifier ?? ''))

/**
 * Unit tests that import one of the files, nearest first: a file's own test comes before those of its users' users.
 *
 * @param sources texts by path, tests included
 * @param changed paths of changed files; a changed test concerns itself
 */
export const affectedTests = (sources: ReadonlyMap<string, string>, changed: readonly string[]): string[] => {
  const importers = new Map<string, string[]>()
  for (const [path, text] of sources) {
    for (const target of importsOf(path, text)) {
      const known = importers.get(target)
      if (known) known.push(path)
      else importers.set(target, [path])
    }
  }
  const reached = new Set(changed)
  // A set's loop also visits what is added on the way, so the nearest come first.
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer)
  return [...reached].filter((path) => isTest(path) && sources.has(path))
}

const isTest = (path: string) => /\.test\.ts$/.test(path)
/** Files that only tests import. Also true of tests. */
const isOfTests = (path: string) => /^tests\/|\.(test|case)\.ts$/.test(path)

/** Whole programs: the command line, and attacks on many rooms at once. */
const PROGRAMS = /^tests\/(attacks|commands)\//
/** What a test writes that talks to a peer of `global-setup.ts`, or starts a process. */
const PEERS = /\binject\('(?!slowness|depth)|'node:child_process'/

/** Whether a test starts servers or whole programs, itself or through a helper. Such tests take seconds to minutes. */
const startsPeers = (sources: ReadonlyMap<string, string>, test: string): boolean => {
  const reached = new Set([test])
  for (const path of reached) {
    const text = sources.get(path) ?? ''
    if (PROGRAMS.test(path) || PEERS.test(text)) return true
    for (const target of importsOf(path, text)) if (isOfTests(target)) reached.add(target)
  }
  return false
}

/** The most tests of a change that `quick` runs. */
const MOST = 25

export interface QuickTests {
  readonly run: readonly string[]
  /** Whether one of them starts peers. */
  readonly peers: boolean
  readonly later: readonly { readonly name: string; readonly reason: string }[]
}

/** Tests that read sources from the disk, so that no import shows what concerns them. */
const ALWAYS = 'tests/architecture.test.ts'
const OF_TEXTS = 'tests/voice.test.ts'
const TEXTS = /\/text\/.*\.ts$|\.svelte$|^tests\/voice\.ts$/

const INDIRECT = 'it starts servers or programs and imports no changed file itself; npm test runs it'

/** Chooses the tests that `quick` runs: the nearest, and of those that start peers only what a change directly concerns. */
export const quickTests = (sources: ReadonlyMap<string, string>, changed: readonly string[]): QuickTests => {
  const concerns = (test: string) =>
    [test, ...importsOf(test, sources.get(test) ?? '')].some((path) => changed.includes(path))
  const ofSources = [ALWAYS, ...(changed.some((path) => TEXTS.test(path)) ? [OF_TEXTS] : [])]
  const affected = affectedTests(sources, changed).filter((test) => !ofSources.includes(test))
  const slow = affected.filter((test) => startsPeers(sources, test))
  const near = affected.filter((test) => !slow.includes(test) || concerns(test))
  const run = near.slice(0, MOST)
  return {
    run: [...ofSources, ...run],
    peers: run.some((test) => slow.includes(test)),
    later: [
      ...slow.filter((test) => !near.includes(test)).map((name) => ({ name, reason: INDIRECT })),
      ...near.slice(MOST).map((name) => ({ name, reason: `${MOST} tests are nearer to the change; npm test runs it` })),
    ],
  }
}

/** String literals, without those that are keys. */
const LITERAL = /('|"|`)((?:\\.|(?!\1)[^\\])*)\1(?!\s*:)/g

/** The fixed parts of the strings in a source: `Up to ${count} files` has two. */
const textsIn = (source: string): string[] =>
  Array.from(source.matchAll(LITERAL), ([, , text]) => (text ?? '').replaceAll(/\\(.)/g, '$1'))
    .flatMap((text) => text.split(/\$\{[^}]*\}/))
    .map((text) => text.trim())
    .filter((text) => /\p{L}{2}/u.test(text))

/** Texts of the catalogues that are gone since a commit. @throws {Error} like `changedSince` */
export const removedTexts = (sources: ReadonlyMap<string, string>, commit = 'HEAD'): string[] => {
  const lines = git('diff', '--unified=0', '--relative', commit, '--', 'web/**/text/**')
  const removed = lines.filter((line) => /^-(?!-- )/.test(line)).join('\n')
  const left = new Set([...sources].flatMap(([path, text]) => (/\/text\//.test(path) ? textsIn(text) : [])))
  return [...new Set(textsIn(removed))].filter((text) => !left.has(text))
}

/** Shorter texts are often parts of other words. */
const UNMISTAKABLE = 12

/** Journeys that quote one of the texts, and the command that runs each. */
export const journeysQuoting = (sources: ReadonlyMap<string, string>, texts: readonly string[]) =>
  [...sources]
    .filter(([path]) => /^tests\/e2e\/.*\.spec\.ts$/.test(path))
    .flatMap(([name, journey]) => {
      const quoted = texts.find((text) =>
        text.length < UNMISTAKABLE ? textsIn(journey).includes(text) : journey.includes(text),
      )
      const run = `npm run test:e2e -- ${name.slice('tests/e2e/'.length, -'.ts'.length)}`
      return quoted === undefined
        ? []
        : [{ name, reason: `it quotes “${quoted}”, which the change removes; run ${run}` }]
    })
