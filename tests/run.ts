/**
 * `npm test`: runs everything that must pass, in turn, and prints one line at the end.
 *
 *     tsx tests/run.ts                     build, first screen, check, unit, conformance, e2e
 *     tsx tests/run.ts deep                the same with 50 times the random tries, conformance in Chromium, the gallery,
 *                                          every screen in every look, and 500 servers started and ended
 *     tsx tests/run.ts unit|e2e|check|conformance|screens [arguments of the runner]
 *     tsx tests/run.ts quick [COMMIT]      what a change since the commit (HEAD) concerns: types, lint, unit tests in Node
 *
 * The last line is `N passed, N failed` (plus `, N skipped` if there are any) over the tests of every runner and the
 * checks. Exits with 1 if anything failed, crashed, hung or ran no test; `quick` may find that nothing has changed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { changedSince, journeysQuoting, quickTests, readSources, removedTexts } from './affected.ts'
import { buildIfStale } from './build.ts'
import { check } from './check.ts'
import { endWithUs, runTool } from './command.ts'
import { conformance, readOptions } from './conformance/run.ts'
import { announceSlowness, measureSlowness } from './speed.ts'
import { judged, playwrightTally, sum, summaryLine, type PlaywrightReport, type Tally } from './summary.ts'
import type { ProjectTallies } from './summary-vitest.ts'

const MODES = ['all', 'quick', 'deep', 'check', 'unit', 'conformance', 'e2e', 'screens']
/** Runs that need a browser. */
const IN_BROWSER = ['all', 'deep', 'unit', 'e2e', 'screens']

/** Where the tests of a project of `vite.config.ts` run. */
const PLACES: Readonly<Record<string, string>> = { node: 'Node', chromium: 'Chromium' }

const heading = (text: string) => console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 100 - text.length))}`)

const failure = (text: string): Tally => ({ passed: 0, failed: [text], skipped: [] })

const build = async (): Promise<Tally> => {
  heading('build')
  const ended = await buildIfStale()
  if (ended?.output) console.log(ended.output.trim())
  console.log(ended ? `${ended.problem ? 'FAIL' : 'ok  '}  built in ${ended.seconds.toFixed(1)} s` : 'ok    is fresh')
  return ended?.problem ? failure(`build: ${ended.problem}`) : { passed: 1, failed: [], skipped: [] }
}

/** The size of the first screen, which grows by an import anywhere. */
const budget = async (): Promise<Tally> => {
  const { problem } = await runTool('tsx', ['tests/bench/run.ts', 'first-screen'])
  return problem ? failure(`first screen: ${problem}`) : { passed: 1, failed: [], skipped: [] }
}

/** Where the unit tests run, by the projects that the arguments select. */
const projectsIn = (extra: readonly string[]): string[] => {
  const named = extra.flatMap((one, at) =>
    extra[at - 1] === '--project' ? [one] : (/^--project=(.+)/.exec(one)?.[1] ?? []),
  )
  return named.length > 0 ? named.map((name) => PLACES[name] ?? name) : Object.values(PLACES)
}

const unit = async (folder: string, extra: readonly string[]): Promise<Tally> => {
  heading(`unit tests, in ${projectsIn(extra).join(' and in ')}`)
  const file = join(folder, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=./tests/summary-vitest.ts']
  const { problem } = await runTool('vitest', ['run', ...reporters, ...extra], {
    env: { PERISCOPE_TALLY: file },
  })
  const tallies = readJson<ProjectTallies>(file)
  if (!tallies) return judged('unit', undefined, problem)
  // With extra arguments, only the selected projects must have run.
  const projects = extra.length > 0 ? Object.keys(tallies) : Object.keys({ ...PLACES, ...tallies })
  const named = projects.map((project) => {
    const name = PLACES[project] ? `unit in ${PLACES[project]}` : project
    const tally = tallies[project]
    if (project === 'unhandled' && tally) return tally
    return judged(name, tally ?? { passed: 0, failed: [], skipped: [] }, undefined)
  })
  return judged('unit', sum(named), problem)
}

const inPlaywright = async (name: 'e2e' | 'screens', folder: string, extra: readonly string[]): Promise<Tally> => {
  const file = join(folder, `${name}.json`)
  const { problem } = await runTool('@playwright/test:playwright', ['test', '-c', `tests/${name}`, ...extra], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  const report = readJson<PlaywrightReport>(file)
  return judged(name, report && playwrightTally(report), problem)
}

const e2e = async (folder: string, extra: readonly string[]): Promise<Tally> => {
  heading('end to end, the built page in Chromium')
  return await inPlaywright('e2e', folder, extra)
}

const screens = async (folder: string, extra: readonly string[]): Promise<Tally> => {
  heading('every screen in every look')
  return await inPlaywright('screens', folder, extra)
}

const suite = async (extra: readonly string[]): Promise<Tally> => {
  heading('conformance, the kernel as the client under test of the official suite')
  const options = readOptions(extra)
  if (options.in === 'chromium') ensureBrowser(console.log)
  const asked = judged('conformance', await conformance(options), undefined)
  if (extra.length > 0) return asked
  // Once more with negotiation, as for real users. The first run already reported what is skipped.
  const found = judged('conformance', await conformance({ ...options, detect: true }), undefined)
  return sum([asked, { ...found, skipped: [] }])
}

/** The long run of `tests/bench/soak.bench.ts`, which counts as one test. */
const soak = async (): Promise<Tally> => {
  heading('soak, 500 servers started and ended')
  const { problem } = await runTool('tsx', ['tests/bench/run.ts', 'soak'], { env: { PERISCOPE_STARTS: '500' } })
  return problem ? failure(`soak: ${problem}`) : { passed: 1, failed: [], skipped: [] }
}

const readJson = <Value>(file: string): Value | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Value
  } catch {
    return undefined
  }
}

const checks = () => {
  heading('checks')
  return check()
}

/** Connections that fail, each for one reason, with the proxy and without. */
const failures = async (): Promise<Tally> => {
  heading('gallery, the built page in Chromium')
  // It brings all peers, which would slow the start of the other modes.
  const { gallery } = await import('./gallery/run.ts')
  const withProxy = await gallery()
  return sum([
    judged('gallery', withProxy, undefined),
    judged('gallery without the proxy', await gallery({ withoutProxy: true }), undefined),
  ])
}

/** How many times as often `deep` tries what is random. */
const DEEP = 50

/** What a change concerns, before a commit. */
const quick = async (folder: string, [commit]: readonly string[]): Promise<Tally> => {
  const changed = changedSince(commit)
  if (changed.length === 0) {
    console.log(`\nNothing has changed since ${commit ?? 'the last commit'}, so there is nothing to test.`)
    return { passed: 0, failed: [], skipped: [] }
  }
  heading(`checks, for ${changed.length} changed ${changed.length === 1 ? 'file' : 'files'}`)
  const checked = await check(changed)
  const sources = readSources()
  const { run, peers, later } = quickTests(sources, changed)
  const quoting = journeysQuoting(sources, removedTexts(sources, commit))
  if (!peers) process.env['PERISCOPE_PEERS'] = 'none'
  // Unchanged sources stay compiled between runs, which halves the time of tests that import the whole page.
  const tested = await unit(folder, ['--project', 'node', '--experimental.fsModuleCache', ...run])
  return sum([checked, tested, { passed: 0, failed: [], skipped: [...later, ...quoting] }])
}

const runAll = async (mode: string, extra: readonly string[]): Promise<Tally> => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-test-'))
  const tallies: Tally[] = []
  try {
    if (IN_BROWSER.includes(mode)) ensureBrowser(console.log)
    const runs = (stage: string) => mode === stage || mode === 'all' || mode === 'deep'
    if (mode === 'quick') tallies.push(await quick(folder, extra))
    if (mode === 'deep') process.env['PERISCOPE_DEPTH'] = String(DEEP)
    if (runs('e2e') || mode === 'screens') tallies.push(await build(), await budget())
    if (runs('check')) tallies.push(await checks())
    if (runs('unit')) tallies.push(await unit(folder, extra))
    if (runs('conformance')) tallies.push(await suite(extra))
    if (mode === 'deep') tallies.push(await suite(['--in', 'chromium']))
    if (runs('e2e')) tallies.push(await e2e(folder, extra))
    // Its processes and descriptors are counted in `/proc`.
    if (mode === 'deep' && process.platform === 'linux') tallies.push(await soak())
    if (mode === 'deep') tallies.push(await failures())
    if (mode === 'deep' || mode === 'screens') tallies.push(await screens(folder, mode === 'deep' ? [] : extra))
  } catch (error) {
    tallies.push(failure(error instanceof Error ? error.message : String(error)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return sum(tallies)
}

const report = (tally: Tally) => {
  if (tally.skipped.length > 0) {
    heading('skipped')
    const reasons = new Set(tally.skipped.map(({ reason }) => reason))
    for (const reason of reasons) {
      for (const { name } of tally.skipped.filter((one) => one.reason === reason)) console.log(name)
      console.log(`    because ${reason}`)
    }
  }
  if (tally.slowest) {
    heading('the slowest tests')
    for (const { name, seconds } of tally.slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`)
  }
  if (tally.failed.length > 0) {
    heading('failed')
    for (const line of tally.failed) console.log(line)
  }
  console.log(`\n${summaryLine(tally)}`)
}

endWithUs()
const factor = measureSlowness()
announceSlowness(factor)
console.log(`speed: the limits of tests are multiplied by ${factor}`)
const [mode = 'all', ...extra] = process.argv.slice(2)
if (!MODES.includes(mode)) {
  console.error(`There is no mode "${mode}": ${MODES.join(', ')}.`)
  process.exit(2)
}
const tally = await runAll(mode, extra)
report(tally)
process.exitCode = tally.failed.length > 0 ? 1 : 0
