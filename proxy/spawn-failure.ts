/** Explains why a command didn't start (rule 7): the command, where it was searched for, and what to try. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path'
import { Refusal } from './refusal.ts'
import type { ProxyError } from './wire.ts'

const MAX_SEARCHED = 100
const WINDOWS = process.platform === 'win32'

interface SpawnAttempt {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Throws a Refusal for an unusable working directory, which Node reports as ENOENT, like a missing command. */
export function checkDirectory(cwd: string): void {
  const code = statCode(cwd)
  if (code === 'directory') return
  const remedy = cwd.startsWith('~')
    ? `Only a shell expands "~". Write ${join(homedir(), cwd.slice(1))} instead.`
    : `Create it, or choose another working directory. Relative paths start at ${process.cwd()}.`
  const cause =
    code === 'file' ? "isn't a directory" : code === 'EACCES' ? "isn't accessible to this user" : "doesn't exist"
  throw new Refusal(422, { code: 'bad-cwd', message: `The working directory "${cwd}" ${cause}.`, remedy })
}

/** @param cause what Node's spawn threw or emitted */
export function explainSpawn(attempt: SpawnAttempt, cause: NodeJS.ErrnoException): Refusal {
  return new Refusal(422, describe(attempt, cause))
}

function describe(attempt: SpawnAttempt, cause: NodeJS.ErrnoException): ProxyError {
  const { command, args, cwd, env } = attempt
  const searched = searchPath(command, env)
  const found = find(command, cwd, searched)
  if (cause.code === 'ENOENT' && !found) {
    const message = hasDirectory(command)
      ? `The command "${command}" was not found at ${resolve(cwd, command)}.`
      : `The command "${command}" was not found in PATH (${searched.length} directories searched).`
    return {
      code: 'not-found',
      message,
      remedy: remedyFor(attempt, searched),
      searched: searched.slice(0, MAX_SEARCHED),
    }
  }
  if (cause.code === 'ENOENT' && found) {
    const program = shebang(found)
    return {
      code: 'not-found',
      message: `"${found}" exists, but ${program ? `its interpreter "${program}" doesn't` : "the system can't load it"}.`,
      remedy: program
        ? `Install "${program}", or run the file with an installed interpreter.`
        : 'Install the loader and the libraries it needs, or use a build for this system.',
      searched: searched.slice(0, MAX_SEARCHED),
    }
  }
  if (cause.code === 'EACCES' || cause.code === 'EPERM') {
    const path = found ?? resolve(cwd, command)
    const directory = statCode(path) === 'directory'
    return {
      code: 'not-executable',
      message: directory ? `"${path}" is a directory, not a program.` : `"${path}" isn't executable for this user.`,
      remedy: directory ? 'Choose a program inside it.' : `${runBy(path)}run "chmod +x ${path}".`,
    }
  }
  if (cause.code === 'E2BIG') {
    return {
      code: 'spawn-failed',
      message: `The arguments and environment of "${command}" (${args.length} arguments) are larger than the system allows.`,
      remedy: 'Pass large values in a file.',
    }
  }
  if (cause.code === 'EAGAIN' || cause.code === 'EMFILE' || cause.code === 'ENFILE' || cause.code === 'ENOMEM') {
    return {
      code: 'spawn-failed',
      message: `"${command}" couldn't start: the system is out of processes, open files or memory (${cause.code}).`,
      remedy: "Close programs you don't need, then try again.",
    }
  }
  return {
    code: 'spawn-failed',
    message: `"${command}" couldn't start: ${cause.message}.`,
    remedy: 'Run the same command line in a terminal for more details.',
  }
}

function hasDirectory(command: string): boolean {
  return command.includes('/') || (WINDOWS && command.includes('\\'))
}

/** The directories that the system searches for this command, in order; none if the command is a path. */
function searchPath(command: string, env: Readonly<Record<string, string>>): string[] {
  if (hasDirectory(command)) return []
  const key = WINDOWS ? Object.keys(env).find((name) => name.toUpperCase() === 'PATH') : 'PATH'
  const path = (key && env[key]) ?? (WINDOWS ? '' : '/usr/local/bin:/bin:/usr/bin')
  return path.split(delimiter).filter((directory) => directory !== '')
}

function find(command: string, cwd: string, searched: readonly string[]): string | undefined {
  const places = hasDirectory(command) ? [resolve(cwd, command)] : searched.map((directory) => join(directory, command))
  const endings = WINDOWS ? ['', '.exe', '.cmd', '.bat', '.com'] : ['']
  const all = places.flatMap((place) => endings.map((ending) => place + ending))
  return (
    all.find(isExecutable) ??
    all.find((place) => statCode(place) === 'file' || (hasDirectory(command) && statCode(place) === 'directory'))
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function statCode(path: string): 'directory' | 'file' | 'EACCES' | 'missing' {
  try {
    const stat = statSync(path)
    if (!stat.isDirectory()) return 'file'
    accessSync(path, constants.X_OK)
    return 'directory'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'EACCES' : 'missing'
  }
}

/** The interpreter in a script's first line. */
function shebang(path: string): string | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(256)
    const first = bytes.toString('utf8', 0, readSync(file, bytes)).split('\n', 1)[0]!
    return /^#!\s*(\S+)/.exec(first)?.[1]
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function runBy(path: string): string {
  const programs: Record<string, string> = {
    '.js': 'node',
    '.mjs': 'node',
    '.cjs': 'node',
    '.py': 'python3',
    '.sh': 'sh',
    '.rb': 'ruby',
  }
  const program = programs[extname(path)]
  return program ? `Start it as "${program} ${path}", or ` : 'If it is a program, '
}

function remedyFor({ command, args, cwd }: SpawnAttempt, searched: readonly string[]): string {
  if (/\s/.test(command) && args.length === 0) {
    const [program, ...rest] = command.trim().split(/\s+/)
    return `Enter the program and its arguments separately: "${program}" with ${rest.map((word) => `"${word}"`).join(' ')}.`
  }
  if (command.startsWith('~')) return `Only a shell expands "~". Write ${join(homedir(), command.slice(1))} instead.`
  if (hasDirectory(command)) {
    return isAbsolute(command)
      ? 'Check the path.'
      : `Check the path. Relative paths start at the working directory ${resolve(cwd)}.`
  }
  const other = { python: 'python3', python3: 'python', pip: 'pip3', node: 'nodejs' }[command]
  if (other && find(other, cwd, searched)) return `Try "${other}", which is installed on this machine.`
  const named = INSTALL_HINTS[command.toLowerCase().replace(/\.(exe|cmd|bat)$/, '')]
  if (named) return named
  return 'Check the spelling, install the program, or enter its full path. To find the path, run "which" (Windows: "where") in a terminal where the program works.'
}

const NODE =
  'Install Node.js (nodejs.org), or enter the full path that "which" prints in a terminal where the command works.'
const PYTHON = 'Install Python (python.org), or enter its full path, for example in a virtual environment.'
const UV = 'Install uv (docs.astral.sh/uv), or enter its full path, often .local/bin/uvx in your home directory.'
const INSTALL_HINTS: Readonly<Record<string, string>> = {
  npx: NODE,
  npm: NODE,
  node: NODE,
  pnpm: 'Install pnpm (pnpm.io), or use "npx -y" instead.',
  yarn: 'Install Yarn (yarnpkg.com), or use "npx -y" instead.',
  bun: 'Install Bun (bun.sh), or use "npx -y" instead.',
  bunx: 'Install Bun (bun.sh), or use "npx -y" instead.',
  deno: 'Install Deno (deno.com), or enter its full path.',
  uvx: UV,
  uv: UV,
  pipx: 'Install pipx (pipx.pypa.io), or use "uvx" instead.',
  python: PYTHON,
  python3: PYTHON,
  docker: 'Install Docker (docs.docker.com/get-docker) and start it, or enter its full path.',
  podman: 'Install Podman (podman.io), or use "docker" instead.',
  go: 'Install Go (go.dev), or enter its full path.',
  java: 'Install a Java runtime (adoptium.net), or enter its full path.',
  dotnet: 'Install .NET (dotnet.microsoft.com), or enter its full path.',
  cargo: 'Install Rust (rustup.rs), or enter its full path.',
}
