/** Builds page and proxy if they are missing or older than their sources. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, runTool, type Ended } from './command.ts'

const SOURCES = ['web', 'proxy', 'public', 'package.json', 'package-lock.json', 'vite.config.ts']
/** `npm start` leaves out the compressed files. */
const PRODUCTS = ['dist/web/index.html', 'dist/web/licences.txt.br', 'dist/proxy/periscope.js']

/** @returns how the build ended; `undefined` if everything was up to date */
export const buildIfStale = async (): Promise<Ended | undefined> => {
  const built = Math.min(...PRODUCTS.map((path) => changed(join(root, path))))
  if (SOURCES.every((path) => newest(join(root, path)) <= built)) return
  const parts = [['build'], ['build', '--ssr', '--mode', 'proxy']]
  let seconds = 0
  let output = ''
  for (const args of parts) {
    const ended = await runTool('vite', [...args, '--logLevel', 'warn'], { quiet: true })
    seconds += ended.seconds
    output += ended.output
    if (ended.problem) return { problem: `vite ${args.join(' ')}: ${ended.problem}`, output, seconds }
  }
  return { output, seconds }
}

/** ms; 0 for a missing file. */
const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Folders count as well, because only they reveal a deleted file. */
const newest = (path: string): number => {
  const stat = statSync(path)
  if (!stat.isDirectory()) return /\.test\.ts$/.test(path) ? 0 : stat.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs)
}
