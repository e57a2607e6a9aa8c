/**
 * `npm start`: builds what is missing or outdated, then runs the command in this process.
 * Plain JavaScript, because it runs before anything is built.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BUNDLE = join(ROOT, 'dist/proxy/periscope.js')
const PRODUCTS = [join(ROOT, 'dist/web/index.html'), BUNDLE]
const SOURCES = ['web', 'proxy', 'public', 'package.json', 'vite.config.ts']

/**
 * The latest change below a path, in ms. Includes folders, because only they reveal deleted files.
 * @param {string} path
 * @returns {number}
 */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return /\.test\.ts$/.test(path) ? 0 : stat.mtimeMs
  let latest = stat.mtimeMs
  for (const name of readdirSync(path)) latest = Math.max(latest, newest(join(path, name)))
  return latest
}

function isFresh() {
  const built = Math.min(...PRODUCTS.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0))
  return built > 0 && SOURCES.every((source) => newest(join(ROOT, source)) <= built)
}

/** @returns {Promise<boolean>} whether both parts were built */
async function build() {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) {
    process.stderr.write("Can't build Periscope: its tools aren't installed. Run `npm ci` first.\n")
    return false
  }
  process.stderr.write('Building Periscope… (about 10 s, only after changes)\n')
  for (const args of [['build'], ['build', '--ssr', '--mode', 'proxy']]) {
    const status = await run([vite, ...args, '--logLevel', 'warn'])
    if (status !== 0) {
      process.stderr.write(`\`vite ${args.join(' ')}\` failed. See its report above.\n`)
      return false
    }
  }
  return true
}

/**
 * Signals that end this process also end the tool.
 * @param {string[]} args
 * @returns {Promise<number | null>} its exit code; null if a signal ended it
 */
async function run(args) {
  // Its output goes to stderr: stdout is for the URL.
  const tool = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 2, 2] })
  const end = () => tool.kill('SIGKILL')
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
  for (const signal of signals) process.once(signal, end)
  const [status] = await once(tool, 'exit')
  for (const signal of signals) process.off(signal, end)
  return status
}

if (isFresh() || (await build())) {
  process.argv[1] = BUNDLE
  await import(pathToFileURL(BUNDLE).href)
} else {
  process.exitCode = 1
}
