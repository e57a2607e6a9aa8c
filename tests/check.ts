/**
 * `npm run check [NAME…]`: checks that don't run the program, or those whose name contains one of the arguments. Prints
 * one line per check, with its time.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { endWithUs, root, runNpm, runTool, type Ended } from './command.ts'
import { unlicensed } from './licences.ts'
import { sum, summaryLine, type Tally } from './summary.ts'

interface Check {
  readonly name: string
  /** How to fix a failure, if the tool doesn't say. */
  readonly remedy?: string
  readonly run: () => Promise<Ended>
  /** Why it can't run now. */
  readonly skip?: () => string | undefined
}

const tool = (name: string, ...args: string[]): Check['run'] => {
  return () => runTool(name, args, { quiet: true })
}

const FORMAT = { name: 'format', remedy: 'npm run format' }

const CHECKS: readonly Check[] = [
  // The compiler written in Go takes a third of the time, here as below.
  {
    name: 'types of the page',
    run: tool('svelte-check', '--tsconfig', 'web/tsconfig.json', '--fail-on-warnings', '--tsgo-experimental-api'),
  },
  { name: 'lint of components', run: tool('eslint', '--max-warnings', '0', 'web') },
  { name: 'lint', run: tool('oxlint', '--deny-warnings') },
  { ...FORMAT, run: tool('oxfmt', '--check') },
  { name: 'types of the kernel', run: tool('@typescript/native:tsc', '-p', 'web/mcp') },
  { name: 'types of proxy and tests', run: tool('@typescript/native:tsc', '-p', '.') },
  { name: 'dead code', run: tool('knip', '--no-progress', '--treat-config-hints-as-errors') },
  {
    name: 'package',
    run: () => packageCheck(),
    skip: () =>
      BUILT.every((file) => existsSync(join(root, file))) ? undefined : 'nothing is built yet: npm run build',
  },
]

/** The checks that take seconds for a few files. Types are checked whole: a change may break a file it didn't touch. */
const checksOf = (files: readonly string[]): readonly Check[] => {
  const scripts = files.filter((file) => /\.(ts|mjs|js)$/.test(file))
  const components = files.filter((file) => /\.svelte(\.ts)?$/.test(file))
  return [
    ...CHECKS.filter(({ name }) => name.startsWith('types')),
    ...(components.length > 0
      ? [{ name: 'lint of components', run: tool('eslint', '--max-warnings', '0', ...components) }]
      : []),
    ...(scripts.length > 0
      ? [{ name: 'lint', run: tool('oxlint', '--deny-warnings', '--no-error-on-unmatched-pattern', ...scripts) }]
      : []),
    {
      ...FORMAT,
      remedy: `npx oxfmt ${files.join(' ')}`,
      run: tool('oxfmt', '--check', '--no-error-on-unmatched-pattern', ...files),
    },
  ]
}

/** @param files check types, lint and format only, the latter two of these files */
export const check = async (files?: readonly string[]): Promise<Tally> => inTwoLanes(files ? checksOf(files) : CHECKS)

const inTwoLanes = async (checks: readonly Check[]): Promise<Tally> => {
  const waiting = [...checks]
  const tallies: Tally[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) tallies.push(await checked(next))
  }
  // The slowest come first, and most use one core.
  await Promise.all([lane(), lane()])
  return sum(tallies)
}

const checked = async ({ name, remedy, run, skip }: Check): Promise<Tally> => {
  const reason = skip?.()
  if (reason) {
    console.log(`skip  ${name.padEnd(26)} ${reason}`)
    return { passed: 0, failed: [], skipped: [{ name, reason }] }
  }
  console.log(`...   ${name}`)
  const { problem, output, seconds } = await run()
  console.log(`${problem ? 'FAIL' : 'ok  '}  ${name.padEnd(26)} ${seconds.toFixed(1)} s`)
  if (problem) console.log(`${output.trim()}\n${remedy ? `To fix it: ${remedy}\n` : ''}`)
  return { passed: problem ? 0 : 1, failed: problem ? [`check ${name}: ${problem}`] : [], skipped: [] }
}

const BUILT = ['dist/web/index.html', 'dist/proxy/periscope.js']

/** Checks what npm would publish: the page, the proxy and their licences, without dependencies to install. */
const packageCheck = async (): Promise<Ended> => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>
  const faults: string[] = []
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundledDependencies']) {
    if (manifest[kind] !== undefined)
      faults.push(`package.json has ${kind}: all must be in the bundle (devDependencies)`)
  }
  // The package scripts would rebuild everything.
  const packed = await runNpm(['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel', 'error'], {
    quiet: true,
  })
  if (packed.problem) return packed
  const text = packed.output.slice(packed.output.indexOf('['))
  const [contents] = JSON.parse(text) as { files: { path: string }[] }[]
  const paths = new Set(contents?.files.map(({ path }) => path))
  const bin = Object.values(manifest['bin'] as Record<string, string>)
  for (const path of [...BUILT, ...bin, 'LICENSE', 'README.md', 'dist/web/licences.txt', 'dist/proxy/licences.txt']) {
    if (!paths.has(path)) faults.push(`the package lacks ${path}`)
  }
  for (const path of paths) {
    // Names with a leading dot belong to build tools.
    if (!/^(dist\/(web|proxy)\/(?!.*(^|\/)\.)|package\.json$|README\.md$|LICENSE$)/.test(path))
      faults.push(`the package holds ${path}, which nobody needs`)
  }
  for (const name of unlicensed(root)) faults.push(`dist/web/licences.txt lacks ${name}, whose code is in the page`)
  // Only what is packed matters, not the caches in node_modules.
  const files = Array.from(paths, (path) => ({
    name: `package/${path}`,
    data: new Uint8Array(readFileSync(join(root, path))),
  }))
  const { messages } = await publint({ pkgDir: 'package', pack: { files }, strict: true })
  for (const message of messages) faults.push(`publint: ${formatMessage(message, manifest) ?? message.code}`)
  return { output: faults.join('\n'), seconds: packed.seconds, ...(faults.length > 0 ? { problem: faults[0] } : {}) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  endWithUs()
  const wanted = process.argv.slice(2)
  const checks = CHECKS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  if (checks.length === 0) {
    console.error(`There is no check "${wanted.join(' ')}": ${CHECKS.map(({ name }) => name).join(', ')}.`)
    process.exit(2)
  }
  const tally = await inTwoLanes(checks)
  console.log(summaryLine(tally))
  process.exitCode = tally.failed.length > 0 ? 1 : 0
}
