/** The command that runs this program again, as its user can type it. Messages and the page name it. */
import { realpathSync } from 'node:fs'
import { basename, isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Launch {
  readonly env: Readonly<Record<string, string | undefined>>
  /** `process.argv[1]`. */
  readonly script: string | undefined
  readonly cwd: string
  /** The folder of this package. */
  readonly root: string
}

/** The bundle is in `dist/proxy`. */
const ROOT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url))

/** @returns what precedes the arguments, such as `npm start --` in a clone */
export function ownCommand(
  { env, script, cwd, root }: Launch = { env: process.env, script: process.argv[1], cwd: process.cwd(), root: ROOT },
): string {
  if (env['npm_lifecycle_event'] === 'start' && isSameFile(env['npm_package_json'], join(root, 'package.json'))) {
    const folder = isSameFile(env['INIT_CWD'] ?? cwd, root) ? '' : `--prefix ${quoted(withoutSlash(root))} `
    return `npm ${folder}start --`
  }
  const isInstalled = script !== undefined && /[\\/]node_modules[\\/]/.test(script)
  // A tool that npx runs passes the variable on to what it starts.
  if (isInstalled && env['npm_lifecycle_event'] === 'npx') return 'npx mcp-periscope'
  if (script === undefined || isInstalled || !/\.m?js$/.test(basename(script))) return 'periscope'
  const near = relative(cwd, script)
  return `node ${quoted(near.startsWith('..') || isAbsolute(near) ? script : near)}`
}

/** Without npm's own lines on stdout, which is for the result. */
export function silent(own: string): string {
  return own.replace(/^npm /, 'npm --silent ')
}

function isSameFile(one: string | undefined, other: string): boolean {
  if (!one) return false
  try {
    // The clone may be reached through a link.
    return realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}

function withoutSlash(folder: string): string {
  return folder.replace(/(?<=.)[\\/]$/, '')
}

function quoted(path: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(path)) return path
  return path.includes("'") || path.includes('\\') ? `"${path}"` : `'${path}'`
}

/** One word of a command line, as the shell of this system takes it. */
export function shellWord(word: string, platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`
}
