/**
 * Every scenario of both requirement sets of the official conformance suite, with our kernel as the client under test.
 *
 *     npm run test:conformance -- [--in node|chromium] [--only REGEX] [--set REVISION] [--jobs N]
 *                                 [--via relay|test-relay] [--detect] [--out FOLDER] [--command "CLIENT COMMAND"]
 *
 * Each scenario runs separately, two at once, and prints one line; the pass rule is in `result.ts`. `--out` stores the
 * output of the suite and the client. `--command` applies the same rule to another client.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runTool } from '../command.ts'
import { slowness } from '../speed.ts'
import { sum, type Tally } from '../summary.ts'
import { buildForNode, buildPage } from './bundle.ts'
import { readChecks, verdictOf, type Check, type Verdict } from './result.ts'
import { scenariosOf, SETS, suiteTool, type Scenario } from './suite.ts'

/** Scenarios that can't pass yet, and why. Remove an entry once its feature exists. */
const NOT_YET: readonly { readonly names: RegExp; readonly reason: string }[] = []

/** Measures a wait of 500 ms, so nothing may run in parallel. */
const ALONE = new Set(['sse-retry'])

/** ms for one scenario's client, and extra time for the suite itself. */
const CLIENT_LIMIT = { node: 30_000, chromium: 60_000 }
const SUITE_LIMIT = 15_000

export interface Options {
  /** Where the kernel runs. Default `node`. */
  readonly in?: Place
  readonly only?: RegExp
  /** One protocol version; default: all that have a requirement set. */
  readonly set?: string
  /** Scenarios at once. Default 2. */
  readonly jobs?: number
  readonly via?: string
  /** Negotiate each server's protocol version, as with any server; it must be the one of the set. */
  readonly detect?: boolean
  /** Folder for the results; default: results aren't stored. */
  readonly out?: string
  /** The client command to use instead of our own. */
  readonly command?: string
}

type Place = keyof typeof CLIENT_LIMIT

/** Runs all scenarios and prints each result. */
export const conformance = async (options: Options = {}): Promise<Tally> => {
  const place = options.in ?? 'node'
  const how = `in ${place === 'node' ? 'Node' : 'Chromium'}${options.detect ? ', found out' : ''}`
  const title = ({ name, revision }: Scenario) => `conformance ${how}: ${revision} ${name}`
  const all = (options.set ? [options.set] : SETS)
    .flatMap(scenariosOf)
    .filter(({ name }) => options.only?.test(name) ?? true)
  const later = all.flatMap((scenario) => {
    const why = NOT_YET.find(({ names }) => names.test(scenario.name))
    return why ? [{ scenario, reason: why.reason }] : []
  })
  const now = all.filter((scenario) => !later.some((entry) => entry.scenario === scenario))
  // Once for all scenarios, so that it doesn't count towards the first one's time.
  if (place === 'chromium' && !options.command) await buildPage()
  const bench: Bench = {
    tool: await suiteTool(),
    command: options.command ?? (await ownCommand(place, options)),
    limit: CLIENT_LIMIT[place] * slowness(),
    title,
    folder: options.out ?? mkdtempSync(join(tmpdir(), 'periscope-conformance-')),
  }
  console.log(`      ${how}`)
  const tallies: Tally[] = []
  const worker = async (queue: Scenario[]) => {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift()) tallies.push(await tallyOf(bench, scenario))
  }
  try {
    const shared = now.filter(({ name }) => !ALONE.has(name))
    await Promise.all(Array.from({ length: options.jobs ?? 2 }, () => worker(shared)))
    await worker(now.filter(({ name }) => ALONE.has(name)))
  } finally {
    if (!options.out) rmSync(bench.folder, { recursive: true, force: true })
  }
  const skipped = later.map(({ scenario, reason }) => ({ name: title(scenario), reason }))
  if (skipped.length > 0) console.log(`skip  ${skipped.length} scenarios that cannot pass yet`)
  return sum([...tallies, { passed: 0, failed: [], skipped }])
}

interface Bench {
  readonly tool: string
  readonly command: string
  /** ms for the client. */
  readonly limit: number
  /** The title of a scenario in the output. */
  readonly title: (scenario: Scenario) => string
  readonly folder: string
}

/** The suite splits the command at spaces and passes it to a shell, which joins it again. */
const ownCommand = async (place: Place, { via, detect }: Options): Promise<string> =>
  [
    `"${process.execPath}"`,
    place === 'node' ? `"${await buildForNode()}"` : '--import tsx tests/conformance/chromium.ts',
    ...(via && place === 'chromium' ? ['--via', via] : []),
    ...(detect ? ['--detect'] : []),
  ].join(' ')

const tallyOf = async (bench: Bench, scenario: Scenario): Promise<Tally> => {
  const { succeeded, faults, seconds } = await runScenario(bench, scenario)
  const { name, revision, notScored } = scenario
  const notes = [`${succeeded} checks`, `${seconds.toFixed(1)} s`, ...(notScored ? [`not scored: ${notScored}`] : [])]
  console.log(`${faults.length > 0 ? 'FAIL' : 'ok  '}  ${revision} ${name.padEnd(36)} ${notes.join(', ')}`)
  for (const fault of faults) console.log(`          ${fault}`)
  if (faults.length === 0) return { passed: 1, failed: [], skipped: [] }
  return { passed: 0, failed: [`${bench.title(scenario)}: ${faults[0]}`], skipped: [] }
}

const runScenario = async (
  { tool, command, limit, folder }: Bench,
  { name, revision }: Scenario,
): Promise<Verdict & { readonly seconds: number }> => {
  const results = join(folder, revision, name.replaceAll('/', '__'))
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const ended = await runTool(
    tool,
    [
      ...['client', '--command', command, '--scenario', name, '--spec-version', revision, '--force'],
      ...['--timeout', String(limit), '-o', results],
    ],
    { limit: limit + SUITE_LIMIT, quiet: true, env: { NO_COLOR: '1' } },
  )
  writeFileSync(join(results, 'log.txt'), ended.output)
  const { succeeded, faults } = verdictOf({ ended, checks: checksIn(results) })
  const said = faults.length > 0 ? clientErrorIn(results) : undefined
  return { succeeded, faults: said ? [...faults, `the client said: ${said}`] : faults, seconds: ended.seconds }
}

/** The suite creates a folder with the time in its name, inside another folder if the scenario's name has a slash. */
const fileIn = (folder: string, name: string): string | undefined =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.split(/[\\/]/).at(-1) === name)

const checksIn = (folder: string): readonly Check[] | undefined => {
  const file = fileIn(folder, 'checks.json')
  if (file === undefined) return
  try {
    return readChecks(readFileSync(join(folder, file), 'utf8'))
  } catch {
    return
  }
}

const clientErrorIn = (folder: string): string | undefined => {
  const file = fileIn(folder, 'stderr.txt')
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
  return text.trim().split('\n')[0]?.slice(0, 500) || undefined
}

/** @throws {Error} that says which option is wrong */
export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      in: { type: 'string', default: 'node' },
      only: { type: 'string' },
      set: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      via: { type: 'string' },
      detect: { type: 'boolean', default: false },
      out: { type: 'string' },
      command: { type: 'string' },
    },
  })
  const { in: place, only, set, jobs, ...rest } = values
  if (place !== 'node' && place !== 'chromium') throw new Error(`--in is node or chromium, not ${place}`)
  if (set !== undefined && !SETS.some((name) => name === set)) throw new Error(`--set is one of ${SETS.join(', ')}`)
  if (!/^[1-9]$/.test(jobs)) throw new Error('--jobs is a number from 1 to 9')
  return {
    ...rest,
    in: place,
    jobs: Number(jobs),
    ...(set ? { set } : {}),
    ...(only ? { only: new RegExp(only) } : {}),
  }
}
