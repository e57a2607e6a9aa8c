/**
 * `npm start`: builds what is missing or outdated, then runs the command in this process, in the caller's folder.
 * Plain JavaScript, because it runs before anything is built. Writes nothing to stdout, which carries the protocol in
 * `record` and `play`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
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
  const progress = showProgress()
  const parts = [['build'], ['build', '--ssr', '--mode', 'proxy']]
  // Together they use two cores.
  const built = await Promise.all(parts.map((args) => run([vite, ...args, '--logLevel', 'warn'])))
  progress.end(built.every(({ status }) => status === 0))
  for (const [at, { status, output }] of built.entries()) {
    process.stderr.write(output)
    if (status !== 0) process.stderr.write(`\`vite ${parts[at]?.join(' ')}\` failed. See its report above.\n`)
  }
  return built.every(({ status }) => status === 0)
}

/** Says that it builds; on a terminal, also for how long already. */
function showProgress() {
  const { stderr } = process
  const text = 'Building Periscope, only after changes. This can take a minute…'
  if (!stderr.isTTY) {
    stderr.write(`${text}\n`)
    return { end: () => {} }
  }
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  const rewrite = (/** @type {string} */ line) => stderr.write(`\r\u001B[K${line}`)
  const show = () => rewrite(`${text} ${seconds()} s`)
  show()
  const timer = setInterval(show, 1000)
  return {
    end: (/** @type {boolean} */ isBuilt) => {
      clearInterval(timer)
      rewrite(isBuilt ? `Built Periscope in ${seconds()} s.\n` : '')
    },
  }
}

/**
 * Signals that end this process also end the tool.
 * @param {string[]} args
 * @returns {Promise<{ status: number | null, output: string }>} its exit code (null if a signal ended it), and what it printed
 */
async function run(args) {
  const env = { ...process.env, PERISCOPE_COMPRESS: 'no' }
  const tool = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [tool.stdout, tool.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text))
  }
  const end = () => tool.kill('SIGKILL')
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
  for (const signal of signals) process.once(signal, end)
  const [status] = await once(tool, 'close')
  for (const signal of signals) process.off(signal, end)
  return { status, output }
}

/**
 * npm runs scripts in the package's folder and passes the caller's folder in a variable. A user's relative paths, and the
 * commands of servers, are relative to the latter.
 */
function enterCallersFolder() {
  const { INIT_CWD: folder, npm_lifecycle_event: script, npm_package_json: manifest } = process.env
  if (!folder || script !== 'start' || !manifest) return
  try {
    // Of another package, if a script of it runs this file. The clone may be reached through a link.
    if (realpathSync(manifest) === realpathSync(join(ROOT, 'package.json'))) process.chdir(folder)
  } catch {
    // Deleted meanwhile.
  }
}

if (isFresh() || (await build())) {
  enterCallersFolder()
  process.argv[1] = BUNDLE
  await import(pathToFileURL(BUNDLE).href)
} else {
  process.exitCode = 1
}
